"""Cards, packs and seats: whole numbers inside, names outside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

SUITS = "SHDC"
RANKS = "23456789TJQKA"
HEARTS = SUITS.index("H")

#: Other ways to write a rank or a suit: French courts (roi, dame, valet), the printed ten, suit symbols.
RANK_NAMES = {**{r: r for r in RANKS}, "10": "T", "R": "K", "D": "Q", "V": "J"}
SUIT_NAMES = {**{s: s for s in SUITS}, **dict(zip("♠♥♦♣", SUITS, strict=True)), **dict(zip("♤♡♢♧", SUITS, strict=True))}

#: A card as records and their schemas write it. No other letter will do, though Python may take it for one (ſ for S).
BLANKS = r" \t\r\n"
NAME = "(10|[2-9AKQJTRDVakqjtrdv])([SHDCshdc♠♥♦♣♤♡♢♧])"
CARD = re.compile(f"[{BLANKS}]*{NAME}[{BLANKS}]*")


def card(name: str) -> int:
    """The number of a card: suit times sixteen, plus the rank from 0 (two) to 12 (ace). ValueError if it is no card."""
    found = CARD.fullmatch(name)
    if found is None:
        raise ValueError(f"{name!r} is no card")
    rank, suit = RANK_NAMES[found[1].upper()], SUIT_NAMES[found[2].upper()]
    return SUITS.index(suit) * 16 + RANKS.index(rank)


def name(number: int) -> str:
    """The short name of a card, rank then suit: QH is the queen of hearts."""
    return RANKS[rank_of(number)] + SUITS[suit_of(number)]


def suit_of(number: int) -> int:
    """The suit of a card, 0 to 3 for spades, hearts, diamonds, clubs."""
    return number >> 4


def rank_of(number: int) -> int:
    """The rank of a card, 0 (two) to 12 (ace)."""
    return number & 15


def pack(size: int) -> frozenset[int]:
    """A whole pack of 52 cards, or of 48 without the tens."""
    ten = RANKS.index("T")
    return frozenset(s * 16 + r for s in range(4) for r in range(13) if size == 52 or r != ten)


def mask(cards: Iterable[int]) -> int:
    """A hand as one number with a bit for each card."""
    return sum(1 << c for c in cards)


def cards_of(hand: int) -> Iterator[int]:
    """The cards of a hand given as bits, lowest number first."""
    while hand:
        low = hand & -hand
        yield low.bit_length() - 1
        hand ^= low


def in_order(cards: Iterable[int]) -> list[int]:
    """Cards as one holds them: by suit, the highest first."""
    return sorted(cards, key=lambda c: (suit_of(c), -rank_of(c)))


def names(cards: Iterable[int]) -> list[str]:
    """The short names of cards, as one holds them."""
    return [name(c) for c in in_order(cards)]
