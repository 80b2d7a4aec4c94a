"""Additions of the game to `check`: a record outside the sources, and readings that wait for code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from edition.cli import output
from edition.cli.check import CLAUSE, resolve_scope, take_path
from edition.cli.commands import extend_command
from edition.cli.options import IGNORE_UNKNOWN_OPTION, refuse_without_record
from engine.readings.unsupported import list_waiting_readings, needing_code, needing_none
from reversis.cli.deal_arguments import load_playable_library, read_cli_records, say_unused
from reversis.files.deals import DealRecord
from reversis.files.sessions import SittingRecord, is_session, read_session_file
from rulebook.load import load_library
from rulebook.phrases import format_count

_NEEDS_CODE_OPTION = click.option(
    "--needs-code",
    "needs_code",
    is_flag=True,
    help="List instead the questions in which a new reading needs a line of code, and what sources "
    "have that waits for it.",
)
_WORDS = (
    ("clauses and quotations are checked", "clauses, quotations and worked deals are checked"),
    (
        "PATH is a folder of sources, or a file in it (only its problems are reported).",
        "PATH is a folder of sources, a file in it (only its problems are reported), or a deal record of your own.",
    ),
)


def add_deal_checks(command: click.Command) -> click.Command:
    """Have `check` take a deal record outside the sources, and tell which readings wait for code."""
    check_sources = command.callback
    assert check_sources is not None

    def check(path: tuple[str, ...], needs_code: bool, ignore_unknown: bool, quiet: bool, **other: bool) -> None:
        if sum(asked for name, asked in other.items() if name != "update") + needs_code > 1:
            raise click.UsageError("One of --agreement, --coverage, --confirm and --needs-code.")
        if needs_code:
            refuse_without_record(ignore_unknown)
            sys.exit(_report_needed_code(path))
        if not (any(other.values()) or any(map(CLAUSE.fullmatch, path))):
            place = resolve_scope(take_path(path))
            if place.outside:
                sys.exit(_check_deal_record(place.outside, quiet, ignore_unknown))
        refuse_without_record(ignore_unknown)
        check_sources(path=path, quiet=quiet, **other)

    return extend_command(command, check, (("quiet", _NEEDS_CODE_OPTION), ("quiet", IGNORE_UNKNOWN_OPTION)), _WORDS)


def _check_deal_record(path: Path, quiet: bool, ignore_unknown: bool) -> int:
    """Check a deal record, or the record of a session, of the reader's own."""
    library = load_playable_library()
    records: Sequence[DealRecord | SittingRecord]
    if is_session(path):
        record = read_session_file(library, path, ignore_unknown=ignore_unknown)
        if record.sitting is not None and ignore_unknown:
            say_unused(library, record.file, {"expect": record.sitting.expect})
        records, then = [record], f"`reversis session {record.file}` plays it"
    else:
        records = [*read_cli_records(library, [path.as_posix()], ignore_unknown)]
        it, them = ("it", "it") if len(records) == 1 else ("they", "them")
        then = f"`reversis run {records[0].file}` tells whether {it} may be played so, and settles {them}"
    problems = [problem for record in records for problem in record.problems]
    output.print_problems(problems)
    if not problems and not quiet:
        what = "the record is" if len(records) == 1 else f"all {len(records)} records are"
        output.print_line(f"{records[0].file}: {what} in order; {then}")
    return int(bool(problems))


def _report_needed_code(words: Sequence[str]) -> int:
    """Report where a new reading needs code, and what waits for it; return 0."""
    library, problems = load_library(resolve_scope(take_path(words)).root)
    if library is None:
        output.print_problems(problems)
        return 1
    closed, by_data = needing_code(library), needing_none(library)
    click.echo(f"Any answer in numbers, cards, ranks, suits or tricks: {format_count(len(by_data), 'question')}.")
    click.echo(f"A new reading needs a line of code, unless it has a form given here: {len(closed)} questions.")
    for question in closed:
        forms = f"; or {', '.join(question.forms)}" if question.forms else ""
        id = library.questions[question.question].id
        click.echo(f"  {id} {question.question}: {', '.join(question.readings)}{forms}")
    waiting = list_waiting_readings(library)
    click.echo("What sources have that waits for it:" if waiting else "Nothing that a source has waits for it.")
    for reading in waiting:
        what = f"{reading.reading}: {reading.says}" if reading.reading else f"a new question: {reading.says}"
        asked, why = library.questions[reading.question].id, " ".join(reading.because.split())
        click.echo(f"  {reading.source}, {asked}, {what} {why}")
    return 0
