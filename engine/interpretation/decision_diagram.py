"""Decision diagrams: a fork for each choice that matters, an end for each result.

Choices are numbered, and so are the ways to make each of them. A drawing says what comes of all choices together.
Forks stand in the order of their numbers, none stands where all its ways lead to the same, and what is equal is drawn
once; so two drawings are the same object exactly when they say the same, and a choice has a fork in a drawing exactly
when something depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, TypeAlias

Path: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]  #: (choice, the ways of it that lead on), from the root

_AFTER_ALL_FORKS = 1 << 30  #: after every fork


@dataclass(frozen=True, eq=False, slots=True)
class End:
    """Nothing more is to be chosen: this is what comes of it."""

    value: Any
    choice: ClassVar[int] = _AFTER_ALL_FORKS
    ways: ClassVar[tuple[Branch, ...]] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Fork:
    """A choice that matters, and where each way leads."""

    choice: int
    ways: tuple[Branch, ...]


Branch: TypeAlias = End | Fork


def _find_foremost_choice(branches: Iterable[Branch]) -> int:
    """Return the foremost choice on which any of the branches depends."""
    return min([b.choice for b in branches], default=_AFTER_ALL_FORKS)


def _follow_way(branch: Branch, choice: int, way: int) -> Branch:
    """Return the branch when this way is taken; a fork, if any, stands at the root."""
    return branch.ways[way] if branch.choice == choice else branch


def ways_of(branches: Iterable[Branch], choice: int) -> int:
    """In how many ways this choice, which stands at the root of one of them, can be made."""
    return next(len(b.ways) for b in branches if b.choice == choice)


class Drawings:
    """The sheet on which what is equal is drawn once."""

    def __init__(self) -> None:
        self._ends: dict[tuple[type, Any], End] = {}
        self._forks: dict[tuple[int, tuple[Branch, ...]], Fork] = {}
        self._chosen: dict[tuple[int, tuple[Branch, ...]], Branch] = {}

    def end(self, value: Any) -> Branch:
        """This, however one chooses."""
        branch = self._ends.get((type(value), value))
        if branch is None:
            branch = self._ends[type(value), value] = End(value)
        return branch

    def fork(self, choice: int, ways: Sequence[Branch]) -> Branch:
        """A fork, where the choice comes before all others and matters."""
        if all(way is ways[0] for way in ways):
            return ways[0]
        key = choice, tuple(ways)
        branch = self._forks.get(key)
        if branch is None:
            branch = self._forks[key] = Fork(*key)
        return branch

    def choose(self, choice: int, ways: Sequence[Branch]) -> Branch:
        """Draw a choice whose ways lead to these drawings; forks are put in their order."""
        key = choice, tuple(ways)
        branch = self._chosen.get(key)
        if branch is None:
            branch = self._chosen[key] = self._ordered(choice, key[1])
        return branch

    def _ordered(self, choice: int, ways: Sequence[Branch]) -> Branch:
        foremost = _find_foremost_choice(ways)
        if foremost >= choice:
            return self.fork(choice, [_follow_way(way, choice, n) for n, way in enumerate(ways)])
        number = ways_of(ways, foremost)
        return self.fork(
            foremost, [self.choose(choice, [_follow_way(way, foremost, n) for way in ways]) for n in range(number)]
        )

    def combine(self, what: Callable[..., Any], *branches: Branch) -> Branch:
        """Combine several drawings choice by choice, by a function of their ends."""
        return self._combine(what, branches, {})

    def _combine(
        self, what: Callable[..., Any], these: tuple[Branch, ...], known: dict[tuple[Branch, ...], Branch]
    ) -> Branch:
        if (branch := known.get(these)) is not None:
            return branch
        choice = _find_foremost_choice(these)
        if choice == _AFTER_ALL_FORKS:
            known[these] = self.end(what(*(b.value for b in these if isinstance(b, End))))
        else:
            ways = [tuple([_follow_way(b, choice, n) for b in these]) for n in range(ways_of(these, choice))]
            known[these] = self.fork(choice, [self._combine(what, way, known) for way in ways])
        return known[these]

    def then(self, branch: Branch, follows: Callable[[Any], Branch]) -> Branch:
        """Draw the end result when another drawing follows at every end of a drawing."""
        return self._then(branch, follows, {})

    def _then(self, this: Branch, follows: Callable[[Any], Branch], known: dict[Branch, Branch]) -> Branch:
        if this not in known:
            ways = [self._then(way, follows, known) for way in this.ways] if isinstance(this, Fork) else []
            known[this] = self.choose(this.choice, ways) if isinstance(this, Fork) else follows(this.value)
        return known[this]


# ---- reading a drawing
def walk_branches(branch: Branch) -> Iterator[Branch]:
    """Walk over every fork and end of a drawing, once."""
    seen = {branch}
    waiting = [branch]
    while waiting:
        this = waiting.pop()
        yield this
        for way in this.ways if isinstance(this, Fork) else ():
            if way not in seen:
                seen.add(way)
                waiting.append(way)


def list_end_values(branch: Branch) -> tuple[Any, ...]:
    """List everything that can come of it."""
    return tuple(this.value for this in walk_branches(branch) if isinstance(this, End))


def walk_paths(branch: Branch, so_far: Path = ()) -> Iterator[tuple[Any, Path]]:
    """Yield everything that can come of it, each with a way to get there.

    Ways that lead to the same are taken together.
    """
    if isinstance(branch, End):
        yield branch.value, so_far
        return
    for after in dict.fromkeys(branch.ways):
        ways = tuple(n for n, way in enumerate(branch.ways) if way is after)
        yield from walk_paths(after, (*so_far, (branch.choice, ways)))


def follow_choices(branch: Branch, ways: Callable[[int], int]) -> Any:
    """Return the end that these choices lead to."""
    while isinstance(branch, Fork):
        branch = branch.ways[ways(branch.choice)]
    return branch.value


def find_way_partings(branch: Branch) -> dict[int, set[tuple[int, int]]]:
    """Find, for every choice that matters, the pairs of ways to different ends.

    All other choices are equal.
    """
    partings: dict[int, set[tuple[int, int]]] = {}
    for this in walk_branches(branch):
        if isinstance(this, Fork):
            pairs = combinations(range(len(this.ways)), 2)
            partings.setdefault(this.choice, set()).update((a, b) for a, b in pairs if this.ways[a] is not this.ways[b])
    return partings
