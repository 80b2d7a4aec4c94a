"""The players who are no persons, and what they choose: each sees what a player sees.

A skilled player searches with the lab, which is handed in; without it he plays by a net, and where there is none for
the table, with caution.
"""

from __future__ import annotations

from random import Random

from engine.deal.model import Deal
from engine.generation.deal import choose_random_card
from engine.generation.turn import PlayerTurn
from engine.play.table import find_quinolas
from engine.players.cautious import choose_cautious_card, choose_cautious_discard
from engine.players.nets import find_net, weigh_turn_by_net
from engine.players.preferences import CAUTIOUS, RANDOM, SKILLED
from engine.players.take_view import find_view_turn, take_view
from engine.readings.ask import Ask
from reversis.table.offers import KEPT_HAND, ExchangeQuestion, weigh_exchange
from rulebook.model import Ruleset

PERSON, NET = "person", "net"  #: kinds of players besides those of a survey
KINDS = (PERSON, RANDOM, CAUTIOUS, NET, SKILLED)


def choose_offer(kind: str, lots: Random, asked: ExchangeQuestion) -> int:
    """Choose a card to lay away, KEPT_HAND for none, or one to give across the table."""
    if kind == RANDOM:
        return KEPT_HAND if asked.may_keep and lots.random() < 0.5 else lots.choice(asked.legal)
    if kind in (NET, SKILLED) and (worths := weigh_exchange(asked)):
        return worths[0].card
    return choose_cautious_discard(lots, asked.legal, find_quinolas(Ask(asked.ruleset)))


def choose_player_card(kind: str, lots: Random, ruleset: Ruleset, deal: Deal, turn: PlayerTurn) -> int:
    """Choose a card to play; the skilled without a search play by a net."""
    if len(turn.legal) == 1:
        return turn.legal[0]
    if kind == RANDOM:
        return choose_random_card(lots, turn)
    by_net = choose_card_by_net(ruleset, deal) if kind in (NET, SKILLED) else None
    return choose_cautious_card(lots, turn) if by_net is None else by_net


def choose_card_by_net(ruleset: Ruleset, deal: Deal) -> int | None:
    """Choose a card by a net, for whoever is to play; None where there is no net for the table. Raises Silent."""
    net = find_net(ruleset, len(deal.seats), deal.pack)
    if net is None:
        return None
    ask = Ask(ruleset)
    view, problems = take_view(deal, ask)
    assert view is not None, problems
    turn, order = find_view_turn(view, ask)
    return weigh_turn_by_net(net, view, order, turn.legal)[0].card
