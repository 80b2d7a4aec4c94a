"""Meanings of the readings on leading, following and taking a trick."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.readings.patterns import SUIT_OF, MeaningTable, parse_number_word

FIRST_LEADER: Mapping[str, Callable[[int, int], int]] = {
    "right-of-dealer": lambda dealer, seats: (dealer + 1) % seats,
    "dealer": lambda dealer, seats: dealer,
}
FIRST_LEAD: Mapping[str, int] = MeaningTable(  # a suit's number, or -1
    {"any": -1, "heart": 1}, ("spade, diamond, club", "(.+)", SUIT_OF.get)
)
MUST_FOLLOW: Mapping[str, int] = {"must": 1, "need-not": 0}
Freed: TypeAlias = Callable[[int, int], bool]  # tricks played before, times hearts were led before


def _after_tricks(word: str) -> Freed | None:
    needed = parse_number_word(word)
    return None if needed is None else lambda tricks, hearts: tricks >= needed


def _after_leads(word: str) -> Freed | None:
    needed = parse_number_word(word)
    return None if needed is None else lambda tricks, hearts: hearts >= needed


QUINOLA_FREE: Mapping[str, Freed] = MeaningTable(
    {
        "must-follow": lambda tricks, hearts: False,
        "free-after-two-tricks": lambda tricks, hearts: tricks >= 2,
        "free-after-two-heart-leads": lambda tricks, hearts: hearts >= 2,
        "free": lambda tricks, hearts: True,
    },
    ("free-after-NUMBER-tricks", "free-after-(.+)-tricks?", _after_tricks),
    ("free-after-NUMBER-heart-leads", "free-after-(.+)-heart-leads?", _after_leads),
)
QUINOLA_TAKES: Mapping[str, bool] = {"highest-of-suit-led": False, "thrown-quinola-takes": True}
NEXT_LEADER: Mapping[str, Callable[[int, int], int]] = {
    "taker": lambda taker, eldest: taker,
    "first-leader": lambda taker, eldest: eldest,
}
