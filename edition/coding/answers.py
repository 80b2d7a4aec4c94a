"""One answer of the form as a row of a coding sheet: what it changes in clauses.yaml, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, field_validator

from rulebook.clause_edits import ClauseFields, read_clause_fields
from rulebook.model import DOUBTFUL_STATUSES, Cite
from rulebook.passage_search import cite_words
from rulebook.problems import Problem
from rulebook.quotations import count_occurrences, select_loci, words_at
from rulebook.sheets.changes import ClauseEdits, SheetContext, plan_edits
from rulebook.sheets.citing import MarkedFinder, WordFinder
from rulebook.sheets.columns import ADDED_COLUMNS, OPEN_COLUMNS, OTHER_COLUMNS, STATUS_OF_MARK
from rulebook.sheets.grid import clean_cell, find_unseen
from rulebook.sheets.reading import ChangedRow
from rulebook.sheets.rivals import RivalDraft
from rulebook.sheets.rows import SheetRow

_VIEW = "diplomatic"  #: in which the form shows the text
FORM_COLUMNS = tuple(name for name in OPEN_COLUMNS if name not in ADDED_COLUMNS)  #: the cells of the form
_FIELDS = (*FORM_COLUMNS, "rival")  #: what a problem can be about
_WITHOUT_WORDS = ("status", "words", "place", "computation")  #: what does not go with a silence, newly chosen

_Name = Annotated[str, StringConstraints(max_length=100)]
_Cell = Annotated[str, StringConstraints(max_length=20_000)]


class Marked(BaseModel):
    """Words marked in the text: from a letter of one sentence to one of the same or a later sentence."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    first: _Name
    last: _Name
    start: int
    end: int
    exact: _Cell


class RivalFields(BaseModel):
    """Another way to read the words, and what the preferred one is called beside it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    answer: _Cell
    label: _Cell
    because: _Cell
    preferred: _Cell


class FormAnswer(BaseModel):
    """An answer as the form sends it, with the fingerprint of the file that its page was made from."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    seen: _Name
    question: _Name
    clause: _Name = ""
    cells: Mapping[str, _Cell]
    marked: Marked | None = None
    rival: RivalFields | None = None
    together: bool = False  #: whether it holds for all questions of the clause

    @field_validator("cells")
    @classmethod
    def _refuse_other_cells(cls, cells: Mapping[str, str]) -> Mapping[str, str]:
        if strangers := [name for name in cells if name not in FORM_COLUMNS]:
            raise ValueError(f"no field of the form: {strangers[0][:40]}")
        return cells


class FormRow(ChangedRow):
    """A row that the form has filled in; its problems name a field, not a cell."""

    def problem(self, column: str, what: str, way_out: str) -> Problem:
        """Say what is wrong with a field; its number stands in the place of a column."""
        field = "rival" if column in OTHER_COLUMNS else column
        at = _FIELDS.index(field) + 1 if field in _FIELDS else 1
        return Problem(self.file, 1, at, what, way_out)


class UnknownRow(LookupError):
    """A clause and question that the file does not have together."""


def plan_answer(context: SheetContext, given: FormAnswer) -> ClauseEdits:
    """Plan the edits that an answer asks for. Raises CannotEdit, or UnknownRow."""
    rows = list(_fill_rows(context, given))
    faults = [fault for row in rows[:1] for fault in _find_faults(context, row, given.marked)]
    if faults:
        return ClauseEdits(problems=faults)
    rival = None if rows[0].is_withdrawn("other_answer") else _draft_rival(given)
    changed = [row for row in rows if rival or row.is_changed(*FORM_COLUMNS, *OTHER_COLUMNS)]
    return plan_edits(context, changed, _find_words(context, given.marked), rival)


def name_field(problem: Problem) -> str:
    """Return the field that a problem of a form row is about."""
    return _FIELDS[problem.column - 1]


