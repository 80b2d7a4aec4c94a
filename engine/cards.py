"""Cards, packs and seats: whole numbers inside, names outside."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from rulebook.strings import quote_value

CARD_SUITS = "SHDC"
CARD_RANKS = "23456789TJQKA"
HEARTS_INDEX = CARD_SUITS.index("H")
ENGLISH_RANKS: Mapping[str, str] = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
ENGLISH_SUITS: Mapping[str, str] = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}

#: Other ways to write a rank or a suit: French courts (roi, dame, valet), the printed ten, suit symbols.
FRENCH_COURTS = {"R": "K", "D": "Q", "V": "J"}
RANK_SPELLINGS = {**{r: r for r in CARD_RANKS}, "10": "T", **FRENCH_COURTS}
SUIT_SPELLINGS = {
    **{s: s for s in CARD_SUITS},
    **dict(zip("♠♥♦♣", CARD_SUITS, strict=True)),
    **dict(zip("♤♡♢♧", CARD_SUITS, strict=True)),
}

#: A card as records and their schemas write it. No other letter will do, though Python may take it for one (ſ for S).
BLANKS = r" \t\r\n"
CARD_NAME_PATTERN = "(10|[2-9AKQJTRDVakqjtrdv])([SHDCshdc♠♥♦♣♤♡♢♧])"
_CARD_RE = re.compile(f"[{BLANKS}]*{CARD_NAME_PATTERN}[{BLANKS}]*")


@lru_cache(maxsize=1024)  # there are 52 of them, each in a few spellings, and records name them by the thousand
def parse_card_name(name: str) -> int:
    """Return the number of a card. Raises ValueError if it is no card.

    The number is the suit times sixteen, plus the rank from 0 (two) to 12 (ace).
    """
    match = _CARD_RE.fullmatch(name)
    if match is None:
        raise ValueError(f"{quote_value(name)} is no card")
    rank, suit = RANK_SPELLINGS[match[1].upper()], SUIT_SPELLINGS[match[2].upper()]
    return CARD_SUITS.index(suit) * 16 + CARD_RANKS.index(rank)


def is_half_french(name: str) -> bool:
    """Return whether a card is a French court, R, D or V, of a suit in an English letter; ♥ is no letter."""
    card = name.strip().upper()
    return card[:1] in FRENCH_COURTS and card[-1:] in CARD_SUITS


class CourtLetters:
    """Courts met in one record, to notice once that some are in French letters (R D V), others in English (K Q J)."""

    hint = "write K, Q, J, and S, H, D, C for spades, hearts, diamonds, clubs: roi de coeur is KH, and RC is KC"

    def __init__(self) -> None:
        self.first = dict[bool, str]()

    def find_mixture(self, name: str, signed: bool = False) -> str:
        """Return what is wrong if a card, or with *signed* a rank beside the sign of its suit, is the first to mix."""
        card = name.strip()
        french = card[:1].upper() in FRENCH_COURTS if signed else is_half_french(name)
        is_court = french or card[:1].upper() in FRENCH_COURTS.values()
        if not is_court or french in self.first:
            return ""
        self.first[french] = card
        other = self.first.get(not french)
        return f"{card} beside {other}: R, D, V and K, Q, J are mixed" if other else ""


def format_card(number: int) -> str:
    """Return the short name of a card, rank then suit: QH is the queen of hearts."""
    return CARD_RANKS[rank_of(number)] + CARD_SUITS[suit_of(number)]


def card_words(number: int) -> str:
    """Name of a card: "ace of spades"."""
    rank, suit = CARD_RANKS[rank_of(number)], CARD_SUITS[suit_of(number)]
    return f"{ENGLISH_RANKS.get(rank, rank)} of {ENGLISH_SUITS[suit]}"


def suit_of(number: int) -> int:
    """The suit of a card, 0 to 3 for spades, hearts, diamonds, clubs."""
    return number >> 4


def rank_of(number: int) -> int:
    """The rank of a card, 0 (two) to 12 (ace)."""
    return number & 15


def make_pack(size: int) -> frozenset[int]:
    """Return a whole pack of 52 cards, or of 48 without the tens."""
    ten = CARD_RANKS.index("T")
    return frozenset(s * 16 + r for s in range(4) for r in range(13) if size == 52 or r != ten)


def make_card_mask(cards: Iterable[int]) -> int:
    """Return a hand as one number with a bit for each card."""
    return sum(1 << c for c in cards)


def cards_of(hand: int) -> Iterator[int]:
    """The cards of a hand given as bits, lowest number first."""
    while hand:
        low = hand & -hand
        yield low.bit_length() - 1
        hand ^= low


def sort_cards(cards: Iterable[int]) -> list[int]:
    """Sort cards as one holds them: by suit, the highest first."""
    return sorted(cards, key=lambda c: (suit_of(c), -rank_of(c)))


def format_cards(cards: Iterable[int]) -> list[str]:
    """Return the short names of cards, sorted as one holds them."""
    return [format_card(c) for c in sort_cards(cards)]


_SPELT_SUITS = dict(zip(CARD_SUITS, "♠♥♦♣", strict=True))
_CARD_IN_WORDS = re.compile(r"(?<!\w)([AKQJT2-9])([SHDC])(?!\w)")


def spell_card(number: int) -> str:
    """Return a card as people write it: Q♥, 10♠."""
    return spell_cards(format_card(number))


def spell_cards(words: str) -> str:
    """Return words with their cards as people write them."""
    return _CARD_IN_WORDS.sub(lambda match: match[1].replace("T", "10") + _SPELT_SUITS[match[2]], words)
