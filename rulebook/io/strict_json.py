"""Strict JSON that tells the place of a fault: the files that programs keep with the sources.

No key may stand twice, and every number is one. Places cost time, so they are sought only once something is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.problems import Problem

if TYPE_CHECKING:
    from rulebook.io.strict_yaml import Positions


def parsed(letters: str | bytes) -> object:
    """JSON in which no key stands twice, and every number is one. Raises ValueError and RecursionError."""
    data: object = json.loads(letters, object_pairs_hook=once_each, parse_constant=no_number)
    return data


def once_each(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """A table in which no key stands twice. Raises ValueError."""
    table: dict[str, object] = {}
    for key, value in pairs:
        if key in table:
            raise ValueError(f"{key} is given twice")
        table[key] = value
    return table


def no_number(text: str) -> object:
    """Refuse NaN and its like. Raises ValueError."""
    raise ValueError(f"{text} is no number")


def read_json(path: Path, name: str, way_out: str) -> tuple[object, list[Problem]]:
    """The data of a file, or the fault for which it cannot be read."""
    from rulebook.io.strict_yaml import Stop, read_letters  # it takes a moment to import, and JSON lines need none

    try:
        return parsed(read_letters(path, name)), []
    except Stop as stop:
        return None, [stop.problem]
    except json.JSONDecodeError as fault:
        return None, [Problem(name, fault.lineno, fault.colno, f"cannot be read as JSON: {fault.msg}", way_out)]
    except (ValueError, RecursionError) as fault:
        what = "nests too deep" if isinstance(fault, RecursionError) else str(fault).split(":")[0]
        return None, [Problem(name, 1, 1, f"cannot be read as JSON: {what}", way_out)]


def positions(path: Path, name: str) -> Positions:
    """The place of everything in a JSON file; JSON is YAML too."""
    from rulebook.io.strict_yaml import read_yaml

    return read_yaml(path, name)[1]
