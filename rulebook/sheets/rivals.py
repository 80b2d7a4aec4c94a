"""Other readings of a row's words: from what was typed, in a sheet or the form, to a rival of the clause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rulebook.answers.values import Wrong
from rulebook.clause_edits import CannotEdit, ClauseFields
from rulebook.program_name import name_command
from rulebook.sheets.columns import OTHER_COLUMNS, STATUS_OF_MARK
from rulebook.sheets.context import ClauseEdits, SheetContext
from rulebook.sheets.held_rivals import list_alternatives
from rulebook.sheets.reading import ChangedRow, RefusedCell
from rulebook.sheets.typed_answers import TypedAnswer, name_answer


@dataclass(frozen=True)
class RivalDraft:
    """Another way to read the words of a row, as somebody has typed it."""

    question: str
    answer: str
    label: str
    because: str
    computation: str = ""
    preferred: str = ""  #: what the answer itself is called beside it; a sheet has no cell for it


def draft_rival(row: ChangedRow) -> RivalDraft | None:
    """Return the other reading that the cells of a row ask for, if they were changed."""
    if not row.is_changed(*OTHER_COLUMNS) or withdraws_rival(row):
        return None
    return RivalDraft(row.base.question, *(row.cells[name] for name in OTHER_COLUMNS))


def has_rival(row: ChangedRow) -> bool:
    """Return whether the cells of a row name another reading."""
    return bool(row.cells["other_answer"]) and not row.is_withdrawn("other_answer")


def withdraws_rival(row: ChangedRow) -> bool:
    """Return whether another reading is taken back: in so many words, or emptied where there is no answer any more."""
    emptied = row.is_changed("other_answer") and not row.cells["other_answer"]
    return row.is_withdrawn("other_answer") or (emptied and row.cells["answer"] in STATUS_OF_MARK)


def put_rival(
    fields: dict[str, Any],
    row: ChangedRow,
    draft: RivalDraft,
    read: Callable[[str], TypedAnswer],
    take_id: Callable[[], str],
) -> None:
    """Add another reading to a clause, or change that which its row holds. Raises RefusedCell, and Wrong."""
    typed = row.is_changed(*OTHER_COLUMNS)  # in a sheet; the form adds to those that are there
    held = fields.get("rivals", [])[:1] if typed and row.base.cells["other_answer"] else []
    if typed and not held and list_alternatives(fields):
        what = "the clause has other readings already, which stand in the column rivals"
        raise RefusedCell(
            "other_answer", what, f"empty the cell; the form ({name_command('serve')}) takes a further one"
        )
    if not draft.answer:
        hint = "write the answer in that reading, or empty the cells beside it"
        raise RefusedCell("other_answer", "is missing, and that reading has a name or a reason", hint)
    if STATUS_OF_MARK.get(draft.answer) == "silent":
        hint = "name that question in other_with; where these words may say nothing at all, say so in a note"
        raise RefusedCell(
            "other_answer", "- is no answer; silence goes with the other reading of another question", hint
        )
    other = read(draft.answer)
    before = read(row.base.cells["other_answer"]) if held else None
    rival = {
        **(held[0] if held else {"id": take_id()}),
        "label": choose_name(draft.label, before, other),
        "answers": {**(held[0]["answers"] if held else {}), row.base.key: other.raw},
        "because": draft.because or _NO_REASON,
        "computation": draft.computation,
    }
    rival = {name: value for name, value in rival.items() if value}
    fields["rivals"] = [rival] if held else [*fields.get("rivals", []), rival]
    fields["label"] = draft.preferred or fields.get("label", "")
    if not draft.because:  # refused only now, so that the numbers of the reading are looked at too
        raise RefusedCell("other_because", "no reason is given", "say why the words may be taken so")


_NO_REASON = "none yet"  #: is never written: the row is refused


def choose_name(given: str, before: TypedAnswer | None, now: TypedAnswer) -> str:
    """Return the name of a reading: that which was given, unless it only repeats an answer that it no longer has."""
    outdated = before is not None and before.value != now.value and given == name_answer(before)
    return given if given and not outdated else name_answer(now)


class RivalPlanner:
    """Sets the other readings of changed rows in the clauses that they become."""

    def __init__(self, context: SheetContext, edits: ClauseEdits, draft: RivalDraft | None) -> None:
        self.context, self.edits, self.draft = context, edits, draft
        known = (
            str(alternative["id"]) for fields in context.clauses.values() for alternative in list_alternatives(fields)
        )
        self.taken = {*context.published, *known}

    def set_rival(self, fields: dict[str, Any], row: ChangedRow) -> None:
        """Set the other reading that a row holds, and the names of both; further readings stay."""
        mine = self.draft if self.draft and self.draft.question == row.base.question else draft_rival(row)
        try:
            if withdraws_rival(row):
                self._withdraw_rival(fields, row)
            elif mine:
                put_rival(fields, row, mine, lambda text: self.context.read_answer(row.base, text), self._take_rival_id)
        except RefusedCell as fault:
            self.edits.complain(row, fault.column, fault.what, fault.way_out)
        except Wrong as wrong:
            self.edits.complain(row, "other_answer", wrong.what, wrong.way_out)
        if row.is_changed("answer") or mine:
            self._refuse_same_rival(fields, row, "other_answer" if mine else "answer")
            self._name_preferred(fields, row)

    def _withdraw_rival(self, fields: dict[str, Any], row: ChangedRow) -> None:
        if not row.base.cells["other_answer"]:
            return  # it was done before, or there is none
        self.edits.withdrawn += [
            str(rival["id"]) for rival in fields["rivals"] if rival["id"] in self.context.published
        ]
        fields |= {"rivals": [], "label": ""}

    def _name_preferred(self, fields: dict[str, Any], row: ChangedRow) -> None:
        """Name the answer beside another reading, if nobody has, or if it was named after one that it no longer is."""
        if not fields.get("rivals") or row.cells["answer"] in STATUS_OF_MARK:
            return
        try:
            now = self.context.read_answer(row.base, row.cells["answer"])
            there = row.base.cells["answer"]
            before = None if there in STATUS_OF_MARK else self.context.read_answer(row.base, there)
            fields["label"] = choose_name(str(fields.get("label", "")), before, now)
        except Wrong:
            return  # it was said of the answer

    def _refuse_same_rival(self, fields: ClauseFields, row: ChangedRow, column: str) -> None:
        """Refuse an answer that another reading has, and another reading beside no answer."""
        key, mark, is_same = row.base.key, row.cells["answer"], self.context.is_same_answer
        mine = fields.get("answers", {}).get(key)
        for alternative in list_alternatives(fields):
            if key not in alternative["answers"]:
                continue
            if mark in STATUS_OF_MARK:
                what = f"is {mark}, and {alternative['id']} is another way to answer it"
                hint = "write withdraw in `other_answer`, or take what stands in the column rivals out in clauses.yaml"
                self.edits.complain(row, "answer", what, hint)
            elif mine is not None and is_same(row.base.question, mine, alternative["answers"][key]):
                what = f"both readings have the same answer ({alternative['id']})"
                self.edits.complain(row, column, what, "write another answer, or exchange the two")

    def _take_rival_id(self) -> str:
        """Take the next id that no reading ever had."""
        ids = (f"{self.context.source.siglum}.i{number:02d}" for number in range(1, 100))
        id = next((id for id in ids if id not in self.taken), "")
        if not id:
            raise CannotEdit(f"{self.context.source.siglum} has used up its ids for readings", "use one that is there")
        self.taken.add(id)
        return id
