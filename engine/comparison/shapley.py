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


def shares(branch: Branch) -> Mapping[int, Fraction]:
    """What each choice adds, from its first way to its second, on the mean of all orders; numbers stand at the ends."""
    slopes = Chances().slopes(branch)
    return {choice: mean(slope) for choice, slope in sorted(slopes.items())}


class Chances:
    """What is to be expected of a drawing when every choice is taken the second way with one common chance."""

    def __init__(self) -> None:
        self._expected: dict[Branch, Polynomial] = {}
        self._slopes: dict[Branch, Mapping[int, Polynomial]] = {}

    def expected(self, branch: Branch) -> Polynomial:
        """The expected number."""
        if isinstance(branch, End):
            return (branch.value,)
        if branch not in self._expected:
            self._expected[branch] = mixed(*map(self.expected, branch.ways))
        return self._expected[branch]

    def slopes(self, branch: Branch) -> Mapping[int, Polynomial]:
        """How much more is to be expected, for every choice, when it is surely taken the second way."""
        if isinstance(branch, End):
            return {}
        if branch not in self._slopes:
            without, with_it = map(self.slopes, branch.ways)
            found = {at: mixed(without.get(at, ()), with_it.get(at, ())) for at in {*without, *with_it}}
            found[branch.choice] = less(*map(self.expected, reversed(branch.ways)))
            self._slopes[branch] = found
        return self._slopes[branch]


def less(one: Polynomial, other: Polynomial) -> Polynomial:
    """The one without the other."""
    return tuple(a - b for a, b in zip_longest(one, other, fillvalue=0))


def mixed(first: Polynomial, second: Polynomial) -> Polynomial:
    """The second with the common chance, otherwise the first."""
    more = (0, *less(second, first))
    return tuple(a + b for a, b in zip_longest(first, more, fillvalue=0))


def mean(one: Polynomial) -> Fraction:
    """The mean over all chances from nought to one."""
    return sum((Fraction(n, at) for at, n in enumerate(one, 1)), Fraction(0))
