"""Arrays that the compiled path fills for each deal, one column a deal.

A fact of an ace or the quinola is one number, made of small ones by `FACT`; what each player has taken is one number,
sixteen bits a seat: aces, kings, queens and knaves by three bits each, then tricks by four.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from lab.survey.request import SURVEY_SEATS

IntArray: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.int64]]"
Bytes: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]"

SPECIAL_CARDS = 5  #: the four aces, in the order of suits, and the quinola; further privileged cards come after them
LED, FOLLOWED, THROWN_OFF, IN_TALON = range(4)  #: the manners of engine.deal.events.CARD_MANNERS, in that order
#: where each part of a fact begins
PLAYER, LEADER, TAKER, MANNER, TRICK, ALONE, FREE, COURT, HIGHEST, PRIVILEGED = 0, 2, 4, 6, 8, 12, 13, 14, 15, 18
QUEEN_LED = 19
#: what else is told of a deal, in one number
HOLDER, RENOUNCED, EXCHANGED, FORBIDDEN, FOUR_ACES, THREE_AND_QUINOLA, QUINOLA_TURNED = 0, 3, 4, 8, 9, 10, 11
TRICKS_TAKEN = 12  #: where the tricks stand in a seat's sixteen bits
NO_CARD = 255  #: no card


@dataclass(frozen=True, slots=True)
class PlayedDeals:
    """Deals as they were played, or replayed, under one set of rules."""

    facts: IntArray  #: [5 and a row for each further privileged card, deals]
    taken: IntArray  #: [deals]
    takers: IntArray  #: [deals] two bits a trick, the first lowest
    talon: IntArray  #: [deals] as bits
    told: IntArray  #: [deals] who held the espagnolette (1 + seat), and so on
    hands: IntArray  #: [4, deals] at the first lead, as bits
    cards: Bytes  #: [44, deals] in the order played
    swaps: Bytes  #: [8 or 12, deals] by seat the card laid away, taken in, and given across the table; 255 for none


def allocate_deals(deals: int, further: int = 0, across: bool = False) -> PlayedDeals:
    """Allocate empty arrays for a number of deals.

    There are so many privileged cards besides the quinola; cards may be given across the table.
    """

    def numbers(*shape: int) -> IntArray:
        return np.zeros(shape, np.int64)

    return PlayedDeals(
        numbers(SPECIAL_CARDS + further, deals),
        numbers(deals),
        numbers(deals),
        numbers(deals),
        numbers(deals),
        numbers(SURVEY_SEATS, deals),
        np.zeros((44, deals), np.uint8),
        np.full(((2 + across) * SURVEY_SEATS, deals), NO_CARD, np.uint8),
    )
