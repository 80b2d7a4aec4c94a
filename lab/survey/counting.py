"""Adding up: what every account has won, and how far two rulesets lie apart in the same deals."""

from __future__ import annotations

import numpy as np

from lab.survey.buffers import IntArray
from lab.survey.jit import i64, jit_compile
from lab.survey.pricing import PRICED_FORBIDDEN, PRICED_SETTLED


@jit_compile
def sum_deal_nets(nets: IntArray, became: IntArray, deals: int) -> tuple[int, IntArray, IntArray]:
    """Sum the nets of settled deals: number settled, net and squares of the four seats and the pool."""
    net, squares, settled = np.zeros(5, np.int64), np.zeros(5, np.int64), 0
    for at in range(deals):
        if became[at] == PRICED_SETTLED:
            settled += 1
            pool = i64(0)
            for seat in range(4):
                won = nets[at, seat]
                net[seat] += won
                squares[seat] += won * won
                pool -= won
            net[4] += pool
            squares[4] += pool * pool
    return settled, net, squares


@jit_compile
def count_moved_counters(own: IntArray, other: IntArray, at: int) -> int:
    """Count the counters that must change hands to make one result the other."""
    differ, pool = i64(0), i64(0)
    for seat in range(4):
        more = own[at, seat] - other[at, seat]
        differ += abs(more)
        pool += more
    return (differ + abs(pool)) >> 1


@jit_compile
def compare_deal_nets(
    own: IntArray,
    other: IntArray,
    was: IntArray,
    became: IntArray,
    deals: int,
    bounds: tuple[int, ...],
    steps: IntArray,
) -> IntArray:
    """Compare two settlements of the same deals.

    Returns: deals settled by both, forbidden by either, silent; changed; counters moved, their squares, the most, and
    where.

    `steps`: how many deals moved at least so much, and less than the next of `bounds`.
    """
    sums = np.zeros(8, np.int64)
    for at in range(deals):
        if was[at] == PRICED_FORBIDDEN or became[at] == PRICED_FORBIDDEN:
            sums[1] += 1
        elif was[at] != PRICED_SETTLED or became[at] != PRICED_SETTLED:
            sums[2] += 1
        else:
            moved = count_moved_counters(own, other, at)
            sums[0] += 1
            sums[3] += moved > 0
            sums[4] += moved
            sums[5] += moved * moved
            if moved > sums[6]:
                sums[6], sums[7] = moved, at
            step = 0
            while step + 1 < len(bounds) and moved >= bounds[step + 1]:
                step += 1
            steps[step] += 1
    return sums
