"""Counterfactual regret: games whose solution is known."""

from __future__ import annotations

import numpy as np

from proofs.counterfactual import (
    SmallGame,
    find_worth,
    make_level,
    make_uniform_profile,
    measure_gap,
    measure_profile,
    respond_best,
    solve_game,
)


def make_matrix_game(first: list[list[float]]) -> SmallGame:
    """Two players choose at the same time: the second does not see what the first has done."""
    rows, columns = np.shape(first)
    nothing = np.zeros(rows, np.int64)
    one = make_level(nothing, nothing, np.arange(rows), nothing)
    parent = np.repeat(np.arange(rows), columns)
    other = make_level(parent, np.zeros_like(parent), np.tile(np.arange(columns), rows), np.ones_like(parent))
    won = np.array(first).ravel()
    return SmallGame(1, (one, other), np.stack([won, -won]))


def make_card_game() -> SmallGame:
    """One of two cards is dealt to the first player; he names one; the second, who saw the name only, says yes or no.

    A yes to the card wins 1 from the first player, a wrong yes loses 1, a no is worth nothing.
    """
    deals = np.array([0, 0, 1, 1])
    one = make_level(deals, deals, np.array([0, 1, 0, 1]), np.zeros(4, np.int64))
    parent = np.repeat(np.arange(4), 2)
    yes = np.tile([1, 0], 4)
    other = make_level(parent, one.card[one.action[parent]], yes, np.ones(8, np.int64))
    right = np.repeat(np.where([True, False, False, True], 1.0, -1.0), 2) * yes
    return SmallGame(2, (one, other), np.stack([-right, right]))


def test_rock_paper_scissors_with_a_rock_that_wins_double_has_its_known_solution() -> None:
    game = make_matrix_game([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    profile = solve_game(game, 5000)
    assert np.allclose(profile[0], [0.25, 0.5, 0.25], atol=0.01)
    assert np.allclose(find_worth(game, profile), 0, atol=0.01)
    assert measure_profile(game, profile).exploitability < 0.01


def test_the_gains_of_a_profile_are_those_of_the_responsess() -> None:
    game = make_matrix_game([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    found = measure_profile(game, make_uniform_profile(game))
    assert np.allclose(found.worth, 0)
    assert np.allclose(found.gains, [1 / 3, 1 / 3])  # rock wins a third from whoever chooses at random
    assert np.isclose(found.exploitability, 2 / 3)


def test_a_responses_knows_the_strategy_and_not_the_cards() -> None:
    game = make_card_game()
    honest = make_uniform_profile(game)
    assert np.isclose(measure_profile(game, honest).gains[1], 0)  # the name tells nothing, and he sees no card
    truthful = (np.array([1.0, 0.0, 0.0, 1.0]), honest[1])
    answer = respond_best(game, truthful, 1)
    assert np.isclose(find_worth(game, answer)[1], 1)  # now the name tells all
    assert np.isclose(find_worth(game, respond_best(game, answer, 0))[0], 1)  # and who lies, wins
    assert np.isclose(measure_profile(game, solve_game(game, 2000)).exploitability, 0, atol=0.01)


def test_a_player_of_the_same_profile_is_behind_by_nothing() -> None:
    game = make_matrix_game([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    even = make_uniform_profile(game)
    scissors = (np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0]))
    assert measure_gap(game, even, even) == 0
    assert np.isclose(measure_gap(game, scissors, even), 1 / 3)
