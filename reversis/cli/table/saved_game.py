"""The file of a game: its deals as records, one after another, the last of which may be broken off."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from edition.cli.output import fail_with_problems
from engine.deal.model import Deal
from reversis.cli.deal import format_record_yaml
from reversis.files.positions import PositionRecord, read_positions, restore_deal
from reversis.files.saved_games import GAME_VERSION, PLAY_NOTE_PATTERN
from reversis.table.game_records import write_game_records
from rulebook.io.files import replace_file
from rulebook.strings import quote_value

_COMMAND = re.compile(rf"{PLAY_NOTE_PATTERN}(?P<options>( .*)?)$")
_NAME = "reversis-{number}.yaml"
_NOT_SAVED = ("--help", "--out", "--output", "--resume")
_CANNOT_GO_ON = "The game cannot go on; correct the problem above."


def reserve_game_file(path: Path | None) -> Path:
    """Make a new, empty file; without a name the next numbered one here. Nothing is ever overwritten."""
    if path is not None:
        try:
            path.open("x").close()
        except FileExistsError:
            raise click.UsageError(f"{path} is there already. Give another name, or --resume {path}.") from None
        except FileNotFoundError:
            raise click.UsageError(f"No folder {path.parent.as_posix()} to put {path.name} in.") from None
        return path
    number = 1
    while True:
        path = Path(_NAME.format(number=number))
        try:
            path.open("x").close()
        except FileExistsError:
            number += 1
        else:
            return path


def save_game(path: Path, deals: Sequence[Deal], options: str) -> None:
    """Write the deals, all of the file or nothing of it; the note of each keeps the command."""
    replace_file(path, "---\n".join(map(format_record_yaml, write_game_records(deals, options))))


class SavedGame(NamedTuple):
    """A game as its file has it: the deals, the options of its command, and where each deal stands."""

    deals: list[Deal]
    options: list[str]
    positions: list[PositionRecord]


def read_saved_game(path: Path) -> SavedGame:
    """Read a game; with problems raise click.ClickException."""
    if not path.is_file():
        raise click.UsageError(
            f"No file {quote_value(str(path))}. --resume goes on with a game that `reversis play` has saved."
        )
    with path.open("rb") as lines:
        positions = [*read_positions(lines, path.as_posix())]
    if problems := [problem for position in positions for problem in position.problems]:
        fail_with_problems(problems, f"{path} cannot be read; correct the problems above.")
    deals = [restore_deal(record) for record in positions]
    command = _COMMAND.match(deals[0].note.strip()) if deals else None
    if command is None:
        raise click.ClickException(f"{path} is no game that `reversis play` has saved: its note has no command.")
    return SavedGame(deals, split_saved_options(command, positions[0]), positions)


def split_saved_options(command: re.Match[str], first: PositionRecord) -> list[str]:
    """Split the options of the command that a note keeps; with a problem raise click.ClickException."""
    note, version = first.find(("note",)), int(command["version"] or GAME_VERSION)
    if version > GAME_VERSION:
        what = f"the game was saved in form {version}, and this program knows {GAME_VERSION} at most"
        fail_with_problems([note.problem(what, "go on with it by the program that has saved it")], _CANNOT_GO_ON)
    try:
        options = shlex.split(command["options"])
    except ValueError:
        problem = note.problem("the command in the note cannot be read", "close the quotation mark")
        fail_with_problems([problem], _CANNOT_GO_ON)
    if strange := [option for option in options if option.startswith("-o") or option.partition("=")[0] in _NOT_SAVED]:
        problem = note.problem(f"the command in the note has {strange[0]}, which no game saves", "take it out")
        fail_with_problems([problem], _CANNOT_GO_ON)
    return options
