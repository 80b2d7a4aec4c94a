"""The last tricks, solved exactly: every line of play with open hands, each player choosing what serves him best."""

from __future__ import annotations

import numpy as np

from engine.players.turns import find_next_seat, find_turn
from engine.survey.buffers import Bytes, IntArray
from engine.survey.jit import find_lowest_bit, jit_compile

CARDS_PER_DEAL = 44
WORST = np.iinfo(np.int64).min  #: less than any line brings


@jit_compile
def open_step(rules: IntArray, held: IntArray, cards: Bytes, players: Bytes, step: int, left: IntArray) -> None:
    """Find whose turn a step is and which cards may be played, all of which are left to try; past the last, nothing."""
    if step < CARDS_PER_DEAL:
        seat = find_next_seat(rules, cards, players, step)
        left[step], _ = find_turn(rules, seat, held[seat], cards[:step], players[:step])
        players[step] = seat


@jit_compile
def play_lowest_left(cards: Bytes, step: int, left: IntArray) -> None:
    """Play the lowest card that is left to try at a step."""
    cards[step] = find_lowest_bit(left[step])
    left[step] &= left[step] - 1


@jit_compile
def write_lines(
    rules: IntArray, held: IntArray, cards: Bytes, players: Bytes, start: int, lines: Bytes, at: int
) -> int:
    """Write every line of play from a step on into the columns of `lines`; return the number of the next column.

    `held`: [4] each hand at the first lead; `cards`, `players`: [44] the line so far. Without room nothing is written.
    No function here calls itself: compiled in one process and loaded in another, such a function is not found.
    """
    left, step = np.zeros(CARDS_PER_DEAL, np.int64), start
    open_step(rules, held, cards, players, start, left)
    while step >= start:
        if step < CARDS_PER_DEAL and left[step]:
            play_lowest_left(cards, step, left)
            step += 1
            open_step(rules, held, cards, players, step, left)
            continue
        if step == CARDS_PER_DEAL:
            if at < lines.shape[1]:
                lines[:, at] = cards
            at += 1
        step -= 1
    return at


@jit_compile
def back_up(
    rules: IntArray,
    held: IntArray,
    cards: Bytes,
    players: Bytes,
    start: int,
    net: IntArray,
    at: int,
    best: IntArray,
) -> int:
    """Find what each player wins if from a step on everyone chooses what serves him best; return the next column.

    `net`: what the lines written by `write_lines` come to, [columns, 4]; `best`: [45, 4], of which this step's row is
    filled. Among equals the lowest card is chosen.
    """
    left, step = np.zeros(CARDS_PER_DEAL, np.int64), start
    open_step(rules, held, cards, players, start, left)
    best[start] = WORST
    while step >= start:
        if step < CARDS_PER_DEAL and left[step]:
            play_lowest_left(cards, step, left)
            step += 1
            open_step(rules, held, cards, players, step, left)
            best[step] = WORST
            continue
        if step == CARDS_PER_DEAL:
            best[step] = net[at]
            at += 1
        step -= 1
        if step >= start and best[step + 1, players[step]] > best[step, players[step]]:
            best[step] = best[step + 1]
    return at
