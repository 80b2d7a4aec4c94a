"""The search for a deal that separates, step by step: what it tries, in which order, when it stops, what it counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.comparison import separation as separating
from engine.comparison.separation import (
    LENGTHS,
    ROWS_PER_LENGTH,
    Search,
    SessionSeparation,
    Swap,
    Tried,
    construct_deals,
    construct_wished_deal,
    draw_random_deals,
    may_matter,
    settled_both,
    shortest_session,
    wishes_for,
)
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.generation.deal import Found
from engine.generation.plan import Lost
from engine.settlement.settle import Settled
from rulebook.model import Ruleset, Silent
from tests.support.deals import lay_deal
from tests.support.settling import Rules, Settle

Patch = pytest.MonkeyPatch
ANY: Any = None


def fake(question: str = "ace.led.payer", changed: Iterable[str] = (), **rulings: int) -> Swap:
    """A swap between two rulesets that nobody will ask."""
    own: Any = SimpleNamespace(name="own")
    other: Any = SimpleNamespace(name="other", rulings={key.replace("_", "."): n for key, n in rulings.items()})
    return Swap(question, "AAA", "BBB", own, other, frozenset(changed))


@pytest.fixture(scope="module")
def deal() -> Deal:
    return lay_deal(heart_first=True, seed=3)


# ---- what a swap brings, and what was tried
def test_what_comes_along_is_what_changed_besides_the_question_itself() -> None:
    swap = fake("a.b", ["a.b", "c.d", "e.f"], a_b=1, c_d=2, g_h=3)
    assert swap.brings == ("c.d",)


def test_what_was_tried_is_told_with_how_many_ask_if_any_does() -> None:
    assert str(Tried(7, {"known": 3, "made": 2}, 4)) == "3 known, 2 made; 4 of them ask it (seed 7)"
    assert str(Tried("x", {"known": 3})) == "3 known (seed x)"


def test_a_settled_deal_may_matter_only_if_it_asks_what_has_changed(settles: Settle, deal: Deal) -> None:
    before = settles(deal, "PAM")
    asked = sorted(before.asked)[0]
    assert may_matter(before, fake(changed=[asked]))
    assert not may_matter(before, fake(changed=["nobody.asks"]))
    refused: Any = SimpleNamespace()
    assert may_matter(refused, fake(changed=["nobody.asks"]))


def test_settled_both_ways_means_both(settles: Settle, deal: Deal) -> None:
    yes, no = settles(deal, "PAM"), SimpleNamespace()

    def one(before: object, after: object) -> Any:
        return SimpleNamespace(before=before, after=after)

    assert settled_both(one(yes, yes))
    assert not any(map(settled_both, (one(yes, no), one(no, yes), one(no, no))))


# ---- deals made, and deals by lot
def test_for_every_wish_a_deal_is_made_by_the_rules_of_each_side(monkeypatch: Patch) -> None:
    asked: list[tuple[str, str, str]] = []

    def answer(ruleset: Any, text: str, seed: str) -> str | None:
        asked.append((ruleset.name, text, seed))
        return None if len(asked) == 2 else text

    monkeypatch.setattr(separating, "construct_wished_deal", answer)
    texts = wishes_for("ace.led.payer")
    assert len(texts) == 3
    found = list(construct_deals(fake(), "s"))
    assert asked == [
        (name, text, f"s/ace.led.payer/{at}/{number}")
        for at, text in enumerate(texts)
        for number, name in enumerate(("own", "other"))
    ]
    assert found == [text for _, text, _ in (*asked[:1], *asked[2:])]
    asked.clear()
    list(construct_deals(fake(), "s", per=4))
    assert [name for name, _, _ in asked] == ["own", "other"] * 2 * len(texts)


@pytest.mark.parametrize("trouble", [Lost("x"), Silent("q", "r", "why")])
def test_a_wish_that_cannot_be_had_is_passed_over(trouble: Exception, rules: Rules, monkeypatch: Patch) -> None:
    def fails(*what: object) -> None:
        raise trouble

    monkeypatch.setattr(separating, "fill", fails)
    assert construct_wished_deal(rules("PAM"), "ace led", "s") is None


@pytest.mark.parametrize(
    ("text", "plain"), [("ace led", True), ("five players", False), ("52 cards", False), ("ace led, 52 cards", False)]
)
def test_a_deal_is_made_at_the_plain_table_unless_another_is_wished(
    text: str, plain: bool, rules: Rules, deal: Deal, monkeypatch: Patch
) -> None:
    asked: list[Any] = []

    def fill(*what: Any) -> Any:
        asked.append(what)
        return Found(deal, ANY, ANY, 1)

    monkeypatch.setattr(separating, "fill", fill)
    assert construct_wished_deal(rules("GER"), text, "s") is deal
    ((_, sketch, seed, tries, shape),) = asked
    assert (sketch.id, seed, tries) == ("made", "s", 300)
    assert (shape is not None) == plain
    assert not plain or (shape.players, shape.pack) == (4, 48)


def test_deals_by_lot_follow_either_side_in_turn_and_every_fourth_any_table(rules: Rules, monkeypatch: Patch) -> None:
    asked: list[tuple[Ruleset, str, object]] = []

    def dealt(ruleset: Ruleset, seed: str, shape: object) -> str:
        asked.append((ruleset, seed, shape))
        if len(asked) == 2:
            raise Lost("x")
        if len(asked) == 3:
            raise Silent("q", "r", "why")
        return seed

    monkeypatch.setattr(separating, "random_deal", dealt)
    swap = replace(fake(), own=rules("PAM"), other=rules("GER"))
    found = list(draw_random_deals(swap, "s"))
    assert [seed for _, seed, _ in asked] == [f"s/{n}" for n in range(24)]
    assert [ruleset for ruleset, _, _ in asked] == [swap.own, swap.other] * 12
    assert [at for at, (_, _, shape) in enumerate(asked) if shape is None] == list(range(0, 24, 4))
    assert found == [f"s/{n}" for n in range(24) if n not in (1, 2)]


# ---- the search
def test_every_deal_that_is_tried_is_counted_and_those_that_separate_are_told(monkeypatch: Patch) -> None:
    monkeypatch.setattr(separating, "settle", lambda deal, ruleset: (deal, ruleset.name))
    monkeypatch.setattr(separating, "may_matter", lambda before, swap: before[0] in ("b", "c"))
    monkeypatch.setattr(separating, "try_separation", lambda swap, deal, before: before if deal == "c" else None)
    search, deals = Search(fake(), 1), ["a", "b", "c", "d"]
    some: Any = deals
    assert list(search.through("known", some)) == [("c", "own")]
    assert search.tried == {"known": 4} and search.raised == 2
    assert search.told == Tried(1, {"known": 4}, 2)


def test_where_a_side_has_no_table_of_four_its_deals_are_dealt_at_any_of_its_tables(rules: Rules) -> None:
    five = rules("ACA", "table.shapes=[{players: 5, pack: 48, hand: 9, talon: 3}]")
    swap = Swap("play.first-lead", "ACA", "PAM", five, rules("PAM"), frozenset())
    assert [len(deal.seats) for deal in draw_random_deals(swap, "s", 4)] == [5, 4, 5, 4]


def test_made_deals_come_before_those_by_lot_and_each_before_its_variations(monkeypatch: Patch) -> None:
    def one(id: str) -> Any:
        return SimpleNamespace(id=id)

    def twisted(rng: Random, deal: Any, question: str) -> Iterator[Any]:
        assert question == "ace.led.payer"
        yield from (one(f"{deal.id}~{rng.random():.6f}"), one(f"{deal.id}~2"))

    monkeypatch.setattr(separating, "construct_deals", lambda swap, seed: [one("m1"), one("m2")])
    monkeypatch.setattr(separating, "draw_random_deals", lambda swap, seed: [one("l1")])
    monkeypatch.setattr(separating, "vary_deal", twisted)
    monkeypatch.setattr(separating, "settle", lambda deal, ruleset: None)
    monkeypatch.setattr(separating, "try_separation", lambda swap, deal, before: deal)
    search = Search(fake(), 5)
    found: list[Any] = list(search.constructed())

    def first(id: str, nth: int) -> str:
        return f"{id}~{Random(f'5/{id}/{nth}').random():.6f}"

    assert [one.id for one in found] == [
        *("m1", first("m1", 1), "m1~2"),
        *("m2", first("m2", 2), "m2~2"),
        *("l1", first("l1", 1), "l1~2"),
    ]
    assert search.tried == {"made": 2, "by lot": 1, "varied": 6}


# ---- sessions
def test_a_row_begins_with_the_fourth_as_dealer_and_every_deal_is_turned(rules: Rules, monkeypatch: Patch) -> None:
    begun: list[Any] = []
    monkeypatch.setattr(separating, "begin", lambda *what: begun.append(what) or "table")
    monkeypatch.setattr(separating, "steps", lambda table, deals, turn: [(table, *deals, turn)])
    deals: Any = ["one", "two"]
    ran: Any = separating.play_row_of_deals(rules("PAM"), deals)
    assert ran == (("table", "one", "two", True),)
    assert begun == [(rules("PAM"), ("south", "east", "north", "west"), 3)]


def outcome(settled: Settled, deal: Deal, pool: Pool) -> Settled:
    """The same result for another deal, with another pool after it."""
    return replace(settled, deal=deal, pool=pool)


Try = Callable[..., "tuple[SessionSeparation | Tried, list[list[str]]]"]


@pytest.fixture
def tries(settles: Settle, deal: Deal, monkeypatch: Patch) -> Try:
    """The rows that are tried, by the names of their deals, until one separates."""
    result = settles(deal, "PAM")

    def tries(
        question: str, pools: dict[str, Pool], found_at: int = -1, known: tuple[tuple[Deal, ...], ...] = (), **odd: Deal
    ) -> tuple[SessionSeparation | Tried, list[list[str]]]:
        deals = [replace(deal, id=name) for name in pools] + list(odd.values())
        monkeypatch.setattr(
            separating, "settle", lambda d, ruleset: outcome(result, d, pools[d.id]) if d.id in pools else None
        )
        rows: list[list[str]] = []

        def separates(swap: Swap, row: tuple[Deal, ...]) -> SessionSeparation | None:
            rows.append([one.id for one in row])
            return SessionSeparation(swap, row, ("x",)) if len(rows) - 1 == found_at else None

        monkeypatch.setattr(separating, "session_separation", separates)
        return shortest_session(fake(question), deals, "s", known), rows

    return tries


def still(settles: Settle, deal: Deal) -> Pool:
    return settles(deal, "PAM").before


def test_only_questions_of_the_stake_of_sessions_and_of_the_next_dealer_are_tried_in_rows(tries: Try) -> None:
    assert tries("ace.led.payer", {"a": Pool(1)}) == (Tried("s"), [])
    for question in ("stake.first.total", "session.end", "deal.next-dealer"):
        _, rows = tries(question, {"a": Pool(1)})
        assert rows[0] == ["a"]


def test_single_deals_come_first_then_rows_of_two_to_seven_that_move_the_pool(
    tries: Try, settles: Settle, deal: Deal
) -> None:
    before = still(settles, deal)
    moved = replace(before, stake=before.stake + 5)
    found, rows = tries("stake.first.total", {"still": before, "moved": moved, "also": moved})
    assert rows[:3] == [["still"], ["moved"], ["also"]]
    assert [len(row) for row in rows[3:]] == [n for n in LENGTHS for _ in range(ROWS_PER_LENGTH)]
    assert LENGTHS == (2, 3, 4, 5, 6, 7) and ROWS_PER_LENGTH == 120
    assert {name for row in rows[3:] for name in row} == {"moved", "also"}
    assert found == Tried("s", {"sessions of one deal": 3, **{f"sessions of {n} deals": 120 for n in LENGTHS}})


def test_for_a_waiting_pool_deals_count_that_change_it_or_empty_the_stake(
    tries: Try, settles: Settle, deal: Deal
) -> None:
    before = still(settles, deal)
    pools = {
        "still": before,
        "stake": replace(before, stake=before.stake + 5),
        "waiting": replace(before, waiting=(7,)),
        "won": replace(before, stake=0),
        "both": replace(before, stake=0, waiting=(7,)),
    }
    _, rows = tries("stake.waiting.order", pools)
    assert {name for row in rows[5:] for name in row} == {"waiting", "won", "both"}


def test_five_players_faults_and_fragments_make_no_rows(tries: Try, settles: Settle, deal: Deal) -> None:
    before = still(settles, deal)
    moved = replace(before, stake=before.stake + 5)
    fault: Any = object()
    odd = {
        "five": replace(deal, id="odd", seats=(*deal.seats, "fifth")),
        "fault": replace(deal, id="odd", faults=(fault,)),
        "fragment": replace(deal, id="odd", fragment=True),
    }
    _, rows = tries("stake.first.total", {"moved": moved, "odd": moved}, **odd)
    assert (
        rows[:2] == [["moved"], ["odd"]] and len(rows) == 2 + 6 * 120
    )  # the plain deal called odd, and none of the others


def test_known_sessions_are_tried_last_and_the_first_that_separates_is_told(
    tries: Try, settles: Settle, deal: Deal
) -> None:
    before = still(settles, deal)
    session = (replace(deal, id="known"), replace(deal, id="too"))
    found, rows = tries("stake.first.total", {"still": before}, 1, (session,))
    assert rows == [["still"], ["known", "too"]]  # nothing moves the pool, so that no row is drawn
    assert isinstance(found, SessionSeparation) and found.deals == session
    found, rows = tries("stake.first.total", {"still": before}, 0, (session,))
    assert rows == [["still"]] and isinstance(found, SessionSeparation)


def test_a_deal_that_comes_out_the_same_both_ways_separates_nothing(
    deal: Deal, settles: Settle, monkeypatch: Patch
) -> None:
    own = settles(deal, "PAM")
    refused: Any = SimpleNamespace()
    for differs, results, found in (
        (("x",), (own, own), True),
        ((), (own, own), False),
        (("x",), (refused,) * 2, False),
    ):
        monkeypatch.setattr(separating, "may_matter", lambda before, swap: True)
        monkeypatch.setattr(separating, "settle", lambda deal, rules, after=results[1]: after)
        monkeypatch.setattr(separating, "compare_deal_results", lambda before, after, how=differs: how)
        assert (separating.try_separation(fake(), deal, results[0]) is not None) == found
