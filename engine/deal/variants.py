"""Deal variants that random generation never produces.

A deal is varied by faults, claims, announcements, exchanges and pools.

Every variation is a record of its own; whether a source allows it is seen when it is settled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import TypeAlias

from engine.cards import CARD_RANKS, HEARTS_INDEX, rank_of, sort_cards, suit_of
from engine.deal.events import Announcement, Fault
from engine.deal.model import MISDEAL_STAGES, Deal, Exchange
from engine.deal.pool import Pool

Twist: TypeAlias = Callable[[Random, Deal], Iterator[Deal]]

_POOL_VARIANTS = (Pool(60), Pool(60, (20, 10)), Pool(0, (10, 20)), Pool(0), Pool(60, (), True), Pool(60, (30,), True))


def _vary_pool(rng: Random, deal: Deal) -> Iterator[Deal]:
    """Yield the deal with other stakes, with and without sums that wait."""
    yield from (replace(deal, pools={"": pool}) for pool in _POOL_VARIANTS)


def _vary_claims(rng: Random, deal: Deal) -> Iterator[Deal]:
    """Yield the deal in which nobody asks for what led cards owe."""
    led = [row[0] for row in deal.tricks if rank_of(row[0]) in (CARD_RANKS.index("A"), CARD_RANKS.index("J"))]
    if led:
        yield replace(deal, claims=dict.fromkeys(led, False))


def _vary_announcements(rng: Random, deal: Deal) -> Iterator[Deal]:
    """Yield the deal in which somebody announces the espagnolette."""
    yield from (replace(deal, announced=(Announcement("espagnolette", seat, 1),)) for seat in range(len(deal.seats)))


def _vary_exchanges(rng: Random, deal: Deal) -> Iterator[Deal]:
    """Yield deals in which one player exchanged a card or looked at the one he left.

    Each player in turn; hearts are among the cards.
    """
    hearts = [c for c in deal.talon if suit_of(c) == HEARTS_INDEX]
    outs = [*hearts, *(c for c in deal.talon if c not in hearts)]
    for seat in range(len(deal.seats)):
        yield replace(deal, exchange=(Exchange(seat, looked=True),))
        for out in outs[:2]:
            taken = rng.choice(sort_cards(deal.hands[seat]))
            yield replace(deal, exchange=(Exchange(seat, out, None if seat == deal.dealer else taken),))
            yield replace(deal, exchange=(Exchange(seat, out, taken, looked=True),))


def _vary_heart_discards(rng: Random, deal: Deal) -> Iterator[Deal]:
    """Yield deals in which the king, queen or knave of hearts was laid out.

    The player has no heart, or no lower one.
    """
    for out in (c for c in deal.talon if suit_of(c) == HEARTS_INDEX and CARD_RANKS[rank_of(c)] in "JQK"):
        for seat in range(len(deal.seats)):
            others = [c for c in sort_cards(deal.hands[seat]) if suit_of(c) != HEARTS_INDEX]
            yield replace(deal, exchange=(Exchange(seat, out, others[0] if others else None),))


# ---- faults
def out_of_turn(rng: Random, deal: Deal) -> Iterator[Deal]:
    """Somebody played before his turn."""
    for seat in range(len(deal.seats)):
        yield replace(deal, faults=(Fault("out-of-turn", seat, 1),))


def _vary_revokes(rng: Random, deal: Deal) -> Iterator[Deal]:
    """Yield deals with a revoke.

    Two cards of the player have changed places, and the play may go on as it was.
    """
    holder = {c: s for s, hand in enumerate(deal.hands) for c in hand}
    for _ in range(6 if len(deal.tricks) > 1 else 0):
        early, late = sorted(rng.sample(range(len(deal.tricks)), 2))
        seat = rng.randrange(len(deal.seats))
        a, b = (next((c for c in deal.tricks[t] if holder[c] == seat), -1) for t in (early, late))
        if a == deal.tricks[early][0] or min(a, b) < 0:
            continue
        turned = swap_cards_in_tricks(deal.tricks, a, b)
        yield replace(deal, tricks=turned, faults=(Fault("revoke", seat, early + 1),))
    for seat in range(len(deal.seats)) if deal.tricks else ():
        yield replace(deal, faults=(Fault("revoke", seat, rng.randrange(len(deal.tricks)) + 1),))


def swap_cards_in_tricks(rows: tuple[tuple[int, ...], ...], a: int, b: int) -> tuple[tuple[int, ...], ...]:
    """Return the same tricks with two cards in each other's places."""
    turn = {a: b, b: a}
    return tuple(tuple(turn.get(c, c) for c in row) for row in rows)


