"""To whom a dealer's fines go, and the stake that an espagnolette owes for a forced quinola."""

from __future__ import annotations

import pytest

from engine.settlement.settle import Settled, settle
from rulebook.model import Library
from rulebook.resolve import read_choice, resolve
from rulebook.sources.paths import find_sources
from tests.engine.test_worked_deals import deal_of
from tests.support.deals import paid
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
