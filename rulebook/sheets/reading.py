"""Read a sheet back: which rows were changed, and everything in them that a file cannot take."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rulebook.model import Question, Source
from rulebook.problems import Problem
from rulebook.program_name import name_command
from rulebook.sheets.columns import (
    ADDED_COLUMNS,
    BUNDLE_COLUMNS,
    COLUMN_BY_NAME,
    COLUMNS,
    COMPARED_COLUMNS,
    HEADINGS,
    OPEN_COLUMNS,
    SOURCE,
    STATUS_OF_MARK,
    UNCOLLATED_MARK,
    WITHDRAW,
    WITHDRAWN_COLUMNS,
    WORD_COLUMNS,
)
from rulebook.sheets.grid import (
    DATE,
    ERROR_VALUE,
    Grid,
    is_same_text,
    iter_filled_rows,
    name_column,
)
from rulebook.sheets.last_export import RememberedRows, name_row
from rulebook.sheets.rows import SheetRow, hash_cell, is_earlier, name_source_in_words, parse_version
from rulebook.strings import find_unfit_letter, quote_value
from rulebook.suggestions import did_you_mean

_NEEDED = tuple(column.name for column in COLUMNS if not (column.told or column.added))
_MAX_LISTED_COLUMNS = 5  #: missing columns that are named one by one
_MAX_LISTED_ROWS = 8  #: missing rows that are named one by one
#: Columns that are filled in when a row is taken over and they are empty.
_COMPLETED_COLUMNS = frozenset(
    {"status", "certainty", "place", "place_2", "place_3", "searched", "because", "coder", "other_name", "label"}
)
_PROPOSING = (
    "proposed first, in {siglum}/proposed.yaml, and has its row in a new sheet (--out): if this"
    " sheet has answers that are not read yet, take the row out, read the sheet, and then propose"
)
_WITHDRAW_HINT = f"write the answer again, or `{WITHDRAW}` if it is to be taken back"


#: Where that goes which somebody has typed into a locked column.
_WAYS_OUT: Mapping[str, str] = {
    "citations": "further words go into words_2 and words_3, and more than these into clauses.yaml",
    "rivals": "what the words may also mean goes into other_answer; a second one into the form (`serve`)",
    "label": "the preferred reading is named after its answer; another name goes into clauses.yaml",
}


class RefusedCell(ValueError):
    """A cell that cannot be taken: in which column, why, and the way out."""

    def __init__(self, column: str, what: str, way_out: str) -> None:
        self.column, self.what, self.way_out = column, what, way_out
        super().__init__(what)


SheetRowIndex: TypeAlias = Mapping[tuple[str, str], SheetRow]
#: Whether a cell, given its column and the row of the file, means what stands in the file.
SameCell: TypeAlias = Callable[[str, SheetRow, str], bool]


@dataclass(frozen=True)
class ChangedRow:
    """A row that says something else than clauses.yaml."""

    number: int  #: of the row in the sheet
    columns: Mapping[str, int]  #: heading -> number of the column
    base: SheetRow  #: as the file has it
    cells: Mapping[str, str]
    file: str
    bundled: bool = False  #: whether it also has an answer for the other reading of another question

    def problem(self, column: str, what: str, way_out: str) -> Problem:
        """Say what is wrong with a cell, and how to correct it."""
        at = self.columns.get(column, 1)
        named = self.base.name or f"row {self.number}"
        return Problem(
            self.file, self.number, at, f"{column} ({name_column(at)}{self.number}), {named}: {what}", way_out
        )

    def is_changed(self, *columns: str) -> bool:
        """Return whether a cell says something else than the file."""
        return any(self.cells[name] != self.base.cells[name] for name in columns)

    def is_withdrawn(self, column: str) -> bool:
        """Return whether what the file has there is taken back."""
        return self.cells[column].casefold() == WITHDRAW


@dataclass
class SheetReading:
    """All that a sheet changes, all that is wrong with it, and how many rows the file has overtaken."""

    changed: list[ChangedRow] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    overtaken: list[str] = field(default_factory=list)  #: rows that changed in the file only, and are left alone
    conflicts: int = 0  #: cells that were changed on both sides
    absent: list[str] = field(default_factory=list)  #: questions not answered anywhere that have no row
    ignored: list[str] = field(default_factory=list)  #: columns that no sheet of ours has
    typed: list[Mapping[str, str]] = field(default_factory=list)  #: the cells of the changed rows, as they stand there


def read_sheet(
    grid: Grid,
    file: str,
    rows: Sequence[SheetRow],
    questions: Mapping[str, Question],
    is_same: SameCell,
    recall: Callable[[Sequence[Mapping[str, str]]], RememberedRows] = lambda cells: {},
) -> SheetReading:
    """Compare a sheet with the rows that clauses.yaml gives now.

    Where the file has changed since the sheet was written, each cell that was changed on one side only is taken from
    there; one that was changed on both is refused, unless `is_same` finds that they mean the same. What this very sheet
    has changed in the file, when it was read before, is no change of the file; `recall` knows of it.
    """
    reading = SheetReading()
    filled = list(iter_filled_rows(grid.rows))
    if not filled:
        reading.problems.append(Problem(file, 1, 1, "is empty", "write the sheet again with --out"))
        return reading
    first, headings = filled[0]
    columns = _read_headings(reading, file, first, headings)
    if columns is None:
        return reading
    find_base, known = make_base_finder(rows, questions), {(row.clause, row.question): row for row in rows}
    every = [{name: row[at - 1] if at <= len(row) else "" for name, at in columns.items()} for _, row in filled[1:]]
    reader = _RowReader(reading, grid.lossy, known, is_same, recall(every))
    for (number, _), cells in zip(filled[1:], every, strict=True):
        base = find_base(cells)
        kept = {name: base.cells[name] for name in ADDED_COLUMNS if name not in columns}
        reader.read(ChangedRow(number, columns, base, cells | kept, file), cells)
    asked = {question for _, question in reader.seen}
    later = {question.id for question in questions.values() if question.by and question.id not in asked}
    there = [row for row in rows if row.question not in later]
    reading.absent += [row.question for row in there if not (row.answered or row.question in asked)]
    reading.problems += [*_find_later_rows(file, rows, later), *_find_missing_rows(file, there, {*reader.seen})]
    return reading


_SIGLUM = re.compile(r"[A-Z]{2,6}(?=[.:])")  #: at the beginning of a clause's id, and of the words for a source


def find_other_source(grid: Grid, file: str, source: Source, others: Mapping[str, Source]) -> list[Problem]:
    """Find the first row that another source's sheet has, by its clause or by the words for the source."""
    filled = list(iter_filled_rows(grid.rows))
    heads = [" ".join(heading.casefold().split()) for heading in filled[0][1]] if filled else []
    for name in (name for name in (SOURCE, "clause") if name in heads):
        at = heads.index(name)
        named = [
            (number, match[0]) for number, row in filled[1:] if at < len(row) and (match := _SIGLUM.match(row[at]))
        ]
        if strange := [(number, siglum) for number, siglum in named if siglum != source.siglum]:
            number, siglum = strange[0]
            theirs = name_source_in_words(others[siglum]) if siglum in others else siglum
            rows = "this is a sheet" if len(strange) == len(named) else f"{len(strange)} of {len(named)} rows are"
            what = f"{rows} of {theirs}; it was to be read for {name_source_in_words(source)}"
            read, write = (name_command(f"sheet {each}") for each in (siglum, source.siglum))
            hint = f"`{read} --read` reads it; `{write} --out` writes the other"
            return [Problem(file, number, at + 1, what, hint)]
    return []


