"""Sharing out a difference among several causes, exactly and without favour to any order among them.

What a cause adds depends on which others are already there. Its share is the mean of what it adds over all orders in
which the causes may come (Shapley's value). That is the same as letting every other cause be there with one common
chance and taking the mean over all chances (Owen); so it can be read off a drawing in whole numbers, fork by fork,
without trying the orders.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import zip_longest
from typing import TypeAlias

from engine.interpretation.decision_diagram import Branch, End

Polynomial: TypeAlias = tuple[int, ...]  #: in the common chance, the constant first


def compute_shapley_shares(branch: Branch) -> Mapping[int, Fraction]:
    """Compute each choice's mean gain over all orders; numbers stand at the ends.

    In between every choice goes the second way with one common chance.
    """

    @cache
    def expected(branch: Branch) -> Polynomial:
        """The expected number."""
        return (branch.value,) if isinstance(branch, End) else _mix_polynomials(*map(expected, branch.ways))

    @cache
    def find_slopes(branch: Branch) -> Mapping[int, Polynomial]:
        """Return the gain, for every choice, of surely taking it the second way."""
        if isinstance(branch, End):
            return {}
        without, with_it = map(find_slopes, branch.ways)
        slopes = {at: _mix_polynomials(without.get(at, ()), with_it.get(at, ())) for at in {*without, *with_it}}
        return {**slopes, branch.choice: _subtract_polynomials(*map(expected, reversed(branch.ways)))}

    return {
        choice: sum((Fraction(n, at) for at, n in enumerate(slope, 1)), Fraction(0))
        for choice, slope in sorted(find_slopes(branch).items())
    }


def _subtract_polynomials(polynomial: Polynomial, other: Polynomial) -> Polynomial:
    return tuple(a - b for a, b in zip_longest(polynomial, other, fillvalue=0))


def _mix_polynomials(first: Polynomial, second: Polynomial) -> Polynomial:
    """Take the second polynomial with the common chance, otherwise the first."""
    more = (0, *_subtract_polynomials(second, first))
    return tuple(a + b for a, b in zip_longest(first, more, fillvalue=0))
