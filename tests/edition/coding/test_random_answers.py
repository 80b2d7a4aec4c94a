"""A thousand random answers of the form: only the lines of their clause change, and undoing them brings all back."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from edition.coding.answers import FORM_COLUMNS, FormAnswer, plan_answer
from edition.coding.source_state import CodingDesk, NotWritten
from edition.coding.state import describe_rows, describe_source
from rulebook.clause_edits import CannotEdit, read_clause_fields, read_clause_lines
from rulebook.sheets.context import SheetContext
from tests.support.coding import mark_words, read_clauses_file
from tests.support.library import CLAUSES, write_library
from tests.support.settling import SIGLA
from tests.support.sheets import context_of
from tests.support.tiers import sample

TYPED = ("0", "1", "2", "[1]", "[]", "{}", "{times: 2}", "JH", "S", "none", "AKQJT98765432")
REASONS = ("", "Because it says so.", "A reason:\nin two lines, with 'quotes' and \"others\".", "- # : {", "ſ é &")


def describe(context: SheetContext) -> dict[str, Any]:
    """A source as the form knows it, without a disk."""
    return describe_source(context) | {"rows": describe_rows(context)}


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


def apply(context: SheetContext, given: FormAnswer) -> str | None:
    """The letters after an answer; None if it is refused."""
    try:
        edits = plan_answer(context, given)
        return None if edits.problems else edits.apply(context.letters)
    except CannotEdit:
        return None


def written(rng: random.Random, context: SheetContext) -> tuple[FormAnswer, str]:
    """A random answer that is not refused, and the letters after it."""
    state = describe(context)
    for _ in range(60):
        given = make_random_answer(rng, state)
        after = apply(context, given)
        if after is not None and after != context.letters:
            return given, after
    raise AssertionError("all are refused")


@pytest.mark.parametrize("seed", sample(range(1000), every=50))
def test_a_random_answer_replaces_only_the_lines_of_its_clause(seed: int) -> None:
    rng = random.Random(seed)
    context = context_of(SIGLA[seed // 50 % len(SIGLA)])
    given, after = written(rng, context)
    before, now = read_clause_fields(context.letters), read_clause_fields(after)
    others = [id for id in before if id != given.clause]
    assert [id for id in now if id in others] == others, "none is gone, and they stand in their order"
    changed = [id for id in others if read_clause_lines(after, id) != read_clause_lines(context.letters, id)]
    assert changed == []
    assert strip_clauses(after, {*now} - {*others}) == strip_clauses(context.letters, {given.clause})
    assert not Counter(list_comments(context.letters)) - Counter(list_comments(after)), "every comment is kept"


def strip_clauses(letters: str, ids: set[str]) -> list[str]:
    """The lines of a file but those of some clauses, and empty ones."""
    for id in ids:
        if lines := read_clause_lines(letters, id) if id in letters else "":
            assert letters.count(lines) == 1
            letters = letters.replace(lines, "")
    return [line for line in letters.split("\n") if line.strip()]


def list_comments(letters: str) -> list[str]:
    return [line for line in letters.split("\n") if line.startswith("#")]


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
