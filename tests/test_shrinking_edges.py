"""Making a separating deal small: what counts as large, what is tried, and how far."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import Rules
from dealing import laid, read, record

from engine import shrinking
from engine.cards import card
from engine.deals import Deal, Exchange
from engine.plans import Lost
from engine.pools import Pool
from engine.shrinking import PLAIN, earlier, exchanged, odd_pool, played_anew, shrunk, smaller, words_and_exchanges
from rulebook.model import Silent

Patch = pytest.MonkeyPatch


@pytest.fixture(scope="module")
def deal() -> Deal:
    return read(record(laid(heart_first=True, seed=3)))


def of(deal: object, **more: Any) -> Any:
    """A find with this deal."""
    return SimpleNamespace(deal=deal, swap=SimpleNamespace(base="PAM", question="q"), **more)


def test_what_was_exchanged_announced_or_not_claimed_is_counted() -> None:
    said: Any = SimpleNamespace(
        exchange=(1, 2), announced=(3, 4, 5), claims={7: False, 8: True, 9: False, 10: True, 11: False}
    )
    assert words_and_exchanges(of(said)) == 2 + 3 + 3


@pytest.mark.parametrize(
    ("pool", "odd"),
    [
        (Pool(60), 0),
        (Pool(61), 1),
        (Pool(59), 1),
        (Pool(60, (5,)), 2),
        (Pool(60, (5, 6), True), 5),
        (Pool(0, (), True), 2),
    ],
)
def test_a_pool_is_odd_by_what_it_holds_besides_sixty(pool: Pool, odd: int) -> None:
    held: Any = SimpleNamespace(pool=lambda source: pool)
    assert odd_pool(of(held)) == odd and Pool(60) == PLAIN


# ---- steps
def test_a_hand_without_the_card_it_should_play_is_no_deal(deal: Deal, monkeypatch: Patch) -> None:
    for trouble in (IndexError, KeyError, ValueError):

        def fails(*what: object, trouble: type[Exception] = trouble) -> None:
            raise trouble

        monkeypatch.setattr(shrinking, "separation", fails)
        assert smaller(of("another"), deal, (0,)) is None


def test_so_many_steps_are_tried_each_drawn_from_the_seed(deal: Deal, monkeypatch: Patch) -> None:
    tried: list[tuple[object, float]] = []
    monkeypatch.setattr(shrinking, "stripped", lambda found: found)
    monkeypatch.setattr(shrinking, "cost", lambda found: (9,))
    monkeypatch.setattr(shrinking, "MOVES", (lambda rng, found: tried.append((found, rng.random())),))
    find = of(deal)
    assert shrunk(find) is find and len(tried) == 250
    first = [x for _, x in tried]
    tried.clear()
    shrunk(find, seed=1)
    assert [x for _, x in tried] == first
    tried.clear()
    shrunk(find, seed=2, steps=3)
    assert len(tried) == 3 and [x for _, x in tried] != first[:3]
    rng = Random("shrink:2:q")
    rng.choice([1])
    assert tried[0][1] == rng.random()


def test_two_cards_change_places_in_the_exchange_too(deal: Deal) -> None:
    lowest, ace, other, none = card("2S"), card("AS"), card("KH"), None
    assert lowest == 0
    rows = (
        Exchange(0, lowest, ace),
        Exchange(1, ace, other),
        Exchange(2, other, lowest),
        Exchange(3, none, other),
        Exchange(3, none, ace),
        Exchange(3, ace, none),
    )
    found = exchanged(replace(deal, exchange=rows), ace, other).exchange
    assert [(x.out, x.taken) for x in found] == [
        (lowest, other),
        (other, ace),
        (ace, lowest),
        (none, ace),
        (none, other),
        (other, none),
    ]
    found = exchanged(replace(deal, exchange=rows[:1]), lowest, other).exchange  # the lowest card is number nought
    assert [(x.out, x.taken) for x in found] == [(other, ace)]


def test_the_tricks_that_are_kept_are_played_again_as_they_were(rules: Rules, deal: Deal, monkeypatch: Patch) -> None:
    seen: list[tuple[int, object]] = []
    side = SimpleNamespace(ruleset=rules("PAM"))
    monkeypatch.setattr(shrinking, "sides", lambda found: iter([side]))
    monkeypatch.setattr(shrinking, "play_trick", lambda table, number, row: seen.append((number, row)))
    monkeypatch.setattr(shrinking, "copied", lambda table: table)
    monkeypatch.setattr(shrinking, "played_by_lot", lambda rng, table, number, policy: (number,))
    rng: Any = SimpleNamespace(randrange=lambda number: 4)
    found = played_anew(rng, of(deal))
    assert seen == list(enumerate(deal.tricks[:4], 1))
    assert found is not None and found.tricks == (*deal.tricks[:4], *((n,) for n in range(5, 12)))


@pytest.mark.parametrize("trouble", [Lost("x"), Silent("q", "r", "why")])
def test_where_the_lot_falls_ill_or_the_rules_are_silent_nothing_is_played_anew(
    trouble: Exception, rules: Rules, deal: Deal, monkeypatch: Patch
) -> None:
    def fails(*what: object) -> None:
        raise trouble

    side = SimpleNamespace(ruleset=rules("PAM"))
    monkeypatch.setattr(shrinking, "sides", lambda found: iter([side]))
    monkeypatch.setattr(shrinking, "play_trick", lambda table, number, row: None)
    monkeypatch.setattr(shrinking, "copied", lambda table: table)
    monkeypatch.setattr(shrinking, "played_by_lot", fails)
    assert played_anew(Random(1), of(deal)) is None


def test_two_tricks_change_places_where_there_are_two(deal: Deal) -> None:
    two = replace(deal, tricks=deal.tricks[:2])
    found = earlier(Random(1), of(two))
    assert found is not None and found.tricks == deal.tricks[:2][::-1]
    assert earlier(Random(1), of(replace(deal, tricks=deal.tricks[:1]))) is None
    assert earlier(Random(1), of(replace(deal, tricks=()))) is None
