"""Trying the ways to take the rules: what is noted, what is told, and in which order."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from engine.interpretation.explore import (
    find_smallest_decision_sets,
    make_source_explorer,
    spell_out_ways,
)
from rulebook.model import Library
from tests.support.deals import lay_deal


def decision(clause: str, *readings: str) -> Any:
    return SimpleNamespace(clause=clause, readings=readings, questions=(), answers=())


def knot(ways: list[tuple[int, ...]], *decisions: Any) -> Any:
    def apart(one: int, other: int) -> frozenset[int]:
        return frozenset(at for at, (a, b) in enumerate(zip(ways[one], ways[other], strict=True)) if a != b)

    return SimpleNamespace(ways=ways, decisions=decisions, apart=apart)


AB = [decision("a", "a0", "a1"), decision("b", "b0", "b1")]
FOUR = [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_options_are_explored_only_where_they_are_asked_for(library: Library) -> None:
    deal = lay_deal(heart_first=True, seed=3)

    def clauses(*how: bool) -> set[str]:
        return {one.clause for knot in make_source_explorer(library, "GER", deal, *how).knots for one in knot.decisions}

    assert clauses() == clauses(False) < clauses(True)


def test_the_smallest_sets_are_those_that_no_smaller_one_is_part_of() -> None:
    three = [decision(name, "0", "1") for name in "abc"]
    ways = [(0, 0, 0), (1, 1, 0), (0, 1, 1)]
    assert find_smallest_decision_sets(knot(ways, *three), [(0, 1)]) == [("a",), ("b",)]
    assert find_smallest_decision_sets(knot(ways, *three), [(0, 1), (0, 2)]) == [("a", "c"), ("b",)]
    assert find_smallest_decision_sets(knot(ways, *three), [(0, 1), (0, 1)]) == [("a",), ("b",)]


def test_a_decision_that_may_be_taken_anyhow_is_not_named() -> None:
    whole = knot(FOUR, *AB)
    assert spell_out_ways(whole, (0, 1)) == [(("a", ("a0",)),)]
    assert spell_out_ways(whole, (1, 3)) == [(("b", ("b1",)),)]
    assert spell_out_ways(whole, (0, 1, 2, 3)) == [()]
    assert spell_out_ways(whole, (0, 3)) == [(("a", ("a0",)), ("b", ("b0",))), (("a", ("a1",)), ("b", ("b1",)))]
