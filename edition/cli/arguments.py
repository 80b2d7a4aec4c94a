"""Command-line arguments: sources, deals, wishes; with help on typing errors."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click

from edition.cli.output import fail_with_problems, print_problems, print_remark
from engine.deal.model import Deal
from engine.readings.unsupported import find_misjudged_readings
from reversis.files.deal_streams import STREAM_NAME, read_deal_stream
from reversis.files.deals import (
    DealRecord,
    find_deal_paths,
    format_unknown_sigla,
    read_deal_file,
    read_worked,
    sigla_of,
)
from reversis.files.drafts import list_playable_sources
from reversis.files.saved_games import explain_saved_game, is_saved_game, read_saved_deals
from reversis.files.sessions import session_paths
from rulebook.load import quick_load
from rulebook.model import Alternative, Conflict, Library, Question, Ruleset
from rulebook.phrases import format_count
from rulebook.resolve import BadChoice, Choice, iter_clause_alternatives, read_choice, refuse_conflicting, resolve
from rulebook.strings import quote_value
from rulebook.suggestions import describe_lookalikes, did_you_mean

_MAX_LISTED_NAMES = 9  # so many names can simply be told
UNREADABLE_SOURCES = "the sources cannot be read; mend the problems above"


def load_library_or_exit() -> Library:
    """Load the library, from its cached copy if nothing has changed."""
    found, problems = quick_load()
    if found is not None and (unknown := list(find_misjudged_readings(found))):  # no deal could be played by them
        found, problems = None, [*problems, *unknown]
    if found is None:
        fail_with_problems(problems, UNREADABLE_SOURCES)
    if problems:
        print_remark(f"Warning: {format_count(len(problems), 'problem')} in the sources; `reversis check` tells them")
    return found


def hint_nearest_name(word: str, known: Iterable[str]) -> str:
    """List all names if they are few; otherwise guess which one was meant."""
    names = list(known)
    if len(names) <= _MAX_LISTED_NAMES:
        return f"There are: {', '.join(names)}."
    lowered = {name.casefold(): name for name in reversed(names)}
    near = difflib.get_close_matches(word.casefold(), lowered, 1, 0.6)
    return f"Did you mean {lowered[near[0]]}?{describe_lookalikes(word, lowered[near[0]])}" if near else ""


def match_siglum(library: Library, name: str) -> str:
    """Find a source by its siglum, in whatever letters."""
    known = {one.casefold(): one for one in library.sources}
    if name.strip().casefold() in known:
        return known[name.strip().casefold()]
    near = did_you_mean(name.strip().upper(), library.sources, "")
    meant = f" {near[0].upper()}{near[1:]}" if near else ""
    raise click.UsageError(f"No source {quote_value(name)}. There are: {', '.join(library.sources)}.{meant}")


def require_siglum(library: Library, name: str | None) -> str:
    """Find the source that a command needs; where none is named, say which there are."""
    if name is None:
        raise click.UsageError(f"By which source? --source {', '.join(list_playable_sources(library))}")
    return match_siglum(library, name)


def match_sigla(library: Library, names: Sequence[str]) -> tuple[str, ...]:
    """The sources asked for, each once; all of them where none is named, but for drafts that cannot be played yet."""
    return tuple(dict.fromkeys(match_siglum(library, name) for name in names)) or list_playable_sources(library)


# ---- wishes
def parse_wish_option(library: Library, text: str) -> Choice:
    """Parse one wish, as it is typed after --with."""
    mark = next((m for m in "=@" if m in text), "")
    if mark:
        name, _, rest = text.partition(mark)
        question = match_question(library, name, f"--with {text}: no question")
        text = f"{question.id}{mark}{rest if mark == '=' else match_siglum(library, rest)}"
    else:
        text = text.strip()
        text = next((one.id for one in _list_alternatives(library) if one.id.casefold() == text.casefold()), text)
    try:
        return read_choice(library, text.strip())
    except BadChoice as bad:
        raise click.UsageError(f"--with {bad}") from None


def _list_alternatives(library: Library) -> Iterator[Alternative]:
    return (one for _, one in iter_clause_alternatives(library.clauses()))


def match_question(library: Library, name: str, fault: str = "No question") -> Question:
    """Find a question by its id, number or slug, in any letters; *fault* begins the message if there is none."""
    if question := find_question(library, name):
        return question
    known = [q.id for q in library.questions.values()] + list(library.questions)
    hint = hint_nearest_name(name, known) or (
        f"Questions are Q001 to {max(q.id for q in library.questions.values())}, {len(library.questions)} in all; "
        "`reversis list questions` lists them."
    )
    raise click.UsageError(f"{fault} {quote_value(name.strip())}. {hint}") from None


def find_question(library: Library, name: str) -> Question | None:
    """Find a question by its id, number or slug, in any letters: `31`, `q31` and `Q31` are Q031."""
    with suppress(KeyError):
        return library.question(name)
    return None


def resolve_cli_rules(library: Library, source: str, wishes: Iterable[Choice] = ()) -> Ruleset:
    """Resolve the rules of a source, with the reader's wishes."""
    wishes = tuple(wishes)
    try:
        refuse_conflicting(library, wishes)
        return resolve(library, source, wishes)
    except BadChoice as bad:
        raise click.UsageError(f"--with {bad}") from None
    except Conflict as conflict:
        raise click.ClickException(f"{conflict}; `reversis check` tells where") from None


def named_rules(library: Library, name: str) -> Ruleset:
    """Rules by their name as it is printed: PAM, or PAM + Q017@ACA."""
    source, *wishes = (part.strip() for part in name.split("+"))
    return resolve_cli_rules(
        library, match_siglum(library, source), [parse_wish_option(library, text) for text in wishes]
    )


# ---- deals
def read_cli_records(
    library: Library, names: Iterable[str], ignore_unknown: bool = False, in_a_row: bool = False
) -> Iterator[DealRecord]:
    """Read files, worked deals, or standard input; unknown sources are problems, or said and passed over.

    In a row the deals of a saved game are read one after another.
    """
    for name in names:
        for found in _read_records(library, name, ignore_unknown, in_a_row):
            if found.deal is not None and ignore_unknown:
                say_unused(library, found.file, {"pool": found.deal.pools, "expect": found.deal.expect})
            yield found


def _read_records(library: Library, name: str, ignore_unknown: bool, in_a_row: bool) -> Iterable[DealRecord]:
    if name == "-":
        return _read_stdin_records(library, ignore_unknown)
    if Path(name).is_fifo():  # as of `<(...)`: it can be read once
        with Path(name).open("rb") as lines:
            return [*read_deal_stream(lines, name, None if ignore_unknown else sigla_of(library))]
    if in_a_row and is_saved_game(Path(name)):
        return read_saved_deals(Path(name), name, None if ignore_unknown else sigla_of(library))
    return (_read_named_record(library, name, ignore_unknown),)


def _read_stdin_records(library: Library, ignore_unknown: bool) -> Iterator[DealRecord]:
    if sys.stdin.isatty():
        print_remark("Reading deal records, YAML or JSON, from the terminal; end with Ctrl-D (Windows: Ctrl-Z, Enter).")
    found = None
    for found in read_deal_stream(sys.stdin.buffer, sigla=None if ignore_unknown else sigla_of(library)):
        yield found
    if found is None:
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
    if name.casefold() in session_paths(library):
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
    known = find_deal_paths(library)
    return next((id for id in (name, name.casefold()) if id in known), None)


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
