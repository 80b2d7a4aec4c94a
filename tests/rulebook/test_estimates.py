"""Estimates of shares and means: the textbooks' intervals, and their edges worked out by hand."""

from __future__ import annotations

from math import inf, sqrt
from statistics import fmean, stdev
from typing import Any

import pytest

from rulebook.estimates import (
    CONFIDENCE_LEVEL,
    Estimate,
    compute_deviation,
    compute_standard_error,
    compute_z_value,
    estimate_mean,
    estimate_share,
    rule_of_three,
)

SIDE = 1.959964  #: standard errors to either side of a mean, for nineteen times in twenty


def interval(found: Estimate) -> Any:
    return pytest.approx((found.value, found.low, found.high), abs=1e-6)


def test_in_another_unit_the_value_and_both_bounds_are_multiplied() -> None:
    assert Estimate(2.0, 1.0, 4.0).times(0.5) == Estimate(1.0, 0.5, 2.0)
    assert Estimate(2.0, 1.0, 4.0).times(3) == Estimate(6.0, 3.0, 12.0)


@pytest.mark.parametrize(
    ("low", "high", "apart"), [(4, 5, True), (3, 5, False), (2, 2.5, False), (0, 1, False), (0, 0.5, True)]
)
def test_two_intervals_are_apart_if_one_lies_wholly_above_the_other_and_touching_is_not_apart(
    low: float, high: float, apart: bool
) -> None:
    one, other = Estimate(2, 1, 3), Estimate(low, low, high)
    assert one.apart(other) is apart and other.apart(one) is apart


def test_a_mean_of_one_deal_is_that_deal_and_may_truly_be_anything() -> None:
    found = estimate_mean(7, 49, 1)
    assert found == Estimate(7.0, 0.0, inf) and isinstance(found.value, float)


MEANS = {  # sum, sum of squares, number -> mean, lower and upper bound
    "no deal: nought, and truly anything": ((0, 0, 0), (0.0, 0.0, inf)),
    "two deals that cost the same have no spread": ((8, 32, 2), (4.0, 4.0, 4.0)),
    # 1, 2, 3: single deals differ by one, and the mean of three of them by one through the root of three
    "as much room below as above": ((6, 14, 3), (2.0, 2 - SIDE / sqrt(3), 2 + SIDE / sqrt(3))),
    # 0, 0, 3: the standard error is one, and nearly two of them would reach below
    "never below nought": ((3, 9, 3), (1.0, 0.0, 1 + SIDE)),
    # 1, 1, 1, 0: three quarters, and the standard error is a quarter
    "below one with a lower bound below one": ((3, 3, 4), (0.75, 0.75 - SIDE / 4, 0.75 + SIDE / 4)),
}


@pytest.mark.parametrize("name", MEANS)
def test_a_mean_stands_between_its_bounds(name: str) -> None:
    sums, bounds = MEANS[name]
    assert interval(estimate_mean(*sums)) == bounds


def test_of_one_deal_there_is_no_spread_and_no_end_to_the_error() -> None:
    assert compute_deviation(5, 25, 1) == 0.0 and compute_standard_error(5, 25, 1) == inf
    assert compute_deviation(0, 0, 0) == 0.0 and compute_standard_error(0, 0, 0) == inf


def test_two_deals_are_enough_for_a_spread_and_an_error() -> None:
    """Nought and two: each is one off the mean."""
    assert compute_deviation(2, 4, 2) == pytest.approx(sqrt(2))
    assert compute_standard_error(2, 4, 2) == pytest.approx(1.0)


def test_what_was_not_seen_happens_in_three_of_so_many_deals_at_most_and_never_more_than_always() -> None:
    assert [rule_of_three(n) for n in (0, 1, 2, 3, 4, 300)] == [1.0, 1.0, 1.0, 1.0, 0.75, 0.01]


def test_intervals_are_made_to_hold_nineteen_times_in_twenty() -> None:
    assert CONFIDENCE_LEVEL == 0.95 and compute_z_value(CONFIDENCE_LEVEL) == pytest.approx(SIDE, abs=1e-6)
    assert estimate_share(81, 263) == estimate_share(81, 263, 0.95)


def test_what_always_happened_may_truly_happen_always() -> None:
    """Newcombe's example of nought in twenty, turned round."""
    found = estimate_share(20, 20)
    assert (found.value, found.high, round(found.low, 4)) == (1.0, 1.0, 0.8389)


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
