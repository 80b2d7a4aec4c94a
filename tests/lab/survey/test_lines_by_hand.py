"""The lines of the fast path that several quinolas, cards given across and a seat that goes for all tricks brought it.

Each function by itself, on cards laid by hand, against what follows from its rule; few numbers, so that all this is
quick where nothing is compiled, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from engine.cards import make_card_mask, parse_card_name
from engine.players.preferences import TO_LOSE, TO_TAKE, build_aim_tables, build_preference_table
from lab.survey import buffers as played
from lab.survey import chunk as work
from lab.survey import play_rules as lockstep
from lab.survey import play_single as singly
from lab.survey import rng as lots
from lab.survey.buffers import NO_CARD, IntArray, allocate_deals
from lab.survey.encode_rules import PLAY_RULES_WIDTH, generate_privilege_hands
from lab.survey.encode_rules import PlayRuleColumn as Column
from lab.survey.jit import i64
from lab.survey.play_rules import BLOCK
from lab.survey.pricing import PRICED_FORBIDDEN, PRICED_SETTLED, PRICED_SILENT, Priced, add_prices
from lab.survey.request import SURVEY_SEATS, Rules, SurveyOrder
from lab.survey.variants import find_unanswered_play
from rulebook.model import Library
from tests.lab.survey.test_further_cards import FROM_LIMIT, LITTLE
from tests.lab.survey.test_play import signed
from tests.lab.survey.test_play_lines import ALL, PACK, one_of, stirred, stream
from tests.support.settling import Rules as Bind

SEED = 1797
ACES = [12, 28, 44, 60]


def card(name: str) -> int:
    return parse_card_name(name)


def cards(names: str) -> set[int]:
    return {*map(parse_card_name, names.split())}


def held(names: str) -> int:
    """A hand as bits."""
    return i64(signed(make_card_mask(cards(names))))


JH, QH, TWO_S = card("JH"), card("QH"), card("2S")


def rules_of(**columns: int) -> IntArray:
    """Rules by which suit is followed and whoever takes leads; `columns` say what else."""
    row = np.zeros(PLAY_RULES_WIDTH, np.int64)
    plain = {"FIRST_SUIT": -1, "FOLLOW": 1, "TRUMP": -1, "TAKER_LEADS": 1, "QUINOLA": JH, "MAY_EXCHANGE": 7}
    for name, number in {**plain, **columns}.items():
        row[Column[name]] = number
    return row


def begun(number: int = 0) -> np.uint64:
    return np.uint64(lots.start_stream(SEED, number))


# ---- which cards are set apart
@pytest.mark.parametrize(
    ("trump", "further", "trumps"),
    [(JH, 0, 1 << JH), (JH, 1 << QH, 1 << JH | 1 << QH), (TWO_S, 0, 1), (-1, 0, 0), (-1, 1 << QH, 0)],
)
def test_all_privileged_cards_take_when_thrown_or_none(trump: int, further: int, trumps: int) -> None:
    assert lockstep.list_trumps(rules_of(TRUMP=trump, FURTHER=further)) == trumps


@pytest.mark.parametrize(
    ("names", "at"),
    [("3S", 0), ("JH", 1), ("QH AS", 3), ("AS AD AC AH", 8), ("JH QH", 11), ("JH QH AS AD", 15), ("JH AS AD", 5)],
)
def test_a_hand_is_found_by_its_aces_its_quinolas_and_the_cards_named(names: str, at: int) -> None:
    """Ten further on stand the hands that have all cards named."""
    quinolas = i64(1 << JH | 1 << QH)
    assert lockstep.index_privilege(held(names), quinolas, quinolas) == at


@pytest.mark.parametrize(
    ("others", "named", "alone"),
    [((), 0, JH), ((QH,), 0, JH), ((QH,), 1 << JH, QH), ((QH,), 1 << QH, JH), ((QH,), 1 << JH | 1 << QH, JH)],
)
def test_every_kind_of_hand_is_tried_with_a_quinola_that_is_not_all_that_is_named(
    others: tuple[int, ...], named: int, alone: int
) -> None:
    """First without, then with the cards that are named, if any."""
    expected = [
        make_card_mask(ACES[:aces]) | quinola << alone | more
        for more in ((0, named) if named else (0,))
        for aces in range(5)
        for quinola in range(2)
    ]
    assert [*generate_privilege_hands(JH, others, named)] == [*enumerate(expected)]


# ---- given across the table
def hands_by_lot(number: int) -> list[list[set[int]]]:
    """Four hands of eleven for so many deals."""
    rng, found = Random(SEED), []
    for _ in range(number):
        pack = rng.sample(PACK, 44)
        found.append([{*pack[11 * seat : 11 * seat + 11]} for seat in range(SURVEY_SEATS)])
    return found


def in_columns(deals: Sequence[Sequence[set[int]]]) -> IntArray:
    rows = [[signed(make_card_mask(deal[seat])) for deal in deals] for seat in range(SURVEY_SEATS)]
    return np.array(rows, np.int64)


def given_across(hands: Sequence[set[int]], gifts: Sequence[int]) -> list[set[int]]:
    """The hands after the cards were given."""
    return [(hands[seat] - {gifts[seat]}) | {gifts[(seat + 2) % 4]} for seat in range(SURVEY_SEATS)]


#: by seat, the draw that says what is given
GIFT_DRAWS = {0: 34, 2: 35, 1: 36, 3: 37}


def test_any_card_is_given_across_by_the_draw_of_its_seat() -> None:
    deals, gifts = hands_by_lot(BLOCK), np.zeros((4, BLOCK), np.uint8)
    hands = in_columns(deals)
    lockstep.give_block(np.array([begun(lane) for lane in range(BLOCK)], np.uint64), hands, gifts)
    for lane, deal in enumerate(deals):
        draw = stream(SEED, lane)
        expected = [one_of(deal[seat], draw(GIFT_DRAWS[seat])) for seat in range(SURVEY_SEATS)]
        assert gifts[:, lane].tolist() == expected
        assert hands[:, [lane]].tolist() == in_columns([given_across(deal, expected)]).tolist()


def luckiest(hand: set[int], draw: int) -> int:
    """Which of equally good cards the lot prefers."""
    return max(hand, key=lambda one: stirred(one + draw * 0x9E3779B97F4A7C15 & ALL) >> 32)


@pytest.mark.parametrize("giver", [-1, *range(SURVEY_SEATS)])
def test_of_equally_good_cards_the_draw_of_its_seat_says_which_is_given(giver: int) -> None:
    """But for a giver who was told what to give."""
    for number, deal in enumerate(hands_by_lot(3)):
        hands, swaps, draw = in_columns([deal]), np.full((12, 1), NO_CARD, np.uint8), stream(SEED, number)
        equal, wanted = np.zeros((7, 14), np.int64), min(deal[max(giver, 0)])
        into = rules_of(), equal, begun(number), hands, 0, swaps
        if giver < 0:
            singly.give_one(*into)
        else:
            singly.give_one(*into, giver, wanted)
        expected = [
            wanted if seat == giver else luckiest(deal[seat], draw(GIFT_DRAWS[seat])) for seat in range(SURVEY_SEATS)
        ]
        assert swaps[:, 0].tolist() == [NO_CARD] * 8 + expected
        assert hands.tolist() == in_columns([given_across(deal, expected)]).tolist()


def test_a_hand_of_hearts_alone_lays_a_heart_away_where_it_may_not() -> None:
    """For the dealer has to lay something away."""
    hands, swaps = np.zeros((4, 1), np.int64), np.full((8, 1), NO_CARD, np.uint8)
    hands[3] = held("2H 3H 4H 5H 6H 7H 8H 9H JH QH KH AH")
    liked = np.array(build_preference_table(), np.int64)
    talon = singly.exchange_seat(rules_of(), liked, begun(), hands, i64(0), 0, swaps, i64(0), 3)
    assert (swaps[3, 0], talon) == (card("AH"), held("AH"))
    assert hands[3, 0] == held("2H 3H 4H 5H 6H 7H 8H 9H JH QH KH")


# ---- what was laid away, judged anew
LONE_KING = {"HEARTS_OUT": 0, "EXCEPTIONS": 1}
SPADES = "3S 4S 5S 6S 7S 8S 9S JS QS KS"


@pytest.mark.parametrize("seat", range(SURVEY_SEATS))
@pytest.mark.parametrize(("gave", "got", "lawful"), [("2C", "2H", True), ("2H", "2C", False), ("2C", "3C", True)])
def test_a_king_laid_away_was_alone_by_what_was_held_before_cards_were_given(
    seat: int, gave: str, got: str, lawful: bool
) -> None:
    hands, swaps = np.zeros((4, 1), np.int64), np.full((12, 1), NO_CARD, np.uint8)
    hands[seat] = held(f"{SPADES} {got}")
    swaps[seat] = card("KH")
    swaps[8 + seat], swaps[8 + (seat + 2) % 4] = card(gave), card(got)
    swaps[8 + (seat + 1) % 4], swaps[8 + (seat + 3) % 4] = card("7D"), card("8D")
    assert bool(singly.is_exchange_legal(rules_of(ACROSS=1, **LONE_KING), hands, 0, swaps)) is lawful
    assert not singly.is_exchange_legal(rules_of(**LONE_KING), hands, 0, swaps)


def test_whoever_has_hearts_alone_has_not_exchanged_by_rules_that_forbid_it() -> None:
    hands, swaps = np.zeros((4, 1), np.int64), np.full((8, 1), NO_CARD, np.uint8)
    hands[3], swaps[3] = held("2H 3H 4H 5H 6H 7H 8H 9H JH QH KH"), card("AH")
    assert not singly.is_exchange_legal(rules_of(), hands, 0, swaps)
    assert singly.is_exchange_legal(rules_of(HEARTS_OUT=1), hands, 0, swaps)


# ---- what may be played
QUEEN, TWO = {"FURTHER": 1 << QH}, {"QUINOLA": TWO_S}
#: rules, the hand, what was led, the bits that free the lone quinola, hearts led before; what may be played
FREE_OR_NOT = [
    ({}, "JH 2S 3D", "5H", 0b01, 0, "JH 2S 3D"),
    ({}, "JH 2S 3D", "5H", 0b10, 0, "JH"),
    ({}, "JH 2S 3D", "5H", 0b10, 1, "JH 2S 3D"),
    ({}, "JH 2S 3D", "5H", 0b01, 1, "JH"),
    ({}, "KH 2S 3D", "5H", 0b11, 0, "KH"),
    ({}, "2S JH 3D", "5S", 0b11, 0, "2S"),
    ({}, "JH 2H 3S", "5H", 0b11, 0, "JH 2H"),
    (QUEEN, "QH 2S 3D", "5H", 0b01, 0, "QH 2S 3D"),
    (QUEEN, "JH 2S 3D", "5H", 0b01, 0, "JH 2S 3D"),
    (QUEEN, "QH JH 3S", "5H", 0b11, 0, "QH JH"),
    (TWO, "2S 5H 6D", "4S", 0b01, 0, "2S 5H 6D"),
    (TWO, "3S 5H 6D", "4S", 0b01, 0, "3S"),
    (TWO, "2S 3S 6D", "4S", 0b01, 0, "2S 3S"),
]


@pytest.mark.parametrize(("more", "names", "led", "free", "hearts", "may"), FREE_OR_NOT)
def test_a_lone_privileged_card_need_not_follow_where_it_is_free(
    more: dict[str, int], names: str, led: str, free: int, hearts: int, may: str
) -> None:
    rules, hand = rules_of(**more, FREE=free), held(names)
    assert singly.find_legal_plays(rules, hand, 0, card(led), False, free >> hearts & 1) == held(may)
    lanes = followed(rules, names, led, hearts=hearts)
    for lane, one in enumerate(lanes.card):
        assert one == one_of(cards(may), stream(SEED, lane)(41))
        alone = [c for c in cards(names) if c >> 4 == one >> 4] == [one]
        freely = alone and len(cards(may)) == 3 and one >> 4 == card(led) >> 4
        assert (lanes.noted[lane] >> played.ALONE & 1, lanes.noted[lane] >> played.FREE & 1) == (alone, freely)


class Followed:
    """A card in every lane, played to another's lead; each lane has its own lot."""

    def __init__(self) -> None:
        self.hand, self.card, self.noted, self.told = (np.zeros(BLOCK, np.int64) for _ in range(4))
        self.led, self.best, self.won, self.court = (np.zeros(BLOCK, np.int64) for _ in range(4))
        self.leader, self.holder, self.right, self.hearts = (np.zeros(BLOCK, np.int64) for _ in range(4))


