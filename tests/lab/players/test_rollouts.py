"""Lanes that go on from any card: in every number as deals played from the first, under any rules of play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest

from engine.cards import make_card_mask
from lab.players.endgame import CARDS_PER_DEAL, NO_LOTS, write_lines
from lab.players.rollouts import AIMS, allocate_lane_rows, play_lane, start_lane, store_lane
from lab.players.turns import NOBODY, find_next_seat, find_turn
from lab.survey import chunk as piece
from lab.survey.buffers import FORBIDDEN, RENOUNCED, Bytes, IntArray, allocate_deals
from lab.survey.encode_rules import TRICKS_PER_DEAL
from lab.survey.encode_rules import PlayRuleColumn as Column
from lab.survey.jit import INTERPRETED
from lab.survey.play_single import play_single_deal
from lab.survey.request import Rules
from lab.survey.rng import start_stream
from rulebook.model import Library
from tests.support.settling import SIGLA

pytestmark = pytest.mark.usefixtures("compiled")
PACK = [card for card in range(64) if card & 15 < 13 and card & 15 != 8]
PLAIN = [card for card in PACK if card & 15 != 12]
DEALS = 12 if INTERPRETED else 400


@dataclass(frozen=True)
class PlayedLanes:
    """What lanes came to, one column a lane."""

    facts: IntArray
    taken: IntArray
    takers: IntArray
    told: IntArray
    cards: Bytes

    def column(self, at: int) -> tuple[object, ...]:
        """All numbers of a lane."""
        return tuple(one[..., at].tolist() for one in (self.facts, self.taken, self.takers, self.told, self.cards))


def allocate(rules: IntArray, lanes: int) -> PlayedLanes:
    deals = allocate_deals(lanes, int(rules[Column.FURTHER]).bit_count())
    return PlayedLanes(deals.facts, deals.taken, deals.takers, deals.told, deals.cards)


def rules_of_play_by_lot(rng: Random) -> IntArray:
    """Any rules of play that can be written as numbers, sensible or not."""
    quinola, *further = rng.sample(PLAIN, rng.choice((1, 1, 2, 4)))
    row = dict.fromkeys(Column, 0) | {
        Column.FIRST_SUIT: rng.randint(-1, 3),
        Column.FOLLOW: int(rng.random() < 0.8),
        Column.TRUMP: rng.choice((-1, quinola)),
        Column.ELDEST: rng.randrange(4),
        Column.TAKER_LEADS: int(rng.random() < 0.8),
        Column.QUINOLA: quinola,
        Column.HELD: rng.choice((0, rng.getrandbits(20), (1 << 20) - 1)),
        Column.RENOUNCES_TO: rng.randint(0, TRICKS_PER_DEAL),
        Column.RIGHT_LOST: rng.randrange(2),
        Column.FURTHER: signed(make_card_mask(further)),
        Column.NAMED: rng.choice((0, signed(make_card_mask(rng.sample(PACK, 2))))),
    }
    free = [rng.choice((0, 0xFFF, rng.getrandbits(12))) for _ in range(TRICKS_PER_DEAL)]
    return np.array([*(int(row[at]) for at in Column if at != Column.FREE), *free], np.int64)


def signed(mask: int) -> int:
    return mask - (1 << 64) if mask >> 63 else mask


def list_rules(library: Library, rng: Random) -> Iterator[IntArray]:
    """The rules of all sources that can be played fast, and others by lot."""
    prices = piece.get_deal_pricer(library)
    for siglum in SIGLA:
        yield np.array(prices.rules(Rules(siglum))[1], np.int64)
    while True:
        yield rules_of_play_by_lot(rng)


def deal_hands(rng: Random) -> IntArray:
    pack = rng.sample(PACK, len(PACK))
    return np.array([[signed(make_card_mask(pack[11 * seat : 11 * seat + 11]))] for seat in range(4)], np.int64)


def play_from_first_card(
    rules: IntArray, hands: IntArray, cards: Bytes, known: int, bent: int, lots: np.uint64
) -> PlayedLanes:
    """By the survey's own kernel."""
    found = allocate(rules, 1)
    found.cards[:known] = cards[:known]
    into = found.facts, found.taken, found.takers, found.told, found.cards
    play_single_deal(rules, AIMS, known, bent, lots, 0, hands, into)
    return found


