"""To whom a dealer's fines go, and the stake that an espagnolette owes for a forced quinola."""

from __future__ import annotations

import pytest

from engine.cards import parse_card_name
from engine.deal.model import Deal
from engine.settlement.settle import Settled, settle
from rulebook.model import Library
from rulebook.resolve import read_choice, resolve
from rulebook.sources.paths import find_sources
from tests.engine.test_worked_deals import deal_of
from tests.support.cases import case
from tests.support.deals import entries, held_past, lay_deal, net, paid, revoke
from tests.support.settling import Settle

DEALS = find_sources() / "PAM" / "deals"


@pytest.mark.parametrize(("deal", "sum_"), [("pam-misdeal-bought-back", 5), ("pam-misdeal-too-late", 20)])
def test_pam_s0115_and_s0116_a_dealers_fines_go_into_the_basket(settles: Settle, deal: str, sum_: int) -> None:
    played = deal_of(DEALS / f"{deal}.yaml")
    dealer = played.seats[played.dealer]
    assert paid(settles(played, "PAM"), "misdeal") == {(dealer, "pool"): sum_}
    others = {(dealer, seat): sum_ for seat in played.seats if seat != dealer}
    assert paid(settles(played, "PAM", "misdeal.payee=every-other"), "misdeal") == others


@pytest.mark.parametrize(
    ("source", "ways", "payee"),
    [
        ("PAM", (), "pool"),  # s0107: "il feroit la remise"
        ("MEY", (), "pool"),  # s0002: "macht (zahlt) die Remise"
        ("HOY", ("Q211=as-any-holder",), "pool"),  # s0021, with s0015
        (
            "HOY",
            ("Q211=as-any-holder", "HOY.i22"),
            "south",
        ),  # "he pays the stake and his consolation to him that forces"
    ],
)
def test_who_gets_the_stake_of_a_quinola_that_is_forced_from_an_espagnolette(
    library: Library, source: str, ways: tuple[str, ...], payee: str
) -> None:
    deal = deal_of(DEALS / "pam-espagnolette-forced-by-a-low-heart.yaml")
    settled = settle(deal, resolve(library, source, [read_choice(library, way) for way in ways]))
    assert isinstance(settled, Settled)
    assert paid(settled, "matches-stake") == {("east", payee): 50}


def test_another_holders_stake_goes_into_the_pool_whatever_an_espagnolettes_does(settles: Settle) -> None:
    deal = deal_of(DEALS / "pam-quinola-forced-side-last.yaml")
    wanted = paid(settles(deal, "PAM"), "matches-stake")
    assert wanted and {payee for _, payee in wanted} == {"pool"}
    assert paid(settles(deal, "PAM", "espagnolette.forced.stake-payee=forcer"), "matches-stake") == wanted


def test_ger_s0027_a_quinola_thrown_off_in_a_revoke_brings_neither_stake_nor_payment(settles: Settle) -> None:
    settled = settles(case("ger-revoke-jack"), "GER")
    assert net(settled) == {"first": 53, "second": -12, "third": 4, "fourth": 2, "fifth": -24, "pool": -23}
    assert paid(settled, "draws-stake") == {} and paid(settled, "stake-by-tricks") == {("pool", "first"): 23}
    thrown = next(entry for entry in entries(settled, "thrown-off") if entry.fact.kind == "quinola")
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
