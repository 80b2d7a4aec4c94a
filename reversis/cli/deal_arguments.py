"""Command-line arguments of this game: records of deals, and the sources by which they can be played."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from edition.cli.arguments import hint_nearest_name, load_library_or_exit, match_siglum
from edition.cli.completion import load_library_quietly, pick_names
from edition.cli.output import print_problems, print_remark
from engine.deal.model import Deal
from engine.generation.turn import SEAT_NAMES
from engine.generation.wishes import list_example_wishes
from engine.play.table import TOLERABLE
from engine.readings.unsupported import find_misjudged_readings
from reversis.files.deal_streams import STREAM_NAME, read_deal_stream
from reversis.files.deals import (
    DealRecord,
    ExpectedFigure,
    find_deal_paths,
    find_session_paths,
    format_unknown_sigla,
    read_deal_file,
    read_worked,
    sigla_of,
)
from reversis.files.drafts import list_playable_sources
from reversis.files.saved_games import explain_saved_game, is_saved_game, read_saved_deals
from rulebook.model import Library
from rulebook.strings import quote_value

AS_PLAYED_OPTION = click.option(
    "--as-played",
    is_flag=True,
    help="Settle what was played by another source: players and dealer stay as recorded, and each source has the pool "
    "of its own rules.",
)


def _read_tolerated(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    kinds = tuple(kind.strip() for kind in value.split(",") if kind.strip())
    if unknown := [kind for kind in kinds if kind not in TOLERABLE]:
        raise click.BadParameter(f"{quote_value(unknown[0])} cannot be tolerated; write {','.join(TOLERABLE)}")
    return kinds


TOLERATE_OPTION = click.option(
    "--tolerate",
    metavar=",".join(TOLERABLE),
    default="",
    callback=_read_tolerated,
    help="Pass over what a source does not allow in the exchange, or in the first card led, instead of refusing the "
    "deal; the ledger says what was passed over.",
)


def load_playable_library() -> Library:
    """Load the library, from its cached copy if nothing has changed; end where no deal could be played by it."""
    return load_library_or_exit(find_misjudged_readings)


def require_siglum(library: Library, name: str | None) -> str:
    """Find the source that a command needs; where none is named, say which there are."""
    if name is None:
        raise click.UsageError(f"Name a source: --source {', '.join(list_playable_sources(library))}")
    return match_siglum(library, name)


def match_sigla(library: Library, names: Sequence[str]) -> tuple[str, ...]:
    """The sources asked for, each once; all of them where none is named, but for drafts that cannot be played yet."""
    return tuple(dict.fromkeys(match_siglum(library, name) for name in names)) or list_playable_sources(library)


# ---- deals
def read_cli_records(
    library: Library, names: Iterable[str], ignore_unknown: bool = False, in_a_row: bool = False
) -> Iterator[DealRecord]:
    """Read files, worked deals, or standard input; unknown sources are problems, or said and passed over.

    In a row the deals of a saved game are read one after another.
    """
    for name in names:
        for record in _read_records(library, name, ignore_unknown, in_a_row):
            if record.deal is not None and ignore_unknown:
                say_unused(library, record.file, {"pool": record.deal.pools, "expect": record.deal.expect})
            yield record


def _read_records(library: Library, name: str, ignore_unknown: bool, in_a_row: bool) -> Iterable[DealRecord]:
    if name == "-":
        return _read_stdin_records(library, ignore_unknown)
    if Path(name).is_fifo():  # as of `<(...)`: it can be read once
        with Path(name).open("rb") as lines:
            return [*read_deal_stream(lines, name, None if ignore_unknown else sigla_of(library))]
    if in_a_row and is_saved_game(Path(name)):
        return read_saved_deals(Path(name), name, None if ignore_unknown else sigla_of(library))
    return _read_file_records(library, name, ignore_unknown)


def _read_file_records(library: Library, name: str, ignore_unknown: bool) -> Iterator[DealRecord]:
    """Yield the record of a file or worked deal; of a file that holds several, all, as from standard input."""
    record = _read_named_record(library, name, ignore_unknown)
    if record.deal is None and Path(name).is_file() and not is_saved_game(Path(name)):
        with Path(name).open("rb") as lines:
            stream = read_deal_stream(lines, record.file, None if ignore_unknown else sigla_of(library))
            first = [*islice(stream, 2)]
            if len(first) == 2 and (Path(name).suffix.lower() in _LINES or any(deal.deal for deal in first)):
                yield from chain(first, stream)
                return
    yield record


_LINES = frozenset({".jsonl", ".ndjson"})  #: endings of files of JSON lines


def _read_stdin_records(library: Library, ignore_unknown: bool) -> Iterator[DealRecord]:
    if sys.stdin.isatty():
        print_remark("Reading deal records, YAML or JSON, from the terminal; end with Ctrl-D (Windows: Ctrl-Z, Enter).")
    record = None
    for record in read_deal_stream(sys.stdin.buffer, sigla=None if ignore_unknown else sigla_of(library)):
        yield record
    if record is None:
        print_remark("No deal on standard input: give deal records, YAML or JSON; `reversis deal random` prints one.")


def process_cli_deals(
    library: Library, names: Iterable[str], ignore_unknown: bool, process: Callable[[Deal], bool | None]
) -> int:
    """Process every deal; 1 if a record is faulty, *process* returns True for one or there is none, else 0."""
    code, is_empty = 0, True
    for record in read_cli_records(library, names, ignore_unknown):
        is_empty = False
        if record.deal is None:
            print_problems(record.problems, stderr=True)
            code = 1
        else:
            code |= bool(process(record.deal))
    return code | is_empty


def say_unused(library: Library, file: str, named: Mapping[str, Iterable[str]]) -> None:
    """Say what of a record is not used, since the library does not have its source."""
    if words := format_unknown_sigla(library, named):
        print_remark(f"{file}: not used, the library having no such source: {words}")


def _read_named_record(library: Library, name: str, ignore_unknown: bool = False) -> DealRecord:
    """A file, or a worked deal by its id."""
    path = Path(name)
    if path.is_file():
        record = read_deal_file(path, sigla=None if ignore_unknown else sigla_of(library))
        game = explain_saved_game(path, record.file) if record.deal is None else None
        return record if game is None else replace(record, problems=(game,))
    if id := find_deal_id(library, name):
        return read_worked(library, id, ignore_unknown)
    if name.casefold() in find_session_paths(library):
        raise click.UsageError(f"{name} is a session. `reversis session {name.casefold()}` plays it.")
    if path.is_dir():
        raise click.UsageError(
            f"{name} is a folder. Name the files in it, such as {path.as_posix().rstrip('/')}/*.yaml."
        )
    hint = (
        hint_nearest_name(path.stem, find_deal_paths(library))
        or "Give a file, - for standard input, or an id from `reversis list deals`."
    )
    raise click.UsageError(f"No file and no worked deal {quote_value(name)}. {hint}")


def find_deal_id(library: Library, name: str) -> str | None:
    """Find a worked deal by its id, in any letters."""
    deal_paths = find_deal_paths(library)
    return next((id for id in (name, name.casefold()) if id in deal_paths), None)


def is_file_or_pipe(path: Path) -> bool:
    """Return whether records can be read from a path: a file, or a named pipe as of `<(...)`."""
    return path.is_file() or path.is_fifo()


def read_cli_text(name: str, what: str) -> tuple[str, str]:
    """Read a file, a named pipe or standard input (-); return its letters, and what messages call it.

    Raises click.UsageError where there is no such file, and Stop where it cannot be read.
    """
    from rulebook.io.strict_yaml import read_open_letters

    if name == "-":
        return read_open_letters(sys.stdin.buffer, STREAM_NAME), STREAM_NAME
    path = Path(name)
    if not is_file_or_pipe(path):
        raise click.UsageError(f"No file {quote_value(name)}. Give {what}.")
    with path.open("rb") as opened:
        return read_open_letters(opened, path.as_posix()), path.as_posix()


def require_record_names(library: Library, names: Iterable[str]) -> None:
    """Require that every name exists, before the first deal is settled."""
    for name in names:
        if name != "-" and not is_file_or_pipe(Path(name)) and find_deal_id(library, name) is None:
            _read_named_record(library, name)


def print_unmet_figures(id: str, ruleset: str, figures: Iterable[ExpectedFigure]) -> None:
    """Print to standard error where a result is not what a record expects."""
    for figure in figures:
        print_remark(f"{id}, {ruleset}: {figure.what} is {figure.found}, the record expects {figure.expected}")


# ---- completion
def complete_deal(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a file, or the id of a worked deal."""
    library = load_library_quietly(context)
    known = find_deal_paths(library) if library else ()
    return [CompletionItem(incomplete, type="file"), *pick_names(((id, "") for id in known), incomplete)]


def complete_seat(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a player, by the names that seats mostly have."""
    return [*pick_names(((seat, "") for seat in SEAT_NAMES[5]), incomplete)]


def complete_deal_wish(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a wish for a deal: a subject, and what is to become of it."""
    return [*pick_names(((wish, "") for wish in list_example_wishes()), incomplete)]


def complete_session(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a file, or the id of a worked deal or session."""
    library = load_library_quietly(context)
    known = find_session_paths(library) if library else ()
    deals = complete_deal(context, parameter, incomplete)
    return [*deals, *pick_names(((id, "a session") for id in known), incomplete)]
