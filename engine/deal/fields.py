"""Strict reading of records: typed fields, every problem noted with its place and a hint.

It knows the shapes that the records of deals and sessions share, and no rule of the game. What a JSON Schema refuses is
refused here too; what a schema cannot say is refused for a reason in `BEYOND`, and for no other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

from engine.cards import BLANKS, CourtLetters, parse_card_name
from rulebook.io.plain_values import MAX_WHOLE_NUMBER, find_unfit_values
from rulebook.problems import Problem, Where
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean

_FieldT = TypeVar("_FieldT")
U = TypeVar("U")
Raw: TypeAlias = Mapping[str, object]
RecordPlace: TypeAlias = tuple[str | int, ...]
Find: TypeAlias = Callable[[RecordPlace], Where]

GAPS = ("_", "?", "-", "–", "..")  #: for a card that is not known, where only a part of a deal is written
_RECORD_SUFFIXES = (".yaml", ".yml", ".json")  #: what has another name may come from no file
PROVENANCES = ("printed", "completed", "constructed", "generated")
SIGLUM = re.compile("[A-Z]{2,6}")

#: Reasons to refuse a record that its JSON Schema accepts, since no schema can say them: a closed list, published.
BEYOND: Mapping[str, str] = {
    "letters": "it holds a character that cannot be seen, half of a letter or a letter in several pieces (not NFC), a "
    "key without a name, a number of more than a hundred digits, or lists over forty deep",
    "fraction": "a whole number is written with a point or an exponent, such as 60.0",
    "siglum": "under `pool` or `expect` stands a siglum that the library does not know",
    "seat": "a seat is named that is not among the seats",
    "no-hand": "a seat has no hand",
    "courts": "some courts are written in French and their suits in English letters (RC), others in English (KC)",
    "pack": "a card is not in the pack, is in two places, or is missing",
    "hand-sizes": "the hands differ in size, and no fault on record explains it",
    "exchange": "a card laid out is not in the talon, or a card taken or given is not in the hand that has got it, or "
    "a card is given for none in return",
    "exchanged-twice": "a player exchanges or gives twice, or a card is laid out twice",
    "trick-cards": "a trick has a card that nobody holds or that was played before, or not one card of each player",
    "trick-count": "there are fewer tricks than cards in a hand and it is no fragment, or there are more",
    "trick-number": "a fault or an announcement names a trick that is not on record",
    "not-led": "a claim is about a card that no trick on record was led with",
    "told-twice": "the same fault, announcement, claim, pool or missing contribution stands there twice",
    "not-the-dealer": "a fault in dealing is put down to a player who did not deal",
    "deal-number": "a session names a deal by a number that it has not",
    "deal": "a session names a deal that is not among the example deals",
}


class Fields:
    """Read the fields of one record; note every problem and go on."""

    def __init__(self, raw: Raw, find: Find, sigla: Collection[str] | None = None) -> None:
        self.raw, self.find, self.problems = raw, find, list[Problem]()
        self.sigla = sigla  #: of all sources that there are; None where the caller does not know
        self.seats: tuple[str, ...] = ()
        self.courts = CourtLetters()
        self.renamed: Mapping[str, int] = {}  #: names under hands that are not among the seats, where that is told

    def wrong(self, place: RecordPlace, what: str, hint: str, reason: str = "") -> None:
        """Note a problem; one that no schema can tell has its reason in `BEYOND`."""
        self.problems.append(self.find(place).problem(what, hint, reason))

    @property
    def fill_command(self) -> str:
        """The command that completes the record."""
        file = self.find(()).file
        return f"`reversis deal fill {file if file.endswith(_RECORD_SUFFIXES) else 'FILE'} --source S`"

    def get(self, key: str, read: Callable[[object, RecordPlace], _FieldT], otherwise: U) -> _FieldT | U:
        """A field of the record; `otherwise` where it is left out."""
        return read(self.raw[key], (key,)) if key in self.raw else otherwise

    def keys(self, known: Sequence[str], required: Sequence[str], kind: str) -> None:
        """Note every unknown key of the record, and every required one that is missing."""
        self.known(self.raw, (), known)
        for key in required:
            if key not in self.raw:
                self.wrong((), f"no {quote_value(key)}", f"{kind} needs {', '.join(required)}")

    def known(self, raw: Raw, place: RecordPlace, known: Sequence[str]) -> None:
        """Note every unknown key of a table."""
        for key in raw:
            if key not in known:
                self.wrong((*place, str(key)), f"unknown key {quote_value(key)}", suggest_known_word(str(key), known))

    # ---- single values
    def text(self, raw: object, place: RecordPlace) -> str:
        """A text, which may be empty."""
        if isinstance(raw, str):
            return raw
        self.wrong(place, f"{quote_value(raw)} is no text", f"write {_find_key(place)} in quotes")
        return ""

    def name(self, raw: object, place: RecordPlace) -> str:
        """A text that is not empty."""
        if raw == "":
            self.wrong(place, f"{_find_key(place)} is empty", "give it a name")
        return self.text(raw, place)

    def provenance(self, raw: object, place: RecordPlace) -> str:
        """The provenance of a record, a word of a closed list."""
        if raw not in PROVENANCES:
            self.wrong(place, f"unknown provenance {quote_value(raw)}", suggest_known_word(str(raw), PROVENANCES))
        return str(raw)

    def yes_or_no(self, raw: object, place: RecordPlace) -> bool:
        """`true` or `false`; `yes` and `no` are words like any other."""
        if not isinstance(raw, bool):
            self.wrong(place, f"{quote_value(raw)} is neither true nor false", "write true or false")
        return raw is True

    def fraction(self, raw: object, place: RecordPlace) -> None:
        """Note a whole number that is written as a fraction, which to a schema is the same."""
        if isinstance(raw, float):
            self.wrong(
                place, f"{quote_value(raw)} is written as a fraction", "write a whole number: 60, not 60.0", "fraction"
            )

    def number(self, raw: object, place: RecordPlace, what: str, least: int = 0) -> int:
        """A whole number within bounds."""
        if (
            isinstance(raw, int | float)
            and not isinstance(raw, bool)
            and raw % 1 == 0
            and least <= raw <= MAX_WHOLE_NUMBER
        ):
            self.fraction(raw, place)
            return int(raw)
        large = isinstance(raw, int | float) and abs(raw) > MAX_WHOLE_NUMBER  # too many digits even to be told
        bound = f", {least} or more" if least >= 0 else ""
        hint = f"write a whole number{bound}" + (f", at most {MAX_WHOLE_NUMBER}" if large else "")
        self.wrong(place, f"{what} is {'far too large' if large else quote_value(raw)}", hint)
        return least

    def card(self, raw: object, place: RecordPlace) -> int | None:
        """A card; None where it is none."""
        word = raw if isinstance(raw, str) else ""
        try:
            number = parse_card_name(word)
        except ValueError:
            known = "write rank and suit: AS KH QD JC TS 9H ... 2C"
            self.wrong(
                place, f"{quote_value(raw)} is no card", f"{self.fill_command} finds it" if raw in GAPS else known
            )
            return None
        if mixture := self.courts.find_mixture(word):
            self.wrong(place, mixture, self.courts.hint, "courts")
        return number

    def cards(self, raw: object, place: RecordPlace) -> tuple[int, ...]:
        """Cards in a line, or in a list."""
        words = split_words(raw) if isinstance(raw, str) else raw
        if not isinstance(words, Sequence):
            self.wrong(place, "no cards here", "write them in a line: AS KH QD")
            return ()
        return tuple(c for w in words if (c := self.card(w, place)) is not None)

    def seat(self, raw: object, place: RecordPlace) -> int | None:
        """The number of a seat; None where there is no such seat."""
        if isinstance(raw, str) and raw in self.seats:
            return self.seats.index(raw)
        if isinstance(raw, str) and raw in self.renamed:
            return self.renamed[raw]
        if not isinstance(raw, str):
            self.wrong(place, f"no seat {quote_value(raw)}", suggest_known_word("", self.seats))
        elif self.seats:  # otherwise they are a problem already
            self.wrong(place, f"no seat {quote_value(raw)}", suggest_known_word(raw, self.seats), "seat")
        return None

    # ---- lists and tables
    def table(self, raw: object, place: RecordPlace, hint: str = "") -> Raw:
        """A table, whatever stands in it."""
        if isinstance(raw, Mapping):
            return raw
        self.wrong(place, f"{_find_key(place)} must be a table", hint or f"write {_find_key(place)}: {{...}}")
        return {}

    def entries(self, raw: object, place: RecordPlace) -> Sequence[object]:
        """A list, whatever stands in it."""
        if isinstance(raw, Sequence) and not isinstance(raw, str):
            return raw
        self.wrong(place, f"{_find_key(place)} must be a list", f"write {_find_key(place)}: [...]")
        return ()

    def tables(self, raw: object, place: RecordPlace) -> Iterator[tuple[RecordPlace, Raw]]:
        """The entries of a list of tables, each with its place."""
        if isinstance(raw, str) or not isinstance(raw, Sequence):
            self.wrong(place, f"{_find_key(place)} must be a list", f"write {_find_key(place)}: [{{...}}]")
            return
        for i, item in enumerate(raw):
            if isinstance(item, Mapping):
                yield (*place, i), item
            else:
                self.wrong((*place, i), f"an entry of {_find_key(place)} must be a table", "write {seat: south, ...}")

    def texts(self, raw: object, place: RecordPlace) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(self.text(entry, (*place, i)) for i, entry in enumerate(self.entries(raw, place)))

    def sums(self, raw: object, place: RecordPlace) -> None:
        """A sum for each seat and the pool, as far as they are named; it may be negative."""
        accounts = (*self.seats, *self.renamed, "pool")
        for key, value in self.table(raw, place).items():
            if self.seats and key not in accounts:
                self.wrong(place, f"no seat {quote_value(key)}", suggest_known_word(str(key), accounts), "seat")
            self.number(value, (*place, str(key)), f"the sum of {key}", -MAX_WHOLE_NUMBER)

    def names(self, raw: object, place: RecordPlace) -> tuple[str, ...]:
        """The names of the seats; from then on they are known."""
        named = raw if isinstance(raw, Sequence) and not isinstance(raw, str) else ()
        whole = all(isinstance(n, str) and n for n in named)
        if not whole or len(named) not in (4, 5) or len(set(named)) != len(named) or "pool" in named:
            what = "seats must be four or five different names, in order of play"
            self.wrong(place, what, "write seats: [south, east, north, west]; pool is reserved")
            return ()
        self.seats = tuple(map(str, named))
        return self.seats

    def by_siglum(
        self, raw: Raw, place: RecordPlace, read: Callable[[object, RecordPlace], _FieldT]
    ) -> dict[str, _FieldT]:
        """A table with an entry for each source, under its siglum."""
        for key in raw:
            self.siglum(key, (*place, str(key)))
        return {str(key): read(value, (*place, str(key))) for key, value in raw.items()}

    def siglum(self, key: object, place: RecordPlace) -> None:
        """Note what is no siglum, and what is the siglum of no source."""
        if not isinstance(key, str) or not SIGLUM.fullmatch(key):
            hint = (
                suggest_known_word(str(key), sorted(self.sigla)) if self.sigla else "write two to six capital letters"
            )
            self.wrong(place, f"{quote_value(key)} is no siglum of a source", hint)
        elif self.sigla is not None and key not in self.sigla:
            self.wrong(place, f"no source {key}", suggest_known_word(key, sorted(self.sigla)), "siglum")


def _find_key(place: RecordPlace) -> str:
    """Return the key at a place, or before it.

    It is trick, or exchange for one of its entries.
    """
    return next((step for step in reversed(place) if isinstance(step, str)), "this")


def split_words(line: str) -> list[str]:
    """Split a line at the blanks that a schema knows, and no others."""
    return [word for word in re.split(f"[{BLANKS}]+", line) if word]


def suggest_known_word(word: str, known: Iterable[str]) -> str:
    """Return the hint for a misspelt word: the nearest, or what there is."""
    words = list(known)
    otherwise = f"known are {', '.join(words)}" if words else "none is known here: correct the list of them first"
    return did_you_mean(word, sorted(words), otherwise, repr)


def locate_without_file(place: RecordPlace) -> Where:
    """Return the place in a record that came from no file: its path in words."""
    return Where("/".join(map(str, place)) or "deal")


def find_unwritable_values(raw: object, find: Find) -> Iterator[Problem]:
    """Find values that no file could hold so that a reader could read them.

    JSON or a program may still hand them over.
    """
    for place, what, way_out in find_unfit_values(raw):
        yield find(place).problem(what, way_out, "letters")