def followed(rules: IntArray, names: str, led: str, best: str = "", hearts: int = 0, place: int = 1) -> Followed:
    lanes, streams = Followed(), np.array([begun(lane) for lane in range(BLOCK)], np.uint64)
    lanes.hand[:], lanes.led[:], lanes.best[:] = held(names), card(led), card(best or led)
    lanes.hearts[:] = hearts
    who = lanes.leader, lanes.holder, lanes.right, lanes.hearts
    lane = lanes.hand, lanes.led, lanes.card, lanes.noted, lanes.best, lanes.won, lanes.court
    lockstep.follow_block(rules, streams, 0, place, *lane, who, lanes.told)
    return lanes


@pytest.mark.parametrize(
    ("played_", "led", "best", "takes"),
    [
        ("JH", "5D", "9D", True),
        ("QH", "5D", "9D", True),
        ("QH", "5S", "5S", True),
        ("KH", "5D", "9D", False),
        ("2C", "5D", "9D", False),
        ("JH", "5D", "QH", False),
        ("QH", "5D", "JH", False),
        ("KD", "5D", "JH", False),
        ("QH", "5H", "KH", False),
        ("QH", "5H", "JH", True),
        ("JD", "5D", "9D", True),
        ("7D", "5D", "9D", False),
    ],
)
def test_the_first_privileged_card_thrown_takes_and_else_the_highest(
    played_: str, led: str, best: str, takes: bool
) -> None:
    rules = rules_of(TRUMP=JH, FURTHER=1 << QH)
    trumps = i64(1 << JH | 1 << QH)
    assert bool(singly.is_taking_trick(card(played_), card(led), card(best), trumps)) is takes
    lanes = followed(rules, played_, led, best, place=2)
    assert {*lanes.best.tolist()} == {card(played_ if takes else best)} and {*lanes.won.tolist()} == {2 * takes}
    assert not singly.is_taking_trick(card(played_), card(led), card(best), i64(0)) or played_[1] == led[1]


