"""The mechanics of a trick in any trick-taking game, in whole numbers: what may be played and who takes.

Hands are numbers with one bit a card (suit times sixteen plus rank). Answers to questions enter as small whole
numbers, so that the same text serves the readable path and a compiled one. No bit is ever inverted and no number
leaves 64 bits.
"""

from __future__ import annotations

SUIT = 0x1FFF  #: the thirteen ranks of a suit, as bits


def of_suit(hand: int, suit: int) -> int:
    """The cards of a suit in a hand."""
    return hand & (SUIT << (16 * suit))


def may_lead(hand: int, suit: int) -> int:
    """What a leader may play: a card of the suit demanded if he has one; any card where suit is -1."""
    demanded = of_suit(hand, suit) if suit >= 0 else 0
    return demanded or hand


def may_follow(hand: int, led: int, must_follow: int, renounces: int, free_card: int) -> int:
    """What a follower may play: a card of the suit led if he has one, unless he may renounce or his only one is free.

    `renounces`: he has the privilege in this trick; `free_card`: a card (as a bit, or 0) that need not follow when it
    is his only one of the suit.
    """
    same = of_suit(hand, led)
    if same == 0 or must_follow == 0 or renounces or same == free_card:
        return hand
    return same


def taker(cards: tuple[int, ...], strength: tuple[int, ...], trump_card: int) -> int:
    """Which card of a trick takes it, from the leader's on: the strongest of the suit led, or a trump thrown on it.

    `strength`: by rank; `trump_card`: a card that takes when thrown on another suit, or -1.
    """
    best = 0
    for i in range(1, len(cards)):
        if cards[i] == trump_card and (cards[i] >> 4) != (cards[0] >> 4):
            return i
        if (cards[i] >> 4) == (cards[0] >> 4) and strength[cards[i] & 15] > strength[cards[best] & 15]:
            best = i
    return best
