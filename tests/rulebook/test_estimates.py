"""Estimates of shares and means: the textbooks' intervals, and their edges worked out by hand."""

from __future__ import annotations

from math import inf
from statistics import fmean, stdev

import pytest

from rulebook.estimates import (
    Estimate,
    compute_deviation,
    estimate_mean,
    estimate_share,
    rule_of_three,
)


def test_a_mean_of_one_deal_is_that_deal_and_may_truly_be_anything() -> None:
    found = estimate_mean(7, 49, 1)
    assert found == Estimate(7.0, 0.0, inf) and isinstance(found.value, float)


def test_what_was_not_seen_happens_in_three_of_so_many_deals_at_most_and_never_more_than_always() -> None:
    assert [rule_of_three(n) for n in (0, 1, 2, 3, 4, 300)] == [1.0, 1.0, 1.0, 1.0, 0.75, 0.01]


def test_an_interval_after_wilson_as_the_books_have_it() -> None:
    """Newcombe 1998: 81 of 263 gives 0.2553 to 0.3662; 0 of 20 gives 0 to 0.1611; 1 of 29 gives 0.0061 to 0.1718."""
    for events, of, low, high in ((81, 263, 0.2553, 0.3662), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)):
        found = estimate_share(events, of)
        assert (round(found.low, 4), round(found.high, 4), found.value) == (low, high, events / of)


def test_of_nothing_nothing_is_known() -> None:
    assert estimate_share(0, 0) == Estimate(0.0, 0.0, 1.0)
    assert estimate_mean(0, 0, 1).high == inf and rule_of_three(0) == 1.0


def test_mean_and_spread_are_those_of_the_single_deals() -> None:
    moved = [0, 0, 7, 3, 0, 12, 1]
    total, squares = sum(moved), sum(n * n for n in moved)
    found = estimate_mean(total, squares, len(moved))
    assert found.value == pytest.approx(fmean(moved))
    assert compute_deviation(total, squares, len(moved)) == pytest.approx(stdev(moved))
    assert found.high - found.value == pytest.approx(1.959964 * stdev(moved) / len(moved) ** 0.5)