# ---- what is told of a card
@pytest.mark.parametrize("alone", range(2))
@pytest.mark.parametrize("free", range(2))
@pytest.mark.parametrize(("led", "court"), [("9D", 0), ("JD", 0), ("QD", 1 << 14 | 1 << 19), ("KD", 1 << 14)])
def test_what_is_told_of_a_card_has_its_bits(alone: int, free: int, led: str, court: int) -> None:
    """Alone, free, a court card led, the queen led, by whom the highest, and whether its player is privileged."""
    told = alone << 12 | free << 13 | court | 3 << 15 | 1 << 18
    assert lockstep.play_flags(alone, free, card(led), 3, 1) == told
    hand = held("6D 5S" if alone else "6D 5D")
    told = alone << 12 | (alone & free) << 13 | court | 3 << 15 | 1 << 18
    assert singly.encode_noted_card(hand, card("6D"), card(led), hand, not free, 3, True) == told


def test_every_privileged_card_has_its_row_of_facts_in_the_order_of_the_pack() -> None:
    """Led by west: the queen of hearts, the two of spades thrown, a king, the knave of hearts."""
    fact, noted = np.zeros((7, 1), np.int64), np.array([1, 2, 3, 4], np.int64) << 20
    row = np.array([QH, TWO_S, card("KH"), JH], np.int64)
    singly.note_special_cards(fact, 0, JH, i64(1 << TWO_S | 1 << QH), row, noted, 1 << played.LEADER)
    led, followed_, thrown = (manner << played.MANNER for manner in range(3))
    lying = [0, 0, 0, 0, 4 << 20 | followed_, 2 << 20 | 2 | thrown, 1 << 20 | 1 | led]
    assert fact[:, 0].tolist() == [one and one | 1 << played.LEADER for one in lying]


