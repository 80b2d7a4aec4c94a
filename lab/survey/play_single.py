"""Play deals one after another: by preference, or replayed under other rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.players.preferences import FIRST_TRICK_TO_BREAK, TO_LOSE, TO_TAKE, Would
from lab.survey.buffers import (
    ALONE,
    FOLLOWED,
    FORBIDDEN,
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
    RENOUNCED,
    TAKER,
    THROWN_OFF,
    TRICK,
    TRICKS_TAKEN,
    Bytes,
    IntArray,
)
from lab.survey.jit import (
    count_bits,
    find_kth_bit,
    find_lowest_bit,
    i64,
    jit_compile,
    jit_inline,
    wrap_overflow,
)
from lab.survey.play_rules import (
    ACROSS_COLUMN,
    BARRED_COLUMN,
    BLOCK,
    ELDEST,
    EXCEPTIONS,
    FIRST_SUIT,
    FOLLOW,
    FURTHER_COLUMN,
    HEARTS_OUT,
    HELD_COLUMN,
    LONE_FREE,
    MAY,
    NAMED_COLUMN,
    QUINOLA_COLUMN,
    RENOUNCES_TO,
    RIGHT_LOST_COLUMN,
    TAKER_LEADS,
    deal_block,
    encode_taken_card,
    find_legal_discards,
    flag_court_lead,
    flag_dealt_events,
    index_privilege,
    jit_legal_follows,
    jit_legal_leads,
    jit_suit_cards,
    list_quinolas,
    list_trumps,
)
from lab.survey.rng import (
    EXCHANGING,
    HALF,
    PLAYING,
    advance_stream,
    draw_bits,
    mix_bits,
    scale_draw,
    start_stream,
)

_WOULD_LEAD, _WOULD_DUCK, _WOULD_TAKE_LAST, _WOULD_TAKE, _WOULD_THROW = (
    int(Would[n]) for n in ("LEAD", "DUCK", "TAKE_LAST", "TAKE", "THROW")
)
_WOULD_DISCARD, _WOULD_DISCARD_HEART = int(Would.LAY_AWAY), int(Would.LAY_AWAY_HEART)


# ---- preferences
@jit_inline
def score_card(preferences: IntArray, would: int, card: int, quinolas: int, lot: int) -> int:
    """Score a card by preference; the random number only breaks ties."""
    column = 13 if quinolas >> card & 1 else card & 15
    return preferences[would, column] << 32 | i64(mix_bits(advance_stream(np.uint64(card), lot)) >> HALF)


@jit_compile
def choose_preferred_card(
    preferences: IntArray, may: int, led: int, best: int, last: bool, quinolas: int, lot: int
) -> int:
    """Choose the preferred card among those that may be played."""
    choice, most = i64(0), i64(-1)
    while may:
        card = find_lowest_bit(may)
        may &= may - 1
        if led < 0:
            would = _WOULD_LEAD
        elif card >> 4 != led >> 4:
            would = _WOULD_THROW
        elif card < best:
            would = _WOULD_DUCK
        else:
            would = _WOULD_TAKE_LAST if last else _WOULD_TAKE
        like = score_card(preferences, would, card, quinolas, lot)
        if like > most:
            choice, most = card, like
    return choice


@jit_compile
def choose_preferred_discard(preferences: IntArray, may: int, quinolas: int, lot: int) -> int:
    """Choose the preferred discard."""
    choice, most = i64(0), i64(-1)
    while may:
        card = find_lowest_bit(may)
        may &= may - 1
        like = score_card(preferences, _WOULD_DISCARD_HEART if card >> 4 == 1 else _WOULD_DISCARD, card, quinolas, lot)
        if like > most:
            choice, most = card, like
    return choice


@jit_compile
def exchange_seat(
    rules: IntArray,
    preferences: IntArray,
    lots: Any,
    hands: IntArray,
    talon: int,
    at: int,
    swaps: Bytes,
    dealt: int,
    seat: int,
) -> int:
    """Exchange for one seat, where it may; the dealer only discards. Return the talon.

    `dealt`: the cards that were dealt to the talon; who exchanges takes one of those that still lie there.
    """
    if seat < 3 and not rules[MAY] >> seat & 1:
        return talon
    quinolas = list_quinolas(rules)
    may = find_legal_discards(hands[seat, at], rules[HEARTS_OUT], rules[EXCEPTIONS], quinolas, False)
    may &= ~rules[BARRED_COLUMN]
    card = choose_preferred_discard(preferences, may, quinolas, draw_bits(lots, EXCHANGING + 3 * seat + 1))
    return swap_card(seat, card, lots, hands, talon, at, swaps, dealt)


@jit_compile
def swap_card(seat: int, card: int, lots: Any, hands: IntArray, talon: int, at: int, swaps: Bytes, dealt: int) -> int:
    """Lay a card away and, but for the dealer, take one of those dealt to the talon; return the talon."""
    hands[seat, at] ^= i64(1) << card
    talon |= i64(1) << card
    swaps[seat, at] = card
    if seat < 3:
        lying = talon & dealt
        new = find_kth_bit(lying, scale_draw(draw_bits(lots, EXCHANGING + 3 * seat + 2), count_bits(lying)))
        hands[seat, at] |= i64(1) << new
        talon ^= i64(1) << new
        swaps[4 + seat, at] = new
    return talon


@jit_compile
def exchange_one(
    rules: IntArray, preferences: IntArray, lots: Any, hands: IntArray, turned: int, at: int, swaps: Bytes
) -> int:
    """Exchange in turn where allowed, the dealer discarding last; return the talon."""
    talon = turned
    for seat in range(4):
        talon = exchange_seat(rules, preferences, lots, hands, talon, at, swaps, turned, seat)
    return talon


@jit_compile
def give_one(
    rules: IntArray,
    preferences: IntArray,
    lots: Any,
    hands: IntArray,
    at: int,
    swaps: Bytes,
    giver: int = -1,
    card: int = 0,
) -> None:
    """Have players who sit opposite give each other what they would rather lay away; `giver` gives this card."""
    quinolas = list_quinolas(rules)
    for seat in range(2):
        draw = EXCHANGING + 10 + 2 * seat
        mine = choose_preferred_discard(preferences, hands[seat, at], quinolas, draw_bits(lots, draw))
        theirs = choose_preferred_discard(preferences, hands[seat + 2, at], quinolas, draw_bits(lots, draw + 1))
        mine, theirs = card if giver == seat else mine, card if giver == seat + 2 else theirs
        given = i64(1) << mine | i64(1) << theirs
        hands[seat, at] ^= given
        hands[seat + 2, at] ^= given
        swaps[8 + seat, at], swaps[10 + seat, at] = mine, theirs


# ---- a trick
# What is called for every card has only numbers handed to it: to hand over a whole row costs more than the work itself.
@jit_inline
def encode_noted_card(hand: int, card: int, led: int, may: int, bound: bool, highest: int, privileged: bool) -> int:
    """Encode how a card stood in hand and what lay before it, as for an ace or the quinola."""
    bit = i64(1) << card
    alone = i64(jit_suit_cards(hand, card >> 4) == bit)
    if led < 0:
        return alone << ALONE | i64(count_bits(may) > 1) << FREE | flag_court_lead(card)
    kept = i64(card >> 4 == led >> 4 and hand != bit and not bound)
    flags = alone << ALONE | (alone & kept) << FREE | flag_court_lead(led)
    return flags | highest << HIGHEST | i64(privileged) << PRIVILEGED


@jit_inline
def is_lawful_renounce(hand: int, card: int, led: int, may: int) -> int:
    """Return 1 for a card legally thrown on a suit that its player holds, else 0."""
    return i64(led >= 0 and card >> 4 != led >> 4 and jit_suit_cards(hand, led >> 4) != 0 and may >> card & 1 == 1)


@jit_inline
def is_taking_trick(card: int, led: int, best: int, trumps: int) -> bool:
    """Return whether a card takes the trick from the one winning so far; of several trumps thrown the first does."""
    if led < 0 or card >> 4 != led >> 4:
        return bool(led < 0 or (trumps >> card & 1 == 1 and best >> 4 == led >> 4))
    return best >> 4 == led >> 4 and card > best


@jit_inline
def is_highest_court(card: int, led: int, high: int) -> bool:
    """Return whether a card is the highest ace, king or queen of the suit led so far."""
    return card & 15 >= 10 and (led < 0 or card >> 4 == led >> 4) and card > high


@jit_compile
def note_special_cards(
    fact: IntArray, lane: int, quinola: int, further: int, row: IntArray, noted: IntArray, shared: int
) -> None:
    """Note what befell the aces and the quinolas of a trick; `shared`: what all its cards share."""
    for place in range(4):
        card = row[place]
        if card & 15 == 12 or card == quinola or further >> card & 1:
            follows = card >> 4 == row[0] >> 4
            manner = LED if place == 0 else FOLLOWED if follows else THROWN_OFF
            player = ((shared >> LEADER) + place) & 3
            which = card >> 4 if card & 15 == 12 else 4
            if further >> card & 1:
                which = 5 + count_bits(further & (i64(1) << card) - 1)
            fact[which, lane] = player << PLAYER | manner << MANNER | shared | noted[place]


@jit_inline
def find_legal_plays(rules: IntArray, hand: int, trick: int, led: int, renounces: bool, free: int) -> int:
    """Find the cards that may be played, as bits."""
    if led < 0:
        return jit_legal_leads(hand, rules[FIRST_SUIT] if trick == 0 else -1)
    same = jit_suit_cards(hand, led >> 4)
    exempt = same if same & list_quinolas(rules) != 0 and same & (same - 1) == 0 and free else i64(0)
    return jit_legal_follows(hand, led >> 4, rules[FOLLOW], int(renounces), exempt)


@jit_compile
@wrap_overflow
def play_single_deal(
    rules: IntArray, liked: IntArray, known: int, bent: int, lots: Any, at: int, hands: IntArray, into: Any
) -> None:
    """Play eleven tricks: so many cards as given, the others by preference.

    What the rules forbid is marked, and play goes on. `liked`: a table of preferences for each aim; `bent`: the seat
    that goes for all tricks as long as it has had every one, -1 for none.
    """
    facts, taken, takers, flags, cards = into
    row, noted, hand = np.zeros(4, np.int64), np.zeros(4, np.int64), hands[:4, at].copy()
    holder, right, hearts, eldest = find_privilege_holder(rules, hand), True, i64(0), rules[ELDEST]
    # as given, the seats are those of the play that is given: they follow from who held the cards
    leader = find_card_owner(hand, cards[0, at]) if known else eldest
    renounced, unlawful = i64(0), i64(leader != eldest)
    quinolas, trumps = list_quinolas(rules), list_trumps(rules)
    facts[:, at] = IN_TALON << MANNER
    for trick in range(11):
        led, best, won, high, whose = i64(-1), i64(0), 0, i64(0), 0
        free = rules[LONE_FREE + trick] >> hearts & 1
        for place in range(4):
            seat = (leader + place) & 3
            mine, privileged = hand[seat], holder == seat + 1
            renounces = privileged and right and trick < rules[RENOUNCES_TO]
            may = find_legal_plays(rules, mine, trick, led, renounces, free)
            if 4 * trick + place < known:
                card = i64(cards[4 * trick + place, at])
                unlawful |= 1 - (may >> card & 1)
            else:
                lot, aim = draw_bits(lots, PLAYING + 4 * trick + place), find_aim(bent, seat, trick)
                card = choose_preferred_card(liked[aim], may, led, best, place == 3, quinolas, lot)
                cards[4 * trick + place, at] = card
            renounced |= is_lawful_renounce(mine, card, led, may) if renounces else 0
            bound = rules[FOLLOW] != 0 and not (free and quinolas >> card & 1)
            highest = ((leader + whose) & 3) + 1 if high else 0
            noted[place] = encode_noted_card(mine, card, led, may, bound, highest, privileged)
            best, won = (card, place) if is_taking_trick(card, led, best, trumps) else (best, won)
            high, whose = (card, place) if is_highest_court(card, led, high) else (high, whose)
            led = card if place == 0 else led
            hand[seat], row[place] = mine ^ i64(1) << card, card
        taker = (leader + won) & 3
        fact = leader << LEADER | taker << TAKER | (trick + 1) << TRICK
        note_special_cards(facts, at, rules[QUINOLA_COLUMN], rules[FURTHER_COLUMN], row, noted, fact)
        taken[at] += (encode_taken_trick(row) + (i64(1) << TRICKS_TAKEN)) << 16 * taker
        takers[at] |= taker << 2 * trick
        right, hearts = right and not (rules[RIGHT_LOST_COLUMN] and holder == taker + 1), hearts + i64(led >> 4 == 1)
        leads = taker if rules[TAKER_LEADS] else eldest
        leader = find_card_owner(hand, cards[4 * trick + 4, at]) if 4 * trick + 4 < known else leads
        bent = bent if bent == taker else -1
        unlawful |= i64(leader != leads)
    flags[at] |= holder << HOLDER | renounced << RENOUNCED | unlawful << FORBIDDEN


@jit_inline
def find_aim(bent: int, seat: int, trick: int) -> int:
    """Find what a player aims at while a seat goes for all tricks; the others try to break it from the sixth on."""
    if bent < 0:
        return TO_LOSE
    return TO_TAKE if seat == bent or trick >= FIRST_TRICK_TO_BREAK else TO_LOSE


@jit_inline
def encode_taken_trick(row: IntArray) -> int:
    """Encode the four cards of a trick for its taker."""
    return encode_taken_card(row[0]) + encode_taken_card(row[1]) + encode_taken_card(row[2]) + encode_taken_card(row[3])


@jit_inline
def find_card_owner(hand: IntArray, card: int) -> int:
    """Find the seat whose card it is."""
    return 0 if hand[0] >> card & 1 else 1 if hand[1] >> card & 1 else 2 if hand[2] >> card & 1 else 3


@jit_compile
def find_privilege_holder(rules: IntArray, hand: IntArray) -> int:
    """Find who holds a hand of the espagnolette: 1 and the seat; nobody: 0."""
    for seat in range(4):
        at = index_privilege(hand[seat], list_quinolas(rules), rules[NAMED_COLUMN])
        if rules[HELD_COLUMN] >> at & 1:
            return seat + 1
    return 0


# ---- a whole piece
@jit_compile
def play_deals_by_preference(
    rules: IntArray,
    preferences: IntArray,
    seed: int,
    first: int,
    into: tuple[IntArray, ...],
    cards: Bytes,
    swaps: Bytes,
) -> None:
    """Play random deals by preference, the same cards and `into` as in `play_random_deals`."""
    facts, taken, takers, talon, flags, hands = into
    lots, held = np.empty(BLOCK, np.uint64), np.empty((4, BLOCK), np.int64)
    room, turned, x = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    liked = preferences.reshape((1, *preferences.shape))  # a player of a survey has one aim
    for block in range(taken.size // BLOCK):
        for lane in range(BLOCK):
            lots[lane] = start_stream(seed, first + block * BLOCK + lane)
        deal_block(lots, held, turned, room)
        flag_dealt_events(rules, held, turned, x)
        for lane in range(BLOCK):
            at = block * BLOCK + lane
            flags[at] = x[lane]
            hands[:, at] = held[:, lane]
            talon[at] = exchange_one(rules, preferences, lots[lane], hands, turned[lane], at, swaps)
            if rules[ACROSS_COLUMN]:
                give_one(rules, preferences, lots[lane], hands, at, swaps)
            play_single_deal(rules, liked, 0, -1, lots[lane], at, hands, (facts, taken, takers, flags, cards))


@jit_compile
def replay_single_deals(
    rules: IntArray, hands: IntArray, into: tuple[IntArray, ...], cards: Bytes, swaps: Bytes
) -> None:
    """Replay the same deals under other rules, every card as it was played."""
    facts, taken, takers, flags = into
    nothing = np.zeros((1, 7, 14), np.int64)
    for at in range(taken.size):
        play_single_deal(rules, nothing, 44, -1, np.uint64(0), at, hands, (facts, taken, takers, flags, cards))
        if not is_exchange_legal(rules, hands, at, swaps):
            flags[at] |= 1 << FORBIDDEN


@jit_compile
def is_exchange_legal(rules: IntArray, hands: IntArray, at: int, swaps: Bytes) -> bool:
    """Return whether every exchange is legal under these rules; what was laid away, by the hand before any gift."""
    barred, given = rules[BARRED_COLUMN], swaps.shape[0] > 8
    if given and not rules[ACROSS_COLUMN]:
        return False
    for seat in range(4):
        out, taken = swaps[seat, at], swaps[4 + seat, at]
        if taken != NO_CARD and not rules[MAY] >> seat & 1:
            return False
        if out == NO_CARD:
            continue
        before = hands[seat, at] | i64(1) << i64(out)
        if given:
            before ^= i64(1) << i64(swaps[8 + seat, at]) | i64(1) << i64(swaps[8 + (seat + 2) % 4, at])
        if taken != NO_CARD:
            before ^= i64(1) << i64(taken)
        may = find_legal_discards(before, rules[HEARTS_OUT], rules[EXCEPTIONS], list_quinolas(rules), True)
        if not (may & ~barred) >> i64(out) & 1:
            return False
    return True
