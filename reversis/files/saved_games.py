"""Files of games that `reversis play` has saved, for commands that settle deals: what they hold, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from reversis.files.deal_streams import read_deal_stream, split_yaml_documents
from reversis.files.deals import DealRecord, Sigla
from rulebook.problems import Problem, Where

GAME_VERSION = 1  #: of the form in which games are saved
PLAY_NOTE = f"Played (saved game {GAME_VERSION}): reversis play"  #: begins the note of each deal; the options follow
PLAY_NOTE_PATTERN = r"Played(?: \(saved game (?P<version>[0-9]{1,4})\))?: reversis play"  #: at first without a version
_NOTE = re.compile(rf"^note: *['\"]?{PLAY_NOTE_PATTERN}(?P<options>.*)".encode(), re.MULTILINE)
_FRAGMENT = re.compile(rb"^fragment: *true", re.MULTILINE)  #: in the last deal, until it is played to its end
_SOURCE = re.compile(rb"--source\s+(\w+)")


def is_saved_game(path: Path) -> bool:
    """Check that a file holds a game that was saved; the note of its first deal tells."""
    return path.is_file() and _NOTE.search(path.read_bytes()) is not None


def explain_saved_game(path: Path, name: str) -> Problem | None:
    """Say of a game that no single deal can be read from how to settle it; None of a file that is no game."""
    letters = path.read_bytes()
    note = _NOTE.search(letters)
    if note is None:
        return None
    deals = [line for line, _ in _list_documents(path)]
    if len(deals) == 1:
        return describe_unfinished_game(name, deals[0]) if _FRAGMENT.search(letters) else None
    source = _SOURCE.search(note["options"])
    way_out = f"settle them in a row: reversis session -s {source[1].decode() if source else 'S'} {name}"
    return Where(name, deals[1]).problem(f"this is a saved game of {len(deals)} deals", way_out)


def _list_documents(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as lines:
        yield from split_yaml_documents(enumerate(lines, 1))


def describe_unfinished_game(name: str, line: int) -> Problem:
    """Say that a game is not finished, and how to go on with it."""
    way_out = f"go on with it: reversis play --resume {name}"
    return Where(name, line).problem("this is a saved game that is not finished", way_out)


def read_saved_deals(path: Path, name: str, sigla: Sigla | None = None) -> Iterator[DealRecord]:
    """Yield the deals of a saved game in order; of one that is not finished only that."""
    is_unfinished = _FRAGMENT.search(path.read_bytes()) is not None
    with path.open("rb") as lines:
        for record in read_deal_stream(lines, name, sigla):
            if is_unfinished and (record.deal is None or record.deal.fragment):
                record = replace(record, deal=None, problems=(describe_unfinished_game(name, record.find(()).line),))
            yield record
