"""What must hold of any deal under any source: nothing is lost, no seat is favoured, money never changes the play."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.play.replay import replay_deal
from engine.readings.ask import Ask
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.model import Library, Ruleset
from rulebook.resolve import Choice, drop_answer, iter_clause_alternatives, resolve
from tests.support.deals import FIVE, FOUR, Laid, laid, read, record
from tests.support.settling import SIGLA, Rules

FEW = settings(max_examples=12, deadline=None, derandomize=True)
seeds = st.integers(1, 400)
kinds = st.sampled_from(("plain", "plain", "five", "tens", "aces", "spades", "quinola"))


@cache
def anyhow(seed: int, kind: str) -> tuple[Laid, dict[str, object]]:
    """A deal by lot, at times with a hand that makes something rare likely."""
    hands: dict[str, str] = {}
    tricks: dict[int, str] = {}
    table: dict[str, object] = {}
    if kind == "aces":
        hands, tricks = {"east": "AS AH AD AC"}, {2: "east:AS"}
    elif kind == "spades":
        hands = {"south": "AS KS QS JS 9S 8S 7S 6S 5S"}
    elif kind == "quinola":
        tricks = {seed % 9 + 2: f"{FOUR[seed % 4]}:JH"}
    elif kind == "five":
        d = laid(seats=FIVE, dealer="ann", heart_first=True, seed=seed)
        return d, record(d, dealer="ann", pool={"stake": 37, "waiting": [11, 5]})
    elif kind == "tens":
        d = laid(pack=52, heart_first=True, seed=seed)
        return d, record(d, pack=52, pool={"stake": 37, "waiting": [11, 5]})
    d = laid(hands=hands, tricks=tricks, revokes=[(2, "east")], heart_first=kind != "aces", seed=seed)
    table = {"faults": [{"kind": "out-of-turn", "seat": "north", "trick": 3}]} if seed % 3 == 0 else {}
    return d, record(d, pool={"stake": 37, "waiting": [11, 5]}, **table)


@pytest.fixture(scope="module")
def every(library: Library, rules: Rules) -> list[Ruleset]:
    """All sources, and all under their rivals and options."""
    plain = [rules(s) for s in SIGLA]
    return plain + [rules(c.source, a.id) for c, a in iter_clause_alternatives(library.clauses())]


def turned(raw: dict[str, object]) -> dict[str, object]:
    """The same deal, every player having moved one seat to the right."""
    seats = list(raw["seats"])  # type: ignore[call-overload]
    to = dict(zip(seats, [*seats[1:], seats[0]], strict=True))
    hands = {to[s]: h for s, h in raw["hands"].items()}  # type: ignore[attr-defined]
    faults = [f | {"seat": to[f["seat"]]} for f in raw.get("faults", ())]  # type: ignore[attr-defined]
    return raw | {"hands": hands, "dealer": to[str(raw["dealer"])], "faults": faults}


@pytest.mark.slow
@FEW
@given(seeds, kinds)
def test_every_ledger_sums_to_nought(every: list[Ruleset], seed: int, kind: str) -> None:
    deal = read(anyhow(seed, kind)[1])
    for ruleset in every:
        found = settle(deal, ruleset)
        if isinstance(found, Settled):
            assert sum(found.net.values()) == 0
            assert found.net["pool"] == total(found.pool) - total(found.before)
            assert found.pool.stake >= 0 and all(w >= 0 for w in found.pool.waiting)


def total(pool: object) -> int:
    return int(pool.stake + sum(pool.waiting))  # type: ignore[attr-defined]


@pytest.mark.slow
@FEW
@given(seeds, kinds)
def test_turning_the_table_turns_the_ledger(every: list[Ruleset], seed: int, kind: str) -> None:
    raw = anyhow(seed, kind)[1]
    deal, other = read(raw), read(turned(raw))
    n = len(deal.seats)
    for ruleset in every:
        one, two = settle(deal, ruleset), settle(other, ruleset)
        assert type(one) is type(two)
        if isinstance(one, Settled) and isinstance(two, Settled):
            assert {s: one.net[s] for s in range(n)} == {s: two.net[(s + 1) % n] for s in range(n)}
            assert one.pool == two.pool and len(one.entries) == len(two.entries)
            assert one.outcome.next_dealer is not None and two.outcome.next_dealer is not None
            assert (one.outcome.next_dealer + 1) % n == two.outcome.next_dealer


@FEW
@given(seeds, kinds)
def test_it_does_not_matter_which_seat_is_named_first(rules: Rules, seed: int, kind: str) -> None:
    raw = anyhow(seed, kind)[1]
    seats = list(raw["seats"])  # type: ignore[call-overload]
    again = raw | {"seats": [*seats[2:], *seats[:2]]}
    for siglum in SIGLA:
        one, two = settle(read(raw), rules(siglum)), settle(read(again), rules(siglum))
        if isinstance(one, Settled) and isinstance(two, Settled):
            for s in seats:
                assert one.net[one.deal.seats.index(s)] == two.net[two.deal.seats.index(s)]


@FEW
@given(seeds, kinds)
def test_a_deal_is_written_and_read_again(seed: int, kind: str) -> None:
    deal = read(anyhow(seed, kind)[1])
    assert read(write_deal(deal)) == deal


@pytest.mark.release
@FEW
@given(seeds, kinds)
def test_money_never_changes_the_play(library: Library, rules: Rules, seed: int, kind: str) -> None:
    deal = read(anyhow(seed, kind)[1])
    for siglum in SIGLA:
        plain = replay_deal(deal, Ask(rules(siglum)))
        for slug, question in library.questions.items():
            if question.affects not in ("payment", "pool", "irregularity") or slug not in rules(siglum).rulings:
                continue
            for reading in question.readings:
                rival = resolve(library, siglum, [Choice("", slug, reading)])
                again = replay_deal(deal, Ask(rival))
                assert (again.facts, again.measures) == (plain.facts, plain.measures)


@pytest.mark.release
@FEW
@given(seeds, kinds)
def test_every_cited_answer_is_needed(rules: Rules, seed: int, kind: str) -> None:
    deal = read(anyhow(seed, kind)[1])
    for siglum in SIGLA:
        found = settle(deal, rules(siglum))
        if isinstance(found, Settled):
            for question in {q for e in found.entries for q in e.asked}:
                bare = settle(deal, drop_answer(rules(siglum), question))
                assert isinstance(bare, Unanswered) and bare.silent.question == question


@FEW
@given(seeds, kinds)
def test_no_entry_without_a_clause(rules: Rules, seed: int, kind: str) -> None:
    deal = read(anyhow(seed, kind)[1])
    for siglum in SIGLA:
        found = settle(deal, rules(siglum))
        if isinstance(found, Settled):
            for entry in found.entries:
                assert any(r.clauses for r in found.rulings(entry))
                assert all(p.payer != p.payee for p in entry.postings)
        elif isinstance(found, Refused):
            assert all(r.asked for r in found.refusals)


@FEW
@given(seeds, kinds, st.integers(1, 10))
def test_a_fragment_agrees_with_the_whole(rules: Rules, seed: int, kind: str, length: int) -> None:
    """What a fragment settles, and does not leave open, stands in the whole deal too."""
    raw = anyhow(seed, kind)[1]
    rows = list(raw["tricks"])  # type: ignore[call-overload]
    faults = [f for f in raw.get("faults", ()) if f["trick"] <= length]  # type: ignore[attr-defined]
    part = read(raw | {"tricks": rows[:length], "fragment": True, "faults": faults})
    whole: Deal = read(raw)
    for siglum in SIGLA:
        some, all_ = settle(part, rules(siglum)), settle(whole, rules(siglum))
        if isinstance(some, Settled) and isinstance(all_, Settled):
            known = {(e.rule, e.fact.trick, e.fact.card, e.postings) for e in all_.entries}
            for e in some.entries:
                assert (e.rule, e.fact.trick, e.fact.card, e.postings) in known
