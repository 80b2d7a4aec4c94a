"""An ace or the quinola thrown off in a revoke: what it brings, by each payment that hangs on throwing off."""

from __future__ import annotations

import pytest

from engine.cards import parse_card_name
from engine.deal.model import Deal
from tests.support.cases import case
from tests.support.deals import entries, held_past, lay_deal, net, paid, revoke
from tests.support.settling import Settle


def test_ger_s0027_a_quinola_thrown_off_in_a_revoke_brings_neither_stake_nor_payment(settles: Settle) -> None:
    settled = settles(case("ger-revoke-jack"), "GER")
    assert net(settled) == {"first": 53, "second": -12, "third": 4, "fourth": 2, "fifth": -24, "pool": -23}
    assert paid(settled, "draws-stake") == {} and paid(settled, "stake-by-tricks") == {("pool", "first"): 23}
    thrown = next(one for one in entries(settled, "thrown-off") if one.fact.kind == "quinola")
    assert (thrown.reason, thrown.by) == ("nobody-pays", "revoke.thrown-off")
    usual = settles(case("ger-revoke-jack"), "GER", "revoke.thrown-off=as-usual")
    assert paid(usual, "draws-stake") == {("pool", "second"): 23}


def test_ger_s0047_an_ace_thrown_off_in_a_revoke_brings_nothing(settles: Settle) -> None:
    deal = case("ger-revoke-ace")
    assert paid(settles(deal, "GER"), "thrown-off", of="AH") == {}
    assert paid(settles(deal, "GER", "Q240=as-usual"), "thrown-off", of="AH") == {("first", "fourth"): 2}


def test_aca_s0006_jete_en_renonce_bears_the_payment_of_a_revoke_and_aca_i40_does_not(settles: Settle) -> None:
    jack, ace = case("ger-revoke-jack"), case("ger-revoke-ace")
    assert paid(settles(jack, "ACA"), "draws-stake") == {("pool", "second"): 23}
    assert paid(settles(jack, "ACA"), "thrown-off", of="JH") and paid(settles(ace, "ACA"), "thrown-off", of="AH")
    assert paid(settles(jack, "ACA", "ACA.i40"), "draws-stake", "thrown-off", of="JH") == {}


def east_throws(card: str) -> Deal:
    """East throws a card on the sixth trick's spade, though holding the six of spades."""
    return lay_deal(
        hands={"east": f"6S {card}"},
        tricks={6: f"south:9S! east:{card}"},
        revokes=[(6, "east")],
        heart_first=True,
        where=lambda d: held_past("6S", 6)(d) and d.takers[5] != "east",
        told={"faults": [revoke(6)]},
    )


@pytest.mark.parametrize("source", ("PAM", "PIE", "MEY", "ACA", "GER"))
@pytest.mark.parametrize("card", ("JH", "AD", "AC"))
def test_by_no_source_is_a_card_thrown_off_in_a_revoke_paid_where_it_brings_nothing(
    settles: Settle, source: str, card: str
) -> None:
    settled = settles(east_throws(card), source, "Q240=nothing", "Q101=nothing")
    assert paid(settled, "thrown-off", "draws-stake", of=card) == {}
    usual = settles(east_throws(card), source, "Q240=as-usual", "Q101=nothing")
    assert paid(usual, "thrown-off", of=card)


def test_pie_s0016_only_a_suit_that_one_does_not_have_draws_the_remise(settles: Settle) -> None:
    free = ("Q101=nothing",)
    assert paid(settles(east_throws("JH"), "PIE", *free), "draws-stake") == {}
    assert paid(settles(east_throws("JH"), "PAM", *free), "draws-stake") == {("pool", "east"): 60}
    assert paid(settles(east_throws("JH"), "PAM", "PAM.i40", *free), "draws-stake") == {}


def test_a_quinola_that_takes_when_thrown_off_takes_nothing_in_a_revoke(settles: Settle) -> None:
    deal, trumps = case("ger-revoke-jack"), "Q015=thrown-quinola-takes"
    quinola = parse_card_name("JH")
    fact = next(f.fact for f in settles(deal, "GER", trumps).entries if f.fact.card == quinola)
    assert fact.taker == deal.seats.index("third")
