"""Turns before play: which cards may be laid away or given across the table, and what a net thinks of each."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import sort_cards
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.generation.at_table import find_exchange_turn, list_givers
from engine.players.nets import NetWorth, find_net, weigh_offers_by_net
from engine.players.view import ask_turn_order
from engine.readings.ask import Ask
from rulebook.model import Ruleset

KEPT_HAND = -1  #: stands for keeping the hand, as in the answers of a net


@dataclass(frozen=True)
class ExchangeQuestion:
    """A turn before play: whose, and what may be laid away or given."""

    ruleset: Ruleset
    deal: Deal
    seat: int
    legal: tuple[int, ...]
    may_keep: bool = False
    to: int | None = None  #: of a gift, who receives it

    @property
    def pool(self) -> Pool:
        """Pool that is played for."""
        return self.deal.pool(self.ruleset.source)

    @property
    def words(self) -> str:
        """The move to be made, in few words."""
        seats, dealer = self.deal.seats, self.deal.dealer
        if self.to is not None:
            return f"{seats[self.seat]} gives a card to {seats[self.to]}"
        does = "lays a card away" if self.seat == dealer else "exchanges a card"
        return f"{seats[self.seat]} {does}{', or nothing' * self.may_keep}"


def list_offer_questions(ruleset: Ruleset, deal: Deal) -> list[ExchangeQuestion]:
    """List the turns before play that have come: one to exchange, then all gifts at once; none when play begins."""
    if deal.tricks:
        return []
    if turn := find_exchange_turn(deal, Ask(ruleset)):
        return [ExchangeQuestion(ruleset, deal, turn.seat, turn.legal, turn.may_keep)]
    return list_gift_questions(ruleset, deal)


def list_gift_questions(ruleset: Ruleset, deal: Deal) -> list[ExchangeQuestion]:
    """List the turns of those who give a card across the table; none where that is not the rule."""
    givers = list_givers(deal, Ask(ruleset))
    return [ExchangeQuestion(ruleset, deal, giver, tuple(sort_cards(deal.hands[giver])), to=to) for giver, to in givers]


def weigh_exchange(asked: ExchangeQuestion) -> tuple[NetWorth, ...]:
    """Weigh by a net what may be laid away or given, the best first; nothing where there is no net."""
    deal, seat, hand = asked.deal, asked.seat, asked.deal.hands[asked.seat]
    net = find_net(asked.ruleset, len(deal.seats), deal.pack)
    if net is None:
        return ()
    eldest = ask_turn_order(Ask(asked.ruleset), deal.dealer, len(deal.seats)).eldest
    aside = [exchange.out for exchange in deal.exchange if exchange.seat == seat and exchange.out is not None]
    options = (*asked.legal, KEPT_HAND) if asked.may_keep else asked.legal
    return weigh_offers_by_net(net, (seat - eldest) % len(deal.seats), hand, aside, asked.to is not None, options)
