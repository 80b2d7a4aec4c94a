"""Totals by every book and the review of a deal, asked as the page asks."""

from __future__ import annotations

import json
from random import Random

import pytest

from engine.deal.reader import read_deal
from engine.play.table import TOLERABLE
from engine.session.session import give_own_pool
from engine.settlement.settle import Settled, settle
from rulebook.model import Library
from rulebook.resolve import resolve
from tests.reversis.browser.test_table_api import BOOKS, Page


@pytest.mark.parametrize("source", ["PAM", "GER"])
def test_totals_are_asked_from_the_first_card_to_the_last(library: Library, source: str) -> None:
    page = Page(library).begin(source, others="cautious")
    totals = page.ask("totals")
    assert [total["source"] for total in totals["totals"]] == [*library.sources] and totals["parting"] is None
    assert {total["shown"] for total in totals["totals"]} == {"0"}
    partings = 0
    for _ in page.play(Random(1)):
        answer = page.ask("totals")
        partings += answer["parting"] is not None
        assert all(bool(total["reason"]) == (total["total"] is None) for total in answer["totals"])
    assert partings
    deal, _ = read_deal(page.game["deals"][-1])
    assert deal is not None and {*BOOKS} == {*library.sources}
    for total in page.ask("totals")["totals"]:
        ruleset = resolve(library, total["source"])
        settled = settle(give_own_pool(deal, ruleset), ruleset, TOLERABLE)
        assert total["final"] and total["total"] == (settled.net[0] if isinstance(settled, Settled) else None)
    assert "wrong" in page.ask("totals", game=json.loads("{}"))


def test_a_hint_comes_at_the_persons_turn_and_the_review_at_the_end(library: Library) -> None:
    page = Page(library).begin("PAM", others="cautious")
    before = page.ask("hint")["hint"]
    assert before["card"] in [*page.lawful(), None] and page.ask("end") == {"wrong": "The deal is not over."}
    page.move(before["card"])
    assert page.ask("hint")["hint"]["card"] in page.lawful()
    for _ in page.play(Random(2)):
        pass
    assert page.ask("hint") == {"wrong": "It is not your turn."}
    review = page.ask("end")["review"]
    own = next(total for total in review["totals"] if total["source"] == "PAM")
    assert review["headline"]["net"] == own["total"] == page.view["seats"][0]["account"]
    assert review["record"] == page.game["deals"][-1] and review["par"]["words"]
