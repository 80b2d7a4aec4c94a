"""Spelling-independent word forms for search, the same in Python and JavaScript.

A word loses its accents, ligatures and capitals (`rulebook.spelling.simplify_letters`); then the words of
`sources/spelling.yaml` and their modern forms are one word. Who types a word does not say in which language it is, so
the tables of all languages are one table here: `karte` finds the `carte` of a French text too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain

from rulebook.spelling import LIGATURE_SPELLINGS, Spelling, simplify_letters

#: A word with its hyphens, or the sign for "and". Apostrophes part words; the script has the same pattern.
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*|&")

#: Letters that lose more than an accent when a word is folded; the browser is told of them.
_FOLDED_LETTERS: Mapping[str, str] = {**LIGATURE_SPELLINGS, "ß": "ss"}

UMLAUTS: Mapping[str, str] = {"ä": "ae", "ö": "oe", "ü": "ue"}


def same_words(spelling: Spelling) -> dict[str, str]:
    """Folded old forms, each with the one form that stands for all its spellings."""
    pairs = dict(sorted(chain.from_iterable(table.words.items() for table in spelling.folded.values())))
    typed = dict(sorted(typed_words(spelling)))
    return {old: last_form(old, {**typed, **pairs}) for old in {**typed, **pairs}}


def typed_words(spelling: Spelling) -> Iterator[tuple[str, str]]:
    """The words of the table that have umlauts, as they are typed without: `koerbchen`, `koerbgen`."""
    for table in spelling.words.values():
        for old, new in table.words.items():
            yield from (
                (without_umlauts(word), simplify_letters(new)) for word in (old, new) if set(word) & set(UMLAUTS)
            )


def last_form(word: str, pairs: Mapping[str, str]) -> str:
    """Final form of a word after the tables of several languages have changed it."""
    seen = [word]
    while seen[-1] in pairs and pairs[seen[-1]] not in seen:
        seen.append(pairs[seen[-1]])
    return seen[-1]


def map_folded_letters(spelling: Spelling) -> dict[str, str]:
    """Letters that folding replaces, those of the spelling table included."""
    return {**spelling.letters, **_FOLDED_LETTERS}


def _fold_word(word: str, same: Mapping[str, str]) -> tuple[str, ...]:
    """Folded forms of a word; an unknown word with hyphens has several."""
    folded = simplify_letters(word)
    if folded in same:
        return tuple(same[folded].split())
    return tuple(form for part in folded.split("-") for form in same.get(part, part).split())


def fold_text(text: str, same: Mapping[str, str]) -> tuple[str, ...]:
    """All words of a text, folded."""
    return tuple(form for word in _WORD.findall(text) for form in _fold_word(word, same))


def without_umlauts(word: str) -> str:
    """A German word as it is typed where there are no umlauts: `koerbchen`."""
    return simplify_letters("".join(UMLAUTS.get(letter, letter) for letter in word.lower()))
