"""`library.yaml`: the name of a library, its words where pages need any, and the game that is played by its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from rulebook.io.files import read_once
from rulebook.io.strict_yaml import Positions, read_yaml
from rulebook.model import FrozenMap
from rulebook.problems import Problem
from rulebook.suggestions import did_you_mean

SETTINGS_FILE = "library.yaml"
CITATION_FILE = "CITATION.cff"  #: how an edition is cited, by the name that every archive knows
_read_settings_file = read_once(4)(read_yaml)  #: the game is asked for before anything else is read
SOURCE_ORDERS = ("date", "siglum")
_NO_WORDS: Mapping[str, str] = FrozenMap[str, str]()


@dataclass(frozen=True, slots=True)
class LibrarySettings:
    """Settings of a library, as `library.yaml` has them; where there is no such file, nothing."""

    title: str = ""
    tagline: str = ""  #: the library in a few words; {sources} stands for the number of its sources
    subtitle: str = ""  #: the same on the cover of the book
    example: str = ""  #: a word for which readers search, in the field for it
    about: str = ""  #: a paragraph on the edition, for catalogues that list it
    publisher: str = ""
    citation: str = ""  #: file that says how the edition is cited, in the folder of the library or in the one above
    licence: str = ""  #: of texts and data, by its SPDX identifier
    languages: str = ""  #: of the sources, in two letters each, with commas; the first is offered for a new one
    order: str = ""  #: of its sources: by siglum, or by date
    game: str = ""
    game_from: str = ""  #: the distribution to install for it
    groups: Mapping[str, str] = _NO_WORDS  #: group of questions -> its title
    affects: Mapping[str, str] = _NO_WORDS  #: what the answer to a question may change -> the same in words


def read_settings(root: Path) -> tuple[LibrarySettings, list[Problem]]:
    """Read the settings of a library, and what is wrong with them."""
    path = root / SETTINGS_FILE
    if not path.is_file():
        return LibrarySettings(), []
    raw, positions, file_problems = _read_settings_file(path, f"{root.name}/{SETTINGS_FILE}")
    problems = [*file_problems]
    if problems or not isinstance(raw, Mapping):
        return LibrarySettings(), problems or [positions.where(()).problem("holds no settings", "write `title: ...`")]
    faults = dict(_find_faults(raw, positions))
    settings: dict[str, Any] = {
        key: FrozenMap(value) if isinstance(value, Mapping) else value for key, value in raw.items()
    }
    return LibrarySettings(**{key: value for key, value in settings.items() if key not in faults}), [*faults.values()]


def _find_faults(raw: Mapping[str, Any], positions: Positions) -> Iterator[tuple[str, Problem]]:
    """Find the settings that are unknown, or of another shape."""
    blank = LibrarySettings()
    known = {setting.name: isinstance(getattr(blank, setting.name), Mapping) for setting in fields(blank)}
    for key, value in raw.items():
        place = positions.where((key,))
        if key not in known:
            yield key, place.problem(f"no setting is called {key}", did_you_mean(str(key), known, "leave it out"))
        elif known[key] and not (isinstance(value, Mapping) and all(isinstance(word, str) for word in value.values())):
            yield key, place.problem(f"{key} is no table of words", "write each in words behind its name")
        elif not known[key] and not isinstance(value, str):
            yield key, place.problem(f"{key} is no text", "write it in words")
        elif key == "order" and value not in SOURCE_ORDERS:
            known_orders = " or ".join(SOURCE_ORDERS)
            yield key, place.problem(f"order cannot be {value}", did_you_mean(value, SOURCE_ORDERS, known_orders))
        elif key == "citation" and Path(value).name != value:
            yield key, place.problem("citation is no name of a file", "write it without a folder: CITATION.cff")
