"""Estimates from counts: shares and means, each with the interval that chance leaves it.

A sample sees a part of all cases. What it does not see once in n cases may still happen: the upper bound is given, and
never "never".
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist

CONFIDENCE_LEVEL = 0.95  #: how often an interval holds the true value


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, and the interval in which the true one lies so far as chance allows."""

    value: float
    low: float
    high: float

    def times(self, factor: float) -> Estimate:
        """The same in another unit."""
        return Estimate(self.value * factor, self.low * factor, self.high * factor)

    def apart(self, other: Estimate) -> bool:
        """Return whether the two intervals do not touch."""
        return self.high < other.low or other.high < self.low


def compute_z_value(sure: float) -> float:
    """Compute how many standard errors to either side make a two-sided interval."""
    return NormalDist().inv_cdf((1 + sure) / 2)


def estimate_share(events: int, of: int, sure: float = CONFIDENCE_LEVEL) -> Estimate:
    """Estimate a share with its Wilson interval, which holds for rare events too."""
    if not of:
        return Estimate(0.0, 0.0, 1.0)
    share, k = events / of, compute_z_value(sure) ** 2
    middle = (share + k / (2 * of)) / (1 + k / of)
    half = sqrt(k * (share * (1 - share) / of + k / (4 * of * of))) / (1 + k / of)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Estimate(share, 0.0 if not events else low, 1.0 if events == of else high)


def estimate_mean(total: int, squares: int, of: int, sure: float = CONFIDENCE_LEVEL) -> Estimate:
    """Estimate a mean with its interval by the normal curve; fewer than two cases tell nothing."""
    if of < 2:
        return Estimate(total / of if of else 0.0, 0.0, inf)
    half = compute_z_value(sure) * compute_standard_error(total, squares, of)
    return Estimate(total / of, max(0.0, total / of - half), total / of + half)


def compute_standard_error(total: int, squares: int, of: int) -> float:
    """Compute the standard error of a mean."""
    return compute_deviation(total, squares, of) / sqrt(of) if of > 1 else inf


def compute_deviation(total: int, squares: int, of: int) -> float:
    """Compute the standard deviation of single cases, in whole numbers as far as it goes."""
    return sqrt((of * squares - total * total) / (of * (of - 1))) if of > 1 else 0.0


def rule_of_three(of: int) -> float:
    """Upper bound, with 95 % certainty, for a share that was not seen once: 3/n."""
    return min(1.0, 3 / of) if of else 1.0
