"""Drawings of choices: what is equal is drawn once, and a fork stands only where something depends on it."""

from __future__ import annotations

from itertools import product

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
