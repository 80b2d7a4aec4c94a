"""Strict YAML that remembers where everything stands.

Strings stay strings: no word turns into a truth value or a date. What YAML allows and a reader would
stumble over (aliases, tags, tabs, a key given twice) is refused, each with its place and a way out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeAlias

import yaml

from rulebook.io.yaml_cache import active_cache
from rulebook.io.yaml_hints import find_likely_slip
from rulebook.problems import Problem, Where
from rulebook.strings import find_unfit_letter, locate_letter, quote_value

MAX_YAML_BYTES = 5_000_000  # bytes
MAX_YAML_DEPTH = 40  # lists and tables within one another; ours need six

Data: TypeAlias = "str | int | float | bool | list[Data] | dict[str, Data] | None"
Steps: TypeAlias = "tuple[str | int, ...]"

#: libyaml's parser where it is there: it is three times as fast, and says the same.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Spot(NamedTuple):
    """Place of a value, and of the key before it; lines and columns from 1."""

    line: int
    column: int
    end_line: int
    end_column: int
    key: tuple[int, int] = (1, 1)
    flow: bool = False  #: a list or table in brackets


#: A spot as it is kept, one for every value of a file; few of them are ever asked for.
PlainSpot: TypeAlias = tuple[int, int, int, int, tuple[int, int], bool]
START: PlainSpot = Spot(1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class Positions:
    """The places of everything in one file."""

    name: str
    spots: Mapping[Steps, PlainSpot] = field(default_factory=dict)

    def spot(self, steps: Steps) -> Spot:
        """Return the spot of a value; for one that is missing, where it should be."""
        while steps and steps not in self.spots:
            steps = steps[:-1]
        return Spot(*self.spots.get(steps, START))

    def where(self, steps: Steps) -> Where:
        """The place of a value."""
        spot = self.spot(steps)
        return Where(self.name, spot.line, spot.column)

    def key(self, steps: Steps) -> Where:
        """The place of the key before a value."""
        return Where(self.name, *self.spot(steps).key)


class Stop(Exception):
    """A fault after which nothing more can be read."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.what)


def read_yaml(source: Path | str, name: str = "") -> tuple[Data, Positions, list[Problem]]:
    """Read a file, or a text; what is refused comes back as problems, all at once."""
    name = name or (source.as_posix() if isinstance(source, Path) else "<text>")
    try:
        letters = source if isinstance(source, str) else read_letters(source, name)
    except Stop as stop:
        return None, Positions(name), [stop.problem]
    cache = active_cache.get()
    if cache and (known := cache.find(letters)):
        data, spots = known
        return data, Positions(name, spots), []
    problems = [problem for check in OF_LETTERS for problem in check(name, letters)]
    if problems:
        return None, Positions(name), problems
    data, positions, problems = compose_yaml(name, letters)
    if cache and not problems:
        cache.add(letters, (data, positions.spots))
    return data, positions, problems


def read_letters(
    path: Path, name: str, most: int = MAX_YAML_BYTES, too_large: str = "split it", unreadable: str = "make it readable"
) -> str:
    """Read the letters of a plain file of sane size. Raises Stop; the last words are the ways out."""
    if not path.is_file():  # a pipe or a device could keep us waiting for ever
        raise Stop(Problem(name, 1, 1, "is not there, or is no plain file", "put the file there"))
    try:
        with path.open("rb") as opened:
            return read_open_letters(opened, name, most, too_large)
    except OSError as fault:
        raise Stop(Problem(name, 1, 1, f"cannot be read: {fault.strerror}", unreadable)) from fault


def read_open_letters(opened: BinaryIO, name: str, most: int = MAX_YAML_BYTES, too_large: str = "split it") -> str:
    """Read the letters of an open file, a pipe or standard input, whatever ends its lines. Raises Stop."""
    octets = opened.read(most + 1)
    if len(octets) > most:
        raise Stop(Problem(name, 1, 1, f"is larger than {most} bytes", too_large))
    try:
        return drop_line_marks(octets.decode("utf-8"))
    except UnicodeDecodeError as fault:
        line = octets[: fault.start].count(b"\n") + 1
        raise Stop(Problem(name, line, 1, "is not UTF-8", "save it as UTF-8")) from fault


def drop_line_marks(letters: str) -> str:
    """Drop the byte order mark and the carriage returns that editors on Windows write."""
    return letters.removeprefix("\ufeff").replace("\r\n", "\n")


# --- checks of the letters ------------------------------------------------------------------------


def a_file_is_of_sane_size(name: str, letters: str) -> Iterator[Problem]:
    """Nobody writes five megabytes of clauses."""
    if len(letters) > MAX_YAML_BYTES:
        yield Problem(name, 1, 1, f"is larger than {MAX_YAML_BYTES} bytes", "split it")


