"""What a ruleset says of dealing and playing, as a row of whole numbers for the fast path.

The numbers come from asking the tables of `engine.readings.meanings` what a reading means; only the hearts that may be
laid away by way of exception are said once more, where compiled code exchanges. What the fast path cannot play (another
order of the cards, say) is told as `Unsurveyed`, and never played otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum, auto

import numpy as np

from engine.cards import RANKS, card
from engine.play.table import has_privilege
from engine.readings.ask import Ask
from engine.readings.meanings.deal import HEARTS_DISCARDED, MAY_EXCHANGE, PACKS, PLAYERS
from engine.readings.meanings.espagnolette import RIGHT_LOST
from engine.readings.meanings.play import (
    FIRST_LEAD,
    FIRST_LEADER,
    MUST_FOLLOW,
    NEXT_LEADER,
    QUINOLA_FREE,
    QUINOLA_TAKES,
)
from engine.survey.request import SEATS
from rulebook.model import Ruleset, Silent

PACK, TRICKS, TALON, DEALER = 48, 11, 4, SEATS - 1
HEARTS = 0x1FFF << 16
#: the hearts that may be laid away after all, as bits; the exchange has these by heart, and no others
EXCEPTED: Mapping[str, int] = {"lone-king-or-queen": 1, "king-or-queen-without-lower": 2, "lone-quinola": 4}


class Unsurveyed(ValueError):
    """A ruleset that the fast path cannot play or price; the message says why."""


class At(IntEnum):
    """The places of the row."""

    FIRST_SUIT = 0  #: the suit of the first lead, or -1
    FOLLOW = auto()  #: suit is to be followed
    TRUMP = auto()  #: a card that takes when thrown on another suit, or -1
    ELDEST = auto()  #: who leads first
    TAKER_LEADS = auto()  #: he who takes leads next; otherwise the first leader again
    QUINOLA = auto()
    HELD = auto()  #: bit 2 x aces + quinola: whether such a hand gives the espagnolette
    RENOUNCES_TO = auto()  #: the last trick in which its holder may renounce
    RIGHT_LOST = auto()  #: he may not, once he has taken a trick
    MAY_EXCHANGE = auto()  #: bit of a seat: he may take a card of the talon
    HEARTS_OUT = auto()  #: hearts may be laid away
    EXCEPTIONS = auto()  #: the bits of EXCEPTED
    FREE = auto()  #: from here on a number for each trick; bit h: the lone quinola is free after h leads of hearts


WIDTH = At.FREE + TRICKS


def coded(ruleset: Ruleset) -> tuple[int, ...]:
    """The row of a ruleset. Raises Unsurveyed, also where the rules are silent on what the play asks."""
    try:
        return row_of(Ask(ruleset))
    except Silent as silent:
        raise Unsurveyed(f"these rules are silent on {silent.question}") from None


def row_of(ask: Ask) -> tuple[int, ...]:
    """The same. Raises Unsurveyed, and Silent."""
    seated(ask)
    quinola, eldest = card(ask.word("quinola.card")), FIRST_LEADER[ask.word("play.first-leader")](DEALER, SEATS)
    if quinola & 15 in (RANKS.index("A"), RANKS.index("T")):
        raise Unsurveyed("the quinola is an ace, or a card that is not in the pack")
    if eldest != 0:
        raise Unsurveyed("not the player after the dealer leads first")
    ask("deal.next-dealer")  # no deal is settled without it
    row = {
        At.FIRST_SUIT: FIRST_LEAD[ask.word("play.first-lead")],
        At.FOLLOW: MUST_FOLLOW[ask.word("play.follow")],
        At.TRUMP: quinola if QUINOLA_TAKES[ask.word("play.trick-taker")] else -1,
        At.ELDEST: eldest,
        At.TAKER_LEADS: int(taker_leads(ask, eldest)),
        At.QUINOLA: quinola,
        **espagnolette(ask, quinola),
        **exchange(ask, eldest),
    }
    free = QUINOLA_FREE[ask.word("play.quinola-alone")]
    hearts = range(TRICKS + 1)
    rows = (sum(int(free(trick, h)) << h for h in hearts) for trick in range(TRICKS))
    return (*(int(row[at]) for at in At if at != At.FREE), *rows)


def seated(ask: Ask) -> None:
    """Four players with 48 cards, eleven in each hand, in the order ace to two."""
    order = str(ask("cards.order"))
    if [order.index(rank) for rank in reversed(RANKS)] != list(range(len(RANKS))):
        raise Unsurveyed("the cards do not rank from the ace down to the two")
    if SEATS not in PLAYERS[ask.word("table.players")] or PACK not in PACKS[ask.word("table.pack")]:
        raise Unsurveyed("these rules know no table of four with 48 cards")
    wanted = {"players": SEATS, "pack": PACK, "hand": TRICKS, "talon": TALON}
    if wanted not in [dict(shape) for shape in ask.tables("table.shapes")]:
        raise Unsurveyed("these rules do not deal eleven cards to each, and four to the talon")


def taker_leads(ask: Ask, eldest: int) -> bool:
    """Whether he who takes leads to the next trick, and not the first leader again. Raises Unsurveyed."""
    leads = [NEXT_LEADER[ask.word("play.next-leader")](taker, eldest) for taker in range(SEATS)]
    if leads not in ([*range(SEATS)], [eldest] * SEATS):
        raise Unsurveyed("another than the taker or the first leader leads to the next trick")
    return leads == [*range(SEATS)]


def espagnolette(ask: Ask, quinola: int) -> dict[At, int]:
    """Which hands give the privilege, how long it lasts, and what ends it."""
    held = sum(int(has_privilege(hand, quinola, ask)) << at for at, hand in hands(quinola))
    if not held:
        return {At.HELD: 0, At.RENOUNCES_TO: 0, At.RIGHT_LOST: 0}
    lost = RIGHT_LOST[ask.word("espagnolette.right-after-trick")]
    return {At.HELD: held, At.RENOUNCES_TO: TRICKS - ask.number("espagnolette.until"), At.RIGHT_LOST: int(lost)}


def hands(quinola: int) -> Iterator[tuple[int, int]]:
    """A hand for each number of aces, without and with the quinola."""
    for at in range(10):
        aces = sum(1 << (16 * suit + 12) for suit in range(at >> 1))
        yield at, aces | (at & 1) << quinola


def exchange(ask: Ask, eldest: int) -> dict[At, int]:
    """Who may take a card of the talon, as far as the talon reaches, and what may be laid away."""
    may = MAY_EXCHANGE[ask.word("exchange.who")]
    reached = [seat for seat in range(SEATS) if (seat - eldest) % SEATS < TALON - 1]
    hearts = HEARTS_DISCARDED[ask.word("exchange.hearts")]
    excepted: Sequence[str] = () if hearts else ask.words("exchange.heart-exception")
    if unknown := [one for one in excepted if one not in EXCEPTED]:
        raise Unsurveyed(f"a heart may be laid away in a manner that no survey knows: {', '.join(unknown)}")
    return {
        At.MAY_EXCHANGE: sum(1 << seat for seat in reached if seat != DEALER and may(seat, DEALER, eldest)),
        At.HEARTS_OUT: int(hearts),
        At.EXCEPTIONS: sum(EXCEPTED[one] for one in {*excepted}),
    }


def as_row(ruleset: Ruleset) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The row as the fast path reads it."""
    return np.array(coded(ruleset), np.int64)
