"""The search: it sees only what the player sees, finds what is plain, and wins against those who do not look ahead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engine.cards import cards_of, format_card, make_card_mask, make_pack, parse_card_name
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.players.view import TurnOrder, ask_turn_order
from engine.readings.ask import Ask
from engine.settlement.settle import Settled, settle
from lab.players.arena import CAUTIOUS_PLAYER, RANDOM_PLAYER, PlayingCompany, deal_to_company, play_company
from lab.players.exchange import DISCARDING, Offers, weigh_offers
from lab.players.search import Floats, TurnPositions, play_out_cards, solve_open_hands, weigh_cards
from lab.survey import chunk as piece
from lab.survey.buffers import FORBIDDEN, NO_CARD
from lab.survey.outcomes import layout
from lab.survey.request import Rules, SurveyOrder, SurveyTable
from rulebook.model import Library, Ruleset

pytestmark = pytest.mark.release  # a search goes through thousands of deals: only compiled

CAUTIOUS = np.full(4, CAUTIOUS_PLAYER)


def company(library: Library, source: str) -> PlayingCompany:
    """A company of a source, with its opening pool."""
    prices, these = piece.get_deal_pricer(library), Rules(source)
    return PlayingCompany.at_table(prices, these, 1785)


def mean_nets(table: PlayingCompany, kinds: list[int], deals: int) -> Floats:
    """What each kind of player wins a deal, every deal played from all four seats; [deals, 4]."""
    total = np.zeros((deals, 4))
    for turn in range(4):
        sitting = np.roll(np.array(kinds), turn)
        dealt = deal_to_company(table, range(deals), sitting)
        played = play_company(table, dealt, sitting)
        priced = table.prices.own(piece.TableDeals(played, tuple(map(int, table.coded))), table.rules, table.pool)
        assert not priced.became[:deals].any(), "every deal is lawful and settled"
        total += np.roll(priced.net[:deals], -turn, axis=1) / 4
    return total


def opening(seat: int, cards: str) -> TurnPositions:
    """A hand before the first card."""
    held = make_card_mask(parse_card_name(card) for card in cards.split())
    nothing, none = np.zeros((0, 1), np.uint8), np.zeros(1, np.int64)
    return TurnPositions(np.array([seat]), np.array([held]), none, none, nothing, nothing)


@pytest.mark.parametrize("source", ["PAM", "GER"])
def test_whoever_searches_wins_from_the_cautious_and_they_from_those_who_play_at_random(
    library: Library, source: str
) -> None:
    table = company(library, source)
    seeking = mean_nets(table, [16, CAUTIOUS_PLAYER, CAUTIOUS_PLAYER, CAUTIOUS_PLAYER], 64)
    among_random = mean_nets(table, [CAUTIOUS_PLAYER, RANDOM_PLAYER, RANDOM_PLAYER, RANDOM_PLAYER], 64)
    for net in (seeking, among_random):
        ahead = net[:, 0] - net[:, 1:].mean(axis=1)
        assert ahead.mean() > 2 * ahead.std() / len(ahead) ** 0.5


def test_the_cards_of_the_others_change_nothing(library: Library) -> None:
    """The same view, with the hidden cards shuffled: the same cards are weighed, with the same worth."""
    table, lot = company(library, "PAM"), Random(1)
    dealt = deal_to_company(table, range(4), CAUTIOUS)
    hands = dealt.hands.copy()
    for at in range(dealt.taken.size):  # the player is the eldest hand
        hidden = [*cards_of(int(hands[1, at] | hands[2, at] | hands[3, at]))]
        lot.shuffle(hidden)
        hands[1:, at] = [make_card_mask(hidden[11 * n : 11 * n + 11]) for n in range(3)]
    kinds = np.array([16, CAUTIOUS_PLAYER, CAUTIOUS_PLAYER, CAUTIOUS_PLAYER])
    one = play_company(table, dealt, kinds)
    dealt.hands[:] = hands
    other = play_company(table, dealt, kinds)
    assert (one.cards[0] == other.cards[0]).all()
    assert (one.cards[1] != other.cards[1]).any(), "the others had other cards"


def test_with_a_hand_made_for_it_the_reversis_is_undertaken(library: Library) -> None:
    table = company(library, "PAM")
    dealt = deal_to_company(table, range(1), CAUTIOUS)
    strong = "AS KS QS JS 9S AD KD QD JD 9D AC"
    held = [parse_card_name(card) for card in strong.split()]
    rest = sorted({*range(64)} & {c for c in range(64) if c & 15 < 13 and c & 15 != 8} - {*held})
    Random(5).shuffle(rest)
    hands = [held, rest[:11], rest[11:22], rest[22:33]]
    dealt.hands[:] = np.array([[make_card_mask(hand)] for hand in hands])
    dealt.talon[:] = make_card_mask(rest[33:])
    dealt.swaps[:] = 255
    kinds = np.array([64, CAUTIOUS_PLAYER, CAUTIOUS_PLAYER, CAUTIOUS_PLAYER])
    played = play_company(table, dealt, kinds)
    of = table.prices.rules(table.rules, table.pool)[2]
    outcome, _ = piece.TableDeals(played, tuple(map(int, table.coded))).outcome(tuple(map(int, table.coded)), of)
    assert outcome[0, layout.HERO] == 1
    assert outcome[0, layout.MADE_FIELD]


def choose_best(deal: Deal, line: list[int], seat_after: Callable[[list[int]], int], ruleset: Ruleset) -> list[int]:
    """What each player wins if everyone chooses what serves him best, by the readable path; a list for each seat."""
    if len(line) == 44:
        whole = replace(deal, tricks=tuple(tuple(line[at : at + 4]) for at in range(0, 44, 4)))
        found = settle(whole, ruleset)
        return [found.net[seat] for seat in range(4)] if isinstance(found, Settled) else []
    seat = seat_after(line)
    held = [card for card in sorted(deal.hands[seat]) if card not in line]
    tried = [choose_best(deal, [*line, card], seat_after, ruleset) for card in held]
    return max((one for one in tried if one), key=lambda one: one[seat], default=[])


@pytest.mark.parametrize("source", ["PAM", "ACA"])
def test_the_last_two_tricks_are_solved_as_the_readable_path_solves_them(library: Library, source: str) -> None:
    table = company(library, source)
    order = SurveyOrder(3, "cautious", 40, (SurveyTable(table.rules),))
    ruleset, checked = table.prices.bind(table.rules)[0], 0
    for deal in piece.deals_of(order, library, order.tables[0], range(12)):
        turns = ask_turn_order(Ask(ruleset), deal.dealer, 4)
        seen = turns.name_players(deal.tricks[:9])
        line = [card for _, card in seen]
        cards = np.array(line, np.uint8)[:, None]
        players = np.array([seat for seat, _ in seen], np.uint8)[:, None]
        seat = turns.find_next_player(deal.tricks[:9])
        zero = np.zeros(1, np.int64)
        held = np.array([make_card_mask(deal.hands[seat])])
        turn = TurnPositions(np.array([seat]), held, zero, zero, cards, players)
        found = play_out_cards(table.prices, table.rules, turn, table.pool, 4, seed=9)
        weighed = found.weigh(table.prices)
        for world in range(4):  # who knows it to be the world comes to the same
            hands, pack = found.hands[:, :, world], np.int64(make_card_mask(make_pack(48)))
            openly = solve_open_hands(
                table.prices, table.rules, turn, table.pool, hands, pack ^ np.bitwise_or.reduce(hands)
            )
            assert openly.card.tolist() == weighed.card.tolist()
            assert openly.worth[:, 0].tolist() == weighed.worth[:, world].tolist()

        def seat_after(cards: list[int], turns: TurnOrder = turns) -> int:
            return turns.find_next_player([cards[at : at + 4] for at in range(0, len(cards), 4)])

        for world in range(4):
            hands = tuple(frozenset(cards_of(int(hand))) for hand in found.hands[:, 0, world])
            talon = make_pack(48) - frozenset[int]().union(*hands)
            imagined = replace(deal, hands=hands, talon=tuple(sorted(talon)), exchange=(), gifts=())
            for row, card in enumerate(weighed.card.tolist()):
                expected = choose_best(imagined, [*line, card], seat_after, ruleset)
                assert weighed.worth[row, world] == expected[seat]
                checked += 1
    assert checked > 60


def test_a_quinola_is_not_led_while_another_card_can_be(library: Library) -> None:
    table = company(library, "PAM")
    found = weigh_cards(table.prices, table.rules, opening(0, "JH 2H 3H 4H 2S 3S 4S 2D 3D 2C 3C"), table.pool)
    worth = dict(zip(map(format_card, found.card.tolist()), found.means.tolist(), strict=True))
    assert len(worth) == 11
    assert min(worth, key=lambda card: worth[card]) == "JH"
    assert int(found.choose(1)[0]) != parse_card_name("JH")


def test_a_larger_pool_makes_the_quinola_dearer(library: Library) -> None:
    table = company(library, "PAM")
    hand = opening(0, "JH 2H 3H 4H 2S 3S 4S 2D 3D 2C 3C")
    quinola = parse_card_name("JH")

    def worth_of_lead(stake: int) -> float:
        found = weigh_cards(table.prices, table.rules, hand, Pool(stake))
        return float(found.means[found.card.tolist().index(quinola)])

    assert worth_of_lead(400) < worth_of_lead(45)


@pytest.mark.parametrize("source", ["PAM", "HOY"])
def test_what_is_laid_away_is_lawful_and_the_dealer_keeps_eleven(library: Library, source: str) -> None:
    """The replay marks an unlawful exchange; here everyone searches, in HOY across the table too."""
    table = company(library, source)
    everyone = np.full(4, 4)
    dealt = deal_to_company(table, range(8), everyone)
    counts = {int(hand).bit_count() for hand in dealt.hands.ravel()}
    assert counts == {11}
    assert {int(talon).bit_count() for talon in dealt.talon} == {4}
    played = play_company(table, dealt, everyone)
    assert not (played.told >> FORBIDDEN & 1).any()


def test_a_lone_ace_is_rather_laid_away_than_a_two(library: Library) -> None:
    """A lone ace falls to the first lead of its suit, and is paid for; a two of a long suit takes nothing."""
    table = company(library, "PAM")
    hand = make_card_mask(map(parse_card_name, "AS 7D 2H 3H 4H 5H 2C 3C 4C 5C 6C".split()))  # noqa: SIM905
    offers = Offers(0, np.array([hand]), np.zeros(1, np.int64))
    found = weigh_offers(table.prices, table.rules, offers, DISCARDING, table.pool, 256)
    worth = dict(zip(found.card.tolist(), found.means.tolist(), strict=True))
    assert NO_CARD in worth, "one need not exchange"
    assert worth[parse_card_name("AS")] > worth[parse_card_name("2C")]