def _vary_peeks(rng: Random, deal: Deal) -> Iterator[Deal]:
    """Yield deals in which somebody saw the talon card they might have taken."""
    yield from (replace(deal, exchange=(), faults=(Fault("peek", seat),)) for seat in range(len(deal.seats)))


def too_many(rng: Random, deal: Deal) -> Iterator[Deal]:
    """Somebody took a card of the talon and laid none away."""
    for seat in range(len(deal.seats)) if deal.talon else ():
        extra = rng.choice(deal.talon)
        hands = tuple(hand | {extra} if s == seat else hand for s, hand in enumerate(deal.hands))
        talon = tuple(c for c in deal.talon if c != extra)
        yield replace(deal, exchange=(), hands=hands, talon=talon, faults=(Fault("undiscarded", seat),))


def too_few(rng: Random, deal: Deal) -> Iterator[Deal]:
    """Somebody laid two cards away for one, and has none left for the last trick."""
    holder = {c: s for s, hand in enumerate(deal.hands) for c in hand}
    for c in deal.tricks[-1][1:]:
        hands = tuple(hand - {c} for hand in deal.hands)
        rows = (*deal.tricks[:-1], tuple(card for card in deal.tricks[-1] if card != c))
        faults = (Fault("ten-cards", holder[c]),)
        yield replace(deal, exchange=(), hands=hands, talon=(*deal.talon, c), tricks=rows, faults=faults)


def dealt_amiss(rng: Random, deal: Deal) -> Iterator[Deal]:
    """The cards were dealt wrongly, turned up, or ill shuffled; or one is missing."""
    faults = [Fault("misdeal", deal.dealer, noticed=when, redeemed=r) for when in MISDEAL_STAGES for r in (False, True)]
    faults += [Fault("card-turned-up", deal.dealer, accepted=accepted) for accepted in (False, True)]
    faults += [Fault("badly-shuffled", deal.dealer)]
    yield from (replace(deal, faults=(fault,)) for fault in faults)
    yield replace(deal, exchange=(), talon=deal.talon[1:], faults=(Fault("incomplete-pack", deal.dealer),))


#: The variations that may bring out an answer, by the beginning of the question's slug; the longest that fits counts.
TWISTS: Mapping[str, tuple[Twist, ...]] = {
    "": (_vary_pool,),
    "payments": (_vary_claims, _vary_pool),
    "ace.led": (_vary_claims, _vary_pool),
    "exchange": (_vary_exchanges, _vary_heart_discards, _vary_peeks),
    "espagnolette": (_vary_announcements, _vary_pool),
    "revoke": (_vary_revokes, _vary_pool),
    "out-of-turn": (out_of_turn, _vary_pool),
    "peek": (_vary_peeks,),
    "undiscarded": (too_many,),
    "ten-cards": (too_few,),
    "barred": (_vary_peeks, _vary_revokes, too_many),
    "talon.irregular": (too_many, too_few),
    "reversis.returns-fines": (_vary_revokes, out_of_turn, dealt_amiss),
    "misdeal": (dealt_amiss,),
    "deal": (dealt_amiss,),
    "deal.next-dealer": (_vary_pool,),
    "stake": (_vary_pool, _vary_revokes),
}


def vary_deal(rng: Random, deal: Deal, question: str) -> Iterator[Deal]:
    """Vary the deal in every way that may show the answer to a question."""
    fitting = [start for start in TWISTS if question == start or question.startswith(f"{start}.") or not start]
    for twist in TWISTS[max(fitting, key=len)]:
        yield from twist(rng, deal)
