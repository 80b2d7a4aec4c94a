"""Deal cards at random, and the rules of play as compiled code has them.

Deals are dealt a block at a time, so that a processor can do many at once: inside a loop over a block there is no
branching, only choosing between two numbers. What may be played is said by the same functions that the readable path
uses (`engine.play.trick`).
"""

from __future__ import annotations

from typing import Any

from engine.play import trick as play
from lab.survey.buffers import (
    COURT,
    FOUR_ACES,
    QUEEN_LED,
    QUINOLA_TURNED,
    THREE_AND_QUINOLA,
    IntArray,
)
from lab.survey.encode_rules import HEARTS_MASK, PlayRuleColumn
from lab.survey.jit import (
    LANES,
    count_bits,
    i64,
    jit_compile,
    jit_inline,
    jit_share,
)
from lab.survey.rng import (
    DEALING,
    draw_pair,
    pick_half,
    scale_draw,
)

BLOCK = LANES  #: deals side by side
ACES_MASK = 1 << 12 | 1 << 28 | 1 << 44 | 1 << 60
PACK_MASK = (0x1FFF & ~(1 << 8)) * (1 | 1 << 16 | 1 << 32 | 1 << 48)  #: all cards but the tens
(
    FIRST_SUIT, FOLLOW, TRUMP, ELDEST, TAKER_LEADS, QUINOLA_COLUMN, HELD_COLUMN, RENOUNCES_TO, RIGHT_LOST_COLUMN, MAY,
    HEARTS_OUT, EXCEPTIONS, FURTHER_COLUMN, NAMED_COLUMN, BARRED_COLUMN, COMPULSORY_COLUMN, ACROSS_COLUMN,
    LONE_FREE,
) = map(int, PlayRuleColumn)  # fmt: skip

jit_suit_cards = jit_share(play.select_suit)
jit_legal_leads = jit_share(play.find_legal_leads)
jit_legal_follows = jit_share(play.find_legal_follows)


# ---- before the first card
@jit_compile
def deal_block(lots: Any, hands: IntArray, talon: IntArray, room: IntArray) -> None:
    """Deal a block: each card goes to one of five places, by the room left there."""
    h0, h1, h2, h3 = hands[0], hands[1], hands[2], hands[3]
    for lane in range(BLOCK):
        h0[lane], h1[lane], h2[lane], h3[lane], talon[lane] = 0, 0, 0, 0, 0
        room[lane] = 11 | 11 << 8 | 11 << 16 | 12 << 24
    card = 0
    for pair in range(24):
        one = find_next_pack_card(card)
        other = find_next_pack_card(one + 1)
        card, left, at = other + 1, 48 - 2 * pair, DEALING + 2 * pair
        for lane in range(BLOCK):
            both, free = draw_pair(lots[lane], at), room[lane]
            first = find_free_place(scale_draw(pick_half(both, 0), left), free)
            free -= i64(1) << 8 * first if first < 4 else 0
            second = find_free_place(scale_draw(pick_half(both, 1), left - 1), free)
            room[lane] = free - (i64(1) << 8 * second if second < 4 else 0)
            a, b = i64(1) << one, i64(1) << other
            h0[lane] |= (a if first == 0 else 0) | (b if second == 0 else 0)
            h1[lane] |= (a if first == 1 else 0) | (b if second == 1 else 0)
            h2[lane] |= (a if first == 2 else 0) | (b if second == 2 else 0)
            h3[lane] |= (a if first == 3 else 0) | (b if second == 3 else 0)
            talon[lane] |= (a if first == 4 else 0) | (b if second == 4 else 0)


@jit_inline
def find_next_pack_card(card: int) -> int:
    """Find the next card of the pack, from a number on."""
    return card if PACK_MASK >> card & 1 else card + 1 if PACK_MASK >> (card + 1) & 1 else card + 3


@jit_inline
def find_free_place(k: int, free: int) -> int:
    """Find the k-th free place: with one of the four players, or 4, the talon."""
    first = free & 255
    second = first + (free >> 8 & 255)
    third = second + (free >> 16 & 255)
    fourth = third + (free >> 24)
    return i64(k >= first) + i64(k >= second) + i64(k >= third) + i64(k >= fourth)


@jit_inline
def list_quinolas(rules: IntArray) -> int:
    """Return all privileged cards as bits."""
    return i64(1) << rules[QUINOLA_COLUMN] | rules[FURTHER_COLUMN]


@jit_inline
def list_trumps(rules: IntArray) -> int:
    """Return the cards that take when thrown on another suit, as bits."""
    return (i64(1) << rules[TRUMP] | rules[FURTHER_COLUMN]) if rules[TRUMP] >= 0 else i64(0)


@jit_inline
def index_privilege(hand: int, quinolas: int, named: int) -> int:
    """Return where HELD tells whether a hand gives the espagnolette."""
    full = i64(named != 0) & i64(hand & named == named)
    return 2 * count_bits(hand & ACES_MASK) + i64(hand & quinolas != 0) + 10 * full


@jit_inline
def find_legal_discards(hand: int, hearts_out: int, exceptions: int, quinolas: int, strictly: bool) -> int:
    """Find the legal discards before a card is taken in; if there are none all, unless strictly."""
    hearts = hand & HEARTS_MASK
    alone = hearts & (hearts - 1) == 0
    least = hearts & -hearts
    court = least & (0b11 << 26)  # the lowest heart, where it is the queen or the king
    lone = court if (exceptions & 1) != 0 and alone else 0
    low = court if exceptions & 2 != 0 else 0
    sole = hearts if (exceptions & 4) != 0 and alone and hearts & quinolas != 0 else 0
    may = hand & ~HEARTS_MASK | lone | low | sole
    may = hand if hearts_out != 0 else may
    return may if may != 0 or strictly else hand


@jit_compile
def flag_dealt_events(rules: IntArray, hands: IntArray, talon: IntArray, told: IntArray) -> None:
    """Flag the events that show in the cards as dealt."""
    quinola = i64(1) << rules[QUINOLA_COLUMN]
    for lane in range(BLOCK):
        four, three = i64(0), i64(0)
        for seat in range(4):
            aces = count_bits(hands[seat, lane] & ACES_MASK)
            four |= i64(aces == 4)
            three |= i64((aces == 3) & (hands[seat, lane] & quinola != 0))
        turned = i64(talon[lane] & quinola != 0)
        told[lane] = four << FOUR_ACES | three << THREE_AND_QUINOLA | turned << QUINOLA_TURNED


# ---- the play
@jit_inline
def encode_taken_card(card: int) -> int:
    """Encode a card for a taker's sixteen bits."""
    rank = card & 15
    return i64(1) << 3 * (12 - rank) if rank >= 9 else 0


@jit_inline
def flag_court_lead(led: int) -> int:
    """Flag a lead of ace, king or queen, and of a queen."""
    return i64(led & 15 >= 10) << COURT | i64(led & 15 == 10) << QUEEN_LED
