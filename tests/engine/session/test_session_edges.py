"""The edges of a session: what was undone was not made, what is not divided stays, and what a step has raised."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from engine.deal.events import Fault
from engine.deal.pool import Pool
from engine.session.result_json import session_result
from engine.session.session import (
    NotCounted,
    Step,
    begin,
    finish,
    in_proportion,
    just_made,
    play_next_deal,
    steps,
    supplement_paid,
)
from engine.settlement.ledger import Entry, Money, Posting
from engine.settlement.settle import Settled
from tests.engine.session.test_session import before_a_deal, counted, lot, sat
from tests.support.deals import FOUR
from tests.support.settling import Rules


def settled(*postings: Posting, waiting: tuple[int, ...] = (), rule: str = "matches-stake") -> Settled:
    """So much of a settled deal as tells what was laid beside the stake."""
    entry: Any = SimpleNamespace(rule=rule, postings=postings)
    told: Any = SimpleNamespace(entries=(entry,), before=Pool(60), pool=Pool(60, waiting))
    return told  # type: ignore[no-any-return]


def wait(payer: int, amount: int = 60) -> Posting:
    return Posting(payer, "pool", Money(amount), "wait")


# ---- what a deal has laid beside the stake
def test_who_has_made_a_sum_that_waits_is_known_by_its_place() -> None:
    assert just_made(settled(wait(1), wait(3), waiting=(20, 60, 60))) == {1: 1, 2: 3}
    assert just_made(settled(wait(1), wait(1).back(), waiting=())) == {}
    assert just_made(settled(wait(1), wait(1), wait(1).back(), waiting=(60,))) == {0: 1}
    assert just_made(settled(wait(2, 0), waiting=())) == {}  # to match nothing is to lay nothing


def test_a_supplement_that_was_given_back_was_not_paid() -> None:
    paid = Posting(1, "pool", Money(60), "supplement")
    assert supplement_paid(settled(paid)) and not supplement_paid(settled(paid, paid.back()))
    assert supplement_paid(settled(paid, paid, paid.back())) and not supplement_paid(settled())
    assert not supplement_paid(settled(paid, rule="espagnolette-returns-stake"))
    assert not supplement_paid(settled(Posting(1, "pool", Money(0), "supplement")))  # to match nothing is to pay none


# ---- what is put in
def test_where_nobody_owes_a_share_nobody_gives_one() -> None:
    assert in_proportion({0: 0, 1: 0, 2: 0}, 5, 0) == {0: 0, 1: 0, 2: 0}
    assert in_proportion({0: 2, 1: 2, 2: 3}, 8, 2) == {0: 2, 1: 2, 2: 4}


def test_a_stake_that_is_filled_up_is_no_fresh_one(rules: Rules) -> None:
    """A supplement stays paid as long as anything lies there."""
    step = before_a_deal(rules("PAM"), Pool(3, (), True))
    assert step.after.pool.stake > 3 and step.after.pool.supplements_paid
    assert not before_a_deal(rules("PAM"), Pool(0, (), True)).after.pool.supplements_paid


def test_what_passes_between_deals_falls_in_no_trick(rules: Rules) -> None:
    (entry, *_) = begin(rules("PAM"), FOUR, 2).entries
    assert isinstance(entry, Entry)
    told = entry.fact
    assert (told.kind, told.last, told.trick, told.dealer, told.eldest, told.manner) == (
        "session",
        0,
        None,
        2,
        2,
        "begin",
    )


# ---- which questions were raised
def test_a_step_has_raised_what_it_asked_and_what_it_asked_in_vain(rules: Rules) -> None:
    step = before_a_deal(rules("GER"), Pool(0))
    silent = {one.question for one in step.silent}
    answered = {question for entry in step.entries for question in entry.asked}
    assert silent | answered <= step.asked and step.asked - silent
    full = begin(rules("PAM"), FOUR, 0)
    assert not full.silent and full.asked >= {question for entry in full.entries for question in entry.asked}


def test_a_deal_raises_its_own_questions_and_those_of_the_step(rules: Rules) -> None:
    found = play_next_deal(sat(rules("ACA")), lot(rules("ACA"), 0))
    assert isinstance(found, Step) and found.settled is not None
    assert found.asked >= found.settled.asked and found.before.dealer == 0


def test_where_the_rules_are_silent_on_one_thing_the_next_is_done_all_the_same(rules: Rules) -> None:
    wishes = ("stake.dealer-adds=5", "stake.dealer-included=included")
    step = before_a_deal(rules("GER", *wishes), Pool(0), drawn=True)
    assert [one.question for one in step.silent] == ["stake.renewed.when"]
    assert [entry.name for entry in step.entries] == ["dealer-adds"] and step.after.pool == Pool(5)


# ---- in words, and as a result
def test_a_step_shows_its_deal_or_how_the_company_stands(rules: Rules) -> None:
    first = begin(rules("PAM"), FOUR, 0)
    assert repr(first).startswith(
        "<Step begin: <Session by PAM: 0 deals, south -15, east -10, north -10, west -10, sta"
    )
    deal = lot(rules("PAM"), 0)
    step = play_next_deal(first.after, deal)
    assert repr(step).startswith("<Step deal: <Settled by PAM: south ")


def test_a_deal_that_is_not_counted_shows_why(rules: Rules) -> None:
    first, deal = begin(rules("PAM"), FOUR, 0).after, lot(rules("PAM"), 2)
    assert (
        repr(play_next_deal(first, deal))
        == f"<NotCounted {deal.id}: {deal.id} has north deal; in this session it is south's turn>"
    )
    silent = play_next_deal(sat(rules("PAR")), replace(lot(rules("PAM"), 0), faults=(Fault("out-of-turn", 1, 2),)))
    assert repr(silent).startswith("<NotCounted lot-1: <Unanswered by PAR: silent on out-of-turn.")


def test_the_result_of_a_session_tells_how_all_stand_in_the_end_and_after_each_step(rules: Rules) -> None:
    first = begin(rules("PAM"), FOUR, 0)
    found = list(steps(first, [lot(rules("PAM"), 0), lot(rules("PAM"), 1)]))
    told: Any = session_result("s", first.after.ruleset, found)
    stood = [
        {**dict(zip(FOUR, one.after.accounts, strict=True)), "pool": one.after.laid} for one in map(counted, found)
    ]
    assert [step["accounts"] for step in told["steps"]] == stood
    assert told["accounts"] == stood[-1] != stood[1] and told["deals"] == 2


def test_the_result_of_a_session_tells_where_the_rules_were_silent(rules: Rules) -> None:
    first = begin(rules("PAM"), FOUR, 0)
    told: Any = session_result("s", first.after.ruleset, [first, finish(first.after)])
    begun, parted = told["steps"]
    assert "silent" not in begun and [one["question"] for one in parted["silent"]] == ["session.pool-left"]


def test_the_result_of_a_session_tells_that_a_supplement_was_paid(rules: Rules) -> None:
    """By PAR it decides what the next supplement does."""
    company = replace(sat(rules("PAR")), pool=Pool(25, (), True))
    step = play_next_deal(company, lot(rules("PAR"), 0))
    assert isinstance(step, Step) and step.after.pool.supplements_paid
    told: Any = session_result("s", company.ruleset, [step])
    assert told["pool"]["supplements_paid"] and told["steps"][0]["pool"]["supplements_paid"]
    assert told["steps"][0]["played_for"] == {"stake": 25, "waiting": [], "supplements_paid": True}


@pytest.mark.parametrize("turn", [False, True])
def test_a_deal_of_another_dealer_is_counted_only_if_it_is_turned(rules: Rules, turn: bool) -> None:
    deal = lot(rules("PAM"), 2)
    found = list(steps(begin(rules("PAM"), FOUR, 0), [deal], turn=turn))
    assert isinstance(found[1], Step if turn else NotCounted)
    assert isinstance(list(steps(begin(rules("PAM"), FOUR, 0), [deal]))[1], NotCounted)
