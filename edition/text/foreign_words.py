"""Words of a source in the midst of our own: known by standing in its text, three in a row; they say their tongue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from rulebook.spelling import bare

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
ROW = 3  #: so many words in a row are no chance
Rows: TypeAlias = frozenset[tuple[str, ...]]


def rows(texts: Iterable[str]) -> Rows:
    """Every so many words that stand in a row in some texts."""
    found = ([bare(one) for one in WORD.findall(text)] for text in texts)
    return frozenset(tuple(words[at : at + ROW]) for words in found for at in range(len(words) - ROW + 1))


def parted(words: str, known: Rows) -> Iterator[tuple[str, bool]]:
    """Our words piece by piece, and whether a piece is the source's."""
    places = [(found.start(), found.end(), bare(found[0])) for found in WORD.finditer(words)]
    theirs: set[int] = set()
    for at in range(len(places) - ROW + 1):
        if tuple(word for _, _, word in places[at : at + ROW]) in known:
            theirs |= {*range(at, at + ROW)}
    done = 0
    for first, last in stretches(sorted(theirs)):
        begin, end = places[first][0], places[last][1]
        yield from (piece for piece in ((words[done:begin], False), (words[begin:end], True)) if piece[0])
        done = end
    if words[done:]:
        yield words[done:], False


def stretches(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """The first and the last of every unbroken row of numbers."""
    begun = 0
    for at, number in enumerate(numbers):
        if at + 1 == len(numbers) or numbers[at + 1] != number + 1:
            yield numbers[begun], number
            begun = at + 1