def _read_headings(reading: SheetReading, file: str, first: int, headings: Sequence[str]) -> Mapping[str, int] | None:
    """Return the number of every column; None if one is missing."""
    names = [" ".join(heading.casefold().split()) for heading in headings]
    columns = {name: names.index(name) + 1 for name in names if name in COLUMN_BY_NAME}
    for at, name in enumerate(names, 1):
        if name in columns and columns[name] != at:
            what = f"the column {name} is there twice ({name_column(columns[name])} and {name_column(at)})"
            reading.problems.append(Problem(file, first, at, what, "keep one"))
    strangers = [name for name in names if name and name not in COLUMN_BY_NAME]
    missing = [name for name in _NEEDED if name not in columns]
    if len(missing) > _MAX_LISTED_COLUMNS:
        what = f"is no sheet of ours: {len(missing)} of {len(_NEEDED)} columns are missing, such as {missing[0]}"
        hint = "give the CSV or ODS that --out has written, as a spreadsheet saves it; no web page, no other table"
        reading.problems.append(Problem(file, first, 1, what, hint))
        return None
    for name in missing:
        what, hint = f"the column {name} is missing", "write the sheet again with --out, and keep its first row"
        reading.problems.append(Problem(file, first, 1, what, did_you_mean(name, strangers, hint)))
    reading.ignored += strangers if not missing else []
    return None if reading.problems else columns


def make_base_finder(
    rows: Sequence[SheetRow], questions: Mapping[str, Question]
) -> Callable[[Mapping[str, str]], SheetRow]:
    """Return what finds the row of the file for which the cells of a sheet stand."""
    ids = {name: question.id for question in questions.values() for name in (question.id, question.slug)}
    known = {(row.clause, row.question): row for row in rows}
    return lambda cells: _find_base(cells, known, ids)


