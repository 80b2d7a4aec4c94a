"""Alignment of two sequences of words, by dynamic programming."""

from __future__ import annotations

from collections.abc import Callable

_GAP = 5  #: cost of a word that stands on one side only; two unlike words cost less than two such words

Pair = tuple[int | None, int | None]


def align_words(
    ours: int, theirs: int, cost: Callable[[int, int], int], opens_lost: bool = False, ends_lost: bool = False
) -> list[Pair]:
    """Align so many words of ours with so many of theirs at the lowest cost; places, None where there is none.

    Where the other side has lost its beginning or its end, words of ours that stand alone there cost nothing. Of
    alignments that cost the same the one is taken that, from the end, pairs words first.
    """

    def gap(j: int) -> int:
        return 0 if (j == 0 and opens_lost) or (j == theirs and ends_lost) else _GAP

    best = [[0] * (theirs + 1) for _ in range(ours + 1)]
    for i in range(ours + 1):
        for j in range(theirs + 1):
            ways = [best[i - 1][j - 1] + cost(i - 1, j - 1)] if i and j else []
            ways += [best[i - 1][j] + gap(j)] if i else []
            ways += [best[i][j - 1] + _GAP] if j else []
            best[i][j] = min(ways, default=0)
    return _trace_back(best, ours, theirs, cost, gap)


def _trace_back(
    best: list[list[int]], i: int, j: int, cost: Callable[[int, int], int], gap: Callable[[int], int]
) -> list[Pair]:
    pairs: list[Pair] = []
    while i or j:
        if i and j and best[i][j] == best[i - 1][j - 1] + cost(i - 1, j - 1):
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif i and best[i][j] == best[i - 1][j] + gap(j):
            i -= 1
            pairs.append((i, None))
        else:
            j -= 1
            pairs.append((None, j))
    return pairs[::-1]
