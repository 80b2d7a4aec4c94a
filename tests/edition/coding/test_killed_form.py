"""The server is killed in the middle of a write: the answers are the old or the new ones, and can still be undone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from edition.coding.desk import CodingDesk
from tests.support.coding import FIRST, FIRST_ALONE, LAST, LAST_ALONE, fill_form, read_clauses_file
from tests.support.killing import hidden, killed_everywhere
from tests.support.library import CLAUSES, write_library
from tests.support.tiers import mark_for_release

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")]


def answer(home: Path) -> None:
    desk = CodingDesk(home / "sources")
    desk.write_answer("AAA", fill_form(desk.describe("AAA"), "Q003", **FIRST))


def take_back(home: Path) -> None:
    desk = CodingDesk(home / "sources")
    desk.undo("AAA", desk.describe("AAA")["seen"])


def lay(home: Path) -> None:
    write_library(home, deals=False)


def lay_answered(home: Path) -> None:
    lay(home)
    answer(home)


@pytest.mark.parametrize("every", [7, mark_for_release(1)])
@pytest.mark.parametrize(
    ("act", "begin", "old", "new"),
    [(answer, lay, CLAUSES, FIRST_ALONE), (take_back, lay_answered, FIRST_ALONE, CLAUSES)],
    ids=["an answer", "an undo"],
)
def test_clauses_are_old_or_new_wherever_the_server_was_killed(
    tmp_path: Path, act: Callable[[Path], None], begin: Callable[[Path], None], old: str, new: str, every: int
) -> None:
    outcomes = set()
    for home in killed_everywhere(tmp_path, act, begin, every):
        desk = CodingDesk(home / "sources")
        clauses_file = read_clauses_file(desk)
        assert clauses_file in (old, new), "never half of it"
        outcomes.add(clauses_file)
        state = desk.describe("AAA")  # the server is started again
        after = read_clauses_file(desk)
        assert after in (old, new) and (after == new or clauses_file == old), "what was written stays written"
        assert (state["undo"] is not None) == (after == FIRST_ALONE), "the history goes with it"
        desk.write_answer("AAA", fill_form(state, "Q003", **LAST))
        assert read_clauses_file(desk) == LAST_ALONE and hidden(home) == []
        take_back(home)
        assert read_clauses_file(desk) == after
    assert outcomes == {old, new}
