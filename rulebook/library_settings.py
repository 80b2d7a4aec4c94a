"""`library.yaml`: the title of a library, and the game that is played by its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from rulebook.io.files import read_once
from rulebook.io.strict_yaml import read_yaml
from rulebook.problems import Problem
from rulebook.suggestions import did_you_mean

SETTINGS_FILE = "library.yaml"
_read_settings_file = read_once(4)(read_yaml)  #: the game is asked for before anything else is read


@dataclass(frozen=True, slots=True)
class LibrarySettings:
    """Settings of a library, as `library.yaml` has them; where there is no such file, nothing."""

    title: str = ""
    game: str = ""


def read_settings(root: Path) -> tuple[LibrarySettings, list[Problem]]:
    """Read the settings of a library, and what is wrong with them."""
    path = root / SETTINGS_FILE
    if not path.is_file():
        return LibrarySettings(), []
    raw, positions, found = _read_settings_file(path, f"{root.name}/{SETTINGS_FILE}")
    problems = [*found]
    if problems or not isinstance(raw, Mapping):
        return LibrarySettings(), problems or [positions.where(()).problem("holds no settings", "write `title: ...`")]
    known = {setting.name for setting in fields(LibrarySettings)}
    for key, value in raw.items():
        place = positions.where((key,))
        if key not in known:
            problems.append(place.problem(f"no setting is called {key}", did_you_mean(str(key), known, "leave it out")))
        elif not isinstance(value, str):
            problems.append(place.problem(f"{key} is no text", "write it in words"))
    words = {key: value for key, value in raw.items() if key in known and isinstance(value, str)}
    return LibrarySettings(**words), problems
