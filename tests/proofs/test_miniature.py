"""The three-trick miniatures: a real position, its lawful deals, and players who choose what may be played."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from lab.players.arena import CAUTIOUS_PLAYER
from lab.survey.jit import INTERPRETED, count_bits_in_python
from proofs import miniature
from proofs.counterfactual import measure_profile
from proofs.miniature import (
    Miniature,
    compare_with_random,
    count_ways,
    iter_ways,
    list_miniature_surprises,
    sum_up_miniatures,
)
from proofs.strength import gather_company
from rulebook.model import Library

pytestmark = pytest.mark.slow
compiled = pytest.mark.skipif(INTERPRETED, reason="every line of the last tricks is played compiled")


@pytest.fixture(scope="module")
def small(library: Library) -> Iterator[Miniature]:
    yield next(miniature.iter_miniatures(gather_company(library, "PAM", 1785)))


def test_cards_lie_in_every_way_that_room_and_suits_allow_and_in_no_other() -> None:
    seats, room = [[0, 1], [0, 1, 2], [1, 2], [0, 2]], (2, 1, 1)
    found = [*iter_ways(seats, room)]
    by_hand = {
        way for way in permutations((0, 0, 1, 2)) if all(seat in some for seat, some in zip(way, seats, strict=True))
    }
    assert set(found) == by_hand and len(found) == len(by_hand) == count_ways(seats, room)


@compiled
def test_a_miniature_is_the_end_of_a_deal_in_which_every_player_holds_three_more_cards(small: Miniature) -> None:
    game = small.game
    assert 1 < game.deals <= miniature.MOST_WAYS and len(game.levels) == len(small.views) == miniature.FREE_CARDS
    first = small.views[0]
    assert first.cards.shape[0] == miniature.KNOWN_CARDS and len({*first.seats.tolist()}) == 1
    shown = sum(1 << int(card) for card in first.cards[:, 0])
    assert {count_bits_in_python(int(held) & ~shown) for held in first.held} == {3}
    assert (game.payoffs.sum(axis=0) <= 45).all()  # what is won comes from the others, or from the pool of 45


@compiled
def test_nobody_is_shown_more_than_his_own_cards_and_what_was_played(small: Miniature) -> None:
    for level, view in zip(small.game.levels, small.views, strict=True):
        rows = zip(view.seats.tolist(), view.held.tolist(), map(bytes, view.cards.T), strict=True)
        assert len({*rows}) == view.size == level.group.max() + 1  # one information set for all that looks the same


@compiled
def test_players_of_a_kind_choose_and_none_is_worse_off_for_answering_them(library: Library, small: Miniature) -> None:
    company = gather_company(library, "PAM", 1785)
    for kind in (CAUTIOUS_PLAYER, 4):
        profile = miniature.make_kind_profile(company, small, kind)
        for level, chances in zip(small.game.levels, profile, strict=True):
            assert np.allclose(np.bincount(level.group, chances), 1)
        assert (measure_profile(small.game, profile).gains >= -1e-9).all()
    solved = miniature.solve_game(small.game, 30)
    assert measure_profile(small.game, solved).exploitability < measure_profile(small.game, profile).exploitability


@compiled
def test_what_was_measured_is_read_again(library: Library, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(miniature, "_KEPT", tmp_path)
    found = miniature.measure_miniatures(library, "PAM", 2, 3, 1785, (CAUTIOUS_PLAYER,))
    monkeypatch.setattr(miniature, "solve_game", None)  # nothing is solved again
    assert miniature.measure_miniatures(library, "PAM", 2, 3, 1785, (CAUTIOUS_PLAYER,)) == found
    assert len({one["sizes"]["deal"] for one in found}) == 2
    assert sum_up_miniatures(found)["cautious"]["exploitability"] > 0


def test_means_and_intervals_are_those_of_the_miniatures() -> None:
    def one(net: float, gap: float) -> miniature.KindFigures:
        lines = {"random": {"exploitability": 4.0, "gap": 2.0}, "net": {"exploitability": net, "gap": gap}}
        return {"sizes": {"deal": 0}, "solution": {"exploitability": 0.0}, **lines}

    found = [one(2.0, 1.0), one(4.0, 0.0)]
    assert sum_up_miniatures(found)["net"] == {"exploitability": 3.0, "at least": 2.0, "at most": 4.0, "gap": 0.5}
    assert [*sum_up_miniatures(found)] == ["solution", "random", "net"]
    assert compare_with_random(found)["net"] == {"share": 0.75, "give or take": 0.49}


def test_what_is_not_as_expected_is_named() -> None:
    def found(solution: float, random: float, net: float, gap: float) -> dict[str, miniature.KindFigures]:
        lines = {"random": {"exploitability": random, "gap": gap}, "net": {"exploitability": net, "gap": gap}}
        return {"X": {"solution": {"exploitability": solution}, **lines}}

    kinds = (0, -2)
    assert not [*list_miniature_surprises(found(0.01, 3.0, 2.0, -0.01), kinds)]
    assert len([*list_miniature_surprises(found(0.03, 3.0, 3.0, -0.06), kinds)]) == 4
