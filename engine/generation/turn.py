"""Tables that are dealt at, and a player's turn there: all that a policy of play sees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol

from engine.play.table import PlayTable
from engine.readings.ask import Ask
from engine.readings.meanings.deal import PACK_SIZES_BY_READING, PLAYER_COUNTS
from rulebook.model import Ruleset

TALON_PLACE = -1  #: where a card lies that nobody holds
SEAT_NAMES: Mapping[int, tuple[str, ...]] = {
    4: ("south", "east", "north", "west"),
    5: ("south", "east", "north", "west", "fifth"),
}


@dataclass(frozen=True, slots=True)
class TableShape:
    """A table: players, pack, cards in each hand, cards in the talon."""

    players: int
    pack: int
    hand: int
    talon: int


@dataclass(frozen=True, slots=True)
class PlayerTurn:
    """One player's turn: the table, the number of the trick, who plays, what lies there, what he may play."""

    table: PlayTable
    number: int
    seat: int
    row: tuple[int, ...]
    legal: tuple[int, ...]


class Policy(Protocol):
    """A way of playing: a function of a random number generator and a turn that returns a legal card."""

    def __call__(self, rng: Random, turn: PlayerTurn, /) -> int:
        """Choose a card out of `turn.legal`."""
        ...


def list_table_shapes(ruleset: Ruleset) -> tuple[TableShape, ...]:
    """List every table that a ruleset plays at. Raises Silent."""
    ask = Ask(ruleset)
    players, packs = PLAYER_COUNTS[ask.word("table.players")], PACK_SIZES_BY_READING[ask.word("table.pack")]
    dealt = (TableShape(s["players"], s["pack"], s["hand"], s["talon"]) for s in ask.tables("table.shapes"))
    return tuple(s for s in dealt if s.players in players and s.pack in packs)


def find_table_shape(ruleset: Ruleset, players: int, pack: int | None, hands: Iterable[int]) -> TableShape | None:
    """Find the table of a record: of several the one at which somebody holds so many cards. Raises Silent."""
    fitting = [shape for shape in list_table_shapes(ruleset) if shape.players == players and pack in (None, shape.pack)]
    sizes = {*hands}
    return next((shape for shape in fitting if shape.hand in sizes), next(iter(fitting), None))
