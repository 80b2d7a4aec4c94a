"""Sums as a ledger has them, what is done to a pool and in what order, and an entry in one line."""

from __future__ import annotations

import hashlib

import pytest

from engine.cards import parse_card_name
from engine.deal.events import Fact
from engine.deal.pool import Pool
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.ledger import Entry, Money, Posting, list_pool_operations
from engine.settlement.result_json import fingerprint_deal_record

JACK = parse_card_name("JH")


# ---- sums
def test_what_is_paid_twice_over_is_limited_first() -> None:
    money = Money(0, 1, limit_from=100, limit=90)
    assert [money.times(2).counted(Pool(stake, (7,))) for stake in (99, 100, 300)] == [198, 180, 180]
    assert Money(0, 1, 1).counted(Pool(300, (7,))) == 307


def test_no_times_a_limited_stake_is_nothing_at_all() -> None:
    assert Money(0, 1, limit_from=100, limit=90).times(0) == Money()


@pytest.mark.parametrize(("stake", "limit_from", "counted"), [(100, 0, 100), (100, 1, 90), (100, 101, 100), (1, 1, 1)])
def test_a_stake_is_limited_from_one_counter_on_and_is_never_more_than_lies_there(
    stake: int, limit_from: int, counted: int
) -> None:
    assert Money(0, 1, limit_from=limit_from, limit=90).counted(Pool(stake)) == counted


def test_of_a_sum_in_equal_parts_each_is_whole_and_the_rest_is_left_over() -> None:
    assert [Money(0, 1, among=3).counted(Pool(stake)) for stake in (2, 60, 62)] == [0, 20, 20]


# ---- what is done to a pool
@pytest.mark.parametrize("draw", ["draw", "draw-all"])
def test_a_pool_is_drawn_before_anything_is_put_in_for_the_next_deal(draw: str) -> None:
    put_in, drawn = Posting(0, POOL_ACCOUNT, Money(99), "add"), Posting(POOL_ACCOUNT, 1, Money(0, 1), draw)
    assert list_pool_operations([put_in, drawn], Pool(60)) == [(draw, 60), ("add", 99)]
    beside = Posting(2, POOL_ACCOUNT, Money(7), "wait")
    assert list_pool_operations([beside, put_in, drawn], Pool(60)) == [(draw, 60), ("wait", 7), ("add", 99)]


# ---- an entry in one line
@pytest.mark.parametrize(
    ("trick", "card", "reason", "told"),
    [
        (5, JACK, "", "quinola-led, trick 5, J♥: paid by 1"),
        (5, JACK, "nobody-pays", "quinola-led, trick 5, J♥: nobody-pays"),
        (None, None, "", "quinola-led: paid by 1"),
    ],
)
def test_an_entry_shows_trick_and_card_where_it_has_them_and_why_nothing_is_paid(
    trick: int | None, card: int | None, reason: str, told: str
) -> None:
    fact = Fact("quinola", 4, 3, 0, 11, trick=trick, card=card)
    postings = () if reason else (Posting(0, 1, Money(5)),)
    assert told in repr(Entry("led", fact, "quinola-led", postings, (), reason))


def test_the_order_of_entries_makes_no_other_fingerprint() -> None:
    assert (
        fingerprint_deal_record({"a": 1, "b": [2, 3]})
        == fingerprint_deal_record({"b": [2, 3], "a": 1})
        != fingerprint_deal_record({"a": 1, "b": [3, 2]})
    )


def test_it_is_taken_of_the_letters_as_they_are_written() -> None:
    """Anybody can take it again, with any program that sorts the keys and puts in no blanks."""
    assert fingerprint_deal_record({"b": "é", "a": 1}).endswith(hashlib.sha256('{"a":1,"b":"é"}'.encode()).hexdigest())
