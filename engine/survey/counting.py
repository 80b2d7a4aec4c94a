"""Adding up: what every account has won, and how far two rulesets lie apart in the same deals."""

from __future__ import annotations

import numpy as np

from engine.survey.buffers import Numbers
from engine.survey.jit import compiled, i64
from engine.survey.pricing import FORBID, SETTLED


@compiled
def sums(nets: Numbers, became: Numbers, deals: int) -> tuple[int, Numbers, Numbers]:
    """How many of so many deals were settled; what the four seats and the pool have won; and the squares of it."""
    net, squares, settled = np.zeros(5, np.int64), np.zeros(5, np.int64), 0
    for at in range(deals):
        if became[at] == SETTLED:
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


@compiled
def moved_in(one: Numbers, other: Numbers, at: int) -> int:
    """How many counters would have to change hands to make the one result of the other."""
    differ, pool = i64(0), i64(0)
    for seat in range(4):
        more = one[at, seat] - other[at, seat]
        differ += abs(more)
        pool += more
    return (differ + abs(pool)) >> 1


@compiled
def compared(
    one: Numbers, other: Numbers, was: Numbers, became: Numbers, deals: int, bounds: tuple[int, ...], steps: Numbers
) -> Numbers:
    """Deals settled by both, forbidden by either, silent; changed; counters moved, their squares, the most, and where.

    `steps`: how many deals moved at least so much, and less than the next of `bounds`.
    """
    found = np.zeros(8, np.int64)
    for at in range(deals):
        if was[at] == FORBID or became[at] == FORBID:
            found[1] += 1
        elif was[at] != SETTLED or became[at] != SETTLED:
            found[2] += 1
        else:
            moved = moved_in(one, other, at)
            found[0] += 1
            found[3] += moved > 0
            found[4] += moved
            found[5] += moved * moved
            if moved > found[6]:
                found[6], found[7] = moved, at
            step = 0
            while step + 1 < len(bounds) and moved >= bounds[step + 1]:
                step += 1
            steps[step] += 1
    return found
