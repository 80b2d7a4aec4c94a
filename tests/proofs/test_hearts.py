"""Hearts, by which the method of the players is compared: its rules, its points, and what the search sees."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import cards_of, make_card_mask, parse_card_name
from lab.survey.jit import INTERPRETED
from proofs import ismcts
from proofs.hearts import HeartsSearch, find_hearts_plays, find_hearts_turn, play_hearts
from proofs.ismcts import HEARTS_LADDER, HeartsMatch, number_action, number_their_card

compiled = pytest.mark.skipif(INTERPRETED, reason="the search is played compiled")


def cards(words: str) -> list[int]:
    return [parse_card_name(word) for word in words.split()]


def may(hand: str, step: int, led: str = "", broken: bool = False) -> set[int]:
    asked = cards(led)[0] if led else -1
    return {*cards_of(int(find_hearts_plays(np.int64(make_card_mask(cards(hand))), step, asked, int(broken))))}


def deal(seed: int) -> np.ndarray:  # type: ignore[type-arg]
    order = np.random.default_rng(seed).permutation([16 * suit + rank for suit in range(4) for rank in range(13)])
    return np.array([make_card_mask(order[seat::4].tolist()) for seat in range(4)], np.int64)


def play(hands: np.ndarray, known: list[int]) -> tuple[list[int], list[int], list[int]]:  # type: ignore[type-arg]
    line, players, points = np.zeros(52, np.uint8), np.zeros(52, np.uint8), np.zeros(4, np.int64)
    line[: len(known)] = known
    play_hearts(HeartsSearch(1, 0).liked, len(known), np.uint64(1), hands, line, players, points)
    return line.tolist(), players.tolist(), points.tolist()


def test_the_two_of_clubs_leads_and_no_heart_before_hearts_are_broken() -> None:
    assert may("2C 5C AH", 0) == {*cards("2C")}
    assert may("5C AH QS", 8) == {*cards("5C QS")}
    assert may("5C AH QS", 8, broken=True) == {*cards("5C AH QS")}
    assert may("3H AH", 8) == {*cards("3H AH")}


def test_suit_is_followed_and_no_point_falls_on_the_first_trick() -> None:
    assert may("5C 9C AH", 1, "2C") == {*cards("5C 9C")}
    assert may("5D AH QS", 1, "2C") == {*cards("5D")}
    assert may("5D AH QS", 5, "2C") == {*cards("5D AH QS")}
    assert may("AH QS", 1, "2C") == {*cards("AH QS")}


@compiled
def test_whoever_takes_all_points_has_none_and_the_others_26_each() -> None:
    hands = np.array([0x1FFF << 16 * suit for suit in range(4)], np.int64)  # all clubs sit together
    line, players, points = play(hands, [])
    assert players[::4] == [3] * 13 and line[0] == cards("2C")[0]
    assert points == [26, 26, 26, 0]


@compiled
@pytest.mark.parametrize("seed", range(5))
def test_every_card_is_played_lawfully_and_all_points_are_counted(seed: int) -> None:
    hands = deal(seed)
    line, players, points = play(hands, [])
    left = hands.copy()
    for step, (card, who) in enumerate(zip(line, players, strict=True)):
        legal = int(find_hearts_turn(left[who], np.array(line[:step], np.uint8)))
        assert legal >> card & 1
        left[who] ^= 1 << card
    assert (left == 0).all() and sum(points) in (26, 78)


@compiled
def test_a_choice_depends_on_what_the_player_sees_alone() -> None:
    hands = deal(3)
    line, players, _ = play(hands, [])
    step = next(at for at in range(20, 40) if players[at] == 0)
    before, who = (np.array(row[:step], np.uint8) for row in (line, players))
    first = HeartsSearch(16, 5).choose(0, int(hands[0]), before, who)
    assert first == HeartsSearch(16, 5).choose(0, int(hands[0]), before, who)
    assert int(hands[0]) >> first & 1 and first not in line[:step]


@compiled
def test_who_is_last_to_a_trick_with_the_queen_does_not_take_it() -> None:
    hands = deal(1)
    held = make_card_mask(cards("AS 2S 3D 4D 5D 6D 7D 8D 3H 4H 5H 6H 7H"))
    before = np.array(cards("2C 9C 10C JC QC KC AC 3C 4S KS QS"), np.uint8)
    who = np.array([1, 2, 3, 0, 3, 0, 1, 2, 1, 2, 3], np.uint8)
    before[3], before[5] = cards("8D 7D")  # he has no clubs
    assert hands.size == 4 and HeartsSearch(16, 1).choose(0, held, before, who) == cards("2S")[0]


def test_cards_are_numbered_as_openspiel_numbers_them() -> None:
    assert [number_their_card(action) for action in (0, 1, 2, 3, 51)] == cards("2C 2D 2H 2S AS")
    assert [number_action(number_their_card(action)) for action in range(52)] == [*range(52)]


def test_what_is_not_as_expected_is_named() -> None:
    def lines(ahead: float) -> dict[str, ismcts.MatchLine]:
        found = dict[str, ismcts.MatchLine]()
        for match, _ in ismcts.list_hearts_matches(64):
            ours = isinstance(match.one, int)
            pace = (1.0, 8.0) if ours else (8.0, 1.0)
            won = ahead if ours else -ahead
            found[str(match)] = {
                "points ahead": won,
                "give or take": 0.5,
                "milliseconds a card": pace[0],
                "of the others": pace[1],
            }
        return found

    assert not [*ismcts.list_match_surprises(lines(0.6), 64)]
    assert len([*ismcts.list_match_surprises(lines(0.4), 64)]) == 2 * len(HEARTS_LADDER)
    assert str(HeartsMatch(64, (256, 10.0))) == "search 64 against ISMCTS 256"
