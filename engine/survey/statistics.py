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

from engine.survey.tally import Versus

T = TypeVar("T")

SURE = 0.95  #: how often an interval holds the true value
FEW = 30  #: with fewer deals that move counters a mean and its interval are a guess


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
        """Whether the two intervals do not touch."""
        return self.high < other.low or other.high < self.low


@dataclass(frozen=True, slots=True)
class Weight:
    """What one ruleset costs beside a table's own, in the table's smallest counters."""

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
        """Whether so few deals moved counters that the mean rests on next to nothing."""
        return 0 < self.moving < FEW

    @property
    def known(self) -> bool:
        """Whether enough deals were settled both ways to speak of a mean at all."""
        return self.settled > 1

    @property
    def heft(self) -> tuple[float, float]:
        """By what the dearest is chosen: counters moved; where none are, how often the result is another."""
        return self.of_pool.value, self.changed.value

    @property
    def at_most(self) -> float:
        """Of something that was never seen: the greatest share of deals in which it may still happen."""
        return rule_of_three(self.deals)


def weight(count: Versus, pool: int, sure: float = SURE) -> Weight:
    """The figures of one comparison."""
    deals = count.settled + count.forbidden
    return Weight(
        deals,
        count.settled,
        count.silent,
        wilson(count.changed + count.forbidden, deals, sure),
        wilson(count.forbidden, deals, sure),
        mean(count.moved, count.squares, count.settled, sure),
        deviation(count.moved, count.squares, count.settled),
        count.moved / count.changed if count.changed else 0.0,
        count.worst,
        count.worst_deal,
        count.changed + count.forbidden,
        count.changed,
        pool,
    )


# ---- intervals
def z(sure: float) -> float:
    """How many standard errors to either side make an interval that is right so often."""
    return NormalDist().inv_cdf((1 + sure) / 2)


def wilson(events: int, of: int, sure: float = SURE) -> Estimate:
    """A share and its interval, after Wilson: it stays between nought and one, and is honest of rare events too."""
    if not of:
        return Estimate(0.0, 0.0, 1.0)
    share, k = events / of, z(sure) ** 2
    middle = (share + k / (2 * of)) / (1 + k / of)
    half = sqrt(k * (share * (1 - share) / of + k / (4 * of * of))) / (1 + k / of)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Estimate(share, 0.0 if not events else low, 1.0 if events == of else high)


def mean(total: int, squares: int, of: int, sure: float = SURE) -> Estimate:
    """A mean and its interval by the normal curve; one deal, or none, tells nothing."""
    if of < 2:
        return Estimate(total / of if of else 0.0, 0.0, inf)
    half = z(sure) * error(total, squares, of)
    return Estimate(total / of, max(0.0, total / of - half), total / of + half)


def error(total: int, squares: int, of: int) -> float:
    """The standard error of a mean."""
    return deviation(total, squares, of) / sqrt(of) if of > 1 else inf


def deviation(total: int, squares: int, of: int) -> float:
    """By how much single deals differ from the mean; reckoned in whole numbers as far as it goes."""
    return sqrt((of * squares - total * total) / (of * (of - 1))) if of > 1 else 0.0


def rule_of_three(of: int) -> float:
    """What was not seen once in so many deals happens, with 95 % certainty, in no more than three in so many."""
    return min(1.0, 3 / of) if of else 1.0


# ---- rankings
@dataclass(frozen=True, slots=True)
class Place(Generic[T]):
    """One thing in a ranking, with the best and the worst rank that chance leaves open."""

    one: T
    best: int
    worst: int


def ranked(these: Iterable[T], of: Callable[[T], Estimate]) -> tuple[Place[T], ...]:
    """The greatest first. A thing is surely behind those alone whose whole interval lies above its own."""
    row: Sequence[T] = sorted(these, key=lambda one: -of(one).value)
    lows, highs = [of(one).low for one in row], [of(one).high for one in row]
    return tuple(
        Place(one, 1 + sum(low > of(one).high for low in lows), sum(high >= of(one).low for high in highs))
        for one in row
    )
