"""Search: every card that may be played is tried in many lawful worlds, each played out and priced by the tariff.

A world is replayed up to the player's turn, the card is played, and the rest follows by preference
(`engine.players.preferences`). Where a player has every trick so far, a quarter of the playouts are bent on the
reversis. The last two tricks are solved exactly in each world. No rule of payment is said again: the playouts are
priced as the deals of a survey are, in the source's smallest units.
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
from lab.players.endgame import CARDS_PER_DEAL, back_up, write_lines
from lab.players.hidden_hands import CLASSES, draw_worlds
from lab.players.rollouts import allocate_lane_rows, play_lane, start_lane, store_lane
from lab.players.turns import NOBODY, find_turn
from lab.survey.buffers import FORBIDDEN, Bytes, IntArray, PlayedDeals, allocate_deals
from lab.survey.chunk import DealPricer, TableDeals, list_further_cards
from lab.survey.jit import LANES, count_bits, find_lowest_bit, i64, jit_compile
from lab.survey.pricing import PRICED_SETTLED, Priced
from lab.survey.request import Rules
from lab.survey.rng import advance_stream, mix_bits, start_stream

#: facts, taken, takers, talon, flags, hands and cards of the lanes
LaneArrays: TypeAlias = tuple[IntArray, IntArray, IntArray, IntArray, IntArray, IntArray, Bytes]
Floats: TypeAlias = npt.NDArray[np.float64]
WORLDS = 64  #: worlds of a search, unless one asks for more
BENT_SHARE = 4  #: of so many worlds one is played out for all tricks
SOLVED_FROM = CARDS_PER_DEAL - 8  #: after so many cards the rest is solved exactly


@dataclass(frozen=True, slots=True)
class TurnPositions:
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
        with suppress_empty_means():
            both = np.nanmean(self.worth, axis=1)
            if not self.bent:
                return cast(Floats, both)
            usual, bold = np.nanmean(self.worth[:, self.bent :], axis=1), np.nanmean(self.worth[:, : self.bent], axis=1)
        return cast(Floats, np.where(self.own, np.fmax(usual, bold), both))

    def choose(self, turns: int) -> IntArray:
        """Choose the card of the greatest worth in each turn; -1 where there is none."""
        chosen, means = np.full(turns, -1, np.int64), np.nan_to_num(self.means, nan=-np.inf)
        if means.size:
            first = np.flatnonzero(np.diff(self.turn, prepend=-1))
            best = np.repeat(np.maximum.reduceat(means, first), np.diff(first, append=means.size))
            rows = np.flatnonzero((means == best) & (means > -np.inf))[::-1]  # of equals the first stands at last
            chosen[self.turn[rows]] = self.card[rows]
        return chosen


@contextmanager
def suppress_empty_means() -> Iterator[None]:
    """Let the mean of nothing be NaN without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


