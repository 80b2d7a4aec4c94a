"""A hand thrown down, its player claiming the remaining tricks (Q223): who pays, and who may direct it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from engine.cards import parse_card_name
from engine.deal.events import Fault
from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from engine.session.session import begin, turn_deal
from engine.settlement.settle import Unanswered, settle
from tests.support.cases import case
from tests.support.deals import entries, lay_deal, paid
from tests.support.settling import Refuse, Rules, Settle

SOUTH, EAST, NORTH, WEST = range(4)
PAYS, DIRECTS, BOTH = (
    f"play.thrown-down=[{words}]"
    for words in ("pays-for-thrown-cards", "breaker-directs", "pays-for-thrown-cards, breaker-directs")
)


def thrown_off() -> Deal:
    """East throws the quinola off on north's trick, the fifth."""
    return lay_deal(tricks={5: "north:KC! east:JH"}, takers={4: "north", 6: "west"})


def thrown_down(trick: int, seat: int = SOUTH, directed: int | None = None, deal: Deal | None = None) -> Deal:
    return replace(deal or thrown_off(), faults=(Fault("thrown-down", seat, trick, directed=directed),))


@pytest.mark.parametrize(("trick", "payer"), [(4, "south"), (5, "south"), (6, "north")])
def test_who_threw_the_hand_down_pays_for_what_is_thrown_off_from_then_on(
    settles: Settle, trick: int, payer: str
) -> None:
    settled = settles(thrown_down(trick), "PAM", PAYS)
    once = paid(settles(thrown_off(), "PAM"), "thrown-off", of="JH")[("north", "east")]
    assert paid(settled, "thrown-off", of="JH") == {(payer, "east"): once}
    (entry,) = [e for e in entries(settled, "thrown-off") if e.fact.kind == "quinola"]
    assert "play.thrown-down" in entry.asked


def test_hoy_s0039_for_a_card_that_has_been_placed_before_its_taker_pays_or_by_hoy_i21_who_throws_down(
    settles: Settle,
) -> None:
    deal = case(
        "hoy-thrown-down"
    )  # north has thrown off the ace of diamonds in the third trick, east gives up in the sixth
    assert paid(settles(deal, "HOY"), "thrown-off", of="AD") == {("west", "north"): 2}
    rival = settles(deal, "HOY", "HOY.i21")
    assert paid(rival, "thrown-off", of="AD") == {("east", "north"): 2}
    (entry,) = [e for e in entries(rival, "thrown-off") if e.fact.card == parse_card_name("AD")]
    assert "play.thrown-down" in entry.asked


def test_the_stake_that_the_quinola_draws_comes_from_the_pool_all_the_same(settles: Settle) -> None:
    stakes = [paid(settles(deal, "PAM", PAYS), "draws-stake") for deal in (thrown_down(4), thrown_off())]
    assert stakes[0] == stakes[1] == {("pool", "east"): 60}


def test_a_player_opposite_is_paid_double_by_who_threw_the_hand_down(settles: Settle) -> None:
    opposite = settles(thrown_down(4, WEST), "PAM", PAYS)
    neighbour = settles(thrown_down(4, SOUTH), "PAM", PAYS)
    (double,), (single,) = (paid(one, "thrown-off", of="JH").values() for one in (opposite, neighbour))
    assert double == 2 * single


def test_for_their_own_card_who_threw_the_hand_down_is_paid_by_the_taker(settles: Settle) -> None:
    settled = settles(thrown_down(4, EAST), "PAM", PAYS)
    assert set(paid(settled, "thrown-off", of="JH")) == {("north", "east")}


def test_where_another_consequence_follows_the_taker_pays(settles: Settle) -> None:
    for words in (DIRECTS, "play.thrown-down=[played-out]"):
        assert set(paid(settles(thrown_down(4), "PAM", words), "thrown-off", of="JH")) == {("north", "east")}


def test_a_source_that_says_nothing_does_not_settle_it(rules: Rules) -> None:
    found = settle(thrown_down(4), rules("PAM"))
    assert isinstance(found, Unanswered) and found.silent.question == "play.thrown-down"


# ---- a reversis that might be broken


@cache
def reversis(broken_in: int = 0) -> Deal:
    """South takes every trick, but perhaps one, which west takes."""
    taker = dict.fromkeys(range(1, 12), "south")
    return lay_deal(takers={**taker, **({broken_in: "west"} if broken_in else {})})


@pytest.mark.slow
def test_who_might_break_a_reversis_directs_how_the_hand_is_played(settles: Settle) -> None:
    settled = settles(thrown_down(10, SOUTH, WEST, reversis(11)), "PAM", BOTH)
    assert settled.outcome.reversis == (SOUTH, False, (WEST,))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trick", "seat", "directed"),
    [(9, SOUTH, WEST), (10, SOUTH, SOUTH), (10, EAST, WEST)],
    ids=["a trick was lost before", "oneself", "another has the tricks"],
)
def test_nobody_directs_where_no_reversis_might_be_broken(
    refuses: Refuse, trick: int, seat: int, directed: int
) -> None:
    deal = reversis(8 if trick == 9 else 11)
    (refusal,) = refuses(thrown_down(trick, seat, directed, deal), "PAM", BOTH).refusals
    names = deal.seats
    assert refusal.message == f"trick {trick}: {names[directed]} may not direct how {names[seat]}'s cards are played"
    assert (refusal.asked, refusal.trick, refusal.seat) == (("play.thrown-down",), trick, directed)


@pytest.mark.slow
def test_the_trick_before_which_the_hand_is_thrown_down_may_be_the_first_that_is_lost(settles: Settle) -> None:
    assert settles(thrown_down(8, SOUTH, WEST, reversis(8)), "PAM", DIRECTS)
    assert settles(thrown_down(1, SOUTH, WEST, reversis(1)), "PAM", DIRECTS)


@pytest.mark.parametrize("words", [PAYS, "play.thrown-down=[played-out]", "play.thrown-down=[]"])
def test_nobody_directs_where_the_source_does_not_say_so(refuses: Refuse, words: str) -> None:
    found = refuses(thrown_down(10, SOUTH, WEST, reversis(11)), "PAM", words)
    assert [refusal.message for refusal in found.refusals] == [
        "trick 10: west may not direct how south's cards are played"
    ]


# ---- the record


def test_it_goes_there_and_back_and_round_the_table(rules: Rules) -> None:
    deal = thrown_down(10, SOUTH, SOUTH + 3, reversis(11))
    raw = write_deal(deal)
    assert raw["faults"] == [{"kind": "thrown-down", "seat": "south", "trick": 10, "directed": "west"}]
    assert read_deal(raw)[0] == deal
    first = replace(deal, faults=(Fault("thrown-down", WEST, 10, directed=SOUTH),))
    assert write_deal(first)["faults"] == [{"kind": "thrown-down", "seat": "west", "trick": 10, "directed": "south"}]
    session = begin(rules("PAM"), deal.seats, (deal.dealer + 1) % 4).after
    assert turn_deal(first, session).faults == (Fault("thrown-down", SOUTH, 10, directed=EAST),)
    assert turn_deal(thrown_down(10), session).faults == (Fault("thrown-down", EAST, 10),)


def test_who_directs_sits_at_the_table() -> None:
    raw = {
        **write_deal(thrown_off()),
        "faults": [{"kind": "thrown-down", "seat": "south", "trick": 3, "directed": "x"}],
    }
    assert [one.what for one in read_deal(raw)[1]] == ["no seat 'x'"]
