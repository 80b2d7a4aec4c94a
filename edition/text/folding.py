"""One form for every spelling of a word, to search by: the same in Python and in the reader's browser.

A word loses its accents, ligatures and capitals (`rulebook.spelling.bare`); then the words of `sources/spelling.yaml`
and their modern forms are one word. Who types a word does not say in which language it is, so the tables of all
languages are one table here: `karte` finds the `carte` of a French text too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from rulebook.spelling import LIGATURES, Spelling, bare

#: A word with its hyphens, or the sign for "and". Apostrophes part words; the script has the same pattern.
WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*|&")

#: Letters that lose more than an accent when a word is folded; the browser is told of them.
LETTERS: Mapping[str, str] = {**LIGATURES, "ß": "ss"}

UMLAUTS: Mapping[str, str] = {"ä": "ae", "ö": "oe", "ü": "ue"}


@dataclass(frozen=True, slots=True)
class Found:
    """A word as it stands, and the forms by which it is sought."""

    start: int
    words: str
    forms: tuple[str, ...]


def same_words(spelling: Spelling) -> dict[str, str]:
    """Every old form, folded, with the one form that stands for all spellings of its word."""
    pairs = dict(sorted(chain.from_iterable(table.words.items() for table in spelling.folded.values())))
    typed = dict(sorted(typed_words(spelling)))
    return {old: last_form(old, {**typed, **pairs}) for old in {**typed, **pairs}}


def typed_words(spelling: Spelling) -> Iterator[tuple[str, str]]:
    """The words of the table that have umlauts, as they are typed without: `koerbchen`, `koerbgen`."""
    for table in spelling.words.values():
        for old, new in table.words.items():
            yield from ((without_umlauts(word), bare(new)) for word in (old, new) if set(word) & set(UMLAUTS))


def last_form(word: str, pairs: Mapping[str, str]) -> str:
    """Where a word ends up when the tables of two languages change it one after the other."""
    seen = [word]
    while seen[-1] in pairs and pairs[seen[-1]] not in seen:
        seen.append(pairs[seen[-1]])
    return seen[-1]


def letters(spelling: Spelling) -> dict[str, str]:
    """Every letter that folding exchanges for others, those of the table among them."""
    return {**spelling.letters, **LETTERS}


def forms(word: str, same: Mapping[str, str]) -> tuple[str, ...]:
    """The folded forms of one word; a word with hyphens that the table does not know is several."""
    folded = bare(word)
    if folded in same:
        return tuple(same[folded].split())
    return tuple(one for part in folded.split("-") for one in same.get(part, part).split())


def found_in(text: str, same: Mapping[str, str]) -> Iterator[Found]:
    """The words of a text in their order."""
    for match in WORD.finditer(text):
        yield Found(match.start(), match[0], forms(match[0], same))


def folded(text: str, same: Mapping[str, str]) -> tuple[str, ...]:
    """All words of a text, folded."""
    return tuple(form for one in found_in(text, same) for form in one.forms)


def without_umlauts(word: str) -> str:
    """A German word as it is typed where there are no umlauts: `koerbchen`."""
    return bare("".join(UMLAUTS.get(letter, letter) for letter in word.lower()))
