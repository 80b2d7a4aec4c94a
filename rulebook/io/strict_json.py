"""Strict JSON that tells the place of a fault: the files that programs keep with the sources.

No key may stand twice, and every number is one. Places cost time, so they are sought only once something is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.io.plain_values import find_unfit_values
from rulebook.problems import Problem
from rulebook.strings import UNSEEN_CHARACTERS, quote_value

if TYPE_CHECKING:
    from rulebook.io.strict_yaml import Positions


def parse_strict_json(letters: str | bytes) -> object:
    """Parse JSON without repeated keys and NaN. Raises ValueError and RecursionError."""
    data: object = json.loads(letters, object_pairs_hook=once_each, parse_constant=no_number)
    return data


def once_each(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """A table in which no key stands twice. Raises ValueError."""
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for at, key in enumerate(keys) if key in keys[:at])
        raise ValueError(f"{quote_value(twice)} is given twice")
    return table


def no_number(text: str) -> object:
    """Refuse NaN and its like. Raises ValueError."""
    raise ValueError(f"{text} is no number")


def read_json_file(path: Path, name: str, way_out: str) -> tuple[object, list[Problem]]:
    """Read the data of a JSON file, or the fault for which it cannot be read."""
    from rulebook.io.strict_yaml import Stop, read_letters  # it takes a moment to import, and JSON lines need none

    try:
        data = parse_strict_json(read_letters(path, name))
        unfit = [*find_unfit_values(data)]
        positions = locate_json_values(path, name) if unfit else None
        return data, [positions.where(at).problem(what, hint) for at, what, hint in unfit] if positions else []
    except Stop as stop:
        return None, [stop.problem]
    except (ValueError, RecursionError) as fault:
        return None, [json_problem(fault, name, way_out)]


def json_problem(fault: ValueError | RecursionError, name: str, hint: str, line: int = 1) -> Problem:
    """Report a fault of `parse_strict_json` in a text that begins on a line of a file."""
    if isinstance(fault, json.JSONDecodeError):
        return Problem(name, line + fault.lineno - 1, fault.colno, f"cannot be read as JSON: {fault.msg}", hint)
    what = next((what for is_it, what in _FAULT_WORDINGS if is_it(fault)), str(fault))
    return Problem(name, line, 1, f"cannot be read as JSON: {what}", hint)


#: Faults that Python words as a programmer would.
_FAULT_WORDINGS: tuple[tuple[Callable[[Exception], bool], str], ...] = (
    (lambda fault: isinstance(fault, RecursionError), "nests too deep"),
    (lambda fault: isinstance(fault, UnicodeDecodeError), "not in UTF-8"),
    (lambda fault: str(fault).startswith("Exceeds the limit"), "a number has too many digits"),
)


def locate_json_values(path: Path, name: str) -> Positions:
    """Return the place of everything in JSON, which is YAML once refused letters are blanks."""
    from rulebook.io.strict_yaml import Positions, Stop, compose_yaml, read_letters

    try:
        letters = read_letters(path, name)
    except Stop:
        return Positions(name)
    return compose_yaml(name, blank_unseen(letters))[1]


def blank_unseen(letters: str) -> str:
    """Replace what YAML refuses in JSON by blanks, so that every place stays the same."""
    return UNSEEN_CHARACTERS.sub(" ", letters).replace("\t", " ").replace("\r", " ")
