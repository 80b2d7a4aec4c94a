"""One answer of the form as a row of a coding sheet: what it changes in clauses.yaml, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import Field, StringConstraints, field_validator

from rulebook.model import DOUBTFUL_STATUSES, Cite
from rulebook.passage_search import cite_words
from rulebook.problems import Problem
from rulebook.quotations import count_occurrences, select_loci, words_at
from rulebook.schema.records import Record
from rulebook.sheets.changes import plan_edits
from rulebook.sheets.citing import MarkedFinder, WordFinder
from rulebook.sheets.columns import (
    OPEN_COLUMNS,
    OTHER_COLUMNS,
    SILENT,
    STATUS_OF_MARK,
    WITHDRAW,
    WITHDRAWN_COLUMNS,
    WORD_COLUMNS,
)
from rulebook.sheets.context import ClauseEdits, SheetContext
from rulebook.sheets.grid import clean_cell
from rulebook.sheets.reading import ChangedRow
from rulebook.sheets.rivals import RivalDraft
from rulebook.sheets.rows import SheetRow, list_held_citations
from rulebook.strings import find_unfit_letter

_VIEW = "diplomatic"  #: in which the form shows the text
_RIVAL_COLUMNS = (*OTHER_COLUMNS, "other_with")
FORM_COLUMNS = tuple(name for name in OPEN_COLUMNS if name not in _RIVAL_COLUMNS)  #: the cells of the form
_FIELDS = (*FORM_COLUMNS, *_RIVAL_COLUMNS)  #: what a problem can be about
#: What the form calls the fields of a sheet.
FIELD_LABELS: Mapping[str, str] = {
    "answer": "The answer",
    "status": "How the source says it",
    "certainty": "How sure",
    "words": "Words of the source",
    "words_2": "Words of the source, passage 2",
    "words_3": "Words of the source, passage 3",
    "place": "Sentence",
    "place_2": "Sentence, passage 2",
    "place_3": "Sentence, passage 3",
    "because": "Why",
    "computation": "Computation",
    "searched": "Searched",
    "taken_from": "Our answer is taken from",
    "note": "Note",
    "coder": "Coder",
    "other_answer": "The answer in that reading",
    "other_name": "The other reading, in a few words",
    "other_because": "Why the words may be taken so",
    "other_computation": "Computation in that reading",
    "other_with": "It goes with the other reading of",
}
_NAMED_FIELD = re.compile(rf"`({'|'.join(FIELD_LABELS)})`|\b((?:other|taken)_[a-z]+|(?:words|place)_[23])\b")
#: Advice to those who have no text beside them -> what one does in the form.
_FORM_ADVICE: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(r"write (the words .*?); `\w+ cite \w+` finds them"), r"mark \1 in the text, or write them here"),
    (re.compile(r"`\w+ cite \w+` looks for them"), "mark them in the text"),
    (re.compile(r"\badd computation:(?= )"), f"fill in “{FIELD_LABELS['computation']}”"),
)
#: What does not go with a silence, newly chosen.
_WITHOUT_WORDS = ("status", "computation", *(name for pair in WORD_COLUMNS for name in pair))

_Name = Annotated[str, StringConstraints(max_length=100)]
_Cell = Annotated[str, StringConstraints(max_length=20_000)]


class Marked(Record):
    """Words marked in the text: from a letter of one sentence to one of the same or a later sentence."""

    first: _Name
    last: _Name
    start: int
    end: int
    exact: _Cell


class RivalFields(Record):
    """Another way to read the words, and what the preferred one is called beside it."""

    answer: _Cell
    label: _Cell
    because: _Cell
    preferred: _Cell
    computation: _Cell = ""
    goes_with: _Cell = ""  #: another question, where the reading is that one's


class FormAnswer(Record):
    """An answer as the form sends it, with the fingerprints of the clauses that its page was made from."""

    seen: _Name  #: of the clauses that speak to the question
    seen_with: _Name = ""  #: of those that speak to the question whose other reading the answer goes with
    question: _Name
    clause: _Name = ""
    cells: Mapping[str, _Cell]
    marked: Marked | None = None
    further: Annotated[tuple[Marked | None, ...], Field(max_length=len(WORD_COLUMNS) - 1)] = ()
    rival: RivalFields | None = None
    together: bool = False  #: whether it holds for all questions of the clause

    @field_validator("cells")
    @classmethod
    def _refuse_other_cells(cls, cells: Mapping[str, str]) -> Mapping[str, str]:
        if strangers := [name for name in cells if name not in FORM_COLUMNS]:
            raise ValueError(f"no field of the form: {strangers[0][:40]}")
        return cells


class SilentAnswers(Record):
    """The questions on which the whole text was read in vain, with the fingerprint of the file that was shown."""

    seen: _Name
    questions: Annotated[tuple[_Name, ...], Field(min_length=1, max_length=1000)]


class FormRow(ChangedRow):
    """A row that the form has filled in; its problems name a field, not a cell."""

    def problem(self, column: str, what: str, way_out: str) -> Problem:
        """Say what is wrong with a field; its number stands in the place of a column."""
        at = _FIELDS.index(column) + 1 if column in _FIELDS else 1
        return Problem(self.file, 1, at, name_form_fields(what), name_form_fields(way_out))


#: How a source can say an answer that its words do not give: what the reason should tell.
_REASONED_STATUSES: Mapping[str, str] = {
    "implied": "say how it follows from the words",
    "denied": "say how the words rule it out",
}


class UnknownRow(LookupError):
    """A clause and question that the file does not have together."""


def plan_answer(context: SheetContext, given: FormAnswer) -> ClauseEdits:
    """Plan the edits that an answer asks for. Raises CannotEdit, or UnknownRow."""
    rows = list(_fill_rows(context, given))
    marks = (given.marked, *given.further)
    faults = [fault for row in rows[:1] for fault in _find_faults(context, row, marks)]
    if faults:
        return ClauseEdits(problems=faults)
    held = rows[0].is_withdrawn("other_answer") or rows[0].cells["other_with"] or rows[0].base.cells["other_with"]
    rival = None if held else _draft_rival(given)
    changed = [row for row in rows if rival or row.is_changed(*FORM_COLUMNS, *_RIVAL_COLUMNS)]
    return plan_edits(context, changed, _find_words(context, marks), rival)


def plan_silence(context: SheetContext, given: SilentAnswers) -> ClauseEdits:
    """Plan the edits by which questions that nobody has read become silent. Raises CannotEdit, or UnknownRow."""
    wanted = {*given.questions}
    rows = [row for row in context.rows if row.question in wanted]
    if strangers := sorted(wanted - {row.question for row in rows}):
        raise UnknownRow(f"there is no question {strangers[0]}")
    if answered := next((row for row in rows if row.answered), None):
        raise UnknownRow(f"{answered.question} is answered")
    silent = {"answer": SILENT}
    filled = (FormAnswer(seen="", question=row.question, clause=row.clause, cells=silent) for row in rows)
    return plan_edits(context, [row for each in filled for row in _fill_rows(context, each)])


def name_form_fields(words: str) -> str:
    """Return what is told of a sheet, or of the file, in the words of the form."""
    for pattern, advice in _FORM_ADVICE:
        words = pattern.sub(advice, words)
    return _NAMED_FIELD.sub(lambda match: f"“{FIELD_LABELS[match[1] or match[2]]}”", words)


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
    texts = {name: clean_cell(text) for name, text in given.rival.model_dump(exclude={"goes_with"}).items()}
    return RivalDraft(given.question, **texts)


def _complete_cells(base: SheetRow, given: FormAnswer) -> Mapping[str, str]:
    cells = {**base.cells, **{name: clean_cell(text) for name, text in given.cells.items()}}
    answer = cells["answer"]
    if answer in STATUS_OF_MARK and STATUS_OF_MARK[answer] != STATUS_OF_MARK.get(base.cells["answer"]):
        cells |= dict.fromkeys(_WITHOUT_WORDS, "")
    elif answer not in STATUS_OF_MARK:
        gone = (name for name in WITHDRAWN_COLUMNS if name in FORM_COLUMNS and base.cells[name] and not cells[name])
        cells |= dict.fromkeys(gone, WITHDRAW)
    other = given.rival
    if other and (base.cells["other_answer"] or other.goes_with):  # the one that the clause has, or another's, is meant
        fields = (other.answer, other.label, other.because, other.computation, other.goes_with)
        cells |= dict(zip(_RIVAL_COLUMNS, map(clean_cell, fields), strict=True))
    own = bool(other) and not (cells["other_with"] or base.cells["other_with"])
    return cells | ({"status": "ambiguous"} if own and cells["status"] not in DOUBTFUL_STATUSES else {})


# ---- what is wrong with it
def _find_faults(context: SheetContext, row: ChangedRow, marks: Sequence[Marked | None]) -> Iterator[Problem]:
    if not row.cells["answer"]:
        yield row.problem("answer", "is missing", "choose an answer, or that the question is not read yet")
    if not row.cells["because"] and row.cells["answer"] not in STATUS_OF_MARK:
        status = row.cells["status"].casefold()
        if way_out := _REASONED_STATUSES.get(status):
            yield row.problem("because", f"the answer is {status}, and no reason is given", way_out)
    for name in _FIELDS:
        if unfit_letter := find_unfit_letter(row.cells[name]):
            yield row.problem(name, f"holds {unfit_letter.what}", "type it again")
    for at, marked in enumerate(marks):
        if marked and marked.exact:
            yield from _find_faults_of_mark(context, row, at, marked)


def _find_faults_of_mark(context: SheetContext, row: ChangedRow, at: int, marked: Marked) -> Iterator[Problem]:
    """Yield what is wrong with marked words: they must stand there, whole, and be told from those cited so far."""
    cite, columns = _cite_marked(context, marked), WORD_COLUMNS[at]
    if cite is None:
        yield row.problem(columns[0], "the text is another than the form shows", "load the page again")
    elif count_occurrences(context.source, cite, _VIEW) != 1:
        yield row.problem(columns[0], "half a word is marked", "mark whole words")
    elif not row.is_changed(*columns):
        # Return the citation that the fields of a passage hold; an empty one if there is none
        cites = context.clauses.get(row.base.clause, {}).get("cites", [])
        held = [cites[citation] for citation in list_held_citations(cites)]
        old = held[at] if at < len(held) else {}
        if (old.get("prefix", ""), old.get("suffix", "")) != (cite.prefix, cite.suffix):
            what = "these words are cited already, from another place of the sentence"
            yield row.problem(columns[0], what, "mark a word more or less")


# ---- words
def _find_words(context: SheetContext, marks: Sequence[Marked | None]) -> WordFinder | None:
    cites = [cite for mark in marks if mark and mark.exact and (cite := _cite_marked(context, mark))]
    return MarkedFinder(context.source, context.spelling, cites) if cites else None


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
