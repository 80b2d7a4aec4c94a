"""English phrases: names in a row, numbers and times in words, counters, and sentences made of pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
#: Plural of a counter where it is not simply an s more.
_COUNTER_PLURALS: Mapping[str, str] = {"fish": "fish", "Marque": "Marquen", "Marke": "Marken"}
PLAIN_LENGTH = 64  #: letters of an answer in plain words, for which a table has room


# --- words
def capitalise(words: str) -> str:
    """Write the first letter large."""
    return words[:1].upper() + words[1:]


def lower_first(words: str) -> str:
    """Write the first letter small."""
    return f"{words[:1].lower()}{words[1:]}"


def lower_gloss(gloss: str) -> str:
    """Gloss for use within a sentence: without capital and full stop."""
    return lower_first(gloss.strip().rstrip("."))


def end_sentence(text: str) -> str:
    """Capitalise a sentence and end it with a full stop."""
    return capitalise(text if text.endswith((".", "?", "!")) else f"{text}.")


def add_article(name: str) -> str:
    """Put the indefinite article before a noun."""
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def join_names(names: Sequence[str]) -> str:
    """Join names: "south, east and north"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def cut_plain(words: str) -> str:
    """Cut words after the last that a table has room for."""
    return words if len(words) <= PLAIN_LENGTH else words[: PLAIN_LENGTH - 1].rpartition(" ")[0].rstrip(" ,;:") + "…"


def join_plain(parts: Sequence[str], separator: str) -> str:
    """Join as many parts as a table has room for, and count the rest."""
    joined = ""
    for shown in range(len(parts), 0, -1):
        more = f" and {len(parts) - shown} more" if shown < len(parts) else ""
        joined = separator.join(parts[:shown]) + more
        if len(joined) <= PLAIN_LENGTH:
            break
    return joined


