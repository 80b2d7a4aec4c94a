"""Sharing out a difference among several causes, exactly and without favour to any order among them.

What a cause adds depends on which others are already there. Its share is the mean of what it adds over all orders in
which the causes may come (Shapley's value). That is the same as letting every other cause be there with one common
chance and taking the mean over all chances (Owen); so it can be read off a drawing in whole numbers, fork by fork,
without trying the orders.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import zip_longest
from typing import TypeAlias

from engine.interpretation.decision_diagram import Branch, End

Polynomial: TypeAlias = tuple[int, ...]  #: in the common chance, the constant first


def compute_shapley_shares(branch: Branch) -> Mapping[int, Fraction]:
    """Compute each choice's mean gain over all orders; numbers stand at the ends."""
    slopes = Chances().slopes(branch)
    return {choice: _integrate_polynomial(slope) for choice, slope in sorted(slopes.items())}


class Chances:
    """Expectations of a drawing in which every choice goes the second way with one common chance."""

    def __init__(self) -> None:
        self._expected: dict[Branch, Polynomial] = {}
        self._slopes: dict[Branch, Mapping[int, Polynomial]] = {}

    def expected(self, branch: Branch) -> Polynomial:
        """The expected number."""
        if isinstance(branch, End):
            return (branch.value,)
        if branch not in self._expected:
            self._expected[branch] = _mix_polynomials(*map(self.expected, branch.ways))
        return self._expected[branch]

    def slopes(self, branch: Branch) -> Mapping[int, Polynomial]:
        """Return the gain, for every choice, of surely taking it the second way."""
        if isinstance(branch, End):
            return {}
        if branch not in self._slopes:
            without, with_it = map(self.slopes, branch.ways)
            found = {at: _mix_polynomials(without.get(at, ()), with_it.get(at, ())) for at in {*without, *with_it}}
            found[branch.choice] = _subtract_polynomials(*map(self.expected, reversed(branch.ways)))
            self._slopes[branch] = found
        return self._slopes[branch]


def _subtract_polynomials(one: Polynomial, other: Polynomial) -> Polynomial:
    return tuple(a - b for a, b in zip_longest(one, other, fillvalue=0))


def _mix_polynomials(first: Polynomial, second: Polynomial) -> Polynomial:
    """Take the second polynomial with the common chance, otherwise the first."""
    more = (0, *_subtract_polynomials(second, first))
    return tuple(a + b for a, b in zip_longest(first, more, fillvalue=0))


def _integrate_polynomial(one: Polynomial) -> Fraction:
    """Return the mean over all chances from zero to one."""
    return sum((Fraction(n, at) for at, n in enumerate(one, 1)), Fraction(0))
