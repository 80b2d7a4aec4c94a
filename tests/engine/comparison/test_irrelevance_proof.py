"""Where every fact and outcome is tried: what may stand where, and what keeps a question from being asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.comparison.irrelevance_proof import (
    GATES,
    Knowledge,
    RuleScope,
    derive_other_knowledge,
    list_rule_scopes,
    same_everywhere,
    why_latent,
    why_never,
)
from engine.comparison.separation import Swap
from engine.deal.pool import OPERATIONS
from rulebook.model import Ruleset, Ruling
from tests.support.in_one_test import in_one_test


def tiny(**values: object) -> Ruleset:
    """A ruleset with a few answers; two underscores stand for a point, one for a hyphen."""
    named = {slug.replace("__", ".").replace("_", "-"): value for slug, value in values.items()}
    return Ruleset("tiny", "TINY", {q: Ruling(q, q, value, (), "tiny") for q, value in named.items()})  # type: ignore[arg-type]


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


@in_one_test("question, source", SHUT)
def test_what_keeps_a_question_from_being_asked(question: str, source: Knowledge) -> None:
    assert GATES[question][1](source)


@in_one_test("question, source", OPEN)
def test_what_lets_a_question_be_asked(question: str, source: Knowledge) -> None:
    assert not GATES[question][1](source)


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