# ---- eleven tricks, some cards of which are given
def play(
    rules: IntArray, hands: Sequence[set[int]], known: Sequence[int] = (), bent: int = -1, liked: IntArray | None = None
) -> played.PlayedDeals:
    """A deal whose first cards are given, and the others chosen; by lot, if nothing is liked better."""
    deal = allocate_deals(1, int(rules[Column.FURTHER]).bit_count())
    deal.hands[:], deal.cards[: len(known), 0] = in_columns([hands]), known
    equal = np.zeros((2, 7, 14), np.int64) if liked is None else liked
    into = deal.facts, deal.taken, deal.takers, deal.told, deal.cards
    singly.play_single_deal(rules, equal, len(known), bent, begun(), 0, deal.hands, into)
    return deal


def takers_of(deal: played.PlayedDeals) -> list[int]:
    return [int(deal.takers[0]) >> 2 * trick & 3 for trick in range(11)]


def owners(hands: Sequence[set[int]], some: Sequence[int]) -> list[int]:
    return [seat for one in some for seat, hand in enumerate(hands) if one in hand]


@pytest.mark.parametrize("known", [1, 9, 20, 21, 43, 44])
def test_the_cards_that_are_given_are_played_and_the_others_chosen(known: int) -> None:
    """As they would have been, had none been given."""
    (hands,) = hands_by_lot(1)
    whole = play(rules_of(), hands)
    again = play(rules_of(), hands, whole.cards[:known, 0].tolist())
    assert again.cards.tolist() == whole.cards.tolist() and again.facts.tolist() == whole.facts.tolist()
    assert (takers_of(again), int(again.told[0])) == (takers_of(whole), 0)


