"""The last tricks, solved exactly: every line of play with open hands, each player choosing what serves him best."""

from __future__ import annotations

from engine.players.turns import find_next_seat, find_turn
from engine.survey.buffers import Bytes, IntArray
from engine.survey.jit import find_lowest_bit, jit_compile

CARDS_PER_DEAL = 44


@jit_compile
def write_lines(rules: IntArray, held: IntArray, cards: Bytes, players: Bytes, step: int, lines: Bytes, at: int) -> int:
    """Write every line of play from a step on into the columns of `lines`; return the number of the next column.

    `held`: [4] each hand at the first lead; `cards`, `players`: [44] the line so far. Without room nothing is written.
    """
    if step == CARDS_PER_DEAL:
        if at < lines.shape[1]:
            lines[:, at] = cards
        return at + 1
    seat = find_next_seat(rules, cards, players, step)
    may, _ = find_turn(rules, seat, held[seat], cards[:step], players[:step])
    while may:
        card = find_lowest_bit(may)
        may &= may - 1
        cards[step], players[step] = card, seat
        at = write_lines(rules, held, cards, players, step + 1, lines, at)
    return at


@jit_compile
def back_up(
    rules: IntArray,
    held: IntArray,
    cards: Bytes,
    players: Bytes,
    step: int,
    net: IntArray,
    at: int,
    best: IntArray,
) -> int:
    """Find what each player wins if from a step on everyone chooses what serves him best; return the next column.

    `net`: what the lines written by `write_lines` come to, [columns, 4]; `best`: [45, 4], of which this step's row is
    filled. Among equals the lowest card is chosen.
    """
    if step == CARDS_PER_DEAL:
        best[step] = net[at]
        return at + 1
    seat, first = find_next_seat(rules, cards, players, step), True
    may, _ = find_turn(rules, seat, held[seat], cards[:step], players[:step])
    while may:
        card = find_lowest_bit(may)
        may &= may - 1
        cards[step], players[step] = card, seat
        at = back_up(rules, held, cards, players, step + 1, net, at, best)
        if first or best[step + 1, seat] > best[step, seat]:
            best[step] = best[step + 1]
            first = False
    return at