UNFIT_MARKS: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile("\ufeff"), "a byte order mark", "save it as UTF-8 without one"),
    (re.compile("\r"), "a carriage return", "save it with line feeds only"),
    (re.compile("\t"), "a tab", "write spaces"),
    (
        re.compile("(?<=: )[“”„‟](?=[^“”„‟\n]*[“”][ ]*(?:#.*)?$)", re.MULTILINE),
        "a curly quotation mark, which YAML takes for a letter",
        'write straight ones at both ends: "..."',
    ),
)


def letters_are_plain(name: str, letters: str) -> Iterator[Problem]:
    """No tabs, no carriage returns, no marks that YAML takes for letters; the first of each kind is reported."""
    for pattern, what, way_out in UNFIT_MARKS:
        if match := pattern.search(letters):
            yield Problem(name, *locate_letter(letters, match.start()), what, way_out)


def letters_are_fit(name: str, letters: str) -> Iterator[Problem]:
    """Every letter can be seen, and an accented letter is one (NFC)."""
    if unfit_letter := find_unfit_letter(letters.replace("\ufeff", " ")):
        yield Problem(name, *locate_letter(letters, unfit_letter.at), unfit_letter.what, unfit_letter.way_out)


OF_LETTERS: tuple[Callable[[str, str], Iterator[Problem]], ...] = (
    a_file_is_of_sane_size,
    letters_are_plain,
    letters_are_fit,
)

# --- from marks to data ---------------------------------------------------------------------------

#: Bare words that are no strings; everything else is one, dates, `yes`, `no` and 007 included.
_CONSTANTS: Mapping[str, Data] = {"true": True, "false": False, "null": None, "~": None, "": None}
_NUMBER_STARTS = frozenset("-0123456789")
_NUMBER_TYPES: tuple[tuple[re.Pattern[str], Callable[[str], Data]], ...] = (
    (re.compile(r"0|-?[1-9][0-9]{0,17}"), int),
    (re.compile(r"-?(0|[1-9][0-9]{0,8})\.[0-9]{1,9}"), float),
)


def _parse_scalar(word: str) -> Data:
    if word[:1] in _NUMBER_STARTS:
        return next((meaning(word) for pattern, meaning in _NUMBER_TYPES if pattern.fullmatch(word)), word)
    return _CONSTANTS.get(word, word)


def compose_yaml(name: str, letters: str) -> tuple[Data, Positions, list[Problem]]:
    """Return the data of a text, with the place of everything and all problems."""
    composer = Composer(name, _parse_events(letters))
    data: Data = None
    try:
        data = composer.document()
    except Stop as stop:
        composer.problems.append(stop.problem)
    except yaml.YAMLError as fault:
        composer.problems.append(_describe_unreadable(name, letters, fault))
    problems = sorted(composer.problems)
    return (None if problems else data), Positions(name, composer.spots), problems


def _parse_events(letters: str) -> Iterator[yaml.Event]:
    """Yield the parser's events; a fault in the very first letters is raised with the first of them.

    From 0.2.6 on libyaml gives up at 1,000 brackets before it hands over the first: Python's parser goes on from there.
    """
    given = 0
    try:
        for event in iter(LOADER(letters).get_event, None):
            yield event
            given += 1
    except yaml.scanner.ScannerError as fault:
        if "nesting depth" not in (fault.problem or ""):
            raise
        yield from islice(iter(yaml.SafeLoader(letters).get_event, None), given, None)


def _describe_unreadable(name: str, letters: str, fault: yaml.YAMLError) -> Problem:
    """Report a probable slip; failing that, the parser's own complaint."""
    line, column = _locate_mark(getattr(fault, "problem_mark", None))
    if slip := find_likely_slip(letters, line):
        return Problem(name, *slip)
    what = getattr(fault, "problem", None) or str(fault).split("\n")[0]
    return Problem(name, line, column, f"cannot be read as YAML: {what}", QUOTE_IT)


def _locate_mark(mark: Any) -> tuple[int, int]:
    """Line and column, from 1; libyaml's marks are of a class of their own."""
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


QUOTE_IT = "check the indentation; put text with : or # in quotes"


