"""Where every fact and outcome is tried: what may stand where, and what keeps a question from being asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.cards import parse_card_name
from engine.comparison.irrelevance_proof import (
    GATES,
    OUTCOMES,
    TRICKS_BY_PLAYERS,
    Choices,
    Knowledge,
    Lazy,
    RuleScope,
    any_fact,
    any_fault,
    derive_other_knowledge,
    every_way,
    gate_of,
    knows_espagnolette,
    list_rule_scopes,
    same_everywhere,
    try_rule_scope,
    why_latent,
    why_never,
)
from engine.comparison.separation import Swap
from engine.deal.events import Fact
from engine.deal.model import FAULT_KINDS, MISDEAL_STAGES
from engine.deal.pool import OPERATIONS
from engine.settlement.payments.rules import RULES
from rulebook.model import Ruleset, Ruling

LED = next(rule for rule in RULES if rule.name == "led")


def tiny(**values: object) -> Ruleset:
    """A ruleset with a few answers; two underscores stand for a point, one for a hyphen."""
    named = {slug.replace("__", ".").replace("_", "-"): value for slug, value in values.items()}
    return Ruleset("tiny", "TINY", {q: Ruling(q, q, value, (), "tiny") for q, value in named.items()})  # type: ignore[arg-type]


HAND = tiny(espagnolette__hands=({"aces": 3, "quinola": 1},), reversis__undertaken=2)
NO_HAND = tiny(espagnolette__hands=(), reversis__undertaken=0)


# ---- facts
def standing(
    kind: str, manner: str, seats: int, names: Sequence[str], espagnolette: bool = True
) -> dict[str, list[Any]]:
    """Everything that may stand in each part of a fact."""
    found: dict[str, list[Any]] = {}
    for name in names:
        ways = [getattr(any_fact(LED, kind, manner, seats, choices, espagnolette), name) for choices in every_way()]
        found[name] = ways
    return found


CARD = (
    "trick",
    "player",
    "leader",
    "taker",
    "highest_before",
    "suit",
    "court_led",
    "queen_led",
    "privileged",
    "kind",
    "manner",
)


def test_a_card_that_is_led() -> None:
    assert standing("ace", "led", 4, CARD) == {
        "trick": list(range(1, 12)),
        "player": [0],
        "leader": [0],
        "taker": [0, 1, 2, 3],
        "highest_before": [None, 1, 2, 3],
        "suit": ["S", "H", "D", "C"],
        "court_led": [False, True],
        "queen_led": [False, True],
        "privileged": [False, True],
        "kind": ["ace"],
        "manner": ["led"],
    }


def test_a_card_that_is_played_to_another_or_laid_away() -> None:
    followed = standing("quinola", "followed", 5, CARD, espagnolette=False)
    assert (followed["trick"], followed["leader"], followed["taker"]) == (
        list(range(1, 10)),
        [1, 2, 3, 4],
        [0, 1, 2, 3, 4],
    )
    assert (followed["suit"], followed["privileged"]) == (["H"], [False])
    away = standing("quinola", "laid-away", 4, ("trick", "player", "leader", "taker", "seats", "last", "points"))
    assert away == {
        **{part: [None] for part in ("trick", "player", "leader", "taker")},
        "seats": [4],
        "last": [11],
        "points": [0, 1, 2, 7],
    }


def test_the_card_itself_goes_with_its_suit() -> None:
    aces = [any_fact(LED, "ace", "led", 4, choices, True).card for choices in every_way()]
    assert aces == [parse_card_name(one) for one in ("AS", "AH", "AD", "AC")]
    assert [any_fact(LED, "quinola", "led", 4, choices, True).card for choices in every_way()] == [
        parse_card_name("JH")
    ]


def test_what_is_settled_once_stays_so() -> None:
    for choices in every_way():
        fact = any_fact(LED, "ace", "led", 4, choices, True)
        assert (fact.suit, fact.suit, fact.card) == (fact.suit, fact.suit, parse_card_name(f"A{fact.suit}"))


def test_a_seat_at_the_end_of_a_deal() -> None:
    facts = [any_fact(LED, "seat", "", 4, choices, True) for choices in every_way()]
    assert {(f.dealer, f.eldest, f.points) for f in facts} == {
        (dealer, eldest, points) for dealer in range(4) for eldest in range(4) for points in (0, 1, 2, 7)
    }
    assert len(facts) == 64 and {(f.player, f.trick, f.last, f.seats) for f in facts} == {(0, None, 11, 4)}
    assert all(isinstance(f, Fact) for f in facts)


@pytest.mark.parametrize("kind", FAULT_KINDS)
def test_a_fault_on_record_in_every_way(kind: str) -> None:
    facts = [any_fact(LED, "fault", kind, 5, choices, True) for choices in every_way()]
    assert len(facts) == 12 and {f.trick for f in facts} == {None if kind == "misdeal" else 1}
    assert {(f.player, f.last, f.seats) for f in facts} == {(0, 9, 5)}
    told = {(f.fault.noticed, f.fault.redeemed, f.fault.accepted) for f in facts if f.fault}
    assert told == {(when, a, b) for when in MISDEAL_STAGES for a in (False, True) for b in (False, True)}
    assert {(f.fault.kind, f.fault.seat, f.fault.trick) for f in facts if f.fault} == {(kind, 0, 1)}
    assert any_fault(kind, Choices([])) == facts[0].fault


# ---- outcomes
def may_be(name: str, ruleset: Ruleset = HAND, seats: int = 4, **read: object) -> list[Any]:
    return list(OUTCOMES[name](read.__getitem__, range(seats), ruleset))


def test_what_may_stand_in_an_outcome() -> None:
    for name in ("hero", "winner", "loser", "twin"):
        assert may_be(name) == [None, 0, 1, 2, 3]
    assert (may_be("made", hero=None), may_be("made", hero=1)) == ([False], [False, True])
    assert may_be("made", NO_HAND, hero=1) == [True]  # where no late trick is spared, all were taken
    assert may_be("broken_in") == list(range(1, 12)) and may_be("broken_in", seats=5) == list(range(1, 10))
    assert may_be("espagnolette", hero=2) == [None, 0, 1, 3] and may_be("espagnolette", NO_HAND, hero=2) == [None]
    assert may_be("forfeited") == may_be("stake_won") == [False, True]
    assert may_be("stake_winners") == [(), (0,), (1,), (0, 1), (1, 2)] and may_be("talon_value") == [0, 1, 7]


def test_who_may_have_broken_a_reversis() -> None:
    assert may_be("breakers", hero=None, made=False) == may_be("breakers", hero=1, made=True) == [()]
    found = may_be("breakers", hero=3, made=False)
    assert found == [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]


def test_an_espagnolette_is_lost_only_where_there_is_one_and_no_reversis() -> None:
    assert may_be("espagnolette_lost", espagnolette=1, hero=None) == [False, True]
    assert may_be("espagnolette_lost", espagnolette=None, hero=None) == [False]
    assert may_be("espagnolette_lost", espagnolette=1, hero=0) == [False]


def test_winnings_are_kept_only_by_an_espagnolette_when_a_reversis_is_broken() -> None:
    assert may_be("kept", hero=0, made=False, espagnolette=2) == [None, 2]
    assert may_be("kept", hero=0, made=True, espagnolette=2) == [None]
    assert may_be("kept", hero=None, made=False, espagnolette=2) == [None]
    assert may_be("kept", hero=0, made=False, espagnolette=None) == [None]


@pytest.mark.parametrize(
    ("hands", "known"),
    [
        ((), False),
        (({"aces": 5, "quinola": 0},), False),
        (({"aces": 4, "quinola": 0},), True),
        (({"aces": 4, "quinola": 1},), True),
        (({"aces": 0, "quinola": 1},), True),
        (({"aces": 9, "quinola": 0}, {"aces": 3, "quinola": 1}), True),
    ],
)
def test_some_hand_gives_the_espagnolette(hands: tuple[Mapping[str, int], ...], known: bool) -> None:
    assert knows_espagnolette(tiny(espagnolette__hands=hands)) is known


def test_every_rule_is_tried_on_what_it_looks_at() -> None:
    found = {(rule.name, kind, manner) for rule, kind, manner in list_rule_scopes()}
    assert {
        ("led", "ace", "led"),
        ("led", "quinola", "led"),
        ("partie", "seat", ""),
        ("fine", "fault", "revoke"),
    } <= found
    assert ("reversis-by-quinola", "quinola", "laid-away") in found and ("led", "ace", "laid-away") not in found
    assert not {one for one in found if one[1] == "ace" and one[2] == "laid-away"}
    assert not {one for one in found if one[0] == "led" and one[2] != "led"}
    assert TRICKS_BY_PLAYERS == {4: 11, 5: 9}


def test_a_part_is_settled_when_it_is_first_read() -> None:
    read: list[str] = []
    lazy = Lazy(lambda name: read.append(name) or name.upper())  # type: ignore[func-returns-value]
    assert lazy.suit == "SUIT" and read == ["suit"]


def test_a_rule_of_the_reversis_is_not_asked_where_there_is_none() -> None:
    """And where the rules are silent, that is all that comes of it."""
    place = next(one for one in list_rule_scopes() if one[0].name == "reversis-stake")
    came = {str(try_rule_scope(place, 4, choices, NO_HAND)[0]) for choices in every_way()}
    assert came == {"None", "('silent',)"}


# ---- gates
def known(operations: Sequence[str] = (), **values: object) -> Knowledge:
    return Knowledge(tiny(**({"espagnolette__hands": ()} | values)), {}, frozenset(operations))


ANY = {"espagnolette__hands": ({"aces": 3, "quinola": 0},)}
#: A question, and what is known of a source by which it is never asked; and by which it may be.
SHUT: list[tuple[str, Knowledge]] = [
    ("ace.forced.when", known(ace__forced__payee="nobody")),
    ("espagnolette", known()),
    ("espagnolette.kept-trick", known()),
    ("espagnolette.kept-trick", known(**ANY, espagnolette__lost_by="any-trick")),
    ("stake.tied", known(stake__by_tricks=())),
    ("stake.only-pool", known(["wait", "draw"])),
    ("stake.waiting", known(["draw", "add"])),
    ("stake.renewed.how", known()),
    ("stake.renewed.dealer", known()),
    ("stake.renewed.time", known()),
    ("stake.first.total", known(stake__renewed__when=("empty",), stake__renewed__how="full")),
    ("stake.first.total", known()),
    ("stake.dealer-in-first", known(stake__dealer_adds=0)),
    ("stake.dealer-included", known(stake__dealer_adds=0)),
    ("talon.bonus", known(partie__amount="payers-points")),
    ("talon.special-cards", known(partie__amount="agreed-sum")),
    ("exchange.heart-exception", known(exchange__hearts="allowed")),
    ("misdeal", known()),
    ("misdeal", known(deal__again=("card-turned-up",))),
    ("deal.card-turned-up", known(deal__again=("misdeal",))),
    ("revoke.bars", known()),
    ("revoke", known()),
    ("barred", known()),
    ("barred", known(revoke__card="stands", revoke__bars="nothing")),
    ("peek.forced-stake", known()),
    ("talon.irregular", known()),
]
OPEN: list[tuple[str, Knowledge]] = [
    ("ace.forced.when", known(ace__forced__payee="leader")),
    ("espagnolette", known(**ANY)),
    ("espagnolette.kept-trick", known(**ANY, espagnolette__lost_by="last-tricks")),
    ("stake.tied", known(stake__by_tricks=("most-tricks",))),
    ("stake.only-pool", known(["supplement"])),
    ("stake.waiting", known(["wait"])),
    ("stake.waiting", known(["supplement"])),
    ("stake.renewed.how", known(stake__renewed__when=("empty",))),
    ("stake.renewed.dealer", known(stake__renewed__when=("empty",))),
    ("stake.renewed.time", known(stake__renewed__when=())),
    ("stake.first.total", known(stake__renewed__when=("below-first",), stake__renewed__how="full")),
    ("stake.first.total", known(stake__renewed__when=("empty",), stake__renewed__how="topped-up")),
    ("stake.dealer-in-first", known(stake__dealer_adds=2)),
    ("stake.dealer-included", known(stake__dealer_adds=1)),
    ("talon.bonus", known(partie__amount="talon-cards")),
    ("talon.special-cards", known(partie__amount="talon-cards")),
    ("exchange.heart-exception", known(exchange__hearts="forbidden")),
    ("misdeal", known(deal__again=("misdeal",))),
    ("deal.card-turned-up", known(deal__again=("misdeal", "card-turned-up"))),
    ("revoke.bars", known(revoke__card="stands")),
    ("revoke", known(revoke__card="taken-back")),
    ("barred", known(revoke__card="stands", revoke__bars="every-receipt")),
    ("barred", known(peek__bars=("partie",))),
    ("peek.forced-stake", known(ten_cards__bars=("partie",))),
    ("talon.irregular", known(undiscarded__bars=("partie",))),
    ("talon.irregular", known(ten_cards__bars=("partie",))),
]


def test_every_gate_is_seen_open_and_shut() -> None:
    assert {question for question, _ in SHUT} == {question for question, _ in OPEN} == set(GATES)


@pytest.mark.parametrize(("question", "source"), SHUT, ids=[f"{n} {q}" for n, (q, _) in enumerate(SHUT)])
def test_what_keeps_a_question_from_being_asked(question: str, source: Knowledge) -> None:
    assert GATES[question][1](source)


@pytest.mark.parametrize(("question", "source"), OPEN, ids=[f"{n} {q}" for n, (q, _) in enumerate(OPEN)])
def test_what_lets_a_question_be_asked(question: str, source: Knowledge) -> None:
    assert not GATES[question][1](source)


def test_the_gate_of_a_question_is_the_nearest() -> None:
    assert gate_of("espagnolette.kept-trick") == GATES["espagnolette.kept-trick"]
    assert gate_of("espagnolette.lost-by") == GATES["espagnolette"]
    assert gate_of("espagnolette.hands") is None and gate_of("quinola.led.amount") is None


# ---- why a swap never matters
PLACE = next(one for one in list_rule_scopes() if one[0].name == "led")
SUMS = {"quinola__led__payee": "nobody"}


def swapped(question: str, own: object, other: object, **values: object) -> Swap:
    name = question.replace(".", "__").replace("-", "_")
    sides = (tiny(**(ANY | values | {name: answer})) for answer in (own, other))
    return Swap(question, "TINY", "OTHER", *sides, frozenset({question}))


def asking(question: str, swap: Swap, *places: RuleScope, operations: Sequence[str] = ()) -> Knowledge:
    """What is known of a source of whose rules some ask a question."""
    asked = {PLACE: frozenset[str]()} | {place: frozenset({question}) for place in places}
    return Knowledge(swap.own, asked, frozenset(operations))


def nobody_else(question: str) -> bool:
    return False


def test_what_no_rule_asks_never_matters() -> None:
    swap = swapped("partie.per-point", 1, 2)
    found = why_latent(swap, asking("partie.per-point", swap), nobody_else)
    assert found == "never asked by tiny: no rule asks it, whatever happened and however it came out"
    assert why_latent(swap, asking("partie.per-point", swap), lambda question: True) == ""


def test_what_stands_behind_a_gate_on_both_sides_never_matters() -> None:
    swap = swapped("talon.bonus", 4, 5, partie__amount="agreed-sum")
    assert why_latent(swap, asking("talon.bonus", swap, PLACE), nobody_else) == (
        "never asked by tiny: the talon is not counted"
    )
    both = swapped("partie.amount", "agreed-sum", "talon-cards")
    bonus = replace(both, changed=frozenset({"talon.bonus"}))
    assert why_latent(bonus, asking("talon.bonus", both), lambda question: True) == ""  # the other side counts it


def test_a_gate_that_looks_at_counters_laid_aside_is_open_where_the_swap_may_lay_them() -> None:
    swap = swapped("stake.waiting.order", "oldest-first", "newest-first")
    still = asking("partie.amount", swap, PLACE)
    assert "nothing ever waits" in why_latent(swap, still, nobody_else)
    stirred = asking("stake.waiting.order", swap, PLACE)
    assert why_never("stake.waiting.order", (stirred, derive_other_knowledge(swap, stirred)), nobody_else) == ""
    assert derive_other_knowledge(swap, still).operations == frozenset() and derive_other_knowledge(
        swap, stirred
    ).operations == set(OPERATIONS)
    assert derive_other_knowledge(swap, still).ruleset is swap.other


def test_two_answers_that_come_to_the_same_never_matter_and_two_that_do_not_may() -> None:
    """Nobody is owed for a quinola that is led: by whomever it might have been claimed."""
    same = swapped("payments.led-claimed", "unasked", "must-be-claimed", **SUMS, partie__in_reversis="not-settled")
    quinola = next(one for one in list_rule_scopes() if one[:2] == (PLACE[0], "quinola"))
    known = asking("payments.led-claimed", same, quinola)
    assert same_everywhere(same, quinola)
    assert why_latent(same, known, nobody_else) == "by tiny both answers come to the same: led, for whatever happened"
    assert why_latent(same, known, lambda question: True) == ""
    payee = {"quinola__led__payee": "winner-of-partie", "quinola__led__by_winner": "others-pay"}
    sums = {"quinola__led__amount": 4, "quinola__led__others_pay": 0, "payments__opposite": 1}
    other = swapped("payments.led-claimed", "unasked", "must-be-claimed", **payee, **sums, payments__doubled_tricks=())
    assert not same_everywhere(other, quinola)
    assert why_latent(other, asking("payments.led-claimed", other, quinola), nobody_else) == ""
