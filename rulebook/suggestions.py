"""Suggest the known word that a misspelt one was meant to be; the standard library is enough."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Callable, Iterable

#: Categories of characters that cannot be seen, or that only sit upon another one.
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cf", "Mn", "Zl", "Zp", "Zs"})
LOOKALIKES = frozenset({"CYRILLIC", "GREEK", "FULLWIDTH"})  #: as their names begin
_MAX_SUGGESTIONS = 3  #: suggestions at once


def did_you_mean(wrong: object, known: Iterable[str], otherwise: str, shown: Callable[[str], str] = str) -> str:
    """Suggest the nearest known word, or up to three that come equally near, or give other advice.

    What stands there already is never suggested.
    """
    words = list(dict.fromkeys(known))
    if wrong in words:
        return otherwise
    if str(wrong) in words:  # 5 where the text "5" is known
        return f'put it in quotes: "{wrong}"'
    best = _find_nearest_words(str(wrong), words)
    if not best:
        return otherwise
    seen = (shown(one) if one.isprintable() and one == one.strip() else repr(one) for one in sorted(best))
    return f"did you mean {' or '.join(seen)}?{describe_lookalikes(str(wrong), ''.join(best))}"


def _find_nearest_words(wrong: str, known: list[str]) -> list[str]:
    """Return up to three known words that come equally near, whatever their capitals."""
    if same := sorted(one for one in known if one.casefold() == wrong.strip().casefold()):
        return same[:_MAX_SUGGESTIONS]
    near = difflib.get_close_matches(wrong, known, n=_MAX_SUGGESTIONS)
    ratios = [difflib.SequenceMatcher(None, one, wrong).ratio() for one in near]
    return [one for one, ratio in zip(near, ratios, strict=True) if ratio == ratios[0]]


def describe_lookalikes(wrong: str, near: str) -> str:
    """Name the characters by which two words differ though a reader sees no difference."""
    strange = dict.fromkeys(c for c in wrong if c not in near and is_deceptive(c))
    told = ", ".join(f"U+{ord(c):04X}" for c in strange)
    return f" (yours has {told} in it, which cannot be told by sight)" if told else ""


def is_deceptive(character: str) -> bool:
    """Return whether a character is unseen, or looks like another alphabet's."""
    if unicodedata.category(character) in _UNSEEN_CATEGORIES:
        return True
    return unicodedata.name(character, "").partition(" ")[0] in LOOKALIKES
