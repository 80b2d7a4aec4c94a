"""Discards and gifts before play, found by search as a card is.

In every lawful world the player does this or that, those after him exchange by preference, and the deal is played out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.deal.pool import Pool
from engine.players.preferences import build_preference_table
from lab.players.endgame import CARDS_PER_DEAL
from lab.players.hidden_hands import PLACES, TALON, deal_class
from lab.players.rollouts import allocate_lane_rows, play_lane, start_lane, store_lane
from lab.players.search import BENT_SHARE, WORLDS, LaneArrays, Weighed, allocate_lanes, list_lane_arrays
from lab.players.turns import NOBODY
from lab.survey.buffers import NO_CARD, Bytes, IntArray
from lab.survey.chunk import DealPricer, TableDeals
from lab.survey.encode_rules import DEALER, TALON_SIZE, TRICKS_PER_DEAL, PlayRuleColumn
from lab.survey.jit import count_bits, find_lowest_bit, jit_compile
from lab.survey.play_rules import (
    BARRED_COLUMN,
    COMPULSORY_COLUMN,
    EXCEPTIONS,
    HEARTS_OUT,
    MAY,
    PACK_MASK,
    find_legal_discards,
    list_quinolas,
)
from lab.survey.play_single import exchange_seat, give_one, swap_card
from lab.survey.pricing import PRICED_SETTLED
from lab.survey.request import Rules
from lab.survey.rng import advance_stream, mix_bits, start_stream

DISCARDING, GIVING = range(2)  #: the two stages before play


@dataclass(frozen=True, slots=True)
class Offers:
    """Players in the same seat before the first card: what each holds, and what he has laid away, as bits."""

    seat: int
    hands: IntArray  #: [n]
    aside: IntArray  #: [n]


@jit_compile
def list_discards(rules: IntArray, seat: int, hands: IntArray, stage: int, turn: IntArray, card: IntArray) -> int:
    """List what each player may do, NO_CARD for not exchanging; return the number of rows."""
    row = 0
    for at in range(hands.size):
        may = hands[at]
        if stage == DISCARDING:
            may = find_legal_discards(may, rules[HEARTS_OUT], rules[EXCEPTIONS], list_quinolas(rules), False)
            may &= ~rules[BARRED_COLUMN]
            if seat != DEALER and not rules[COMPULSORY_COLUMN]:
                turn[row], card[row] = at, NO_CARD
                row += 1
        while may:
            turn[row], card[row] = at, find_lowest_bit(may)
            may &= may - 1
            row += 1
    return row


@jit_compile
def deal_rest(seat: int, hand: int, aside: int, stage: int, stream: Any, places: IntArray) -> None:
    """Deal the cards that a player does not see to the other three and the talon, before or after the exchange."""
    share = np.full(PLACES, TRICKS_PER_DEAL, np.int64)
    share[TALON] = TALON_SIZE - count_bits(aside)
    if stage == DISCARDING:  # the dealer has a card more, and the talon one less
        share[DEALER] += 1
        share[TALON] -= 1
    share[seat] = 0
    places[:] = 0
    deal_class(PACK_MASK & ~(hand | aside), share, stream, 1, places)
    places[seat] = hand
    places[TALON] |= aside


@jit_compile
def play_out_offers(
    rules: IntArray,
    liked: IntArray,
    seed: int,
    worlds: int,
    stage: int,
    who: tuple[int, IntArray, IntArray],
    rows: tuple[IntArray, IntArray],
    into: LaneArrays,
    swaps: Bytes,
) -> None:
    """Play out everything that each player may do in so many worlds; the lanes of a row lie side by side."""
    seat, held, aside = who
    turn, card = rows
    facts, taken, takers, talon, flags, hands, out = into
    places, begun = np.zeros(PLACES, np.int64), allocate_lane_rows(rules, 1)[0]
    for row in range(turn.size):
        at = turn[row]
        for world in range(worlds):
            lane = row * worlds + world
            lots = mix_bits(advance_stream(start_stream(seed, held[at] ^ 64 + stage), world << 8))
            deal_rest(seat, held[at], aside[at], stage, lots, places)
            hands[:, lane], left = places[:4], places[TALON]
            if stage == DISCARDING:
                dealt = left
                if card[row] != NO_CARD:
                    left = swap_card(seat, card[row], lots, hands, left, lane, swaps, dealt)
                for other in range(seat + 1, 4):
                    left = exchange_seat(rules, liked, lots, hands, left, lane, swaps, dealt, other)
            talon[lane] = left
            if swaps.shape[0] > 8:
                give_one(rules, liked, lots, hands, lane, swaps, seat if stage == GIVING else NOBODY, card[row])
            start_lane(rules, hands, lane, seat if world < worlds // BENT_SHARE else NOBODY, begun)
            play_lane(rules, begun, (0, CARDS_PER_DEAL, 0), lots, out, lane)
            store_lane(begun, lane, (facts, taken, takers, flags))


def weigh_offers(
    prices: DealPricer, rules: Rules, offers: Offers, stage: int, pool: Pool, worlds: int = WORLDS, seed: int = 0
) -> Weighed:
    """Weigh everything that players may lay away, or give across the table; a card of NO_CARD is to do nothing.

    Raises Unsurveyed where the rules cannot be played fast.
    """
    _, row, _ = prices.rules(rules, pool)
    coded, n = np.array(row, np.int64), offers.hands.size
    turn, card = np.zeros(13 * n, np.int64), np.zeros(13 * n, np.int64)
    count = list_discards(coded, offers.seat, offers.hands, stage, turn, card)
    turn, card = turn[:count], card[:count]
    deals = allocate_lanes(count * worlds, row)
    swaps = np.full((12 if row[PlayRuleColumn.ACROSS] else 8, deals.taken.size), NO_CARD, np.uint8)
    into = list_lane_arrays(deals)
    who, liked = (offers.seat, offers.hands, offers.aside), np.array(build_preference_table(), np.int64)
    play_out_offers(coded, liked, seed, worlds, stage, who, (turn, card), into, swaps)
    priced, lanes = prices.own(TableDeals(deals, row), rules, pool), np.arange(count * worlds)
    worth = np.where(priced.became[lanes] == PRICED_SETTLED, priced.net[lanes, offers.seat], np.nan)
    return Weighed(turn, card, worth.reshape(count, worlds), worlds // BENT_SHARE, np.ones(count, np.bool_))


def may_exchange(coded: IntArray, seat: int) -> bool:
    """Return whether a seat may lay a card away; the dealer always has to."""
    return seat == DEALER or bool(coded[MAY] >> seat & 1)
