"""Answers of the form for tests: a desk of an invented library, and what is sent to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from edition.coding.desk import CodingDesk
from edition.coding.form_rows import FORM_COLUMNS, FormAnswer, Marked
from rulebook.sheets.columns import WORD_COLUMNS
from tests.support.library import CLAUSES

#: Answers to Q003, with what their numbers come from.
FIRST = {"answer": "[1]", "computation": "premiere levée = 1"}
LAST = {"answer": "[-1]", "computation": "derniere = -1"}
BOTH = {"answer": "[1, -1]", "computation": "premiere levée = 1, derniere = -1"}

FIRST_ALONE = CLAUSES.replace("toll.tricks: [1, -1]", "toll.tricks: [1]").replace(
    BOTH["computation"], FIRST["computation"]
)
LAST_ALONE = FIRST_ALONE.replace("[1]\n", "[-1]\n", 1).replace(FIRST["computation"], LAST["computation"])


def read_clauses_file(desk: CodingDesk, siglum: str = "AAA") -> str:
    """The letters of clauses.yaml as they are on the disk."""
    return (desk.root / siglum / "clauses.yaml").read_bytes().decode("utf-8")


def find_row(state: dict[str, Any], question: str) -> dict[str, Any]:
    """The first row of a question."""
    return next(row for row in state["rows"] if row["question"] == question)


def fill_form(state: dict[str, Any], question: str, **more: Any) -> FormAnswer:
    """What the form sends: the row of a question, with other cells, a mark, or for all questions of its clause."""
    row = find_row(state, question)
    cells = {name: row["cells"].get(name, "") for name in FORM_COLUMNS}
    marked, together, rival = more.pop("marked", None), more.pop("together", False), more.pop("rival", None)
    further = more.pop("further", ())
    for (words, place), one in zip(WORD_COLUMNS, (marked, *further), strict=False):
        cells |= {words: one.exact, place: one.first} if one else {}
    cells |= more
    host = rival.goes_with if rival else ""
    return FormAnswer(
        seen=row["seen"],
        seen_with=find_row(state, host)["seen"] if host else "",
        question=question,
        clause=row["clause"],
        cells=cells,
        marked=marked,
        further=further,
        rival=rival,
        together=together,
    )


def mark_words(state: dict[str, Any], sentence: str, words: str, nth: int = 0) -> Marked:
    """Words of one sentence, marked where they stand for the first time, or the next."""
    text = next(one["text"] for one in state["sentences"] if one["id"] == sentence)
    at = text.index(words)
    for _ in range(nth):
        at = text.index(words, at + 1)
    return Marked(first=sentence, last=sentence, start=at, end=at + len(words), exact=words)


def write_by_hand(path: Path, old: str, new: str) -> None:
    """Change a file in an editor."""
    letters = path.read_text(encoding="utf-8")
    assert letters.count(old) == 1
    path.write_text(letters.replace(old, new), encoding="utf-8", newline="\n")
