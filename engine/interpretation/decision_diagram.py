"""What follows from every way to choose, drawn once: a fork for each choice that matters, an end for what comes of it.

Choices are numbered, and so are the ways to make each of them. A drawing says what comes of all choices together.
Forks stand in the order of their numbers, none stands where all its ways lead to the same, and what is equal is drawn
once; so two drawings are the same object exactly when they say the same, and a choice has a fork in a drawing exactly
when something depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

Path: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]  #: (choice, the ways of it that lead on), from the root

NEVER = 1 << 30  #: after every fork


@dataclass(frozen=True, eq=False, slots=True)
class End:
    """Nothing more is to be chosen: this is what comes of it."""

    value: Any


@dataclass(frozen=True, eq=False, slots=True)
class Fork:
    """A choice that matters, and where each way leads."""

    choice: int
    ways: tuple[Branch, ...]


Branch: TypeAlias = End | Fork


def first(branches: Iterable[Branch]) -> int:
    """The foremost choice on which any of them depends."""
    return min((b.choice if isinstance(b, Fork) else NEVER for b in branches), default=NEVER)


def taking(branch: Branch, choice: int, way: int) -> Branch:
    """What is left when this way is taken; the fork, if there is one, stands at the root."""
    return branch.ways[way] if isinstance(branch, Fork) and branch.choice == choice else branch


def ways_of(branches: Iterable[Branch], choice: int) -> int:
    """In how many ways this choice, which stands at the root of one of them, can be made."""
    return next(len(b.ways) for b in branches if isinstance(b, Fork) and b.choice == choice)


class Drawings:
    """The sheet on which what is equal is drawn once."""

    def __init__(self) -> None:
        self._ends: dict[tuple[type, Any], End] = {}
        self._forks: dict[tuple[int, tuple[Branch, ...]], Fork] = {}
        self._chosen: dict[tuple[int, tuple[Branch, ...]], Branch] = {}

    def end(self, value: Any) -> Branch:
        """This, however one chooses."""
        found = self._ends.get((type(value), value))
        if found is None:
            found = self._ends[type(value), value] = End(value)
        return found

    def fork(self, choice: int, ways: Sequence[Branch]) -> Branch:
        """A fork, where the choice comes before all others and matters."""
        if all(way is ways[0] for way in ways):
            return ways[0]
        key = choice, tuple(ways)
        found = self._forks.get(key)
        if found is None:
            found = self._forks[key] = Fork(*key)
        return found

    def choose(self, choice: int, ways: Sequence[Branch]) -> Branch:
        """What comes of a choice, when each way leads to such a drawing; forks are brought into their order."""
        key = choice, tuple(ways)
        found = self._chosen.get(key)
        if found is None:
            found = self._chosen[key] = self._ordered(choice, key[1])
        return found

    def _ordered(self, choice: int, ways: Sequence[Branch]) -> Branch:
        foremost = first(ways)
        if foremost >= choice:
            return self.fork(choice, [taking(way, choice, n) for n, way in enumerate(ways)])
        number = ways_of(ways, foremost)
        return self.fork(
            foremost, [self.choose(choice, [taking(way, foremost, n) for way in ways]) for n in range(number)]
        )

    def combine(self, what: Callable[..., Any], *branches: Branch) -> Branch:
        """What one reckons from several drawings, choice by choice."""
        known: dict[tuple[Branch, ...], Branch] = {}

        def at(these: tuple[Branch, ...]) -> Branch:
            found = known.get(these)
            if found is None:
                found = known[these] = anew(these)
            return found

        def anew(these: tuple[Branch, ...]) -> Branch:
            choice = first(these)
            if choice == NEVER:
                return self.end(what(*(b.value for b in these if isinstance(b, End))))
            number = ways_of(these, choice)
            return self.fork(choice, [at(tuple(taking(b, choice, n) for b in these)) for n in range(number)])

        return at(branches)

    def then(self, branch: Branch, follows: Callable[[Any], Branch]) -> Branch:
        """What comes in the end, when at every end of a drawing another one follows."""
        known: dict[Branch, Branch] = {}

        def at(this: Branch) -> Branch:
            if this not in known:
                known[this] = (
                    follows(this.value) if isinstance(this, End) else self.choose(this.choice, [*map(at, this.ways)])
                )
            return known[this]

        return at(branch)


# ---- reading a drawing
def every(branch: Branch) -> Iterator[Branch]:
    """Every fork and end of a drawing, once."""
    seen = {branch}
    waiting = [branch]
    while waiting:
        this = waiting.pop()
        yield this
        for way in this.ways if isinstance(this, Fork) else ():
            if way not in seen:
                seen.add(way)
                waiting.append(way)


def values(branch: Branch) -> tuple[Any, ...]:
    """Everything that can come of it."""
    return tuple(this.value for this in every(branch) if isinstance(this, End))


def paths(branch: Branch, so_far: Path = ()) -> Iterator[tuple[Any, Path]]:
    """Everything that can come of it, each with a way to get there; ways that lead to the same are taken together."""
    if isinstance(branch, End):
        yield branch.value, so_far
        return
    for after in dict.fromkeys(branch.ways):
        ways = tuple(n for n, way in enumerate(branch.ways) if way is after)
        yield from paths(after, (*so_far, (branch.choice, ways)))


def taken(branch: Branch, ways: Callable[[int], int]) -> Any:
    """What comes of choosing so."""
    while isinstance(branch, Fork):
        branch = branch.ways[ways(branch.choice)]
    return branch.value


def partings(branch: Branch) -> dict[int, set[tuple[int, int]]]:
    """For every choice that matters, the pairs of ways that can lead to different ends, all else being equal."""
    found: dict[int, set[tuple[int, int]]] = {}
    for this in every(branch):
        if isinstance(this, Fork):
            pairs = combinations(range(len(this.ways)), 2)
            found.setdefault(this.choice, set()).update((a, b) for a, b in pairs if this.ways[a] is not this.ways[b])
    return found
