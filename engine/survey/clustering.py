"""How far sources lie apart, and the tree that joins the nearest first; with how little so few leaves can prove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from random import Random
from typing import TypeAlias

from rulebook.answers.conditions import worth
from rulebook.answers.values import canonical
from rulebook.model import Library
from rulebook.resolve import rules

Pair: TypeAlias = frozenset[str]
Distances: TypeAlias = Mapping[Pair, float]
#: Which leaves a branch of a tree holds, for every branch that holds some of them and not all: the shape of the tree.
Shape: TypeAlias = frozenset[frozenset[str]]

DRAWS = 1000  #: so often questions are drawn anew


@dataclass(frozen=True, slots=True)
class Node:
    """A leaf, or two branches that join at a height: half the mean distance between their leaves."""

    leaves: tuple[str, ...]
    height: float = 0.0
    branches: tuple[Node, ...] = ()

    @property
    def shape(self) -> Shape:
        """Which leaves stand together, at whatever heights."""
        return frozenset(self.clades())

    def clades(self) -> Iterator[frozenset[str]]:
        """The leaves of every branch below."""
        for one in self.branches:
            if one.branches:
                yield frozenset(one.leaves)
            yield from one.clades()


def tree(names: Sequence[str], far: Distances) -> Node:
    """Join what lies nearest, again and again; two groups are as far apart as their members are on the mean."""
    groups = [Node((name,)) for name in names]
    while len(groups) > 1:
        one, other = min(combinations(groups, 2), key=lambda pair: between(pair[0], pair[1], far))
        joined = Node((*one.leaves, *other.leaves), between(one, other, far) / 2, (one, other))
        groups = [group for group in groups if group not in (one, other)]
        groups.append(joined)
    return groups[0]


def between(one: Node, other: Node, far: Distances) -> float:
    """How far two groups are apart: the mean over every member of the one and every member of the other."""
    pairs = [far[frozenset((a, b))] for a in one.leaves for b in other.leaves]
    return sum(pairs) / len(pairs)


def rooted_trees(leaves: int) -> int:
    """How many trees of two branches at every fork there are: 1 x 3 x 5 x ... for one more leaf each."""
    return prod(range(1, 2 * leaves - 2, 2))


# ---- counted by questions
Answered: TypeAlias = Mapping[str, Sequence[str]]  #: siglum -> an answer to each of a row of questions, empty for none


def answered(library: Library) -> Answered:
    """What every source answers to every question that is played; a pointer counts as what it comes to."""
    asked = [question.slug for question in library.questions.values() if not question.not_played]
    given = {s: {q: r.value for q, r in rules(library, s).rulings.items()} for s in library.sources}
    return {
        siglum: [canonical(worth(own[slug], own)) if slug in own else "" for slug in asked]
        for siglum, own in given.items()
    }


def by_questions(said: Answered, row: Sequence[int] = ()) -> Distances:
    """The share of questions answered otherwise, among those that both answer."""
    asked = row or range(len(next(iter(said.values()), ())))
    return {frozenset(pair): parted([said[one] for one in pair], asked) for pair in combinations(said, 2)}


def parted(pair: Sequence[Sequence[str]], row: Sequence[int]) -> float:
    """The share of a row of questions on which two sources part, among those that both answer."""
    both = [(one, other) for one, other in ((pair[0][at], pair[1][at]) for at in row) if one and other]
    return sum(one != other for one, other in both) / len(both) if both else 0.0


def drawn_anew(said: Answered, draws: int = DRAWS, seed: int = 1) -> Mapping[Shape, int]:
    """The trees that come of questions drawn by lot from those there are, and how often each comes."""
    rng, number = Random(f"trees:{seed}"), len(next(iter(said.values()), ()))
    rows = (rng.choices(range(number), k=number) for _ in range(draws))
    return tallied(tree(list(said), by_questions(said, row)).shape for row in rows)


def shaken(names: Sequence[str], far: Mapping[Pair, tuple[float, float]], draws: int = DRAWS) -> Counter[Shape]:
    """The trees that come if every distance, given with its standard error, is off as chance lets a survey be."""
    rng, pairs = Random("shaken:1"), sorted(far, key=sorted)
    drawn = ({pair: rng.gauss(*far[pair]) for pair in pairs} for _ in range(draws))
    return tallied(tree(names, one).shape for one in drawn)


def tallied(found: Iterator[Shape]) -> Counter[Shape]:
    """How often each comes, the most frequent first."""
    return Counter(dict(Counter(found).most_common()))
