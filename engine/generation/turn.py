"""Tables that are dealt at, and a player's turn there: all that a policy of play sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from engine.play.table import Table
from engine.readings.ask import Ask
from engine.readings.meanings.deal import PACKS, PLAYERS
from rulebook.model import Ruleset

ASIDE = -1  #: where a card lies that nobody holds
SEATS: Mapping[int, tuple[str, ...]] = {
    4: ("south", "east", "north", "west"),
    5: ("south", "east", "north", "west", "fifth"),
}


@dataclass(frozen=True, slots=True)
class Shape:
    """A table: players, pack, cards in each hand, cards in the talon."""

    players: int
    pack: int
    hand: int
    talon: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn: the table, the number of the trick, who plays, what lies there, what he may play."""

    table: Table
    number: int
    seat: int
    row: tuple[int, ...]
    legal: tuple[int, ...]


Policy: TypeAlias = Callable[[Random, Turn], int]


def shapes(ruleset: Ruleset) -> tuple[Shape, ...]:
    """Every table that a ruleset plays at. Raises Silent."""
    ask = Ask(ruleset)
    players, packs = PLAYERS[ask.word("table.players")], PACKS[ask.word("table.pack")]
    dealt = (Shape(s["players"], s["pack"], s["hand"], s["talon"]) for s in ask.tables("table.shapes"))
    return tuple(s for s in dealt if s.players in players and s.pack in packs)
