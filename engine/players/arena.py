"""Tables of players of several kinds: many deals side by side, a card at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.deal.pool import Pool
from engine.players.search import Positions, find_turn, weigh_cards
from engine.survey import piece, policies
from engine.survey.buffers import NO_CARD, Bytes, IntArray, PlayedDeals
from engine.survey.jit import count_bits, find_kth_bit, i64, jit_compile
from engine.survey.play_batch import ELDEST, TAKER_LEADS, list_quinolas, list_trumps
from engine.survey.play_single import choose_preferred_card, is_taking_trick
from engine.survey.request import Rules, SurveyOrder, SurveyTable
from engine.survey.rng import PLAYING, draw_bits, scale_draw, start_stream

Lots: TypeAlias = npt.NDArray[np.uint64]
RANDOM_PLAYER, CAUTIOUS_PLAYER = 0, -1  #: kinds of players; a positive number is that of the worlds of a search
LANES_AT_ONCE = 1 << 15  #: playouts that are priced together


@jit_compile
def find_players(rules: IntArray, cards: Bytes, players: Bytes, step: int, seats: IntArray) -> None:
    """Find whose turn it is after so many cards."""
    for at in range(seats.size):
        if step == 0:
            seats[at] = rules[ELDEST]
        elif step & 3:
            seats[at] = (players[step - 1, at] + 1) & 3
        else:
            led = best = i64(cards[step - 4, at])
            won = 0
            for place in range(1, 4):
                card = i64(cards[step - 4 + place, at])
                if is_taking_trick(card, led, best, list_trumps(rules)):
                    best, won = card, place
            seats[at] = (i64(players[step - 4, at]) + won) & 3 if rules[TAKER_LEADS] else rules[ELDEST]


@jit_compile
def choose_simply(
    rules: IntArray,
    liked: IntArray,
    kinds: IntArray,
    seats: IntArray,
    may: IntArray,
    lots: Lots,
    cards: Bytes,
    step: int,
    chosen: IntArray,
) -> None:
    """Choose a card for whoever does not search, or has no choice; the others are left as they are."""
    for at in range(seats.size):
        kind, draw = kinds[at, seats[at]], draw_bits(lots[at], PLAYING + step)
        if kind == RANDOM_PLAYER or count_bits(may[at]) == 1:
            chosen[at] = find_kth_bit(may[at], scale_draw(draw, count_bits(may[at])))
        elif kind == CAUTIOUS_PLAYER or chosen[at] < 0:
            place, led, best = step & 3, i64(-1), i64(0)
            for back in range(place):
                card = i64(cards[step - place + back, at])
                best = card if is_taking_trick(card, led, best, list_trumps(rules)) else best
                led = card if back == 0 else led
            quinolas = list_quinolas(rules)
            chosen[at] = choose_preferred_card(liked, may[at], led, best, place == 3, quinolas, draw)


@jit_compile
def find_all_turns(
    rules: IntArray, seats: IntArray, hands: IntArray, cards: Bytes, players: Bytes, may: IntArray
) -> None:
    """Find what may be played in every deal."""
    for at in range(seats.size):
        may[at] = find_turn(rules, seats[at], hands[seats[at], at], cards[:, at], players[:, at])[0]


@dataclass(frozen=True, slots=True)
class Company:
    """Players at a table: what kind sits in each seat, deal by deal, and how many deals of one search they weigh."""

    prices: piece.DealPricer
    rules: Rules
    pool: Pool
    seed: int

    @property
    def coded(self) -> IntArray:
        """The rules of play as numbers."""
        return np.array(self.prices.rules(self.rules, self.pool)[1], np.int64)


def deal_cards(company: Company, numbers: range) -> PlayedDeals:
    """Deal and exchange as the cautious do; the play that comes with it is not used."""
    order = SurveyOrder(company.seed, policies.CAUTIOUS, len(numbers), (SurveyTable(company.rules),))
    return piece.play_piece_deals(order, company.coded, numbers)


def make_card_bits(cards: Bytes) -> IntArray:
    """Return one card in each column as a bit, none as 0."""
    return np.where(cards == NO_CARD, 0, np.int64(1) << (cards.astype(np.int64) & 63))


def play_company(company: Company, dealt: PlayedDeals, kinds: IntArray, seed: int = 0) -> PlayedDeals:
    """Play the deals card by card with the kinds of players given, [deals, 4]; the result is not priced yet."""
    coded, n = company.coded, dealt.taken.size
    cards, players = np.zeros((44, n), np.uint8), np.zeros((44, n), np.uint8)
    seats, may, chosen = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    usual, lots, at = np.array(policies.build_preference_table(), np.int64), start_streams(seed, n), np.arange(n)
    aside, given = make_card_bits(dealt.swaps[:4]), make_card_bits(dealt.swaps[8:12])
    if not given.size:
        given = np.zeros_like(aside)
    for step in range(44):
        find_players(coded, cards, players, step, seats)
        find_all_turns(coded, seats, dealt.hands, cards[:step], players[:step], may)
        chosen[:] = -1
        free = np.array([bits.bit_count() > 1 for bits in may.tolist()])
        kind = kinds[at, seats]
        for worlds in sorted({*kind[free & (kind > 0)].tolist()}):
            turns = np.flatnonzero(free & (kind == worlds))
            lanes = max(1, LANES_AT_ONCE // (6 * worlds))
            for part in np.array_split(turns, -(-turns.size // lanes)):
                who = seats[part]
                positions = Positions(
                    who.copy(),
                    dealt.hands[who, part],
                    aside[who, part],
                    given[who, part],
                    np.ascontiguousarray(cards[:step, part]),
                    np.ascontiguousarray(players[:step, part]),
                )
                found = weigh_cards(company.prices, company.rules, positions, company.pool, worlds, seed)
                chosen[part] = found.choose(part.size)
        choose_simply(coded, usual, kinds, seats, may, lots, cards, step, chosen)
        cards[step], players[step] = chosen, seats
    played = PlayedDeals(
        dealt.facts, dealt.taken, dealt.takers, dealt.talon, dealt.told, dealt.hands, cards, dealt.swaps
    )
    return piece.replay_piece_deals(played, coded)


def start_streams(seed: int, n: int) -> Lots:
    """Start a stream of lots for each deal."""
    return np.array([start_stream(seed, at) for at in range(n)], np.uint64)
