"""A player's view of a deal: all that he knows, and nothing else.

Whoever chooses a card is given a view; the deal itself, with the cards of the others, stays out of reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.cards import CARD_RANKS
from engine.deal.pool import NO_POOL, Pool
from engine.play import trick as play
from engine.play.table import find_quinolas
from engine.readings.ask import Ask
from engine.readings.meanings.play import FIRST_LEADER, NEXT_LEADER, QUINOLA_TAKES


class SeenCard(NamedTuple):
    """A card that was played, and who played it."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class PlayerView:
    """The knowledge of a player whose turn it is; seats are counted from the eldest, in order of play."""

    seat: int
    seats: int
    held: frozenset[int]  #: his cards when the first card was led
    played: tuple[SeenCard, ...] = ()  #: in the order played
    aside: frozenset[int] = frozenset()  #: cards that he knows to lie in the talon: those he laid away
    given: int | None = None  #: the card that he gave to the player opposite
    pool: Pool = NO_POOL

    @property
    def hand(self) -> frozenset[int]:
        """The cards that he still holds."""
        return self.held - {card for _, card in self.played}

    @property
    def row(self) -> tuple[int, ...]:
        """The cards of the trick on the table."""
        done = len(self.played) // self.seats * self.seats
        return tuple(card for _, card in self.played[done:])


@dataclass(frozen=True, slots=True)
class TurnOrder:
    """The order of play by the rules: all that has to be asked to tell it from the cards on the table."""

    seats: int
    eldest: int
    strength: tuple[int, ...]  #: by rank
    trumps: frozenset[int]  #: cards that take when thrown on another suit
    leads_next: tuple[int, ...]  #: by who has taken the trick

    def find_taker(self, leader: int, row: Sequence[int]) -> int:
        """Find the seat that takes a whole trick."""
        trump = next((card for card in row[1:] if card in self.trumps), -1)
        return (leader + play.find_taking_card(tuple(row), self.strength, trump)) % self.seats

    def name_players(self, rows: Iterable[Sequence[int]]) -> list[SeenCard]:
        """Name who played each card of some tricks, the last of which may be broken off."""
        seen_cards, leader = list[SeenCard](), self.eldest
        for row in rows:
            seen_cards += (SeenCard((leader + place) % self.seats, card) for place, card in enumerate(row))
            if len(row) == self.seats:
                leader = self.leads_next[self.find_taker(leader, row)]
        return seen_cards

    def find_next_player(self, rows: Sequence[Sequence[int]]) -> int:
        """Find whose turn it is after some tricks, the last of which may be broken off."""
        done = [row for row in rows if len(row) == self.seats]
        on_table = next((row for row in rows if len(row) < self.seats), ())
        leader = self.eldest
        for row in done:
            leader = self.leads_next[self.find_taker(leader, row)]
        return (leader + len(on_table)) % self.seats


def ask_turn_order(ask: Ask, dealer: int, seats: int) -> TurnOrder:
    """Ask the rules who leads and who takes. Raises Silent."""
    order, eldest = str(ask("cards.order")), FIRST_LEADER[ask.word("play.first-leader")](dealer, seats)
    next_leader = NEXT_LEADER[ask.word("play.next-leader")]
    return TurnOrder(
        seats,
        eldest,
        tuple(len(order) - order.index(rank) for rank in CARD_RANKS),
        frozenset(find_quinolas(ask) if QUINOLA_TAKES[ask.word("play.trick-taker")] else ()),
        tuple(next_leader(taker, eldest) for taker in range(seats)),
    )