def test_whoever_has_the_card_that_is_given_leads_and_unlawfully_if_another_took() -> None:
    (hands,) = hands_by_lot(1)
    whole = play(rules_of(), hands)
    first = whole.cards[:20, 0].tolist()
    for seat in range(SURVEY_SEATS):
        lead = min(hands[seat] - {*first})
        found = play(rules_of(), hands, [*first, lead])
        assert owners(hands, found.cards[20:24, 0].tolist()) == [(seat + place) % 4 for place in range(4)]
        assert bool(int(found.told[0]) >> played.FORBIDDEN & 1) is (seat != takers_of(whole)[4])


SOLE = ("2H 3S 4S 5S 6S 7S 8S 9S JS QS KS", "3H 4H 5H 6H 7H 8H 9H KH 2C 3C 4C")


@pytest.mark.parametrize(
    ("name", "rules", "is_free"),
    [
        ("JH", {"FREE": 1}, True),
        ("JH", {"FREE": 0b10}, False),
        ("JH", {"FREE": 0, "FOLLOW": 0}, True),
        ("AH", {"FREE": 1}, False),
        ("AH", {"FREE": 1, "FOLLOW": 0}, True),
        ("AH", {"FREE": 0, "FOLLOW": 0}, True),
    ],
)
def test_a_lone_card_has_followed_freely_where_nothing_bound_it(
    name: str, rules: dict[str, int], is_free: bool
) -> None:
    """South leads the two of hearts to him who has only this heart."""
    mine = {card(name), *cards("2D 3D 4D 5D 6D 7D 8D 9D JD QD")}
    taken = {*mine, *cards(" ".join(SOLE))}
    hands = [cards(SOLE[0]), mine, cards(SOLE[1]), {*[c for c in PACK if c not in taken][:11]}]
    row = 4 if name == "JH" else 1
    fact = int(play(rules_of(**rules), hands, [card("2H"), card(name)]).facts[row, 0])
    assert fact >> played.ALONE & 1 and bool(fact >> played.FREE & 1) is is_free


# ---- a seat that goes for all tricks
@pytest.mark.parametrize("bent", [-1, *range(SURVEY_SEATS)])
def test_who_goes_for_all_tricks_takes_and_the_others_break_it_from_the_sixth_on(bent: int) -> None:
    for seat in range(SURVEY_SEATS):
        aims = [singly.find_aim(bent, seat, trick) for trick in range(11)]
        breaks = 0 if seat == bent else 5 if bent >= 0 else 11
        assert aims == [TO_LOSE] * breaks + [TO_TAKE] * (11 - breaks)


def test_who_goes_for_all_tricks_leads_high_as_long_as_he_has_had_every_one() -> None:
    """South has eleven spades; with the lowest of them missing he takes all, with the ace missing none."""
    others = [c for c in PACK if c >> 4]
    liked = np.array(build_aim_tables(), np.int64)
    top = {one for one in PACK if one >> 4 == 0 and one != TWO_S}
    rest = [{*others[seat::3][:11]} for seat in range(3)]
    bent = play(rules_of(), [top, *rest], bent=0, liked=liked)
    assert bent.cards[::4, 0].tolist() == sorted(top, reverse=True) and takers_of(bent) == [0] * 11
    usual = play(rules_of(), [top, *rest], liked=liked)
    assert usual.cards[::4, 0].tolist() == sorted(top)
    low = {one for one in PACK if one >> 4 == 0 and one != card("AS")}
    broken = [low, {card("AS"), *sorted(rest[0])[:10]}, *rest[1:]]
    given_up = play(rules_of(), broken, bent=0, liked=liked)
    assert given_up.cards[0, 0] == card("KS") and takers_of(given_up)[0] == 1
    his = [one for one in given_up.cards[:, 0].tolist() if one in low]
    assert his[1:] == sorted(low - {card("KS")}, reverse=True)


