"""Deal, exchange and play at random, many deals side by side.

A block of deals goes through the evening card by card: first all of them play their first card, then all their second,
so that a processor can do many at once. Inside a loop over a block there is no branching, only choosing between two
numbers. What may be played is said by the same functions that the readable path uses (`engine.play.trick`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.play import trick as play
from lab.survey.buffers import (
    ALONE,
    COURT,
    FOLLOWED,
    FOUR_ACES,
    FREE,
    HIGHEST,
    HOLDER,
    IN_TALON,
    LEADER,
    LED,
    MANNER,
    NO_CARD,
    PLAYER,
    PRIVILEGED,
    QUEEN_LED,
    QUINOLA_TURNED,
    RENOUNCED,
    TAKER,
    THREE_AND_QUINOLA,
    THROWN_OFF,
    TRICK,
    TRICKS_TAKEN,
    Bytes,
    IntArray,
)
from lab.survey.encode_rules import HEARTS_MASK, PlayRuleColumn
from lab.survey.jit import (
    LANES,
    count_bits,
    find_kth_bit,
    i64,
    jit_compile,
    jit_inline,
    jit_share,
    wrap_overflow,
)
from lab.survey.rng import (
    DEALING,
    EXCHANGING,
    PLAYING,
    draw_bits,
    draw_pair,
    pick_half,
    scale_draw,
    start_stream,
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
        lower = find_next_pack_card(card)
        other = find_next_pack_card(lower + 1)
        card, left, at = other + 1, 48 - 2 * pair, DEALING + 2 * pair
        for lane in range(BLOCK):
            both, free = draw_pair(lots[lane], at), room[lane]
            first = find_free_place(scale_draw(pick_half(both, 0), left), free)
            free -= i64(1) << 8 * first if first < 4 else 0
            second = find_free_place(scale_draw(pick_half(both, 1), left - 1), free)
            room[lane] = free - (i64(1) << 8 * second if second < 4 else 0)
            a, b = i64(1) << lower, i64(1) << other
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
def exchange_block(rules: IntArray, lots: Any, hands: IntArray, talon: IntArray, dealt: IntArray, swaps: Bytes) -> None:
    """Exchange a card each in turn, with probability 1/2 where that is free; the dealer discards last."""
    hearts_out, exceptions, quinolas, allowed = rules[HEARTS_OUT], rules[EXCEPTIONS], list_quinolas(rules), rules[MAY]
    barred, must = rules[BARRED_COLUMN], rules[COMPULSORY_COLUMN]
    dealt[:] = talon
    for seat in range(4):
        hand, out, taken = hands[seat], swaps[seat], swaps[4 + seat]
        if seat == 3:
            for lane in range(BLOCK):
                may = find_legal_discards(hand[lane], hearts_out, exceptions, quinolas, False) & ~barred
                card = find_kth_bit(may, scale_draw(draw_bits(lots[lane], EXCHANGING + 9), count_bits(may)))
                hand[lane] ^= i64(1) << card
                talon[lane] |= i64(1) << card
                out[lane] = card
        elif allowed >> seat & 1:
            at = EXCHANGING + 3 * seat
            for lane in range(BLOCK):
                does = draw_bits(lots[lane], at) & 1 | must
                may = find_legal_discards(hand[lane], hearts_out, exceptions, quinolas, False) & ~barred
                card = find_kth_bit(may, scale_draw(draw_bits(lots[lane], at + 1), count_bits(may)))
                # what others have laid away lies at the side; he takes one of the cards that were dealt to the talon
                lying = talon[lane] & dealt[lane]
                new = find_kth_bit(lying, scale_draw(draw_bits(lots[lane], at + 2), count_bits(lying)))
                swapped = i64(1) << card | i64(1) << new
                hand[lane] ^= swapped if does else 0
                talon[lane] ^= swapped if does else 0
                out[lane] = card if does else NO_CARD
                taken[lane] = new if does else NO_CARD


@jit_compile
def give_block(lots: Any, hands: IntArray, gifts: Bytes) -> None:
    """Have players who sit opposite give each other any card; no card goes back to the player who gave it."""
    for seat in range(2):
        own, other, at = hands[seat], hands[seat + 2], EXCHANGING + 10 + 2 * seat
        for lane in range(BLOCK):
            mine = find_kth_bit(own[lane], scale_draw(draw_bits(lots[lane], at), count_bits(own[lane])))
            theirs = find_kth_bit(other[lane], scale_draw(draw_bits(lots[lane], at + 1), count_bits(other[lane])))
            given = i64(1) << mine | i64(1) << theirs
            own[lane] ^= given
            other[lane] ^= given
            gifts[seat, lane], gifts[seat + 2, lane] = mine, theirs


@jit_compile
def flag_dealt_events(rules: IntArray, hands: IntArray, talon: IntArray, flags: IntArray) -> None:
    """Flag the events that show in the cards as dealt."""
    quinola = i64(1) << rules[QUINOLA_COLUMN]
    for lane in range(BLOCK):
        four, three = i64(0), i64(0)
        for seat in range(4):
            aces = count_bits(hands[seat, lane] & ACES_MASK)
            four |= i64(aces == 4)
            three |= i64((aces == 3) & (hands[seat, lane] & quinola != 0))
        turned = i64(talon[lane] & quinola != 0)
        flags[lane] = four << FOUR_ACES | three << THREE_AND_QUINOLA | turned << QUINOLA_TURNED


@jit_compile
def find_block_holders(rules: IntArray, hands: IntArray, flags: IntArray, holder: IntArray) -> None:
    """Find who holds a hand of the espagnolette: 1 and the seat; nobody: 0."""
    quinolas, named, held = list_quinolas(rules), rules[NAMED_COLUMN], rules[HELD_COLUMN]
    for lane in range(BLOCK):
        who = i64(0)
        for seat in (3, 2, 1, 0):
            at = index_privilege(hands[seat, lane], quinolas, named)
            who = seat + 1 if held >> at & 1 else who
        holder[lane] = who
        flags[lane] |= who << HOLDER


# ---- the play
@jit_inline
def encode_taken_card(card: int) -> int:
    """Encode a card for a taker's sixteen bits."""
    rank = card & 15
    return i64(1) << 3 * (12 - rank) if rank >= 9 else 0


