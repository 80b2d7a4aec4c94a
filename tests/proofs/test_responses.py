"""Best responses to nets: worlds, playouts, and what is gained."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from lab.players.arena import NET_PLAYER, PlayingCompany, deal_to_company, iter_turns, play_company
from lab.players.regret import select_turns
from lab.players.search import TurnPositions
from lab.survey.buffers import PlayedDeals
from lab.survey.jit import INTERPRETED
from proofs import responses
from proofs.responses import PLAYOUTS, READING, SEARCH, list_response_surprises, sum_up_gains
from proofs.strength import gather_company
from rulebook.model import Library

pytestmark = [pytest.mark.slow, pytest.mark.skipif(INTERPRETED, reason="nets are played compiled")]
NETS = np.full(4, NET_PLAYER)


@pytest.fixture(scope="module")
def company(library: Library) -> PlayingCompany:
    return gather_company(library, "PAM", 1785)


@pytest.fixture(scope="module")
def played(company: PlayingCompany) -> Iterator[PlayedDeals]:
    yield play_company(company, deal_to_company(company, range(8), NETS), NETS)


@pytest.fixture(scope="module")
def late(company: PlayingCompany, played: PlayedDeals) -> tuple[int, TurnPositions]:
    """A turn in the ninth trick, with the number of its deal."""
    for deals, turns in iter_turns(company, played, 8, 8):
        if turns.cards.shape[0] >= 33:
            return int(deals[0]), select_turns(turns, np.array([0]))
    raise AssertionError("nobody has a choice in the last tricks")


def test_a_table_of_nets_plays_as_the_arena_has_them(company: PlayingCompany, played: PlayedDeals) -> None:
    dealt = deal_to_company(company, range(8), NETS)
    again = responses.play_response(company, dealt, 0, 0, lambda where: where.seats)
    assert (again.cards == played.cards).all() and (again.told == played.told).all()


def test_nets_would_have_played_so_more_often_where_the_cards_lie_as_they_did(
    company: PlayingCompany, played: PlayedDeals, late: tuple[int, TurnPositions]
) -> None:
    deal, turn = late
    true = played.hands[:, deal][:, None, None]
    worlds, _ = responses.draw_turn_worlds(company.coded, turn, np.ones(1, np.int64), 64, 3)
    both = np.concatenate([np.ascontiguousarray(true), worlds], axis=2)
    strange = responses.count_strange_choices(company, turn, both)[0]
    assert strange[0] < strange[1:].mean()  # not 0: what the others laid away he does not know


def test_the_worlds_that_are_kept_are_the_likely_ones(company: PlayingCompany, late: tuple[int, TurnPositions]) -> None:
    _, turn = late
    drawn = responses.draw_turn_worlds(company.coded, turn, np.ones(1, np.int64), 32, 3)
    kept = responses.keep_likely_worlds(company, turn, drawn, 8)
    strange, all_of_them = (
        np.sort(responses.count_strange_choices(company, turn, hands)[0]) for hands in (kept[0], drawn[0])
    )
    assert kept[1].shape == (1, 8) and (strange == all_of_them[:8]).all()


def test_a_playout_by_nets_goes_on_as_the_nets_did(
    company: PlayingCompany, played: PlayedDeals, late: tuple[int, TurnPositions]
) -> None:
    """With the cards as they lie, the card that was played leads to the deal that was played, if asides matter not."""
    deal, turn = late
    step = turn.cards.shape[0]
    lane = responses.allocate_lanes(1, tuple(map(int, company.coded)))
    lane.hands[:, 0] = played.hands[:, deal]
    chosen = np.zeros(1, np.int64), played.cards[step, deal : deal + 1].astype(np.int64)
    responses.play_out_by_nets(company, turn, chosen, lane)
    assert sorted(lane.cards[:, 0].tolist()) == sorted(played.cards[:, deal].tolist())
    assert (lane.cards[: step + 1, 0] == played.cards[: step + 1, deal]).all()


def test_every_card_that_may_be_played_is_weighed_in_every_world(
    company: PlayingCompany, late: tuple[int, TurnPositions]
) -> None:
    _, turn = late
    for reads in (False, True):
        found = responses.weigh_by_nets(company, turn, 4, 1, reads)
        assert found.worth.shape == (found.card.size, 4) and found.card.size > 1
        assert int(turn.held[0]) >> int(found.choose(1)[0]) & 1


def test_what_was_measured_is_read_again(library: Library, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(responses, "_KEPT", tmp_path)
    found = responses.measure_responses(library, "PAM", 2, 2, 1)
    monkeypatch.setattr(responses, "play_response", None)  # nothing is played again
    assert responses.measure_responses(library, "PAM", 2, 2, 1) == found
    assert [*found] == [SEARCH, PLAYOUTS, READING]


def test_gains_are_summed_up_by_source_and_of_all_in_hundredths_of_the_pool() -> None:
    one, other = ({name: [each, 2 * each] for name in (SEARCH, PLAYOUTS, READING)} for each in (1.0, 4.0))
    found = responses.sum_up_sources({"X": one, "Y": other}, {"X": 10, "Y": 20})
    assert [*found] == [responses.ALL_SOURCES, "X", "Y"]
    assert found["Y"][SEARCH]["gain a deal"] == 6.0
    assert found[responses.ALL_SOURCES][READING] == {
        "deals from four seats": 2,
        "gain a deal": 22.5,
        "give or take": 14.7,
    }


def test_gains_and_surprises() -> None:
    assert sum_up_gains([2.0, 4.0]) == {"deals from four seats": 2, "gain a deal": 3.0, "give or take": 1.96}
    rising = {name: {"gain a deal": at, "give or take": 0.5} for at, name in enumerate((SEARCH, PLAYOUTS, READING), 1)}
    assert not [*list_response_surprises({"X": rising})]
    level = {**rising, READING: {"gain a deal": 2, "give or take": 2.5}}
    assert len([*list_response_surprises({"X": level})]) == 2
