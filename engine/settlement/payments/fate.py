"""Fate of an ace or the quinola, as a source calls it: led, forced, put, thrown off or laid away."""

from __future__ import annotations

from collections.abc import Mapping

from engine.deal.events import Fact
from engine.readings.ask import Ask
from engine.readings.meanings.cards import FORCED, FORCES_HIM
from engine.settlement.outcome import OutcomeView

#: By which questions the only card of the suit led may be kept.
FREED_BY: Mapping[str, tuple[str, ...]] = {"ace": ("play.follow",), "quinola": ("play.follow", "play.quinola-alone")}


def classify_card_manner(fact: Fact, ask: Ask) -> str:
    """Name what befell a card, as the source calls it: led, forced, put, thrown-off or laid-away."""
    if fact.manner != "followed":
        return fact.manner
    if FORCED[ask.word(f"{fact.kind}.forced.when")](fact):
        return "forced"
    for question in FREED_BY[fact.kind] if fact.free else ():
        ask(question)
    return "put"


def classify_card_fate(fact: Fact, outcome: OutcomeView, ask: Ask) -> str:
    """Classify what befell a card in the end: `classify_card_manner`, but for one case.

    The card is put, not forced, where too low a heart meets an espagnolette's quinola.
    """
    how = classify_card_manner(fact, ask)
    return "put" if how == "forced" and is_spared(fact, outcome, ask) else how


def unforced_by(fact: Fact, outcome: OutcomeView, ask: Ask) -> str:
    """Return the question by which a card that fell to its own suit is not called forced."""
    return "espagnolette.forced" if classify_card_manner(fact, ask) == "forced" else f"{fact.kind}.forced.when"


def is_spared(fact: Fact, outcome: OutcomeView, ask: Ask) -> bool:
    """Return whether the quinola is an espagnolette's, and falls on a heart that does not force it."""
    if fact.kind != "quinola" or not fact.privileged:
        return False
    forces = FORCES_HIM[ask.word("espagnolette.forced")]
    return not forces(fact, lambda: outcome.hero is not None) and fact.player == outcome.espagnolette
