"""Suggest the known word that a misspelt one was meant to be; the standard library is enough."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable

from rulebook.strings import quote_value

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
    seen = (shown(word) if word.isprintable() and word == word.strip() else repr(word) for word in sorted(best))
    return f"did you mean {' or '.join(seen)}?{describe_lookalikes(str(wrong), ''.join(best))}"


def _find_nearest_words(wrong: str, known: list[str]) -> list[str]:
    """Return up to three known words that come equally near, whatever their capitals."""
    if same := sorted(word for word in known if word.casefold() == wrong.strip().casefold()):
        return same[:_MAX_SUGGESTIONS]
    near = difflib.get_close_matches(wrong, known, n=_MAX_SUGGESTIONS)
    ratios = [difflib.SequenceMatcher(None, word, wrong).ratio() for word in near]
    return [word for word, ratio in zip(near, ratios, strict=True) if ratio == ratios[0]]


def describe_lookalikes(wrong: str, near: str) -> str:
    """Name the characters by which two words differ though a reader sees no difference."""
    unseen = wrong if wrong != wrong.strip() else wrong.replace(" ", "")  # a blank between words can be seen
    strange = dict.fromkeys(c for c in unseen if c not in near and is_deceptive(c))
    codes = ", ".join(f"U+{ord(c):04X}" for c in strange)
    return f" (yours has {codes} in it, which looks the same)" if codes else ""


def is_deceptive(character: str) -> bool:
    """Return whether a character is unseen, or looks like another alphabet's."""
    if unicodedata.category(character) in _UNSEEN_CATEGORIES:
        return True
    return unicodedata.name(character, "").partition(" ")[0] in LOOKALIKES


# ---- names as a script or a command gives them
_MAX_LISTED_NAMES = 9  # so many names can simply be listed
_MIN_LIKENESS = 0.6
_NUMBERED = re.compile(r"q[0-9]+")  # as `_fold_name` leaves the id of a question


class UnknownName(KeyError):
    """An unknown name; the message suggests what was probably meant."""

    def __str__(self) -> str:
        return str(self.args[0])  # a plain KeyError would put it in quotation marks


def match_name(kind: str, word: object, known: Iterable[str], otherwise: str = "") -> str:
    """Find the name that was meant: in any letters, `31` for Q031, hyphens for points.

    Raises UnknownName, which suggests the nearest name, or gives other advice where none is near.
    """
    names = list(known)
    if word in names:
        return str(word)
    folded = {_fold_name(name): name for name in reversed(names)}
    name = folded.get(_fold_name(str(word)))
    if name is None:
        raise UnknownName(
            f"No {kind} {quote_value(word)}. {_hint_name(str(word), names, folded) or otherwise}".rstrip()
        )
    return name


def _fold_name(name: str) -> str:
    """Return a name without what people write differently: capitals, points and hyphens, leading zeros."""
    plain = re.sub(r"[\s._-]+", "-", name.strip().casefold())
    plain = re.sub(r"(?<![0-9])0+(?=[0-9])", "", plain)
    return f"q{plain}" if plain.isdigit() else plain


def _hint_name(word: str, names: list[str], folded: dict[str, str]) -> str:
    if len(names) <= _MAX_LISTED_NAMES:
        meant = did_you_mean(_fold_name(word), folded, "", lambda name: folded[name])
        return f"There are: {', '.join(names)}. {meant[:1].upper()}{meant[1:]}".rstrip()
    if _NUMBERED.fullmatch(_fold_name(word)):  # no number is nearer than another
        numbered = sorted(name for key, name in folded.items() if _NUMBERED.fullmatch(key))
        return f"There are {len(numbered)}, {numbered[0]} to {numbered[-1]}." if numbered else ""
    near = difflib.get_close_matches(_fold_name(word), folded, 1, _MIN_LIKENESS)
    return f"Did you mean {folded[near[0]]}?{describe_lookalikes(word, folded[near[0]])}" if near else ""


def describe_type(value: object) -> str:
    """Name the type of an argument with its article: a Ruleset, an int, None."""
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
