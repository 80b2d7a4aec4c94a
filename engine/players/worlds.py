"""Lawful worlds: how the cards that a player does not see may lie, each lawful way as likely as any other.

Whoever did not follow suit has none of it, unless he was later seen to have some. The number of ways to fill the hands
is counted exactly, suit by suit, for the suits that somebody is known to lack; all other cards are shuffled. What the
counting leaves out (a lone privileged card that need not follow, say) comes out when the world is replayed: a world in
which the play so far was not lawful is not counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.survey.buffers import Bytes, IntArray
from engine.survey.encode_rules import PACK_SIZE, TALON_SIZE, TRICKS_PER_DEAL
from engine.survey.jit import count_bits, i64, jit_compile, jit_inline
from engine.survey.play_batch import FIRST_SUIT, FOLLOW, LONE_FREE, PACK_MASK, jit_suit_cards, list_quinolas
from engine.survey.rng import HALF, advance_stream, mix_bits

TALON, PLACES, CLASSES = 4, 5, 5  #: the places of a card: four players and the talon; its class: its suit, or loose
FACTORIALS = np.cumprod(np.concatenate([np.ones(1), np.arange(1.0, PACK_SIZE + 1)]))


@jit_compile
def find_known_places(me: int, held: int, aside: int, given: int, cards: Bytes, players: Bytes, known: IntArray) -> int:
    """Find where the cards lie that a player knows of; return all others. `known`: [5], to be filled."""
    known[:] = 0
    for at in range(cards.size):
        known[players[at]] |= i64(1) << i64(cards[at])
    known[me], known[TALON] = held, aside
    known[(me + 2) & 3] |= given
    seen = known[0] | known[1] | known[2] | known[3] | known[4]
    unseen: int = PACK_MASK & ~seen
    return unseen


@jit_compile
def find_missing_suits(rules: IntArray, cards: Bytes, players: Bytes, missing: IntArray) -> None:
    """Find the suits that each player is known to lack, as bits. `missing`: [5], to be filled."""
    missing[:] = 0
    for at in range(cards.size):
        led, card, player = i64(cards[at & ~3]), i64(cards[at]), players[at]
        missing[player] &= ~(1 << (card >> 4))  # he had it after all
        if at & 3 and card >> 4 != led >> 4 and rules[FOLLOW] != 0:
            missing[player] |= 1 << (led >> 4)
        if at == 0 and rules[FIRST_SUIT] >= 0 and card >> 4 != rules[FIRST_SUIT]:
            missing[player] |= 1 << rules[FIRST_SUIT]


@jit_compile
def list_loose_cards(rules: IntArray) -> int:
    """Return the privileged cards, where any trick lets one stay when it is alone; else none."""
    free = i64(0)
    for trick in range(TRICKS_PER_DEAL):
        free |= rules[LONE_FREE + trick]
    return list_quinolas(rules) if free != 0 else i64(0)


@jit_inline
def count_fillings(a: int, b: int, c: int, d: int, e: int) -> float:
    """Count the ways to fill places with so many cards each."""
    ways = FACTORIALS[a + b + c + d + e] / (FACTORIALS[a] * FACTORIALS[b] * FACTORIALS[c])
    return float(ways / (FACTORIALS[d] * FACTORIALS[e]))


@jit_compile
def count_worlds(sizes: IntArray, bars: IntArray, levels: int, room: IntArray, ways: Any) -> float:
    """Count the ways to fill the places, class by class. `ways`: [6, 12, 12, 12, 12], filled from the last class on.

    `sizes`: cards of each class; `bars`: who may have none of it, as bits; `room`: the cards each place still takes.
    The numbers stand by what is left in the four first places; what is left in the talon follows.
    """
    left = room.sum()
    for level in range(levels):
        left -= sizes[level]
    for level in range(levels, -1, -1):
        first = room if level == 0 else np.zeros(PLACES, np.int64)  # at the outset nothing is filled yet
        for a in range(first[0], room[0] + 1):
            for b in range(first[1], room[1] + 1):
                for c in range(first[2], room[2] + 1):
                    for d in range(first[3], room[3] + 1):
                        e = left - a - b - c - d
                        if e < 0 or e > room[4]:
                            continue
                        if level == levels:
                            ways[level, a, b, c, d] = count_fillings(a, b, c, d, e)
                        else:
                            ways[level, a, b, c, d] = add_splits(sizes[level], bars[level], level, a, b, c, d, e, ways)
        left += sizes[level - 1] if level else 0
    return float(ways[0, room[0], room[1], room[2], room[3]])


@jit_inline
def limit_share(bars: int, place: int, room: int, left: int) -> int:
    """Return the most cards of a class that a place can take."""
    return 0 if bars >> place & 1 else min(room, left)


@jit_compile
def add_splits(n: int, bars: int, level: int, a: int, b: int, c: int, d: int, e: int, ways: Any) -> float:
    """Add up the ways over all splits of the n cards of one class."""
    total = 0.0
    for i in range(limit_share(bars, 0, a, n) + 1):
        for j in range(limit_share(bars, 1, b, n - i) + 1):
            for k in range(limit_share(bars, 2, c, n - i - j) + 1):
                for m in range(limit_share(bars, 3, d, n - i - j - k) + 1):
                    rest = n - i - j - k - m
                    if rest <= e:
                        total += count_fillings(i, j, k, m, rest) * ways[level + 1, a - i, b - j, c - k, d - m]
    return total


@jit_compile
def draw_split(n: int, bars: int, level: int, room: IntArray, ways: Any, lot: float, share: IntArray) -> None:
    """Draw how the n cards of one class are split, as often as there are ways. `share`: [5], to be filled."""
    a, b, c, d, e = room[0], room[1], room[2], room[3], room[4]
    aim = lot * ways[level, a, b, c, d]
    for i in range(limit_share(bars, 0, a, n) + 1):
        for j in range(limit_share(bars, 1, b, n - i) + 1):
            for k in range(limit_share(bars, 2, c, n - i - j) + 1):
                for m in range(limit_share(bars, 3, d, n - i - j - k) + 1):
                    rest = n - i - j - k - m
                    if rest > e:
                        continue
                    term = count_fillings(i, j, k, m, rest) * ways[level + 1, a - i, b - j, c - k, d - m]
                    if term > 0.0:
                        share[0], share[1], share[2], share[3], share[4] = i, j, k, m, rest
                        aim -= term
                        if aim < 0.0:
                            return


@jit_compile
def deal_class(cards: int, share: IntArray, stream: Any, at: int, places: IntArray) -> int:
    """Deal the cards of a class at random by their shares; return the number of the next draw."""
    while cards:
        left = share[0] + share[1] + share[2] + share[3] + share[4]
        lot = (draw_number(stream, at) * left) >> 32
        card = cards & -cards
        cards ^= card
        at += 1
        for place in range(PLACES):
            if lot < share[place]:
                places[place] |= card
                share[place] -= 1
                break
            lot -= share[place]
    return at


@jit_compile
def order_classes(unseen: int, loose: int, missing: IntArray, cards: IntArray, sizes: IntArray, bars: IntArray) -> int:
    """Order the unseen cards by class: first the suits that somebody lacks, then all others; return how many suits.

    `cards`, `sizes`, `bars`: [5], to be filled.
    """
    levels, rest = 0, unseen & loose
    for suit in range(4):
        mine, barred = jit_suit_cards(unseen & ~loose, suit), 0
        for place in range(4):
            barred |= (missing[place] >> suit & 1) << place
        if barred and mine:
            cards[levels], sizes[levels], bars[levels] = mine, count_bits(mine), barred
            levels += 1
        else:
            rest |= mine
    cards[levels], sizes[levels], bars[levels] = rest, count_bits(rest), 0
    return levels


@jit_compile
def draw_world(
    classes: tuple[IntArray, IntArray, IntArray], levels: int, room: IntArray, ways: Any, stream: Any, places: IntArray
) -> None:
    """Draw one world: add the unseen cards to what is known of each place. `places`: [5]."""
    cards, sizes, bars = classes
    free, share, at = room.copy(), np.zeros(PLACES, np.int64), 1
    for level in range(levels):
        draw_split(sizes[level], bars[level], level, free, ways, draw_number(stream, at) / 4294967296.0, share)
        free -= share
        at = deal_class(cards[level], share, stream, at + 1, places)
    deal_class(cards[levels], free, stream, at, places)


@jit_compile
def draw_worlds(
    rules: IntArray,
    view: tuple[int, int, int, int],
    played: tuple[Bytes, Bytes],
    stream: Any,
    hands: IntArray,
    talon: IntArray,
    first: int,
    worlds: int,
    ways: Any,
) -> float:
    """Draw worlds into the columns of `hands` and `talon` from the first on; return how many there are in all.

    `view`: a seat, and as bits its cards at the first lead, those it laid away, the one it gave across the table;
    `played`: the cards so far, and who played each. 0: no such world is lawful, and nothing was drawn.
    """
    me, held, aside, given = view
    known, missing = np.empty(PLACES, np.int64), np.empty(PLACES, np.int64)
    cards, sizes, bars = np.zeros(CLASSES, np.int64), np.zeros(CLASSES, np.int64), np.zeros(CLASSES, np.int64)
    unseen = find_known_places(me, held, aside, given, played[0], played[1], known)
    find_missing_suits(rules, played[0], played[1], missing)
    levels = order_classes(unseen, list_loose_cards(rules), missing, cards, sizes, bars)
    room = np.full(PLACES, TRICKS_PER_DEAL, np.int64)
    room[TALON] = TALON_SIZE
    for place in range(PLACES):
        room[place] -= count_bits(known[place])
    found = count_worlds(sizes, bars, levels, room, ways)
    if found == 0.0:
        return 0.0
    for world in range(worlds):
        places = known.copy()
        draw_world((cards, sizes, bars), levels, room, ways, advance_stream(stream, world << 8), places)
        hands[:, first + world], talon[first + world] = places[:4], places[TALON]
    return found


@jit_inline
def draw_number(stream: Any, at: int) -> int:
    """Draw 32 bits."""
    return i64(mix_bits(advance_stream(stream, at)) >> HALF)
