"""The value in the quotation: every number answered is a number that the source names, or is reckoned from some.

French, German and English number words are read as they stand in the texts. Where the number answered is not
the one number quoted, the clause states a computation: "un jetton = 5 fiches", "11 tricks - neuf = 2". It is
reckoned here, and what goes into it must be at hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from rulebook.model import Like, Value

_Numbers: TypeAlias = tuple[int, ...]

# --- number words ---------------------------------------------------------------------------------

CARDINAL = "plain"  # two, deux, zwey, 2, II, double: a number and nothing else
ARTICLE = "article"  # un, ein, one: a number, or only an article
ORDINAL = "place"  # first, derniere: a place in a row
NOUGHT = "nought"  # nothing, rien, keine

_FRENCH_NUMBERS = (
    "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf"
)
_GERMAN_NUMBERS = (
    "zwey|zwei|zwo|zween drey|drei vier fünf|fünff sechs sieben acht neun zehn|zehen eilf|elf|eilff zwölf|zwölff "
    "dreyzehn|dreizehn vierzehn fünfzehn sechzehn siebzehn|siebenzehn achtzehn neunzehn"
)
_ENGLISH_NUMBERS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
#: the tens from twenty on, the words for one to nine, and how the two are put together
TENS: tuple[tuple[str, str, str], ...] = (
    ("vingt trente quarante cinquante soixante", f"un {_FRENCH_NUMBERS}", "{ten}-{one}"),
    ("zwanzig dreyßig|dreißig vierzig fünfzig sechzig|sechtzig", f"ein {_GERMAN_NUMBERS}", "{one}und{ten}"),
    ("twenty thirty forty fifty sixty", f"one {_ENGLISH_NUMBERS}", "{ten}-{one}"),
)
_MULTIPLIERS: Mapping[int, str] = {
    2: "double doubles doublé doublés doppelt doppelte doppelten gedoppelt verdoppelt zweyfach zweifach doubled twice "
    "half moitié hälfte helfte helffte",  # what is halved is in two parts
    3: "triple triples tripled dreyfach dreifach dreyfache thrice",
    4: "quadruple quadruples quadrupled vierfach vierfache",
}
ROMAN = "II III IV VI VII VIII IX XI XII XIII"
ARTICLES = "un une ein eine einen einem einer eines eins one once einmal"
_ORDINALS: Mapping[int, str] = {
    1: "premier premiere première premiers premieres premières erste ersten erster erstes first",
    2: "second seconde deuxieme deuxième zweyte zweyten zweite zweiten",
    3: "troisieme troisième dritte dritten third",
    4: "quatrieme quatrième vierte vierten fourth",
    9: "neuvieme neuvième neunte neunten ninth",
    10: "dixieme dixième zehnte zehnten tenth",
    11: "onzieme onzième eilfte eilften elfte elften eleventh",
    -1: "dernier derniere dernière derniers dernieres dernières letzte letzten letzter letztes last",
    -2: "avant-dernier avant-derniere avant-dernière vorletzte vorletzten",
}
NOUGHTS = (
    "rien point aucun aucune aucunement personne nichts kein keine keinen keinem keiner keines niemand "
    "nobody none no nothing"
)
#: several words that make one number: so much for so much is one for one, and "ne ... que" leaves nothing besides
PHRASES: tuple[tuple[str, int, str], ...] = (
    (r"as (?:many|much)|so vie[lh]e?|autant", 1, ARTICLE),
    (r"n(?:e |')(?=[^.;:]{1,60}? qu(?:e |'))", 0, NOUGHT),
)


def _enumerate_words(words: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield number words in a row, each one more than the last.

    A bar stands between spellings.
    """
    for value, spellings in enumerate(words.split(), start):
        for word in spellings.split("|"):
            yield word, value


def _iter_tens() -> Iterator[tuple[str, int]]:
    """Yield the number words from twenty to sixty-nine."""
    for tens, ones, joined in TENS:
        for ten, times in _enumerate_words(tens, 2):
            yield ten, 10 * times
            for one, value in _enumerate_words(ones, 1):
                if value < 10:
                    yield joined.format(ten=ten, one=one), 10 * times + value


