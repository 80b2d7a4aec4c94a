"""Weight of one ruleset beside another: how often the result differs, and how many counters move.

The same cards are priced under all rulesets, so intervals that overlap may still be of different things; those that do
not overlap are.
"""

from __future__ import annotations

from dataclasses import dataclass

from lab.survey.tally import Versus
from rulebook.estimates import (
    CONFIDENCE_LEVEL,
    Estimate,
    compute_deviation,
    estimate_mean,
    estimate_share,
    rule_of_three,
)

_FEW_MOVING_DEALS = 30  #: with fewer deals that move counters a mean and its interval are a guess


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
