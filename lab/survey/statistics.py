"""From counts to figures: shares, means and rankings, each with the interval that chance leaves it.

A survey sees a sample of all deals. What it does not see once in n deals may still happen: the upper bound is told, and
never "never". The same cards are priced under all rulesets, so intervals that overlap may still be of different things;
those that do not overlap are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist
from typing import Generic, TypeVar

from lab.survey.tally import Versus

_T = TypeVar("_T")

CONFIDENCE_LEVEL = 0.95  #: how often an interval holds the true value
_FEW_MOVING_DEALS = 30  #: with fewer deals that move counters a mean and its interval are a guess


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


@dataclass(frozen=True, slots=True)
class Weight:
    """Weight of one ruleset beside a table's own, in the table's smallest counters."""

    deals: int  #: both settle it, or the other forbids it; those on which it is silent are left out
    settled: int  #: deals that both settle
    silent: int
    changed: Estimate  #: share of deals with another result, forbidden ones among them
    forbidden: Estimate  #: share of deals that the other rules forbid
    moved: Estimate  #: counters moved in a deal that both settle, on the mean
    spread: float  #: by how much single deals differ from that mean (standard deviation)
    when: float  #: counters moved in a deal that it changes, on the mean
    worst: int
    worst_deal: int
    events: int  #: deals with another result
    moving: int  #: deals that move counters
    pool: int  #: what lies in the pool before the deal

    @property
    def of_pool(self) -> Estimate:
        """Counters moved in a deal, as a share of the opening pool."""
        return self.moved.times(1 / self.pool if self.pool else 0.0)

    @property
    def few(self) -> bool:
        """True if so few deals moved counters that the mean rests on next to nothing."""
        return 0 < self.moving < _FEW_MOVING_DEALS

    @property
    def known(self) -> bool:
        """True if enough deals were settled both ways to speak of a mean at all."""
        return self.settled > 1

    @property
    def heft(self) -> tuple[float, float]:
        """Sort key of the most costly: counters moved, then share of changed results."""
        return self.of_pool.value, self.changed.value

    @property
    def at_most(self) -> float:
        """Of something that was never seen: the greatest share of deals in which it may still happen."""
        return rule_of_three(self.deals)


def estimate_weight(count: Versus, pool: int, sure: float = CONFIDENCE_LEVEL) -> Weight:
    """Estimate the weight of one comparison."""
    deals = count.settled + count.forbidden
    return Weight(
        deals,
        count.settled,
        count.silent,
        estimate_share(count.changed + count.forbidden, deals, sure),
        estimate_share(count.forbidden, deals, sure),
        estimate_mean(count.moved, count.squares, count.settled, sure),
        compute_deviation(count.moved, count.squares, count.settled),
        count.moved / count.changed if count.changed else 0.0,
        count.worst,
        count.worst_deal,
        count.changed + count.forbidden,
        count.changed,
        pool,
    )


# ---- intervals
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
    """Estimate a mean with its interval by the normal curve; fewer than two deals tell nothing."""
    if of < 2:
        return Estimate(total / of if of else 0.0, 0.0, inf)
    half = compute_z_value(sure) * compute_standard_error(total, squares, of)
    return Estimate(total / of, max(0.0, total / of - half), total / of + half)


def compute_standard_error(total: int, squares: int, of: int) -> float:
    """Compute the standard error of a mean."""
    return compute_deviation(total, squares, of) / sqrt(of) if of > 1 else inf


def compute_deviation(total: int, squares: int, of: int) -> float:
    """Compute the standard deviation of single deals, in whole numbers as far as it goes."""
    return sqrt((of * squares - total * total) / (of * (of - 1))) if of > 1 else 0.0


def rule_of_three(of: int) -> float:
    """Upper bound, with 95 % certainty, for a share that was not seen once: 3/n."""
    return min(1.0, 3 / of) if of else 1.0


# ---- rankings
@dataclass(frozen=True, slots=True)
class RankedItem(Generic[_T]):
    """Item of a ranking, with the best and the worst rank that chance leaves open."""

    one: _T
    best: int
    worst: int


def rank_estimates(these: Iterable[_T], of: Callable[[_T], Estimate]) -> tuple[RankedItem[_T], ...]:
    """Rank the greatest first; only one whose whole interval lies above is surely ahead."""
    row: Sequence[_T] = sorted(these, key=lambda one: -of(one).value)
    lows, highs = [of(one).low for one in row], [of(one).high for one in row]
    return tuple(
        RankedItem(one, 1 + sum(low > of(one).high for low in lows), sum(high >= of(one).low for high in highs))
        for one in row
    )
