"""Readings that were only named in a heading, and are played: one deal each in which they decide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.deal.pool import Pool
from engine.settlement.ledger import Money
from engine.settlement.settle import Refused, Settled, settle
from rulebook.model import Library
from rulebook.resolve import rules
from tests.support.deals import read
from tests.support.random_deals import lot

CASES = Path(__file__).parents[2] / "data" / "cases"


def come_to(library: Library, case: str, siglum: str, *wishes: str, **told: Any) -> Settled | Refused:
    raw = json.loads((CASES / f"{case}.json").read_text(encoding="utf-8"))
    found = settle(read(raw | told), rules(library, siglum, *wishes))
    assert isinstance(found, Settled | Refused)
    return found


@pytest.mark.parametrize(("wishes", "winner"), [((), "east"), (("ACA.i30",), "south")])
def test_a_rule_for_the_dealer_alone_leaves_the_others_to_the_fewest_points(
    library: Library, wishes: tuple[str, ...], winner: str
) -> None:
    found = come_to(library, "aca-i30", "ACA", *wishes)
    assert isinstance(found, Settled) and found.outcome.partie is not None
    assert (found.deal.seats[found.outcome.partie.winner], found.outcome.partie.value) == (winner, 12)


def test_after_a_supplement_everybody_must_exchange_where_it_is_so_agreed(library: Library) -> None:
    """South looks at the card and keeps the hand: free as the page teaches it, refused by the optional rule."""
    assert isinstance(come_to(library, "par-o04", "PAR"), Settled)
    refused = come_to(library, "par-o04", "PAR", "PAR.o04")
    assert isinstance(refused, Refused)
    assert [refusal.message for refusal in refused.refusals] == ["south must exchange a card"]
    before = {"pool": {"stake": 50, "waiting": [], "supplements_paid": False}}
    assert isinstance(come_to(library, "par-o04", "PAR", "PAR.o04", **before), Settled)


def test_where_everybody_pays_who_has_no_points_pays_nothing(library: Library) -> None:
    """GER rule 11: only who has aces and pictures is at a loss, also where the cards of the talon are paid."""
    both = rules(library, "GER", "GER.i12", "GER.i13")
    seen: set[bool] = set()
    for seed in range(40):
        found = settle(lot(both, "by lot", seed), both)
        if isinstance(found, Settled) and found.outcome.partie is not None:
            lines = [entry for entry in found.entries if entry.rule == "partie"]
            seen |= {line.fact.points > 0 for line in lines if line.postings}
    assert seen == {True}


def test_a_full_stake_of_three_stakes_is_drawn_as_far_as_it_reaches(library: Library) -> None:
    """HOY s0009 names 78 and 100: from 78 fish nobody can draw a hundred."""
    both = [rules(library, "HOY", *wishes) for wishes in ((), ("HOY.i26",))]
    assert [one.rulings["stake.limit-from"].value for one in both] == [100, 78]
    full = Money(0, 1, limit_from=78, limit=100)
    assert [full.counted(Pool(stake)) for stake in (60, 80, 120)] == [60, 80, 100]
