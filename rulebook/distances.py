"""Distances between sources, trees that join the nearest first, and how little so few leaves can prove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from random import Random
from typing import TypeAlias

from rulebook.answers.conditions import dereference_answer
from rulebook.answers.values import format_canonical
from rulebook.model import Library
from rulebook.resolve import rules

SourcePair: TypeAlias = frozenset[str]
Distances: TypeAlias = Mapping[SourcePair, float]
#: Which leaves a branch of a tree holds, for every branch that holds some of them and not all: the shape of the tree.
TreeShape: TypeAlias = frozenset[frozenset[str]]

BOOTSTRAP_DRAWS = 1000  #: so often questions are drawn anew


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A leaf, or two branches that join at a height: half the mean distance between their leaves."""

    leaves: tuple[str, ...]
    height: float = 0.0
    branches: tuple[TreeNode, ...] = ()

    @property
    def shape(self) -> TreeShape:
        """Groups of leaves that stand together, at whatever heights."""
        return frozenset(self.clades())

    def clades(self) -> Iterator[frozenset[str]]:
        """Yield the leaves of every branch below."""
        for branch in self.branches:
            if branch.branches:
                yield frozenset(branch.leaves)
            yield from branch.clades()


def build_distance_tree(names: Sequence[str], far: Distances) -> TreeNode:
    """Build a tree by joining the nearest groups (average linkage)."""
    groups = [TreeNode((name,)) for name in names]
    while len(groups) > 1:
        left, right = min(combinations(groups, 2), key=lambda pair: compute_mean_distance(pair[0], pair[1], far))
        joined = TreeNode((*left.leaves, *right.leaves), compute_mean_distance(left, right, far) / 2, (left, right))
        groups = [group for group in groups if group not in (left, right)]
        groups.append(joined)
    return groups[0]


def compute_mean_distance(node: TreeNode, other: TreeNode, far: Distances) -> float:
    """Compute the mean distance between the members of two groups."""
    pairs = [far[frozenset((a, b))] for a in node.leaves for b in other.leaves]
    return sum(pairs) / len(pairs)


def count_rooted_trees(leaves: int) -> int:
    """Count the rooted binary trees: 1 x 3 x 5 x ... for one more leaf each."""
    return prod(range(1, 2 * leaves - 2, 2))


# ---- counted by questions
#: Siglum -> an answer to each of a row of questions, empty for none.
_AnswersBySource: TypeAlias = Mapping[str, Sequence[str]]


def collect_answers_by_source(library: Library) -> _AnswersBySource:
    """Collect every source's own answers to the played questions, pointers resolved; none where we supply one.

    Nor where a source points to an answer that we supply: what it comes to is ours.
    """
    asked = [question.slug for question in library.questions.values() if not question.not_played]
    return {siglum: _collect_own_answers(library, siglum, asked) for siglum in library.sources}


def _collect_own_answers(library: Library, siglum: str, asked: Sequence[str]) -> list[str]:
    own = {slug: ruling.value for slug, ruling in rules(library, siglum).rulings.items() if not ruling.supplied}
    meant = (dereference_answer(own.get(slug), own) for slug in asked)
    return ["" if value is None else format_canonical(value) for value in meant]


def compute_question_distances(answers: _AnswersBySource, row: Sequence[int] = ()) -> Distances:
    """Compute the share of differing answers, among questions that both answer."""
    asked = row or range(len(next(iter(answers.values()), ())))
    return {
        frozenset(pair): compute_disagreement_share([answers[siglum] for siglum in pair], asked)
        for pair in combinations(answers, 2)
    }


def compute_disagreement_share(pair: Sequence[Sequence[str]], row: Sequence[int]) -> float:
    """Compute the share of these questions, of those both answer, on which two sources differ."""
    both = [(first, second) for first, second in ((pair[0][at], pair[1][at]) for at in row) if first and second]
    return sum(first != second for first, second in both) / len(both) if both else 0.0


def bootstrap_trees(answers: _AnswersBySource, draws: int = BOOTSTRAP_DRAWS, seed: int = 1) -> Mapping[TreeShape, int]:
    """Count the trees that come of resampled questions (bootstrap)."""
    rng, number = Random(f"trees:{seed}"), len(next(iter(answers.values()), ()))
    rows = (rng.choices(range(number), k=number) for _ in range(draws))
    return count_tree_shapes(
        build_distance_tree(list(answers), compute_question_distances(answers, row)).shape for row in rows
    )


def perturb_trees(
    names: Sequence[str], far: Mapping[SourcePair, tuple[float, float]], draws: int = BOOTSTRAP_DRAWS
) -> Counter[TreeShape]:
    """Count the trees that come of distances perturbed by their standard errors."""
    rng, pairs = Random("shaken:1"), sorted(far, key=sorted)
    drawn = ({pair: rng.gauss(*far[pair]) for pair in pairs} for _ in range(draws))
    return count_tree_shapes(build_distance_tree(names, distances).shape for distances in drawn)


def count_tree_shapes(shapes: Iterator[TreeShape]) -> Counter[TreeShape]:
    """Count how often each tree shape comes, the most frequent first."""
    return Counter(dict(Counter(shapes).most_common()))
