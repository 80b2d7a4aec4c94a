"""One deal after another: played with preferences, or replayed under other rules as it was played under its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.survey.compiling import chosen, compiled, count, i64, inlined, lowest
from engine.survey.lockstep import (
    ACES,
    BLOCK,
    ELDEST,
    EXCEPTIONS,
    FIRST_SUIT,
    FOLLOW,
    HEARTS_OUT,
    HELD,
    LONE_FREE,
    LOST,
    MAY,
    QUINOLA,
    RENOUNCES_TO,
    TAKER_LEADS,
    TRUMP,
    deal,
    events,
    may_follow,
    may_lay_away,
    may_lead,
    of_suit,
    worth,
)
from engine.survey.lots import EXCHANGING, PLAYING, STEP, draw, mixed, scaled, start
from engine.survey.played import (
    ALONE,
    ASIDE,
    COURT,
    FOLLOWED,
    FORBIDDEN,
    FREE,
    HIGHEST,
    HOLDER,
    LEADER,
    LED,
    MANNER,
    NONE,
    PLAYER,
    PRIVILEGED,
    RENOUNCED,
    TAKER,
    THROWN_OFF,
    TRICK,
    TRICKS_TAKEN,
    Bytes,
    Numbers,
)
from engine.survey.policies import Would

LEADS, DUCKS, TAKES_LAST, TAKES, THROWS = (int(Would[n]) for n in ("LEAD", "DUCK", "TAKE_LAST", "TAKE", "THROW"))
LAYS_AWAY, LAYS_HEART = int(Would.LAY_AWAY), int(Would.LAY_AWAY_HEART)
#: the state of a deal in play
LEADS_NOW, HOLDS, HAS_RIGHT, HEARTS_LED, UNLAWFUL = range(5)


# ---- preferences
@inlined
def liking(preferences: Numbers, would: int, card: int, quinola: int, lot: int) -> int:
    """How much a card is preferred; what the lot adds only tells equals apart."""
    column = 13 if card == quinola else card & 15
    return preferences[would, column] << 32 | i64(mixed(np.uint64(lot) * STEP + np.uint64(card)) >> np.uint64(32))


@compiled
def preferred(preferences: Numbers, may: int, led: int, best: int, last: bool, quinola: int, lot: int) -> int:
    """The card that is preferred among those that may be played."""
    found, most = i64(0), i64(-1)
    while may:
        card = lowest(may)
        may &= may - 1
        if led < 0:
            would = LEADS
        elif card >> 4 != led >> 4:
            would = THROWS
        elif card < best:
            would = DUCKS
        else:
            would = TAKES_LAST if last else TAKES
        like = liking(preferences, would, card, quinola, lot)
        if like > most:
            found, most = card, like
    return found


@compiled
def laid_away(preferences: Numbers, may: int, quinola: int, lot: int) -> int:
    """The card that is laid away by preference."""
    found, most = i64(0), i64(-1)
    while may:
        card = lowest(may)
        may &= may - 1
        like = liking(preferences, LAYS_HEART if card >> 4 == 1 else LAYS_AWAY, card, quinola, lot)
        if like > most:
            found, most = card, like
    return found


@compiled
def exchange_one(
    rules: Numbers, preferences: Numbers, lots: Any, hands: Numbers, turned: int, at: int, swaps: Bytes
) -> int:
    """Each in turn takes a card of the talon where he may, and lays one away; last the dealer. The talon then."""
    quinola, talon, dealt = rules[QUINOLA], turned, turned
    for seat in range(4):
        if seat < 3 and not rules[MAY] >> seat & 1:
            continue
        may = may_lay_away(hands[seat, at], rules[HEARTS_OUT], rules[EXCEPTIONS], quinola, False)
        card = laid_away(preferences, may, quinola, draw(lots, EXCHANGING + 3 * seat + 1))
        hands[seat, at] ^= i64(1) << card
        talon |= i64(1) << card
        swaps[seat, at] = card
        if seat < 3:
            lying = talon & dealt
            new = chosen(lying, scaled(draw(lots, EXCHANGING + 3 * seat + 2), count(lying)))
            hands[seat, at] |= i64(1) << new
            talon ^= i64(1) << new
            swaps[4 + seat, at] = new
    return talon


# ---- a trick
@compiled
def lawful(rules: Numbers, hand: int, trick: int, led: int, seat: int, state: Numbers) -> int:
    """The cards that may be played, as bits."""
    if led < 0:
        return may_lead(hand, rules[FIRST_SUIT] if trick == 0 else -1)
    same, lone = of_suit(hand, led >> 4), i64(1) << rules[QUINOLA]
    exempt = lone if same == lone and rules[LONE_FREE + trick] >> state[HEARTS_LED] & 1 else i64(0)
    renounces = state[HOLDS] == seat + 1 and trick + 1 <= rules[RENOUNCES_TO] and state[HAS_RIGHT]
    return may_follow(hand, led >> 4, rules[FOLLOW], int(renounces), exempt)


@compiled
def one_deal(
    rules: Numbers,
    preferences: Numbers,
    given: bool,
    lots: Any,
    lane: int,
    hands: Numbers,
    into: tuple[Numbers, ...],
    cards: Bytes,
) -> None:
    """Eleven tricks, by preference or as they are given; what the rules forbid is marked, and play goes on."""
    facts, taken, takers, told = into
    quinola, trump = rules[QUINOLA], rules[TRUMP]
    state, row, noted = np.zeros(5, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    hand = hands[:4, lane].copy()
    state[HOLDS], state[HAS_RIGHT] = holds(rules, hand), 1
    told[lane] |= state[HOLDS] << HOLDER
    # as given, the seats are those of the play that is given: they follow from who held the cards
    state[LEADS_NOW] = owner(hand, cards[0, lane]) if given else rules[ELDEST]
    state[UNLAWFUL] = i64(state[LEADS_NOW] != rules[ELDEST])
    facts[:, lane] = ASIDE << MANNER
    for trick in range(11):
        leader, led, best, won, court, whose = state[LEADS_NOW], i64(-1), i64(0), 0, i64(0), 0
        for place in range(4):
            seat = (leader + place) & 3
            may = lawful(rules, hand[seat], trick, led, seat, state)
            if given:
                card = i64(cards[4 * trick + place, lane])
                state[UNLAWFUL] |= 1 - (may >> card & 1)
            else:
                lot = draw(lots, PLAYING + 4 * trick + place)
                card = preferred(preferences, may, led, best, place == 3, quinola, lot)
                cards[4 * trick + place, lane] = card
            alone = int(of_suit(hand[seat], card >> 4) == i64(1) << card)
            if place == 0:
                noted[0] = alone << ALONE | int(count(may) > 1) << FREE | int(card & 15 >= 10) << COURT
                led, best = card, card
                court = card if card & 15 >= 10 else i64(0)
            else:
                privileged = state[HOLDS] == seat + 1
                highest = ((leader + whose) & 3) + 1 if court else 0
                noted[place] = (
                    alone << ALONE | int(led & 15 >= 10) << COURT | highest << HIGHEST | int(privileged) << PRIVILEGED
                )
                in_time = privileged and trick + 1 <= rules[RENOUNCES_TO] and state[HAS_RIGHT]
                if in_time and card >> 4 != led >> 4 and of_suit(hand[seat], led >> 4) and may >> card & 1:
                    told[lane] |= 1 << RENOUNCED
                follows = card >> 4 == led >> 4
                above = follows and best >> 4 == led >> 4 and card > best
                if above or (card == trump and not follows):
                    best, won = card, place
                if follows and card & 15 >= 10 and card > court:
                    court, whose = card, place
            hand[seat] ^= i64(1) << card
            row[place] = card
        taker = (leader + won) & 3
        for place in range(4):
            special = row[place] >> 4 if row[place] & 15 == 12 else 4
            if row[place] & 15 == 12 or row[place] == quinola:
                follows = row[place] >> 4 == led >> 4
                manner = LED if place == 0 else FOLLOWED if follows else THROWN_OFF
                facts[special, lane] = (
                    ((leader + place) & 3) << PLAYER
                    | leader << LEADER
                    | taker << TAKER
                    | manner << MANNER
                    | (trick + 1) << TRICK
                    | noted[place]
                )
            taken[lane] += worth(row[place]) << 16 * taker
        taken[lane] += i64(1) << (TRICKS_TAKEN + 16 * taker)
        takers[lane] |= taker << 2 * trick
        if rules[LOST] and state[HOLDS] == taker + 1:
            state[HAS_RIGHT] = 0
        state[HEARTS_LED] += led >> 4 == 1
        state[LEADS_NOW] = taker if rules[TAKER_LEADS] else rules[ELDEST]
        if given and trick < 10:
            leads = owner(hand, cards[4 * trick + 4, lane])
            state[UNLAWFUL] |= i64(leads != state[LEADS_NOW])
            state[LEADS_NOW] = leads
    told[lane] |= state[UNLAWFUL] << FORBIDDEN


@inlined
def owner(hand: Numbers, card: int) -> int:
    """Whose card it is."""
    return 0 if hand[0] >> card & 1 else 1 if hand[1] >> card & 1 else 2 if hand[2] >> card & 1 else 3


@compiled
def holds(rules: Numbers, hand: Numbers) -> int:
    """Who holds a hand of the espagnolette: 1 and his seat; nobody: 0."""
    for seat in range(4):
        at = 2 * count(hand[seat] & ACES) + (hand[seat] >> rules[QUINOLA] & 1)
        if rules[HELD] >> at & 1:
            return seat + 1
    return 0


# ---- a whole piece
@compiled
def by_preference(
    rules: Numbers, preferences: Numbers, seed: int, first: int, into: tuple[Numbers, ...], cards: Bytes, swaps: Bytes
) -> None:
    """So many deals, the same cards as by lot, exchanged and played by preference. `into` as there."""
    facts, taken, takers, talon, told, hands = into
    lots, held = np.empty(BLOCK, np.uint64), np.empty((4, BLOCK), np.int64)
    room, turned, x = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    for block in range(taken.size // BLOCK):
        for lane in range(BLOCK):
            lots[lane] = start(seed, first + block * BLOCK + lane)
        deal(lots, held, turned, room)
        events(rules, held, turned, x)
        for lane in range(BLOCK):
            at = block * BLOCK + lane
            told[at] = x[lane]
            hands[:, at] = held[:, lane]
            talon[at] = exchange_one(rules, preferences, lots[lane], hands, turned[lane], at, swaps)
            one_deal(rules, preferences, False, lots[lane], at, hands, (facts, taken, takers, told), cards)


@compiled
def again(rules: Numbers, hands: Numbers, into: tuple[Numbers, ...], cards: Bytes, swaps: Bytes) -> None:
    """The same deals under other rules, every card as it was played."""
    _, taken, _, told = into
    nothing = np.zeros((7, 14), np.int64)
    for at in range(taken.size):
        one_deal(rules, nothing, True, np.uint64(0), at, hands, into, cards)
        if not lawful_exchange(rules, hands, at, swaps):
            told[at] |= 1 << FORBIDDEN


@compiled
def lawful_exchange(rules: Numbers, hands: Numbers, at: int, swaps: Bytes) -> bool:
    """Whether all that was exchanged might be, under these rules."""
    for seat in range(4):
        out, taken = swaps[seat, at], swaps[4 + seat, at]
        if taken != NONE and not rules[MAY] >> seat & 1:
            return False
        if out == NONE:
            continue
        before = hands[seat, at] | i64(1) << i64(out)
        if taken != NONE:
            before ^= i64(1) << i64(taken)
        if not may_lay_away(before, rules[HEARTS_OUT], rules[EXCEPTIONS], rules[QUINOLA], True) >> i64(out) & 1:
            return False
    return True
