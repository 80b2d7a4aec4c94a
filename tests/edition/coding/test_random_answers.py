"""A thousand random answers of the form: only the lines of their clause change, and undoing them brings all back."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from edition.coding.desk import CodingDesk, NotWritten
from edition.coding.form_rows import FORM_COLUMNS, FormAnswer
from tests.support.coding import mark_words, read_clauses_file
from tests.support.library import CLAUSES, write_library
from tests.support.tiers import sample

TYPED = ("0", "1", "2", "[1]", "[]", "{}", "{times: 2}", "JH", "S", "none", "AKQJT98765432")
REASONS = ("", "Because it says so.", "A reason:\nin two lines, with 'quotes' and \"others\".", "- # : {", "ſ é &")


def make_random_answer(rng: random.Random, state: dict[str, Any]) -> FormAnswer:
    """An answer that a coder might send: mostly of the right kind, with words that were marked, and a reason."""
    row = rng.choice(state["rows"])
    question = next(one for one in state["questions"] if one["id"] == row["question"])
    cells = {name: row["cells"].get(name, "") for name in FORM_COLUMNS}
    readings = [name for name, _ in question["readings"]] or [*TYPED, cells["answer"] or "0"]
    cells["answer"] = rng.choice([*readings, cells["answer"] or "?", "-", "n/a", "?"])
    cells["status"] = rng.choice(["stated", "stated", "implied", "denied", "silent", cells["status"]])
    cells |= {"because": rng.choice(REASONS), "note": rng.choice(["", cells["note"], "A note."])}
    cells |= {"certainty": rng.choice(["high", "medium", "low"]), "taken_from": rng.choice(["", "logic"])}
    marked = None
    if rng.random() < 0.7:
        sentence = rng.choice([one for one in state["sentences"] if one["text"]])
        words = sentence["text"].split()
        first = rng.randrange(len(words))
        some = " ".join(words[first : first + rng.randint(1, 6)])
        if some.strip(",.;:&"):
            marked = mark_words(state, sentence["id"], some)
            cells |= {"words": some, "place": sentence["id"]}
    together = rng.random() < 0.3
    return FormAnswer(
        seen=row["seen"],
        question=row["question"],
        clause=row["clause"],
        cells=cells,
        marked=marked,
        together=together,
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(100), every=20))
def test_random_answers_undone_leave_every_byte_as_it_was(seed: int, tmp_path: Path) -> None:
    rng, desk = random.Random(seed), CodingDesk(write_library(tmp_path, deals=False))
    states = [CLAUSES]
    for _ in range(12):
        state = desk.describe("AAA")
        try:
            desk.write_answer("AAA", make_random_answer(rng, state))
        except NotWritten:
            continue
        if read_clauses_file(desk) != states[-1]:
            states.append(read_clauses_file(desk))
    assert len(states) > 1
    while len(states) > 1:
        states.pop()
        desk.undo("AAA", desk.describe("AAA")["seen"])
        assert read_clauses_file(desk) == states[-1]
