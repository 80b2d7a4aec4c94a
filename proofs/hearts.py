"""Hearts for the search: the rules of play, the points, and a choice of card by the method that plays Reversis.

Fifty-two cards, thirteen tricks, nobody passes: each heart one point, the queen of spades thirteen, and who takes all
of them has none and the others 26 each. The two of clubs leads; no point may be thrown on the first trick, and no heart
led before hearts are broken, as long as there is another card.

The lawful worlds are drawn by the functions that draw those of Reversis, and playouts follow the same cautious
preferences, unchanged, the queen of spades in the quinola's place. What the kernel of Reversis has besides is left out:
playouts bent on all tricks, and the exact end. Its 48 cards, eleven tricks and payments are built in, so that rules and
points of Hearts had to be written again here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.players import preferences as policies
from lab.players.hidden_hands import CLASSES, PLACES, count_worlds, draw_world, order_classes
from lab.survey.buffers import Bytes, IntArray
from lab.survey.jit import count_bits, find_lowest_bit, i64, jit_compile
from lab.survey.play_rules import jit_suit_cards
from lab.survey.play_single import choose_preferred_card, find_card_owner, is_taking_trick
from lab.survey.rng import advance_stream, draw_bits, mix_bits, start_stream

HEARTS_CARDS, HEARTS_HAND, HEARTS_POINTS, QUEEN_POINTS = 52, 13, 26, 13
WHOLE_PACK = 0x1FFF * (1 | 1 << 16 | 1 << 32 | 1 << 48)
ALL_HEARTS, SPADE_QUEEN, CLUB_TWO = 0x1FFF << 16, 10, 48  #: all hearts as bits; the numbers of two cards
_POINT_CARDS = ALL_HEARTS | 1 << SPADE_QUEEN


@jit_compile
def find_hearts_plays(hand: int, step: int, led: int, broken: int) -> int:
    """Find the cards that may be played after so many others, as bits. `led`: -1 to lead; `broken`: hearts are."""
    if step == 0:
        return i64(1) << CLUB_TWO
    if led < 0:
        others = hand & ~i64(ALL_HEARTS)
        return others if others and not broken else hand
    same = hand & i64(0x1FFF) << (led & 48)
    if same:
        return same
    harmless = hand & ~i64(_POINT_CARDS)
    return harmless if harmless and step < 4 else hand


@jit_compile
def count_hearts_points(card: int) -> int:
    """Count the points of a card."""
    return QUEEN_POINTS if card == SPADE_QUEEN else i64(card >> 4 == 1)


@jit_compile
def play_hearts(
    liked: IntArray, known: int, lots: Any, hands: IntArray, cards: Bytes, players: Bytes, points: IntArray
) -> None:
    """Play a deal: so many cards as given, the others by preference; `players` and the `points` of each are filled."""
    hand, broken, leader = hands[:4].copy(), i64(0), find_card_owner(hands, CLUB_TWO)
    points[:] = 0
    for trick in range(HEARTS_HAND):
        led, best, won, loot = i64(-1), i64(0), 0, i64(0)
        for place in range(4):
            step, seat = 4 * trick + place, (leader + place) & 3
            if step >= known:
                may = find_hearts_plays(hand[seat], step, led, broken)
                queen = i64(1) << SPADE_QUEEN
                cards[step] = choose_preferred_card(liked, may, led, best, place == 3, queen, draw_bits(lots, step))
            card = i64(cards[step])
            best, won = (card, place) if is_taking_trick(card, led, best, 0) else (best, won)
            led = card if place == 0 else led
            loot += count_hearts_points(card)
            broken |= i64(count_hearts_points(card) > 0)
            hand[seat] ^= i64(1) << card
            players[step] = seat
        leader = (leader + won) & 3
        points[leader] += loot
    for seat in range(4):
        if points[seat] == HEARTS_POINTS:
            points[:] = HEARTS_POINTS
            points[seat] = 0
            return


@jit_compile
def find_hearts_turn(hand: int, cards: Bytes) -> int:
    """Find what may be played from a hand after these cards, as bits."""
    broken = i64(0)
    for card in cards:
        broken |= i64(count_hearts_points(i64(card)) > 0)
    led = i64(cards[cards.size & ~3]) if cards.size & 3 else i64(-1)
    return find_hearts_plays(hand, cards.size, led, broken)


@jit_compile
def note_seen_cards(me: int, held: int, cards: Bytes, players: Bytes, places: IntArray, missing: IntArray) -> None:
    """Note as bits where the cards lie that a player knows of, and those of suits that each other did not follow."""
    for at in range(cards.size):
        card, led = i64(cards[at]), i64(cards[at & ~3])
        places[players[at]] |= i64(1) << card
        if card >> 4 != led >> 4:
            missing[players[at]] |= jit_suit_cards(i64(WHOLE_PACK), led >> 4)
    places[me], missing[me] = held, 0


@jit_compile
def weigh_hearts_cards(
    liked: IntArray, view: tuple[int, int, int], cards: Bytes, players: Bytes, worlds: int, ways: Any, worth: IntArray
) -> int:
    """Weigh the cards that may be played: `worth`, by number, less all points in so many worlds; return them as bits.

    `view`: a seat, its thirteen cards as bits, and a seed; `cards`, `players`: what was played, and by whom.
    """
    (me, held, seed), known = view, cards.size
    places, missing, room = np.zeros(PLACES, np.int64), np.zeros(PLACES, np.int64), np.zeros(PLACES, np.int64)
    order, sizes, bars = np.zeros(CLASSES, np.int64), np.zeros(CLASSES, np.int64), np.zeros(CLASSES, np.int64)
    note_seen_cards(me, held, cards, players, places, missing)
    unseen = i64(WHOLE_PACK) & ~(places[0] | places[1] | places[2] | places[3])
    for seat in range(4):
        room[seat] = HEARTS_HAND - count_bits(places[seat])
    levels = order_classes(unseen, missing, order, sizes, bars)
    count_worlds(sizes, bars, levels, room, ways)
    line, who, points = np.zeros(HEARTS_CARDS, np.uint8), np.zeros(HEARTS_CARDS, np.uint8), np.zeros(4, np.int64)
    line[:known], stream, hand = cards, start_stream(seed, held ^ known), held
    for at in range(known):
        hand &= ~(i64(players[at] == me) << i64(cards[at]))
    may = find_hearts_turn(hand, cards)
    for world in range(worlds):
        hands, lots = places.copy(), advance_stream(stream, world << 8)
        draw_world((order, sizes, bars), levels, room, ways, lots, hands)
        left = may
        while left:
            card = find_lowest_bit(left)
            left &= left - 1
            line[known] = card
            play_hearts(liked, known + 1, mix_bits(lots), hands, line, who, points)
            worth[card] -= points[me]
    return may


class HeartsSearch:
    """A player who searches so many worlds."""

    def __init__(self, worlds: int, seed: int) -> None:
        self.worlds, self.seed = worlds, seed
        self.liked = np.array(policies.build_preference_table(), np.int64)
        size = HEARTS_HAND + 1
        self.ways = np.empty((CLASSES + 1, size, size, size, size), np.float64)

    def choose(self, me: int, held: int, cards: Bytes, players: Bytes) -> int:
        """Choose a card; of equals the lowest. `held`: his thirteen cards as bits."""
        worth = np.zeros(64, np.int64)
        view = me, held, self.seed
        may = weigh_hearts_cards(self.liked, view, cards, players, self.worlds, self.ways, worth)
        return max((card for card in range(64) if may >> card & 1), key=lambda card: int(worth[card]))