def _find_base(cells: Mapping[str, str], known: SheetRowIndex, ids: Mapping[str, str]) -> SheetRow:
    """Return the row of the file that a row of the sheet stands for; for a new one a row without a clause."""
    question = ids.get(cells["question"], "")
    base = known.get((cells["clause"], question))
    there = [row for row in known.values() if row.question == question]
    if not base and _has_kept_clause(cells) and len(there) == 1:
        base = there[0]  # it was given a clause of its own since the sheet was written
    if base:
        return base.as_earlier() if is_earlier(cells["version"]) else base
    blank = dict.fromkeys(HEADINGS, "") | {"question": question, "answer": UNCOLLATED_MARK}
    return SheetRow("", question, question, blank)


def _has_kept_clause(cells: Mapping[str, str]) -> bool:
    """Return whether the clause of a row is the one that the sheet was written with."""
    return parse_version(cells["version"]).get("clause") == hash_cell(cells["clause"])


class _RowReader:
    """Reads the rows of one sheet, one by one."""

    def __init__(
        self, reading: SheetReading, lossy: str, known: SheetRowIndex, is_same: SameCell, before: RememberedRows
    ) -> None:
        self.reading, self.lossy, self.known, self.is_same, self.before = reading, lossy, known, is_same, before
        self.seen: dict[tuple[str, str], int] = {}

    @property
    def siglum(self) -> str:
        """The source whose sheet it is, as its rows name it."""
        return next((clause.partition(".")[0] for clause, _ in self.known if clause), "SIGLUM")

    def read(self, row: ChangedRow, typed: Mapping[str, str]) -> None:
        """Add a row to what was changed, or what is wrong with it."""
        if fault := self._find_fault_of_key(row):
            self.reading.problems.append(fault)
            return
        self.seen[row.base.clause, row.base.question] = row.number
        cells = self._merge(row)
        row = replace(row, cells=cells)
        faults = [*_find_locked(row), *_find_spoilt(row)]
        self.reading.problems += faults
        if not faults and any(row.is_changed(name) for name in OPEN_COLUMNS):
            self.reading.changed.append(row)
            self.reading.typed.append(typed)

    def _find_fault_of_key(self, row: ChangedRow) -> Problem | None:
        """Return the fault of clause and question, by which a row is known."""
        cells, base = row.cells, row.base
        if not base.question:
            ids = {question for _, question in self.known}
            what = (
                f"there is no question {quote_value(cells['question'])}"
                if cells["question"]
                else "no question is named"
            )
            hint = did_you_mean(cells["question"], ids, "keep the id of the question, such as Q031")
            if cells["question"]:
                joint = " A" if hint.endswith("?") else "; a"
                hint = f"{hint}{joint} question of your own is {_PROPOSING.format(siglum=self.siglum)}"
            return row.problem("question", what, hint)
        if cells["clause"] != base.clause and not (base.clause and _has_kept_clause(cells)):
            what = f"{cells['clause'][:40]} does not speak to {base.question}"
            hint = "keep clause and question of a row together; in a row for a new answer leave the clause empty"
            return row.problem("clause", what, hint)
        if before := self.seen.get((base.clause, base.question)):
            return row.problem("clause", f"stands in row {before} too", "keep one of the two rows")
        return None

    def _merge(self, row: ChangedRow) -> Mapping[str, str]:
        """Return what a row is to say: the sheet's cells where they were changed, elsewhere the file's."""
        base, version = row.base, row.cells["version"]
        before = self.before.get(name_row(row.cells))
        stated, became = (
            parse_version(text) for text in ((before.said, before.became) if before else (version, version))
        )
        current = not base.cells["version"] or row.cells["version"] == base.cells["version"]
        merged, overtaken = dict(base.cells), False
        for name in COMPARED_COLUMNS:
            here, there = row.cells[name], base.cells[name]
            if name in ("clause", "question") or self._is_as_it_was(name, base, here):
                continue
            unsaid, unmoved = hash_cell(here) == stated.get(name), hash_cell(there) == became.get(name)
            if current or (unmoved and not (before and unsaid)):
                merged[name] = here
            elif unsaid:
                overtaken = overtaken or (not unmoved and (bool(here) or name not in _COMPLETED_COLUMNS))
            elif not self.is_same(name, base, here):
                self.reading.conflicts += 1
                self.reading.problems.append(_describe_conflict(row, name, self.siglum))
        for words, place in WORD_COLUMNS:
            if base.cells[words] and not (merged[words] or row.cells[place]):
                merged[place] = ""  # which was found from the words, and goes with them
        if overtaken:
            self.reading.overtaken.append(base.name)
        return merged

    def _is_as_it_was(self, name: str, base: SheetRow, here: str) -> bool:
        """Return whether a cell says what the file says, in whatever form a spreadsheet has put it."""
        there = base.cells[name]
        if name == "answer":
            if not base.answered and not here:
                return True
            if here in STATUS_OF_MARK and STATUS_OF_MARK[here] == STATUS_OF_MARK.get(there):
                return True
        if name in ("answer", "other_answer") and here and here != there and self.is_same(name, base, here):
            return True  # 2,0 for 2, or a list without its brackets
        return is_same_text(here, there, self.lossy)


