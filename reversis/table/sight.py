"""A game as a person sees it: whose turn it is, the hand, the table, the payments that can be known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.cards import sort_cards
from engine.deal.model import Deal
from engine.generation.turn import PlayerTurn
from engine.play.table import PlayTable
from engine.settlement.ledger import Posting
from reversis.table.game import TableGame, find_table_turn, list_offers
from reversis.table.known_payments import KnownPayments, find_known_payments
from reversis.table.offers import ExchangeQuestion
from reversis.table.table_words import TableNames

_PHASES = {False: "exchange", True: "give"}


@dataclass(frozen=True)
class PersonSight:
    """A game as the first of its persons sees it: whose turn it is, the table, the payments so far."""

    game: TableGame
    offer: ExchangeQuestion | None
    table: PlayTable
    turn: PlayerTurn | None

    @property
    def deal(self) -> Deal:
        """The last deal."""
        return self.game.deal

    @property
    def seat(self) -> int:
        """The seat of the person."""
        return self.game.persons[0]

    @property
    def phase(self) -> str:
        """The time of the deal: exchange, give, play or over."""
        if self.offer:
            return _PHASES[self.offer.to is not None]
        return "play" if self.deal.fragment else "over"

    @cached_property
    def names(self) -> TableNames:
        """The players by name."""
        return TableNames(self.game.seats, self.seat)

    @cached_property
    def paid(self) -> KnownPayments:
        """The payments that the person can know of."""
        return find_known_payments(self.deal, self.game.ruleset, self.seat)

    @property
    def postings(self) -> list[Posting]:
        """The counters that have passed, as far as the person can know."""
        return [posting for line in self.paid.lines for posting in line.entry.postings]

    @property
    def hand(self) -> list[int]:
        """The cards that the person still holds, as one holds them."""
        return sort_cards(self.deal.hands[self.seat] - {card for row in self.deal.tricks for card in row})

    @property
    def legal(self) -> Sequence[int]:
        """The cards that the person may take now."""
        if self.offer:
            return self.offer.legal
        return self.turn.legal if self.turn and self.turn.seat == self.seat else ()


def look_at_game(game: TableGame) -> PersonSight:
    """Look at a game as its person does."""
    offer = next((offer for offer in list_offers(game) if offer.seat in game.persons), None)
    table, turn = find_table_turn(game)
    return PersonSight(game, offer, table, None if offer else turn)