def _fill_rows(context: SheetContext, given: FormAnswer) -> Iterator[ChangedRow]:
    """Yield the row of the answer; behind it the others of its clause, if they are to follow it."""
    base = next((row for row in context.rows if (row.clause, row.question) == (given.clause, given.question)), None)
    if base is None:
        raise UnknownRow(f"{given.clause or 'no clause'} does not speak to {given.question}")
    cells = _complete_cells(base, given)
    yield FormRow(1, {}, base, cells, "form")
    for other in context.rows if given.together and given.clause else ():
        if other.clause == given.clause and other.question != given.question:
            shared = {name: text for name, text in cells.items() if name in FORM_COLUMNS and name != "answer"}
            yield FormRow(1, {}, other, {**other.cells, **shared}, "form")


def _draft_rival(given: FormAnswer) -> RivalDraft | None:
    """Return the other reading; whoever gives one says that the words are ambiguous."""
    if given.rival is None:
        return None
    texts = {name: clean_cell(text) for name, text in given.rival.model_dump().items()}
    return RivalDraft(given.question, **texts)


def _complete_cells(base: SheetRow, given: FormAnswer) -> Mapping[str, str]:
    cells = {**base.cells, **{name: clean_cell(text) for name, text in given.cells.items()}}
    answer = cells["answer"]
    if answer in STATUS_OF_MARK and STATUS_OF_MARK[answer] != STATUS_OF_MARK.get(base.cells["answer"]):
        cells |= dict.fromkeys(_WITHOUT_WORDS, "")
    if given.rival and base.cells["other_answer"]:  # the one that the clause has is meant
        cells |= dict(zip(OTHER_COLUMNS, (given.rival.answer, given.rival.label, given.rival.because), strict=True))
    doubtful = cells["status"] in DOUBTFUL_STATUSES
    return cells | ({"status": "ambiguous"} if given.rival and not doubtful else {})


# ---- what is wrong with it
def _find_faults(context: SheetContext, row: ChangedRow, marked: Marked | None) -> Iterator[Problem]:
    if not row.cells["answer"]:
        yield row.problem("answer", "is missing", "choose an answer, or that the question is not read yet")
    for name in FORM_COLUMNS:
        if unseen := find_unseen(row.cells[name]):
            yield row.problem(name, f"holds a character that cannot be seen, {unseen}", "type it again")
    if marked and marked.exact:
        yield from _find_faults_of_mark(context, row, marked)


def _find_faults_of_mark(context: SheetContext, row: ChangedRow, marked: Marked) -> Iterator[Problem]:
    """Yield what is wrong with marked words: they must stand there, whole, and be told from those cited so far."""
    cite = _cite_marked(context, marked)
    if cite is None:
        yield row.problem("words", "the text is another than the form shows", "load the page again")
    elif count_occurrences(context.source, cite, _VIEW) != 1:
        yield row.problem("words", "half a word is marked", "mark whole words")
    elif not (row.is_changed("words") or row.is_changed("place")):
        old = _read_first_citation(context, row)
        if (old.get("prefix", ""), old.get("suffix", "")) != (cite.prefix, cite.suffix):
            what = "these words are cited already, from another place of the sentence"
            yield row.problem("words", what, "mark a word more or less")


def _read_first_citation(context: SheetContext, row: ChangedRow) -> ClauseFields:
    cites = read_clause_fields(context.letters).get(row.base.clause, {}).get("cites") or [{}]
    first: ClauseFields = cites[0]
    return first


# ---- words
def _find_words(context: SheetContext, marked: Marked | None) -> WordFinder | None:
    cite = _cite_marked(context, marked) if marked and marked.exact else None
    return MarkedFinder(context.source, context.spelling, cite) if cite else None


def _cite_marked(context: SheetContext, marked: Marked) -> Cite | None:
    """Return a citation of the very words that were marked; None if they do not stand there."""
    ids = select_loci(context.source, marked.first, marked.last)
    if not ids:
        return None
    before = len(words_at(context.source, ids[:-1], _VIEW)) + 1 if len(ids) > 1 else 0
    start, end = marked.start, before + marked.end
    if not 0 <= start < end or words_at(context.source, ids, _VIEW)[start:end] != marked.exact:
        return None
    return cite_words(context.source, ids, _VIEW, start, end)