@dataclass(frozen=True, slots=True)
class Playouts:
    """The playouts of some turns, which any rules can price: the same worlds, the same cards."""

    rules: Rules  #: by which they were played
    pool: Pool
    coded: IntArray
    positions: TurnPositions
    turn: IntArray  #: [rows] which of the positions
    card: IntArray  #: [rows]
    own: npt.NDArray[np.bool_]  #: [rows] it is the player himself who may go for all
    worlds: int
    desk: TableDeals
    first: IntArray  #: [turns, worlds + 1] where the lines of a world begin and end, if all are tried; else empty
    hands: IntArray  #: [4, turns, worlds] likewise, who holds what in it

    def weigh(self, prices: DealPricer, these: Rules | None = None) -> Weighed:
        """Weigh the cards by the rules of the table, or by others."""
        other = these is not None and these != self.rules
        priced = (
            prices.other(self.desk, self.rules, these, self.pool)
            if these is not None and other
            else prices.own(self.desk, self.rules, self.pool)
        )
        worth = self.solve(priced) if self.first.size else self.gather(priced)
        return Weighed(self.turn, self.card, worth, 0 if self.first.size else self.worlds // BENT_SHARE, self.own)

    def gather(self, priced: Priced) -> Floats:
        """Gather what the player wins in each lane."""
        lanes = np.arange(self.turn.size * self.worlds)
        seats = np.repeat(self.positions.seats[self.turn], self.worlds)
        worth = np.where(priced.became[lanes] == PRICED_SETTLED, priced.net[lanes, seats], np.nan)
        return worth.reshape(self.turn.size, self.worlds)

    def solve(self, priced: Priced) -> Floats:
        """Find what each card wins if from there on everyone chooses what serves him best."""
        worth = np.full((self.turn.size, self.worlds), np.nan)
        settled = priced.became == PRICED_SETTLED
        where, lines = self.positions, (self.desk.deals.cards, self.desk.deals.takers)
        known, priced_lines = where.cards.shape[0], (settled, priced.net)
        solve_turns(self.coded, known, where.seats, self.turn, self.first, lines, priced_lines, worth)
        return worth


@jit_compile
def solve_turns(
    rules: IntArray,
    known: int,
    seats: IntArray,
    turn: IntArray,
    first: IntArray,
    lines: tuple[Bytes, IntArray],
    priced: tuple[npt.NDArray[np.bool_], IntArray],
    worth: Floats,
) -> None:
    """Back up what the lines of every world come to, to the cards of every turn; the rows of a turn lie together."""
    (cards, takers), (settled, net) = lines, priced
    best = np.zeros((CARDS_PER_DEAL + 1, 4), np.int64)
    for world in range(worth.shape[1]):
        lane = i64(0)
        for row in range(turn.size):
            at = turn[row]
            if row == 0 or turn[row - 1] != at:
                lane = first[at, world]
            start = lane
            lane = back_up(rules, cards, takers, known + 1, net, lane, first[at, world + 1], best)
            if settled[start]:
                worth[row, world] = best[known + 1, seats[at]]


@jit_compile
def find_turns(
    rules: IntArray, held: IntArray, seats: IntArray, cards: Bytes, players: Bytes, may: IntArray, sole: IntArray
) -> int:
    """Find what may be played in every turn, and who has every trick so far; count all these cards."""
    rows = 0
    for at in range(seats.size):
        may[at], sole[at] = find_turn(rules, seats[at], held[at], cards[:, at], players[:, at])
        rows += count_bits(may[at])
    return rows


@jit_compile
def draw_all_worlds(
    rules: IntArray,
    seed: int,
    worlds: int,
    views: tuple[IntArray, IntArray, IntArray, IntArray, Bytes, Bytes],
    hands: IntArray,
    talon: IntArray,
    may: IntArray,
) -> None:
    """Draw the worlds of every turn; where none is lawful, nothing may be played.

    `hands`: [4, turns, worlds], `talon`: [turns, worlds], to be filled.
    """
    seats, held, aside, given, cards, players = views
    ways = np.empty((CLASSES, 12, 12, 12, 12), np.float64)
    for at in range(seats.size):
        view, stream = (seats[at], held[at], aside[at], given[at]), start_stream(seed, held[at] ^ cards.shape[0])
        count = draw_worlds(
            rules, view, (cards[:, at], players[:, at]), stream, hands[:, at], talon[at], 0, worlds, ways
        )
        may[at] = may[at] if count > 0.0 else 0


@jit_compile
def list_rows(may: IntArray, turn: IntArray, card: IntArray) -> int:
    """List the cards of every turn; return their number."""
    row = 0
    for at in range(may.size):
        left = may[at]
        while left:
            turn[row], card[row] = at, find_lowest_bit(left)
            left &= left - 1
            row += 1
    return row


@jit_compile
def start_turn_lanes(
    rules: IntArray, played: Bytes, at: int, hands: IntArray, bent: tuple[int, int], lanes: IntArray
) -> None:
    """Start a lane in each world of a turn, and play the cards so far.

    `hands`: [4, turns, worlds]; `bent`: who goes for all tricks, and in how many of the first worlds.
    """
    goes, until = bent
    for world in range(lanes.shape[0]):
        start_lane(rules, hands[:, at], world, goes if world < until else NOBODY, lanes[world])
        known = played.shape[0]
        play_lane(rules, lanes[world], (0, known, known), np.uint64(0), played, at)


@jit_compile
def play_out_rows(
    rules: IntArray,
    seed: int,
    held: IntArray,
    played: Bytes,
    rows: tuple[IntArray, IntArray, IntArray],
    drawn: tuple[IntArray, IntArray],
    into: LaneArrays,
) -> None:
    """Play out every card in every world of its turn; the lanes of a card lie side by side."""
    turn, card, sole = rows
    facts, taken, takers, talon, flags, hands, out = into
    known, worlds = played.shape[0], drawn[1].shape[1]
    begun, lane = allocate_lane_rows(rules, worlds), allocate_lane_rows(rules, 1)[0]
    for row in range(turn.size):
        at, first, end = turn[row], row * worlds, (row + 1) * worlds
        if row == 0 or turn[row - 1] != at:
            start_turn_lanes(rules, played, at, drawn[0], (sole[at], worlds // BENT_SHARE), begun)
        hands[:, first:end], talon[first:end] = drawn[0][:, at], drawn[1][at]
        for step in range(known):
            out[step, first:end] = played[step, at]
        out[known, first:end] = card[row]
        stream = start_stream(seed, held[at] ^ known)
        for world in range(worlds):
            lane[:] = begun[world]
            lots = mix_bits(advance_stream(stream, world))
            play_lane(rules, lane, (known, CARDS_PER_DEAL, known + 1), lots, out, first + world)
            store_lane(lane, first + world, (facts, taken, takers, flags))


@jit_compile
def write_all_lines(
    rules: IntArray,
    played: Bytes,
    may: IntArray,
    drawn: tuple[IntArray, IntArray],
    first: IntArray,
    into: LaneArrays,
) -> int:
    """Write all lines of every turn and world, one lane a line; return their number. Without room they are counted.

    `first`: [turns, worlds + 1], to be filled: where the lines of a world begin, and those of the last one end.
    """
    facts, taken, takers, talon, flags, hands, lines = into
    known, worlds, end = played.shape[0], drawn[1].shape[1], i64(0)
    begun, cards = allocate_lane_rows(rules, worlds), np.zeros((CARDS_PER_DEAL, 1), np.uint8)
    for at in range(may.size):
        if may[at]:
            cards[:known, 0] = played[:, at]
            start_turn_lanes(rules, played, at, drawn[0], (NOBODY, 0), begun)
        first[at] = end
        for world in range(worlds if may[at] else 0):
            start = end
            held = drawn[0][:, at, world].copy()
            end = write_lines(rules, held, begun[world], cards, known, (facts, taken, takers, flags), lines, end)
            for line in range(start, min(end, lines.shape[1])):
                hands[:, line], talon[line] = held, drawn[1][at, world]
            first[at, world + 1] = end
    return end


def play_out_cards(
    prices: DealPricer, rules: Rules, positions: TurnPositions, pool: Pool, worlds: int = WORLDS, seed: int = 0
) -> Playouts:
    """Play out every card that may be played in some turns, in so many worlds.

    A turn in which no world is lawful has no rows. Raises Unsurveyed where the rules cannot be played fast.
    """
    _, row, _ = prices.rules(rules, pool)
    coded, n, where = np.array(row, np.int64), positions.size, positions
    may, sole = np.zeros(n, np.int64), np.zeros(n, np.int64)
    rows = find_turns(coded, where.held, where.seats, where.cards, where.players, may, sole)
    turn, card = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    drawn = np.zeros((4, n, worlds), np.int64), np.zeros((n, worlds), np.int64)
    views = where.seats, where.held, where.aside, where.given, where.cards, where.players
    draw_all_worlds(coded, seed, worlds, views, *drawn, may)
    rows = list_rows(may, turn, card)
    turn, card = turn[:rows], card[:rows]
    own, none = sole[turn] == where.seats[turn], np.zeros((0, 0), np.int64)
    if where.cards.shape[0] < SOLVED_FROM:
        deals = allocate_lanes(rows * worlds, row)
        rows_played = turn, card, sole
        play_out_rows(coded, seed, where.held, where.cards, rows_played, drawn, list_lane_arrays(deals))
        return Playouts(rules, pool, coded, where, turn, card, own, worlds, TableDeals(deals, row), none, none)
    return try_all_lines(rules, pool, coded, where, may, (turn, card, own), drawn)


def solve_open_hands(
    prices: DealPricer, rules: Rules, positions: TurnPositions, pool: Pool, hands: IntArray, talon: IntArray
) -> Weighed:
    """Weigh every card of some turns exactly, in the one world that is: all lines of play, each player for himself.

    `hands`: [4, turns] each hand at the first lead, `talon`: [turns], as bits. Raises Unsurveyed.
    """
    _, row, _ = prices.rules(rules, pool)
    coded, n, where = np.array(row, np.int64), positions.size, positions
    may, sole = np.zeros(n, np.int64), np.zeros(n, np.int64)
    rows = find_turns(coded, where.held, where.seats, where.cards, where.players, may, sole)
    turn, card = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    list_rows(may, turn, card)
    drawn = np.ascontiguousarray(hands[:, :, None]), np.ascontiguousarray(talon[:, None])
    return try_all_lines(rules, pool, coded, where, may, (turn, card, np.zeros(rows, np.bool_)), drawn).weigh(prices)


def try_all_lines(
    rules: Rules,
    pool: Pool,
    coded: IntArray,
    where: TurnPositions,
    may: IntArray,
    rows: tuple[IntArray, IntArray, npt.NDArray[np.bool_]],
    drawn: tuple[IntArray, IntArray],
) -> Playouts:
    """Play every line from some turns on, in every world that was drawn: hands [4, turns, worlds], and the talon."""
    (turn, card, own), worlds, row = rows, drawn[1].shape[1], tuple(map(int, coded))
    first = np.zeros((where.size, worlds + 1), np.int64)
    count = write_all_lines(coded, where.cards, may, drawn, first, list_lane_arrays(allocate_deals(0)))
    deals = allocate_lanes(count, row)
    write_all_lines(coded, where.cards, may, drawn, first, list_lane_arrays(deals))
    return Playouts(rules, pool, coded, where, turn, card, own, worlds, TableDeals(deals, row), first, drawn[0])


def list_lane_arrays(deals: PlayedDeals) -> LaneArrays:
    """List what is filled by playing lanes."""
    return deals.facts, deals.taken, deals.takers, deals.talon, deals.told, deals.hands, deals.cards


def allocate_lanes(count: int, row: tuple[int, ...]) -> PlayedDeals:
    """Allocate so many lanes; those that only fill the last block are marked as forbidden."""
    blocks = -(-count // LANES) | 1  # an odd number: else all rows of a lane compete for the same place in the cache
    deals = allocate_deals(blocks * LANES, len(list_further_cards(row)))
    deals.told[count:] = 1 << FORBIDDEN
    return deals


def weigh_cards(
    prices: DealPricer, rules: Rules, positions: TurnPositions, pool: Pool, worlds: int = WORLDS, seed: int = 0
) -> Weighed:
    """Weigh every card that may be played in some turns, by playing it out in so many worlds. Raises Unsurveyed."""
    return play_out_cards(prices, rules, positions, pool, worlds, seed).weigh(prices)
