"""Payments that a person can know of: what depends on cards that lie unseen is told when it is certain, or at the end.

A payment for another's ace or quinola may hang on whether it was the only card of its suit in that hand, and on whether
the hand gives a privilege. As long as nobody can know, the deal is settled both ways, and what differs is held back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.cards import make_card_mask, suit_of
from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.play.table import find_quinolas, has_privilege
from engine.readings.ask import Ask
from engine.settlement.settle import Settled, settle_replayed_deal
from reversis.table.payments import list_paid_lines, settle_so_far
from reversis.table.unseen import cover_deal, find_unknown_followings, lean_to_privilege
from reversis.words.ledgers import LedgerLine
from rulebook.model import Ruleset, Silent

_CardUse: TypeAlias = "tuple[int | None, int | None]"  #: a card, and the trick in which it was played


@dataclass(frozen=True)
class KnownPayments:
    """The payments that a person can know of, and those cards for which nobody can say yet what is paid."""

    settled: Settled | None  #: the whole tricks
    lines: tuple[LedgerLine, ...]
    held_back: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class UnknownFacts:
    """Facts of the cards played that a person cannot know: last cards of a suit, and who may have a privilege."""

    lone: Collection[tuple[int, int]]  #: player and suit
    privileged: Collection[int]

    def vary(self, fact: Fact, alone: bool, free: bool, holder: int | None) -> Fact:
        """The fact as it may have been. `holder`: of the privilege."""
        if fact.card is None or fact.player is None:
            return fact
        if (fact.player, suit_of(fact.card)) in self.lone:
            leads_first = fact.manner == "led" and fact.trick == 1  # perhaps a suit was demanded
            free = not alone if leads_first else fact.free if fact.manner == "led" else alone and free
            fact = replace(fact, alone=alone, free=free)
        return replace(fact, privileged=fact.player == holder) if fact.player in self.privileged else fact


def find_known_payments(deal: Deal, ruleset: Ruleset, seat: int) -> KnownPayments:
    """Find what is paid by now, as far as a player can know: all when the deal is over."""
    settled = settle_so_far(deal, ruleset)
    lines = list_paid_lines(settled)
    if settled is None or not deal.fragment:
        return KnownPayments(settled, tuple(lines))
    ways = [list_paid_lines(way) for way in _settle_every_way(settled, seat)]
    certain = set.intersection({*map(name_line, lines)}, *({*map(name_line, way)} for way in ways))
    doubtful = {_name_use(line.entry.fact) for way in ways for line in way if name_line(line) not in certain}
    facts = (fact for fact in settled.played.facts if _name_use(fact) in doubtful)
    return KnownPayments(settled, tuple(line for line in lines if name_line(line) in certain), tuple(facts))


def name_line(line: LedgerLine) -> object:
    """Name a payment: what it is for, and what passes."""
    return line.key, line.postings


def _name_use(fact: Fact) -> _CardUse:
    return fact.card, fact.trick


def _settle_every_way(settled: Settled, seat: int) -> Iterator[Settled]:
    """Settle the whole tricks of a deal in every way that a player must think possible."""
    deal, ruleset, played = settled.deal, settled.ruleset, settled.played
    unknown = find_unknown_facts(settled, seat)
    lone = ((True, True), (True, False), (False, False)) if unknown.lone else ((True, True),)
    for alone, free in lone:
        for holder in (None, *unknown.privileged):
            facts = tuple(unknown.vary(fact, alone, free, holder) for fact in played.facts)
            measures = replace(played.measures, holder=holder) if unknown.privileged else played.measures
            if (facts, measures) == (played.facts, played.measures):
                yield settled
                continue
            try:
                yield settle_replayed_deal(deal, ruleset, replace(played, facts=facts, measures=measures), Ask(ruleset))
            except Silent:
                continue  # then the book says nothing of what has not happened


def find_unknown_facts(settled: Settled, seat: int) -> UnknownFacts:
    """Find what a player cannot know of the aces and quinolas that the others have played."""
    ask = Ask(settled.ruleset)
    seen = cover_deal(settled.deal, seat)
    paid = {fact.card for fact in settled.played.facts if fact.card is not None and fact.player != seat}
    quinolas = make_card_mask(find_quinolas(ask))

    def is_privileged(hand: int) -> bool:
        return has_privilege(hand, quinolas, ask)

    holders = {lean.holder for lean in lean_to_privilege(seen, ask, paid, is_privileged)}
    return UnknownFacts(find_unknown_followings(seen, ask, paid), holders)
