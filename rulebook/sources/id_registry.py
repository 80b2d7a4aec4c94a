"""The registry of published ids, the tombstones, and the ids of terms, deals and sessions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rulebook.io.strict_yaml import Positions
from rulebook.model import FrozenMap
from rulebook.problems import Where
from rulebook.program_name import name_command
from rulebook.schema.records import TombstoneRecord
from rulebook.sources.assembled_library import Registry
from rulebook.sources.file_reader import LibraryFileReader
from rulebook.sources.paths import DEAL_FILE_PATTERNS, SESSION_FILE_PATTERNS
from rulebook.sources.published_ids import PUBLISHED
from rulebook.suggestions import did_you_mean

REGISTRY_FILE, TOMBSTONES_FILE, _GLOSSARY_FILE = "registry.yaml", "tombstones.yaml", "glossary.yaml"


# --- the registry -----------------------------------------------------------------------------------------


def read_registry(desk: LibraryFileReader) -> Registry:
    """The ids that were ever published, with their tombstones, and the glossary's and the deals'."""
    tombstones = desk.root / TOMBSTONES_FILE
    table, positions = desk.table(desk.root / REGISTRY_FILE, f"see `{name_command('check --update')}`")
    for kind, all in table.items():
        if kind not in PUBLISHED:
            way_out = did_you_mean(kind, PUBLISHED, f"there are {', '.join(PUBLISHED)}")
            desk.problems.append(positions.key((kind,)).problem(f"no ids are of the kind {kind[:40]}", way_out))
        elif not isinstance(all, list):
            desk.problems.append(positions.where((kind,)).problem(f"{kind} is no list", "begin every id with a dash"))
    ids = {str(id): positions.where((kind, at)) for kind, all in table.items() for at, id in enumerate_list(all)}
    graves = desk.records(TombstoneRecord, tombstones) if tombstones.exists() else ()
    return Registry(
        bool(table),
        FrozenMap(ids),
        tuple((grave, desk.place(positions, steps)) for grave, positions, steps in graves),
        tuple(read_terms(desk, desk.root / _GLOSSARY_FILE)),
        tuple(records_in(desk, DEAL_FILE_PATTERNS)),
        tuple(records_in(desk, SESSION_FILE_PATTERNS)),
    )


def records_in(desk: LibraryFileReader, patterns: Iterable[str]) -> Iterator[tuple[str, Where]]:
    """The ids of records, which are the names of their files, and where each stands."""
    yield from ((path.stem, Where(desk.name(path))) for p in patterns for path in sorted(desk.root.glob(p)))


def enumerate_list(data: object) -> Iterator[tuple[int, object]]:
    """Number the items of a list; none where there is no list."""
    return enumerate(data if isinstance(data, list) else ())


def read_terms(desk: LibraryFileReader, path: Path) -> Iterator[tuple[str, Where]]:
    """The ids of the glossary; the edition reads the rest."""
    data, positions = desk.yaml(path) if path.exists() else (None, Positions(""))
    for at, term in enumerate_list(data):
        if isinstance(term, dict) and "id" in term:
            yield str(term["id"]), positions.where((at,))
