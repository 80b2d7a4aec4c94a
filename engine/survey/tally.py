"""What a survey has counted: whole numbers only, so that pieces add up to the same sum in whatever order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import reduce
from operator import add

from engine.survey.request import ACCOUNTS, EVENTS

#: The sums at which the histogram of moved counters has its steps: 0, 1, 2 to 4, 5 to 9 ... 1000 and more.
STEPS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class Versus:
    """One other ruleset against the table's own, on the same cards as they were played.

    Counters *moved* are half the sum of what the five accounts (four seats, pool) differ by: so many counters would
    have to change hands to make the one result of the other. They are counted where both rulesets settle the deal.
    """

    settled: int = 0  #: deals that both rulesets settle
    forbidden: int = 0  #: deals in which the other forbids a play, or a table or exchange; a changed result too
    silent: int = 0  #: deals that raise a question on which the other is silent
    changed: int = 0  #: deals that both settle, with a difference for some account
    moved: int = 0  #: counters moved, all deals together
    squares: int = 0  #: the squares of counters moved, all deals together
    worst: int = 0  #: the most counters that any deal moves
    worst_deal: int = -1  #: the lowest number of a deal that moves so many; -1 if none moves any
    steps: tuple[int, ...] = (0,) * len(STEPS)  #: how many deals moved so much: histogram by STEPS

    def __add__(self, other: Versus) -> Versus:
        worst = min((self, other), key=lambda one: (-one.worst, one.worst_deal if one.worst else -1))
        sums = {name: getattr(self, name) + getattr(other, name) for name in SUMS}
        return Versus(**sums, worst=worst.worst, worst_deal=worst.worst_deal, steps=added(self.steps, other.steps))


SUMS = ("settled", "forbidden", "silent", "changed", "moved", "squares")


@dataclass(frozen=True, slots=True)
class Count:
    """What was counted at one table."""

    deals: int = 0
    settled: int = 0  #: the others raised a question on which the table's own rules are silent
    net: tuple[int, ...] = (0,) * ACCOUNTS
    squares: tuple[int, ...] = (0,) * ACCOUNTS
    events: tuple[int, ...] = (0,) * len(EVENTS)
    others: tuple[Versus, ...] = ()

    def __add__(self, other: Count) -> Count:
        return Count(
            self.deals + other.deals,
            self.settled + other.settled,
            added(self.net, other.net),
            added(self.squares, other.squares),
            added(self.events, other.events),
            tuple(a + b for a, b in zip(self.others, other.others, strict=True)),
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """What was counted at every table of an order; tallies of different pieces add up."""

    tables: tuple[Count, ...] = field(default=())

    def __add__(self, other: Tally) -> Tally:
        return Tally(tuple(a + b for a, b in zip(self.tables, other.tables, strict=True)))


def added(some: Sequence[int], others: Sequence[int]) -> tuple[int, ...]:
    """Two rows of sums, added place by place."""
    return tuple(map(add, some, others))


def summed(tallies: Sequence[Tally]) -> Tally:
    """Several pieces of one order together."""
    return reduce(add, tallies)


def step_of(moved: int) -> int:
    """Into which step of the histogram so many counters fall."""
    return next(at for at in reversed(range(len(STEPS))) if moved >= STEPS[at])


assert {f.name for f in fields(Versus)} == {*SUMS, "worst", "worst_deal", "steps"}