def play_in_lanes(
    rules: IntArray, hands: IntArray, cards: Bytes, stops: list[int], bent: int, lots: np.uint64
) -> PlayedLanes:
    """In pieces, each from where the one before had come to; the last stop is up to where the cards are given."""
    found, lane = allocate(rules, 1), allocate_lane_rows(rules, 1)[0]
    found.cards[: stops[-1]] = cards[: stops[-1]]
    start_lane(rules, hands, 0, bent, lane)
    for start, stop in zip([0, *stops], [*stops, CARDS_PER_DEAL], strict=True):
        play_lane(rules, lane.copy(), (start, CARDS_PER_DEAL, stop), lots, found.cards.copy(), 0)  # leaves no trace
        play_lane(rules, lane, (start, stop, stops[-1]), lots, found.cards, 0)
    store_lane(lane, 0, (found.facts, found.taken, found.takers, found.told))
    return found


def test_a_lane_goes_on_as_if_it_were_played_from_its_first_card(library: Library) -> None:
    """Also where the cards so far were against the rules, or played by others."""
    rng, seen, before = Random(1785), [0, 0, 0], rules_of_play_by_lot(Random(1))
    for number, rules in zip(range(DEALS), list_rules(library, rng), strict=False):
        hands, lots = deal_hands(rng), np.uint64(start_stream(5, number))
        by = rng.choice((rules, rules, before))
        cards = play_from_first_card(by, hands, np.zeros((44, 1), np.uint8), 0, rng.randint(-1, 3), lots).cards
        for known in sorted(rng.sample(range(45), 6)):
            bent, other = rng.randint(-1, 3), np.uint64(start_stream(6, known))
            stops = sorted({*rng.sample(range(known + 1), min(known, 2)), known})
            expected = play_from_first_card(rules, hands, cards, known, bent, other)
            found = play_in_lanes(rules, hands, cards, stops, bent, other)
            assert found.column(0) == expected.column(0), (number, known)
            told = int(expected.told[0])
            seen = [seen[0] + (told >> FORBIDDEN & 1), seen[1] + (told >> RENOUNCED & 1), seen[2] + (bent >= 0)]
        before = rules
    assert min(seen) > DEALS / 20


def list_lines(rules: IntArray, hands: IntArray, cards: list[int], players: list[int]) -> Iterator[list[int]]:
    """Every line of play, the lower card first; what may be played is asked of `find_turn`."""
    step = len(cards)
    if step == CARDS_PER_DEAL:
        yield cards
        return
    row, who = np.array(cards, np.uint8), np.array(players, np.uint8)
    seat = find_next_seat(rules, row, who, step)
    may, _ = find_turn(rules, seat, hands[seat, 0], row, who)
    for card in range(64):
        if may >> card & 1:
            yield from list_lines(rules, hands, [*cards, card], [*players, seat])


def test_every_line_is_written_once_and_comes_to_what_its_replay_comes_to(library: Library) -> None:
    rng, lines_seen = Random(3), 0
    for number, rules in zip(range(DEALS // 4), list_rules(library, rng), strict=False):
        hands, known = deal_hands(rng), rng.choice((35, 36, 36, 37, 38, 39, 40, 41, 43, 44))
        lots = np.uint64(start_stream(7, number))
        cards = play_from_first_card(rules, hands, np.zeros((44, 1), np.uint8), 0, NOBODY, lots).cards
        expected = [*list_lines(rules, hands, cards[:known, 0].tolist(), list_seats(rules, cards)[:known])]
        lane, found = allocate_lane_rows(rules, 1)[0], allocate(rules, len(expected))
        start_lane(rules, hands, 0, NOBODY, lane)
        play_lane(rules, lane, (0, known, known), lots, cards, 0)
        into, held = (found.facts, found.taken, found.takers, found.told), hands[:, 0].copy()
        for room in (found.cards[:, :0].copy(), found.cards):
            assert write_lines(rules, held, lane, cards.copy(), known, into, room, 0) == len(expected)
        assert found.cards.T.tolist() == expected
        for at in range(len(expected)):
            replayed = play_from_first_card(rules, hands, found.cards[:, at : at + 1], 44, NOBODY, NO_LOTS)
            assert found.column(at) == replayed.column(0)
        lines_seen += len(expected)
    assert lines_seen > DEALS


def list_seats(rules: IntArray, cards: Bytes) -> list[int]:
    seats = np.zeros(CARDS_PER_DEAL, np.uint8)
    for step in range(CARDS_PER_DEAL):
        seats[step] = find_next_seat(rules, cards[:, 0], seats, step)
    return [int(seat) for seat in seats]
