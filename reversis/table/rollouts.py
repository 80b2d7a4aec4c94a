"""The rest of a deal, played out by nets, or by careful players where there is no net for the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from engine.cards import cards_of, make_card_mask
from engine.deal.model import Deal
from engine.generation.at_table import set_up_turn
from engine.generation.turn import PlayerTurn
from engine.play.replay import close_play, finish_trick, play_card
from engine.play.table import PlayedCard, PlayTable, legal_cards
from engine.players.cautious import choose_cautious_card
from engine.players.nets import MOST_FEATURES, NetLayers, TrainedNet, list_turn_features, number_card
from engine.players.view import TurnOrder, ask_turn_order
from engine.readings.ask import Ask
from engine.settlement.ledger import Balances
from engine.settlement.settle import settle_replayed_deal


@dataclass
class Rollout:
    """A deal that is played out: the table, and what has come to it in order; seats as the net counts them."""

    deal: Deal
    ask: Ask
    net: TrainedNet | None
    lots: Random
    order: TurnOrder = field(init=False)
    table: PlayTable = field(init=False)
    cards: list[int] = field(init=False)
    players: list[int] = field(init=False)
    takers: list[int] = field(init=False)
    known: list[tuple[int, int, int]] = field(init=False)

    def __post_init__(self) -> None:
        deal, seats = self.deal, len(self.deal.seats)
        self.order = ask_turn_order(self.ask, deal.dealer, seats)
        self.table, _ = set_up_turn(deal, self.ask)
        seen = self.order.name_players(deal.tricks)
        self.cards = [card for _, card in seen]
        self.players = [self._turned(seat) for seat, _ in seen]
        self.takers = [self._turned(seat) for seat in self.table.takers]
        self.known = [self._list_known(seat) for seat in range(seats)]

    def _turned(self, seat: int) -> int:
        return (seat - self.order.eldest) % self.order.seats

    def _list_known(self, seat: int) -> tuple[int, int, int]:
        """List what only a player knows, as bits: their hand, what they laid away, and what they gave."""
        aside = (entry.out for entry in self.deal.exchange if entry.seat == seat and entry.out is not None)
        given = (gift.card for gift in self.deal.gifts if gift.seat == seat)
        return make_card_mask(self.deal.hands[seat]), make_card_mask(aside), make_card_mask(given)

    # ---- the play
    def play_out(self) -> Deal:
        """Play the deal to its end."""
        table, seats = self.table, self.table.seats
        while len(table.takers) < table.last:
            number = len(table.takers) + 1
            row = self.cards[seats * (number - 1) :]
            played = [PlayedCard(table.held[card], card, False, False) for card in row]
            for seat in table.turns[table.leader][len(row) :]:
                card = self.choose_card(number, seat, [each.card for each in played])
                played.append(play_card(table, number, seat, card, played[0].card if played else None))
                self.cards.append(card)
                self.players.append(self._turned(seat))
            finish_trick(table, number, played)
            self.takers.append(self._turned(table.takers[-1]))
        tricks = tuple(tuple(self.cards[at : at + seats]) for at in range(0, len(self.cards), seats))
        return replace(self.deal, tricks=tricks, fragment=False)

    def choose_card(self, number: int, seat: int, row: Sequence[int]) -> int:
        """Choose a card for whoever is to play."""
        legal = tuple(cards_of(legal_cards(self.table, number, seat, row[0] if row else None, self.ask)))
        if len(legal) == 1:
            return legal[0]
        if self.net is None:
            return choose_cautious_card(self.lots, PlayerTurn(self.table, number, seat, tuple(row), legal))
        best = self.order.find_taker(0, row) if row else -1
        me, into = self._turned(seat), [0] * MOST_FEATURES
        count = list_turn_features(me, self.known[seat], self.cards, self.players, self.takers, best, into)
        return choose_by_layers(self.net.turns, into[:count], legal)


def choose_by_layers(layers: NetLayers, features: Sequence[int], legal: Sequence[int]) -> int:
    """Choose the card that a net ranks first."""
    lit = layers.add_up_features(features)
    return max(sorted(legal), key=lambda card: layers.weigh_output(number_card(card), lit))


def play_to_end(deal: Deal, ask: Ask, net: TrainedNet | None, lots: Random) -> Deal:
    """Play a deal to its end: with nets it hangs on no lot. Raises Silent."""
    return Rollout(deal, ask, net, lots).play_out()


def settle_to_end(deal: Deal, ask: Ask, net: TrainedNet | None, lots: Random) -> Balances:
    """Play a deal to its end, and settle what came of it; it is not replayed. Raises Silent."""
    rollout = Rollout(deal, ask, net, lots)
    return settle_replayed_deal(rollout.play_out(), ask.ruleset, close_play(rollout.table), ask).net