@jit_compile
def play_block(
    rules: IntArray, lots: Any, hands: IntArray, holder: IntArray, out: tuple[IntArray, ...], cards: Bytes
) -> None:
    """Play eleven tricks at random in every lane; `out`: facts, taken, takers, flags by lane."""
    facts, taken, takers, flags = out
    hand, card, noted = np.empty((4, BLOCK), np.int64), np.empty((4, BLOCK), np.int64), np.empty((4, BLOCK), np.int64)
    hand[:] = hands
    leader, hearts, right = np.zeros(BLOCK, np.int64), np.zeros(BLOCK, np.int64), np.ones(BLOCK, np.int64)
    best, won, court = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    facts[:] = IN_TALON << MANNER
    for trick in range(11):
        lead_block(rules, lots, trick, hand[0], card[0], noted[0], best, won, court)
        store_played_cards(cards[4 * trick], card[0])
        for place in range(1, 4):
            follow_block(
                rules,
                lots,
                trick,
                place,
                hand[place],
                card[0],
                card[place],
                noted[place],
                best,
                won,
                court,
                (leader, holder, right, hearts),
                flags,
            )
            store_played_cards(cards[4 * trick + place], card[place])
        for place in range(4):
            encode_trick_place(place, trick, card[0], card[place], noted[place], leader, won)
        for special in range(facts.shape[0]):
            store_special_fact(name_special_card(rules, special), facts[special], card, noted)
        finish_block_trick(rules, trick, card, leader, won, holder, right, hearts, taken, takers)
        rotate_hands(hand, won, rules[TAKER_LEADS])


@jit_compile
def store_played_cards(row: Bytes, card: IntArray) -> None:
    """Store the cards as they were played."""
    for lane in range(BLOCK):
        row[lane] = card[lane]


@jit_inline
def flag_court_lead(led: int) -> int:
    """Flag a lead of ace, king or queen, and of a queen."""
    return i64(led & 15 >= 10) << COURT | i64(led & 15 == 10) << QUEEN_LED


