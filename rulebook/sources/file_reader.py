"""Reader of a library's files: every problem, and the place of every record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from rulebook.answers.kinds import LIBRARY_KINDS
from rulebook.io.strict_yaml import Data, Positions, Steps, read_yaml
from rulebook.library_settings import LibrarySettings
from rulebook.model import FrozenMap, Kind
from rulebook.problems import Problem, Where
from rulebook.schema.records import Record
from rulebook.schema.validation import validate_record
from rulebook.sources.assembled_library import Given

_R = TypeVar("_R", bound=Record)


class LibraryFileReader:
    """Reader of the files: collects problems and the place of everything."""

    def __init__(self, root: Path, unsaved: Mapping[Path, str] | None = None) -> None:
        self.root = root
        self.unsaved = unsaved or {}  #: letters that are read in place of a file's
        self.problems: list[Problem] = []  #: after which something is missing from the library
        self.told: list[Problem] = []  #: after which it is all there
        self.places: dict[Where, tuple[Positions, Steps]] = {}
        self.givens: list[Given] = []
        self.incomplete: set[str] = set()
        self.unread: set[str] = set()  #: questions that could not be read, by id and slug; that has been said
        self.settings = LibrarySettings()
        self.kinds: Mapping[str, Kind] = LIBRARY_KINDS  #: kinds of answers, those of the game among them

    def name(self, path: Path) -> str:
        """A file as it is called in messages: from the folder of sources on."""
        return f"{self.root.name}/{path.relative_to(self.root).as_posix()}"

    def yaml(self, path: Path) -> tuple[Data, Positions]:
        """A YAML file, with its places."""
        data, positions, problems = read_yaml(self.unsaved.get(path, path), self.name(path))
        if data is None and not problems:
            problems = [Where(positions.name).problem("is empty", "fill it, or take it away")]
        self.problems += problems
        return data, positions

    def table(self, path: Path, way_out: str) -> tuple[Mapping[str, Data], Positions]:
        """A table that a file holds, empty where there is no file; another shape is a problem, with the way out."""
        data, positions = self.yaml(path) if path.exists() else ({}, Positions(""))
        if isinstance(data, dict):
            return data, positions
        if data is not None:
            self.problems.append(positions.where(()).problem("is no table", way_out))
        return {}, positions

    def note(self, path: Path, problems: list[Problem], lost: bool) -> None:
        """Problems that another reader has found, under the file's name here."""
        pile = self.problems if lost else self.told
        pile += [replace(problem, file=self.name(path)) for problem in problems]

    def all(self) -> list[Problem]:
        """Every problem found so far, by file and line."""
        return sorted({*self.problems, *self.told})

    def place(self, positions: Positions, steps: Steps) -> Where:
        """The place of a record, remembered for the checks."""
        where = positions.where(steps)
        self.places[where] = positions, steps
        return where

    def record(self, kind: type[_R], data: object, positions: Positions, steps: Steps) -> _R | None:
        """A record, if it fits."""
        record, problems = validate_record(kind, data, positions, steps)
        self.problems += problems
        return record

    def records(self, kind: type[_R], path: Path) -> Iterator[tuple[_R, Positions, Steps]]:
        """The records that a file lists; one that does not fit is reported and left out."""
        data, positions = self.yaml(path)
        if data is not None and not isinstance(data, list):
            self.problems.append(positions.where(()).problem("is no list", "begin every item with a dash"))
        for at, item in enumerate(data if isinstance(data, list) else ()):
            if record := self.record(kind, item, positions, (at,)):
                yield record, positions, (at,)


def freeze_data(data: object) -> object:
    """Turn plain data into data that nobody can change."""
    if isinstance(data, dict):
        return FrozenMap((key, freeze_data(value)) for key, value in data.items())
    return tuple(map(freeze_data, data)) if isinstance(data, list) else data
