"""The fast path on few deals: how cards are drawn, dealt, exchanged and played by lot, done again by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from random import Random

import numpy as np
import pytest

from engine.cards import make_card_mask
from engine.play import trick as mechanics
from engine.readings.meanings.deal import HEART_EXCEPTION
from lab.survey import buffers as played
from lab.survey import chunk as work
from lab.survey import play_single as singly
from lab.survey import rng as lots
from lab.survey.buffers import NO_CARD
from lab.survey.encode_rules import EXCEPTED
from lab.survey.encode_rules import PlayRuleColumn as Column
from lab.survey.request import SURVEY_SEATS, Rules, SurveyOrder
from rulebook.model import Library
from tests.lab.survey.test_play import signed
from tests.support.settling import ONE_QUINOLA

ALL = (1 << 64) - 1
PACK = [16 * suit + rank for suit in range(4) for rank in range(13) if rank != 8]
Draw = Callable[[int], int]
Pick = Callable[[int, set[int]], int]


# ---- the lot, as it was published
def stirred(x: int) -> int:
    x &= ALL
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & ALL
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & ALL
    return x ^ x >> 31


def stream(seed: int, number: int) -> Draw:
    """The draws of a deal, by their number."""
    step = 0x9E3779B97F4A7C15
    begins = stirred(stirred(seed * step + step) + number * step)
    return lambda at: stirred(begins + (at >> 1) * step) >> (32 if at & 1 else 0) & 0xFFFFFFFF


def test_the_lot_is_split_mix_as_others_have_it() -> None:
    """The first numbers after 1234567, which its other versions bring out too."""
    row = [lots.mix_bits(np.uint64(lots.advance_stream(np.uint64(1234567), n))) for n in range(1, 6)]
    assert [*map(int, row)] == [
        *(6457827717110365317, 3203168211198807973, 9817491932198370423),
        *(4593380528125082431, 16408922859458223821),
    ]


@pytest.mark.parametrize("seed", [0, 1, 1785, (1 << 63) - 1])
def test_every_draw_is_that_of_its_seed_its_deal_and_its_number(seed: int) -> None:
    for number, at in product((0, 1, 77, 10**12), (0, 1, 2, 23, 24, 47, 83)):
        begins = np.uint64(lots.start_stream(seed, number))
        assert int(lots.draw_bits(begins, at)) == stream(seed, number)(at)
        both = np.uint64(lots.draw_pair(begins, at))
        assert int(lots.pick_half(both, at)) == stream(seed, number)(at)


# ---- cards by hand
def one_of(cards: set[int], draw: int) -> int:
    """The card that a draw means, of some in their order."""
    return sorted(cards)[draw * len(cards) >> 32]


def dealt(draw: Draw) -> list[set[int]]:
    """Hands and talon: every card goes to one of the places that are still free."""
    free, places = [11, 11, 11, 12, 3], [set[int]() for _ in range(5)]
    for at, card in enumerate(PACK):
        k, place = draw(at) * (48 - at) >> 32, 0
        while k >= free[place]:
            k, place = k - free[place], place + 1
        free[place] -= 1
        places[place].add(card)
    return places


def may_go(hand: set[int], row: Sequence[int]) -> set[int]:
    """What may be laid away."""
    held, quinola = [c & 15 for c in hand if c >> 4 == 1], row[Column.QUINOLA]
    excepted = [HEART_EXCEPTION[one] for one, bit in EXCEPTED.items() if row[Column.EXCEPTIONS] & bit]
    hearts = {c for c in hand if c >> 4 == 1 and any(free(c, quinola, held) for free in excepted)}
    return hand if row[Column.HEARTS_OUT] else {c for c in hand if c >> 4 != 1} | hearts or hand


def exchanged(places: list[set[int]], row: Sequence[int], draw: Draw) -> list[int]:
    """The exchange, done to hands and talon; who lays what away, then who takes what."""
    swaps, lying = [NO_CARD] * 8, set(places[4])
    for seat in range(SURVEY_SEATS):
        at, dealer = 24 + 3 * seat, seat == SURVEY_SEATS - 1
        if not dealer and not (row[Column.MAY_EXCHANGE] >> seat & 1 and draw(at) & 1):
            continue
        out = one_of(may_go(places[seat], row), draw(at if dealer else at + 1))
        places[seat].remove(out)
        swaps[seat] = out
        if not dealer:
            new = one_of(lying, draw(at + 2))
            lying.remove(new)
            places[4].remove(new)
            places[seat].add(new)
            swaps[4 + seat] = new
        places[4].add(out)
    return swaps


def holder_of(hands: Sequence[set[int]], row: Sequence[int]) -> int:
    """1 and the seat of the first who holds a hand of the espagnolette; 0 for nobody."""
    for seat in range(SURVEY_SEATS):
        aces = sum(c & 15 == 12 for c in hands[seat])
        if row[Column.HELD] >> 2 * aces + (row[Column.QUINOLA] in hands[seat]) & 1:
            return seat + 1
    return 0


def by_hand(hands: Sequence[set[int]], row: Sequence[int], pick: Pick) -> list[int]:
    """Eleven tricks: the cards that are picked, up to one that may not be played.

    `pick` is told how many cards lie already, and which may be played.
    """
    left, leader, hearts, right, found = [set(hand) for hand in hands], 0, 0, True, list[int]()
    holder, strength = holder_of(hands, row) - 1, tuple(range(16))
    for trick in range(11):
        table: tuple[int, ...] = ()
        for place in range(SURVEY_SEATS):
            seat = (leader + place) % SURVEY_SEATS
            bits, renounces = (
                make_card_mask(left[seat]),
                seat == holder and right and trick < row[Column.RENOUNCES_TO],
            )
            if place == 0:
                may = mechanics.find_legal_leads(bits, row[Column.FIRST_SUIT] if trick == 0 else -1)
            else:
                free = 1 << row[Column.QUINOLA] if row[Column.FREE + trick] >> hearts & 1 else 0
                may = mechanics.find_legal_follows(bits, table[0] >> 4, row[Column.FOLLOW], int(renounces), free)
            card = pick(len(found), {c for c in left[seat] if may >> c & 1})
            if not may >> card & 1:
                return found
            left[seat].remove(card)
            table, found = (*table, card), [*found, card]
        taker = (leader + mechanics.find_taking_card(table, strength, row[Column.TRUMP])) % SURVEY_SEATS
        right = right and not (row[Column.RIGHT_LOST] and taker == holder)
        hearts += table[0] >> 4 == 1
        leader = taker if row[Column.TAKER_LEADS] else 0
    return found


def cards_played(hands: Sequence[set[int]], row: Sequence[int], draw: Draw) -> list[int]:
    return by_hand(hands, row, lambda at, may: one_of(may, draw(40 + at)))


@pytest.mark.parametrize("siglum", ONE_QUINOLA)
def test_cards_are_dealt_exchanged_and_played_as_the_lot_falls(library: Library, siglum: str) -> None:
    _, row, _ = work.get_deal_pricer(library).rules(Rules(siglum))
    for seed, numbers in ((3, range(6)), (2**40 + 5, range(10**9, 10**9 + 4))):
        deals = work.play_piece_deals(SurveyOrder(seed, "random", 10, ()), np.array(row, np.int64), numbers)
        for at, number in enumerate(numbers):
            draw = stream(seed, number)
            places = dealt(draw)
            before = events_of(places, row[Column.QUINOLA])
            swaps = exchanged(places, row, draw)
            assert deals.swaps[:, at].tolist() == swaps
            assert [*map(int, deals.hands[:, at]), int(deals.talon[at])] == [
                signed(make_card_mask(place)) for place in places
            ]
            assert deals.cards[:, at].tolist() == cards_played(places[:4], row, draw)
            assert int(deals.told[at]) >> played.FOUR_ACES == before
            assert int(deals.told[at]) & 7 == holder_of(places[:4], row)


# ---- the cards as dealt
def events_of(places: Sequence[set[int]], quinola: int) -> int:
    """Four aces in one hand, three with the quinola, the quinola turned, as bits."""
    aces = [sum(c & 15 == 12 for c in hand) for hand in places[:4]]
    three = any(n == 3 and quinola in hand for n, hand in zip(aces, places[:4], strict=True))
    return int(4 in aces) | int(three) << 1 | int(quinola in places[4]) << 2


def wished(rng: Random, quinola: int, at: int) -> list[set[int]]:
    """Four hands of eleven and a talon of four, with what is rare: many aces, the quinola, few hearts in a hand."""
    ace, seat = [12, 28, 44, 60], at % SURVEY_SEATS
    mine = [
        ace,
        [*ace[:3], quinola],
        [*ace[1:], quinola],
        ace[:3],
        [*ace, quinola],
        [quinola],
        [c for c in PACK if c >> 4 != 1][-11:],
        [],
    ][at // SURVEY_SEATS % 8]
    rest = [c for c in PACK if c not in mine]
    rng.shuffle(rest)
    hand = {*mine, *rest[: 11 - len(mine)]}
    others = [c for c in PACK if c not in hand]
    rng.shuffle(others)
    if at % 3 == 0 and quinola in others:  # it lies aside
        others.remove(quinola)
        others.append(quinola)
    places = [set(others[11 * n : 11 * n + 11]) for n in range(3)]
    return [*places[:seat], hand, *places[seat:], set(others[33:])]


# ---- exchanging
def test_an_exchange_is_lawful_or_not_as_its_rules_say(library: Library) -> None:
    """Every seat, every card out and in, where hearts may be laid away and where not."""
    rng, told = Random(4), set[bool]()
    for siglum, _ in product(ONE_QUINOLA, range(30)):
        _, row, _ = work.get_deal_pricer(library).rules(Rules(siglum))
        places = wished(rng, row[Column.QUINOLA], rng.randrange(32))
        hands, swaps = (
            np.array([[signed(make_card_mask(p))] for p in places[:4]], np.int64),
            np.full((8, 1), NO_CARD, np.uint8),
        )
        seat, out = rng.randrange(4), rng.choice([*places[4], *(c for c in places[4] if c >> 4 == 1)])
        taken = rng.choice([None, *rng.sample(sorted(places[seat]), 2)])
        swaps[seat, 0], swaps[4 + seat, 0] = out, NO_CARD if taken is None else taken
        before = {*places[seat], out} - {taken}
        # who has hearts alone, and none of them excepted, has nothing that he may lay away: this is no exchange
        none = not row[Column.HEARTS_OUT] and {c >> 4 for c in before} == {1} and may_go(before, row) == before
        lawful = out in may_go(before, row) and not none
        lawful = lawful and (taken is None or bool(row[Column.MAY_EXCHANGE] >> seat & 1))
        assert bool(singly.is_exchange_legal(np.array(row, np.int64), hands, 0, swaps)) == lawful, (siglum, seat, out)
        told.add(lawful)
    assert told == {True, False}