@jit_compile
def lead_block(
    rules: IntArray,
    lots: Any,
    trick: int,
    hand: IntArray,
    card: IntArray,
    noted: IntArray,
    best: IntArray,
    won: IntArray,
    court: IntArray,
) -> None:
    """Lead a card in every lane."""
    suit = rules[FIRST_SUIT] if trick == 0 else -1
    at = PLAYING + 4 * trick
    for lane in range(BLOCK):
        may = jit_legal_leads(hand[lane], suit)
        choices = count_bits(may)
        c = find_kth_bit(may, scale_draw(draw_bits(lots[lane], at), choices))
        alone = i64(jit_suit_cards(hand[lane], c >> 4) == i64(1) << c)
        noted[lane] = alone << ALONE | i64(choices > 1) << FREE | flag_court_lead(c)
        hand[lane] ^= i64(1) << c
        card[lane], best[lane], won[lane] = c, c, 0
        court[lane] = c if c & 15 >= 10 else 0


@jit_inline
def play_flags(alone: int, free: int, led: int, highest: int, privileged: int) -> int:
    """Encode how a card was played to another's lead, as one number."""
    return alone << ALONE | free << FREE | flag_court_lead(led) | highest << HIGHEST | privileged << PRIVILEGED


@jit_compile
def follow_block(
    rules: IntArray,
    lots: Any,
    trick: int,
    place: int,
    hand: IntArray,
    led: IntArray,
    card: IntArray,
    noted: IntArray,
    best: IntArray,
    won: IntArray,
    court: IntArray,
    who: tuple[IntArray, IntArray, IntArray, IntArray],
    flags: IntArray,
) -> None:
    """Follow to the lead in every lane; `court`: the highest ace, king or queen of the suit led, and whose place."""
    leader, holder, right, hearts = who
    must, trumps, quinolas, until = rules[FOLLOW], list_trumps(rules), list_quinolas(rules), rules[RENOUNCES_TO]
    free, at = rules[LONE_FREE + trick], PLAYING + 4 * trick + place
    in_time = trick + 1 <= until
    for lane in range(BLOCK):
        suit = led[lane] >> 4
        seat = (leader[lane] + place) & 3
        privileged = i64(holder[lane] == seat + 1)
        renounces = privileged & right[lane] if in_time else i64(0)
        same = jit_suit_cards(hand[lane], suit)
        lone = (same & quinolas != 0) & (same & (same - 1) == 0)
        exempt = same if lone & (free >> hearts[lane] & 1 == 1) else i64(0)
        may = jit_legal_follows(hand[lane], suit, must, renounces, exempt)
        c = find_kth_bit(may, scale_draw(draw_bits(lots[lane], at), count_bits(may)))
        follows = i64(c >> 4 == suit)
        kept = i64((must == 0) | (exempt != 0)) & follows & i64(hand[lane] != i64(1) << c)
        alone = i64(jit_suit_cards(hand[lane], c >> 4) == i64(1) << c)
        highest = (((court[lane] >> 8) + leader[lane]) & 3) + 1 if court[lane] != 0 else i64(0)
        noted[lane] = play_flags(alone, alone & kept, led[lane], highest, privileged)
        flags[lane] |= (renounces & (1 - follows) & i64(same != 0)) << RENOUNCED
        hand[lane] ^= i64(1) << c
        card[lane] = c
        thrown_trump = (follows == 0) & (trumps >> c & 1 == 1) & (best[lane] >> 4 == suit)
        takes = thrown_trump | ((follows == 1) & (best[lane] >> 4 == suit) & (c > best[lane]))
        best[lane] = c if takes else best[lane]
        won[lane] = place if takes else won[lane]
        higher = (follows == 1) & (c & 15 >= 10) & (c > court[lane] & 63)
        court[lane] = c | place << 8 if higher else court[lane]


@jit_compile
def encode_trick_place(
    place: int, trick: int, led: IntArray, card: IntArray, noted: IntArray, leader: IntArray, won: IntArray
) -> None:
    """Encode what befell the card at this place of the trick, whatever card it is."""
    for lane in range(BLOCK):
        player, taker = (leader[lane] + place) & 3, (leader[lane] + won[lane]) & 3
        follows = led[lane] >> 4 == card[lane] >> 4
        manner = i64(FOLLOWED) if follows else i64(THROWN_OFF)
        manner = manner if place else i64(LED)
        noted[lane] |= (
            player << PLAYER | leader[lane] << LEADER | taker << TAKER | manner << MANNER | (trick + 1) << TRICK
        )


