"""Deals that a ruleset cannot settle alone: the answers that it lacks.

Another ruleset lends its answers, and the deal tells which of them it asks for. What comes of a deal with lent answers
is nobody's result: it is used to name what is missing, and never shown as a ledger of the ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.deal.model import Deal
from engine.play.replay import replay_deal
from engine.readings.ask import OTHER_QUINOLAS, Ask
from engine.settlement.settle import settle_each_payment, settle_replayed_deal
from rulebook.model import Ruleset, Silent

#: Asked only of a ruleset that answers it; to be silent on it is to have no such rule, and no gap. Of a text that
#: breaks off the rule may be lost; who supplies answers is told of it.
ASKED_IF_ANSWERED = frozenset({OTHER_QUINOLAS, "deal.again", "exchange.across", "exchange.duty"})


def lend_answers(ruleset: Ruleset, lenders: Iterable[Ruleset]) -> Ruleset:
    """Return a ruleset whose gaps are filled by others, the first of them that answers; its own answers stay."""
    rulings = dict(ruleset.rulings)
    for lender in lenders:
        rulings = {slug: ruling for slug, ruling in lender.rulings.items() if slug not in ASKED_IF_ANSWERED} | rulings
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
        stuck = {silent.question, *(question for _, question in settle_each_payment(played, ask)[1])}
    return (ask.raised | stuck) - {*ruleset.rulings}
