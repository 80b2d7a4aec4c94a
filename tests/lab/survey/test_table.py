"""The fast path plays by whatever row of rules, also by such as no source has: against trick-taking done by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import numpy as np
import pytest

from engine.cards import make_card_mask
from lab.survey import buffers as played
from lab.survey import chunk as work
from lab.survey import play_rules as lockstep
from lab.survey import play_single as singly
from lab.survey import rng as lots
from lab.survey.buffers import COURT, FORBIDDEN, HOLDER, NO_CARD, RENOUNCED, PlayedDeals
from lab.survey.encode_rules import EXCEPTED, PLAY_RULES_WIDTH
from lab.survey.encode_rules import PlayRuleColumn as Column
from lab.survey.play_rules import BLOCK
from lab.survey.request import SURVEY_SEATS, Rules
from rulebook.model import Library
from tests.lab.survey.test_play import signed
from tests.lab.survey.test_play_lines import (
    PACK,
    Draw,
    by_hand,
    cards_played,
    exchanged,
    filled,
    holder_of,
    joined,
    may_go,
    one_of,
    played_by_lot,
    played_out,
    stream,
    wished,
)

TRICKS, ANY, DEALS = 11, (1 << 13) - 1, 72
QUEEN = 16 + 10
Row = tuple[int, ...]
Changes = Mapping[int, int]


def free(from_trick: int, from_lead: int) -> Changes:
    """The lone quinola is free after so many tricks, and so many leads of hearts."""
    return {Column.FREE + trick: ANY & -(1 << from_lead) if trick >= from_trick else 0 for trick in range(TRICKS)}


THREE_ACES_AND_QUINOLA, FOUR_ACES = 1 << 7, 1 << 8 | 1 << 9
ROWS: dict[str, Changes] = {
    "a lone quinola is never free": free(11, 0),
    "it is free after one lead of hearts": free(0, 1),
    "it is free after two leads of hearts": free(0, 2),
    "it is free after three tricks": free(3, 0),
    "suit need not be followed": {Column.FOLLOW: 0},
    "the quinola takes when it is thrown": {Column.TRUMP: 1, **free(0, 0)},
    "whoever led first leads always": {Column.TAKER_LEADS: 0},
    "a club is led first": {Column.FIRST_SUIT: 3},
    "four aces may renounce to the last": {Column.HELD: FOUR_ACES, Column.RENOUNCES_TO: 11, Column.RIGHT_LOST: 0},
    "three aces and the quinola may renounce for three tricks": {
        **{Column.HELD: THREE_ACES_AND_QUINOLA, Column.RENOUNCES_TO: 3},
        Column.RIGHT_LOST: 0,
    },
    "whoever takes a trick renounces no more": {
        Column.HELD: FOUR_ACES | 1,
        Column.RENOUNCES_TO: 11,
        Column.RIGHT_LOST: 1,
    },
}


@pytest.fixture(scope="module")
def plain(library: Library) -> Row:
    """The row of a source, without what is changed here."""
    _, row, _ = work.get_deal_pricer(library).rules(Rules("PAM"))
    return tuple(row)


def changed(plain: Row, name: str) -> Row:
    """A row that no source need have. The quinola's number stands for whether it takes."""
    row = [*plain]
    for at, value in ROWS[name].items():
        row[at] = plain[Column.QUINOLA] if at == Column.TRUMP else value
    return tuple(row)


def lone_quinola(rng: Random, quinola: int, beside: int) -> list[set[int]]:
    """Four hands and a talon; the quinola is in the first, and so many other hearts beside it."""
    plain, hearts = [c for c in PACK if c >> 4 != 1], [c for c in PACK if c >> 4 == 1 and c != quinola]
    rng.shuffle(plain)
    rng.shuffle(hearts)
    hand = {quinola, *hearts[:beside], *plain[: 10 - beside]}
    others = [*hearts[beside:], *plain[10 - beside :]]
    rng.shuffle(others)
    return [hand, *(set(others[at : at + 11]) for at in (0, 11, 22)), set(others[33:])]


