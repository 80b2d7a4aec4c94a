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
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from rulebook.io.files import replace_file
from rulebook.io.strict_json import locate_json_values
from rulebook.model import FrozenMap
from rulebook.problems import Problem
from rulebook.schema.validation import DayText, FilledText, read_json_dataclass

RELEASES_FOLDER, _SCHEMA_VERSION = "releases", 1
VERSION = re.compile(r"\d{1,9}\.\d{1,9}\.\d{1,9}")
_RESTORE_HINT = "take the file from the release anew; nobody writes it by hand"

ByKind = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The contents of a release."""

    version: Annotated[str, Field(pattern=rf"^{VERSION.pattern}$")]
    released: DayText
    sources: FilledText
    ids: ByKind = field(default_factory=FrozenMap)
    answers: ByKind = field(default_factory=FrozenMap)
    deals: ByKind = field(default_factory=FrozenMap)

    @property
    def order(self) -> tuple[int, ...]:
        """Sort key: the parts of the version number."""
        return tuple(map(int, self.version.split(".")))


# ---- writing and reading
def write_snapshot(root: Path, snapshot: Snapshot) -> Path:
    """Write the snapshot of a release; one that is there already is replaced."""
    return replace_file(root / snapshot_path(snapshot.version), snapshot_letters(snapshot))


def snapshot_path(version: str) -> str:
    """Return the path of a snapshot below the sources."""
    return f"{RELEASES_FOLDER}/{version}.json"


def snapshot_letters(snapshot: Snapshot) -> str:
    """Return a snapshot as it is written."""
    letters = json.dumps({"schema": _SCHEMA_VERSION, **asdict(snapshot)}, ensure_ascii=False, indent=0, sort_keys=True)
    return letters + "\n"


def read_snapshots(root: Path) -> tuple[tuple[Snapshot, ...], list[Problem]]:
    """Read the snapshot of every release, the earliest first, and all problems."""
    paths = sorted((root / RELEASES_FOLDER).glob("*.json"))
    read = [read_snapshot(path, f"{root.name}/{RELEASES_FOLDER}/{path.name}") for path in paths]
    snapshots = sorted((snapshot for snapshot, _ in read if snapshot), key=lambda snapshot: snapshot.order)
    return tuple(snapshots), sorted(problem for _, problems in read for problem in problems)


def read_snapshot(path: Path, name: str) -> tuple[Snapshot | None, list[Problem]]:
    """Read one snapshot, or everything that is wrong with it."""
    schema = {"schema_": (Literal[1], Field(alias="schema"))}
    snapshot, problems = read_json_dataclass(Snapshot, path, name, _RESTORE_HINT, schema)
    if snapshot and snapshot.version != path.stem:
        what = f"is of version {snapshot.version}, its file of {path.stem}"
        return None, [locate_json_values(path, name).where(("version",)).problem(what, _RESTORE_HINT)]
    return snapshot, problems


def last_before(snapshots: Iterable[Snapshot], version: str, released: bool) -> Snapshot | None:
    """Return the release with which an edition is compared: the last, or the one before itself."""
    return next(
        (snapshot for snapshot in reversed(tuple(snapshots)) if not (released and snapshot.version == version)), None
    )
