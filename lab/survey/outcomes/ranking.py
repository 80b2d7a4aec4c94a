"""Criteria for who is best: compiled, for one deal."""

from __future__ import annotations

from lab.survey.buffers import IntArray
from lab.survey.encode_rules import DEALER
from lab.survey.jit import count_bits, find_lowest_bit, i64, jit_compile, jit_inline
from lab.survey.outcomes import layout

DEALER_ALONE = 1 << DEALER  #: the set of seats that holds nobody else


# ---- who is best
@jit_inline
def narrow_to_least(seats: int, a: int, b: int, c: int, d: int) -> int:
    """Return the seats that have the least of something, of those in question."""
    far = i64(1 << 20)
    w = a if seats & 1 else far
    x = b if seats & 2 else far
    y = c if seats & 4 else far
    z = d if seats & 8 else far
    bound = min(min(w, x), min(y, z))
    least = i64(w == bound) | i64(x == bound) << 1 | i64(y == bound) << 2 | i64(z == bound) << 3
    return least & seats


@jit_inline
def least_of(seats: int, counts: IntArray, what: int, sign: int) -> int:
    """Return the seats with the least, or most, of what was counted."""
    return narrow_to_least(
        seats, sign * counts[0, what], sign * counts[1, what], sign * counts[2, what], sign * counts[3, what]
    )


@jit_compile
def narrow_seats(criterion: int, seats: int, counts: IntArray, last: bool) -> int:
    """Return the seats that one criterion leaves; `last`: the dealer is the worst placed, not the best."""
    if criterion == layout.FEWEST_POINTS:
        return least_of(seats, counts, layout.POINTS_TAKEN, 1)
    if criterion == layout.MOST_POINTS:
        return least_of(seats, counts, layout.POINTS_TAKEN, -1)
    if criterion == layout.FEWEST_TRICKS:
        return least_of(seats, counts, layout.TRICKS_, 1)
    if criterion == layout.MOST_TRICKS:
        return least_of(seats, counts, layout.TRICKS_, -1)
    if criterion == layout.FEWEST_MARKING:
        return least_of(seats, counts, layout.MARKING, 1)
    if criterion == layout.FEWEST_BUT_ONE:
        return least_of(seats & ~seats_without_trick(counts), counts, layout.TRICKS_, 1)
    if criterion == layout.FEWER_THAN_ALL:
        fewest = least_of(i64(15), counts, layout.MARKING, 1)
        return seats & fewest if count_bits(fewest) == 1 else i64(0)
    if criterion == layout.UNMARKED_OR_FEWER:
        fewest = least_of(i64(15), counts, layout.MARKING, 1)
        return fewest if fewest & ~seats == 0 else seats & seats_with_none(counts, layout.MARKING)
    if criterion == layout.DEALER_APART:
        fewer = least_of(i64(15), counts, layout.TRICKS_, 1) == DEALER_ALONE
        unmarked = counts[DEALER, layout.MARKING] == 0 or least_of(i64(15), counts, layout.MARKING, 1) == DEALER_ALONE
        return seats & DEALER_ALONE if fewer and unmarked else seats & ~DEALER_ALONE
    if criterion == layout.WITHOUT_COURT:
        return seats & seats_without_court(counts)
    if criterion == layout.RATHER_WITHOUT:
        return seats & seats_without_court(counts) if seats & seats_without_court(counts) else seats
    if criterion == layout.TRICKLESS:
        return seats & seats_without_trick(counts) if seats & seats_without_trick(counts) else seats
    if criterion == layout.BEST_PLACED:
        return least_of(seats, counts, layout.BEST_LAST if last else layout.BEST_FIRST, 1)
    if criterion == layout.WORST_PLACED:
        return least_of(seats, counts, layout.WORST_LAST if last else layout.WORST_FIRST, 1)
    if criterion == layout.FIRST_IN_PLAY:
        return seats & -seats
    if criterion == layout.ELDEST_IF_TIED:
        return seats if count_bits(seats) < 2 else i64(1) | (seats & -seats)
    if criterion == layout.ALONE_:
        return seats if count_bits(seats) == 1 else i64(0)
    return i64(0)


@jit_inline
def seats_with_none(counts: IntArray, what: int) -> int:
    """Return the seats that have none of what was counted."""
    return (
        i64(counts[0, what] == 0)
        | i64(counts[1, what] == 0) << 1
        | i64(counts[2, what] == 0) << 2
        | i64(counts[3, what] == 0) << 3
    )


@jit_inline
def seats_without_court(counts: IntArray) -> int:
    """Return who has taken no ace, king or queen."""
    return seats_with_none(counts, layout.COURT_)


@jit_inline
def seats_without_trick(counts: IntArray) -> int:
    """Return who has taken no trick."""
    return seats_with_none(counts, layout.TRICKS_)


@jit_compile
def best_seat(o: IntArray, criteria: int, candidates: int, counts: IntArray) -> int:
    """Return 1 and the first seat that a list leaves; 0 where it leaves none, or is empty; -1 where it is silent."""
    seats = candidates if o[criteria] >= 0 else i64(0)
    had = seats
    for at in range(criteria, criteria + layout.MAX_CRITERIA):
        if o[at] < 0:
            if o[at] == layout.ENDS_UNDECIDED and count_bits(seats) > 1:
                return i64(-1)
            break
        if (o[at] == layout.BEST_PLACED or o[at] == layout.WORST_PLACED) and o[layout.PLACING] < 0:
            return i64(-1)
        seats = narrow_seats(o[at], seats, counts, o[layout.PLACING] == layout.P_LAST)
    seats &= had
    return find_lowest_bit(seats) + 1 if seats else i64(0)


@jit_compile
def equal_seats(o: IntArray, criteria: int, counts: IntArray) -> int:
    """Return the seats that are equal in all that a list looks at, before it keeps equals apart."""
    seats, any_ = i64(15), False
    for at in range(criteria, criteria + layout.MAX_CRITERIA):
        if o[at] < 0:
            break
        if not layout.AMONG[o[at]]:
            seats, any_ = narrow_seats(o[at], seats, counts, False), True
    return seats if any_ else i64(0)
