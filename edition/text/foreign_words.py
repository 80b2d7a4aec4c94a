"""Words of a source within our text, for pages to mark: runs of three words that it has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from rulebook.spelling import simplify_letters

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_RUN_LENGTH = 3  #: so many words in a row are no chance
WordRuns: TypeAlias = frozenset[tuple[str, ...]]


def collect_word_runs(texts: Iterable[str]) -> WordRuns:
    """All runs of three consecutive words in some texts, folded."""
    folded_texts = ([simplify_letters(word) for word in _WORD.findall(text)] for text in texts)
    return frozenset(
        tuple(words[at : at + _RUN_LENGTH]) for words in folded_texts for at in range(len(words) - _RUN_LENGTH + 1)
    )


def split_foreign_words(words: str, known: WordRuns) -> Iterator[tuple[str, bool]]:
    """Split our text into pieces, each with True if it quotes the source."""
    places = [(match.start(), match.end(), simplify_letters(match[0])) for match in _WORD.finditer(words)]
    theirs: set[int] = set()
    for at in range(len(places) - _RUN_LENGTH + 1):
        if tuple(word for _, _, word in places[at : at + _RUN_LENGTH]) in known:
            theirs |= {*range(at, at + _RUN_LENGTH)}
    done = 0
    for first, last in _find_consecutive_runs(sorted(theirs)):
        begin, end = places[first][0], places[last][1]
        yield from (piece for piece in ((words[done:begin], False), (words[begin:end], True)) if piece[0])
        done = end
    if words[done:]:
        yield words[done:], False


def _find_consecutive_runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """First and last of every run of consecutive numbers."""
    begun = 0
    for at, number in enumerate(numbers):
        if at + 1 == len(numbers) or numbers[at + 1] != number + 1:
            yield numbers[begun], number
            begun = at + 1
