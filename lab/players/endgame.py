"""The last tricks, solved exactly: every line of play with open hands, each player choosing what serves him best."""

from __future__ import annotations

import numpy as np

from lab.players.rollouts import (
    FIRST,
    HEARTS,
    LED_CARD,
    TAKEN_SUMS,
    allocate_lane_rows,
    play_lane,
    store_lane,
)
from lab.survey import play_rules
from lab.survey.buffers import TRICKS_TAKEN, Bytes, IntArray
from lab.survey.jit import find_lowest_bit, i64, jit_compile, jit_inline
from lab.survey.play_single import find_legal_plays

CARDS_PER_DEAL = 44
LAST_TRICK = CARDS_PER_DEAL - 4  #: the step that begins it
NO_LOTS = np.uint64(0)  #: where there is nothing to choose
WORST = np.iinfo(np.int64).min  #: less than any line brings


@jit_inline
def holds_privilege(rules: IntArray, held: int, seat: int, step: int, taken: int) -> bool:
    """Return whether a player may renounce by what he held at the first lead, and has taken."""
    at = play_rules.index_privilege(held, play_rules.list_quinolas(rules), rules[play_rules.NAMED_COLUMN])
    lost = rules[play_rules.RIGHT_LOST_COLUMN] and taken >> 16 * seat + TRICKS_TAKEN & 15 != 0
    return rules[play_rules.HELD_COLUMN] >> at & 1 == 1 and not lost and step >> 2 < rules[play_rules.RENOUNCES_TO]


@jit_compile
def open_step(rules: IntArray, held: IntArray, lane: IntArray, step: int, left: IntArray) -> None:
    """Find which cards may be played at a step, all of which are left to try; in the last trick there is no choice."""
    if step < LAST_TRICK:
        seat, trick = (lane[FIRST] + (step & 3)) & 3, step >> 2
        renounces = holds_privilege(rules, held[seat], seat, step, lane[TAKEN_SUMS])
        free = rules[play_rules.LONE_FREE + trick] >> lane[HEARTS] & 1
        left[step] = find_legal_plays(rules, lane[seat], trick, lane[LED_CARD], renounces, free)


@jit_compile
def play_lowest_left(rules: IntArray, lanes: IntArray, step: int, left: IntArray, cards: Bytes) -> None:
    """Play the lowest card that is left to try at a step; the next lane goes on from there."""
    cards[step, 0] = find_lowest_bit(left[step])
    left[step] &= left[step] - 1
    lanes[step + 1] = lanes[step]
    play_lane(rules, lanes[step + 1], (step, step + 1, step + 1), NO_LOTS, cards, 0)


@jit_compile
def write_lines(
    rules: IntArray,
    held: IntArray,
    lane: IntArray,
    cards: Bytes,
    start: int,
    into: tuple[IntArray, IntArray, IntArray, IntArray],
    lines: Bytes,
    at: int,
) -> int:
    """Write every line of play from a step on into the columns of `lines`; return the number of the next column.

    `held`: [4] each hand at the first lead; `lane`: as it stands at that step; `cards`: [44, 1] the line so far;
    `into`: facts, taken, takers, told. Without room nothing is written.
    No function here calls itself: compiled in one process and loaded in another, such a function is not found.
    """
    left, lanes, step = np.zeros(LAST_TRICK, np.int64), allocate_lane_rows(rules, CARDS_PER_DEAL + 1), start
    lanes[start] = lane
    open_step(rules, held, lanes[start], start, left)
    while step >= start:
        if step < LAST_TRICK and left[step]:
            play_lowest_left(rules, lanes, step, left, cards)
            step += 1
            open_step(rules, held, lanes[step], step, left)
            continue
        if step >= LAST_TRICK:
            if at < lines.shape[1]:
                lines[:, at] = cards[:, 0]
                play_lane(rules, lanes[step], (step, CARDS_PER_DEAL, step), NO_LOTS, lines, at)
                store_lane(lanes[step], at, into)
            at += 1
        step -= 1
    return at


@jit_inline
def find_line_seat(rules: IntArray, takers: int, step: int) -> int:
    """Find whose card a step is, in a line of which it is known who took each trick."""
    leads = (
        takers >> 2 * ((step >> 2) - 1) & 3
        if step >= 4 and rules[play_rules.TAKER_LEADS]
        else i64(rules[play_rules.ELDEST])
    )
    return (leads + (step & 3)) & 3


@jit_inline
def find_parting(lines: Bytes, at: int, first: int, end: int) -> int:
    """Find the step, from the first on, at which the next line parts from this one; -1 if this is the last."""
    if at + 1 < end:
        for step in range(first, CARDS_PER_DEAL):
            if lines[step, at] != lines[step, at + 1]:
                return step
    return -1


@jit_compile
def back_up(
    rules: IntArray, lines: Bytes, takers: IntArray, start: int, net: IntArray, at: int, end: int, best: IntArray
) -> int:
    """Find what each player wins if from a step on everyone chooses what serves him best; return the next column.

    `lines`: as written by `write_lines` for one world, up to the column `end`; `takers`: who took each trick in them;
    `net`: what they come to, [columns, 4]; `best`: [45, 4], of which this step's row is filled. Among equals the lowest
    card is chosen.
    """
    best[start:] = WORST
    parts = start
    while parts >= start:
        best[CARDS_PER_DEAL] = net[at]
        parts = find_parting(lines, at, start - 1, end)
        for step in range(CARDS_PER_DEAL - 1, max(parts, start) - 1, -1):
            seat = find_line_seat(rules, takers[at], step)
            if best[step + 1, seat] > best[step, seat]:
                best[step] = best[step + 1]
            best[step + 1] = WORST
        at += 1
    return at
