"""The edges of a session: what was undone was not made, what is not divided stays, and what a step has raised."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from engine.deal.events import Fault
from engine.deal.pool import Pool
from engine.session.session import (
    NotCounted,
    Step,
    begin,
    in_proportion,
    play_next_deal,
    steps,
    supplement_paid,
)
from engine.settlement.ledger import Money, Posting
from engine.settlement.settle import Settled
from tests.engine.session.test_session import before_a_deal, lot, sat
from tests.support.deals import FOUR
from tests.support.settling import Rules


def settled(*postings: Posting, waiting: tuple[int, ...] = (), rule: str = "matches-stake") -> Settled:
    """So much of a settled deal as tells what was laid beside the stake."""
    entry: Any = SimpleNamespace(rule=rule, postings=postings)
    told: Any = SimpleNamespace(entries=(entry,), before=Pool(60), pool=Pool(60, waiting))
    return told  # type: ignore[no-any-return]


# ---- what a deal has laid beside the stake


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


# ---- which questions were raised


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


@pytest.mark.parametrize("turn", [False, True])
def test_a_deal_of_another_dealer_is_counted_only_if_it_is_turned(rules: Rules, turn: bool) -> None:
    deal = lot(rules("PAM"), 2)
    found = list(steps(begin(rules("PAM"), FOUR, 0), [deal], turn=turn))
    assert isinstance(found[1], Step if turn else NotCounted)
    assert isinstance(list(steps(begin(rules("PAM"), FOUR, 0), [deal]))[1], NotCounted)
