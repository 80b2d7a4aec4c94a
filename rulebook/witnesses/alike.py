"""Rules of spelling by which two words are the same, each with its name.

An accent on one of the last two letters, or in a word of three, may make another word (*a* and *à*, *ou* and *où*,
*donne* and *donné*): such a pair is left to an editor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

from rulebook.spelling import LIGATURE_SPELLINGS, Spelling, modernise_spelling, simplify_letters

_Fold = Callable[[str], str]
_SHORT_WORD, _ENDING = 3, 2  #: letters


def _join_ligatures(word: str) -> str:
    for joined, parted in LIGATURE_SPELLINGS.items():
        word = word.replace(joined, parted)
    return word


def _drop_safe_accents(word: str) -> str:
    if len(word) <= _SHORT_WORD:
        return word
    return simplify_letters(word[:-_ENDING]) + word[-_ENDING:]


#: Name of a rule -> how it folds a word; each is applied after those before it. The table of spellings comes second.
_FOLDS: Mapping[str, _Fold] = {
    "capitals": str.casefold,
    "œ or oe": _join_ligatures,
    "accents": _drop_safe_accents,
    "oi for ai": partial(re.sub, r"oi(?=(t|ent)$)", "ai"),
    "i for j, u for v": lambda word: word.replace("j", "i").replace("v", "u"),
    "doubled letters": partial(re.sub, r"([^\W\d])\1", r"\1"),
}
_TABLE = "an old spelling in our table"
SPELLING_RULES = ("capitals", _TABLE, *list(_FOLDS)[1:])


def list_foldings(word: str, lang: str, spelling: Spelling) -> tuple[str, ...]:
    """Return a word as it is, and after each of the rules."""
    look_up = partial(modernise_spelling, lang=lang, spelling=spelling)
    foldings = [word]
    for name in SPELLING_RULES:
        foldings.append(_FOLDS.get(name, look_up)(foldings[-1]))
    return tuple(foldings)


def find_rule(ours: tuple[str, ...], theirs: tuple[str, ...]) -> str | None:
    """Name the rules after which two words are the same: empty if they are at once, None if never.

    A rule that changes one of the two alone is named beside the last one: *cœur*, *Coeur* differ in two things.
    """
    last = next((at for at, (our, their) in enumerate(zip(ours, theirs, strict=True)) if our == their), None)
    if last is None:
        return None
    needed = (
        at for at in range(1, last + 1) if at == last or (ours[at] == ours[at - 1]) != (theirs[at] == theirs[at - 1])
    )
    return ", ".join(SPELLING_RULES[at - 1] for at in needed)
