"""Advice on play: where each condition applies, on hands made for it, and what a case and a claim come to."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from engine.cards import cards_of, format_card
from lab.players.arena import PlayingCompany
from lab.players.counsel import (
    ADVICE_CONDITIONS,
    CLAIM_CONDITIONS,
    AdvisedCards,
    CounselTrial,
    DealResults,
    TriedAdvice,
    TurnSight,
    add_case,
    average_cases,
    make_turn_sight,
    parse_cards,
    try_advice,
)
from lab.players.counsel_discards import DISCARD_CONDITIONS
from lab.players.search import TurnPositions
from lab.players.turns import find_next_seat
from lab.survey import chunk as piece
from lab.survey.buffers import HOLDER, allocate_deals
from lab.survey.request import Rules
from reversis.files.counsel_file import CounselTest
from rulebook.model import Library

NO_TERMS = CounselTrial("")


@pytest.fixture(scope="module")
def company(library: Library) -> PlayingCompany:
    prices, rules = piece.get_deal_pricer(library), Rules("PAM")
    return PlayingCompany.at_table(prices, rules, 1785)


def numbers(words: str) -> list[int]:
    return [next(cards_of(parse_cards([word]))) for word in words.split()]


def sight(company: PlayingCompany, hand: str, played: str = "", own: str = "") -> TurnSight:
    """The turn after some cards; the player holds a hand, and played what is his own before."""
    coded, cards = company.coded, np.array(numbers(played), np.uint8)
    players = np.zeros(cards.size, np.uint8)
    for at in range(cards.size):
        players[at] = find_next_seat(coded, cards[:at], players[:at], at)
    seat = np.array([find_next_seat(coded, cards, players, cards.size)])
    held, none = np.array([parse_cards([*hand.split(), *own.split()])]), np.zeros(1, np.int64)
    return make_turn_sight(coded, TurnPositions(seat, held, none, none, cards[:, None], players[:, None]), 0)


def advised(turn: TurnSight, condition: str, trial: CounselTrial = NO_TERMS) -> tuple[str, str]:
    found = ADVICE_CONDITIONS[condition](turn, trial)
    followed, against = (" ".join(sorted(map(format_card, cards_of(some)))) for some in found)
    return (followed, against) if found.is_case else ("", "")


NOTHING = ("", "")


def test_every_test_that_the_sources_name_is_known_here_and_no_other() -> None:
    tables = ADVICE_CONDITIONS, DISCARD_CONDITIONS, CLAIM_CONDITIONS
    assert {*get_args(CounselTest)} - {""} == {name for table in tables for name in table}
    assert len(get_args(CounselTest)) - 1 == sum(map(len, tables))


# ---- conditions
def test_below_the_card_led_is_a_choice_of_who_follows_suit_and_has_both(company: PlayingCompany) -> None:
    assert advised(sight(company, "KS 7S 3S 2H", "9S"), "play-below") == ("3S 7S", "KS")
    assert advised(sight(company, "JS 7S 2H", "9S KS"), "play-below") == ("7S", "JS")  # the card led, not the best
    assert advised(sight(company, "KS AS 2H", "9S"), "play-below") == NOTHING
    assert advised(sight(company, "7H 2H", "9S"), "play-below") == NOTHING
    assert advised(sight(company, "KS 7S"), "play-below") == NOTHING


def test_points_are_avoided_where_an_ace_or_court_card_lies(company: PlayingCompany) -> None:
    assert advised(sight(company, "JS KS 2S 4H", "9S QS"), "avoid-points") == ("2S JS", "KS")
    assert advised(sight(company, "KS 2S", "9S JC"), "avoid-points") == ("2S", "KS")
    assert advised(sight(company, "KS 2S", "9S 8S"), "avoid-points") == NOTHING


def test_the_last_player_takes_with_the_highest_and_a_card_that_does_not_take_is_no_part_of_it(
    company: PlayingCompany,
) -> None:
    assert advised(sight(company, "KS JS 9S 2S", "8S 3S 4S"), "take-high") == ("KS", "9S JS")
    assert advised(sight(company, "KS JS 9S 2S", "8S 3S"), "take-high") == NOTHING
    assert advised(sight(company, "KS 2S", "8S 3S 4S"), "take-high") == NOTHING


def test_after_taking_the_lowest_of_the_same_suit_is_led_if_it_is_lower(company: PlayingCompany) -> None:
    turn = sight(company, "4S 9S AS 2H", "KS 3S 5S 6S", "KS")
    assert advised(turn, "return-low") == ("4S", "2H 9S AS")
    assert advised(sight(company, "AS 2H", "KS 3S 5S 6S", "KS"), "return-low") == NOTHING
    assert advised(sight(company, "4S 2H"), "return-low") == NOTHING


def test_the_low_card_of_a_suit_with_a_high_one_is_led(company: PlayingCompany) -> None:
    trial = CounselTrial("lead-low", high="K", low="7")
    assert advised(sight(company, "KS 7S 5S 9H 3H"), "lead-low", trial) == ("5S", "3H 7S 9H KS")
    assert advised(sight(company, "KS 8S QH 3H"), "lead-low", trial) == NOTHING
    assert advised(sight(company, "KS 7S", "9S"), "lead-low", trial) == NOTHING


def test_cards_are_thrown_off_only_on_another_suit(company: PlayingCompany) -> None:
    aces = CounselTrial("throw-cards", ("AS", "AH", "AD", "AC"))
    first = CounselTrial("throw-cards", ("AD",), ("AS", "AH", "AC"))
    turn = sight(company, "AD AC 5D 3H", "9S")
    assert advised(turn, "throw-cards", aces) == ("AC AD", "3H 5D")
    assert advised(turn, "throw-cards", first) == ("AD", "AC")
    assert advised(turn, "throw-high") == ("AC AD", "3H 5D")
    following = sight(company, "AS 2S AD", "9S")
    assert advised(following, "throw-cards", aces) == advised(following, "throw-high") == NOTHING


def test_hearts_are_led_while_the_quinola_may_be_elsewhere(company: PlayingCompany) -> None:
    assert advised(sight(company, "9H 2H KS"), "lead-hearts") == ("2H 9H", "KS")
    assert advised(sight(company, "9H JH KS"), "lead-hearts") == NOTHING
    assert advised(sight(company, "9H KS", "AH JH 3H 2H", "AH"), "lead-hearts") == NOTHING


def test_plain_hearts_guard_the_quinola_where_the_choice_is_free(company: PlayingCompany) -> None:
    assert advised(sight(company, "JH 9H 2H KS 3C"), "guard-quinola") == ("3C KS", "2H 9H")
    assert advised(sight(company, "JH 9H 3C", "9S"), "guard-quinola") == ("3C", "9H")
    assert advised(sight(company, "JH 9H 3C", "8H"), "guard-quinola") == NOTHING
    assert advised(sight(company, "9H 3C"), "guard-quinola") == NOTHING


def test_a_card_is_kept_from_leading_where_there_is_another(company: PlayingCompany) -> None:
    trial = CounselTrial("keep-from-leading", ("JH",))
    assert advised(sight(company, "JH 9H 3C"), "keep-from-leading", trial) == ("3C 9H", "JH")
    assert advised(sight(company, "JH"), "keep-from-leading", trial) == NOTHING
    assert advised(sight(company, "JH 9H", "8H"), "keep-from-leading", trial) == NOTHING


# ---- cases
def test_a_case_is_chosen_by_what_was_found_and_priced_by_fresh_worlds() -> None:
    tried = TriedAdvice(*np.zeros((2, 1), np.int64), *np.zeros((3, 1)))
    low, mid, high = numbers("2S 3S KS")
    found, fresh = {low: 1.0, mid: 2.0, high: 3.0}, {low: 5.0, mid: 1.0, high: 2.5}
    both = AdvisedCards(parse_cards(["2S", "3S"]), parse_cards(["KS"]))
    add_case(tried, 0, both, found, fresh)
    assert (tried.cases[0], tried.agreed[0]) == (1, 0)
    assert (tried.cost[0], tried.gain[0], tried.ahead[0]) == (1.5, -1.5, 0.5)
    add_case(tried, 0, both, {high: 3.0}, fresh)
    assert tried.cases[0] == 1, "no card that follows it was priced"


def test_the_cases_of_a_deal_hang_together() -> None:
    mean, margin = average_cases(np.array([2.0, 0.0, 4.0, 0.0]), np.array([1, 1, 2, 0]))
    assert mean == 1.5
    assert margin == pytest.approx(1.96 * (3.5 * 3 / 2) ** 0.5 / 4)
    assert average_cases(np.array([2.0]), np.array([3]))[1] == float("inf")


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_advice_is_tried_in_the_same_turns_by_itself_and_among_others(company: PlayingCompany) -> None:
    below, high = CounselTrial("play-below"), CounselTrial("throw-high")
    both = try_advice(company, [below, high], range(4), 16)
    (alone,) = try_advice(company, [high], range(4), 16)
    for one in both:
        assert one.cases.sum() > 5 and (one.agreed <= one.cases).all()
        assert np.isfinite(one.gain).all() and one.gain.any()
    assert (alone.gain == both[1].gain).all() and (alone.cases == both[1].cases).all()


# ---- claims
def results(net: list[float], hands: list[str], holder: int = -1) -> DealResults:
    played = allocate_deals(1)
    played.hands[:, 0] = [parse_cards(hand.split()) for hand in hands]
    played.told[0] = (holder + 1) << HOLDER
    return DealResults(played, np.array([net]))


HANDS = ["AS 2S", "JH 3S", "KS QS", "4S 5S"]


@pytest.mark.parametrize(
    ("condition", "holder", "value", "cases"),
    [
        ("dealer-ahead", -1, 9.0 - -3.0, 1),
        ("holder-swings", -1, 6.0 - 4.0, 1),
        ("courts-lose", -1, 3.0 + 1.0, 1),
        ("espagnolette-ahead", 1, -6.0 - 2.0, 1),
        ("espagnolette-ahead", -1, 0.0, 0),
    ],
)
def test_a_claim_is_true_by_so_much_in_so_many_cases(condition: str, holder: int, value: float, cases: int) -> None:
    values, counts = CLAIM_CONDITIONS[condition](
        results([0.0, -6.0, -3.0, 9.0], HANDS, holder), CounselTrial(condition, ("JH",))
    )
    assert counts.tolist() == [cases]
    assert values.tolist() == pytest.approx([value])
