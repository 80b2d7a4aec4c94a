"""Advice on what is laid away before play, tried: the choices that it advises against all others.

The search finds the best of both, from the player's hand alone. Then every choice is played out on the cards as they
were dealt, all else by the net of the source in all four seats, with the same lots, so that two choices differ in
nothing else. A deal is one lawful world of many: one case says little about the worth of a choice, many cases do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from engine.cards import cards_of, make_card_mask, suit_of
from engine.players import preferences as policies
from lab.players.arena import (
    NET_PLAYER,
    Lots,
    PlayingCompany,
    choose_offers,
    deal_unexchanged,
    exchange_as_chosen,
    make_card_bits,
    play_company,
    start_streams,
    swap_gifts,
)
from lab.players.counsel import (
    AdvisedCards,
    CounselTrial,
    TriedAdvice,
    add_case,
    list_worths,
    make_tried_advice,
    parse_cards,
)
from lab.players.exchange import DISCARDING, GIVING, Offers, list_discards, may_exchange, weigh_offers
from lab.players.search import Floats
from lab.survey import chunk as piece
from lab.survey.buffers import IntArray, PlayedDeals, allocate_deals
from lab.survey.encode_rules import PlayRuleColumn
from lab.survey.play_rules import BLOCK, list_quinolas
from lab.survey.request import SURVEY_SEATS

_MOST_CHOICES = 13  #: of one player: twelve cards, or eleven and none


# ---- conditions
def lay_away_sole(hand: int, may: int, trial: CounselTrial) -> AdvisedCards:
    """Lay one of these cards away that is the only one of its suit."""
    followed = make_card_mask(
        card for card in cards_of(hand & parse_cards(trial.cards)) if list_same_suit(hand, card) == [card]
    )
    return AdvisedCards(may & followed, may & ~followed)


def lay_away_lowest(hand: int, may: int, trial: CounselTrial) -> AdvisedCards:
    """Lay one of these cards away that is the lowest of its suit."""
    followed = make_card_mask(
        card for card in cards_of(hand & parse_cards(trial.cards)) if list_same_suit(hand, card)[0] == card
    )
    return AdvisedCards(may & followed, may & ~followed)


def list_same_suit(hand: int, card: int) -> list[int]:
    """List the cards of one suit in a hand, from the lowest."""
    return [other for other in cards_of(hand) if suit_of(other) == suit_of(card)]


DiscardCondition: TypeAlias = Callable[[int, int, CounselTrial], AdvisedCards]
#: Of a hand, and of what may be laid away of it, bit NO_CARD for nothing.
DISCARD_CONDITIONS: Mapping[str, DiscardCondition] = {
    "lay-away-sole": lay_away_sole,
    "lay-away-lowest": lay_away_lowest,
}


# ---- trying advice
def try_discards(
    company: PlayingCompany, trials: Sequence[CounselTrial], numbers: range, worlds: int, seed: int = 0
) -> tuple[TriedAdvice, ...]:
    """Try each of some pieces of advice on every discard to which it applies.

    Raises Unsurveyed, or ValueError where there is no net.
    """
    n = len(numbers)
    dealt, lots = deal_cards(company, numbers)
    tried = tuple(make_tried_advice(n) for _ in trials)
    for seat in range(SURVEY_SEATS):
        hands = dealt.hands[seat, :n]
        advised = list_advised_discards(company.coded, seat, hands, trials)
        if not advised:
            continue
        some = np.array([*advised], np.int64)
        offers = Offers(seat, hands[some], np.zeros_like(some))
        weighed = weigh_offers(company.prices, company.rules, offers, DISCARDING, company.pool, worlds, seed)
        rows = np.resize(np.arange(weighed.turn.size), -(-weighed.turn.size // BLOCK) * BLOCK)  # as fill the last block
        lanes = some[weighed.turn[rows]]
        worth = play_discards(company, pick_deals(company.coded, dealt, lanes), lots[lanes], seat, weighed.card[rows])
        played = replace(weighed, worth=worth[: weighed.turn.size, None], bent=0)
        best, fresh = list_worths(weighed), list_worths(played)
        for at, (deal, cases) in enumerate(advised.items()):
            for trial, cards in cases:
                add_case(tried[trial], deal, cards, best[at], fresh[at])
    return tried


def list_advised_discards(
    coded: IntArray, seat: int, hands: IntArray, trials: Sequence[CounselTrial]
) -> dict[int, list[tuple[int, AdvisedCards]]]:
    """List the hands to which some advice applies, with the advice by its number and the choices."""
    cases_by_hand = dict[int, list[tuple[int, AdvisedCards]]]()
    if not may_exchange(coded, seat):
        return cases_by_hand
    turn, card = np.zeros((2, _MOST_CHOICES * hands.size), np.int64)
    count = list_discards(coded, seat, hands, DISCARDING, turn, card)
    may = [0] * hands.size
    for at, choice in zip(turn[:count].tolist(), card[:count].tolist(), strict=True):
        may[at] |= 1 << choice
    for at, hand in enumerate(hands.tolist()):
        each = (
            (number, DISCARD_CONDITIONS[trial.condition](hand, may[at], trial)) for number, trial in enumerate(trials)
        )
        if cases := [(number, cards) for number, cards in each if cards.is_case]:
            cases_by_hand[at] = cases
    return cases_by_hand


# ---- the deals
def deal_cards(company: PlayingCompany, numbers: range) -> tuple[PlayedDeals, Lots]:
    """Deal the cards of a survey's deals, before anybody exchanges, and as many as fill the last block."""
    coded, n = company.coded, -(-len(numbers) // BLOCK) * BLOCK
    deals = allocate_company_deals(coded, n)
    deal_unexchanged(coded, company.seed, numbers.start, deals.hands, deals.talon, deals.told)
    return deals, start_streams(company.seed, numbers.start, n)


def allocate_company_deals(coded: IntArray, n: int) -> PlayedDeals:
    """Allocate so many deals with all that the rules look at."""
    return allocate_deals(n, len(piece.list_further_cards(coded)), bool(coded[PlayRuleColumn.ACROSS]))


def pick_deals(coded: IntArray, dealt: PlayedDeals, lanes: IntArray) -> PlayedDeals:
    """Copy the cards of some deals, a deal as often as it is named."""
    copies = allocate_company_deals(coded, lanes.size)
    copies.hands[:], copies.talon[:], copies.told[:] = dealt.hands[:, lanes], dealt.talon[lanes], dealt.told[lanes]
    return copies


def play_discards(company: PlayingCompany, deals: PlayedDeals, lots: Lots, seat: int, cards: IntArray) -> Floats:
    """Play deals in which one seat lays these cards away, all else by the net; return what the seat wins."""
    n, kinds = cards.size, np.full(SURVEY_SEATS, NET_PLAYER)
    exchange_by_net(company, deals, lots, seat, cards)
    played = play_company(company, deals, kinds)
    return company.settle(played, n)[:, seat].astype(np.float64)


def exchange_by_net(company: PlayingCompany, deals: PlayedDeals, lots: Lots, seat: int, cards: IntArray) -> None:
    """Have everyone exchange, and give, by the net, but for one seat that lays these cards away."""
    coded, dealt, every, nothing = company.coded, deals.talon.copy(), np.arange(cards.size), np.zeros_like(cards)
    for player in range(SURVEY_SEATS):
        if may_exchange(coded, player):
            who = player, deals.hands[player], nothing
            chosen = cards if player == seat else choose_offers(company, who, DISCARDING, NET_PLAYER, 0)
            exchange_as_chosen(player, every, chosen, lots, deals.hands, deals.talon, dealt, deals.swaps)
    if coded[PlayRuleColumn.ACROSS]:
        aside, usual = make_card_bits(deals.swaps[:4]), np.array(policies.build_preference_table(), np.int64)
        gifts = [
            choose_offers(company, (player, deals.hands[player], aside[player]), GIVING, NET_PLAYER, 0)
            for player in range(SURVEY_SEATS)
        ]
        swap_gifts(usual, list_quinolas(coded), lots, np.array(gifts), deals.hands, deals.swaps)