@jit_inline
def name_special_card(rules: IntArray, special: int) -> int:
    """Return the card of a row of facts: an ace, the quinola, or a further privileged card."""
    if special > 4:
        return find_kth_bit(rules[FURTHER_COLUMN], special - 5)
    return rules[QUINOLA_COLUMN] if special == 4 else i64(16 * special + 12)


@jit_compile
def store_special_fact(wanted: int, fact: IntArray, card: IntArray, noted: IntArray) -> None:
    """Store what befell one ace, or one quinola, if it was in this trick."""
    for lane in range(BLOCK):
        value = noted[0, lane] if card[0, lane] == wanted else fact[lane]
        value = noted[1, lane] if card[1, lane] == wanted else value
        value = noted[2, lane] if card[2, lane] == wanted else value
        fact[lane] = noted[3, lane] if card[3, lane] == wanted else value


@jit_compile
@wrap_overflow
def finish_block_trick(
    rules: IntArray,
    trick: int,
    card: IntArray,
    leader: IntArray,
    won: IntArray,
    holder: IntArray,
    right: IntArray,
    hearts: IntArray,
    taken: IntArray,
    takers: IntArray,
) -> None:
    """Finish a trick: count it to its taker, who may lead next."""
    lost, first, stays = rules[RIGHT_LOST_COLUMN], rules[ELDEST], rules[TAKER_LEADS] == 0
    for lane in range(BLOCK):
        taker = (leader[lane] + won[lane]) & 3
        value = (
            encode_taken_card(card[0, lane])
            + encode_taken_card(card[1, lane])
            + encode_taken_card(card[2, lane])
            + encode_taken_card(card[3, lane])
        )
        taken[lane] += (value + (1 << TRICKS_TAKEN)) << 16 * taker
        takers[lane] |= taker << 2 * trick
        right[lane] = 0 if (lost == 1) & (holder[lane] == taker + 1) else right[lane]
        hearts[lane] += i64(card[0, lane] >> 4 == 1)
        leader[lane] = first if stays else taker


@jit_compile
def rotate_hands(hand: IntArray, won: IntArray, taker_leads: int) -> None:
    """Rotate the hands into the order of play of the next trick."""
    if taker_leads == 0:
        return
    for lane in range(BLOCK):
        a, b, c, d, w = hand[0, lane], hand[1, lane], hand[2, lane], hand[3, lane], won[lane]
        hand[0, lane] = a if w == 0 else b if w == 1 else c if w == 2 else d
        hand[1, lane] = b if w == 0 else c if w == 1 else d if w == 2 else a
        hand[2, lane] = c if w == 0 else d if w == 1 else a if w == 2 else b
        hand[3, lane] = d if w == 0 else a if w == 1 else b if w == 2 else c


# ---- a whole piece
@jit_compile
def play_random_deals(
    rules: IntArray, seed: int, first: int, into: tuple[IntArray, ...], cards: Bytes, swaps: Bytes
) -> None:
    """Play random deals from the first on, as many as fit; a multiple of the block.

    `into`: facts, taken, takers, talon, flags, hands.
    """
    facts, taken, takers, talon, flags, hands = into
    lots = np.empty(BLOCK, np.uint64)
    room, dealt, holder = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    # a block has its own room, without gaps between its rows, and is copied when it is done
    f, h = np.empty((facts.shape[0], BLOCK), np.int64), np.empty((4, BLOCK), np.int64)
    k, r, x, t = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64), h[0].copy()
    c, s = np.empty((44, BLOCK), np.uint8), np.empty((swaps.shape[0], BLOCK), np.uint8)
    for block in range(taken.size // BLOCK):
        a, b = block * BLOCK, (block + 1) * BLOCK
        for lane in range(BLOCK):
            lots[lane] = start_stream(seed, first + a + lane)
        k[:], r[:], s[:] = 0, 0, NO_CARD
        deal_block(lots, h, t, room)
        flag_dealt_events(rules, h, t, x)
        exchange_block(rules, lots, h, t, dealt, s)
        if rules[ACROSS_COLUMN]:
            give_block(lots, h, s[8:])
        find_block_holders(rules, h, x, holder)
        hands[:, a:b], talon[a:b] = h, t
        play_block(rules, lots, h, holder, (f, k, r, x), c)
        facts[:, a:b], taken[a:b], takers[a:b], flags[a:b], cards[:, a:b], swaps[:, a:b] = f, k, r, x, c, s