def test_what_is_preferred_to_take_all_tricks_are_these_numbers() -> None:
    """From the two to the ace, the quinola like a knave; what is laid away as to lose."""
    to_lose, to_take = build_aim_tables()
    assert to_lose == build_preference_table()
    assert to_take == (
        (*range(41, 54), 50),
        (*range(33, 20, -1), 24),
        (*range(93, 80, -1), 84),
        (*range(81, 94), 90),
        (*range(53, 40, -1), 44),
        *to_lose[5:],
    )


# ---- room, prices, orders
def test_there_is_a_row_of_facts_for_every_special_card_and_a_row_of_swaps_for_every_gift() -> None:
    plain, more = allocate_deals(3), allocate_deals(3, 2, True)
    assert (plain.facts.shape, plain.swaps.shape) == ((5, 3), (8, 3))
    assert (more.facts.shape, more.swaps.shape) == ((7, 3), (12, 3)) and {*more.swaps.flat} == {NO_CARD}


def test_a_deal_about_a_further_card_has_its_row_of_facts_for_the_quinolas() -> None:
    deals = allocate_deals(1, 3)
    deals.facts[:, 0] = range(8)
    desk = work.TableDeals(deals, (0,))
    assert desk.about((0,), 0) is deals
    assert [desk.about((0,), at).facts[:, 0].tolist() for at in (1, 3)] == [[0, 1, 2, 3, 5], [0, 1, 2, 3, 7]]


def test_a_deal_is_settled_if_both_parts_are_and_else_what_the_first_says() -> None:
    states = [PRICED_SETTLED, PRICED_SILENT, PRICED_FORBIDDEN]
    one, other = np.repeat(states, 3), np.tile(states, 3)
    nets = [np.full((9, 4), number) for number in (2, 3)]
    both = add_prices(Priced(nets[0], one), Priced(nets[1], other))
    assert both.became.tolist() == [*states, *[PRICED_SILENT] * 3, *[PRICED_FORBIDDEN] * 3]
    assert both.net.tolist() == [[5] * 4] * 9


def test_the_price_of_a_deal_has_that_of_every_further_card(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is priced as if it were the quinola, with the facts and the outcome of its own."""
    these, prices, asked = Rules("PAM", (LITTLE,)), work.get_deal_pricer(library), []
    (_, pool), (_, row, of) = prices.bind(these), prices.rules(these)
    desk = work.TableDeals(allocate_deals(1, 1), row)
    desk.deals.facts[:, 0], outcome = range(6), (np.zeros((1, 13), np.int64), np.zeros((1, 4), np.int64))
    desk.decided[row, of, 1] = outcome

    def price(ruleset: object, tariff: object, deals: played.PlayedDeals, fields: object, *about: object) -> Priced:
        asked.append((deals.facts[:, 0].tolist(), fields is outcome, about[0]))
        return settled(3)

    monkeypatch.setattr(work, "price_deals", price)
    assert prices.with_further_cards(desk, these, (row, of), pool, settled(2)).net.tolist() == [[5] * 4]
    assert asked == [([0, 1, 2, 3, 5], True, QH)]


def settled(net: int) -> Priced:
    """One deal, in which each wins so much."""
    return Priced(np.full((1, 4), net), np.full(1, PRICED_SETTLED))


def test_orders_of_the_same_deals_are_the_same_whoever_plays() -> None:
    orders = [SurveyOrder(1, "skilled", 2, (), play=play_) for play_ in (None, sorted, min)]
    assert len({*orders}) == 1 and orders[0] == orders[1] and orders[0] != SurveyOrder(2, "skilled", 2, ())


def test_the_play_asks_in_vain_for_a_limit_that_no_rule_sets(library: Library, rules: Bind) -> None:
    asked = [*find_unanswered_play(library, rules("PAM", FROM_LIMIT))]
    assert asked == [library.questions["stake.limit-from"]] and not [*find_unanswered_play(library, rules("PAM"))]
