"""Payments on a condition that a source states: a reversis that is made, an espagnolette forced by some hearts only."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from engine.cards import make_card_mask, parse_card_name
from engine.deal.model import Deal
from engine.play.table import has_privilege
from engine.readings.ask import Ask
from tests.support.cases import case
from tests.support.deals import entries, lay_deal, mixed, net, paid
from tests.support.random_deals import wished
from tests.support.settling import Rules, Settle

SPADES = [f"{rank}S" for rank in "AKQJ98765"]
IF_MADE = "reversis.returns=stakes-and-makers-own-if-made"
ONLY_ACE_OR_KING = "espagnolette.forced=only-by-ace-or-king"


@cache
def reversis(made: bool, thrown: str = "east:JH") -> Deal:
    """South takes nine tricks with spades, and all eleven or not; aces, and perhaps the quinola, are thrown on them."""
    rest = ["4S", "3S"] if made else ["2C"]
    tricks = {n: f"south:{card}!" for n, card in enumerate([*SPADES, *rest], 1)}
    tricks[3] += f" {thrown}"
    tricks[5] += " north:AD"
    if not made:
        tricks[10] += " east:KC"
    hands = {"east": "AC"} if made else {"south": "2C 2D"}
    return lay_deal(hands=hands, tricks=tricks)


def returned(deal: Deal, settles: Settle, *wishes: str) -> dict[tuple[str, str], int]:
    """What players give back to one another."""
    found = paid(settles(deal, "PAM", *wishes), "thrown-off-returned")
    return {way: amount for way, amount in found.items() if "pool" not in way}


def test_consolations_come_back_only_when_the_reversis_is_won(settles: Settle) -> None:
    assert returned(reversis(True), settles, IF_MADE)
    assert all(payee == "south" for _, payee in returned(reversis(True), settles, IF_MADE))
    assert returned(reversis(False), settles, IF_MADE) == {}
    assert returned(reversis(False), settles) != {}  # by a source that returns all


@pytest.mark.parametrize("made", [True, False])
def test_what_the_quinola_drew_goes_back_whether_the_reversis_is_won_or_not(settles: Settle, made: bool) -> None:
    settled = settles(reversis(made), "PAM", IF_MADE)
    assert paid(settled, "draws-stake") == {("pool", "east"): 60}
    assert paid(settled, "draws-stake-returned") == {("east", "pool"): 60}


@cache
def on_a_heart(led: str) -> Deal:
    """East holds the hand of an espagnolette and uses it; in trick 4 the quinola falls on a heart that south leads."""
    tricks = {4: f"south:{led}! east:JH", 2: "south:KC! east:AS"}
    hands = {"east": "AS AD AC JH 4H"}
    return lay_deal(
        hands=hands, tricks=tricks, takers={4: "north"}, never=("east",), revokes=[(2, "east")], where=mixed
    )


@pytest.mark.slow
def test_a_queen_does_not_force_an_espagnolette_where_only_ace_and_king_do(settles: Settle) -> None:
    queen = on_a_heart("QH")
    assert paid(settles(queen, "PAM"), "forced", of="JH")
    assert paid(settles(queen, "PAM", "espagnolette.forced=only-by-court-heart"), "forced", of="JH")
    spared = settles(queen, "PAM", ONLY_ACE_OR_KING)
    assert paid(spared, "forced", of="JH") == {} and paid(spared, "matches-stake") == {}
    assert [e.name for e in entries(spared, "matches-stake")] == ["quinola-put"]


@pytest.mark.slow
def test_a_king_forces_an_espagnolette_like_anyone(settles: Settle) -> None:
    king = on_a_heart("KH")
    assert net(settles(king, "PAM", ONLY_ACE_OR_KING)) == net(settles(king, "PAM"))
    assert paid(settles(king, "PAM", ONLY_ACE_OR_KING), "forced", of="JH")


# ---- which cards make an espagnolette
TWO_QUINOLAS = "espagnolette.hands=[{aces: 4, quinola: false}, {aces: 3, quinola: true}, {aces: 2, cards: [JH, QH]}]"


@pytest.mark.parametrize(("hand", "has"), [("AS AD JH QH", True), ("AS AD JH", False), ("AS JH QH", False)])
def test_cards_that_are_named_make_an_espagnolette(rules: Rules, hand: str, has: bool) -> None:
    ask = Ask(rules("PAM", TWO_QUINOLAS))
    held, quinola = make_card_mask(map(parse_card_name, hand.split())), make_card_mask([parse_card_name("JH")])
    assert has_privilege(held, quinola, ask) is has


def test_a_deal_with_an_espagnolette_of_named_cards_can_be_wished_for(rules: Rules) -> None:
    only = rules("PAM", "espagnolette.hands=[{aces: 2, cards: [JH, QH]}]")
    deal = wished(Random(3), only, "espagnolette won by east")
    assert {parse_card_name("JH"), parse_card_name("QH")} <= deal.hands[deal.seats.index("east")]


def test_hoy_s0021_in_a_reversis_an_espagnolette_pays_nothing_for_a_forced_quinola(settles: Settle) -> None:
    broken = case("hoy-espagnolette-last-card")  # east's knave falls on the three of hearts, and breaks west's reversis
    settled = settles(broken, "HOY")
    assert settled.outcome.reversis is not None and paid(settled, "forced", of="JH") == {}
    assert paid(settles(broken, "HOY", "espagnolette.forced=as-any-holder"), "forced", of="JH")[("east", "west")] > 0


@pytest.mark.slow
def test_hoy_s0011_each_time_a_quinola_is_forced_and_by_hoy_i30_by_ace_or_king_alone(settles: Settle) -> None:
    low, king = only_heart("9H"), only_heart("KH")
    assert paid(settles(low, "HOY"), "forced", of="JH") and paid(settles(king, "HOY"), "forced", of="JH")
    assert paid(settles(low, "HOY", "HOY.i30"), "forced", of="JH") == {}
    assert paid(settles(king, "HOY", "HOY.i30"), "forced", of="JH")


@cache
def only_heart(led: str) -> Deal:
    """East, an espagnolette who has renounced, has the great quinola for a last card; there is no reversis."""
    tricks = {11: f"south:{led}! east:JH", 2: "south:KC! east:AS"}
    hands = {"east": "AS AD AC JH 4C"}
    return lay_deal(
        hands=hands, tricks=tricks, takers={10: "south"}, never=("east",), revokes=[(2, "east")], where=mixed
    )
