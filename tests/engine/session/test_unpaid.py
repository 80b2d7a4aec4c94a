"""Contributions to the stake that a player has not put in: who makes them good (Q222)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.session.record import read_sitting
from engine.session.result_json import session_result
from engine.session.session import Step, begin, finish, steps
from tests.support.deals import lay_deal
from tests.support.schemas import validator
from tests.support.settling import Rules

SEATS = ("south", "east", "north", "west")
SOUTH, EAST, NORTH, WEST = range(4)
LITTLE = "quinola.others=[{card: QH, name: little quinola, first-each: 3, first-dealer: 4, dealer-adds: 1}]"
FIRST = ("stake.first.each=6", "stake.first.dealer=8", "stake.dealer-adds=0")


def shortfall(reading: str) -> str:
    return f"stake.shortfall={reading}"


def begun(rules: Rules, reading: str, *unpaid: tuple[int, int], more: tuple[str, ...] = ()) -> Step:
    """West deals, and south leads first."""
    return begin(rules("PAM", *FIRST, shortfall(reading), *more), SEATS, WEST, unpaid)


PAID: Mapping[str, tuple[tuple[int, int, int, int], int]] = {
    "who-failed": ((-6, -6, -6, -8), 26),
    "eldest-hand": ((-12, -6, 0, -8), 26),
    "dealer": ((-6, -6, 0, -14), 26),
    "nobody": ((-6, -6, 0, -8), 20),
}


@pytest.mark.parametrize("reading", PAID)
def test_what_a_player_has_not_put_in_is_made_good_as_the_source_says(rules: Rules, reading: str) -> None:
    step = begun(rules, reading, (1, NORTH))
    assert (step.after.accounts, step.after.pool) == (PAID[reading][0], Pool(PAID[reading][1]))
    assert step.after.balance == 0
    (entry,) = step.entries
    assert ("stake.shortfall" in entry.asked, "play.first-leader" in entry.asked) == (True, reading == "eldest-hand")


def test_who_has_put_in_is_asked_nothing(rules: Rules) -> None:
    plain = begin(rules("PAM", *FIRST), SEATS, WEST)
    assert plain.after.accounts == (-6, -6, -6, -8) and "stake.shortfall" not in plain.asked
    later = begun(rules, "eldest-hand", (2, NORTH))
    assert later.after.accounts == plain.after.accounts and "stake.shortfall" not in later.asked


def test_the_eldest_hand_that_has_not_put_in_pays_for_itself(rules: Rules) -> None:
    assert begun(rules, "eldest-hand", (1, SOUTH)).after.accounts == (-6, -6, -6, -8)
    assert begun(rules, "eldest-hand", (1, EAST), (1, WEST)).after.accounts == (-20, 0, -6, 0)


def test_the_pool_of_every_quinola_is_made_good(rules: Rules) -> None:
    step = begun(rules, "eldest-hand", (1, NORTH), more=(LITTLE,))
    assert step.after.accounts == (-6 - 6 - 3 - 3, -6 - 3, 0, -8 - 4)
    assert (step.after.pool.stake, step.after.pool.of("QH").stake) == (26, 13)


def test_a_source_that_says_nothing_of_it_puts_in_nothing(rules: Rules) -> None:
    step = begin(rules("PAM", *FIRST), SEATS, WEST, [(1, NORTH)])
    assert [one.question for one in step.silent] == ["stake.shortfall"] and step.after.pool == Pool()


# ---- from one deal to the next
def deals() -> list[Deal]:
    return [lay_deal(), lay_deal()]


def between(rules: Rules, *wishes: str, unpaid: tuple[tuple[int, int], ...]) -> Step:
    """What is put in before the second deal, which south deals: east leads."""
    first = begin(rules("PAM", *FIRST, *wishes), SEATS, WEST, unpaid)
    return next(step for step in steps(first, deals(), turn=True) if isinstance(step, Step) and step.kind == "between")


@pytest.mark.parametrize(("seat", "payer"), [(SOUTH, EAST), (NORTH, SOUTH)])
def test_the_dealers_own_contribution_is_made_good_by_who_leads_next(rules: Rules, seat: int, payer: int) -> None:
    wishes = (
        "stake.renewed.when=[]",
        "stake.dealer-adds=5",
        "stake.dealer-included=included",
        shortfall("eldest-hand"),
    )
    step = between(rules, *wishes, unpaid=((2, seat),))
    (entry,) = [e for e in step.entries if e.name == "dealer-adds"]
    assert [(p.payer, p.payee, p.money.plain) for p in entry.postings] == [(payer, "pool", 5)]
    assert step.before.dealer == SOUTH


@pytest.mark.parametrize(("reading", "aside"), [("eldest-hand", 5), ("nobody", 0)])
def test_a_contribution_that_counts_from_the_next_deal_is_made_good_as_well(
    rules: Rules, reading: str, aside: int
) -> None:
    wishes = ("stake.renewed.when=[]", "stake.dealer-adds=5", "stake.dealer-included=not-included", shortfall(reading))
    step = between(rules, *wishes, unpaid=((2, SOUTH),))
    assert step.after.aside == aside
    assert [p.payer for e in step.entries for p in e.postings if p.operation == "aside"] == [EAST] * bool(aside)


def test_a_renewal_is_made_good(rules: Rules) -> None:
    wishes = ("stake.renewed.when=[below-first]", "stake.renewed.how=full", "stake.first.total=999")
    step = between(rules, *wishes, "stake.renewed.dealer=8", shortfall("eldest-hand"), unpaid=((2, NORTH),))
    (entry,) = [e for e in step.entries if e.name == "stake-renewed"]
    assert sorted((p.payer, p.money.plain) for p in entry.postings) == [(SOUTH, 8), (EAST, 6), (EAST, 6), (WEST, 6)]


def test_every_counter_is_accounted_for(rules: Rules) -> None:
    first = begun(rules, "eldest-hand", (1, NORTH), (2, WEST))
    found = [step for step in steps(first, deals(), turn=True) if isinstance(step, Step)]
    assert len(found) == 5 and {one.after.balance for one in found} == {0}
    assert list(validator("session-result").iter_errors(session_result("x", first.after.ruleset, found))) == []
    assert finish(found[-1].after).after.unpaid == ((1, NORTH), (2, WEST))


# ---- the record
RAW: dict[str, Any] = {"session": "x", "seats": list(SEATS), "dealer": "west", "deals": ["a", "b"]}


def test_a_record_says_who_did_not_put_in_and_for_which_deal() -> None:
    raw = {**RAW, "unpaid": [{"deal": 2, "seat": "west"}, {"deal": 1, "seat": "south"}]}
    sitting, problems = read_sitting(raw)
    assert sitting is not None and not problems and sitting.unpaid == ((2, WEST), (1, SOUTH))
    assert list(validator("session").iter_errors(raw)) == []
    plain, _ = read_sitting(RAW)
    assert plain is not None and plain.unpaid == ()


@pytest.mark.parametrize(
    ("entries", "told", "reason"),
    [
        ([{"deal": 3, "seat": "west"}], "deal is 3, but the session has 2 deals", "deal-number"),
        ([{"deal": 0, "seat": "west"}], "deal is 0", ""),
        ([{"deal": 1, "seat": "nobody"}], "no seat 'nobody'", "seat"),
        ([{"deal": 1, "seat": "west", "card": "QH"}], "unknown key 'card'", ""),
        ([{"deal": 1, "seat": "west"}] * 2, "west is said twice not to have put in", "told-twice"),
    ],
)
def test_a_faulty_entry_is_refused(entries: list[dict[str, object]], told: str, reason: str) -> None:
    raw = {**RAW, "unpaid": entries}
    ((problem),) = read_sitting(raw)[1]
    assert (problem.what, problem.reason) == (told, reason)
    assert (list(validator("session").iter_errors(raw)) == []) is bool(reason)


@pytest.mark.parametrize("deals", [3, None])
def test_of_deals_that_cannot_be_read_there_is_none(deals: object) -> None:
    told = {one.what for one in read_sitting({**RAW, "deals": deals, "unpaid": [{"deal": 1, "seat": "west"}]})[1]}
    assert told == {"deals must be a list", "deal is 1, but the session has 0 deals"}
