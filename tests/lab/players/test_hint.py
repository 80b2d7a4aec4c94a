"""A hint: what each card is worth, how sure that is, and that it depends on the view alone."""

from __future__ import annotations

import numpy as np
import pytest

from engine.cards import format_card, parse_card_name
from engine.deal.pool import Pool
from engine.players.view import PlayerView, SeenCard
from lab.players.hint import compare_samples, estimate_worth, list_position, select_samples, weigh_view
from lab.players.search import Weighed, weigh_cards
from lab.survey.chunk import get_deal_pricer
from lab.survey.encode_rules import Unsurveyed
from lab.survey.request import Rules
from rulebook.model import Library


def cards(words: str) -> frozenset[int]:
    return frozenset(map(parse_card_name, words.split()))


LOW_HEARTS = cards("JH 2H 3H 4H 2S 3S 4S 2D 3D 2C 3C")
OPENING = PlayerView(0, 4, LOW_HEARTS, pool=Pool(45))


def row(*values: float) -> np.ndarray:  # type: ignore[type-arg]
    return np.array(values, np.float64)


def test_an_estimate_is_the_mean_of_what_counts_with_its_standard_error() -> None:
    found = estimate_worth(row(1, 3, np.nan, 5, 7))
    assert found.value == 4
    half = 1.959964 * (20 / 3) ** 0.5 / 4**0.5
    assert (found.low, found.high) == pytest.approx((4 - half, 4 + half))
    assert found.low > 0 > estimate_worth(row(-1, 1)).low


def test_cards_are_compared_world_by_world() -> None:
    """Two cards that bring much in the same worlds and little in the same are told apart all the same."""
    one, two = row(1, 101, 1, 101), row(0, 100, 0, 100)
    assert compare_samples((one, 0), (two, 0)).low == compare_samples((one, 0), (two, 0)).value == 1
    apart = compare_samples((one, 0), (two, 4))
    assert apart.value == 1 and apart.low < 0 < apart.high, "other worlds: nothing is paired"


def test_where_a_player_may_go_for_all_tricks_the_better_plan_counts() -> None:
    worth = np.array([[10, 10, 0, 2, 0, 2], [0, 0, 3, 5, 3, 5], [np.nan, np.nan, 1, 1, 1, 1]], np.float64)
    cards = np.array([1, 2, 3])
    own = Weighed(np.zeros(3, np.int64), cards, worth, 2, np.array([True, True, True]))
    assert [(float(np.nanmean(sample)), first) for sample, first in select_samples(own)] == [(10, 0), (4, 2), (1, 2)]
    others = Weighed(np.zeros(3, np.int64), cards, worth, 2, np.array([False, False, False]))
    assert [first for _, first in select_samples(others)] == [0, 0, 0]


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_the_best_card_is_the_one_that_the_search_would_play(library: Library) -> None:
    prices, rules = get_deal_pricer(library), Rules("PAM")
    found = weigh_view(prices, rules, OPENING, 64, 1)
    assert len(found) == 11 and found == weigh_view(prices, rules, OPENING, 64, 1)
    chosen = weigh_cards(prices, rules, list_position(OPENING), OPENING.pool, 64, 1).choose(1)
    assert found[0].card == chosen[0] and format_card(found[-1].card) == "JH"
    assert not found[-1].as_good and found[0].behind.value == 0
    assert all(one.worth.low < one.worth.value < one.worth.high for one in found)


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_more_worlds_tell_more(library: Library) -> None:
    prices, rules = get_deal_pricer(library), Rules("PAM")
    few, many = (weigh_view(prices, rules, OPENING, worlds, 1)[-1] for worlds in (32, 1024))
    assert few.card == many.card
    assert few.worth.high - few.worth.low > 3 * (many.worth.high - many.worth.low)


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_no_hint_where_the_play_cannot_have_been_lawful(library: Library) -> None:
    """In the second trick all follow with hearts that somebody lacked in the first."""
    prices, rules = get_deal_pricer(library), Rules("PAM")
    held = cards("3S 4S 5S 6S 7S 8S 9S JS QS KS 2D")
    led = (SeenCard(0, parse_card_name("AS")), SeenCard(1, parse_card_name("2S")))
    assert weigh_view(prices, rules, PlayerView(2, 4, held, led), 16) != ()
    others = (SeenCard(2, parse_card_name("2D")), SeenCard(3, parse_card_name("3H")))
    assert (
        weigh_view(prices, rules, PlayerView(2, 4, held, (*led, *others, SeenCard(0, 49), SeenCard(1, 50))), 16) == ()
    )


def test_a_table_of_five_is_not_searched(library: Library) -> None:
    with pytest.raises(Unsurveyed, match="4 players with 48 cards"):
        weigh_view(get_deal_pricer(library), Rules("ACA"), PlayerView(0, 5, frozenset(range(9))))
