"""The policies of play in a survey: two documented simplifications, neither a salon player, and the skilled.

`random`: any card that may be played, each as likely as another; whoever may exchange a card does so as a coin falls,
unless he has to, and lays away any card that he may; to the player opposite, where the rules say so, he gives any card.

`cautious`: a plain way of playing to lose tricks, given whole in `PREFERENCES`. Of the cards that he may play a player
takes the one with the highest number, in the row that tells what the card would do; among equals the lot decides. He
exchanges whenever he may, and gives across the table what he would lay away. He counts nothing, remembers nothing,
makes no plans, and never plays for the reversis.

`skilled`: nothing of it stands here. Whoever orders such a survey brings the players (`lab.players.skilled`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from engine.cards import CARD_RANKS, HEARTS_INDEX, rank_of, suit_of

RANDOM, CAUTIOUS, SKILLED = "random", "cautious", "skilled"
SURVEY_POLICIES = (RANDOM, CAUTIOUS)  #: that need no players from elsewhere
ALL_POLICIES = (*SURVEY_POLICIES, SKILLED)


class Would(IntEnum):
    """Effects that a card would have if it were played now."""

    LEAD = 0  #: it leads
    DUCK = 1  #: it follows suit below the highest card so far
    TAKE_LAST = 2  #: it follows suit above it, and is the last of the trick
    TAKE = 3  #: it follows suit above it, and others are still to play
    THROW = 4  #: it is thrown on another suit
    LAY_AWAY = 5  #: it is laid away before play, and is no heart
    LAY_AWAY_HEART = 6  #: it is laid away, and is a heart


#: The same in words, of a card.
DOES: Mapping[Would, str] = {
    Would.LEAD: "leads",
    Would.DUCK: "follows suit, below the highest card so far",
    Would.TAKE_LAST: "follows suit above it, and is the last of the trick",
    Would.TAKE: "follows suit above it, and others are still to play",
    Would.THROW: "is thrown on another suit",
    Would.LAY_AWAY: "is laid away before play, and is no heart",
    Would.LAY_AWAY_HEART: "is laid away before play, and is a heart",
}


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """Preference for a card by rank, from two to ace; the quinola has its own number."""

    says: str
    ranks: tuple[int, ...]
    quinola: int


_ASCENDING = tuple(range(1, len(CARD_RANKS) + 1))  #: the higher the better
_DESCENDING = tuple(reversed(_ASCENDING))
PREFERENCES: Mapping[Would, PreferenceRow] = {
    Would.LEAD: PreferenceRow(
        "the lowest card; the quinola only if nothing else is left", tuple(40 + n for n in _DESCENDING), 0
    ),
    Would.DUCK: PreferenceRow(
        "rather than take: the highest card that stays below; last of these the quinola",
        tuple(80 + n for n in _ASCENDING),
        70,
    ),
    Would.TAKE_LAST: PreferenceRow(
        "if they must take, and are last: with the highest, but not the quinola", tuple(40 + n for n in _ASCENDING), 30
    ),
    Would.TAKE: PreferenceRow(
        "if they must go above, and others come after: as little as possible", tuple(20 + n for n in _DESCENDING), 10
    ),
    Would.THROW: PreferenceRow(
        "on another suit: the quinola, then an ace, then the highest", tuple(100 + n for n in _ASCENDING), 120
    ),
    Would.LAY_AWAY: PreferenceRow(
        "the highest below an ace: aces are kept to be thrown off", (*(20 + n for n in _ASCENDING[:-1]), 20), 0
    ),
    Would.LAY_AWAY_HEART: PreferenceRow("rather not a heart: low hearts guard the quinola", _ASCENDING, 0),
}

Preferences: TypeAlias = "tuple[tuple[int, ...], ...]"

#: What a player aims at in the playouts of a search; the two policies of a survey only ever play to lose.
TO_LOSE, TO_TAKE = range(2)
FIRST_TRICK_TO_BREAK = 5  #: counted from 0: until then nobody minds that one player has taken every trick


def _rank_preferences(base: int, ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Prefer by rank, the quinola like any knave."""
    numbers = tuple(base + n for n in ranks)
    return (*numbers, numbers[CARD_RANKS.index("J")])


#: To take all tricks, or to break another's taking all: lead high, go above with the highest, or as last with as little
#: as will do; else give up the lowest.
_TO_TAKE: Mapping[Would, tuple[int, ...]] = {
    Would.LEAD: _rank_preferences(40, _ASCENDING),
    Would.DUCK: _rank_preferences(20, _DESCENDING),
    Would.TAKE_LAST: _rank_preferences(80, _DESCENDING),
    Would.TAKE: _rank_preferences(80, _ASCENDING),
    Would.THROW: _rank_preferences(40, _DESCENDING),
}


def build_preference_table() -> Preferences:
    """Build the preferences as rows of numbers, the quinola's own last in each."""
    return tuple((*PREFERENCES[would].ranks, PREFERENCES[would].quinola) for would in Would)


def build_aim_tables() -> tuple[Preferences, Preferences]:
    """Build a table of preferences for each aim."""
    usual = build_preference_table()
    return usual, tuple(_TO_TAKE.get(would, usual[would]) for would in Would)


def score_preference(would: Would, card: int, quinola: int) -> int:
    """Score how much a card is preferred for its effect."""
    row = PREFERENCES[would]
    return row.quinola if card == quinola else row.ranks[rank_of(card)]


def classify_play(card: int, row: tuple[int, ...], strongest: int | None, seats: int) -> Would:
    """Classify a card's effect in a trick to which some cards have been played.

    `strongest`: the card that wins it so far.
    """
    if strongest is None:
        return Would.LEAD
    if suit_of(card) != suit_of(row[0]):
        return Would.THROW
    if card < strongest:
        return Would.DUCK
    return Would.TAKE_LAST if len(row) == seats - 1 else Would.TAKE


def classify_discard(card: int) -> Would:
    """Classify the effect of discarding a card."""
    return Would.LAY_AWAY_HEART if suit_of(card) == HEARTS_INDEX else Would.LAY_AWAY
