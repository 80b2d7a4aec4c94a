"""Deals at a table for tests: dealt from a seed, exchanged and played by careful players; and unseen cards swapped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

from engine.deal.model import Deal
from engine.generation.at_table import (
    begin_deal,
    exchange_card,
    find_exchange_turn,
    give_cards,
    list_givers,
    set_up_turn,
)
from engine.generation.turn import SEAT_NAMES, TableShape, list_table_shapes
from engine.players.cautious import choose_cautious_discard
from engine.readings.ask import Ask
from engine.session.session import begin
from reversis.table.payments import settle_so_far
from reversis.table.rollouts import play_to_end
from reversis.table.unseen import cover_deal
from rulebook.model import Ruleset


def begin_by_seed(ruleset: Ruleset, seed: int, shape: TableShape | None = None) -> Deal:
    """Deal the cards of a first deal: nobody has exchanged."""
    shape, lots = shape or list_table_shapes(ruleset)[0], Random(seed)
    dealer, seats = lots.randrange(shape.players), SEAT_NAMES[shape.players]
    return begin_deal(lots, shape, dealer, f"deal-{seed}", begin(ruleset, seats, dealer).after.pool)


def deal_by_seed(ruleset: Ruleset, seed: int, shape: TableShape | None = None) -> Deal:
    """Deal the cards of a first deal, exchanged and given, with nothing played."""
    ask, lots, deal = Ask(ruleset), Random(-seed), begin_by_seed(ruleset, seed, shape)
    while turn := find_exchange_turn(deal, ask):
        keeps = turn.may_keep and lots.random() < 0.3
        deal = exchange_card(deal, turn.seat, None if keeps else choose_cautious_discard(lots, turn.legal, ()))
    given = {(seat, to): lots.choice(sorted(deal.hands[seat])) for seat, to in list_givers(deal, ask)}
    return give_cards(deal, given) if given else deal


def play_deal(ruleset: Ruleset, seed: int) -> Deal:
    """Deal and play a whole deal."""
    return play_to_end(deal_by_seed(ruleset, seed), Ask(ruleset), None, Random(seed))


def break_off(deal: Deal, tricks: int) -> Deal:
    """Return a deal as it stood after some tricks."""
    return replace(deal, tricks=deal.tricks[:tricks], fragment=tricks < len(deal.tricks))


def swap_unseen_cards(deal: Deal, ruleset: Ruleset, seat: int, lots: Random, most: int) -> Iterator[Deal]:
    """Yield a deal with two cards changed for each other that a player has not seen, as far as that is lawful."""
    pairs = [*combinations(cover_deal(deal, seat).unseen, 2)]
    lots.shuffle(pairs)
    count = 0
    for one, other in pairs:
        swapped = swap_cards(deal, one, other)
        if swapped.hands != deal.hands and is_lawful(swapped, ruleset):
            yield swapped
            count += 1
            if count == most:
                return


def swap_cards(deal: Deal, one: int, other: int) -> Deal:
    """Change two cards for each other that are not played, wherever the record has them."""

    def put(card: int | None) -> int | None:
        return other if card == one else one if card == other else card

    def place(card: int) -> int:
        return other if card == one else one if card == other else card

    return replace(
        deal,
        hands=tuple(frozenset(map(place, hand)) for hand in deal.hands),
        talon=tuple(map(place, deal.talon)),
        exchange=tuple(replace(entry, out=put(entry.out), taken=put(entry.taken)) for entry in deal.exchange),
        gifts=tuple(replace(gift, card=place(gift.card)) for gift in deal.gifts),
    )


def is_lawful(deal: Deal, ruleset: Ruleset) -> bool:
    """Return whether a deal in play was lawful so far, the exchange included."""
    return not set_up_turn(deal, Ask(ruleset))[0].refusals and settle_so_far(deal, ruleset) is not None