# --- numbers
def spell_number(number: int) -> str:
    """Spell a small number in letters."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def spell_ordinal(number: int) -> str:
    """Spell a small ordinal in letters; negative ones count from the end: last but two."""
    if number > 0:
        return _ORDINALS[number] if number < len(_ORDINALS) else f"{number}th"
    return {1: "last", 2: "last but one", 3: "last but two"}.get(-number, f"{-number}th from the end")


def format_ordinal(number: int) -> str:
    """Ordinal, from the fourth on in digits; negative ones count from the end."""
    place = {1: "first", 2: "second", 3: "third"}.get(abs(number), f"{abs(number)}th")
    return place if number > 0 else {1: "last", 2: "last but one"}.get(-number, f"{place} from the end")


def spell_times(times: int) -> str:
    """Spell a number of times: once, twice, three times."""
    return {1: "once", 2: "twice"}.get(times, f"{spell_number(times)} times")


def format_times(times: int) -> str:
    """Number of times: not at all, once, twice, 3 times."""
    return {0: "not at all", 1: "once", 2: "twice"}.get(times, f"{times} times")


def format_count(number: int, noun: str, many: str = "") -> str:
    """Number with its noun in the singular or plural."""
    return f"{number} {noun if number == 1 else many or noun + 's'}"


# --- units and fractions
#: English nouns whose plural is not formed with an s, for units and counters.
_IRREGULAR_PLURALS: Mapping[str, str] = {
    "man": "men",
    "woman": "women",
    "child": "children",
    "person": "people",
    "foot": "feet",
    "tooth": "teeth",
    "goose": "geese",
    "mouse": "mice",
    "die": "dice",
    "loaf": "loaves",
    "half": "halves",
    "leaf": "leaves",
    "sheep": "sheep",
}
_SINGULARS: Mapping[str, str] = {plural: noun for noun, plural in _IRREGULAR_PLURALS.items()}
_SINGULAR_ENDINGS = ((r"ies$", "y"), (r"(ch|sh|x|ss)es$", r"\1"), (r"(?<=[^\Ws])s$", ""))


def singularize_unit(unit: str) -> str:
    """Singular of a unit of measure: minute, inch, foot; what is no plural stays as it is."""
    words, space, last = unit.rpartition(" ")
    ending = next((pair for pair in _SINGULAR_ENDINGS if re.search(pair[0], last)), ("$", ""))
    return words + space + (_SINGULARS.get(last) or re.sub(*ending, last, count=1))


def format_measured(number: int | str, unit: str) -> str:
    """Number, or fraction, with a unit that is given in the plural: 10 minutes, 1 minute, 1/2 ounce; 3 without any."""
    value = Fraction(number)
    noun = singularize_unit(unit) if 0 < value <= 1 else unit
    return f"{format_mixed(number)} {noun}" if unit else format_mixed(number)


def format_mixed(number: int | str) -> str:
    """Fraction with its wholes before it: 1 1/2 for 3/2."""
    whole, rest = divmod(Fraction(number), 1)
    return " ".join(filter(None, (str(whole) if whole or not rest else "", str(rest) if rest else "")))


# --- counters
def pluralize_counter(unit: str) -> str:
    """Plural of a counter: fiches, Marquen, halfpence."""
    if unit.endswith("penny"):
        return f"{unit[:-5]}pence"
    before, space, noun = unit.rpartition(" ")
    known = _COUNTER_PLURALS.get(noun) or _IRREGULAR_PLURALS.get(noun)
    if known:
        return f"{before}{space}{known}"
    if re.search("(?:ch|sh|x|ss)$", noun):
        return f"{unit}es"
    return re.sub("(?<=[^aeiou])y$", "ie", unit) + "s"


def format_counters(number: int, unit: str) -> str:
    """Number of counters: "5 fiches"."""
    return format_count(number, unit, pluralize_counter(unit))


def format_signed_sum(number: int) -> str:
    """Format a sum with its sign; zero has none."""
    return f"{number:+d}" if number else "0"


def format_sum(number: int, unit: str) -> str:
    """Sum in counters, or "nothing"."""
    return format_counters(number, unit) if number else "nothing"


def describe_sum_unit(unit: str) -> str:
    """Unit of all sums: "sums in fiches"."""
    return f"sums in {pluralize_counter(unit)}"


# --- texts of answers
@dataclass(frozen=True, slots=True)
class AnswerText:
    """Text of an answer: short form, full form and the cards that it names."""

    short: str  #: as data: own-suit, 5, {AD: 5, JH: 4}
    full: str = ""  #: as words; empty where the short form says it all
    cards: tuple[tuple[str, str], ...] = ()  #: cards or suits named, each with what it is worth


# --- sentences in pieces
@dataclass(frozen=True, slots=True)
class PhrasePiece:
    """Words of a sentence; with a kind they link to their target, or are shown in a way of their own."""

    words: str
    kind: str = ""
    target: str = ""
    lang: str = ""


Pieces: TypeAlias = tuple[PhrasePiece, ...]


def merge_pieces(pieces: Iterable[PhrasePiece]) -> Pieces:
    """Merge plain pieces that follow one another; empty ones are left out."""
    merged: list[PhrasePiece] = []
    for piece in pieces:
        if piece.kind or not merged or merged[-1].kind:
            merged += [piece] if piece.words else []
        else:
            merged[-1] = PhrasePiece(merged[-1].words + piece.words)
    return tuple(merged)


def enumerate_pieces(parts: Sequence[Pieces], join: str) -> Pieces:
    """Enumerate several things: a, b and c."""
    last = f"{join} " if join.startswith(",") else f" {join} "
    row: list[PhrasePiece] = []
    for at, part in enumerate(parts):
        row += [PhrasePiece("" if not at else last if at == len(parts) - 1 else ", "), *part]
    return merge_pieces(row)


def flatten_pieces(pieces: Iterable[PhrasePiece]) -> str:
    """Plain text of a sentence."""
    return "".join(piece.words for piece in pieces)