def by_lot(row: Row, seed: int) -> tuple[PlayedDeals, list[list[set[int]]], list[Draw]]:
    """Some deals played by a row; in half of them somebody has the quinola and few hearts or none beside it."""
    rng = Random(seed)
    hands = [wished(rng, row[Column.QUINOLA], at) for at in range(DEALS // 2)]
    hands += [lone_quinola(rng, row[Column.QUINOLA], at % 3) for at in range(DEALS - len(hands))]
    return played_by_lot(row, hands, seed), hands, [stream(seed, number) for number in range(DEALS)]


def gone_through(hands: Sequence[set[int]], cards: Sequence[int], row: Row) -> tuple[bool, bool]:
    """Whether the cards of a deal are lawful, and whether somebody has renounced, as his hand lets him."""
    found, renounced = by_hand(hands, row, lambda at, may: cards[at])
    return len(found) == len(cards), renounced


def test_rows_are_as_long_as_they_should_be(plain: Row) -> None:
    assert len(plain) == PLAY_RULES_WIDTH and all(
        set(changes) <= set(range(PLAY_RULES_WIDTH)) for changes in ROWS.values()
    )
    assert len({changed(plain, name) for name in ROWS}) == len(ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_cards_fall_as_the_lot_and_the_row_have_it(plain: Row, name: str) -> None:
    row = changed(plain, name)
    deals, hands, draws = by_lot(row, 7)
    for lane, (places, draw) in enumerate(zip(hands, draws, strict=True)):
        assert deals.cards[:, lane].tolist() == cards_played(places[:4], row, draw), lane
        told = int(deals.told[lane])
        _, renounced = gone_through(places[:4], deals.cards[:, lane].tolist(), row)
        assert bool(told >> RENOUNCED & 1) == renounced, lane
        assert told >> HOLDER & 7 == holder_of(places[:4], row), lane


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_what_was_played_by_one_row_is_gone_through_again_by_all(plain: Row, name: str) -> None:
    own = changed(plain, name)
    deals, hands, _ = by_lot(own, 8)
    forbidden = set[bool]()
    for other in ROWS:
        row = changed(plain, other)
        again = work.replay_piece_deals(deals, np.array(row, np.int64))
        for lane, places in enumerate(hands):
            lawful, renounced = gone_through(places[:4], deals.cards[:, lane].tolist(), row)
            away = may_go({*places[3], int(deals.swaps[3, lane])}, row)
            told = int(again.told[lane])
            assert bool(told >> FORBIDDEN & 1) == (not lawful or int(deals.swaps[3, lane]) not in away), (other, lane)
            forbidden.add(lawful)
            if lawful:
                assert bool(told >> RENOUNCED & 1) == renounced, (other, lane)
                assert told >> HOLDER & 7 == holder_of(places[:4], row), (other, lane)
            if other == name:
                assert lawful
                assert (again.facts[:, lane] == deals.facts[:, lane]).all(), lane
                assert again.taken[lane] == deals.taken[lane] and again.takers[lane] == deals.takers[lane], lane
    assert forbidden == {True, False}


def test_of_equal_liking_the_lot_decides_and_of_none_there_is_none(plain: Row) -> None:
    nothing, quinolas = np.zeros((8, 14), np.int64), 1 << plain[Column.QUINOLA]
    for may in (1 << 3, 1 << 3 | 1 << 20, make_card_mask(PACK[:6])):
        chosen = {
            int(singly.choose_preferred_card(nothing, signed(may), -1, 0, False, quinolas, lot)) for lot in range(40)
        }
        assert chosen == {card for card in PACK if may >> card & 1}
        laid = {int(singly.choose_preferred_discard(nothing, signed(may), quinolas, lot)) for lot in range(40)}
        assert laid == chosen
    assert NO_CARD not in chosen


def test_a_queen_that_is_led_is_a_court_card(plain: Row) -> None:
    """Told of the quinola only, and of the aces; so the queen of hearts has to be the quinola."""
    row = (*plain[: Column.QUINOLA], QUEEN, *plain[Column.QUINOLA + 1 :])
    deals, _, _ = by_lot(row, 9)
    again = work.replay_piece_deals(deals, np.array(row, np.int64))
    led = [lane for lane in range(DEALS) if QUEEN in deals.cards[::SURVEY_SEATS, lane]]
    for found in (deals, again):
        assert led and all(int(found.facts[4, lane]) >> COURT & 1 for lane in led)


# ---- the exchange
def dealt_out(rng: Random) -> list[set[int]]:
    """Four hands and a talon of three; in every fifth deal one of them holds nothing but hearts."""
    hearts, rest = [c for c in PACK if c >> 4 == 1], [c for c in PACK if c >> 4 != 1]
    rich = rng.randrange(20)
    rng.shuffle(hearts)
    size = [11, 11, 11, 12]
    mine = hearts[: size[rich]] if rich < SURVEY_SEATS else []
    others = [c for c in [*hearts, *rest] if c not in mine]
    rng.shuffle(others)
    places = []
    for seat in range(SURVEY_SEATS):
        hand = mine if seat == rich else [others.pop() for _ in range(size[seat])]
        places.append(set(hand))
    return [*places, set(others)]


EXCHANGES: dict[str, Changes] = {
    "no heart, whatever he holds": {Column.HEARTS_OUT: 0, Column.EXCEPTIONS: 0, Column.MAY_EXCHANGE: 0b111},
    "hearts as well": {Column.HEARTS_OUT: 1, Column.EXCEPTIONS: 0, Column.MAY_EXCHANGE: 0b111},
    "some hearts": {Column.HEARTS_OUT: 0, Column.EXCEPTIONS: 7, Column.MAY_EXCHANGE: 0b101},
    "nobody but the dealer": {Column.HEARTS_OUT: 0, Column.EXCEPTIONS: 2, Column.MAY_EXCHANGE: 0},
}


@pytest.mark.parametrize("name", EXCHANGES)
def test_cards_are_exchanged_as_the_lot_has_it(plain: Row, name: str) -> None:
    row = tuple(EXCHANGES[name].get(at, value) for at, value in enumerate(plain))
    rng, only_hearts = Random(name), 0
    for block in range(DEALS // min(BLOCK, DEALS)):
        some = [dealt_out(rng) for _ in range(min(BLOCK, DEALS))]
        (hands, talon), numbers = filled(some), range(BLOCK * block, BLOCK * block + BLOCK)
        swaps, dealt = np.full((8, BLOCK), NO_CARD, np.uint8), np.zeros(BLOCK, np.int64)
        starts = np.array([lots.start_stream(4, number) for number in numbers], np.uint64)
        lockstep.exchange_block(np.array(row, np.int64), starts, hands, talon, dealt, swaps)
        for lane, places in enumerate(some):
            only_hearts += any(all(c >> 4 == 1 for c in hand) for hand in places[:4])
            assert exchanged(places, row, stream(4, numbers[lane])) == swaps[:, lane].tolist()
            assert [*map(int, hands[:, lane]), int(talon[lane])] == [signed(make_card_mask(one)) for one in places]
    assert only_hearts > 5


def test_who_likes_all_cards_alike_takes_the_card_that_the_lot_says(plain: Row) -> None:
    row = tuple(EXCHANGES["some hearts"].get(at, value) for at, value in enumerate(plain))
    rng, nothing = Random(6), np.zeros((8, 14), np.int64)
    for number in range(40):
        places, draw = dealt_out(rng), stream(4, number)
        hands = np.array([[signed(make_card_mask(one))] for one in places[:4]], np.int64)
        swaps, lying = np.full((8, 1), NO_CARD, np.uint8), set(places[4])
        start = np.uint64(lots.start_stream(4, number))
        talon = singly.exchange_one(
            np.array(row, np.int64), nothing, start, hands, signed(make_card_mask(lying)), 0, swaps
        )
        for seat in (0, 2):
            new = one_of(lying, draw(24 + 3 * seat + 2))
            lying.remove(new)
            assert int(swaps[4 + seat, 0]) == new
        laid = {int(card) for card in swaps[:4, 0] if card != NO_CARD}
        assert len(laid) == 3 and signed(make_card_mask(lying | laid)) == int(talon)
        assert swaps[1, 0] == swaps[5, 0] == swaps[7, 0] == NO_CARD


def exchanged_and_played(row: Row) -> tuple[PlayedDeals, list[list[set[int]]]]:
    """Deals exchanged and played by a row, with hands and talon as they were after the exchange."""
    rules, rng, parts, found = np.array(row, np.int64), Random(11), list[PlayedDeals](), list[list[set[int]]]()
    while len(found) < DEALS:
        some, deals = [dealt_out(rng) for _ in range(min(BLOCK, DEALS))], played.allocate_deals(BLOCK)
        (hands, talon), dealt = filled(some), np.zeros(BLOCK, np.int64)
        starts = np.array([lots.start_stream(11, len(found) + lane) for lane in range(BLOCK)], np.uint64)
        deals.swaps[:] = NO_CARD
        lockstep.exchange_block(rules, starts, hands, talon, dealt, deals.swaps)
        deals.hands[:], deals.talon[:] = hands, talon
        played_out(rules, starts, deals)
        after = [[int(n) & (1 << 64) - 1 for n in deals.hands[:, lane]] for lane in range(len(some))]
        found += [[{c for c in PACK if bits >> c & 1} for bits in one] for one in after]
        parts.append(deals)
    return joined(parts), found


def rightly_exchanged(hands: Sequence[set[int]], swaps: Sequence[int], row: Row) -> bool:
    """Whether nobody took a card who might not, nor laid away a heart against the rules, having nothing else."""
    for seat, hand in enumerate(hands):
        out, taken = swaps[seat], swaps[4 + seat]
        if taken != NO_CARD and not row[Column.MAY_EXCHANGE] >> seat & 1:
            return False
        before = {*hand, out} - {taken}
        hearts_only = all(c >> 4 == 1 for c in before) and not row[Column.HEARTS_OUT]
        if out != NO_CARD and (out not in may_go(before, row) or (hearts_only and may_go({*before, 0}, row) == {0})):
            return False
    return True


@pytest.mark.parametrize("name", EXCHANGES)
def test_an_exchange_against_the_rules_of_another_table_is_forbidden_there(plain: Row, name: str) -> None:
    rows = {one: tuple(changes.get(at, value) for at, value in enumerate(plain)) for one, changes in EXCHANGES.items()}
    deals, hands = exchanged_and_played(rows[name])
    seen = set[bool]()
    for other, row in rows.items():
        again = work.replay_piece_deals(deals, np.array(row, np.int64))
        for lane, mine in enumerate(hands):
            rightly = rightly_exchanged(mine, deals.swaps[:, lane].tolist(), row)
            assert bool(int(again.told[lane]) >> FORBIDDEN & 1) == (not rightly), (other, lane)
            assert int(again.told[lane]) >> FORBIDDEN + 1 == int(deals.told[lane]) >> FORBIDDEN + 1
            seen.add(rightly)
    assert seen == {True, False}


def test_nobody_renounces_who_leads_and_a_spade_may_be_renounced_from_the_two_upwards() -> None:
    hand = may = make_card_mask([1, 16])
    for led in range(3):
        assert singly.is_lawful_renounce(hand, 16, led, may) == 1
        assert singly.is_lawful_renounce(hand, 1, led, may) == 0
    assert singly.is_lawful_renounce(hand, 16, 32, may) == 0  # he holds no diamond
    assert singly.is_lawful_renounce(hand, 16, -1, may) == 0


@pytest.mark.parametrize(("taken", "rightly"), [(16, True), (0, False)], ids=["a heart", "a spade"])
def test_a_card_taken_from_the_talon_was_not_yet_in_hand_when_another_was_laid_away(
    plain: Row, taken: int, rightly: bool
) -> None:
    """A lone king of hearts may go: whoever has the two of hearts now had him alone, if it is the two that he took."""
    changes: Changes = {
        Column.HEARTS_OUT: 0,
        Column.EXCEPTIONS: EXCEPTED["lone-king-or-queen"],
        Column.MAY_EXCHANGE: 0b111,
    }
    row = tuple(changes.get(at, value) for at, value in enumerate(plain))
    hands = [{16, *range(8), 32, 33}, set(PACK[20:31]), set(PACK[31:42]), {*PACK[42:], 34, 35, 36, 37, 38}]
    swaps, king = np.full((8, 1), NO_CARD, np.uint8), 16 + 11
    swaps[0], swaps[4] = king, taken
    bits = np.array([[signed(make_card_mask(one))] for one in hands], np.int64)
    assert bool(singly.is_exchange_legal(np.array(row, np.int64), bits, 0, swaps)) == rightly
    assert rightly_exchanged(hands, swaps[:, 0].tolist(), row) == rightly
