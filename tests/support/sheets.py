"""Coding sheets of the edition's sources, for tests: written, filled in, read back."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from functools import cache

from rulebook.clause_edits import CannotEdit
from rulebook.sheets.changes import plan_edits
from rulebook.sheets.columns import HEADINGS
from rulebook.sheets.context import ClauseEdits, SheetContext
from rulebook.sheets.csv_form import parse_csv, render_csv
from rulebook.sheets.grid import UnreadableSheet
from rulebook.sheets.ods_form import parse_ods
from rulebook.sheets.reading import SheetReading, read_sheet
from rulebook.sheets.rows import list_sheet_rows, render_rows
from rulebook.sources.assemble import assemble_library
from rulebook.sources.assembled_library import AssembledLibrary
from rulebook.sources.paths import find_sources
from rulebook.spelling import read_spelling

Cells = list[list[str]]


@cache
def read_case() -> AssembledLibrary:
    """The sources of the edition, read once."""
    case, problems = assemble_library(find_sources())
    assert case and not problems
    return case


@cache
def context_of(siglum: str, letters: str = "") -> SheetContext:
    """What a sheet of a source is read against; its clauses may be given."""
    case, root = read_case(), find_sources()
    letters = letters or (root / siglum / "clauses.yaml").read_bytes().decode("utf-8")
    library = case.library
    rows = list_sheet_rows(letters, library.questions, siglum)
    published = case.registry.published
    spelling = read_spelling(root / "spelling.yaml")[0]
    source = library.sources[siglum]
    return SheetContext(source, letters, rows, library.questions, [*library.sources], published, spelling)


def cells_of(context: SheetContext) -> Cells:
    """The cells of a sheet, to be filled in."""
    return render_rows(context.rows, context.source)


def fill(cells: Sequence[Sequence[str]], question: str, **given: str) -> Cells:
    """Fill cells of the rows of a question."""
    at = HEADINGS.index("question")
    return [
        [given.get(HEADINGS[column], text) for column, text in enumerate(row)] if row[at] == question else [*row]
        for row in cells
    ]


def to_csv(cells: Sequence[Sequence[str]], encoding: str = "utf-8", separator: str = ",", end: str = "\n") -> bytes:
    """A sheet as a spreadsheet saves it; letters that the encoding lacks become question marks."""
    made = io.StringIO()
    csv.writer(made, delimiter=separator, lineterminator=end).writerows(cells)
    return made.getvalue().encode(encoding, errors="replace")


def read_back(context: SheetContext, octets: bytes) -> tuple[SheetReading, ClauseEdits]:
    """Read a sheet, and plan its edits."""
    grid = parse_ods(octets) if octets.startswith(b"PK") else parse_csv(octets, HEADINGS)
    reading = read_sheet(grid, "sheet.csv", context.rows, context.questions, context.is_same_cell)
    return reading, plan_edits(context, reading.changed)


def edited(context: SheetContext, cells: Sequence[Sequence[str]]) -> str:
    """The letters of clauses.yaml after a sheet that must be read without a fault."""
    reading, edits = read_back(context, render_csv(cells).encode())
    assert not [*reading.problems, *edits.problems]
    return edits.apply(context.letters)


def faults(context: SheetContext, octets: bytes) -> list[str]:
    """All that is wrong with a sheet, a line for each; one that cannot be read at all has one."""
    try:
        reading, edits = read_back(context, octets)
    except (UnreadableSheet, CannotEdit) as fault:
        return [str(fault)]
    return [f"{one.line}:{one.column}: {one.what}; {one.way_out}" for one in sorted(reading.problems + edits.problems)]