def _describe_conflict(row: ChangedRow, name: str, siglum: str) -> Problem:
    there = row.base.cells[name].replace("\n", " ")
    if not (row.cells["version"] or row.cells["clause"]):
        new = name_command(f"sheet {siglum} --out FILE.csv")
        hint = f"write a new sheet with {new}, and copy into its row what you typed"
        return row.problem("version", "this row was not in the sheet when it was written", hint)
    if not row.cells["version"]:
        return row.problem("version", "is empty, and the row was changed", "put back what the sheet had there")
    what = f"clauses.yaml has changed here too since the sheet was written: {quote_value(there)}"
    return row.problem(name, what, "write the same here, or write a new sheet with --out and enter it there")


def _find_locked(row: ChangedRow) -> Iterator[Problem]:
    """Yield the locked cells that were changed."""
    for name in COMPARED_COLUMNS:
        if name not in OPEN_COLUMNS and row.is_changed(name) and (row.base.clause or row.cells[name]):
            if name in ("clause", "question"):
                continue  # by its slug
            what = "this column is locked: it says what a row cannot hold"
            old = row.base.cells[name].replace("\n", " ")
            way_out = _WAYS_OUT.get(name, "change it in clauses.yaml")
            yield row.problem(name, what, f"{f'put back {quote_value(old)}' if old else 'empty it'}; {way_out}")


def _find_spoilt(row: ChangedRow) -> Iterator[Problem]:
    """Yield the cells that were emptied, or that a spreadsheet has spoilt."""
    if row.base.answered and not row.cells["answer"]:
        was = row.base.cells["answer"][:60]
        yield row.problem("answer", f"was {was} and is now empty", _WITHDRAW_HINT)
    for name in WITHDRAWN_COLUMNS:
        bundled = name in BUNDLE_COLUMNS and row.base.cells["other_with"]  # with an answer to another question
        goes_along = row.is_withdrawn("answer") or (row.cells["answer"] in STATUS_OF_MARK and not bundled)
        if row.base.cells[name] and not (row.cells[name] or goes_along):
            was = row.base.cells[name].replace("\n", " ")[:60]
            yield row.problem(name, f"was {was} and is now empty", _WITHDRAW_HINT)
    for name in (name for name in OPEN_COLUMNS if row.is_changed(name)):
        text = row.cells[name]
        if unfit_letter := find_unfit_letter(text):
            yield row.problem(name, f"holds {unfit_letter.what}", "type it again")
        elif ERROR_VALUE.fullmatch(text) and text.casefold() != "n/a":
            yield row.problem(
                name, f"{text} is what a spreadsheet writes for a formula", "format it as text, type it again"
            )
        elif DATE.fullmatch(text):
            hint = "format the column as text and type it again: a spreadsheet makes dates of 1-2 and 3/4"
            yield row.problem(name, f"{text} looks like a date", hint)


def _find_later_rows(file: str, rows: Sequence[SheetRow], later: Collection[str]) -> Iterator[Problem]:
    """Yield the answered rows of proposed questions of which the sheet has none: it is older than they are."""
    for row in rows:
        if row.answered and row.question in later:
            what = f"there is no row for {row.question}: the question was added since the sheet was written"
            hint = "write a new sheet with --out, and type there what you have typed here since this one was last read"
            yield Problem(file, 1, 1, what, hint)


def _find_missing_rows(file: str, rows: Sequence[SheetRow], seen: set[tuple[str, str]]) -> Iterator[Problem]:
    """Yield the rows that were answered and are not there."""
    missing = [row for row in rows if row.answered and (row.clause, row.question) not in seen]
    if len(missing) > _MAX_LISTED_ROWS:
        some = "; ".join(row.name for row in missing[:_MAX_LISTED_ROWS])
        what = f"{len(missing)} rows that were answered are missing: {some} ..."
        yield Problem(file, 1, 1, what, "a sheet holds every row, also those that you did not touch: bring them back")
        return
    for row in missing:
        what = f"the row of {row.name} is missing, which was answered {row.cells['answer'][:60]}"
        yield Problem(file, 1, 1, what, f"bring it back; if it is to be taken back, write `{WITHDRAW}` as its answer")
