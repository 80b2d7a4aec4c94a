"""The value in the quotation: every number answered is a number that the source names, or is reckoned from some.

Number words are read as they stand in the texts (`number_words`). Where the number answered is not
the one number quoted, the clause states a computation: "un jetton = 5 fiches", "11 tricks - neuf = 2". It is
reckoned here, and what goes into it must be at hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from rulebook.checks.number_words import (
    ARTICLE,
    CARDINAL,
    NO_NUMBER_WORDS,
    NOUGHT,
    ORDINAL,
    TIMES_WORDS,
    WORD_PATTERN,
    NumberWords,
    find_named_numbers,
    select_values,
)
from rulebook.model import Like, Value
from rulebook.strings import quote_value

_Numbers: TypeAlias = tuple[int, ...]

# --- numbers in an answer ---------------------------------------------------------------------------


_FRACTION = re.compile(r"\d+/\d+\Z")


def is_numeric(value: Value) -> bool:
    """Return whether an answer contains numbers, or points to one."""
    return isinstance(value, Like) or bool(extract_answer_numbers(value))


def extract_answer_numbers(value: Value) -> _Numbers:
    """Return the numbers in an answer, in order; what is taken once only, or is a yes or no, names none."""
    if isinstance(value, Like):
        return (value.times,) if value.times != 1 else ()
    if isinstance(value, int):
        return (value,)
    if isinstance(value, str):  # two thirds name 2 and 3, one third only 3
        if not _FRACTION.match(value):
            return ()
        return tuple(number for number in map(int, value.split("/")) if number > 1)
    if isinstance(value, Mapping):
        return tuple(n for key, item in value.items() if key != "quinola" for n in extract_answer_numbers(item))
    return tuple(n for item in value for n in extract_answer_numbers(item)) if isinstance(value, tuple) else ()


def part_mixed_numbers(value: Value) -> _Numbers:
    """Return the numbers of a fraction of more than one whole as they are printed: 1 1/2 names 1 and 2; else none."""
    if not isinstance(value, str) or not _FRACTION.match(value):
        return ()
    whole, rest = divmod(Fraction(value), 1)
    return (int(whole), *extract_answer_numbers(str(rest))) if whole else ()


# --- whether the words name the numbers ---------------------------------------------------------------


def has_named_numbers(words: str, answered: _Numbers, known: NumberWords = NO_NUMBER_WORDS) -> bool:
    """Return whether some words name every number answered; others may stand beside them.

    An answer without a number of its own (as much as for another question) does not go with words for so many times.
    """
    names = find_named_numbers(words, known)
    heard = {*select_values(names, CARDINAL, ARTICLE, ORDINAL)}
    if not answered:
        return TIMES_WORDS.isdisjoint(re.findall(WORD_PATTERN, words.lower()))
    if not select_values(names, CARDINAL, ARTICLE):
        heard |= {*select_values(names, NOUGHT)}  # beside another number a "no" seldom says how much
    return heard.issuperset(answered)


# --- a computation --------------------------------------------------------------------------------------

#: what everybody knows, written behind the number: 52 (a full pack)
_COMMON_NUMBERS: Mapping[str, int] = {"a full pack": 52, "suits": 4, "once": 1}
OURS_NOTE = "ours"  # 4 (ours): a number that no source names
_WORDS_FOR_TRICKS = frozenset(["trick", "tricks", "stich", "stiche", "stichen", "levée", "levées", "levee", "levees"])
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
    words: NumberWords = NO_NUMBER_WORDS  #: the source's own number words, and those of its language

    def has(self, number: EquationNumber) -> bool:
        """Return whether a number may go into a computation."""
        if number.kind == NOUGHT:
            return True
        if number.note == OURS_NOTE:
            return self.ours
        if LOCUS.fullmatch(number.note):
            return number.value in {named.value for named in find_named_numbers(self.look(number.note), self.words)}
        if number.note in _COMMON_NUMBERS:
            return number.value == _COMMON_NUMBERS[number.note]
        of_tricks = number.value in self.tricks and bool(_WORDS_FOR_TRICKS & {*number.words})
        return of_tricks or number.value in {1, *self.quoted, *self.units.values()}

    def worth(self, number: EquationNumber) -> int:
        """A number in the smallest counter, if it counts others."""
        stems = {stem: worth for unit, worth in self.units.items() for stem in (unit, f"{unit}s")}
        return number.value * next((stems[word] for word in number.words if word in stems), 1)


class UncomputableEquation(ValueError):
    """An equation that cannot be computed, or does not come out, and the way out."""

    def __init__(self, what: str = "", way_out: str = "") -> None:
        self.way_out = way_out
        super().__init__(what)


@dataclass(frozen=True, slots=True)
class EquationNumber:
    """A number in an equation, what is noted in brackets behind it, and the words up to the next sign."""

    value: int
    kind: str
    note: str = ""
    words: tuple[str, ...] = ()


_Token: TypeAlias = "EquationNumber | str"
_EQUATION_TOKEN = re.compile(rf"\((?P<note>[^\W\d_][^()]*)\)|(?P<sign>[-+/()×])|(?P<word>\d+|{WORD_PATTERN})")


def _tokenise_side(text: str) -> list[_Token]:
    """Split one side of an equation into numbers and signs.

    Other words are only remembered.
    """
    tokens: list[_Token] = []
    for match in _EQUATION_TOKEN.finditer(text):
        if match["sign"] or match["word"] in ("x", "X"):
            tokens.append({"×": "*", "x": "*", "X": "*"}.get(match[0], match[0]))
        elif match["word"] and (read := find_named_numbers(match["word"])):
            tokens.append(EquationNumber(read[0].value, read[0].kind))
        elif tokens and isinstance(last := tokens[-1], EquationNumber):
            note, words = match["note"], match["word"]
            more = (*last.words, words.lower()) if words else last.words
            tokens[-1] = EquationNumber(last.value, last.kind, last.note or note or "", more)
    return tokens


def _keep_kinds(tokens: list[_Token], *kinds: str) -> list[_Token]:
    return [token for token in tokens if isinstance(token, str) or token.kind in kinds]


def _count_articles(tokens: list[_Token]) -> list[_Token]:
    """Take an article for a number where a sign asks for one beside it: 9 + einen."""
    return [
        replace(token, kind=CARDINAL)
        if isinstance(token, EquationNumber) and token.kind == ARTICLE and _is_operand(tokens, at)
        else token
        for at, token in enumerate(tokens)
    ]


def _is_operand(tokens: list[_Token], at: int) -> bool:
    """Return whether a number stands alone between signs, or between a sign and the end."""
    before, after = (tokens[at - 1] if at else ""), (tokens[at + 1] if at + 1 < len(tokens) else "")
    return isinstance(before, str) and isinstance(after, str) and bool(before or after)


class _SideParser:
    """Computes one side of an equation: plus and minus, times, divided by, brackets."""

    def __init__(self, tokens: list[_Token], worth: Callable[[EquationNumber], int]) -> None:
        self.found, self.worth, self.at = tokens, worth, 0

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
        token = self.found[self.at] if self.at < len(self.found) else ""
        if isinstance(token, str):
            raise UncomputableEquation
        self.at += 1
        return Fraction(self.worth(token))


#: which kinds of number words to take for numbers, the first that can be reckoned: "un jetton", "quatre + un"
_KIND_PREFERENCES = ((CARDINAL,), (CARDINAL, ARTICLE), (ORDINAL,), (NOUGHT,))


def _interpret_side(side: str) -> list[_Token]:
    """Return the numbers and signs of one side; nothing where it has only words."""
    tokens = _count_articles(_tokenise_side(side))
    if not any(isinstance(token, EquationNumber) for token in tokens):
        return []
    for kinds in _KIND_PREFERENCES:
        try:
            _SideParser(_keep_kinds(tokens, *kinds), lambda number: number.value).whole()
        except UncomputableEquation:
            continue
        return _keep_kinds(tokens, *kinds)
    raise UncomputableEquation(f"{quote_value(side.strip())} cannot be computed", _hint_unreadable(side, tokens))


_SUM_IN_REMARK = re.compile(r"\([^\W\d_][^()]*[-+/×][^()]*\)")


def _hint_unreadable(side: str, tokens: Iterable[_Token]) -> str:
    """Say why one side cannot be computed: a sum in a remark, numbers without a sign, or a sign without a number."""
    if remark := _SUM_IN_REMARK.search(side):
        return f"a bracket that begins with a letter is a remark: begin {remark[0]} with digits, as in (52 - 2) / 5"
    cardinals = _keep_kinds([*tokens], CARDINAL)
    for left, right in pairwise(cardinals):
        if isinstance(left, EquationNumber) and isinstance(right, EquationNumber):
            return (
                f"put a sign between {left.value} and {right.value}: +, -, x or /; or a semicolon, if they are two sums"
            )
    return "give every sign + - x / a number on either side, divide by no 0, and close every bracket"


def _compute_sides(sides: list[list[_Token]], name: str, hand: ComputationInputs, earlier: Iterable[int]) -> int:
    """Compute the sides of an equation.

    Raises UncomputableEquation unless all of them agree and all that goes into it is at hand.
    """
    *first, last = sides
    if len(sides) < 2 or not last:
        raise UncomputableEquation(f"{name} ends in no number", "write the result in digits behind the last =")
    reckoned = [side for at, side in enumerate(first) if not at or len(side) > 1]  # a bare number between is a result
    inputs = [number for side in reckoned for number in side if isinstance(number, EquationNumber)]
    end = _SideParser(last, plain_worth).whole()
    for number in inputs:
        if not number.value and end:
            continue  # a nought answers nothing unless it is the result
        if number.value not in earlier and not hand.has(number):
            raise UncomputableEquation(f"the {number.value} in {name} is not quoted", _hint_unquoted(number, hand))
    ways = [{_SideParser(side, way).whole() for way in (plain_worth, hand.worth)} for side in sides if side]
    if not inputs:
        ways.append({Fraction(0)})  # where nothing is named, nothing is paid
    if end not in set.intersection(*ways):
        raise UncomputableEquation(f"{name} does not come out", _hint_unequal(ways, bool(inputs), end))
    if end.denominator != 1:
        way_out = "answer in the smallest counter; where a source pays in halves, say in source.yaml what one is worth"
        raise UncomputableEquation(f"{name} ends in no whole number", way_out)
    return int(end)


def _hint_unquoted(number: EquationNumber, hand: ComputationInputs) -> str:
    """Say how a number may go into a computation."""
    known = {value: note for note, value in _COMMON_NUMBERS.items()}
    noted = [f"{number.value} ({known[number.value]})"] if number.value in known else []
    noted += [f"{number.value} tricks where tricks are counted"] if number.value in hand.tricks else []
    noted += ["the sentence that names it in brackets behind it, as in 7 (ABC.s0012)"]
    noted += [f"{number.value} ({OURS_NOTE}) if no source names it"] if hand.ours else []
    return f"cite the words that name {number.value}, or write {', or '.join(noted)}"


def _hint_unequal(ways: Iterable[set[Fraction]], named: bool, end: Fraction) -> str:
    """Say what each side comes to."""
    if not named:
        once = f"; for what is taken once, write {ONCE_EXAMPLE}" if end == 1 else ""
        why = "no number stands before the =; only 0 follows from words alone"
        return f"{why}: quote or write what it is computed from{once}"
    sides = [" or ".join(map(str, sorted(way))) for way in ways]
    return f"the sides come to {', '.join(sides[:-1])} and {sides[-1]}: read the passage again, then correct the sum"


def plain_worth(number: EquationNumber) -> int:
    """A number as it stands."""
    return number.value


def compute_equations(computation: str, hand: ComputationInputs) -> tuple[_Numbers, frozenset[int]]:
    """Compute the equations of a computation, and every number in them.

    Results of controls are left out. Raises UncomputableEquation.
    """
    results: list[int] = []
    every: list[int] = []
    parts = re.split(r"[;,]|\.(?=\s|$)", computation)
    for equation in (part for part in parts if "=" in part):  # the rest is comment
        sides = [_interpret_side(side) for side in hand.words.write_digits(_drop_remark(equation)).split("=")]
        end = _compute_sides(sides, repr(equation.strip().removeprefix(CONTROL).strip()), hand, every)
        every += [end, *(n.value for side in sides for n in side if isinstance(n, EquationNumber))]
        results += [] if equation.strip().startswith(CONTROL) else [end]
    return tuple(results), frozenset(every)


def _drop_remark(equation: str) -> str:
    """Return an equation without what stands before a colon, which is for the reader."""
    first, equals, rest = equation.partition("=")
    return first.rpartition(":")[2] + equals + rest


# --- the verdict -----------------------------------------------------------------------------------------


def describe_untraced(
    answered: _Numbers, words: str, computation: str, hand: ComputationInputs, members: bool = False
) -> tuple[str, str]:
    """Explain why numbers answered do not follow from the words, and the way out; empty if they do.

    With ``members`` (tables that prove themselves, such as the shares of a pack) every number must be
    named somewhere, in any order.
    """
    try:
        ends, every = compute_equations(computation, hand)
    except UncomputableEquation as fault:
        return f"its computation: {fault}", fault.way_out
    if members:
        missing = format_number_list(tuple(sorted({*answered} - every - hand.quoted)))
        return (
            (
                f"{missing} {'are' if ',' in missing else 'is'} neither quoted nor computed",
                f"correct the answer, or {ADD_COMPUTATION}{SUM_EXAMPLE}",
            )
            if {*answered} - every - hand.quoted
            else _FINE
        )
    if ends:
        rest = _take_out(answered, ends)
        if rest == () or (rest and has_named_numbers(words, rest, hand.words)):
            return _FINE
        return f"its computation comes to {format_number_list(ends)}", _hint_other(answered)
    heard_there = select_values(find_named_numbers(words, hand.words), CARDINAL, ARTICLE, ORDINAL)
    if has_named_numbers(words, answered, hand.words):
        return _FINE
    smaller = bool(answered) and min(answered) < min(heard_there, default=1)
    example = SUBTRACTION_EXAMPLE if smaller and 0 not in answered else SUM_EXAMPLE
    example = ONCE_EXAMPLE if 1 in answered and 1 not in heard_there else example
    example = BACKWARDS_EXAMPLE if min(answered, default=0) < 0 else example
    return (
        f"the quotation names {format_number_list(heard_there)}",
        f"correct the answer, or {ADD_COMPUTATION}{example}",
    )


def _take_out(answered: _Numbers, reckoned: _Numbers) -> _Numbers | None:
    """Return the numbers answered without those reckoned; None if these are not among them, in this order."""
    rest: list[int] = []
    waiting = [*reckoned]
    for number in answered:
        if waiting and number == waiting[0]:
            waiting.pop(0)
        else:
            rest.append(number)
    return None if waiting else tuple(rest)


_FINE = "", ""
ADD_COMPUTATION = "quote the number, or add computation: with the numbers in order, such as "
SUM_EXAMPLE, SUBTRACTION_EXAMPLE = '"un jetton = 5; rien = 0"', '"11 tricks - 9 = 2"'
ONCE_EXAMPLE = '"a card: 1 (once) = 1"'
BACKWARDS_EXAMPLE = '"9 - 11 tricks = -2; -2 + 1 = -1", where -1 is the last trick'


def _hint_other(answered: _Numbers) -> str:
    """Say that a computation answers with other numbers than the clause."""
    if len(answered) == 1 and answered[0] >= 0:
        return (
            "let the last result be the answer, with control: before a sum that only proves it; or correct the answer"
        )
    count = f"the {len(answered)} numbers answered, {format_number_list(answered)}"
    order = "in this order, but for those that are quoted"
    if min(answered, default=0) < 0:
        return f"end one sum in each of {count}, {order}: {BACKWARDS_EXAMPLE}"
    return f"end one sum in each of {count}, {order}, and write control: before a sum that only proves them"


def format_number_list(numbers: _Numbers) -> str:
    """Format numbers, separated by commas."""
    return ", ".join(map(str, numbers)) or "no number"
