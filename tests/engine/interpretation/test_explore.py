"""Trying the ways to take the rules: what is noted, what is told, and in which order."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.interpretation.decision_diagram import (
    Branch,
    Drawings,
    Fork,
    find_way_partings,
    follow_choices,
    list_end_values,
    walk_branches,
)
from engine.interpretation.explore import find_smallest_decision_sets, make_source_explorer, spell_out_ways
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


WAYS = (2, 3, 2)  #: three choices, in so many ways each
ALL = tuple(product(*map(range, WAYS)))
tables = st.lists(st.integers(0, 3), min_size=len(ALL), max_size=len(ALL)).map(
    lambda row: dict(zip(ALL, row, strict=True))
)
orders = st.permutations(range(len(WAYS)))


def draw(sheet: Drawings, table: dict[tuple[int, ...], int], order: tuple[int, ...] = (0, 1, 2)) -> Branch:
    """A table as a drawing, the choices being made in this order."""

    def at(made: dict[int, int]) -> Branch:
        if len(made) == len(WAYS):
            return sheet.end(table[tuple(made[n] for n in range(len(WAYS)))])
        choice = order[len(made)]
        return sheet.choose(choice, [at({**made, choice: way}) for way in range(WAYS[choice])])

    return at({})


def told(branch: Branch) -> dict[tuple[int, ...], object]:
    return {way: follow_choices(branch, lambda choice, way=way: way[choice]) for way in ALL}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables, orders)
def test_a_drawing_says_what_was_drawn_and_is_the_same_in_whatever_order(
    table: dict[tuple[int, ...], int], order: list[int]
) -> None:
    sheet = Drawings()
    assert told(draw(sheet, table)) == table
    assert draw(sheet, table, tuple(order)) is draw(sheet, table)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(tables)
def test_a_fork_stands_where_something_depends_on_it_and_nowhere_else(table: dict[tuple[int, ...], int]) -> None:
    branch = draw(Drawings(), table)
    differ: dict[int, set[tuple[int, int]]] = {}
    for one, other in product(ALL, ALL):
        apart = [n for n in range(len(WAYS)) if one[n] != other[n]]
        if len(apart) == 1 and one < other and table[one] != table[other]:
            differ.setdefault(apart[0], set()).add((one[apart[0]], other[apart[0]]))
    assert find_way_partings(branch) == differ
    assert {one.choice for one in walk_branches(branch) if isinstance(one, Fork)} == set(differ)
    assert set(list_end_values(branch)) == set(table.values()) and len(list_end_values(branch)) == len(
        set(table.values())
    )
