"""Words of a source within our text, for pages to mark: runs of three words that it has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from rulebook.spelling import simplify_letters

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_RUN_LENGTH = 3  #: so many words in a row are no chance
WordRuns: TypeAlias = Mapping[tuple[str, ...], str]  #: sequences of words, each with its language


def collect_word_runs(texts: Iterable[str]) -> frozenset[tuple[str, ...]]:
    """All runs of three consecutive words in some texts, folded."""
    folded_texts = ([simplify_letters(word) for word in _WORD.findall(text)] for text in texts)
    return frozenset(
        tuple(words[at : at + _RUN_LENGTH]) for words in folded_texts for at in range(len(words) - _RUN_LENGTH + 1)
    )


def split_foreign_words(words: str, known: WordRuns) -> Iterator[tuple[str, str]]:
    """Split our text into pieces, each with the language of the source that it quotes; "" if it quotes none."""
    places = [(match.start(), match.end(), simplify_letters(match[0])) for match in _WORD.finditer(words)]
    theirs = dict[int, str]()
    for at in range(len(places) - _RUN_LENGTH + 1):
        if lang := known.get(tuple(word for _, _, word in places[at : at + _RUN_LENGTH])):
            theirs |= dict.fromkeys(range(at, at + _RUN_LENGTH), lang)
    done = 0
    for first, last, lang in _find_consecutive_runs(theirs):
        begin, end = places[first][0], places[last][1]
        yield from (piece for piece in ((words[done:begin], ""), (words[begin:end], lang)) if piece[0])
        done = end
    if words[done:]:
        yield words[done:], ""


def _find_consecutive_runs(languages: Mapping[int, str]) -> Iterator[tuple[int, int, str]]:
    """First and last of every run of consecutive numbers of one language."""
    numbers = sorted(languages)
    begun = 0
    for at, number in enumerate(numbers):
        lang = languages[number]
        if languages.get(number + 1) != lang:
            yield numbers[begun], number, lang
            begun = at + 1
