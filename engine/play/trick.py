"""The mechanics of a trick in any trick-taking game, in whole numbers: what may be played and who takes.

Hands are numbers with one bit a card (suit times sixteen plus rank). Answers to questions enter as small whole
numbers, so that the same text serves the readable path and a compiled one. No bit is ever inverted and no number
leaves 64 bits.
"""

from __future__ import annotations

SUIT = 0x1FFF  #: the thirteen ranks of a suit, as bits


def select_suit(hand: int, suit: int) -> int:
    """Return the cards of a suit in a hand."""
    return hand & (SUIT << (16 * suit))


def find_legal_leads(hand: int, suit: int) -> int:
    """Return the cards a leader may play.

    He must play the suit demanded if he has it; any card will do where suit is -1.
    """
    demanded = select_suit(hand, suit) if suit >= 0 else 0
    return demanded or hand


def find_legal_follows(hand: int, led: int, must_follow: int, renounces: int, free_card: int) -> int:
    """Return the cards a follower may play.

    He must follow suit if he can, unless he may renounce or his only card of the suit is free.

    `renounces`: he has the privilege in this trick; `free_card`: a card (as a bit, or 0) that need not follow when it
    is his only one of the suit.
    """
    same = select_suit(hand, led)
    if same == 0 or must_follow == 0 or renounces or same == free_card:
        return hand
    return same


def find_taking_card(cards: tuple[int, ...], strength: tuple[int, ...], trump_card: int) -> int:
    """Return the place of the card that takes a trick, counted from the leader's.

    It is the strongest of the suit led, or a trump thrown on it.

    `strength`: by rank; `trump_card`: a card that takes when thrown on another suit, or -1.
    """
    best = 0
    for i in range(1, len(cards)):
        if cards[i] == trump_card and (cards[i] >> 4) != (cards[0] >> 4):
            return i
        if (cards[i] >> 4) == (cards[0] >> 4) and strength[cards[i] & 15] > strength[cards[best] & 15]:
            best = i
    return best