def _build_lexicon() -> dict[str, tuple[int, str]]:
    """Build the table of number words: value, and how surely it is a number."""
    plain = [
        pair for words in (_FRENCH_NUMBERS, _GERMAN_NUMBERS, _ENGLISH_NUMBERS) for pair in _enumerate_words(words, 2)
    ]
    plain += [*_iter_tens(), ("hundred", 100), ("hundert", 100), ("cent", 100)]
    plain += [(word, value) for value, words in _MULTIPLIERS.items() for word in words.split()]
    found = {word: (value, CARDINAL) for word, value in plain}
    found |= {word: (value, ORDINAL) for value, words in _ORDINALS.items() for word in words.split()}
    found |= {word: (1, ARTICLE) for word in ARTICLES.split()}
    return found | {word: (0, NOUGHT) for word in NOUGHTS.split()}


LEXICON: Mapping[str, tuple[int, str]] = _build_lexicon()
ROMANS: Mapping[str, tuple[int, str]] = {
    **{word: (value, CARDINAL) for word, value in zip(ROMAN.split(), (2, 3, 4, 6, 7, 8, 9, 11, 12, 13), strict=True)},
    "I": (1, ORDINAL),
}
_MAX_DIGITS = (
    18  #: digits; a longer run of them is no number that anybody plays for, and Python reads none of thousands
)
_WORD_PATTERN = r"[^\W\d_]+(?:-[^\W\d_]+)*"
TOKENS = re.compile("|".join(f"({pattern})" for pattern, _, _ in PHRASES) + rf"|(\d+)|({_WORD_PATTERN})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedNumber:
    """A number as it is named in some words."""

    value: int
    kind: str


def find_named_numbers(text: str) -> tuple[NamedNumber, ...]:
    """Find the numbers that some words name, in their order."""
    return tuple(one for match in TOKENS.finditer(text) for one in _read_number_match(match))


def _read_number_match(match: re.Match[str]) -> Iterator[NamedNumber]:
    """Yield the number that a word is, or a run of digits, or a phrase."""
    for group, (_, value, kind) in enumerate(PHRASES, 1):
        if match[group]:
            yield NamedNumber(value, kind)
            return
    word = match[0]
    if word.isdigit():
        if len(word) <= _MAX_DIGITS:
            yield NamedNumber(int(word), CARDINAL)
    elif found := ROMANS.get(word) or LEXICON.get(word.lower()):
        yield NamedNumber(*found)


def _select_values(names: Iterable[NamedNumber], *kinds: str) -> _Numbers:
    return tuple(one.value for one in names if one.kind in kinds)


# --- numbers in an answer ---------------------------------------------------------------------------


def is_numeric(value: Value) -> bool:
    """Return whether an answer contains numbers, or points to one."""
    return isinstance(value, Like) or bool(extract_answer_numbers(value))


def extract_answer_numbers(value: Value) -> _Numbers:
    """Return the numbers in an answer, in order.

    What is taken once only, or is a yes or no, names none.
    """
    if isinstance(value, Like):
        return (value.times,) if value.times != 1 else ()
    if isinstance(value, int):
        return (value,)
    if isinstance(value, Mapping):
        return tuple(n for key, one in value.items() if key != "quinola" for n in extract_answer_numbers(one))
    return tuple(n for one in value for n in extract_answer_numbers(one)) if isinstance(value, tuple) else ()


# --- whether the words name the numbers ---------------------------------------------------------------


def _iter_readings(words: str) -> Iterator[_Numbers]:
    """Yield the rows of numbers that some words may be taken to name."""
    names = find_named_numbers(words)
    plain, either = _select_values(names, CARDINAL), _select_values(names, CARDINAL, ARTICLE)
    yield from (plain, either)
    if not plain:
        yield _select_values(names, ORDINAL)
    if not either:
        yield _select_values(names, NOUGHT)


def has_named_numbers(words: str, answered: _Numbers) -> bool:
    """Return whether some words name just these numbers, in this order.

    Or one number, for everything.
    """
    return any(
        told == answered or (told and answered and len({*told, *answered}) == 1) for told in _iter_readings(words)
    )


# --- a computation --------------------------------------------------------------------------------------

#: what everybody knows, written behind the number: 52 (a full pack)
_COMMON_NUMBERS: Mapping[str, int] = {"a full pack": 52, "suits": 4, "once": 1}
OURS_NOTE = "ours"  # 4 (ours): a number that no source names
LOCUS = re.compile(r"[A-Z]{2,6}\.[sn]\d+")
CONTROL = "control:"  # before an equation that proves the others and answers nothing


@dataclass(frozen=True, slots=True)
class ComputationInputs:
    """Values from which a computation may start."""

    quoted: frozenset[int] = frozenset()  #: every number that is quoted
    units: Mapping[str, int] = field(default_factory=dict)  #: what a counter is worth in the smallest
    tricks: frozenset[int] = frozenset()  #: how many tricks a deal has
    look: Callable[[str], str] = str  #: the words at a locus
    ours: bool = False  #: whether a number of our own may go in

    def has(self, number: EquationNumber) -> bool:
        """Return whether a number may go into a computation."""
        if number.kind == NOUGHT:
            return True
        if number.note == OURS_NOTE:
            return self.ours
        if LOCUS.fullmatch(number.note):
            return number.value in {one.value for one in find_named_numbers(self.look(number.note))}
        if number.note in _COMMON_NUMBERS:
            return number.value == _COMMON_NUMBERS[number.note]
        of_tricks = number.value in self.tricks and bool({"trick", "tricks"} & {*number.words})
        return of_tricks or number.value in {1, *self.quoted, *self.units.values()}

    def worth(self, number: EquationNumber) -> int:
        """A number in the smallest counter, if it counts others."""
        stems = {stem: worth for unit, worth in self.units.items() for stem in (unit, f"{unit}s")}
        return number.value * next((stems[word] for word in number.words if word in stems), 1)


class UncomputableEquation(ValueError):
    """An equation that cannot be computed, or does not come out."""


@dataclass(frozen=True, slots=True)
class EquationNumber:
    """A number in an equation, what is noted in brackets behind it, and the words up to the next sign."""

    value: int
    kind: str
    note: str = ""
    words: tuple[str, ...] = ()


_Token: TypeAlias = "EquationNumber | str"
_EQUATION_TOKEN = re.compile(rf"\((?P<note>[^\W\d_][^()]*)\)|(?P<sign>[-+/()×])|(?P<word>\d+|{_WORD_PATTERN})")


def _tokenise_side(text: str) -> list[_Token]:
    """Split one side of an equation into numbers and signs.

    Other words are only remembered.
    """
    found: list[_Token] = []
    for match in _EQUATION_TOKEN.finditer(text):
        if match["sign"] or match["word"] in ("x", "X"):
            found.append({"×": "*", "x": "*", "X": "*"}.get(match[0], match[0]))
        elif match["word"] and (read := find_named_numbers(match["word"])):
            found.append(EquationNumber(read[0].value, read[0].kind))
        elif found and isinstance(last := found[-1], EquationNumber):
            note, words = match["note"], match["word"]
            more = (*last.words, words.lower()) if words else last.words
            found[-1] = EquationNumber(last.value, last.kind, last.note or note or "", more)
    return found


def _keep_kinds(found: list[_Token], *kinds: str) -> list[_Token]:
    return [one for one in found if isinstance(one, str) or one.kind in kinds]


class _SideParser:
    """Computes one side of an equation: plus and minus, times, divided by, brackets."""

    def __init__(self, found: list[_Token], worth: Callable[[EquationNumber], int]) -> None:
        self.found, self.worth, self.at = found, worth, 0

    def whole(self) -> Fraction:
        """Compute the value of the whole side."""
        total = self.added()
        if self.at < len(self.found):
            raise UncomputableEquation
        return total

    def next(self, *signs: str) -> str:
        """Step over a sign if it comes next."""
        sign = self.found[self.at] if self.at < len(self.found) else ""
        if isinstance(sign, str) and sign in signs:
            self.at += 1
            return sign
        return ""

    def added(self) -> Fraction:
        """Numbers added and taken away."""
        total = self.multiplied()
        while sign := self.next("+", "-"):
            more = self.multiplied()
            total = total + more if sign == "+" else total - more
        return total

    def multiplied(self) -> Fraction:
        """Numbers multiplied and divided."""
        total = self.single()
        while sign := self.next("*", "/"):
            by = self.single()
            if sign == "/" and not by:
                raise UncomputableEquation
            total = total * by if sign == "*" else total / by
        return total

    def single(self) -> Fraction:
        """A number, its opposite, or a sum in brackets."""
        if self.next("-"):
            return -self.single()
        if self.next("("):
            total = self.added()
            if not self.next(")"):
                raise UncomputableEquation
            return total
        one = self.found[self.at] if self.at < len(self.found) else ""
        if isinstance(one, str):
            raise UncomputableEquation
        self.at += 1
        return Fraction(self.worth(one))


#: which kinds of number words to take for numbers, the first that can be reckoned: "un jetton", "quatre + un"
_KIND_PREFERENCES = ((CARDINAL,), (CARDINAL, ARTICLE), (ORDINAL,), (NOUGHT,))


def _interpret_side(side: str) -> list[_Token]:
    """Return the numbers and signs of one side; nothing where it has only words."""
    found = _tokenise_side(side)
    if not any(isinstance(one, EquationNumber) for one in found):
        return []
    for kinds in _KIND_PREFERENCES:
        try:
            _SideParser(_keep_kinds(found, *kinds), lambda number: number.value).whole()
        except UncomputableEquation:
            continue
        return _keep_kinds(found, *kinds)
    raise UncomputableEquation(f"{side.strip()!r} cannot be reckoned")


def _compute_equation(equation: str, hand: ComputationInputs, earlier: Iterable[int]) -> int:
    """Compute an equation.

    Raises UncomputableEquation unless all its sides agree and all that goes into it is at hand.
    """
    *first, last = sides = [_interpret_side(side) for side in equation.split("=")]
    if len(sides) < 2 or not last:
        raise UncomputableEquation(f"{equation.strip()!r} ends in no number")
    reckoned = [side for at, side in enumerate(first) if not at or len(side) > 1]  # a bare number between is a result
    inputs = [one for side in reckoned for one in side if isinstance(one, EquationNumber)]
    for one in inputs:
        if one.value not in earlier and not hand.has(one):
            raise UncomputableEquation(f"the {one.value} in {equation.strip()!r} is not quoted")
    ways = [{_SideParser(side, way).whole() for way in (plain_worth, hand.worth)} for side in sides if side]
    end = _SideParser(last, plain_worth).whole()
    if not inputs:
        ways.append({Fraction(0)})  # where nothing is named, nothing is paid
    if end not in set.intersection(*ways):
        raise UncomputableEquation(f"{equation.strip()!r} does not come out")
    if end.denominator != 1:
        raise UncomputableEquation(f"{equation.strip()!r} ends in no whole number")
    return int(end)


def plain_worth(number: EquationNumber) -> int:
    """A number as it stands."""
    return number.value


def compute_equations(computation: str, hand: ComputationInputs) -> tuple[_Numbers, frozenset[int]]:
    """Compute the equations of a computation, and every number in them.

    Results of controls are left out. Raises UncomputableEquation.
    """
    found: list[int] = []
    every: list[int] = []
    for equation in _split_equations(computation):
        bare = equation.strip().removeprefix(CONTROL)
        end = _compute_equation(bare, hand, every)
        every += [
            end,
            *(n.value for side in bare.split("=") for n in _interpret_side(side) if isinstance(n, EquationNumber)),
        ]
        found += [] if equation.strip().startswith(CONTROL) else [end]
    return tuple(found), frozenset(every)


def _split_equations(computation: str) -> list[str]:
    """Return the parts of a computation with an equals sign; the rest is comment."""
    return [part for part in re.split(r"[;,]|\.(?=\s|$)", computation) if "=" in part]


# --- the verdict -----------------------------------------------------------------------------------------


def describe_untraced(
    answered: _Numbers, words: str, computation: str, hand: ComputationInputs, members: bool = False
) -> str:
    """Explain why numbers answered do not follow from the words; empty if they do.

    With ``members`` (tables that prove themselves, such as the shares of a pack) every number must be
    named somewhere, in any order.
    """
    try:
        ends, every = compute_equations(computation, hand)
    except UncomputableEquation as fault:
        return f"its computation: {fault}"
    if members:
        missing = sorted({*answered} - every - hand.quoted)
        return f"{', '.join(map(str, missing))} is neither quoted nor reckoned" if missing else ""
    if ends:
        return "" if ends == answered else f"its computation comes to {format_number_list(ends)}"
    heard_there = _select_values(find_named_numbers(words), CARDINAL, ARTICLE, ORDINAL)
    return "" if has_named_numbers(words, answered) else f"the quotation names {format_number_list(heard_there)}"


def format_number_list(found: _Numbers) -> str:
    """Format numbers, separated by commas."""
    return ", ".join(map(str, found)) or "no number"
