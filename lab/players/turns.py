"""Turns of play: who is next, and the cards that may be played, from the cards on the table alone."""

from __future__ import annotations

from lab.survey.buffers import Bytes, IntArray
from lab.survey.jit import i64, jit_compile
from lab.survey.play_rules import (
    ELDEST,
    HELD_COLUMN,
    LONE_FREE,
    NAMED_COLUMN,
    RENOUNCES_TO,
    RIGHT_LOST_COLUMN,
    TAKER_LEADS,
    index_privilege,
    list_quinolas,
    list_trumps,
)
from lab.survey.play_single import find_legal_plays, is_taking_trick

NOBODY = -1


@jit_compile
def find_next_seat(rules: IntArray, cards: Bytes, players: Bytes, step: int) -> int:
    """Find whose turn it is after so many cards."""
    if step == 0:
        return i64(rules[ELDEST])
    if step & 3:
        return (i64(players[step - 1]) + 1) & 3
    led = best = i64(cards[step - 4])
    won = 0
    for place in range(1, 4):
        card = i64(cards[step - 4 + place])
        if is_taking_trick(card, led, best, list_trumps(rules)):
            best, won = card, place
    return (i64(players[step - 4]) + won) & 3 if rules[TAKER_LEADS] else i64(rules[ELDEST])


@jit_compile
def find_turn(rules: IntArray, me: int, held: int, cards: Bytes, players: Bytes) -> tuple[int, int]:
    """Find what a player may play, as bits, and who has taken every trick so far, or might: NOBODY for none."""
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
            sole = taker if step == 3 or sole == taker else NOBODY
            right = right and not (rules[RIGHT_LOST_COLUMN] and taker == me)
            hearts += i64(led >> 4 == 1)
    trick, led = cards.size >> 2, led if cards.size & 3 else i64(-1)
    renounces = holds and right and trick < rules[RENOUNCES_TO]
    free = rules[LONE_FREE + trick] >> hearts & 1
    return find_legal_plays(rules, hand, trick, led, renounces, free), sole
