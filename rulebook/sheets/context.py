"""Context in which a sheet or an answer of the form is read, and the edits of clauses.yaml that come of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rulebook.answers.values import SlugOf, Wrong, build_slug_lookup, read_value
from rulebook.clause_edits import ClauseFields, edit_clauses, read_clause_fields
from rulebook.model import Question, Source
from rulebook.passage_search import fold_with_origins
from rulebook.problems import Problem
from rulebook.sheets.columns import STATUS_OF_MARK, WITHDRAW, WITHDRAWN_COLUMNS, WORD_COLUMNS
from rulebook.sheets.reading import ChangedRow
from rulebook.sheets.rows import SheetRow
from rulebook.sheets.typed_answers import TypedAnswer, read_typed_answer
from rulebook.spelling import Spelling


@dataclass(frozen=True)
class SheetContext:
    """The source against which a sheet is read: its words, clauses and rows."""

    source: Source
    letters: str  #: of clauses.yaml
    rows: Sequence[SheetRow]
    questions: Mapping[str, Question]
    sigla: Collection[str]
    published: Collection[str]  #: every id that was ever registered
    spelling: Spelling

    @cached_property
    def slug_of(self) -> SlugOf:
        """Finds the slug of a question by any of its names. Raises Wrong."""
        return build_slug_lookup(self.questions.values())

    @cached_property
    def clauses(self) -> Mapping[str, ClauseFields]:
        """The clauses as they stand in the file, by id."""
        return read_clause_fields(self.letters)

    def is_same_cell(self, column: str, base: SheetRow, text: str) -> bool:
        """Return whether a cell means what the file says, though in other words."""
        there = base.cells[column]
        if column in WITHDRAWN_COLUMNS and not there:
            return text.casefold() == WITHDRAW
        if column in (words for words, _ in WORD_COLUMNS):
            return self._fold(text) == self._fold(there)
        if column not in ("answer", "other_answer") or text in STATUS_OF_MARK or there in STATUS_OF_MARK:
            return text.casefold() == there.casefold()
        try:
            return self.read_answer(base, text).value == self.read_answer(base, there).value
        except Wrong:
            return False

    def read_answer(self, base: SheetRow, text: str) -> TypedAnswer:
        """Read an answer that was typed to the question of a row. Raises Wrong."""
        return read_typed_answer(self.questions[self.slug_of(base.question)], text, self.slug_of, self.source)

    def is_same_answer(self, question: str, *raw: Any) -> bool:
        """Return whether two answers, as a file has them, mean the same."""
        asked = self.questions[self.slug_of(question)]
        try:
            first, second = (read_value(asked, each, self.slug_of) for each in raw)
        except Wrong:
            return False
        return first == second

    def _fold(self, text: str) -> str:
        return fold_with_origins(text, self.source.language, self.spelling).text


@dataclass
class ClauseEdits:
    """The edits of a sheet, and what stands in their way."""

    changed: dict[str, ClauseFields | None] = field(default_factory=dict)
    added: list[tuple[str, ClauseFields]] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)  #: ids that are gone: clauses, and their rivals
    rows: dict[str, ChangedRow] = field(default_factory=dict)  #: id of a clause -> the first row that changes it
    problems: list[Problem] = field(default_factory=list)
    unread: list[ChangedRow] = field(default_factory=list)  #: rows whose answer could not be read
    remarks: list[str] = field(default_factory=list)  #: what follows from a change and was not written by anybody

    def complain(self, row: ChangedRow, column: str, what: str, way_out: str) -> None:
        """Note what is wrong with a cell."""
        self.problems.append(row.problem(column, what, way_out))

    def apply(self, letters: str) -> str:
        """Return the letters of clauses.yaml with every edit made. Raises CannotEdit."""
        return edit_clauses(letters, self.changed, self.added)
