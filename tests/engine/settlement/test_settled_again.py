"""Deals settled by a reader from the words alone (`docs/settled-again.md`), and by which reading the edition agrees."""

from __future__ import annotations

import pytest

from engine.deal.model import Deal
from engine.settlement.explain import Reckoning, reckon
from engine.settlement.settle import Settled, settle
from rulebook.model import Library
from rulebook.resolve import rules
from tests.support.cases import case, cases

ALL_COSTS = {deal.id: deal for deal in cases("mey-all-costs.jsonl")}


def come_to(library: Library, deal: Deal, siglum: str, *wishes: str) -> dict[str, int]:
    """What every seat and the pool have won or lost."""
    found = settle(deal, rules(library, siglum, *wishes))
    assert isinstance(found, Settled)
    return dict(zip((*deal.seats, "pool"), found.net.values(), strict=True))


@pytest.mark.parametrize(
    ("deal", "south", "east", "north", "west"),
    [
        pytest.param("mey-391", -121, 0, 2, 59, id="the others' share of a quinola that the espagnolette led"),
        pytest.param("mey-393", 6, -72, 2, 4, id="an ace that another led"),
        pytest.param("mey-400", 0, -93, 0, 33, id="another's forced quinola, and the remise for it"),
        pytest.param("mey-406", 0, -60, 0, 0, id="the remise of a reversis that the espagnolette breaks"),
    ],
)
def test_alle_kosten_are_by_the_rival_whatever_the_others_owe_paid_once(
    library: Library, deal: str, south: int, east: int, north: int, west: int
) -> None:
    """MEY.s0009: *so zahlt er alle Kosten des betreffenden Spieles*."""
    net = come_to(library, ALL_COSTS[deal], "MEY", "MEY.i01", "MEY.i11")
    assert net == {"south": south, "east": east, "north": north, "west": west, "pool": 60}


@pytest.mark.parametrize("deal", ["mey-391", "mey-400"])
def test_by_the_preferred_reading_led_and_forced_cards_stay_with_whoever_owes_them(library: Library, deal: str) -> None:
    found = settle(ALL_COSTS[deal], rules(library, "MEY"))
    assert isinstance(found, Settled)
    assert {entry.fact.manner for entry in found.entries if entry.rule == "espagnolette-returns"} == {"thrown-off"}


def test_explain_says_what_an_espagnolette_bears_of_led_and_forced_cards_where_it_bears_them(library: Library) -> None:
    ways: tuple[tuple[str, ...], ...] = ((), ("MEY.i11",))
    without, with_all = (reckon(ALL_COSTS["mey-400"], rules(library, "MEY", *wishes)) for wishes in ways)
    assert isinstance(without, Reckoning) and isinstance(with_all, Reckoning)
    manners = [
        {one.fact.manner for one in found.all if one.rule == "espagnolette-returns"} for found in (without, with_all)
    ]
    assert manners == [{"thrown-off"}, {"thrown-off", "followed"}]


def test_a_broken_reversis_costs_the_stake_in_pie_only_after_a_quinola_of_its_undertaker(library: Library) -> None:
    """The answer is PAM's (s0060, s0061); the plain list left the condition out, and now says it."""
    net = come_to(library, case("pie-broken-without-quinola"), "PIE")
    assert net == {"south": 0, "east": -64, "north": 64, "west": 0, "pool": 0}
    assert "only then, too" in library.questions["reversis.broken.stake"].readings["matches"]
