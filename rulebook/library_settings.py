"""`library.yaml`: the name of a library, its words where pages need any, and the game that is played by its rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulebook.io.files import read_once
from rulebook.io.strict_yaml import read_yaml
from rulebook.problems import Problem
from rulebook.schema.reference_records import LibraryRecord
from rulebook.schema.validation import validate_record

SETTINGS_FILE = "library.yaml"
_read_settings_file = read_once(4)(read_yaml)  #: the game is asked for before anything else is read


def read_settings(root: Path) -> tuple[LibraryRecord, list[Problem]]:
    """Read the settings of a library, as far as they are in order, and what is wrong with the others."""
    path = root / SETTINGS_FILE
    if not path.is_file():
        return LibraryRecord(), []
    raw, positions, problems = _read_settings_file(path, f"{root.name}/{SETTINGS_FILE}")
    if problems or not isinstance(raw, Mapping):
        return LibraryRecord(), [*problems] or [positions.where(()).problem("holds no settings", "write `title: ...`")]
    read = {key: validate_record(LibraryRecord, {key: value}, positions, ()) for key, value in raw.items()}
    kept = {key: raw[key] for key, (record, _) in read.items() if record}
    return LibraryRecord.model_validate(kept), [fault for _, faults in read.values() for fault in faults]
