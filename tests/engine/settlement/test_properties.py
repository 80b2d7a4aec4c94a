"""What must hold of any deal under any source: no seat is favoured, money never changes the play, all cited counts."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.model import Library, Ruleset
from rulebook.resolve import drop_answer
from tests.support.deals import FIVE, FOUR, laid, read, record
from tests.support.settling import SIGLA, SILENCE_HAS_A_MEANING, Rules, iter_played_alternatives

FEW = settings(max_examples=12, deadline=None, derandomize=True)
seeds = st.integers(1, 400)
kinds = st.sampled_from(("plain", "plain", "five", "tens", "aces", "spades", "quinola"))


@cache
def anyhow(seed: int, kind: str) -> dict[str, Any]:
    """The record of a deal by lot, at times with a hand that makes something rare likely."""
    pool = {"stake": 37, "waiting": [11, 5]}
    if kind == "five":
        return record(laid(seats=FIVE, dealer="ann", heart_first=True, seed=seed), dealer="ann", pool=pool)
    if kind == "tens":
        return record(laid(pack=52, heart_first=True, seed=seed), pack=52, pool=pool)
    hands = {"aces": {"east": "AS AH AD AC"}, "spades": {"south": "AS KS QS JS 9S 8S 7S 6S 5S"}}.get(kind, {})
    tricks = {"aces": {2: "east:AS"}, "quinola": {seed % 9 + 2: f"{FOUR[seed % 4]}:JH"}}.get(kind, {})
    faults = [] if seed % 3 else [{"kind": "out-of-turn", "seat": "north", "trick": 3}]
    d = laid(hands=hands, tricks=tricks, revokes=[(2, "east")], heart_first=kind != "aces", seed=seed)
    return record(d, pool=pool, faults=faults)


@pytest.fixture(scope="module")
def every(library: Library, rules: Rules) -> list[Ruleset]:
    """All sources, and all under their rivals and options."""
    plain = [rules(s) for s in SIGLA]
    return plain + [rules(c.source, a.id) for c, a in iter_played_alternatives(library)]


def turned(raw: dict[str, Any]) -> dict[str, Any]:
    """The same deal, every player having moved one seat to the right."""
    seats = raw["seats"]
    to = dict(zip(seats, [*seats[1:], seats[0]], strict=True))
    hands = {to[s]: h for s, h in raw["hands"].items()}
    faults = [f | {"seat": to[f["seat"]]} for f in raw.get("faults", ())]
    return raw | {"hands": hands, "dealer": to[raw["dealer"]], "faults": faults}


@pytest.mark.slow
@FEW
@given(seeds, kinds)
def test_turning_the_table_turns_the_ledger(every: list[Ruleset], seed: int, kind: str) -> None:
    raw = anyhow(seed, kind)
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


@pytest.mark.release
@FEW
@given(seeds, kinds)
def test_every_cited_answer_is_needed(rules: Rules, seed: int, kind: str) -> None:
    deal = read(anyhow(seed, kind))
    for siglum in SIGLA:
        found = settle(deal, rules(siglum))
        if isinstance(found, Settled):
            for question in {q for e in found.entries for q in e.asked}:
                bare = settle(deal, drop_answer(rules(siglum), question))
                if question in SILENCE_HAS_A_MEANING:
                    assert not (isinstance(bare, Settled) and any(question in e.asked for e in bare.entries))
                else:
                    assert isinstance(bare, Unanswered) and bare.silent.question == question


@FEW
@given(seeds, kinds)
def test_no_entry_without_a_clause(rules: Rules, seed: int, kind: str) -> None:
    deal = read(anyhow(seed, kind))
    for siglum in SIGLA:
        found = settle(deal, rules(siglum))
        if isinstance(found, Settled):
            for entry in found.entries:
                assert any(r.clauses for r in found.rulings(entry))
                assert all(p.payer != p.payee for p in entry.postings)
        elif isinstance(found, Refused):
            assert all(r.asked for r in found.refusals)
