"""Answers that others lend show what a deal asks of a source, and what needs none of them is settled all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.deal.model import Deal
from engine.play.replay import replay_deal
from engine.readings.ask import Ask
from engine.settlement.ledger import Entry
from engine.settlement.lending import find_missing_answers, lend_answers
from engine.settlement.settle import Settled, Unanswered, settle, settle_each_payment
from rulebook.model import Library, Ruleset
from rulebook.resolve import drop_answer, resolve
from tests.engine.settlement.test_settle import made
from tests.support.deals import lay_deal
from tests.support.settling import Rules


@pytest.fixture
def deal(deals: dict[str, Deal]) -> Deal:
    return deals["pam-quinola-forced-opposite-last"]


@pytest.fixture
def forbidden(deals: dict[str, Deal]) -> Deal:
    """A heart is laid away, which ACA forbids."""
    return deals["king-of-hearts-laid-out"]


def without(library: Library, siglum: str, *questions: str) -> Ruleset:
    ruleset = resolve(library, siglum)
    for question in questions:
        ruleset = drop_answer(ruleset, question)
    return ruleset


def partly(deal: Deal, ruleset: Ruleset) -> tuple[tuple[Entry, ...], tuple[tuple[str, str], ...]]:
    """The payments that are settled, also where nothing is missing; and those left out."""
    ask = Ask(ruleset)
    return settle_each_payment(replay_deal(deal, ask), ask)


# ---- what is missing
def test_all_that_is_missing_is_found_at_once(library: Library, deal: Deal) -> None:
    gone = ("partie.winner", "talon.bonus", "quinola.forced.amount", "ace.led.amount")
    ruleset = without(library, "PAM", *gone)
    stopped = settle(deal, ruleset)
    assert isinstance(stopped, Unanswered) and stopped.silent.question in gone
    assert find_missing_answers(deal, ruleset, [resolve(library, "PAR")]) == {*gone[:3]}  # no ace is led in this deal
    alone = find_missing_answers(deal, ruleset, [])  # nobody lends: what the talon is worth hangs on who wins it
    assert alone == {"partie.winner", "quinola.forced.amount"}


def test_what_is_lent_and_what_nobody_can_lend_are_both_missing(library: Library, deal: Deal) -> None:
    ruleset = without(library, "PAM", "quinola.forced.amount", "talon.bonus")
    lender = without(library, "PAR", "talon.bonus")
    assert find_missing_answers(deal, ruleset, [lender]) == {"quinola.forced.amount", "talon.bonus"}


def test_where_the_play_cannot_be_followed_all_that_it_asked_until_then_is_missing(
    library: Library, deal: Deal
) -> None:
    ruleset, lender = (
        without(library, "PAM", "quinola.card", "play.trick-taker"),
        without(library, "PAR", "play.trick-taker"),
    )
    assert find_missing_answers(deal, without(library, "PAM", "play.trick-taker"), []) == {"play.trick-taker"}
    assert find_missing_answers(deal, ruleset, [lender]) == {"play.trick-taker", "quinola.card"}


def test_of_a_deal_that_is_refused_no_payment_is_asked(library: Library, forbidden: Deal) -> None:
    ruleset = without(library, "ACA", "partie.winner", "exchange.hearts")
    assert find_missing_answers(forbidden, ruleset, [resolve(library, "ACA")]) == {"exchange.hearts"}
    assert find_missing_answers(forbidden, without(library, "ACA", "partie.winner"), []) == frozenset()


def test_own_answers_are_never_replaced_by_those_lent(library: Library) -> None:
    ruleset = without(library, "PAM", "talon.bonus")
    lent = lend_answers(ruleset, [resolve(library, "PAR"), resolve(library, "ACA")])
    assert lent.rulings["talon.bonus"] == resolve(library, "PAR").rulings["talon.bonus"]
    assert {slug: lent.rulings[slug] for slug in ruleset.rulings} == dict(ruleset.rulings)


def test_a_rule_that_a_source_need_not_have_is_not_lent(rules: Rules) -> None:
    lender = rules("HOY")
    assert "quinola.others" in lender.rulings and "quinola.others" not in lend_answers(rules("PAM"), [lender]).rulings


# ---- what can be settled
def test_the_payments_that_need_no_missing_answer_are_settled_all_the_same(library: Library, deal: Deal) -> None:
    part, whole = settle(deal, without(library, "PAM", "talon.bonus")), settle(deal, resolve(library, "PAM"))
    assert isinstance(whole, Settled) and isinstance(part, Unanswered)
    entries, left_out = part.part
    assert left_out == (("partie", "talon.bonus"),)
    assert entries == tuple(entry for entry in whole.entries if entry.rule != "partie") and entries
    assert part.before == whole.before == deal.pool("PAM")
    assert [part.rulings(entry) for entry in entries] == [whole.rulings(entry) for entry in entries]


def test_where_nothing_is_missing_all_is_settled_and_nothing_left_out(library: Library, deal: Deal) -> None:
    """Of a reversis nothing is asked where none was undertaken."""
    for one, gone in ((deal, ()), (made("east"), ()), (deal, ("reversis.made.neighbour", "reversis.stake"))):
        whole = settle(one, resolve(library, "PAM"))
        part = partly(one, without(library, "PAM", *gone))
        assert isinstance(whole, Settled) and part == (whole.entries, ())


def test_who_is_barred_by_a_fault_is_barred_in_a_part_of_the_ledger_too(
    library: Library, deals: dict[str, Deal]
) -> None:
    faulty = [(siglum, one) for siglum in ("PAM", "ACA") for one in deals.values() if one.faults]
    tried = 0
    for siglum, one in faulty:
        whole = settle(one, resolve(library, siglum))
        if isinstance(whole, Settled) and replay_deal(one, Ask(whole.ruleset)).measures.culprits:
            assert partly(one, whole.ruleset) == (whole.entries, ())
            tried += 1
    assert tried


def test_what_a_fragment_leaves_open_is_neither_settled_nor_left_out_for_an_answer(library: Library) -> None:
    plain = lay_deal(tricks={1: "south:AH!", 3: "south:KS! east:JH"}, takers={4: "north"})
    begun = replace(plain, tricks=plain.tricks[:4], fragment=True)
    whole = settle(begun, resolve(library, "PAM"))
    assert isinstance(whole, Settled) and whole.open and whole.entries
    assert partly(begun, whole.ruleset) == (whole.entries, ())
    _, left_out = partly(begun, without(library, "PAM", "quinola.thrown-off.amount"))
    assert [question for _, question in left_out] == ["quinola.thrown-off.amount"]


def test_nothing_is_settled_where_the_play_cannot_be_followed(library: Library, deal: Deal) -> None:
    stopped = settle(deal, without(library, "PAM", "play.trick-taker"))
    assert isinstance(stopped, Unanswered) and stopped.part == ((), ())
