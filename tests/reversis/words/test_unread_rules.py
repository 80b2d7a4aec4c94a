"""A rule that may stand in the part of a text that was not consulted is not played as "no" without a word."""

from __future__ import annotations

import pytest

from reversis.words.supply import list_unread_rules, plan_supply
from rulebook.model import Library
from tests.support.commands import said

UNREAD = {"quinola.others", "exchange.across"}


def test_a_fragment_may_have_further_rules_that_are_asked_only_if_answered(library: Library) -> None:
    assert {*list_unread_rules(library, "PIE")} == UNREAD  # Q125 and Q132 are answered
    assert list_unread_rules(library, "MEY") == ()  # the entry is whole


def test_supply_offers_them_or_says_that_nobody_has_them(library: Library) -> None:
    offered, without = (plan_supply(library, "PIE", lenders, ()) for lenders in (("HOY",), ("PAM",)))
    assert {one.question.slug: one.taken_from for one in offered.lent} == dict.fromkeys(UNREAD, "HOY")
    assert all("our copy of PIE is not whole, and without an answer" in one.because for one in offered.lent)
    assert {one.question.slug for one in without.withheld if not one.needed} == UNREAD
    assert all(one.why.endswith("a rule in the rest is played as none") for one in without.withheld)


@pytest.mark.parametrize(
    ("source", "deal", "wanted"), [("PIE", "pie-reversis-made", True), ("MEY", "mey-reversis-broken", False)]
)
def test_explain_names_them(source: str, deal: str, wanted: bool) -> None:
    told = said("explain", deal, "-s", source)
    assert (f"Our copy of {source} is not whole: what the rest may say" in told) is wanted
    assert ("Q224 Which other cards have the rights of the quinola" in told) is wanted
