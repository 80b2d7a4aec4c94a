"""Snapshots of releases: files with every id and a fingerprint of what it said, every answer, every result.

Each release leaves one, `sources/releases/VERSION.json`, with these entries and no others:

    {"schema": 1,
     "version": "0.2.0",
     "released": "2026-12-01",
     "sources": "sha256:...",                              of the sources (`rulebook.sources.paths.digest_sources`)
     "ids": {"clauses": {"PAM.c031": "0f3a9c71be20"}},     kind -> id -> fingerprint of what stood there
     "answers": {"PAM": {"Q031": "2"}},                    source -> question -> answer
     "deals": {"pam-revoke": {"PAM": "settled: ..."}}}     worked deal -> source -> what came of it

The edition tells by it what has changed since. It is no part of what the fingerprint of the sources is taken of, and
leaves out what is a draft: nobody could rely on that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rulebook.io.files import replace_file
from rulebook.io.strict_json import place_json_faults, read_json_file
from rulebook.model import FrozenMap
from rulebook.problems import Problem
from rulebook.receipts import is_nonblank_text, written_like

RELEASES_FOLDER, _SCHEMA_VERSION = "releases", 1
VERSION, DAY = re.compile(r"\d{1,9}\.\d{1,9}\.\d{1,9}"), re.compile(r"\d{4}-\d\d-\d\d")
_RESTORE_HINT = "take the file from the release anew; nobody writes it by hand"

ByKind = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The contents of a release."""

    version: str
    released: str
    sources: str
    ids: ByKind = field(default_factory=FrozenMap)
    answers: ByKind = field(default_factory=FrozenMap)
    deals: ByKind = field(default_factory=FrozenMap)

    @property
    def order(self) -> tuple[int, ...]:
        """Sort key: the parts of the version number."""
        return tuple(map(int, self.version.split(".")))


# ---- writing and reading
def write_snapshot(root: Path, one: Snapshot) -> Path:
    """Write the snapshot of a release; one that is there already is replaced."""
    return replace_file(root / snapshot_path(one.version), snapshot_letters(one))


def snapshot_path(version: str) -> str:
    """Return the path of a snapshot below the sources."""
    return f"{RELEASES_FOLDER}/{version}.json"


def snapshot_letters(one: Snapshot) -> str:
    """Return a snapshot as it is written."""
    told = json.dumps({"schema": _SCHEMA_VERSION, **asdict(one)}, ensure_ascii=False, indent=0, sort_keys=True)
    return told + "\n"


def read_snapshots(root: Path) -> tuple[tuple[Snapshot, ...], list[Problem]]:
    """Read the snapshot of every release, the earliest first, and all problems."""
    paths = sorted((root / RELEASES_FOLDER).glob("*.json"))
    read = [read_snapshot(path, f"{root.name}/{RELEASES_FOLDER}/{path.name}") for path in paths]
    found = sorted((one for one, _ in read if one), key=lambda one: one.order)
    return tuple(found), sorted(problem for _, problems in read for problem in problems)


def read_snapshot(path: Path, name: str) -> tuple[Snapshot | None, list[Problem]]:
    """Read one snapshot, or everything that is wrong with it."""
    data, problems = read_json_file(path, name, _RESTORE_HINT)
    if problems:
        return None, problems
    faults = _find_snapshot_faults(data, path.stem)
    problems = place_json_faults(path, name, ((key, what, _RESTORE_HINT) for key, what in faults))
    if problems or not isinstance(data, dict):
        return None, problems
    return Snapshot(**{key: value for key, value in data.items() if key != "schema"}), []


def _is_nested_table(value: object) -> bool:
    rows = [*value.values()] if isinstance(value, dict) else [None]
    return all(isinstance(row, dict) and all(isinstance(one, str) for one in row.values()) for row in rows)


_ENTRY_CHECKS: Mapping[str, Callable[[object], bool]] = {
    "schema": lambda value: value == _SCHEMA_VERSION,
    "version": written_like(VERSION.pattern),
    "released": written_like(DAY.pattern),
    "sources": is_nonblank_text,
    "ids": _is_nested_table,
    "answers": _is_nested_table,
    "deals": _is_nested_table,
}


def _find_snapshot_faults(data: object, stem: str) -> Iterator[tuple[str, str]]:
    if not isinstance(data, dict):
        yield "", "is no table"
        return
    yield from ((key, f"the entry {key} is unknown here") for key in data if key not in _ENTRY_CHECKS)
    yield from (
        (key, f"{key} is missing or cannot be read") for key, fits in _ENTRY_CHECKS.items() if not fits(data.get(key))
    )
    if data.get("version") != stem:
        yield "version", f"is of version {data.get('version')}, its file of {stem}"


def last_before(snapshots: Iterable[Snapshot], version: str, released: bool) -> Snapshot | None:
    """Return the release with which an edition is compared: the last, or the one before itself."""
    return next((one for one in reversed(tuple(snapshots)) if not (released and one.version == version)), None)
