"""The edges of a settlement: in which order entries stand, who is named when nothing is owed, what is left unsaid."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from engine.deal.events import Announcement, Fact, Measures
from engine.play.replay import replay_deal
from engine.play.table import Refusal
from engine.readings.ask import Ask
from engine.settlement.ledger import Entry
from engine.settlement.outcome import DealOutcome
from engine.settlement.payments.rules import RULES
from engine.settlement.settle import (
    CLOSING,
    Refused,
    all_entries,
    apply_payment_rule,
    select_rules_for_fact,
    sort_entries,
    summarise_espagnolette,
)
from rulebook.model import Library
from rulebook.resolve import resolve
from tests.support.deals import FOUR, Laid, laid, lay_deal, mixed, natural, read, record
from tests.support.settling import Rules, Settle


def entry(rule: str, trick: int | None) -> Entry:
    return Entry(rule, Fact("seat" if trick is None else "ace", 4, 3, 0, 11, trick=trick), rule, (), ())


def test_entries_stand_as_they_fall_and_what_undoes_them_behind_the_partie() -> None:
    """First the play, trick by trick; then the partie; then what closes the deal card by card; at last the reversis."""
    due = [
        *(entry("led", 1), entry("thrown-off", 3), entry("forced", 11)),
        *(entry("partie", None), entry("stake-by-tricks", None)),
        *(entry("led-returned", 1), entry("forced-returned", 11)),
        *(entry("reversis-made", None), entry("reversis-stake", None)),
    ]
    assert {"led-returned", "reversis-made"} <= CLOSING and not {"led", "partie"} & CLOSING
    assert sort_entries(iter(due)) == due
    turned = [due[i] for i in (7, 5, 2, 8, 1, 6, 3, 4, 0)]
    assert sort_entries(iter(turned)) == due


def test_every_rule_of_a_fact_in_the_order_of_the_table_of_contents() -> None:
    fact = Fact("quinola", 4, 3, 0, 11, trick=2, manner="thrown-off")
    named = [rule.name for rule in select_rules_for_fact(fact)]
    assert named == [rule.name for rule in RULES if rule.name in named]
    assert named[:2] == ["thrown-off", "draws-stake"] and "refreshed" in named and "forced" not in named


# ---- the partie in few words
def level(d: Laid) -> bool:
    tops = sorted(FOUR, key=d.points)[-2:]
    return mixed(d) and d.points(tops[0]) == d.points(tops[1])


def test_who_has_lost_is_named_though_nothing_was_owed(settles: Settle) -> None:
    d = laid(where=mixed)
    winner, loser = natural(d)
    partie = settles(read(record(d)), "PAM", "partie.amount=agreed-sum", "partie.agreed-sum=0").outcome.partie
    assert partie is not None
    assert (partie.winner, partie.losers, partie.value) == (FOUR.index(winner), (FOUR.index(loser),), 0)


@pytest.mark.parametrize("seed", range(1, 7))
def test_by_the_payers_points_the_partie_is_worth_what_the_loser_owes(settles: Settle, seed: int) -> None:
    d = laid(where=mixed, seed=seed)
    _, loser = natural(d)
    partie = settles(read(record(d)), "PAM", "partie.amount=payers-points", "partie.per-point=1").outcome.partie
    assert partie is not None and partie.value == d.points(loser)


def test_where_nobody_has_lost_it_is_worth_what_the_winner_would_owe(settles: Settle) -> None:
    d = laid(where=level)
    wishes = ("partie.amount=payers-points", "partie.per-point=1", "partie.loser=[most-points, alone]")
    found = settles(read(record(d)), "PAM", *wishes).outcome.partie
    assert found is not None and found.losers == ()
    assert found.value == d.points(FOUR[found.winner])


# ---- the espagnolette in few words
def told(announced: tuple[Announcement, ...], hero: int | None = 1) -> object:
    m = Measures(4, 3, 0, 11, (1,) * 11, (0,) * 4, (0, 11, 0, 0), (0,) * 4, (0,) * 4, (), holder=1, announced=announced)
    ask: Any = SimpleNamespace(word=lambda question: "by-holding")
    played: Any = SimpleNamespace(measures=m)
    return summarise_espagnolette(played, SimpleNamespace(espagnolette=None, hero=hero), ask)  # type: ignore[arg-type]


def test_who_announces_an_espagnolette_and_takes_all_tricks_has_not_won_it() -> None:
    assert told((Announcement("espagnolette", 1),)) == (1, False)
    assert told((Announcement("reversis", 1),)) is None
    assert told((Announcement("espagnolette", 2),)) is None
    assert told((Announcement("espagnolette", 1),), hero=0) is None
    assert told(()) is None


# ---- what is left unsaid
def test_why_nothing_is_paid_is_made_an_entry_only_where_it_is_asked_for(library: Library) -> None:
    ask = Ask(resolve(library, "PAM"))
    played = replay_deal(lay_deal(where=mixed), ask)
    outcome = DealOutcome(played.measures, ask)
    pairs = [(rule, fact) for fact in played.facts for rule in select_rules_for_fact(fact) if not rule.in_reversis]
    plain = [apply_payment_rule(rule, fact, outcome) for rule, fact in pairs]
    every = [apply_payment_rule(rule, fact, outcome, unsaid=True) for rule, fact in pairs]
    assert sum(one is not None for one in plain) < sum(one is not None for one in every)
    for said, all_ in zip(plain, every, strict=True):
        assert said is None or said == all_


def test_what_was_left_out_is_what_is_never_asked_and_what_this_deal_has_asked(settles: Settle) -> None:
    done = settles(lay_deal(heart_first=True, seed=3), "PAM")
    never, raised, idle = (
        SimpleNamespace(question=name, unasked=unasked) for name, unasked in (("a", True), ("b", False), ("c", False))
    )
    ruleset: Any = SimpleNamespace(left_out=(never, raised, idle))
    left_out: Any = replace(done, ruleset=ruleset, asked=frozenset({"b"})).left_out
    assert left_out == (never, raised)


def test_what_the_known_tricks_leave_open_is_made_an_entry_only_where_it_is_asked_for(library: Library) -> None:
    whole = lay_deal(where=mixed)
    deal, ask = replace(whole, tricks=whole.tricks[:1], fragment=True), Ask(resolve(library, "PAM"))
    played, left = replay_deal(deal, ask), list[str]()
    outcome = DealOutcome(played.measures, ask)
    assert not any(one.reason == "open" for one in all_entries(played, outcome, left)) and "partie" in left
    every = [one for one in all_entries(played, outcome, [], unsaid=True) if one.reason == "open"]
    assert {"partie", "reversis-made"} <= {one.rule for one in every} and not any(one.postings for one in every)


# ---- shown in one line
def test_a_settled_deal_shows_who_has_won_and_lost_and_who_has_not(settles: Settle) -> None:
    done = settles(lay_deal(where=mixed), "PAM")
    shown = replace(done, net={0: -20, 1: 20, 2: 0, 3: 0, "pool": 0})
    assert "by PAM: south -20, east +20, north 0, west 0, pool 0," in repr(shown)


def test_a_refused_deal_shows_the_first_thing_that_is_forbidden(rules: Rules) -> None:
    forbidden = tuple(Refusal(f"south may not play {card}", ()) for card in ("5H", "AS", "KD"))
    refused = Refused(lay_deal(where=mixed), rules("PAM"), forbidden)
    assert "by PAM: south may not play 5♥," in repr(refused)
    assert "by PAM: ," in repr(replace(refused, refusals=()))
