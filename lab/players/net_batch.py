"""The nets of `engine.players.nets` in compiled code: the same functions, for many turns at once."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.players import nets
from engine.players.nets import KEEP, MOST_FEATURES, NetLayers
from lab.players.exchange import DISCARDING, Offers, list_discards
from lab.players.search import TurnPositions
from lab.survey.buffers import NO_CARD, Bytes, IntArray
from lab.survey.encode_rules import TRICKS_PER_DEAL
from lab.survey.jit import find_lowest_bit, i64, jit_compile, jit_share
from lab.survey.play_rules import list_trumps
from lab.survey.play_single import is_taking_trick

SmallNumbers: TypeAlias = npt.NDArray[np.int8]
#: The first layer, [features, units]; the second, [outputs, units], so that one output can be asked alone; the bias.
LayerArrays: TypeAlias = "tuple[SmallNumbers, SmallNumbers, npt.NDArray[np.int32]]"

jit_number_card = jit_share(nets.number_card)
jit_number_court = jit_share(nets.number_court)
jit_held_features = jit_share(nets.list_held_features)
jit_table_features = jit_share(nets.list_table_features)
jit_void_features = jit_share(nets.list_void_features)
jit_trick_features = jit_share(nets.list_trick_features)
jit_turn_features = jit_share(nets.list_turn_features)
jit_offer_features = jit_share(nets.list_offer_features)


def make_layer_arrays(layers: NetLayers) -> LayerArrays:
    """Make arrays of the weights of a net."""
    second = np.ascontiguousarray(np.array(layers.second, np.int8).T)
    return np.array(layers.first, np.int8), second, np.array(layers.bias, np.int32)


def make_unit_sums(first: SmallNumbers) -> npt.NDArray[np.int16]:
    """Make room for a sum of each hidden unit: a hundred and sixty weights of a byte at most, which two bytes hold."""
    return np.zeros(first.shape[1], np.int16)


jit_unit_sums = jit_share(make_unit_sums)


@jit_compile
def add_up_units(first: SmallNumbers, features: IntArray, count: int, sums: npt.NDArray[np.int16]) -> None:
    """Add up for each hidden unit the weights of the features that hold; what is below nought counts as nought."""
    for unit in range(sums.size):
        sums[unit] = 0
    for at in range(count):
        feature = features[at]
        for unit in range(sums.size):
            sums[unit] += first[feature, unit]
    for unit in range(sums.size):
        sums[unit] = max(sums[unit], 0)


@jit_compile
def find_share(layers: LayerArrays, sums: npt.NDArray[np.int16], which: int) -> int:
    """Find one output, as `NetLayers.weigh_output` does: few of the cards may be played in a turn."""
    _, second, bias = layers
    total = np.int32(bias[which])
    for unit in range(sums.size):
        total += np.int32(sums[unit]) * np.int32(second[which, unit])  # run as plain Python, two bytes would overflow
    return i64(total)


@jit_compile
def find_takers(rules: IntArray, cards: IntArray, players: IntArray, takers: IntArray) -> int:
    """Find who took each whole trick; return the place of the card that takes so far in the trick on the table."""
    led = best = i64(-1)
    won = 0
    for at in range(cards.size):
        card, place = cards[at], at & 3
        led = i64(-1) if place == 0 else led
        best, won = (card, place) if is_taking_trick(card, led, best, list_trumps(rules)) else (best, won)
        led = card if place == 0 else led
        if place == 3:
            takers[at >> 2] = players[at - 3 + won]
    return won


@jit_compile
def see_turn(
    rules: IntArray,
    where: tuple[IntArray, IntArray, IntArray, IntArray, Bytes, Bytes],
    at: int,
    room: IntArray,
    into: IntArray,
) -> int:
    """List the features of one of some turns; return how many. `room`: [3, 44], to be used."""
    seats, held, aside, given, played, who = where
    known = played.shape[0]
    cards, players, takers = room[0, :known], room[1, :known], room[2]
    for step in range(known):
        cards[step], players[step] = played[step, at], who[step, at]
    best = find_takers(rules, cards, players, takers)
    sight: int = jit_turn_features(seats[at], (held[at], aside[at], given[at]), cards, players, takers, best, into)
    return sight


@jit_compile
def mark_turn_features(
    rules: IntArray, where: tuple[IntArray, IntArray, IntArray, IntArray, Bytes, Bytes], marks: Bytes
) -> None:
    """Mark the features that hold in each turn. `marks`: [turns, features]."""
    room, into = np.zeros((3, 4 * TRICKS_PER_DEAL), np.int64), np.zeros(MOST_FEATURES, np.int64)
    for at in range(marks.shape[0]):
        for each in range(see_turn(rules, where, at, room, into)):
            marks[at, into[each]] = 1


@jit_compile
def mark_offer_features(seat: int, hands: IntArray, aside: IntArray, gives: int, marks: Bytes) -> None:
    """Mark the features that hold of each hand before play. `marks`: [hands, features]."""
    into = np.zeros(MOST_FEATURES, np.int64)
    for at in range(hands.size):
        for each in range(jit_offer_features(seat, hands[at], aside[at], gives, into)):
            marks[at, into[each]] = 1


@jit_compile
def choose_turns(
    rules: IntArray,
    layers: LayerArrays,
    where: tuple[IntArray, IntArray, IntArray, IntArray, Bytes, Bytes],
    may: IntArray,
    chosen: IntArray,
) -> None:
    """Choose the card of the greatest share in each turn, of equals the lowest."""
    room, into = np.zeros((3, 4 * TRICKS_PER_DEAL), np.int64), np.zeros(MOST_FEATURES, np.int64)
    first = layers[0]
    sums = jit_unit_sums(first)
    for at in range(may.size):
        add_up_units(first, into, see_turn(rules, where, at, room, into), sums)
        left, most = may[at], i64(0)
        chosen[at] = -1
        while left:
            card = find_lowest_bit(left)
            left &= left - 1
            share = find_share(layers, sums, jit_number_card(card))
            if chosen[at] < 0 or share > most:
                chosen[at], most = card, share


@jit_compile
def choose_listed(
    layers: LayerArrays,
    who: tuple[int, IntArray, IntArray],
    gives: int,
    rows: tuple[IntArray, IntArray],
    chosen: IntArray,
) -> None:
    """Choose the row of the greatest share for each hand, of equals the first; the rows of a hand lie together."""
    first, (seat, hands, aside), (turn, card) = layers[0], who, rows
    into, most, sums = np.zeros(MOST_FEATURES, np.int64), i64(0), jit_unit_sums(first)
    for row in range(turn.size):
        at = turn[row]
        begins = row == 0 or turn[row - 1] != at
        if begins:
            add_up_units(first, into, jit_offer_features(seat, hands[at], aside[at], gives, into), sums)
        share = find_share(layers, sums, KEEP if card[row] == NO_CARD else jit_number_card(card[row]))
        if begins or share > most:
            chosen[at], most = card[row], share


def list_columns(where: TurnPositions) -> tuple[IntArray, IntArray, IntArray, IntArray, Bytes, Bytes]:
    """List what is known of some turns, as compiled code takes it."""
    return where.seats, where.held, where.aside, where.given, where.cards, where.players


def choose_turns_by_net(coded: IntArray, layers: LayerArrays, where: TurnPositions, may: IntArray) -> IntArray:
    """Choose a card in each of some turns by a net."""
    chosen = np.zeros(where.size, np.int64)
    choose_turns(coded, layers, list_columns(where), may, chosen)
    return chosen


def choose_offers_by_net(coded: IntArray, layers: LayerArrays, offers: Offers, stage: int) -> IntArray:
    """Choose what each of some players in a seat lays away, NO_CARD for nothing, or gives."""
    n = offers.hands.size
    turn, card, chosen = np.zeros(13 * n, np.int64), np.zeros(13 * n, np.int64), np.zeros(n, np.int64)
    count = list_discards(coded, offers.seat, offers.hands, stage, turn, card)
    who = offers.seat, offers.hands, offers.aside
    choose_listed(layers, who, int(stage != DISCARDING), (turn[:count], card[:count]), chosen)
    return chosen
