"""Deals that a ruleset cannot settle alone: the answers that it lacks, and the payments that it settles all the same.

Another ruleset lends its answers, and the deal tells which of them it asks for. What comes of a deal with lent answers
is nobody's result: it is used to name what is missing, and never shown as a ledger of the ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.play.replay import Played, replay_deal
from engine.readings.ask import OTHER_QUINOLAS, Ask
from engine.settlement.ledger import Entry
from engine.settlement.outcome import DealOutcome, Open
from engine.settlement.settle import (
    PAYMENT_RULE_RANKS,
    apply_forfeits,
    apply_payment_rule,
    pair_rules_with_facts,
    settle_replayed_deal,
    sort_entries,
)
from rulebook.model import Ruleset, Ruling, Silent

#: Asked only of a ruleset that answers it; to be silent on it is to have no such rule, and no gap. Of a text that
#: breaks off the rule may be lost; who supplies answers is told of it.
ASKED_IF_ANSWERED = frozenset({OTHER_QUINOLAS, "deal.again", "exchange.across", "exchange.duty"})


# ---- what is missing
def lend_answers(ruleset: Ruleset, lenders: Iterable[Ruleset]) -> Ruleset:
    """Return a ruleset whose gaps are filled by others, the first of them that answers; its own answers stay."""
    rulings = dict(ruleset.rulings)
    for lender in lenders:
        rulings = {slug: one for slug, one in lender.rulings.items() if slug not in ASKED_IF_ANSWERED} | rulings
    return replace(ruleset, rulings=rulings)


def find_missing_answers(deal: Deal, ruleset: Ruleset, lenders: Iterable[Ruleset]) -> frozenset[str]:
    """Find every question that a deal asks and a ruleset does not answer, others answering in its place.

    Where no lender answers one either, every payment that does without it is still asked.
    """
    lent = lend_answers(ruleset, lenders)
    ask, stuck = Ask(lent), set[str]()
    try:
        played = replay_deal(deal, ask)
    except Silent as silent:
        return (ask.raised | {silent.question}) - {*ruleset.rulings}
    try:
        if not played.refusals:
            settle_replayed_deal(deal, lent, played, ask)
    except Silent as silent:
        stuck = {silent.question, *(one.question for one in _settle_each_payment(played, ask)[1])}
    return (ask.raised | stuck) - {*ruleset.rulings}


# ---- what can be settled
@dataclass(frozen=True, slots=True)
class UnsettledPayment:
    """A payment that is not settled, and the question that stands in its way."""

    rule: str
    question: str


@dataclass(frozen=True, slots=True)
class PartialSettlement:
    """Payments of a deal that a ruleset settles although it lacks answers, and what is left out."""

    deal: Deal
    ruleset: Ruleset
    entries: tuple[Entry, ...]
    left_out: tuple[UnsettledPayment, ...]

    @property
    def before(self) -> Pool:
        """The pool before the first card."""
        return self.deal.pool(self.ruleset.source)

    def rulings(self, entry: Entry) -> tuple[Ruling, ...]:
        """The answers an entry rests on."""
        return tuple(self.ruleset.rulings[q] for q in entry.asked)


def settle_partly(deal: Deal, ruleset: Ruleset) -> PartialSettlement | None:
    """Settle what a ruleset without all answers can; None where not even the play can be followed."""
    ask = Ask(ruleset)
    try:
        played = replay_deal(deal, ask)
    except Silent:
        return None
    if played.refusals:
        return None
    entries, left_out = _settle_each_payment(played, ask)
    return PartialSettlement(deal, ruleset, entries, left_out)


def _settle_each_payment(played: Played, ask: Ask) -> tuple[tuple[Entry, ...], tuple[UnsettledPayment, ...]]:
    """Settle payment by payment, in the order of a whole ledger; those on which the ruleset is silent are left out."""
    outcome = DealOutcome(played.measures, ask)
    found: list[Entry] = []
    left: dict[UnsettledPayment, None] = {}
    for rule, fact in pair_rules_with_facts(played):
        try:
            entry = apply_payment_rule(rule, fact, outcome)
            found += apply_forfeits(played, outcome, [entry]) if entry is not None else []
        except Open:
            continue
        except Silent as silent:
            left[UnsettledPayment(rule.name, silent.question)] = None
    found.sort(key=lambda entry: PAYMENT_RULE_RANKS[entry.rule])
    return tuple(sort_entries(iter(found))), tuple(left)
