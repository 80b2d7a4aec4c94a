"""One deal after another: played with preferences, or replayed under other rules as it was played under its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.survey.buffers import (
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
from engine.survey.jit import chosen, compiled, count, i64, inlined, lowest, wrapping
from engine.survey.play_batch import (
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
from engine.survey.policies import Would
from engine.survey.rng import EXCHANGING, HALF, PLAYING, draw, mixed, onwards, scaled, start

LEADS, DUCKS, TAKES_LAST, TAKES, THROWS = (int(Would[n]) for n in ("LEAD", "DUCK", "TAKE_LAST", "TAKE", "THROW"))
LAYS_AWAY, LAYS_HEART = int(Would.LAY_AWAY), int(Would.LAY_AWAY_HEART)


# ---- preferences
@inlined
def liking(preferences: Numbers, would: int, card: int, quinola: int, lot: int) -> int:
    """How much a card is preferred; what the lot adds only tells equals apart."""
    column = 13 if card == quinola else card & 15
    return preferences[would, column] << 32 | i64(mixed(onwards(np.uint64(card), lot)) >> HALF)


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
# What is called for every card has only numbers handed to it: to hand over a whole row costs more than the work itself.
@inlined
def noted_of(hand: int, card: int, led: int, may: int, bound: bool, highest: int, privileged: bool) -> int:
    """What would be told of a card if it were an ace, or the quinola: how it stood in hand, and what lay before it."""
    bit = i64(1) << card
    alone = i64(of_suit(hand, card >> 4) == bit)
    if led < 0:
        return alone << ALONE | i64(count(may) > 1) << FREE | i64(card & 15 >= 10) << COURT
    kept = i64(card >> 4 == led >> 4 and hand != bit and not bound)
    told = alone << ALONE | (alone & kept) << FREE | i64(led & 15 >= 10) << COURT
    return told | highest << HIGHEST | i64(privileged) << PRIVILEGED


@inlined
def renouncing(hand: int, card: int, led: int, may: int) -> int:
    """Whether a card is thrown lawfully on a suit that its player holds."""
    return i64(led >= 0 and card >> 4 != led >> 4 and of_suit(hand, led >> 4) != 0 and may >> card & 1 == 1)


@inlined
def takes(card: int, led: int, best: int, trump: int) -> bool:
    """Whether a card takes the trick from the one that would take it so far."""
    if led < 0 or card >> 4 != led >> 4:
        return led < 0 or card == trump
    return best >> 4 == led >> 4 and card > best


@inlined
def higher(card: int, led: int, high: int) -> bool:
    """Whether a card is the highest ace, king or queen so far of the suit led."""
    return card & 15 >= 10 and (led < 0 or card >> 4 == led >> 4) and card > high


@compiled
def note(fact: Numbers, lane: int, quinola: int, row: Numbers, noted: Numbers, said: int) -> None:
    """What befell the aces and the quinola of a trick; `said`: what is the same for all of its cards."""
    for place in range(4):
        card = row[place]
        if card & 15 == 12 or card == quinola:
            follows = card >> 4 == row[0] >> 4
            manner = LED if place == 0 else FOLLOWED if follows else THROWN_OFF
            player = ((said >> LEADER) + place) & 3
            which = card >> 4 if card & 15 == 12 else 4
            fact[which, lane] = player << PLAYER | manner << MANNER | said | noted[place]


@inlined
def lawful(rules: Numbers, hand: int, trick: int, led: int, renounces: bool, free: int) -> int:
    """The cards that may be played, as bits."""
    if led < 0:
        return may_lead(hand, rules[FIRST_SUIT] if trick == 0 else -1)
    same, lone = of_suit(hand, led >> 4), i64(1) << rules[QUINOLA]
    exempt = lone if same == lone and free else i64(0)
    return may_follow(hand, led >> 4, rules[FOLLOW], int(renounces), exempt)


@compiled
@wrapping
def one_deal(rules: Numbers, liked: Numbers, given: bool, lots: Any, at: int, hands: Numbers, into: Any) -> None:
    """Eleven tricks, by preference or as they are given; what the rules forbid is marked, and play goes on."""
    facts, taken, takers, told, cards = into
    row, noted, hand = np.zeros(4, np.int64), np.zeros(4, np.int64), hands[:4, at].copy()
    holder, right, hearts, eldest = holds(rules, hand), True, i64(0), rules[ELDEST]
    # as given, the seats are those of the play that is given: they follow from who held the cards
    leader = owner(hand, cards[0, at]) if given else eldest
    renounced, unlawful = i64(0), i64(leader != eldest)
    facts[:, at] = ASIDE << MANNER
    for trick in range(11):
        led, best, won, high, whose = i64(-1), i64(0), 0, i64(0), 0
        free = rules[LONE_FREE + trick] >> hearts & 1
        for place in range(4):
            seat = (leader + place) & 3
            mine, privileged = hand[seat], holder == seat + 1
            renounces = privileged and right and trick < rules[RENOUNCES_TO]
            may = lawful(rules, mine, trick, led, renounces, free)
            if given:
                card = i64(cards[4 * trick + place, at])
                unlawful |= 1 - (may >> card & 1)
            else:
                lot = draw(lots, PLAYING + 4 * trick + place)
                card = preferred(liked, may, led, best, place == 3, rules[QUINOLA], lot)
                cards[4 * trick + place, at] = card
            renounced |= renouncing(mine, card, led, may) if renounces else 0
            bound = rules[FOLLOW] != 0 and not (free and card == rules[QUINOLA])
            highest = ((leader + whose) & 3) + 1 if high else 0
            noted[place] = noted_of(mine, card, led, may, bound, highest, privileged)
            best, won = (card, place) if takes(card, led, best, rules[TRUMP]) else (best, won)
            high, whose = (card, place) if higher(card, led, high) else (high, whose)
            led = card if place == 0 else led
            hand[seat], row[place] = mine ^ i64(1) << card, card
        taker = (leader + won) & 3
        note(facts, at, rules[QUINOLA], row, noted, leader << LEADER | taker << TAKER | (trick + 1) << TRICK)
        value = worth(row[0]) + worth(row[1]) + worth(row[2]) + worth(row[3])
        taken[at] += (value + (i64(1) << TRICKS_TAKEN)) << 16 * taker
        takers[at] |= taker << 2 * trick
        right, hearts = right and not (rules[LOST] and holder == taker + 1), hearts + i64(led >> 4 == 1)
        leads = taker if rules[TAKER_LEADS] else eldest
        leader = owner(hand, cards[4 * trick + 4, at]) if given and trick < 10 else leads
        unlawful |= i64(leader != leads)
    told[at] |= holder << HOLDER | renounced << RENOUNCED | unlawful << FORBIDDEN


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
            one_deal(rules, preferences, False, lots[lane], at, hands, (facts, taken, takers, told, cards))


@compiled
def again(rules: Numbers, hands: Numbers, into: tuple[Numbers, ...], cards: Bytes, swaps: Bytes) -> None:
    """The same deals under other rules, every card as it was played."""
    facts, taken, takers, told = into
    nothing = np.zeros((7, 14), np.int64)
    for at in range(taken.size):
        one_deal(rules, nothing, True, np.uint64(0), at, hands, (facts, taken, takers, told, cards))
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
