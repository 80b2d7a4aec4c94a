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

Numbers: TypeAlias = tuple[int, ...]

# --- number words ---------------------------------------------------------------------------------

PLAIN = "plain"  # two, deux, zwey, 2, II, double: a number and nothing else
ARTICLE = "article"  # un, ein, one: a number, or only an article
PLACE = "place"  # first, derniere: a place in a row
NOUGHT = "nought"  # nothing, rien, keine

FRENCH = (
    "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf"
)
GERMAN = (
    "zwey|zwei|zwo|zween drey|drei vier fünf|fünff sechs sieben acht neun zehn|zehen eilf|elf|eilff zwölf|zwölff "
    "dreyzehn|dreizehn vierzehn fünfzehn sechzehn siebzehn|siebenzehn achtzehn neunzehn"
)
ENGLISH = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
#: the tens from twenty on, the words for one to nine, and how the two are put together
TENS: tuple[tuple[str, str, str], ...] = (
    ("vingt trente quarante cinquante soixante", f"un {FRENCH}", "{ten}-{one}"),
    ("zwanzig dreyßig|dreißig vierzig fünfzig sechzig|sechtzig", f"ein {GERMAN}", "{one}und{ten}"),
    ("twenty thirty forty fifty sixty", f"one {ENGLISH}", "{ten}-{one}"),
)
TIMES: Mapping[int, str] = {
    2: "double doubles doublé doublés doppelt doppelte doppelten gedoppelt verdoppelt zweyfach zweifach doubled twice "
    "half moitié hälfte helfte helffte",  # what is halved is in two parts
    3: "triple triples tripled dreyfach dreifach dreyfache thrice",
    4: "quadruple quadruples quadrupled vierfach vierfache",
}
ROMAN = "II III IV VI VII VIII IX XI XII XIII"
ARTICLES = "un une ein eine einen einem einer eines eins one once einmal"
PLACES: Mapping[int, str] = {
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


def counted(words: str, start: int) -> Iterator[tuple[str, int]]:
    """Number words in a row, each one more than the last; a bar stands between spellings."""
    for value, spellings in enumerate(words.split(), start):
        for word in spellings.split("|"):
            yield word, value


def upwards() -> Iterator[tuple[str, int]]:
    """The number words from twenty to sixty-nine."""
    for tens, ones, joined in TENS:
        for ten, times in counted(tens, 2):
            yield ten, 10 * times
            for one, value in counted(ones, 1):
                if value < 10:
                    yield joined.format(ten=ten, one=one), 10 * times + value


def lexicon() -> dict[str, tuple[int, str]]:
    """Every number word with its value, and how surely it is a number."""
    plain = [pair for words in (FRENCH, GERMAN, ENGLISH) for pair in counted(words, 2)]
    plain += [*upwards(), ("hundred", 100), ("hundert", 100), ("cent", 100)]
    plain += [(word, value) for value, words in TIMES.items() for word in words.split()]
    found = {word: (value, PLAIN) for word, value in plain}
    found |= {word: (value, PLACE) for value, words in PLACES.items() for word in words.split()}
    found |= {word: (1, ARTICLE) for word in ARTICLES.split()}
    return found | {word: (0, NOUGHT) for word in NOUGHTS.split()}


LEXICON: Mapping[str, tuple[int, str]] = lexicon()
ROMANS: Mapping[str, tuple[int, str]] = {
    **{word: (value, PLAIN) for word, value in zip(ROMAN.split(), (2, 3, 4, 6, 7, 8, 9, 11, 12, 13), strict=True)},
    "I": (1, PLACE),
}
LONGEST = 18  #: digits; a longer run of them is no number that anybody plays for, and Python reads none of thousands
WORD = r"[^\W\d_]+(?:-[^\W\d_]+)*"
TOKENS = re.compile("|".join(f"({pattern})" for pattern, _, _ in PHRASES) + rf"|(\d+)|({WORD})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """A number as it is named in some words."""

    value: int
    kind: str


def named(text: str) -> tuple[Named, ...]:
    """The numbers that some words name, in their order."""
    return tuple(one for match in TOKENS.finditer(text) for one in meant(match))


def meant(match: re.Match[str]) -> Iterator[Named]:
    """The number that a word is, or a run of digits, or a phrase."""
    for group, (_, value, kind) in enumerate(PHRASES, 1):
        if match[group]:
            yield Named(value, kind)
            return
    word = match[0]
    if word.isdigit():
        if len(word) <= LONGEST:
            yield Named(int(word), PLAIN)
    elif found := ROMANS.get(word) or LEXICON.get(word.lower()):
        yield Named(*found)


def values(names: Iterable[Named], *kinds: str) -> Numbers:
    """The numbers of some kinds."""
    return tuple(one.value for one in names if one.kind in kinds)


# --- numbers in an answer ---------------------------------------------------------------------------


def is_numeric(value: Value) -> bool:
    """Whether an answer has numbers in it, or points to one."""
    return isinstance(value, Like) or bool(numbers(value))


def numbers(value: Value) -> Numbers:
    """The numbers in an answer, in order; what is taken once only, or is a yes or no, names none."""
    if isinstance(value, Like):
        return (value.times,) if value.times != 1 else ()
    if isinstance(value, int):
        return (value,)
    if isinstance(value, Mapping):
        return tuple(n for key, one in value.items() if key != "quinola" for n in numbers(one))
    return tuple(n for one in value for n in numbers(one)) if isinstance(value, tuple) else ()


# --- whether the words name the numbers ---------------------------------------------------------------


def tellings(words: str) -> Iterator[Numbers]:
    """The rows of numbers that some words may be heard to name."""
    names = named(words)
    plain, either = values(names, PLAIN), values(names, PLAIN, ARTICLE)
    yield from (plain, either)
    if not plain:
        yield values(names, PLACE)
    if not either:
        yield values(names, NOUGHT)


def tell(words: str, answered: Numbers) -> bool:
    """Whether some words name just these numbers, in this order; or one number, for everything."""
    return any(told == answered or (told and answered and len({*told, *answered}) == 1) for told in tellings(words))


# --- a computation --------------------------------------------------------------------------------------

#: what everybody knows, written behind the number: 52 (a full pack)
KNOWN: Mapping[str, int] = {"a full pack": 52, "suits": 4, "once": 1}
OURS = "ours"  # 4 (ours): a number that no source names
LOCUS = re.compile(r"[A-Z]{2,6}\.[sn]\d+")
CONTROL = "control:"  # before an equation that proves the others and answers nothing


@dataclass(frozen=True, slots=True)
class Hand:
    """What a computation may start from."""

    quoted: frozenset[int] = frozenset()  #: every number that is quoted
    units: Mapping[str, int] = field(default_factory=dict)  #: what a counter is worth in the smallest
    tricks: frozenset[int] = frozenset()  #: how many tricks a deal has
    look: Callable[[str], str] = str  #: the words at a locus
    ours: bool = False  #: whether a number of our own may go in

    def has(self, number: Number) -> bool:
        """Whether a number may go into a computation."""
        if number.kind == NOUGHT:
            return True
        if number.note == OURS:
            return self.ours
        if LOCUS.fullmatch(number.note):
            return number.value in {one.value for one in named(self.look(number.note))}
        if number.note in KNOWN:
            return number.value == KNOWN[number.note]
        of_tricks = number.value in self.tricks and bool({"trick", "tricks"} & {*number.words})
        return of_tricks or number.value in {1, *self.quoted, *self.units.values()}

    def worth(self, number: Number) -> int:
        """A number in the smallest counter, if it counts others."""
        stems = {stem: worth for unit, worth in self.units.items() for stem in (unit, f"{unit}s")}
        return number.value * next((stems[word] for word in number.words if word in stems), 1)


class Unreckonable(ValueError):
    """An equation that cannot be reckoned, or does not come out."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number in an equation, what is noted in brackets behind it, and the words up to the next sign."""

    value: int
    kind: str
    note: str = ""
    words: tuple[str, ...] = ()


Token: TypeAlias = "Number | str"
PIECES = re.compile(rf"\((?P<note>[^\W\d_][^()]*)\)|(?P<sign>[-+/()×])|(?P<word>\d+|{WORD})")


def tokens(text: str) -> list[Token]:
    """One side of an equation in numbers and signs; other words are only remembered."""
    found: list[Token] = []
    for match in PIECES.finditer(text):
        if match["sign"] or match["word"] in ("x", "X"):
            found.append({"×": "*", "x": "*", "X": "*"}.get(match[0], match[0]))
        elif match["word"] and (read := named(match["word"])):
            found.append(Number(read[0].value, read[0].kind))
        elif found and isinstance(last := found[-1], Number):
            note, words = match["note"], match["word"]
            more = (*last.words, words.lower()) if words else last.words
            found[-1] = Number(last.value, last.kind, last.note or note or "", more)
    return found


def only(found: list[Token], *kinds: str) -> list[Token]:
    """The signs, and the numbers of some kinds."""
    return [one for one in found if isinstance(one, str) or one.kind in kinds]


class Sum:
    """Reckons one side of an equation: plus and minus, times, divided by, brackets."""

    def __init__(self, found: list[Token], worth: Callable[[Number], int]) -> None:
        self.found, self.worth, self.at = found, worth, 0

    def whole(self) -> Fraction:
        """What it comes to."""
        total = self.added()
        if self.at < len(self.found):
            raise Unreckonable
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
                raise Unreckonable
            total = total * by if sign == "*" else total / by
        return total

    def single(self) -> Fraction:
        """A number, its opposite, or a sum in brackets."""
        if self.next("-"):
            return -self.single()
        if self.next("("):
            total = self.added()
            if not self.next(")"):
                raise Unreckonable
            return total
        one = self.found[self.at] if self.at < len(self.found) else ""
        if isinstance(one, str):
            raise Unreckonable
        self.at += 1
        return Fraction(self.worth(one))


#: which kinds of number words to take for numbers, the first that can be reckoned: "un jetton", "quatre + un"
HEARD = ((PLAIN,), (PLAIN, ARTICLE), (PLACE,), (NOUGHT,))


def heard(side: str) -> list[Token]:
    """The numbers and signs of one side; nothing where it has only words."""
    found = tokens(side)
    if not any(isinstance(one, Number) for one in found):
        return []
    for kinds in HEARD:
        try:
            Sum(only(found, *kinds), lambda number: number.value).whole()
        except Unreckonable:
            continue
        return only(found, *kinds)
    raise Unreckonable(f"{side.strip()!r} cannot be reckoned")


def result(equation: str, hand: Hand, earlier: Iterable[int]) -> int:
    """What an equation comes to, if all its sides agree and all that goes into it is at hand."""
    *first, last = sides = [heard(side) for side in equation.split("=")]
    if len(sides) < 2 or not last:
        raise Unreckonable(f"{equation.strip()!r} ends in no number")
    reckoned = [side for at, side in enumerate(first) if not at or len(side) > 1]  # a bare number between is a result
    inputs = [one for side in reckoned for one in side if isinstance(one, Number)]
    for one in inputs:
        if one.value not in earlier and not hand.has(one):
            raise Unreckonable(f"the {one.value} in {equation.strip()!r} is not quoted")
    ways = [{Sum(side, way).whole() for way in (plain_worth, hand.worth)} for side in sides if side]
    end = Sum(last, plain_worth).whole()
    if not inputs:
        ways.append({Fraction(0)})  # where nothing is named, nothing is paid
    if end not in set.intersection(*ways):
        raise Unreckonable(f"{equation.strip()!r} does not come out")
    if end.denominator != 1:
        raise Unreckonable(f"{equation.strip()!r} ends in no whole number")
    return int(end)


def plain_worth(number: Number) -> int:
    """A number as it stands."""
    return number.value


def results(computation: str, hand: Hand) -> tuple[Numbers, frozenset[int]]:
    """What the equations of a computation come to, controls left out, and every number in them. Raises Unreckonable."""
    found: list[int] = []
    every: list[int] = []
    for equation in equations(computation):
        bare = equation.strip().removeprefix(CONTROL)
        end = result(bare, hand, every)
        every += [end, *(n.value for side in bare.split("=") for n in heard(side) if isinstance(n, Number))]
        found += [] if equation.strip().startswith(CONTROL) else [end]
    return tuple(found), frozenset(every)


def equations(computation: str) -> list[str]:
    """The parts of a computation that have an equals sign; the rest is comment."""
    return [part for part in re.split(r"[;,]|\.(?=\s|$)", computation) if "=" in part]


# --- the verdict -----------------------------------------------------------------------------------------


def untraced(answered: Numbers, words: str, computation: str, hand: Hand, members: bool = False) -> str:
    """Why numbers answered do not follow from the words; empty if they do.

    With ``members`` (tables that prove themselves, such as the shares of a pack) every number must be
    named somewhere, in any order.
    """
    try:
        ends, every = results(computation, hand)
    except Unreckonable as fault:
        return f"its computation: {fault}"
    if members:
        missing = sorted({*answered} - every - hand.quoted)
        return f"{', '.join(map(str, missing))} is neither quoted nor reckoned" if missing else ""
    if ends:
        return "" if ends == answered else f"its computation comes to {in_a_row(ends)}"
    heard_there = values(named(words), PLAIN, ARTICLE, PLACE)
    return "" if tell(words, answered) else f"the quotation names {in_a_row(heard_there)}"


def in_a_row(found: Numbers) -> str:
    """Numbers in a row."""
    return ", ".join(map(str, found)) or "no number"
