"""Readings that are made of numbers, cards and suits: a source may bring such a one, and no program need be written.

A table of meanings lists the readings that the edition has. Some tables know besides what a reading of a certain form
means, whoever brings it: `free-after-three-tricks` for one that knows `free-after-two-tricks`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from engine.cards import CARD_RANKS, CARD_SUITS

M = TypeVar("M")

_NUMBER_WORDS = (
    "nought",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_RANK_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_SUIT_WORDS = ("spade", "heart", "diamond", "club")
RANK_OF: Mapping[str, int] = {word: at for at, word in enumerate(_RANK_WORDS)} | {"knave": _RANK_WORDS.index("jack")}
SUIT_OF: Mapping[str, int] = {word: at for at, word in enumerate(_SUIT_WORDS)}


class MeaningTable(dict[str, M]):
    """Meanings by the names of readings; a name of one of its forms is understood although it is not listed."""

    def __init__(self, listed: Mapping[str, M], *forms: tuple[str, str, Callable[..., M | None]]) -> None:
        super().__init__(listed)
        self.forms = tuple((form, re.compile(pattern), meaning) for form, pattern, meaning in forms)

    def __missing__(self, reading: str) -> M:
        for _, pattern, meaning in self.forms:
            if (match := pattern.fullmatch(reading)) and (means := meaning(*match.groups())) is not None:
                return means
        raise KeyError(reading)

    @property
    def told(self) -> tuple[str, ...]:
        """Its forms as one would write them: free-after-NUMBER-tricks."""
        return tuple(form for form, _, _ in self.forms)


def parse_number_word(word: str) -> int | None:
    """Return the number that a word names; None if it names none."""
    return _NUMBER_WORDS.index(word) if word in _NUMBER_WORDS else None


def parse_rank_words(words: str) -> tuple[int, ...]:
    """Parse ranks joined by -or-; nothing where one of them is none."""
    ranks = [RANK_OF.get(word) for word in words.split("-or-")]
    return () if None in ranks else tuple(rank for rank in ranks if rank is not None)


def parse_card_words(words: str) -> int:
    """Return the bits of cards: ranks and suits in the plural, joined by -and-.

    It is nought where one of them is neither.
    """
    bits = [of_rank(word) or _parse_plural_suit(word) for word in words.split("-and-")]
    return 0 if 0 in bits else _unite_card_bits(bits)


def of_rank(word: str) -> int:
    """The four cards of a rank in the plural."""
    rank = next((at for name, at in RANK_OF.items() if word == name + ("es" if name.endswith("x") else "s")), None)
    return 0 if rank is None else sum(1 << 16 * suit + rank for suit in range(len(CARD_SUITS)))


def _parse_plural_suit(word: str) -> int:
    """Return the cards of a suit in the plural."""
    suit = next((at for name, at in SUIT_OF.items() if word == name + "s"), None)
    return 0 if suit is None else ((1 << len(CARD_RANKS)) - 1) << 16 * suit


def _unite_card_bits(all_: list[int]) -> int:
    """Return the cards that stand in one of them."""
    bits = 0
    for cards in all_:
        bits |= cards
    return bits
