"""Lawful worlds: how the cards that a player does not see may lie, each lawful way as likely as any other.

Whoever did not follow suit has none of it, or has the espagnolette's privilege not to follow: one case for each way in
which he may have it by the aces and quinolas that are not seen, and one for nobody's having made use of it. The worlds
of each case are counted exactly, class by class of cards that the same players lack; all other cards are shuffled. What
the counting leaves out (two privileged cards that need not follow when alone, say) comes out when the world is
replayed: a world in which the play so far was not lawful is not counted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lab.players.turns import NOBODY
from lab.survey import play_rules
from lab.survey.buffers import Bytes, IntArray
from lab.survey.encode_rules import PACK_SIZE, TALON_SIZE, TRICKS_PER_DEAL
from lab.survey.jit import count_bits, i64, jit_compile, jit_inline
from lab.survey.play_single import is_taking_trick
from lab.survey.rng import HALF, advance_stream, mix_bits

TALON, PLACES = 4, 5  #: the places of a card: four players and the talon
CLASSES = 8  #: of unseen cards: by which of the three other players may have none of them
YET_TO_DRAW, DONE_DRAWING = -1, -2  #: worlds of which no case has been drawn yet, and those that are done
LOT_RANGE = 4294967296.0  #: of the numbers that are drawn
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
    unseen: int = play_rules.PACK_MASK & ~seen
    return unseen


@jit_compile
def find_barred_cards(
    rules: IntArray, me: int, given: int, played: tuple[Bytes, Bytes], barred: IntArray, firm: IntArray
) -> int:
    """Find the cards that each other player cannot hold, as bits. `barred`, `firm`: [5], to be filled.

    `barred` holds unless the player has the privilege not to follow, `firm` even then. Return as bits who must have it,
    for only so the play is lawful; among them TALON where not even that would help.
    """
    cards, players = played
    barred[:], firm[:] = 0, 0
    privileged, hearts, took, led, best, winner = i64(0), i64(0), i64(0), i64(-1), i64(0), i64(0)
    for at in range(cards.size):
        card, who, trick = i64(cards[at]), i64(players[at]), at >> 2
        led = i64(-1) if at & 3 == 0 else led
        lacks = find_lacking_cards(rules, trick, led, card, hearts)
        if who != me:
            mine = i64(1) << card | (given if who == (me + 2) & 3 else i64(0))
            spared = (
                led >= 0
                and trick < rules[play_rules.RENOUNCES_TO]
                and not (rules[play_rules.RIGHT_LOST_COLUMN] and took >> who & 1)
            )
            barred[who] |= lacks
            firm[who] |= i64(0) if spared else lacks
            privileged |= i64(mine & barred[who] != 0) << who | i64(mine & firm[who] != 0) << TALON
        given &= ~(i64(1) << card)
        best, winner = (
            (card, who) if is_taking_trick(card, led, best, play_rules.list_trumps(rules)) else (best, winner)
        )
        led = card if led < 0 else led
        if at & 3 == 3:
            took |= i64(1) << winner
            hearts += i64(led >> 4 == 1)
    return privileged


@jit_inline
def find_lacking_cards(rules: IntArray, trick: int, led: int, card: int, hearts: int) -> int:
    """Find the cards that a player without privilege does not hold after playing a card, as bits."""
    if led < 0:
        first = rules[play_rules.FIRST_SUIT] if trick == 0 else i64(-1)
        return play_rules.jit_suit_cards(play_rules.PACK_MASK, first) if first >= 0 and card >> 4 != first else i64(0)
    if rules[play_rules.FOLLOW] == 0 or card >> 4 == led >> 4:
        return i64(0)
    kept = play_rules.list_quinolas(rules) if rules[play_rules.LONE_FREE + trick] >> hearts & 1 else i64(0)
    return play_rules.jit_suit_cards(play_rules.PACK_MASK, led >> 4) & ~kept


@jit_inline
def list_special_cards(rules: IntArray) -> int:
    """Return the cards by which a hand may give the privilege, as bits."""
    cards: int = play_rules.ACES_MASK | play_rules.list_quinolas(rules) | rules[play_rules.NAMED_COLUMN]
    return cards


@jit_compile
def list_cases(
    rules: IntArray, me: int, known: IntArray, special: int, privileged: int, barred: IntArray, firm: IntArray
) -> tuple[IntArray, IntArray]:
    """List how the privilege may lie: nobody has made use of it, or somebody has, by certain of the unseen cards.

    Return the player of each case, NOBODY for none, and these cards as bits. A world of the first case may be one of
    another as well. `special`: the unseen cards by which a hand may give the privilege.
    """
    most = 1 + 3 * (i64(1) << count_bits(special))
    holder, cards, count = np.full(most, NOBODY, np.int64), np.zeros(most, np.int64), i64(privileged == 0)
    for who in range(4):
        alone = privileged & ~(i64(1) << who) == 0  # nobody else must have it
        if who == me or not alone or (privileged == 0 and barred[who] == firm[who]):
            continue
        some = special
        while True:
            index = play_rules.index_privilege(
                known[who] | some, play_rules.list_quinolas(rules), rules[play_rules.NAMED_COLUMN]
            )
            if rules[play_rules.HELD_COLUMN] >> index & 1 and some & firm[who] == 0:
                holder[count], cards[count] = who, some
                count += 1
            if some == 0:
                break
            some = (some - 1) & special
    return holder[:count], cards[:count]


@jit_inline
def count_fillings(a: int, b: int, c: int, d: int, e: int) -> float:
    """Count the ways to fill places with so many cards each."""
    ways = FACTORIALS[a + b + c + d + e] / (FACTORIALS[a] * FACTORIALS[b] * FACTORIALS[c])
    return float(ways / (FACTORIALS[d] * FACTORIALS[e]))


@jit_inline
def read_ways(level: int, levels: int, a: int, b: int, c: int, d: int, e: int, ways: Any) -> float:
    """Return the ways to go on from a class: after the last one all other cards lie anyhow."""
    return count_fillings(a, b, c, d, e) if level == levels else float(ways[level, a, b, c, d])


@jit_compile
def count_worlds(sizes: IntArray, bars: IntArray, levels: int, room: IntArray, ways: Any) -> float:
    """Count the ways to fill the places, class by class. `ways`: [CLASSES, 12, 12, 12, 12], filled from the last on.

    `sizes`: cards of each class; `bars`: who may have none of it, as bits; `room`: the cards each place still takes.
    The numbers stand by what is left in the four first places; what is left in the talon follows.
    """
    if room.min() < 0:
        return 0.0
    left = room.sum()
    filled = left - sizes[levels]
    left -= filled
    for level in range(levels - 1, -1, -1):
        left, filled = left + sizes[level], filled - sizes[level]
        first = np.maximum(room - filled, 0)
        for a in range(first[0], room[0] + 1):
            for b in range(first[1], room[1] + 1):
                for c in range(first[2], room[2] + 1):
                    for d in range(first[3], room[3] + 1):
                        e = left - a - b - c - d
                        if 0 <= e <= room[4]:
                            ways[level, a, b, c, d] = add_splits(
                                sizes[level], bars[level], level, levels, a, b, c, d, e, ways
                            )
    return read_ways(0, levels, room[0], room[1], room[2], room[3], room[4], ways)


@jit_inline
def limit_share(bars: int, place: int, room: int, left: int) -> int:
    """Return the most cards of a class that a place can take."""
    return 0 if bars >> place & 1 else min(room, left)


@jit_compile
def add_splits(n: int, bars: int, level: int, levels: int, a: int, b: int, c: int, d: int, e: int, ways: Any) -> float:
    """Add up the ways over all splits of the n cards of one class."""
    total = 0.0
    for i in range(limit_share(bars, 0, a, n) + 1):
        for j in range(limit_share(bars, 1, b, n - i) + 1):
            for k in range(limit_share(bars, 2, c, n - i - j) + 1):
                for m in range(limit_share(bars, 3, d, n - i - j - k) + 1):
                    rest = n - i - j - k - m
                    if rest <= e:
                        after = read_ways(level + 1, levels, a - i, b - j, c - k, d - m, e - rest, ways)
                        total += count_fillings(i, j, k, m, rest) * after
    return total


@jit_compile
def draw_split(
    n: int, bars: int, level: int, levels: int, room: IntArray, ways: Any, lot: float, share: IntArray
) -> None:
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
                    after = read_ways(level + 1, levels, a - i, b - j, c - k, d - m, e - rest, ways)
                    term = count_fillings(i, j, k, m, rest) * after
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
def order_classes(unseen: int, barred: IntArray, cards: IntArray, sizes: IntArray, bars: IntArray) -> int:
    """Order the unseen cards by class: first those that somebody lacks, then all others; return how many lack.

    `cards`, `sizes`, `bars`: [CLASSES], to be filled.
    """
    levels, rest = 0, unseen
    for some in range(1, 1 << TALON):
        mine = unseen
        for place in range(TALON):
            mine &= barred[place] if some >> place & 1 else ~barred[place]
        if mine:
            cards[levels], sizes[levels], bars[levels] = mine, count_bits(mine), some
            levels += 1
            rest ^= mine
    cards[levels], sizes[levels], bars[levels] = rest, count_bits(rest), 0
    return levels


@jit_compile
def count_case(
    case: tuple[int, int],
    unseen: int,
    special: int,
    limits: tuple[IntArray, IntArray, IntArray],
    classes: tuple[IntArray, IntArray, IntArray],
    room: IntArray,
    ways: Any,
) -> tuple[int, float]:
    """Count the worlds of a case, and how many classes somebody lacks. `classes`, `room`, `ways`: to be filled.

    `limits`: as bits the cards known of each place, those `barred` and those `firm`.
    """
    (holder, given), (known, barred, firm), (cards, sizes, bars) = case, limits, classes
    room[:] = TRICKS_PER_DEAL
    room[TALON] = TALON_SIZE
    for place in range(PLACES):
        room[place] -= count_bits(known[place])
    lacking = barred.copy()
    if holder != NOBODY:
        room[holder] -= count_bits(given)
        lacking[holder] = firm[holder] | special & ~given
    levels = order_classes(unseen & ~given, lacking, cards, sizes, bars)
    return levels, count_worlds(sizes, bars, levels, room, ways)


@jit_compile
def draw_world(
    classes: tuple[IntArray, IntArray, IntArray], levels: int, room: IntArray, ways: Any, stream: Any, places: IntArray
) -> None:
    """Draw one world: add the unseen cards to what is known of each place. `places`: [5]."""
    cards, sizes, bars = classes
    free, share, at = room.copy(), np.zeros(PLACES, np.int64), 1
    for level in range(levels):
        draw_split(sizes[level], bars[level], level, levels, free, ways, draw_number(stream, at) / LOT_RANGE, share)
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
    """Draw worlds into the columns of `hands` and `talon` from the first on; return how many there are at most.

    `view`: a seat, and as bits its cards at the first lead, those it laid away, the one it gave across the table;
    `played`: the cards so far, and who played each. 0: no such world is lawful, and nothing was drawn.
    """
    me, held, aside, given = view
    known, barred, firm = np.empty(PLACES, np.int64), np.empty(PLACES, np.int64), np.empty(PLACES, np.int64)
    unseen = find_known_places(me, held, aside, given, played[0], played[1], known)
    privileged = find_barred_cards(rules, me, given, played, barred, firm)
    special = unseen & list_special_cards(rules)
    holder, by = list_cases(rules, me, known, special, privileged, barred, firm)
    limits, room = (known, barred, firm), np.empty(PLACES, np.int64)
    classes = np.zeros(CLASSES, np.int64), np.zeros(CLASSES, np.int64), np.zeros(CLASSES, np.int64)
    weight, drawn, turn, filled, levels = np.zeros(holder.size), np.full(worlds, YET_TO_DRAW, np.int64), 0, -1, 0
    for case in range(holder.size):
        levels, weight[case] = count_case((holder[case], by[case]), unseen, special, limits, classes, room, ways)
        filled = case
    total = float(weight.sum())
    while total > 0.0 and np.any(drawn == YET_TO_DRAW):
        lots = advance_stream(stream, turn * worlds << 8)
        draw_cases(weight, total, lots, drawn)
        for case in range(holder.size):
            if not np.any(drawn == case):
                continue
            who, his = holder[case], by[case]
            if filled != case:
                levels, _ = count_case((who, his), unseen, special, limits, classes, room, ways)
                filled = case
            for world in range(worlds):
                if drawn[world] == case:
                    places = known.copy()
                    places[who] |= his
                    draw_world(classes, levels, room, ways, advance_stream(lots, world << 8), places)
                    # a world of the first case is drawn there
                    twice = who != NOBODY and privileged == 0 and places[who] & unseen & barred[who] == 0
                    drawn[world] = YET_TO_DRAW if twice else DONE_DRAWING
                    hands[:, first + world], talon[first + world] = places[:4], places[TALON]
        turn += 1
    return total


@jit_inline
def draw_cases(weight: Any, total: float, lots: Any, drawn: IntArray) -> None:
    """Draw a case for each world that is to be drawn, as often as the case has worlds."""
    for world in range(drawn.size):
        if drawn[world] == YET_TO_DRAW:
            aim = draw_number(advance_stream(lots, world << 8), 0) / LOT_RANGE * total
            for case in range(weight.size):
                if weight[case] > 0.0:
                    drawn[world] = case
                    aim -= weight[case]
                    if aim < 0.0:
                        break


@jit_inline
def draw_number(stream: Any, at: int) -> int:
    """Draw 32 bits."""
    return i64(mix_bits(advance_stream(stream, at)) >> HALF)
