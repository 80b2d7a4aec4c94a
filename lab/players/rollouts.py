"""Lanes of a search: one deal of one world, played on from any card.

A lane is a row of numbers that holds all that the rest of a deal depends on. So the cards played so far are gone
through once in each world, and every card to be tried goes on from there. It comes to the same, in every number, as
`lab.survey.play_single.play_single_deal`, which plays a deal from its first card.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.players.preferences import Would, build_aim_tables
from lab.survey.buffers import (
    FOLLOWED,
    FORBIDDEN,
    HOLDER,
    IN_TALON,
    LEADER,
    LED,
    MANNER,
    PLAYER,
    RENOUNCED,
    SPECIAL_CARDS,
    TAKER,
    THROWN_OFF,
    TRICK,
    TRICKS_TAKEN,
    Bytes,
    IntArray,
)
from lab.survey.jit import count_bits, find_lowest_bit, i64, jit_compile, jit_inline, wrap_overflow
from lab.survey.play_rules import (
    ACES_MASK,
    ELDEST,
    FOLLOW,
    FURTHER_COLUMN,
    LONE_FREE,
    RENOUNCES_TO,
    RIGHT_LOST_COLUMN,
    TAKER_LEADS,
    encode_taken_card,
    list_quinolas,
    list_trumps,
)
from lab.survey.play_single import (
    encode_noted_card,
    find_aim,
    find_card_owner,
    find_legal_plays,
    find_privilege_holder,
    is_highest_court,
    is_lawful_renounce,
    is_taking_trick,
)
from lab.survey.rng import HALF, PLAYING, advance_stream, draw_bits, mix_bits

#: Columns of a lane: the hands of the four seats, and then these; what befell the aces and quinolas comes last.
(
    OWNER,  #: 1 and the seat that has the espagnolette's privilege, or 0
    RIGHT,  #: its holder has not lost it
    HEARTS,  #: leads of hearts so far
    FIRST,  #: who leads the trick on the table, or else the next
    LED_CARD,  #: the card led to it, or -1
    BEST,  #: the card that wins it so far
    WON,  #: the place of that card
    HIGH,  #: the highest ace, king or queen of the suit led, or 0
    WHOSE,  #: the place of that card
    WORTH,  #: the cards of the trick, as the taker's numbers count them
    SHOWN,  #: the aces and quinolas of the trick, as bits
    THREW,  #: somebody has renounced
    WRONG,  #: something was against the rules
    TAKEN_SUMS,  #: what each has taken
    TAKERS,  #: who took which trick
    BENT,  #: the seat that goes for all tricks, as long as it has had every one; or -1
    FACTS,  #: the first column of facts
) = range(4, 21)
_LEAD, _DUCK, _TAKE_LAST, _TAKE, _THROW = (int(Would[name]) for name in ("LEAD", "DUCK", "TAKE_LAST", "TAKE", "THROW"))
AIMS = np.array(build_aim_tables(), np.int64)  #: the preferences, for each aim


# What is called for every card has only numbers handed to it: to hand over a whole row costs more than the work itself.
@jit_inline
def choose_lane_card(may: int, led: int, best: int, aim: int, quinolas: int, step: int, lots: Any) -> int:
    """Choose the preferred card, as `choose_preferred_card` does; a lot is drawn only among equals."""
    above, equal, most = _TAKE_LAST if step & 3 == 3 else _TAKE, i64(0), i64(-1)
    while may:
        bit, card = may & -may, find_lowest_bit(may)
        may ^= bit
        would = _LEAD if led < 0 else _THROW if card >> 4 != led >> 4 else _DUCK if card < best else above
        like = AIMS[aim, would, 13 if quinolas & bit else card & 15]
        equal = bit if like > most else equal | bit if like == most else equal
        most = max(most, like)
    return find_lowest_bit(equal) if equal & equal - 1 == 0 else draw_card(equal, draw_bits(lots, PLAYING + step))


@jit_inline
def draw_card(equal: int, lot: int) -> int:
    """Draw one of several cards that are equally preferred."""
    choice, most = i64(0), i64(-1)
    while equal:
        card = find_lowest_bit(equal)
        equal &= equal - 1
        like = i64(mix_bits(advance_stream(np.uint64(card), lot)) >> HALF)
        choice, most = (card, like) if like > most else (choice, most)
    return choice


@jit_inline
def find_fact_row(further: int, card: int) -> int:
    """Find the row of facts of an ace or a quinola."""
    if further >> card & 1:
        return 5 + count_bits(further & (i64(1) << card) - 1)
    return card >> 4 if card & 15 == 12 else i64(4)


@jit_inline
def encode_lane_fact(seat: int, leader: int, led: int, card: int, trick: int) -> int:
    """Encode where and how a card is played; who takes it is not known before the trick ends."""
    manner = i64(LED) if led < 0 else i64(FOLLOWED) if card >> 4 == led >> 4 else i64(THROWN_OFF)
    return seat << PLAYER | leader << LEADER | manner << MANNER | (trick + 1) << TRICK


# ---- a lane
@jit_compile
def allocate_lane_rows(rules: IntArray, lanes: int) -> IntArray:
    """Allocate so many lanes."""
    return np.zeros((lanes, FACTS + SPECIAL_CARDS + count_bits(rules[FURTHER_COLUMN])), np.int64)


@jit_compile
def start_lane(rules: IntArray, hands: IntArray, at: int, bent: int, lane: IntArray) -> None:
    """Start a lane before the first card; the hands are a column of `hands`."""
    lane[:] = 0
    lane[:4] = hands[:4, at]
    lane[OWNER], lane[RIGHT], lane[FIRST] = find_privilege_holder(rules, lane[:4]), 1, rules[ELDEST]
    lane[LED_CARD], lane[BENT], lane[FACTS:] = -1, bent, IN_TALON << MANNER


@jit_compile
@wrap_overflow
def play_lane(rules: IntArray, lane: IntArray, steps: tuple[int, int, int], lots: Any, cards: Bytes, at: int) -> None:
    """Play a lane on. `steps`: the first, the one after the last, and up to which the cards are given in `cards`.

    The other cards are chosen by preference, and written to the same column.
    """
    (start, stop, given), further, must = steps, rules[FURTHER_COLUMN], rules[FOLLOW] != 0
    quinolas, trumps, until = list_quinolas(rules), list_trumps(rules), rules[RENOUNCES_TO]
    owner, right, hearts, leader, led = lane[OWNER], lane[RIGHT], lane[HEARTS], lane[FIRST], lane[LED_CARD]
    best, won, high, whose, worth, shown = lane[BEST], lane[WON], lane[HIGH], lane[WHOSE], lane[WORTH], lane[SHOWN]
    for step in range(start, stop):
        trick, place = step >> 2, step & 3
        if place == 0 and step < given:  # the seats are those of the play that is given: they follow from who held what
            leads, leader = leader, find_card_owner(lane, i64(cards[step, at]))
            lane[WRONG] |= i64(leader != leads)
        seat = (leader + place) & 3
        mine, privileged, free = lane[seat], owner == seat + 1, rules[LONE_FREE + trick] >> hearts & 1
        renounces = privileged and right and trick < until
        may = find_legal_plays(rules, mine, trick, led, renounces, free)
        if step < given:
            card = i64(cards[step, at])
            lane[WRONG] |= 1 - (may >> card & 1)
        else:
            card = choose_lane_card(may, led, best, find_aim(lane[BENT], seat, trick), quinolas, step, lots)
            cards[step, at] = card
        lane[THREW] |= is_lawful_renounce(mine, card, led, may) if renounces else 0
        if (ACES_MASK | quinolas) >> card & 1:
            bound, highest = must and not (free and quinolas >> card & 1), ((leader + whose) & 3) + 1 if high else 0
            fact = encode_noted_card(mine, card, led, may, bound, highest, privileged)
            lane[FACTS + find_fact_row(further, card)] = fact | encode_lane_fact(seat, leader, led, card, trick)
            shown |= i64(1) << card
        best, won = (card, place) if is_taking_trick(card, led, best, trumps) else (best, won)
        high, whose = (card, place) if is_highest_court(card, led, high) else (high, whose)
        led, lane[seat], worth = card if place == 0 else led, mine ^ i64(1) << card, worth + encode_taken_card(card)
        if place == 3:
            taker = (leader + won) & 3
            while shown:
                lane[FACTS + find_fact_row(further, find_lowest_bit(shown))] |= taker << TAKER
                shown &= shown - 1
            lane[TAKEN_SUMS] += (worth + (i64(1) << TRICKS_TAKEN)) << 16 * taker
            lane[TAKERS] |= taker << 2 * trick
            right = i64(right and not (rules[RIGHT_LOST_COLUMN] and owner == taker + 1))
            hearts += i64(led >> 4 == 1)
            leader, lane[BENT] = taker if rules[TAKER_LEADS] else rules[ELDEST], taker if lane[BENT] == taker else -1
            led, best, won, high, whose, worth = -1, 0, 0, 0, 0, 0
    lane[RIGHT], lane[HEARTS], lane[FIRST], lane[LED_CARD] = right, hearts, leader, led
    lane[BEST], lane[WON], lane[HIGH], lane[WHOSE], lane[WORTH], lane[SHOWN] = best, won, high, whose, worth, shown


@jit_inline
def store_lane(lane: IntArray, at: int, into: tuple[IntArray, IntArray, IntArray, IntArray]) -> None:
    """Store what a lane came to in a column of `into`: facts, taken, takers, flags."""
    facts, taken, takers, flags = into
    for row in range(facts.shape[0]):
        facts[row, at] = lane[FACTS + row]
    taken[at], takers[at] = lane[TAKEN_SUMS], lane[TAKERS]
    flags[at] |= lane[OWNER] << HOLDER | lane[THREW] << RENOUNCED | lane[WRONG] << FORBIDDEN
