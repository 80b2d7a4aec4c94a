"""Exact probabilities, as fractions, that certain cards are dealt together; no survey is needed for them.

Before the first exchange three players have 11 cards, the dealer has 12 and three lie in the talon: 48 in all, and any
order of the pack is as likely as any other. Nothing else is needed, neither rules nor play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from lab.survey.request import EVENTS

HANDS = (11, 11, 11, 12)  #: the dealer's last: he lays a card away before play
DEALT_TALON_SIZE = 3
DEALT_PACK_SIZE = sum(HANDS) + DEALT_TALON_SIZE
ACE_COUNT = 4


def compute_one_hand_chance(wanted: int, hands: Sequence[int] = HANDS, pack: int = DEALT_PACK_SIZE) -> Fraction:
    """Compute how often a number of named cards are dealt to one player, whichever.

    The places that the named cards take in the pack are as likely to be these as those. Of all comb(48, n) choices of
    n places, comb(11, n) lie in one player's hand of eleven and comb(12, n) in the dealer's; no two players can both
    have all of them, so their chances add up.
    """
    return Fraction(sum(comb(hand, wanted) for hand in hands), comb(pack, wanted))


def compute_all_but_one_chance(
    row: int, besides: int, hands: Sequence[int] = HANDS, pack: int = DEALT_PACK_SIZE
) -> Fraction:
    """Compute how often all but one of a row of cards, and more, come to one player.

    Just one card of the row is missing, and some further named cards are dealt to the same player.

    Any card of the row may be the one that is missing, and no two of them at once: so often as the row is long. For
    each the named cards fill n places of one hand, and the missing card lies in one of the places outside that hand:
    comb(11, n) times 37 ways of the comb(48, n) times (48 - n) ways to lay n named cards and one more.
    """
    wanted = row - 1 + besides
    ways = sum(comb(hand, wanted) * (pack - hand) for hand in hands)
    return row * Fraction(ways, comb(pack, wanted) * (pack - wanted))


#: The events of a survey that have an exact value: all that tell of the cards as dealt, before any choice is made.
EXACT: Mapping[str, Fraction] = {
    "four-aces": compute_one_hand_chance(ACE_COUNT),
    "three-aces-and-quinola": compute_all_but_one_chance(ACE_COUNT, 1),
    "quinola-turned": Fraction(DEALT_TALON_SIZE, DEALT_PACK_SIZE),
}
#: Events that never come together, and what it is if one of them comes.
EITHER: Mapping[str, tuple[str, ...]] = {
    "either of the two was dealt: the hands that give the espagnolette, where the rules know one": (
        "four-aces",
        "three-aces-and-quinola",
    ),
}


def list_exact_chances() -> tuple[tuple[str, tuple[str, ...], Fraction], ...]:
    """List every exact chance: in words, by its events, and how often."""
    single = [(EVENTS[event], (event,), value) for event, value in EXACT.items()]
    either = [(words, some, sum((EXACT[name] for name in some), Fraction(0))) for words, some in EITHER.items()]
    return (*single, *either)
