"""Totals by every book at a table: they are those of `run --as-played` at the end, and betray no card before it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from engine.deal.model import Deal
from engine.play.table import TOLERABLE
from engine.session.session import Step, begin, give_own_pool, steps
from engine.settlement.settle import Settled, settle
from proofs.sessions import play_random_session
from reversis.table.partings import find_trick_parting
from reversis.table.payments import sum_payments
from reversis.table.totals import BookSettlements, list_totals, settle_by_books
from rulebook.model import Library, Ruleset
from tests.support.settling import SIGLA, Rules
from tests.support.table_deals import break_off, deal_by_seed, play_deal, swap_unseen_cards

SEAT = 0


def settle_all(rules: Rules, own: Ruleset, *deals: Deal) -> list[BookSettlements]:
    return settle_by_books([rules(siglum) for siglum in SIGLA], own, deals, SEAT)


def show(library: Library, rules: Rules, own: Ruleset, deal: Deal) -> str:
    """Everything that is shown of a deal in play."""
    books = settle_all(rules, own, deal)
    return json.dumps([list_totals(library, books, SEAT), find_trick_parting(library, books, SEAT)])


def count_leaks(library: Library, rules: Rules, seeds: Iterable[int], tricks: range, most: int) -> Counter[str]:
    """Swap unseen cards and compare all that is shown; count also how often a plain settlement would have changed."""
    counts = Counter[str]()
    for siglum in SIGLA:
        own = rules(siglum)
        for seed in seeds:
            deal = play_deal(own, seed)
            for number in tricks:
                fragment = break_off(deal, number)
                before = show(library, rules, own, fragment)
                for swapped in swap_unseen_cards(fragment, own, SEAT, Random(seed), most):
                    counts[siglum] += 1
                    counts["shown otherwise"] += show(library, rules, own, swapped) != before
                    counts["settled otherwise"] += settle_plainly(rules, swapped) != settle_plainly(rules, fragment)
    return counts


def settle_plainly(rules: Rules, deal: Deal) -> list[int | None]:
    """Sums by every book of the cards as they lie, which nobody at the table may see."""
    settled = [settle(deal, rules(siglum), TOLERABLE) for siglum in SIGLA]
    return [sum_payments(each)[SEAT] if isinstance(each, Settled) else None for each in settled]


@pytest.mark.slow
def test_nothing_shown_changes_when_unseen_cards_are_swapped(library: Library, rules: Rules) -> None:
    counts = count_leaks(library, rules, [3], range(4, 9, 4), 2)
    assert counts["shown otherwise"] == 0 and all(counts[siglum] == 4 for siglum in SIGLA), counts


@pytest.mark.nightly
def test_nothing_shown_changes_in_many_deals_though_a_plain_settlement_would(library: Library, rules: Rules) -> None:
    counts = count_leaks(library, rules, range(30), range(1, 11), 8)
    assert counts["shown otherwise"] == 0 < counts["settled otherwise"], counts
    assert all(counts[siglum] > 1000 for siglum in SIGLA), counts


@pytest.mark.slow
def test_a_running_total_that_is_shown_is_that_of_the_cards_as_they_lie(library: Library, rules: Rules) -> None:
    shown = Counter[bool | None]()
    for siglum in ("PAM", "ACA", "GER"):
        deal = play_deal(rules(siglum), 5)
        for number in range(1, len(deal.tricks)):
            fragment = break_off(deal, number)
            books = settle_all(rules, rules(siglum), fragment)
            for total, book in zip(list_totals(library, books, SEAT), books, strict=True):
                mine = replace(fragment, pools={"": book.session.pool})
                settled = settle(mine, book.ruleset, TOLERABLE)
                true = sum_payments(settled)[SEAT] if isinstance(settled, Settled) else None
                shown[None if total["total"] is None else total["total"] == true] += 1
                assert bool(total["reason"]) == (total["total"] is None), total
    assert shown[False] == 0 and shown[True] > 10 * shown[None], shown


def test_in_the_end_totals_are_those_of_each_book_with_its_own_pool(library: Library, rules: Rules) -> None:
    numbers, passed = 0, 0
    for siglum in SIGLA:
        deal = play_deal(rules(siglum), 1)
        for total in list_totals(library, settle_all(rules, rules(siglum), deal), SEAT):
            ruleset = rules(total["source"])
            settled = settle(give_own_pool(deal, ruleset), ruleset, TOLERABLE)
            assert total["final"] and total["unit"] == ruleset.unit
            assert total["total"] == (settled.net[SEAT] if isinstance(settled, Settled) else None)
            assert bool(total["reason"]) != isinstance(settled, Settled)
            assert sum(part["sum"] for part in total["parts"]) == (total["total"] or 0)
            for part in total["parts"]:
                assert re.search(r"\. (?:You|\w+ pays you) .*\d", part["words"]), "whom you pay, or who pays you"
            numbers += total["total"] is not None
            passed += bool(total["passed"])
            why = [words for words in total["passed"] if words.endswith("each book settles the cards that were played")]
            assert why == total["passed"][-1:]
            assert not (total["passed"] and total["source"] == siglum)
    assert numbers > 30 and passed > 3


def test_before_the_first_trick_nothing_has_passed(library: Library, rules: Rules) -> None:
    totals = list_totals(library, settle_all(rules, rules("PAM"), deal_by_seed(rules("PAM"), 2)), SEAT)
    assert [(total["total"], total["shown"], total["reason"]) for total in totals] == [(0, "0", "")] * len(SIGLA)
    assert [total["pool"] for total in totals if total["source"] in ("ACA", "PAM")] == [8, 45]


def test_in_a_session_each_book_carries_its_own_pool_and_accounts(library: Library, rules: Rules) -> None:
    own = rules("PAM")
    played = [step.settled.deal for step in play_random_session(Random(4), own, 3) if step.settled]
    books = settle_all(rules, own, *played)
    for total, book in zip(list_totals(library, books, SEAT), books, strict=True):
        ruleset = book.ruleset
        first = begin(ruleset, played[0].seats, played[0].dealer)
        whole = [*steps(first, played, as_played=True, tolerate=TOLERABLE)]
        dealt = [step for step in whole if isinstance(step, Step) and step.settled]
        assert len(book.missed) == sum(not isinstance(step, Step) for step in whole[:-2])
        if dealt[-1].settled and dealt[-1].settled.deal.id == played[-1].id:
            assert dealt[-1].before.pool == book.session.pool
            assert total["standing"] == dealt[-1].after.accounts[SEAT]
    assert any(total["standing"] not in (None, total["total"]) for total in list_totals(library, books, SEAT))


@pytest.mark.parametrize("seed", [14, 15, 24])
def test_nothing_is_said_of_a_card_that_another_has_laid_away(library: Library, rules: Rules, seed: int) -> None:
    """In all layouts made of these deals another laid a heart away; that is no fact before the deal is over."""
    deal = play_deal(rules("HOY"), seed)
    late = break_off(deal, len(deal.tricks) - 1)
    totals = list_totals(library, settle_all(rules, rules("HOY"), late), SEAT)
    passed = [words for total in totals for words in total["passed"]]
    assert passed and not any("may not discard" in words for words in passed), passed


def test_what_made_a_total_is_explained(library: Library, rules: Rules) -> None:
    words = {
        siglum: [
            part["words"]
            for total in list_totals(library, settle_all(rules, rules(siglum), play_deal(rules(siglum), seed)), SEAT)
            if total["source"] == siglum
            for part in total["parts"]
        ]
        for siglum, seed in (("GER", 1), ("PAM", 3))
    }
    assert words["GER"][0].endswith(
        "North has taken 28 points. North has also led first: these points are paid for once."
    )
    talon = next(each for each in words["PAM"] if "partie" in each)
    assert (
        "You and West are equal in the first thing by which the book finds its winner: 1. Those with the fewest points"
        in talon
    )


def test_points_of_whoever_led_first_and_lost_nothing_else_are_paid_half_each(library: Library, rules: Rules) -> None:
    own = rules("GER")
    (total,) = list_totals(library, settle_by_books([own], own, [play_deal(own, 13)], SEAT), SEAT)
    (words,) = (part["words"] for part in total["parts"] if "led first" in part["words"])
    assert (
        "East pays you 4; West pays you 3. West has taken 7 points. West led first, and so these are paid for too"
        in words
    )
    assert "paid for once" not in words
