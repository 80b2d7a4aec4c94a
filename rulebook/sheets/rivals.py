"""Other readings of a row's words: from what was typed, in a sheet or the form, to a rival of the clause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rulebook.sheets.columns import OTHER_COLUMNS, STATUS_OF_MARK
from rulebook.sheets.reading import ChangedRow, RefusedCell
from rulebook.sheets.rows import list_alternatives
from rulebook.sheets.typed_answers import TypedAnswer, name_answer


@dataclass(frozen=True)
class RivalDraft:
    """Another way to read the words of a row, as somebody has typed it."""

    question: str
    answer: str
    label: str
    because: str
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
        raise RefusedCell("other_answer", what, "empty the cell; the form (reversis serve) takes a further one")
    if not draft.answer:
        hint = "write the answer in that reading, or empty the cells beside it"
        raise RefusedCell("other_answer", "is missing, and that reading has a name or a reason", hint)
    other = read(draft.answer)
    if not draft.because:
        raise RefusedCell("other_because", "no reason is given", "say why the words may be taken so")
    before = read(row.base.cells["other_answer"]) if held else None
    one = {
        **(held[0] if held else {"id": take_id()}),
        "label": choose_name(draft.label, before, other),
        "answers": {row.base.key: other.raw},
        "because": draft.because,
    }
    fields["rivals"] = [one] if held else [*fields.get("rivals", []), one]
    fields["label"] = draft.preferred or fields.get("label", "")


def choose_name(given: str, before: TypedAnswer | None, now: TypedAnswer) -> str:
    """Return the name of a reading: that which was given, unless it only repeats an answer that it no longer has."""
    outdated = before is not None and before.value != now.value and given == name_answer(before)
    return given if given and not outdated else name_answer(now)
