"""The tournament of the players: what it measures, and what it says when something is not as expected."""

from __future__ import annotations

import pytest

from lab.players.arena import CAUTIOUS_PLAYER, NET_PLAYER, RANDOM_PLAYER
from proofs import strength
from proofs.strength import Match
from reversis.files.counsel import MARGIN
from reversis.files.strength import NET_AHEAD, NET_MATCH
from rulebook.model import Library


@pytest.mark.release  # a tournament is played compiled
def test_a_match_is_measured_once_and_then_read(library: Library, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(strength, "_KEPT", tmp_path)
    ladder = (Match(CAUTIOUS_PLAYER, RANDOM_PLAYER), Match(2, CAUTIOUS_PLAYER, 0.5))
    found = strength.measure_strength(library, "PAM", 8, 1, ladder)
    one, other = found["cautious against random"], found["search 2 against cautious"]
    assert (one["deals from four seats"], other["deals from four seats"]) == (8, 4)
    assert one["give or take"] > 0
    assert {NET_AHEAD, MARGIN} <= {*one} and str(Match(NET_PLAYER, CAUTIOUS_PLAYER)) == NET_MATCH, "as pages read them"
    monkeypatch.setattr(strength, "play_match", None)  # nothing is played again
    assert strength.measure_strength(library, "PAM", 8, 1, ladder) == found


def test_what_is_not_as_expected_is_named() -> None:
    weak = {"more than the others": 0.5, "give or take": 0.6, "wins a deal": 1.0}
    sound = {"more than the others": 0.7, "give or take": 0.6, "wins a deal": 4.5}
    match = Match(64, CAUTIOUS_PLAYER)
    assert [*strength.list_surprises({"X": {str(match): weak}}, {"X": 45}, [match])] == [
        "X: search 64 against cautious is not clearly ahead",
        "X: search 64 against cautious wins less than a tenth of the first pool",
    ]
    assert not [*strength.list_surprises({"X": {str(match): sound}}, {"X": 45}, [match])]


@pytest.mark.release  # every line of the last tricks is played compiled
def test_in_the_last_four_tricks_nobody_does_better_than_the_best_card(library: Library, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(strength, "_KEPT", tmp_path)
    found = strength.measure_endgames(library, "PAM", 8, 1, (RANDOM_PLAYER, CAUTIOUS_PLAYER))
    for one in found.values():
        assert one["deals"] == 2 and 0 < one["choices"] <= 2 * 12
        assert one["regret a deal"] >= 0 and 0 <= one["best card in a hundred"] <= 100
        assert (one["regret a deal"] == 0) == (one["best card in a hundred"] == 100)
    assert found["random"]["regret a deal"] > 0


def test_a_weaker_player_who_loses_less_at_the_end_is_named() -> None:
    def losing(**lost: float) -> dict[str, strength.MatchFigures]:
        return {"X": {name: {"regret a deal": one} for name, one in lost.items()}}

    assert not [*strength.list_endgame_surprises(losing(random=3.0, cautious=2.0, net=1.0))]
    assert [*strength.list_endgame_surprises(losing(random=3.0, cautious=2.0, net=2.0))] == [
        "X: in the last four tricks net loses no less than cautious"
    ]
