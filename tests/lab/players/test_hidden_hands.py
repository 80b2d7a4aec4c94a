"""Lawful worlds: what a player knows holds in each, and every lawful way for the rest is as likely as any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from engine.cards import make_card_mask, make_pack, parse_card_name
from engine.deal.model import Deal
from engine.generation.deal import random_deal
from engine.generation.turn import TableShape
from engine.players.take_view import take_view
from engine.players.view import PlayerView, ask_turn_order
from engine.readings.ask import Ask
from lab.players.hidden_hands import CLASSES, draw_worlds
from lab.survey.buffers import Bytes, IntArray
from lab.survey.encode_rules import build_play_rules_array
from lab.survey.jit import INTERPRETED
from lab.survey.rng import start_stream
from rulebook.model import Library
from rulebook.resolve import rules

PACK = make_pack(48)
#: so many draws that a share is known to about one in a hundred
DRAWS = 400 if INTERPRETED else 20_000


def number(words: str) -> list[int]:
    """Return the numbers of some cards."""
    return [parse_card_name(word) for word in words.split()]


@pytest.fixture(scope="module")
def nine_tricks() -> tuple[list[tuple[int, ...]], list[list[int]]]:
    """Nine tricks, and who played each card; in the ninth the second has no diamond."""
    rows = [
        tuple(number(row))
        for row in (
            "2S 3S 4S 5S",
            "6S 7S 8S 9S",
            "JS QS KS AS",
            "2H 3H 4H 5H",
            "6H 7H 8H 9H",
            "JH QH KH AH",
            "2D 3D 4D 5D",
            "2C 3C 4C 5C",
            "6D 6C 7D 8D",
        )
    ]
    players, leader = [], 0
    for row in rows:
        players.append([(leader + place) % 4 for place in range(4)])
        led = row[0] >> 4
        leader = players[-1][max(range(4), key=lambda at: (row[at] >> 4 == led, row[at]))]
    return rows, players


def all_worlds(unseen: frozenset[int], lacking: int, barred: frozenset[int]) -> Iterator[tuple[int, ...]]:
    """Every way to give two cards each to three players and four to the talon; one player may have none of some."""
    for one in combinations(sorted(unseen), 2):
        for other in combinations(sorted(unseen - {*one}), 2):
            for third in combinations(sorted(unseen - {*one, *other}), 2):
                hands = one, other, third
                if not {*hands[lacking]} & barred:
                    yield tuple(map(make_card_mask, hands))


def draw(
    library: Library, source: str, held: list[int], aside: int, played: tuple[Bytes, Bytes], me: int, draws: int
) -> tuple[float, IntArray, IntArray]:
    """Draw worlds, and return how many there are, the hands, and the talons."""
    coded = build_play_rules_array(rules(library, source))
    hands, talon = np.zeros((4, draws), np.int64), np.zeros(draws, np.int64)
    ways = np.zeros((CLASSES, 12, 12, 12, 12))
    view = (me, make_card_mask(held), aside, 0)
    found = draw_worlds(coded, view, played, np.uint64(start_stream(1, 2)), hands, talon, 0, draws, ways)
    return found, hands, talon


@pytest.mark.slow
def test_every_lawful_world_is_as_likely_as_any_other(
    library: Library, nine_tricks: tuple[list[tuple[int, ...]], list[list[int]]]
) -> None:
    rows, players = nine_tricks
    cards = np.array([c for row in rows for c in row], np.uint8)
    who = np.array([p for row in players for p in row], np.uint8)
    me = players[6][0]
    lacking = players[8][1]
    mine = [c for c, p in zip(cards.tolist(), who.tolist(), strict=True) if p == me] + number("QD 7C")
    unseen = PACK - {*cards.tolist(), *mine}
    others = [seat for seat in range(4) if seat != me]
    diamonds = frozenset(c for c in unseen if c >> 4 == 2)
    expected = {*all_worlds(unseen, others.index(lacking), diamonds)}
    found, hands, talon = draw(library, "PAM", mine, 0, (cards, who), me, DRAWS)
    assert found == len(expected)
    gone = make_card_mask(cards.tolist())
    drawn = Counter(tuple(int(hands[seat, at]) & ~gone for seat in others) for at in range(DRAWS))
    assert {*drawn} <= expected
    assert all(int(hands[me, at]) == make_card_mask(mine) for at in range(DRAWS))
    whole = make_card_mask(PACK)
    assert all(int(sum(hands[:, at])) + int(talon[at]) == whole for at in range(DRAWS))
    assert_equally_likely(drawn, len(expected))


def assert_equally_likely(drawn: Counter[tuple[int, ...]], worlds: int) -> None:
    """All worlds come about as often, by the chi-squared of the draws; the few of an interpreted run cannot tell."""
    if not INTERPRETED:
        share, free = DRAWS / worlds, worlds - 1
        chi = sum((times - share) ** 2 / share for times in drawn.values()) + share * (worlds - len(drawn))
        assert abs(chi - free) < 5 * (2 * free) ** 0.5, "some worlds come more often than others"


def lawful_worlds(deal: Deal, view: PlayerView, ask: Ask) -> set[tuple[int, ...]]:
    """Every way to hold the other cards by which the play so far was lawful, as the readable engine judges it."""
    order = ask_turn_order(ask, deal.dealer, 4)
    shown = [{card for who, card in view.played if who == seat} for seat in range(4)]
    others = [seat for seat in range(4) if seat != view.seat]
    unseen = PACK - view.held - {card for _, card in view.played}
    room = [11 - len(shown[seat]) for seat in others]
    found = set()
    for first in combinations(sorted(unseen), room[0]):
        for second in combinations(sorted(unseen - {*first}), room[1]):
            for third in combinations(sorted(unseen - {*first, *second}), room[2]):
                held = dict(zip(others, (first, second, third), strict=True))
                held[view.seat] = tuple(view.held)
                hands = [frozenset(shown[seat] | {*held[seat]}) for seat in range(4)]
                talon = tuple(PACK.difference(*hands))
                seated = tuple(hands[(seat - order.eldest) % 4] for seat in range(4))
                if not take_view(replace(deal, hands=seated, talon=talon), ask)[1]:
                    found.add(tuple(make_card_mask(held[seat]) for seat in others))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "seed", "kind"),
    [("PAM", 323, "won"), ("PAM", 32, "lost"), ("HOY", 362, "lost"), ("HOY", 140, "lost"), ("HOY", 0, "lost")],
)
def test_who_did_not_follow_lacks_the_suit_or_has_the_espagnolettes_privilege(
    library: Library, source: str, seed: int, kind: str
) -> None:
    """Just the lawful worlds, and each as likely as any other, with two or three cards left to each player."""
    ruleset = rules(library, source)
    whole = random_deal(ruleset, seed, TableShape(4, 48, 11, 4), wish=f"espagnolette {kind}", exchange=False)
    deal = replace(whole, tricks=(*whole.tricks[:9], whole.tricks[9][:2]), fragment=True)
    view, problems = take_view(deal, Ask(ruleset))
    assert view is not None, problems
    expected = lawful_worlds(deal, view, Ask(ruleset))
    cards, who = (np.array([one[at] for one in view.played], np.uint8) for at in (1, 0))
    found, hands, _ = draw(library, source, [*view.held], 0, (cards, who), view.seat, DRAWS)
    others, gone = [seat for seat in range(4) if seat != view.seat], make_card_mask(cards.tolist())
    drawn = Counter(tuple(int(hands[seat, at]) & ~gone for seat in others) for at in range(DRAWS))
    assert {*drawn} <= expected and len(expected) <= found
    assert_equally_likely(drawn, len(expected))


def test_what_a_player_laid_away_lies_in_the_talon(library: Library) -> None:
    nothing = np.zeros(0, np.uint8)
    mine, aside = number("2S 3S 4S 5S 6S 7S 8S 9S JS QS KS"), make_card_mask(number("AC"))
    found, hands, talon = draw(library, "PAM", mine, aside, (nothing, nothing), 1, 50)
    assert found > 0
    assert all(int(talon[at]) & aside and int(talon[at]).bit_count() == 4 for at in range(50))
    assert {int(hands[seat, at]).bit_count() for seat in range(4) for at in range(50)} == {11}


def test_no_world_is_drawn_where_none_is_lawful(library: Library) -> None:
    cards = np.array(number("2S 2H 2D 2C"), np.uint8)  # nobody but the leader has a spade, and he has but one
    mine = number("2S 3H 4H 5H 6H 7H 8H 9H JH QH KH")
    found, *_ = draw(library, "GER", mine, 0, (cards, np.arange(4, dtype=np.uint8)), 0, 4)
    assert found == 0
