"""Search: every card that may be played is tried in many lawful worlds, each played out and priced by the tariff.

A world is replayed up to the player's turn, the card is played, and the rest follows by preference (see
`engine.survey.policies`). Where a player has every trick so far, a quarter of the playouts are bent on the reversis. No
rule of payment is said again: the playouts are priced as a survey's deals are, in the source's smallest units.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
import numpy.typing as npt

from engine.deal.pool import Pool
from engine.players.worlds import draw_worlds
from engine.survey.buffers import FORBIDDEN, Bytes, IntArray, allocate_deals
from engine.survey.jit import LANES, count_bits, find_lowest_bit, i64, jit_compile
from engine.survey.piece import DealPricer, TableDeals, list_further_cards
from engine.survey.play_batch import (
    HELD_COLUMN,
    LONE_FREE,
    NAMED_COLUMN,
    RENOUNCES_TO,
    RIGHT_LOST_COLUMN,
    index_privilege,
    list_quinolas,
    list_trumps,
)
from engine.survey.play_single import find_legal_plays, is_taking_trick, play_single_deal
from engine.survey.policies import build_aim_tables
from engine.survey.pricing import PRICED_SETTLED
from engine.survey.request import Rules
from engine.survey.rng import advance_stream, mix_bits, start_stream

Floats: TypeAlias = npt.NDArray[np.float64]
WORLDS = 64  #: worlds of a search, unless one asks for more
BENT_SHARE = 4  #: of so many worlds one is played out for all tricks
_NEITHER = -1


@dataclass(frozen=True, slots=True)
class Positions:
    """Turns of play after the same number of cards, one column a turn: what the player knows of each."""

    seats: IntArray  #: [n]
    held: IntArray  #: [n] his cards at the first lead, as bits
    aside: IntArray  #: [n] what he laid away, as bits
    given: IntArray  #: [n] the card that he gave across the table, as a bit
    cards: Bytes  #: [so far, n] in the order played
    players: Bytes  #: [so far, n] who played each

    @property
    def size(self) -> int:
        """The number of turns."""
        return self.seats.size


@dataclass(frozen=True, slots=True)
class Weighed:
    """The cards of some turns, each with its worth: one row a card, one column a world."""

    turn: IntArray  #: [rows] which of the positions
    card: IntArray  #: [rows]
    worth: Floats  #: [rows, worlds] what the player wins; NaN in a world that is not counted
    bent: int  #: in so many of the first worlds a player who has every trick so far goes for all
    own: npt.NDArray[np.bool_]  #: [rows] it is the player himself who may go for all

    @property
    def means(self) -> Floats:
        """The worth of each card: of the better plan, where the player himself may go for all tricks."""
        with np.errstate(invalid="ignore"), suppress_empty_means():
            usual, bold = np.nanmean(self.worth[:, self.bent :], axis=1), np.nanmean(self.worth[:, : self.bent], axis=1)
            both = np.nanmean(self.worth, axis=1)
        return cast(Floats, np.where(self.own, np.fmax(usual, bold), both))

    def choose(self, turns: int) -> IntArray:
        """Choose the card of the greatest worth in each turn; -1 where there is none."""
        best, chosen = np.full(turns, -np.inf), np.full(turns, -1, np.int64)
        for at, card, worth in zip(self.turn.tolist(), self.card.tolist(), self.means.tolist(), strict=True):
            if worth > best[at]:
                best[at], chosen[at] = worth, card
        return chosen


@contextmanager
def suppress_empty_means() -> Iterator[None]:
    """Let the mean of nothing be NaN without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


@jit_compile
def find_turn(rules: IntArray, me: int, held: int, cards: Bytes, players: Bytes) -> tuple[int, int]:
    """Find what a player may play, as bits, and who has taken every trick so far, or might: -1 for nobody."""
    at = index_privilege(held, list_quinolas(rules), rules[NAMED_COLUMN])
    holds, right = rules[HELD_COLUMN] >> at & 1 == 1, True
    hand, led, best, won, hearts, sole = held, i64(-1), i64(0), 0, 0, me
    for step in range(cards.size):
        card, place = i64(cards[step]), step & 3
        hand &= ~(i64(1) << card)
        led = i64(-1) if place == 0 else led
        best, won = (card, place) if is_taking_trick(card, led, best, list_trumps(rules)) else (best, won)
        led = card if place == 0 else led
        if place == 3:
            taker = i64(players[step - 3 + won])
            sole = taker if step == 3 or sole == taker else _NEITHER
            right = right and not (rules[RIGHT_LOST_COLUMN] and taker == me)
            hearts += i64(led >> 4 == 1)
    trick, led = cards.size >> 2, led if cards.size & 3 else i64(-1)
    renounces = holds and right and trick < rules[RENOUNCES_TO]
    free = rules[LONE_FREE + trick] >> hearts & 1
    return find_legal_plays(rules, hand, trick, led, renounces, free), sole


