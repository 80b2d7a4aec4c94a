"""Several pools from deal to deal: each is put up, renewed and won for itself."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from engine.deal.pool import Pool
from engine.session.result_json import session_result
from engine.session.session import NotCounted, Step, begin, finish, play_next_deal, prepare_next_deal
from engine.session.state import PoolMemory, Session
from proofs.sessions import SESSION_SEATS, find_step_faults, play_random_session
from rulebook.model import Ruleset
from tests.support.deals import lay_deal
from tests.support.schemas import validator
from tests.support.settling import Rules

FOUR = SESSION_SEATS[:4]
SUMS = "first-each: 3, first-dealer: 4, first-total: 13, dealer-adds: 1, renewed-dealer: 4"
LITTLE = f"quinola.others=[{{card: QH, name: little quinola, {SUMS}}}]"
TWICE = (
    "stake.first.each=6",
    "stake.first.dealer=8",
    "stake.first.total=26",
    "stake.dealer-adds=2",
    "stake.renewed.dealer=8",
)


@pytest.fixture
def two(rules: Rules) -> Ruleset:
    """Two pools of 26 and 13, to which the dealer adds 2 and 1 for each deal."""
    renewed = ("stake.renewed.when=[empty, below-first]", "stake.renewed.how=full", "stake.renewed.time=next-deal")
    return rules("PAM", LITTLE, *TWICE, *renewed)


def whole(session: Session) -> list[int]:
    return [session.pool.of(card).stake for card in session.cards]


def test_everybody_puts_into_each_pool_before_the_first_deal(two: Ruleset) -> None:
    step = begin(two, FOUR, 0)
    assert whole(step.after) == [26, 13] and step.after.accounts == (-12, -9, -9, -9) and step.after.balance == 0
    assert [(e.name, e.fact.called) for e in step.entries] == [("first-stake", ""), ("first-stake", "little quinola")]
    assert [e.fact.further for e in step.entries] == [False, True]
    assert not any(one.drawn for one in step.after.memories)  # before the first deal nobody has won any
    assert ["quinola.others" in e.asked for e in step.entries] == [False, True]


def left(two: Ruleset, great: int, little: int) -> Session:
    """East deals next, and the last deal has left so much in the pools."""
    pool = Pool(great, others=(("QH", Pool(little)),))
    return replace(
        begin(two, FOUR, 0).after, pool=pool, accounts=(-great - little, 0, 0, 0), dealer=1, last_dealer=0, put_up="",
        ready=False, memories=(PoolMemory(),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("great", "little", "after"),
    [(26, 13, [28, 14]), (0, 13, [26, 14]), (26, 0, [28, 13]), (25, 12, [51, 25]), (0, 0, [26, 13])],
)
def test_each_pool_is_renewed_when_it_holds_less_than_at_first(
    two: Ruleset, great: int, little: int, after: list[int]
) -> None:
    step = prepare_next_deal(left(two, great, little))
    assert whole(step.after) == after and step.after.balance == 0


def test_a_deal_is_played_for_all_pools_and_leaves_them_to_the_next(two: Ruleset) -> None:
    deal = lay_deal(tricks={3: "south:KS! west:QH"}, takers={4: "north", 6: "west"}, talon="JH")
    step = play_next_deal(begin(two, FOUR, FOUR.index(deal.seats[deal.dealer])).after, replace(deal, pools={}))
    assert isinstance(step, Step) and step.settled is not None
    assert step.settled.before == Pool(26, others=(("QH", Pool(13)),))
    assert whole(step.after) == [26, 0] and step.after.memories[0].drawn and not step.after.drawn
    assert step.after.balance == 0 and whole(prepare_next_deal(step.after).after) == [28, 13]


def test_a_record_may_not_contradict_the_further_pool(two: Ruleset) -> None:
    deal = lay_deal(talon="JH")
    session = begin(two, FOUR, FOUR.index(deal.seats[deal.dealer])).after
    same, other = Pool(26, others=(("QH", Pool(13)),)), Pool(26, others=(("QH", Pool(12)),))
    assert isinstance(play_next_deal(session, replace(deal, pools={"": same})), Step)
    found = play_next_deal(session, replace(deal, pools={"": other}))
    assert isinstance(found, NotCounted)
    assert "there lies a stake of 26; for QH a stake of 13" in found.problems[0].what


@pytest.mark.parametrize("card", ["", "QH", "KH", "AH"])
def test_what_is_done_to_one_pool_leaves_the_others_and_their_memories(two: Ruleset, card: str) -> None:
    pools = {"QH": Pool(1), "KH": Pool(2), "AH": Pool(3)}
    memories = tuple(PoolMemory(aside=pool.stake) for pool in pools.values())
    company = replace(begin(two, FOUR, 0).after, pool=Pool(9, others=tuple(pools.items())), aside=9, memories=memories)
    about = company.about(card)
    assert about.aside == about.pool.stake == (pools[card].stake if card else 9) and about.cards == ("",)
    after = company.with_changes(card, replace(about, pool=Pool(50), aside=50))
    asides = dict(zip(company.cards, (9, 1, 2, 3), strict=True)) | {card: 50}
    assert whole(after) == [after.about(one).aside for one in after.cards] == list(asides.values())
    assert len(after.memories) == 3


def test_when_the_company_parts_every_pool_is_shared_out(rules: Rules) -> None:
    step = finish(left(rules("PAM", LITTLE, *TWICE, "session.pool-left=shared"), 26, 13))
    assert whole(step.after) == [2, 1] and step.after.balance == 0
    assert [sum(p.money.plain for p in e.postings) for e in step.entries] == [24, 12]


def test_a_session_with_several_pools_has_a_schema_of_its_own(two: Ruleset) -> None:
    found = list(play_random_session(Random(3), two, 6))
    told = json.loads(json.dumps(session_result("s", two, found)))
    assert told["schema"] == 2 and set(told["pool"]["others"]) == {"QH"} and sum(told["accounts"].values()) == 0
    assert [error.message for error in validator("session-result").iter_errors(told)] == []
    assert {e.get("card") for step in told["steps"] for e in step["entries"]} == {None, "QH"}
    assert list(validator("session-result").iter_errors({**told, "schema": 1})) != []


@pytest.mark.parametrize("seed", range(4))
def test_no_counter_is_lost_in_any_session(two: Ruleset, seed: int) -> None:
    found = list(play_random_session(Random(seed), two, 8))
    assert [fault for step in found for fault in find_step_faults(step)] == []
    assert all(min(whole(step.after)) >= 0 for step in found) and found[-1].after.deals == 8