class Composer:
    """Puts the parser's events together, and keeps their places."""

    def __init__(self, name: str, events: Iterator[yaml.Event]) -> None:
        self.name = name
        self.events = events
        self.spots: dict[Steps, PlainSpot] = {}
        self.problems: list[Problem] = []

    def problem(self, event: yaml.Event, what: str, way_out: str) -> Problem:
        """A fault at an event."""
        return Problem(self.name, *_locate_mark(event.start_mark), what, way_out)

    def complain(self, event: yaml.Event, what: str, way_out: str) -> None:
        """Note a fault and read on."""
        self.problems.append(self.problem(event, what, way_out))

    def document(self) -> Data:
        """The one document of a file; an empty file has none."""
        data: Data = None
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                self.refuse_directives(event)
                data = self.node(next(self.events), (), (1, 1))
                break
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                self.complain(event, "a second document begins", "keep one document to a file")
                break
        return data

    def refuse_directives(self, event: yaml.DocumentStartEvent) -> None:
        """No %YAML and no %TAG: files say what they mean."""
        if event.version or event.tags:
            self.complain(event, "a directive before the document", "take the line with % out")

    def node(self, event: yaml.Event, steps: Steps, key: tuple[int, int]) -> Data:
        """A value of any kind."""
        if len(steps) > MAX_YAML_DEPTH:
            raise Stop(self.problem(event, f"nests deeper than {MAX_YAML_DEPTH}", "bring it nearer to the surface"))
        self.refuse_ornaments(event)
        self.keep(event, event, steps, key)
        if isinstance(event, yaml.ScalarEvent):
            if event.style == '"':  # only there may an escape stand; all other letters have been looked at
                self.refuse_unseen(event)
            return event.value if event.style else _parse_scalar(event.value)
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(event, steps, key)
        return self.sequence(event, steps, key) if isinstance(event, yaml.SequenceStartEvent) else None

    def refuse_unseen(self, event: yaml.ScalarEvent) -> None:
        """Refuse an escape that brings in a character that no file may hold."""
        if unfit_letter := find_unfit_letter(event.value):
            self.complain(event, f"an escape for {unfit_letter.what}", unfit_letter.way_out)

    def refuse_ornaments(self, event: yaml.Event) -> None:
        """No tags, anchors or aliases: what is meant twice is written twice."""
        if not isinstance(event, yaml.NodeEvent) or (event.anchor is None and getattr(event, "tag", None) is None):
            return
        if isinstance(event, yaml.AliasEvent):
            self.complain(event, f"an alias, *{event.anchor}", "write the value out, or put the text in quotes")
        elif getattr(event, "anchor", None):
            self.complain(
                event, f"an anchor, &{getattr(event, 'anchor', '')}", "take it out, or put the text in quotes"
            )
        if getattr(event, "tag", None):
            self.complain(event, f"a tag, {getattr(event, 'tag', '')}", "take it out, or put the text in quotes")

    def keep(self, first: yaml.Event, last: yaml.Event, steps: Steps, key: tuple[int, int]) -> None:
        """Note where a value stands."""
        start: Any = first.start_mark  # both parsers mark all that they find
        end: Any = last.end_mark
        flow = bool(getattr(first, "flow_style", False))
        self.spots[steps] = start.line + 1, start.column + 1, end.line + 1, end.column + 1, key, flow

    def sequence(self, start: yaml.Event, steps: Steps, key: tuple[int, int]) -> Data:
        """A list."""
        items: list[Data] = []
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                self.keep(start, event, steps, key)
                break
            items.append(self.node(event, (*steps, len(items)), _locate_mark(event.start_mark)))
        return items

    def mapping(self, start: yaml.Event, steps: Steps, key: tuple[int, int]) -> Data:
        """A table; a key given twice keeps its first value."""
        table: dict[str, Data] = {}
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                self.keep(start, event, steps, key)
                break
            self.entry(event, table, steps)
        return table

    def entry(self, event: yaml.Event, table: dict[str, Data], steps: Steps) -> None:
        """One key with its value."""
        here = _locate_mark(event.start_mark)
        name = self.name_of_entry(event, steps)
        if name not in table:
            table[name] = self.node(next(self.events), (*steps, name), here)
            return
        first = Spot(*self.spots[(*steps, name)]).key[0]
        self.complain(event, f"{quote_value(name)} is given twice", f"keep one; the first stands in line {first}")
        self.node(next(self.events), (*steps, f"{name} again"), here)

    def name_of_entry(self, event: yaml.Event, steps: Steps) -> str:
        """A key, which is always a word."""
        self.refuse_ornaments(event)
        if isinstance(event, yaml.ScalarEvent):
            if not event.value:
                self.complain(event, "a key without a name", "give it one")
            return event.value
        if not isinstance(event, yaml.AliasEvent):
            self.complain(event, "a key that is a list or a table", "put it in quotes")
            self.node(event, (*steps, "?"), (1, 1))
        return f"?{len(self.problems)}"


def quote_for_yaml(text: str) -> str:
    """Quote words so that YAML takes them, whatever letters they have."""
    return json.dumps(text, ensure_ascii=False)