@jit_compile
def count_rows(
    rules: IntArray, held: IntArray, seats: IntArray, cards: Bytes, players: Bytes, may: IntArray, bent: IntArray
) -> int:
    """Find what may be played in every turn, and count all these cards."""
    rows = 0
    for at in range(seats.size):
        may[at], bent[at] = find_turn(rules, seats[at], held[at], cards[:, at], players[:, at])
        rows += count_bits(may[at])
    return rows


@jit_compile
def play_out(
    rules: IntArray,
    liked: IntArray,
    seed: int,
    worlds: int,
    views: tuple[IntArray, IntArray, IntArray, IntArray, Bytes, Bytes],
    turns: tuple[IntArray, IntArray],
    rows: tuple[IntArray, IntArray],
    into: tuple[IntArray, IntArray, IntArray, IntArray, IntArray, IntArray, Bytes],
) -> None:
    """Draw worlds for every turn and play out each card in each of them; the lanes of one row lie side by side."""
    seats, held, aside, given, cards, players = views
    may, bent = turns
    facts, taken, takers, talon, told, hands, out = into
    known, row = cards.shape[0], 0
    ways = np.empty((6, 12, 12, 12, 12), np.float64)
    worlds_hands, worlds_talon = np.empty((4, worlds), np.int64), np.empty(worlds, np.int64)
    for at in range(seats.size):
        stream = start_stream(seed, held[at] ^ known)
        view = (seats[at], held[at], aside[at], given[at])
        found = draw_worlds(
            rules, view, (cards[:, at], players[:, at]), stream, worlds_hands, worlds_talon, 0, worlds, ways
        )
        left = may[at] if found > 0.0 else 0
        while left:
            card = find_lowest_bit(left)
            left &= left - 1
            rows[0][row], rows[1][row] = at, card
            for world in range(worlds):
                lane = row * worlds + world
                hands[:, lane], talon[lane] = worlds_hands[:, world], worlds_talon[world]
                out[:known, lane] = cards[:, at]
                out[known, lane] = card
                goes = bent[at] if world < worlds // BENT_SHARE else _NEITHER
                lots = mix_bits(advance_stream(stream, world))
                play_single_deal(rules, liked, known + 1, goes, lots, lane, hands, (facts, taken, takers, told, out))
            row += 1


def weigh_cards(
    prices: DealPricer, rules: Rules, positions: Positions, pool: Pool, worlds: int = WORLDS, seed: int = 0
) -> Weighed:
    """Weigh every card that may be played in some turns, by playing it out in so many worlds.

    A turn in which no world is lawful has no rows. Raises Unsurveyed where the rules cannot be played fast.
    """
    _, row, _ = prices.rules(rules, pool)
    coded, n = np.array(row, np.int64), positions.size
    may, bent = np.zeros(n, np.int64), np.zeros(n, np.int64)
    count = count_rows(coded, positions.held, positions.seats, positions.cards, positions.players, may, bent)
    size = -(-count * worlds // LANES) * LANES
    deals = allocate_deals(size, len(list_further_cards(row)))
    deals.told[count * worlds :] = 1 << FORBIDDEN  # lanes that only fill the last block
    turn, card = np.full(count, -1, np.int64), np.zeros(count, np.int64)
    liked = np.array(build_aim_tables(), np.int64)
    views = positions.seats, positions.held, positions.aside, positions.given, positions.cards, positions.players
    into = deals.facts, deals.taken, deals.takers, deals.talon, deals.told, deals.hands, deals.cards
    play_out(coded, liked, seed, worlds, views, (may, bent), (turn, card), into)
    done = int((turn >= 0).sum())
    priced = prices.own(TableDeals(deals, row), rules, pool)
    seats = np.repeat(positions.seats[turn[:done]], worlds)
    lanes = np.arange(done * worlds)
    worth = np.where(priced.became[lanes] == PRICED_SETTLED, priced.net[lanes, seats], np.nan)
    own = bent[turn[:done]] == positions.seats[turn[:done]]
    goes = worlds // BENT_SHARE
    return Weighed(turn[:done], card[:done], worth.reshape(done, worlds), goes, own)
