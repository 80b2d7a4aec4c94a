"""Coding sheets: the questions of a source for a spreadsheet, and the way back into its clauses."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from edition.cli import output
from edition.cli.arguments import UNREADABLE_SOURCES, match_siglum
from edition.cli.completion import complete_source
from edition.cli.editing.new_source import find_editable_sources
from edition.cli.options import FILE_TYPE, OUTPUT_NAMES, QUIET_OPTION, SOURCES_OPTION, require_sources_folder
from edition.corpus.settings import read_edition_words
from rulebook.answers.wording import NOT_CONSULTED
from rulebook.clause_edits import CannotEdit
from rulebook.io.files import replace_file
from rulebook.io.transactions import recover_folder, replace_files
from rulebook.model import Source
from rulebook.new_source import clauses_yaml
from rulebook.phrases import format_count
from rulebook.problems import HintedError, Problem
from rulebook.program_name import name_command, name_program
from rulebook.receipts import format_today
from rulebook.sheets.changes import plan_edits, render_tombstones
from rulebook.sheets.columns import COLUMNS, HEADINGS, SILENT
from rulebook.sheets.context import ClauseEdits, SheetContext
from rulebook.sheets.csv_form import SEPARATORS, parse_csv, render_csv
from rulebook.sheets.grid import MAX_SHEET_BYTES, Grid, UnreadableSheet
from rulebook.sheets.last_export import MEMORY_FILE, SheetMemory
from rulebook.sheets.ods_form import parse_ods, render_ods
from rulebook.sheets.paper_form import render_paper
from rulebook.sheets.reading import SheetReading, find_other_source, make_base_finder, read_sheet
from rulebook.sheets.row_checks import (
    assemble_edited,
    find_unproved_numbers,
    find_unquoted_numbers,
    list_idle_silences,
)
from rulebook.sheets.rows import SheetRow, list_sheet_rows, render_rows
from rulebook.sources.assemble import assemble_library
from rulebook.sources.assembled_library import AssembledLibrary
from rulebook.sources.paths import find_sources
from rulebook.spelling import SPELLING, read_spelling
from rulebook.strings import quote_value
from rulebook.tei.import_plain import has_final_stop

_BYTE_ORDER_MARK = "\ufeff"  #: by which Excel knows that a file is UTF-8
_TOMBSTONES, _CLAUSES = "tombstones.yaml", "clauses.yaml"
_NO_CLAUSES = "[]\n"  #: what a file without a clause holds
_MAX_LISTED = 5  #: rows that are named in a remark
_BREAKS_OFF = "source.yaml, breaks_off"
_NOTHING_WRITTEN = "nothing was written; correct the sheet and read it again"


_EPILOG = "\b\nColumns:\n" + "\n".join(
    textwrap.fill(column.says, 78, initial_indent=f"  {column.name:<19}", subsequent_indent=" " * 21)
    for column in COLUMNS
    if not column.locked and not column.told
)


@click.command("sheet", epilog=_EPILOG)
@click.argument("siglum", metavar="[SIGLUM]", default="", shell_complete=complete_source)
@click.option(
    *OUTPUT_NAMES,
    "out",
    type=FILE_TYPE,
    help="Write the sheet to FILE.csv or FILE.ods; without it CSV is printed.",
)
@click.option("--read", "sheet", type=FILE_TYPE, help="Read a sheet back, CSV or ODS, and show what it changes.")
@click.option("--write", is_flag=True, help="With --read: make the changes in clauses.yaml, and count them.")
@click.option(
    "--separator",
    type=click.Choice([*SEPARATORS]),
    help="Separator of the CSV; a French or German Excel needs semicolon. Detected when read.",
)
@click.option("--print", "paper", type=FILE_TYPE, help="Write every question on two pages of HTML, to be printed.")
@SOURCES_OPTION
@QUIET_OPTION
def sheet_command(
    siglum: str,
    out: Path | None,
    sheet: Path | None,
    write: bool,
    separator: str | None,
    paper: Path | None,
    folder: Path | None,
    quiet: bool,
) -> None:
    """Write a source's questions as a spreadsheet or on paper, and read it back.

    One row for each question: answer, status, words, reason. In the column `answer`, ? means not collated, - silent
    throughout the text, n/a not applicable; `withdraw` removes an answer, and a row that is merely emptied is refused.
    The sentence is found from the words. For words that can be read in another way, fill in other_answer and
    other_because too. Options that the source itself offers have no column: write them into clauses.yaml, under
    `options:`. Rows of one clause that no longer agree become separate clauses. Locked columns are kept. Without
    --write the changes are only shown (with -q counted).

    For an archive without a network, --print makes two pages to print, with every question; it needs no SIGLUM.
    """
    _refuse_odd_options(out, sheet, write, separator)
    if paper and (out or sheet):
        raise click.UsageError("--print makes a sheet of paper; --out and --read are for a spreadsheet.")
    if paper:
        _print_paper(folder, siglum, paper, quiet)
        return
    if not siglum:
        raise click.UsageError(f"Name a source: {name_command('sheet SIGLUM')}; only --print needs none.")
    root = find_editable_sources(folder)
    if sheet and not sheet.is_file():
        raise click.UsageError(f"No file {quote_value(str(sheet))} to read.")
    recover_folder(root)
    gone = {path.parent / _CLAUSES for path in root.glob("*/source.yaml")}
    gone = {path for path in gone if not path.exists()}
    case = _assemble(root, dict.fromkeys(gone, _NO_CLAUSES))
    source = match_siglum(case.library, siglum)
    if root / source / _CLAUSES in gone:  # as it was when the source was begun, so that a sheet kept from then fits
        letters = clauses_yaml(source, [*case.library.questions.values()], name_program())
    else:
        letters = (root / source / _CLAUSES).read_bytes().decode("utf-8")
    if sheet:
        _read_back(root, case, source, letters, sheet, write, quiet)
    else:
        _write_out(case, source, letters, out, separator or "comma", quiet)


def _print_paper(folder: Path | None, siglum: str, paper: Path, quiet: bool) -> None:
    """Write the sheet of paper, with the title of a source if one is named."""
    root = (folder or find_sources()).resolve()
    require_sources_folder(root)
    library = _assemble(root).library
    title = library.sources[match_siglum(library, siglum)].short_name if siglum else ""
    if paper.suffix.lower() != ".html":
        raise click.UsageError(f"{paper.name} is no .html: --print paper.html")
    replace_file(paper, render_paper(library.questions, read_edition_words(root).title, title))
    if not quiet:
        output.print_remark(f"{paper}: two pages. Open it in a browser and print it on A4")


def _refuse_odd_options(out: Path | None, sheet: Path | None, write: bool, separator: str | None) -> None:
    if out and sheet:
        raise click.UsageError("Either --out or --read: a sheet is written, or read back.")
    if write and not sheet:
        raise click.UsageError("--write goes with --read FILE; --out FILE writes a sheet.")
    if separator and (sheet or (out and out.suffix.lower() == ".ods")):
        raise click.UsageError("--separator is for a CSV file that is written.")
    if out and out.suffix.lower() not in (".csv", ".ods"):
        raise click.UsageError(f"{out.name} is neither .csv nor .ods: --out sheet.csv, or --out sheet.ods.")


def _assemble(root: Path, unsaved: Mapping[Path, str] | None = None) -> AssembledLibrary:
    """Read the sources. Raise click.ClickException if something in them cannot be read."""
    case, problems = assemble_library(root, unsaved)
    if case is None or case.lost:
        output.fail_with_problems(problems, UNREADABLE_SOURCES)
    return case


# ---- out
def _write_out(
    case: AssembledLibrary, siglum: str, letters: str, out: Path | None, separator: str, quiet: bool
) -> None:
    """Write or print the sheet. A file that says something else is never replaced: it may be filled in."""
    cells = render_rows(_list_rows(case, siglum, letters), case.library.sources[siglum])
    if out is None:
        click.echo(
            render_csv(cells, SEPARATORS[separator]).encode("utf-8"), nl=False
        )  # whatever the terminal's letters
        return
    octets = _render_file(out, siglum, cells, separator)
    if out.exists() and out.read_bytes() != octets:
        raise click.ClickException(
            f"{out} is there already and may be filled in; take another name, or --read it first"
        )
    replace_file(out, octets)
    if not quiet:
        answered = sum(row[HEADINGS.index("answer")] != "?" for row in cells[1:])
        rows = format_count(len(cells) - 1, "row")
        then = name_command(f"sheet {siglum} --read {out}")
        output.print_remark(f"{out}: {rows}, {answered} answered. Next: {then}")


@contextmanager
def _report_refusal(name: str) -> Iterator[None]:
    """Report what keeps clauses from being read or edited, after the name of a file."""
    try:
        yield
    except HintedError as fault:
        raise click.ClickException(f"{name}: {fault.what}. {fault.way_out}") from fault


def _list_rows(case: AssembledLibrary, siglum: str, letters: str) -> list[SheetRow]:
    with _report_refusal(f"{siglum}/{_CLAUSES}"):
        return list_sheet_rows(letters, case.library.questions, siglum)


def _render_file(out: Path, siglum: str, cells: Sequence[Sequence[str]], separator: str) -> bytes:
    if out.suffix.lower() == ".csv":
        return (_BYTE_ORDER_MARK + render_csv(cells, SEPARATORS[separator])).encode("utf-8")
    with _report_refusal(str(out)):
        return render_ods(
            cells, siglum, [column.locked or column.told for column in COLUMNS], [column.width for column in COLUMNS]
        )


# ---- in
def _read_back(
    root: Path, case: AssembledLibrary, siglum: str, letters: str, sheet: Path, write: bool, quiet: bool
) -> None:
    """Show what a sheet changes; write it if that was asked for and nothing is in the way."""
    context = _make_context(root, case, siglum, letters)
    grid = _parse_sheet(sheet)
    _refuse(find_other_source(grid, sheet.name, context.source, case.library.sources))
    memory = _read_memory(root, siglum)
    reading = read_sheet(
        grid,
        sheet.name,
        context.rows,
        context.questions,
        context.is_same_cell,
        lambda cells: memory.recall(sheet, cells),
    )
    with _report_refusal(sheet.name):
        edits = plan_edits(context, reading.changed)
    problems = [*reading.problems, *edits.problems]
    after = _apply(edits, letters, sheet, problems)
    edited = assemble_edited(root, siglum, after) if after != letters else None
    problems += find_unquoted_numbers(context.source, edits.unread)
    if reading.conflicts and memory.knows_others_only(sheet):
        _suggest_earlier_name(memory, sheet)
    _refuse([*problems, *(find_unproved_numbers(edited, siglum, edits, problems) if edited else ())])
    _report_left_alone(reading)
    for remark in edits.remarks:
        output.print_remark(remark)
    _report_idle_silences(list_idle_silences(edited, siglum, edits) if edited else [])
    _report_partial_text(context.source, sum(row.cells["answer"] == SILENT for row in reading.changed))
    if after == letters:
        click.echo(f"{sheet.name} says what {siglum}/{_CLAUSES} says: nothing to change")
        return
    summary = _summarise(reading, edits)
    if not write:
        if not quiet:
            output.print_diff(f"{siglum}/{_CLAUSES}", letters, after)
        click.echo(f"{summary}. Nothing is written yet: --write does it")
        return
    rows = list_sheet_rows(after, context.questions, siglum)
    remembered = memory.remember(sheet, reading.typed, make_base_finder(rows, context.questions))
    _write_files(root, siglum, letters, after, edits, remembered)
    click.echo(f"{siglum}/{_CLAUSES}: {summary}. Next: {name_command('check')}")


def _apply(edits: ClauseEdits, letters: str, sheet: Path, problems: Sequence[Problem]) -> str:
    """Return the edited letters, of the rows that are in order; if that is impossible, tell all that is wrong."""
    with _report_refusal(sheet.name):
        try:
            return edits.apply(letters)
        except CannotEdit:
            _refuse(problems)
            raise


def _suggest_earlier_name(memory: SheetMemory, sheet: Path) -> None:
    other = memory.find_neighbour(sheet)
    earlier = f"as {other}" if other else "under another name"
    output.print_remark(f"If {sheet.name} is a sheet that was read before {earlier}, read it under that name")


def _read_memory(root: Path, siglum: str) -> SheetMemory:
    try:
        return SheetMemory.parse((root / siglum / MEMORY_FILE).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return SheetMemory({})


def _refuse(problems: Iterable[Problem]) -> None:
    """Fail with every problem, if there is one."""
    if faults := sorted({*problems}):
        output.fail_with_problems(faults, f"{format_count(len(faults), 'problem')}: {_NOTHING_WRITTEN}")


def _make_context(root: Path, case: AssembledLibrary, siglum: str, letters: str) -> SheetContext:
    spelling, _ = read_spelling(root / SPELLING)
    library, rows = case.library, _list_rows(case, siglum, letters)
    if not (root / siglum / _CLAUSES).exists():  # then the sheet alone knows what was answered, whenever it is from
        rows = [replace(row, cells={**row.cells, "version": ""}) for row in rows]
    published = case.registry.published
    return SheetContext(
        library.sources[siglum], letters, rows, library.questions, [*library.sources], published, spelling
    )


def _parse_sheet(sheet: Path) -> Grid:
    """Parse a sheet by what it is, not by its name. Raise click.ClickException if it cannot be read."""
    with sheet.open("rb") as opened:
        octets = opened.read(MAX_SHEET_BYTES + 1)
    try:
        if len(octets) > MAX_SHEET_BYTES:
            raise UnreadableSheet(f"is larger than {MAX_SHEET_BYTES} bytes", "keep the rows of the questions only")
        return parse_ods(octets) if octets.startswith(b"PK") else parse_csv(octets, HEADINGS)
    except UnreadableSheet as fault:
        problem = Problem(sheet.name, fault.row, 1, fault.what, fault.way_out)
        output.fail_with_problems([problem], _NOTHING_WRITTEN)


def _report_left_alone(reading: SheetReading) -> None:
    if reading.overtaken:
        count, some = format_count(len(reading.overtaken), "row"), "; ".join(reading.overtaken[:_MAX_LISTED])
        more = " ..." if len(reading.overtaken) > _MAX_LISTED else ""
        output.print_remark(
            f"{_CLAUSES} is newer than the sheet in {count}, which stay as they are there: {some}{more}"
        )
    if reading.absent:
        count, some = format_count(len(reading.absent), "question"), ", ".join(reading.absent[:_MAX_LISTED])
        more = " ..." if len(reading.absent) > _MAX_LISTED else ""
        output.print_remark(f"{count} without a row in the sheet, not looked at: {some}{more}. --out writes all rows")
    if reading.ignored:
        output.print_remark(f"columns that are not read: {', '.join(reading.ignored)}")


def _report_idle_silences(idle: Sequence[str]) -> None:
    if idle:
        rows = format_count(len(idle), "row")
        output.print_remark(
            f"{rows} with - where your own answer rules the question out: n/a says it better: {', '.join(idle)}"
        )


def _report_partial_text(source: Source, silences: int) -> None:
    """Say what silence means in a text of which a part was not consulted, or may not have been."""
    known = [*source.text.sentences.values()] if source.text else []
    if not silences or not known:
        return
    rows, last = format_count(silences, "row"), known[-1]
    if source.partial:
        output.print_remark(
            f"{rows} with -: of {source.siglum} a part was not consulted (source.yaml), so the pages say: "
            f"{NOT_CONSULTED}"
        )
    elif last.kind != "heading" and not has_final_stop(last.diplomatic):
        output.print_remark(
            f"{rows} with -, and the last sentence, {last.id}, has no stop. If the text breaks off there, say so in "
            f"{source.siglum}/{_BREAKS_OFF}; else the pages say that all of the source is silent"
        )


def _summarise(reading: SheetReading, edits: ClauseEdits) -> str:
    gone = [id for id, fields in edits.changed.items() if fields is None]
    parts = [format_count(len(reading.changed), "row") + " changed"]
    if edited := len(edits.changed) - len(gone):
        parts.append(f"{format_count(edited, 'clause')} edited")
    parts += (
        [f"{len(edits.added)} new: {' '.join(str(fields['id']) for _, fields in edits.added)}"] if edits.added else []
    )
    parts += [f"{len(gone)} withdrawn: {' '.join(gone)}"] if gone else []
    return ", ".join(parts)


def _write_files(root: Path, siglum: str, before: str, after: str, edits: ClauseEdits, memory: SheetMemory) -> None:
    """Write clauses.yaml, tombstones of published ids that are gone, and what was read: all or nothing."""
    clauses = root / siglum / _CLAUSES
    if clauses.exists() and clauses.read_bytes() != before.encode("utf-8"):
        raise click.ClickException(f"{clauses} has changed just now; nothing was written, read the sheet again")
    files = {f"{siglum}/{_CLAUSES}": after.encode("utf-8")}
    files[f"{siglum}/{MEMORY_FILE}"] = memory.model_dump_json().encode("utf-8")
    if edits.withdrawn:
        path = root / _TOMBSTONES
        old = path.read_bytes().decode("utf-8") if path.exists() else ""
        why = "Withdrawn by its coder."
        new = render_tombstones(edits.withdrawn, format_today(), why)
        files[_TOMBSTONES] = (old + ("" if not old or old.endswith("\n") else "\n") + new).encode("utf-8")
    replace_files(root, files)
