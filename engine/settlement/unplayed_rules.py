"""Occasions of a deal on which a rule that is not played would have mattered.

Whoever proposes a rule says by what one sees it: a card led or thrown off, a call, a stake. Of a reading in whose place
another is played, the payments that rest on the other tell as much. Where neither is there, nobody can tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from engine.cards import parse_card_name, suit_of
from engine.deal.model import Deal
from engine.settlement.settle import Settled
from rulebook.model import Occasion, Ruling


@dataclass(frozen=True, slots=True)
class RaisedOccasion:
    """An occasion that there is in a deal."""

    occasion: Occasion
    trick: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class UnplayedRule:
    """An answer that the engine does not play, and whether it would have mattered in a deal."""

    ruling: Ruling
    mattered: bool | None  #: None where nobody can tell
    raised: tuple[RaisedOccasion, ...] = ()


def judge_unplayed_rules(settled: Settled) -> tuple[UnplayedRule, ...]:
    """Judge every answer that the engine does not play by what happened in a deal."""
    return tuple(_judge_unplayed_rule(settled, ruling) for ruling in settled.ruleset.left_out)


def list_unplayed_rules(settled: Settled) -> tuple[UnplayedRule, ...]:
    """List the answers to be named beside a ledger: never asked, asked by this deal, or raised by it all the same."""
    named = {ruling.question for ruling in settled.left_out}
    return tuple(rule for rule in judge_unplayed_rules(settled) if rule.ruling.question in named or rule.mattered)


def _judge_unplayed_rule(settled: Settled, ruling: Ruling) -> UnplayedRule:
    if ruling.matters:
        raised = tuple(each for occasion in ruling.matters for each in _find_occasion(settled, occasion))
        return UnplayedRule(ruling, bool(raised), raised)
    if ruling.unasked:
        return UnplayedRule(ruling, None)
    if ruling.question not in settled.asked:
        return UnplayedRule(ruling, False)
    resting = (entry for entry in settled.entries if ruling.question in entry.asked and entry.postings)
    raised = tuple(RaisedOccasion(Occasion(), entry.fact.trick, entry.fact.player) for entry in resting)
    return UnplayedRule(ruling, True if raised else None, raised)


# ---- what there is in a deal
def _find_occasion(settled: Settled, occasion: Occasion) -> Iterator[RaisedOccasion]:
    deal = settled.deal
    if occasion.card:
        for trick, seat in _CARD_EVENTS[occasion.when](deal, parse_card_name(occasion.card)):
            yield RaisedOccasion(occasion, trick, seat)
    for each in deal.announced if occasion.announced else ():
        if each.what == occasion.announced:
            yield RaisedOccasion(occasion, None, each.seat)
    if occasion.stake_from and settled.before.stake >= occasion.stake_from:
        yield RaisedOccasion(occasion)


_Places = Iterator[tuple[int | None, int | None]]


def _find_played(deal: Deal, card: int, manner: Callable[[int, int, int], bool]) -> _Places:
    """Yield the trick in which a card is played, if in this manner: place in the trick, card, first card."""
    for number, row in enumerate(deal.tricks, 1):
        if card in row and manner(row.index(card), card, row[0]):
            yield number, deal.holder(card)


_CARD_EVENTS: Mapping[str, Callable[[Deal, int], _Places]] = {
    "led": lambda deal, card: _find_played(deal, card, lambda at, played, first: at == 0),
    "followed": lambda deal, card: _find_played(
        deal, card, lambda at, played, first: at > 0 and suit_of(played) == suit_of(first)
    ),
    "thrown-off": lambda deal, card: _find_played(
        deal, card, lambda at, played, first: suit_of(played) != suit_of(first)
    ),
    "played": lambda deal, card: _find_played(deal, card, lambda at, played, first: True),
    "discarded": lambda deal, card: ((None, exchange.seat) for exchange in deal.exchange if exchange.out == card),
    "taken-in": lambda deal, card: ((None, exchange.seat) for exchange in deal.exchange if exchange.taken == card),
    "in-the-talon": lambda deal, card: iter([(None, None)] if card in deal.talon else []),
}
