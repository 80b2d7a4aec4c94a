"""Sharing out a difference: exact, without favour, and what trying every order would give."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.comparison.shapley import compute_shapley_shares
from engine.interpretation.decision_diagram import Branch, Drawings

Game = Mapping[tuple[int, ...], int]

SIZE = 4
ALL = tuple(product((0, 1), repeat=SIZE))
games = st.lists(st.integers(-9, 9), min_size=len(ALL), max_size=len(ALL)).map(
    lambda row: dict(zip(ALL, row, strict=True))
)
few = settings(max_examples=25, deadline=None, derandomize=True)


def drawn(game: Game) -> Branch:
    """A game as a drawing; the numbers of its choices have gaps."""
    sheet = Drawings()

    def at(made: tuple[int, ...]) -> Branch:
        if len(made) == SIZE:
            return sheet.end(game[made])
        return sheet.choose(3 * len(made) + 1, [at((*made, way)) for way in (0, 1)])

    return at(())


def by_player(game: Game) -> list[Fraction]:
    shapley_shares = compute_shapley_shares(drawn(game))
    return [shapley_shares.get(3 * at + 1, Fraction(0)) for at in range(SIZE)]


def by_orders(game: Game) -> list[Fraction]:
    """What each adds when he comes, on the mean of all orders, tried one by one."""
    added = [Fraction(0)] * SIZE
    orders = list(permutations(range(SIZE)))
    for order in orders:
        here = [0] * SIZE
        for at in order:
            before = game[tuple(here)]
            here[at] = 1
            added[at] += game[tuple(here)] - before
    return [sum_ / len(orders) for sum_ in added]


@pytest.mark.slow
@few
@given(games)
def test_shares_are_the_mean_over_all_orders(game: Game) -> None:
    assert by_player(game) == by_orders(game)


@few
@given(games)
def test_shares_sum_to_the_difference(game: Game) -> None:
    assert sum(by_player(game)) == game[1, 1, 1, 1] - game[0, 0, 0, 0]


@few
@given(games, st.integers(0, SIZE - 1))
def test_who_changes_nothing_has_no_share(game: Game, idle: int) -> None:
    without = {way: game[(*way[:idle], 0, *way[idle + 1 :])] for way in ALL}
    assert by_player(without)[idle] == 0
    assert 3 * idle + 1 not in compute_shapley_shares(drawn(without))


@few
@given(games, st.permutations(range(SIZE)))
def test_who_comes_to_the_same_has_the_same_share(game: Game, order: list[int]) -> None:
    turned = {tuple(way[at] for at in order): number for way, number in game.items()}
    assert by_player(turned) == [by_player(game)[at] for at in order]
    alike = {way: game[tuple(sorted(way))] for way in ALL}  # only how many have come matters
    assert len(set(by_player(alike))) == 1


@few
@given(games, games)
def test_shares_of_two_differences_add_up(one: Game, other: Game) -> None:
    both = {way: one[way] + other[way] for way in ALL}
    assert by_player(both) == [a + b for a, b in zip(by_player(one), by_player(other), strict=True)]


def test_without_a_choice_there_is_nothing_to_share() -> None:
    assert compute_shapley_shares(Drawings().end(7)) == {}


def test_two_who_need_each_other_share_alike() -> None:
    sheet = Drawings()
    together = sheet.choose(0, [sheet.end(0), sheet.choose(1, [sheet.end(0), sheet.end(5)])])
    assert compute_shapley_shares(together) == {0: Fraction(5, 2), 1: Fraction(5, 2)}
