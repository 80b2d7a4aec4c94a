"""The search: it sees only what the player sees, finds what is plain, and wins against those who do not look ahead."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from engine.cards import cards_of, format_card, make_card_mask, parse_card_name
from engine.deal.pool import Pool
from engine.players.arena import CAUTIOUS_PLAYER, RANDOM_PLAYER, Company, deal_cards, play_company
from engine.players.search import Floats, Positions, weigh_cards
from engine.survey import piece
from engine.survey.jit import INTERPRETED
from engine.survey.outcomes import layout
from engine.survey.request import Rules
from rulebook.model import Library

pytestmark = pytest.mark.skipif(INTERPRETED, reason="a search goes through thousands of deals: only compiled")


def company(library: Library, source: str) -> Company:
    """A company of a source, with its opening pool."""
    prices, these = piece.get_deal_pricer(library), Rules(source)
    return Company(prices, these, prices.bind(these)[1], 1785)


def mean_nets(table: Company, kinds: list[int], deals: int) -> Floats:
    """What each kind of player wins a deal, every deal played from all four seats; [deals, 4]."""
    dealt, total = deal_cards(table, range(deals)), np.zeros((deals, 4))
    for turn in range(4):
        sitting = np.tile(np.roll(np.array(kinds), turn), (dealt.taken.size, 1))
        played = play_company(table, dealt, sitting)
        priced = table.prices.own(piece.TableDeals(played, tuple(map(int, table.coded))), table.rules, table.pool)
        assert not priced.became[:deals].any(), "every deal is lawful and settled"
        total += np.roll(priced.net[:deals], -turn, axis=1) / 4
    return total


def opening(seat: int, cards: str) -> Positions:
    """A hand before the first card."""
    held = make_card_mask(parse_card_name(card) for card in cards.split())
    nothing, none = np.zeros((0, 1), np.uint8), np.zeros(1, np.int64)
    return Positions(np.array([seat]), np.array([held]), none, none, nothing, nothing)


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
    dealt = deal_cards(table, range(4))
    hands = dealt.hands.copy()
    for at in range(dealt.taken.size):  # the player is the eldest hand
        hidden = [*cards_of(int(hands[1, at] | hands[2, at] | hands[3, at]))]
        lot.shuffle(hidden)
        hands[1:, at] = [make_card_mask(hidden[11 * n : 11 * n + 11]) for n in range(3)]
    kinds = np.tile([16, CAUTIOUS_PLAYER, CAUTIOUS_PLAYER, CAUTIOUS_PLAYER], (dealt.taken.size, 1))
    one = play_company(table, dealt, kinds)
    dealt.hands[:] = hands
    other = play_company(table, dealt, kinds)
    assert (one.cards[0] == other.cards[0]).all()
    assert (one.cards[1] != other.cards[1]).any(), "the others had other cards"


def test_with_a_hand_made_for_it_the_reversis_is_undertaken(library: Library) -> None:
    table = company(library, "PAM")
    dealt = deal_cards(table, range(1))
    strong = "AS KS QS JS 9S AD KD QD JD 9D AC"
    held = [parse_card_name(card) for card in strong.split()]
    rest = sorted({*range(64)} & {c for c in range(64) if c & 15 < 13 and c & 15 != 8} - {*held})
    Random(5).shuffle(rest)
    hands = [held, rest[:11], rest[11:22], rest[22:33]]
    dealt.hands[:] = np.array([[make_card_mask(hand)] for hand in hands])
    dealt.talon[:] = make_card_mask(rest[33:])
    dealt.swaps[:] = 255
    kinds = np.tile([64, CAUTIOUS_PLAYER, CAUTIOUS_PLAYER, CAUTIOUS_PLAYER], (dealt.taken.size, 1))
    played = play_company(table, dealt, kinds)
    of = table.prices.rules(table.rules, table.pool)[2]
    outcome, _ = piece.TableDeals(played, tuple(map(int, table.coded))).outcome(tuple(map(int, table.coded)), of)
    assert outcome[0, layout.HERO] == 1
    assert outcome[0, layout.MADE_FIELD]


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
