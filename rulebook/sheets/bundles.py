"""Answers that go with the other reading of another question: from the row of their own question into that reading.

Such a row says under `other_with` whose reading is meant. What it says of its own question, often that this does not
apply, has nothing to do with it, and its clause stays what it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulebook.answers.values import Wrong
from rulebook.clause_edits import ClauseFields
from rulebook.quotations import list_loci
from rulebook.sheets.columns import BUNDLE_COLUMNS, OPEN_COLUMNS, OTHER_COLUMNS, SILENT, STATUS_OF_MARK
from rulebook.sheets.context import ClauseEdits, SheetContext
from rulebook.sheets.held_rivals import list_alternatives
from rulebook.sheets.reading import ChangedRow, RefusedCell
from rulebook.strings import quote_value

_OWN_CELLS = tuple(name for name in OTHER_COLUMNS if name not in BUNDLE_COLUMNS)  #: of a reading, not of its answers


def part_bundled(changed: Sequence[ChangedRow]) -> tuple[list[ChangedRow], list[ChangedRow]]:
    """Return the changed rows without what they say of another question's reading, and the rows that do say it."""
    own, bundled = [], []
    for row in changed:
        if not (row.cells["other_with"] or row.base.cells["other_with"]):
            own.append(row)
            continue
        if row.is_changed(*OTHER_COLUMNS, "other_with"):
            bundled.append(row)
        blank = dict.fromkeys((*OTHER_COLUMNS, "other_with"), "")
        base = replace(row.base, cells={**row.base.cells, **blank}) if row.base.cells["other_with"] else row.base
        cells = {name: base.cells[name] for name in blank}
        bare = replace(row, base=base, cells={**row.cells, **cells}, bundled=True)
        if bare.is_changed(*OPEN_COLUMNS):
            own.append(bare)
    return own, bundled


class BundlePlanner:
    """Puts answers into the other reading with which they go, once the clauses are planned."""

    def __init__(self, context: SheetContext, edits: ClauseEdits) -> None:
        self.context, self.edits = context, edits

    def put(self, row: ChangedRow) -> None:
        """Put the answer of a row into the reading that it names, or take it out."""
        try:
            self._put(row)
        except RefusedCell as fault:
            self.edits.complain(row, fault.column, fault.what, fault.way_out)
        except Wrong as wrong:
            self.edits.complain(row, "other_answer", wrong.what, wrong.way_out)

    def _put(self, row: ChangedRow) -> None:
        """Raise RefusedCell, or Wrong of the answer."""
        before = row.base.cells["other_with"]
        gone = row.is_withdrawn("other_answer")
        if before and (gone or (row.cells["other_with"] and self._find_slug(row) != self.context.slug_of(before))):
            self._change(row, self.context.slug_of(before), None)
        if gone:
            return
        _refuse_misplaced(row)
        other, slug = row.cells["other_answer"], self._find_slug(row)
        silent = STATUS_OF_MARK.get(other) == "silent"
        if silent and row.cells["answer"] not in STATUS_OF_MARK:
            what = f"is silence, and {row.base.question} is answered here in every reading"
            raise RefusedCell("other_answer", what, "write the answer that goes with that reading, or empty the cell")
        self._change(row, slug, SILENT if silent else self.context.read_answer(row.base, other).raw)

    def _find_slug(self, row: ChangedRow) -> str:
        """Return the question whose other reading a row names."""
        named = row.cells["other_with"]
        try:
            slug = self.context.slug_of(named)
        except Wrong as wrong:
            raise RefusedCell("other_with", f"there is no question {quote_value(named)}", wrong.way_out) from wrong
        if self.context.questions[slug].id == row.base.question:
            raise RefusedCell("other_with", f"{named} is the question of this row", "leave it empty")
        return slug

    def _change(self, row: ChangedRow, slug: str, raw: object) -> None:
        """Give the reading of a question an answer to that of a row, or silence on it, or take it out: None."""
        question = self.context.questions[slug].id
        entry = next((pair for pair in self._list_doubtful(slug) if list_alternatives(pair[1])), None)
        if entry is None:
            if raw is None:
                return  # it is gone with its reading
            hint = f"fill other_answer and other_because in the row of {question} first"
            raise RefusedCell("other_with", f"{question} has no other reading", hint)
        id, fields = entry
        if len(list_alternatives(fields)) > 1 or not fields.get("rivals"):
            hint = f"write this answer into the one that is meant, below {id} in clauses.yaml"
            raise RefusedCell("other_with", f"{question} has several other readings", hint)
        (rival,) = fields["rivals"]
        answers = {str(key): value for key, value in rival["answers"].items()}
        answers |= {str(key): SILENT for key in rival.get("silent", ())}
        key = next((name for name in answers if self._is_question(name, row)), row.base.question)
        answers[key] = raw
        self._replace(id, {**fields, "rivals": [self._build_rival(rival, answers)]})
        self.edits.rows.setdefault(id, row)

    def _build_rival(self, rival: ClauseFields, answers: Mapping[str, Any]) -> ClauseFields:
        """Return a reading with these answers and silences; what was searched for them is the whole text."""
        loci = list_loci(self.context.source)
        silent = [key for key, value in answers.items() if value == SILENT]
        searched = rival.get("searched") or (f"{loci[0]}-{loci[-1]}" if loci else "")
        changed: dict[str, Any] = {
            "answers": {key: value for key, value in answers.items() if value is not None and value != SILENT},
            "silent": silent,
            "searched": searched if silent else "",
        }
        return {name: value for name, value in {**rival, **changed}.items() if value}

    def _is_question(self, key: str, row: ChangedRow) -> bool:
        try:
            return self.context.questions[self.context.slug_of(key)].id == row.base.question
        except Wrong:
            return False

    def _list_doubtful(self, slug: str) -> list[tuple[str, ClauseFields]]:
        """Return the clauses that speak to a question once the edits are made."""
        names = {slug, self.context.questions[slug].id}
        added = {str(fields["id"]): fields for _, fields in self.edits.added}
        after: dict[str, ClauseFields | None] = {**self.context.clauses, **self.edits.changed, **added}
        return [
            (id, clause)
            for id, clause in after.items()
            if clause and names & {*clause.get("answers", ()), *clause.get("on", ())}
        ]

    def _replace(self, id: str, fields: ClauseFields) -> None:
        for at, (after, clause) in enumerate(self.edits.added):
            if clause["id"] == id:
                self.edits.added[at] = (after, fields)
                return
        self.edits.changed[id] = fields


def _refuse_misplaced(row: ChangedRow) -> None:
    """Refuse what a row cannot say of another question's reading."""
    base, named = row.base.cells, row.cells["other_with"] or row.base.cells["other_with"]
    if base["other_answer"] and not base["other_with"]:
        what = f"{row.base.question} has another reading of its own"
        hint = "to replace that one, write withdraw in other_answer, read the sheet, and then enter this; to keep both,"
        raise RefusedCell("other_with", what, f"{hint} leave other_with empty: this one goes into clauses.yaml")
    if not row.cells["other_with"]:
        hint = "write it again, or withdraw in other_answer"
        raise RefusedCell("other_with", f"was {base['other_with']} and is now empty", hint)
    if not row.cells["other_answer"]:
        raise RefusedCell("other_answer", "is missing", f"write the answer that goes with the other reading of {named}")
    for name in _OWN_CELLS:
        if row.cells[name]:
            place = "behind the sum that stands there" if name == "other_computation" else "and empty it here"
            what, hint = f"is that of the other reading of {named}", f"write it in the row of {named}, {place}"
            raise RefusedCell(name, what, hint)
