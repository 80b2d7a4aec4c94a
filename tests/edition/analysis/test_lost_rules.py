"""Of a text that breaks off, a rule that may be lost is not played as "no" without a word."""

from __future__ import annotations

import pytest

from edition.analysis.supply import list_lost_rules, plan_supply
from rulebook.model import Library
from tests.support.commands import said

LOST = {"quinola.others", "exchange.across"}


def test_a_fragment_may_have_lost_rules_that_are_asked_only_if_answered(library: Library) -> None:
    assert {*list_lost_rules(library, "PIE")} == LOST  # Q125 and Q132 are answered
    assert list_lost_rules(library, "MEY") == ()  # the entry is whole


def test_supply_offers_them_or_says_that_nobody_has_them(library: Library) -> None:
    offered, without = (plan_supply(library, "PIE", lenders, ()) for lenders in (("HOY",), ("PAM",)))
    assert {one.question.slug: one.taken_from for one in offered.lent} == dict.fromkeys(LOST, "HOY")
    assert all("PIE breaks off, and without an answer" in one.because for one in offered.lent)
    assert {one.question.slug for one in without.withheld} == LOST
    assert all(one.why.endswith("a rule that is lost is played as none") for one in without.withheld)


@pytest.mark.parametrize(
    ("source", "deal", "wanted"), [("PIE", "pie-reversis-made", True), ("MEY", "mey-reversis-broken", False)]
)
def test_explain_names_them(source: str, deal: str, wanted: bool) -> None:
    told = said("explain", deal, "-s", source)
    assert (f"{source} breaks off: what may be lost" in told) is wanted
    assert ("Q224 Which other cards have the rights of the quinola" in told) is wanted
