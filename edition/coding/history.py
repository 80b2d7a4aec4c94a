"""History of the form: every edit of a source's clauses, kept beside them so that each can be undone later.

A file of JSON lines in the folder of backups, which is only added to. An edit is kept as the letters that it replaced,
with the fingerprints of the file before and after it; it can be undone while the file is what it left.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from rulebook.problems import HintedError
from rulebook.schema.records import Record

HISTORY_FILE = "backups/coding-form.jsonl"  #: in the folder of a source; not under version control


class KeptEdit(Record):
    """An edit as it is kept: where, the letters before and after, and of which question."""

    number: int
    undoes: int = 0  #: the number of the edit that this one takes back; 0 if it is an answer
    question: str
    what: str
    before: str  #: fingerprint of the whole file
    after: str
    start: int  #: the first letter that differs
    old: str
    new: str


class NotUndone(HintedError):
    """An edit that cannot be taken back, and the way out."""


@dataclass(frozen=True)
class History:
    """The edits of one source, in order."""

    edits: tuple[KeptEdit, ...]

    @classmethod
    def parse(cls, letters: str) -> History:
        """Parse the file; a line that somebody has spoilt is passed over."""
        return cls(tuple(_parse_lines(letters)))

    def record(self, before: str, after: str, question: str, what: str, undoes: int = 0) -> KeptEdit:
        """Return the record of an edit from one state of the file to the next."""
        start = _count_shared(before, after)
        end = _count_shared(before[start:][::-1], after[start:][::-1])
        return KeptEdit(
            number=1 + max((edit.number for edit in self.edits), default=0),
            undoes=undoes,
            question=question,
            what=what,
            before=fingerprint(before),
            after=fingerprint(after),
            start=start,
            old=before[start : len(before) - end],
            new=after[start : len(after) - end],
        )

    def find_undoable(self, letters: str) -> KeptEdit | None:
        """Return the edit that left the file as it is, if there is one that was not undone."""
        undone, now = {edit.undoes for edit in self.edits}, fingerprint(letters)
        return next(
            (answer for answer in reversed(self._answers()) if answer.number not in undone and answer.after == now),
            None,
        )

    def undo(self, letters: str) -> tuple[KeptEdit, str]:
        """Return the edit to take back, and the letters before it. Raises NotUndone."""
        edit = self.find_undoable(letters)
        if edit is None:
            raise self.explain_refusal()
        before = letters[: edit.start] + edit.old + letters[edit.start + len(edit.new) :]
        if fingerprint(before) != edit.before:
            raise NotUndone(f"{HISTORY_FILE} was changed, and nothing was undone", "write the answer again")
        return edit, before

    def _answers(self) -> Sequence[KeptEdit]:
        return [edit for edit in self.edits if not edit.undoes]

    def explain_refusal(self) -> NotUndone:
        """Explain why nothing can be undone: there is nothing, or another program has changed the file since."""
        undone = {edit.undoes for edit in self.edits}
        last = next((answer for answer in reversed(self._answers()) if answer.number not in undone), None)
        if last is None:
            return NotUndone("there is nothing to undo", "the form has no edit of this source that still holds")
        what = f"clauses.yaml was changed by another program since the last answer of the form ({last.what})"
        return NotUndone(what, "undo that change where it was made, or write the answer again")


def fingerprint(letters: str) -> str:
    """Return the fingerprint of a file, by which the form knows that it is still the same."""
    return hashlib.sha256(letters.encode("utf-8")).hexdigest()


def _count_shared(text: str, other: str) -> int:
    """Count the letters with which both begin."""
    return next((at for at, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))


def _parse_lines(letters: str) -> Iterator[KeptEdit]:
    for line in letters.split("\n"):
        try:
            yield KeptEdit.model_validate_json(line)
        except ValidationError:
            continue
