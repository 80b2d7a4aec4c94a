"""Plain data as JSON, YAML or a program hands it over: the values in it that no file of the edition may hold.

Every form of a record is read by this; what a YAML file may hold letter by letter is asked of the file itself as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from rulebook.strings import find_unfit_letter, quote_value

ValuePlace: TypeAlias = tuple[str | int, ...]

MAX_WHOLE_NUMBER = 10**15  #: no table has ever held so many counters
MAX_NESTING_DEPTH = 40  #: lists and tables within one another; a record needs five
TOO_LONG = 10**100  #: a number that nobody could tell


def find_unfit_values(raw: object) -> Iterator[tuple[ValuePlace, str, str]]:
    """Find every text, key and number that no file may hold: its place, what is wrong, and the way out."""
    waiting: list[tuple[ValuePlace, object]] = [((), raw)]
    while waiting:
        place, value = waiting.pop()
        deep = len(place) == MAX_NESTING_DEPTH  # whatever lies in it is too deep
        if isinstance(value, str) and (unfit_letter := find_unfit_letter(value)):
            yield place, f"{quote_value(value)} has {unfit_letter.what}", unfit_letter.way_out
        elif isinstance(value, int) and abs(value) >= TOO_LONG:
            yield place, "a number of more digits than anybody can read", f"the most is {MAX_WHOLE_NUMBER}"
        elif len(place) > MAX_NESTING_DEPTH:
            yield place[:MAX_NESTING_DEPTH], f"nests deeper than {MAX_NESTING_DEPTH}", "bring it nearer to the surface"
        elif isinstance(value, dict | Mapping):  # a dictionary is known at once
            if "" in value:
                yield place, "a key without a name", "give it one"
            waiting += [(place, key) for key in value if not _is_plain(key)]
            waiting += [((*place, _name_key(key)), part) for key, part in value.items() if deep or not _is_plain(part)]
        elif isinstance(value, list | tuple):
            waiting += [((*place, at), part) for at, part in enumerate(value) if deep or not _is_plain(part)]


def _is_plain(value: object) -> bool:
    """Return whether a value is a short number or a plain text, as nearly all are: nothing is wrong in it."""
    if isinstance(value, str):
        return value.isascii() and value.isprintable()
    return isinstance(value, float | None) or (isinstance(value, int) and -TOO_LONG < value < TOO_LONG)


def _name_key(key: object) -> str:
    """Name a key in the path to a place."""
    if not isinstance(key, str):
        return type(key).__name__
    return quote_value(key) if find_unfit_letter(key) else key
