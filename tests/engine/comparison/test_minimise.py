"""Making a separating deal small: what counts as large, what is tried, and how far."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.cards import parse_card_name, rank_of
from engine.comparison import minimise as shrinking
from engine.comparison.minimise import (
    PLAIN_POOL,
    accept_smaller_deal,
    exchange_two_cards,
    exchange_two_tricks,
    find_decisive_trick,
    neighbours_changed,
    odd_pool,
    odd_table,
    played_anew,
    shrink_separation,
    words_and_exchanges,
)
from engine.deal.model import Deal, Exchange
from engine.deal.pool import Pool
from engine.generation.plan import Lost
from rulebook.model import Silent
from tests.support.deals import lay_deal
from tests.support.settling import Rules, Settle

Patch = pytest.MonkeyPatch


@pytest.fixture(scope="module")
def deal() -> Deal:
    return lay_deal(heart_first=True, seed=3)


def of(deal: object, **more: Any) -> Any:
    """A find with this deal."""
    return SimpleNamespace(deal=deal, swap=SimpleNamespace(base="PAM", question="q"), **more)


def test_what_was_exchanged_announced_or_not_claimed_is_counted() -> None:
    said: Any = SimpleNamespace(
        exchange=(1, 2), gifts=(3,), announced=(3, 4, 5), claims={7: False, 8: True, 9: False, 10: True, 11: False}
    )
    assert words_and_exchanges(of(said)) == 2 + 1 + 3 + 3


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
    assert odd_pool(of(held)) == odd and Pool(60) == PLAIN_POOL


# ---- steps
def test_a_hand_without_the_card_it_should_play_is_no_deal(deal: Deal, monkeypatch: Patch) -> None:
    for trouble in (IndexError, KeyError, ValueError):

        def fails(*what: object, trouble: type[Exception] = trouble) -> None:
            raise trouble

        monkeypatch.setattr(shrinking, "try_separation", fails)
        assert accept_smaller_deal(of("another"), deal, (0,)) is None


def test_so_many_steps_are_tried_each_drawn_from_the_seed(deal: Deal, monkeypatch: Patch) -> None:
    tried: list[tuple[object, float]] = []
    monkeypatch.setattr(shrinking, "strip_separation", lambda found: found)
    monkeypatch.setattr(shrinking, "measure_deal_size", lambda found: (9,))
    monkeypatch.setattr(shrinking, "MOVES", (lambda rng, found: tried.append((found, rng.random())),))
    find = of(deal)
    assert shrink_separation(find) is find and len(tried) == 250
    first = [x for _, x in tried]
    tried.clear()
    shrink_separation(find, seed=1)
    assert [x for _, x in tried] == first
    tried.clear()
    shrink_separation(find, seed=2, steps=3)
    assert len(tried) == 3 and [x for _, x in tried] != first[:3]
    rng = Random("shrink:2:q")
    rng.choice([1])
    assert tried[0][1] == rng.random()


def test_two_cards_change_places_in_the_exchange_too(deal: Deal) -> None:
    lowest, ace, other = parse_card_name("2S"), parse_card_name("AS"), parse_card_name("KH")
    assert lowest == 0
    rows = [(lowest, ace), (ace, other), (other, lowest), (None, other), (None, ace), (ace, None)]

    def exchanged(rows: list[tuple[int | None, int | None]], one: int, two: int) -> list[tuple[int | None, int | None]]:
        laid_out = replace(deal, exchange=tuple(Exchange(min(at, 3), *row) for at, row in enumerate(rows)))
        return [(x.out, x.taken) for x in exchange_two_cards(laid_out, one, two).exchange]

    assert exchanged(rows, ace, other) == [
        *((lowest, other), (other, ace), (ace, lowest), (None, ace), (None, other), (other, None)),
    ]
    assert exchanged(rows[:1], lowest, other) == [(other, ace)]  # the lowest card is number nought


def test_the_tricks_that_are_kept_are_played_again_as_they_were(rules: Rules, deal: Deal, monkeypatch: Patch) -> None:
    seen: list[tuple[int, object]] = []
    side = SimpleNamespace(ruleset=rules("PAM"))
    monkeypatch.setattr(shrinking, "_list_settled_sides", lambda found: iter([side]))
    monkeypatch.setattr(shrinking, "play_trick", lambda table, number, row: seen.append((number, row)))
    monkeypatch.setattr(shrinking, "copy_table", lambda table: table)
    monkeypatch.setattr(shrinking, "play_random_trick", lambda rng, table, number, policy: (number,))
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
    monkeypatch.setattr(shrinking, "_list_settled_sides", lambda found: iter([side]))
    monkeypatch.setattr(shrinking, "play_trick", lambda table, number, row: None)
    monkeypatch.setattr(shrinking, "copy_table", lambda table: table)
    monkeypatch.setattr(shrinking, "play_random_trick", fails)
    assert played_anew(Random(1), of(deal)) is None


def test_two_tricks_change_places_where_there_are_two(deal: Deal) -> None:
    two = replace(deal, tricks=deal.tricks[:2])
    found = exchange_two_tricks(Random(1), of(two))
    assert found is not None and found.tricks == deal.tricks[:2][::-1]
    assert exchange_two_tricks(Random(1), of(replace(deal, tricks=deal.tricks[:1]))) is None
    assert exchange_two_tricks(Random(1), of(replace(deal, tricks=()))) is None


@pytest.mark.parametrize(("players", "pack", "odd"), [(4, 48, 0), (5, 48, 1), (4, 52, 1), (5, 52, 2)])
def test_five_players_and_the_tens_are_each_odd(players: int, pack: int, odd: int) -> None:
    table: Any = SimpleNamespace(seats=("x",) * players, pack=pack)
    assert odd_table(of(table)) == odd


def test_a_deal_that_is_as_large_is_taken_and_a_larger_one_is_not(monkeypatch: Patch) -> None:
    sizes = {"less": (1, 9), "same": (2, 0), "more": (2, 1)}
    monkeypatch.setattr(shrinking, "try_separation", lambda swap, deal: deal)
    monkeypatch.setattr(shrinking, "measure_deal_size", lambda found: sizes[found])
    told: list[Any] = [accept_smaller_deal(of("before"), name, (2, 0)) for name in sizes]  # type: ignore[arg-type]
    assert told == ["less", "same", None]
    assert accept_smaller_deal(of("before"), None, (2, 0)) is None


def test_a_card_of_the_tricks_that_count_changes_places_with_a_lower_one(deal: Deal, monkeypatch: Patch) -> None:
    monkeypatch.setattr(shrinking, "find_decisive_trick", lambda found: 0)
    assert neighbours_changed(Random(1), of(deal)) is None
    monkeypatch.setattr(shrinking, "find_decisive_trick", lambda found: 2)
    seen: list[list[int]] = []

    class Lot(Random):
        def choice(self, seq: Any) -> Any:
            seen.append(list(seq))
            return seq[-1]

    found = neighbours_changed(Lot(1), of(deal))
    early, lower = seen
    a = early[-1]
    assert early == [c for row in deal.tricks[:2] for c in row]
    every = [c for hand in (*deal.hands, deal.talon) for c in hand]
    assert lower == sorted(c for c in every if rank_of(c) < rank_of(a))
    assert found == exchange_two_cards(deal, a, lower[-1])


def test_a_deal_with_faults_or_a_fragment_is_not_played_anew(deal: Deal) -> None:
    fault: Any = object()
    assert played_anew(Random(1), of(replace(deal, faults=(fault,)))) is None
    assert played_anew(Random(1), of(replace(deal, fragment=True))) is None


def test_two_sides_part_in_the_first_trick_that_is_told_or_at_the_end_or_before_the_play(
    settles: Settle, deal: Deal, monkeypatch: Patch
) -> None:
    settled, silent = settles(deal, "PAM"), SimpleNamespace()

    def parting(*tricks: int | None, after: object = settled) -> int:
        entries = [SimpleNamespace(fact=SimpleNamespace(trick=one)) for one in tricks]
        monkeypatch.setattr(shrinking, "differing_entries", lambda before, after: (entries, []))
        return find_decisive_trick(of(deal, before=settled, after=after))

    assert parting(7, 4, 9) == 4
    assert parting(7, None) == parting() == len(deal.tricks) == 11
    assert parting(after=silent) == parting(None, after=silent) == 0
    assert parting(7, None, after=silent) == 11 and parting(7, after=silent) == 7
