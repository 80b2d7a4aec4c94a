"""Readings that are made of numbers, cards and suits: a source may bring such a one, and no program need be written.

A table of meanings lists the readings that the edition has. Some tables know besides what a reading of a certain form
means, whoever brings it: `free-after-three-tricks` for one that knows `free-after-two-tricks`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from engine.cards import RANKS, SUITS

M = TypeVar("M")

NUMBERS = ("nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
RANK_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
SUIT_WORDS = ("spade", "heart", "diamond", "club")
RANK_OF: Mapping[str, int] = {word: at for at, word in enumerate(RANK_WORDS)} | {"knave": RANK_WORDS.index("jack")}
SUIT_OF: Mapping[str, int] = {word: at for at, word in enumerate(SUIT_WORDS)}


class Table(dict[str, M]):
    """Meanings by the names of readings; a name of one of its forms is understood although it is not listed."""

    def __init__(self, listed: Mapping[str, M], *forms: tuple[str, str, Callable[..., M | None]]) -> None:
        super().__init__(listed)
        self.forms = tuple((told, re.compile(pattern), meaning) for told, pattern, meaning in forms)

    def __missing__(self, reading: str) -> M:
        for _, pattern, meaning in self.forms:
            if (found := pattern.fullmatch(reading)) and (means := meaning(*found.groups())) is not None:
                return means
        raise KeyError(reading)

    @property
    def told(self) -> tuple[str, ...]:
        """Its forms as one would write them: free-after-NUMBER-tricks."""
        return tuple(told for told, _, _ in self.forms)


def number(word: str) -> int | None:
    """A number in a word."""
    return NUMBERS.index(word) if word in NUMBERS else None


def ranks(words: str) -> tuple[int, ...]:
    """Ranks joined by -or-; nothing where one of them is none."""
    found = [RANK_OF.get(word) for word in words.split("-or-")]
    return () if None in found else tuple(one for one in found if one is not None)


def cards(words: str) -> int:
    """Ranks and suits in the plural, joined by -and-, as the bits of their cards; nought where one is neither."""
    found = [of_rank(word) or of_suit(word) for word in words.split("-and-")]
    return 0 if 0 in found else union(found)


def of_rank(word: str) -> int:
    """The four cards of a rank in the plural."""
    rank = next((at for name, at in RANK_OF.items() if word == name + ("es" if name.endswith("x") else "s")), None)
    return 0 if rank is None else sum(1 << 16 * suit + rank for suit in range(len(SUITS)))


def of_suit(word: str) -> int:
    """The cards of a suit in the plural."""
    suit = next((at for name, at in SUIT_OF.items() if word == name + "s"), None)
    return 0 if suit is None else ((1 << len(RANKS)) - 1) << 16 * suit


def union(all_: list[int]) -> int:
    """The cards that stand in one of them."""
    bits = 0
    for one in all_:
        bits |= one
    return bits
