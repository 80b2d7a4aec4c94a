"""Counts of a survey, integers only, so that pieces add up to the same sum in whatever order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from operator import add

from lab.survey.request import ACCOUNTS, EVENTS

#: The sums at which the histogram of moved counters has its steps: 0, 1, 2 to 4, 5 to 9 ... 1000 and more.
MOVED_STEPS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


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
    steps: tuple[int, ...] = (0,) * len(MOVED_STEPS)  #: how many deals moved so much: histogram by MOVED_STEPS

    def __add__(self, other: Versus) -> Versus:
        worst = min((self, other), key=lambda versus: (-versus.worst, versus.worst_deal if versus.worst else -1))
        sums = {name: getattr(self, name) + getattr(other, name) for name in VERSUS_SUMS}
        return Versus(
            **sums, worst=worst.worst, worst_deal=worst.worst_deal, steps=add_elementwise(self.steps, other.steps)
        )


VERSUS_SUMS = ("settled", "forbidden", "silent", "changed", "moved", "squares")


@dataclass(frozen=True, slots=True)
class Count:
    """Counts of one table."""

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
            add_elementwise(self.net, other.net),
            add_elementwise(self.squares, other.squares),
            add_elementwise(self.events, other.events),
            tuple(a + b for a, b in zip(self.others, other.others, strict=True)),
        )


@dataclass(frozen=True, slots=True)
class SurveyTally:
    """Counts of every table of an order; tallies of different pieces add up."""

    tables: tuple[Count, ...] = field(default=())

    def __add__(self, other: SurveyTally) -> SurveyTally:
        return SurveyTally(tuple(a + b for a, b in zip(self.tables, other.tables, strict=True)))


def find_count_faults(count: Count) -> Iterator[str]:
    """Yield the sums and bounds of a table's counts that do not hold, as no deals could have them."""
    net_bounds = (have * count.settled >= net * net for net, have in zip(count.net, count.squares, strict=True))
    holds = {
        "more deals are settled than played": 0 <= count.settled <= count.deals,
        "what the accounts win does not add up to nothing": sum(count.net) == 0,
        "the squares of what an account wins are too small": all(net_bounds),
        "an event happens less than never": min(count.events, default=0) >= 0,
    }
    yield from (what for what, true in holds.items() if not true)
    for at, versus in enumerate(count.others, 1):
        yield from (f"other rules {at}: {what}" for what in _find_versus_faults(versus, count))


def _find_versus_faults(versus: Versus, count: Count) -> Iterator[str]:
    moving, least = (
        sum(versus.steps[1:]),
        sum(low * times for low, times in zip(MOVED_STEPS, versus.steps, strict=True)),
    )
    holds = {
        "a count is below nought": min(versus.settled, versus.forbidden, versus.silent, versus.moved, *versus.steps)
        >= 0,
        "settled, forbidden and silent deals are not all": versus.settled + versus.forbidden + versus.silent
        == count.deals,
        "more deals are settled than by the table's own rules": versus.settled <= count.settled,
        "the steps do not add up to the settled deals": sum(versus.steps) == versus.settled,
        "fewer deals are changed than move counters, or more than are settled": moving
        <= versus.changed
        <= versus.settled,
        "the counters moved are not within their steps": least <= versus.moved <= versus.worst * moving,
        "the squares of the counters moved are out of bounds": versus.moved**2 <= versus.squares * moving
        and versus.squares <= versus.worst * versus.moved,
        "the worst deal is none that was played": -(versus.worst == 0) <= versus.worst_deal < count.deals,
    }
    yield from (what for what, true in holds.items() if not true)


def add_elementwise(some: Sequence[int], others: Sequence[int]) -> tuple[int, ...]:
    """Add two rows of sums, place by place."""
    return tuple(map(add, some, others))


def find_moved_step(moved: int) -> int:
    """Find the step of the histogram that a number of moved counters falls into."""
    return next(at for at in reversed(range(len(MOVED_STEPS))) if moved >= MOVED_STEPS[at])


assert {f.name for f in fields(Versus)} == {*VERSUS_SUMS, "worst", "worst_deal", "steps"}
