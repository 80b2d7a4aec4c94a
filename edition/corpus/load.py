"""Read and check everything that the edition shows; report all problems at once.

`list_readers` has all that is read: check, a build, the preview and the tests go through it, and a file that no reader
asks for is told.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Any

from edition.corpus.corpus import Corpus, build_corpus, list_library_ids
from edition.corpus.library_pages import PAGE_PATTERNS, read_library_pages
from edition.corpus.releases import read_snapshots
from edition.corpus.settings import find_citation_faults
from edition.game import Game, Reader, read_game
from rulebook.agreement.codings import UnreadableCoding
from rulebook.agreement.report import AgreementReport, read_agreement, unreadable_codings
from rulebook.agreement.statistics import FIGURES_FILE
from rulebook.games import explain_missing_game
from rulebook.history.attestations import ATTESTATIONS_FILE, read_attestations
from rulebook.history.stemma import STEMMA_FILE, read_stemma
from rulebook.io.files import is_device
from rulebook.io.strict_json import locate_json_values, read_json_file
from rulebook.io.strict_yaml import read_yaml
from rulebook.library_settings import CITATION_FILE, SETTINGS_FILE, read_settings
from rulebook.load import load_library
from rulebook.model import Library
from rulebook.problems import Problem, Where
from rulebook.program_name import name_command
from rulebook.reads import fingerprint_unrecorded
from rulebook.receipts import read_receipts
from rulebook.schema.records import TombstoneRecord
from rulebook.sources.bibliography import BIBLIOGRAPHY_FILE, read_entries, read_works
from rulebook.sources.glossary import read_glossary
from rulebook.sources.id_registry import TOMBSTONES_FILE
from rulebook.sources.index_terms import INDICES_FILE, read_register
from rulebook.sources.paths import (
    CLAUSES_FILE,
    SOURCE_FILE_PATTERNS,
    digest_folder,
    every_file,
    find_files,
    find_sources,
)
from rulebook.sources.rule_sentences import GLOSSARY_FILE, TELLING_FILE, read_telling, read_term_ids
from rulebook.spelling import SPELLING, read_spelling
from rulebook.suggestions import did_you_mean
from rulebook.tei.validation import faults_of_tei_schema

#: What a build has read already, for the Sphinx that it starts: reading takes a second or two.
handed: ContextVar[Corpus | None] = ContextVar("handed", default=None)

_SCHEMAS_FOLDER = "schema"
_SOURCE_FILE = "source.yaml"
_ReadResult = tuple[Any, Iterable[Problem]]


# ---- the list
def read_bibliography(root: Path, library: Library) -> _ReadResult:
    """Read the works by their keys; a source may name no others."""
    works, problems = read_works(root / BIBLIOGRAPHY_FILE)
    return works, [*problems, *(() if problems else find_unlisted_works(root, library, works))]


def find_unlisted_works(root: Path, library: Library, works: Iterable[str]) -> Iterator[Problem]:
    """Find keys that a source names and the bibliography does not have."""
    known = frozenset(works)
    for siglum, source in library.sources.items():
        named = source.record.get("bibliography")
        for at, key in enumerate(named if isinstance(named, tuple | list) else ()):
            if key not in known:
                place = read_yaml(root / siglum / _SOURCE_FILE, source.where.file)[1].where(("bibliography", at))
                yield place.problem(
                    f"no work {key} in {BIBLIOGRAPHY_FILE}", did_you_mean(key, known, "add the work there")
                )


def read_codings(root: Path, library: Library) -> tuple[AgreementReport | None, list[Problem]]:
    """Read the stored agreement of the two codings; None if never computed."""
    try:
        problems = [*unreadable_codings(library)]
        return (read_agreement(library) if (root / FIGURES_FILE).is_file() and not problems else None), problems
    except UnreadableCoding as fault:
        return None, fault.problems


def _read_schemas(root: Path, library: Library) -> _ReadResult:
    problems: list[Problem] = []
    for path in find_files(root, (f"{_SCHEMAS_FOLDER}/*",)):
        name = f"{root.name}/{_SCHEMAS_FOLDER}/{path.name}"
        problems += faults_of_tei_schema(path, name) if path.suffix == ".rng" else _faults_of_schema(path, name)
    return None, problems


def _faults_of_schema(path: Path, name: str) -> Iterator[Problem]:
    again = f"take it from the release, or run {name_command('check --update')}"
    data, problems = read_json_file(path, name, again)
    yield from problems
    if not problems and not (isinstance(data, dict) and isinstance(data.get("$schema"), str)):
        yield Problem(name, 1, 1, "is no JSON schema", again)
    elif isinstance(data, dict):
        for steps, pointer in list_schema_references(data, ()):
            if not is_reference_valid(data, pointer):
                yield locate_json_values(path, name).where(steps).problem(f"{pointer} points to nothing", again)


def list_schema_references(data: object, steps: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield every reference within a schema, and its place."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        if key == "$ref" and isinstance(value, str):
            yield (*steps, key), value
        yield from list_schema_references(value, (*steps, key))


def is_reference_valid(data: object, pointer: str) -> bool:
    """Check that a reference leads to a part of the same schema."""
    file, _, way = pointer.partition("#")
    for step in way.split("/")[1:]:
        if not isinstance(data, dict) or step not in data:
            return False
        data = data[step]
    return not file


LIBRARY_READERS: Mapping[str, Reader] = {
    "library": Reader(SOURCE_FILE_PATTERNS, lambda root, library: (library, ())),
    "settings": Reader((SETTINGS_FILE,), lambda root, library: read_settings(root)),
    "citation": Reader((CITATION_FILE,), lambda root, library: (None, find_citation_faults(root))),
    "terms": Reader(
        (GLOSSARY_FILE,), lambda root, library: read_glossary(root / GLOSSARY_FILE, dict(list_library_ids(library)))
    ),
    "works": Reader((BIBLIOGRAPHY_FILE,), read_bibliography),
    "codings": Reader((FIGURES_FILE, "*/coding-ed1.yaml", "*/coding-ed2.yaml", "*/settled.yaml"), read_codings),
    "receipts": Reader(("receipts/*.json",), lambda root, library: read_receipts(root)),
    "telling": Reader((TELLING_FILE,), lambda root, library: read_telling(root, library, read_term_ids(root))),
    "register": Reader((INDICES_FILE,), read_register),
    "stemma": Reader((STEMMA_FILE,), read_stemma),
    "attestations": Reader((ATTESTATIONS_FILE,), read_attestations),
    "releases": Reader(("releases/*.json",), lambda root, library: read_snapshots(root)),
    "pages": Reader(PAGE_PATTERNS, read_library_pages),
    "schemas": Reader((f"{_SCHEMAS_FOLDER}/*.schema.json", f"{_SCHEMAS_FOLDER}/*.rng"), _read_schemas),
}

#: Files that nobody reads, and that may lie there all the same: a transcription before it is imported, the text that
#: gave way to it, and what people lay beside data.
NOT_READ = (
    "*/text.txt",
    "*/backups/*",
    "*/text.xml.*.bak",
    "README*",
    "LICENSE*",
    "*/README*",
    "*/LICENSE*",
    "*.csv",  # answers on their way through a spreadsheet
    "*.ods",
    "game/*",  # the program of a game may lie beside its library
)


# ---- reading
def read_corpus_checked(root: Path | None = None) -> tuple[Corpus | None, list[Problem]]:
    """Read the library with all that lies beside it; only problems if anything is not in order."""
    root = root or find_sources()
    # First: what changes while it is read is then read again by the next build.
    digest, frame = digest_folder(root), digest_folder(root, CLAUSES_FILE)
    library, problems = load_library(root)
    if library is None:
        return None, problems
    game, faults = read_game(root)
    readers = list_readers(game)
    read = {name: reader.read(root, library) for name, reader in readers.items()}
    problems = sorted({*problems, *faults, *(problem for _, reported in read.values() for problem in reported)})
    if problems:
        return None, problems
    corpus = _gather_corpus(root, game, {name: value for name, (value, _) in read.items()})
    return replace(corpus, digest=digest, frame=f"{frame} {fingerprint_unrecorded(library)}"), []


def list_readers(game: Game) -> Mapping[str, Reader]:
    """Return all readers of a library, the game's after those of every library."""
    return {**LIBRARY_READERS, **game.readers}


def _gather_corpus(root: Path, game: Game, read: Mapping[str, Any]) -> Corpus:
    return build_corpus(
        read["library"],
        read["terms"],
        game=game,
        extras={name: read[name] for name in game.readers},
        works=read["works"],
        codings=read["codings"],
        gone=read_retired_ids(root / TOMBSTONES_FILE),
        receipts=read["receipts"],
        telling=read["telling"],
        spelling=read_spelling(root / SPELLING)[0],  # its faults are the library's
        register=read["register"],
        releases=read["releases"],
        entries=read_entries(root / BIBLIOGRAPHY_FILE),
    )


def read_retired_ids(path: Path) -> tuple[TombstoneRecord, ...]:
    """Read the retired ids from a file that has been checked."""
    raw, _, _ = read_yaml(path, path.name) if path.is_file() else (None, None, None)
    return tuple(map(TombstoneRecord.model_validate, raw if isinstance(raw, list) else ()))


# ---- files that are not read
def find_stray_files(root: Path) -> Iterator[Problem]:
    """Report files that no reader reads, that lie in no source's folder, or that were cut off."""
    if explain_missing_game(root):
        return  # its files are not strange, but nobody here can read them
    readers = list_readers(read_game(root)[0]).values()
    patterns = tuple(pattern for reader in readers for pattern in reader.files)
    read = frozenset(path.relative_to(root).as_posix() for path in find_files(root, patterns))
    names = sorted(every_file(root))
    others = tuple(name.removesuffix(SETTINGS_FILE) for name in names if name.endswith(f"/{SETTINGS_FILE}"))
    for other in others:
        yield Where(f"{root.name}/{other}{SETTINGS_FILE}").problem("begins a second library", "move it out of this one")
    for name in (name for name in names if not name.startswith(others)):
        where, parts = Where(f"{root.name}/{name}"), PurePosixPath(name).parts
        if any(map(is_device, parts)):
            yield where.problem("Windows keeps this name for a device", "give it another")
        if name not in read:
            if not any(fnmatch(name, pattern) for pattern in NOT_READ):
                known = sorted({file for pattern in patterns if "*" not in (file := PurePosixPath(pattern).name)})
                otherwise = "take it out of the folder: nothing reads it"
                yield where.problem("is no file that the edition reads", did_you_mean(parts[-1], known, otherwise))
        elif has_no_source_file(root, parts, patterns):
            yield where.problem(
                f"lies in a folder without a {_SOURCE_FILE}", f"add {parts[0]}/{_SOURCE_FILE}, or move it"
            )
        else:
            yield from faults_at_end(root / name, where)


def has_no_source_file(root: Path, parts: tuple[str, ...], patterns: Iterable[str]) -> bool:
    """Check that a file is one of a source while its folder is none."""
    alone = PurePosixPath(*parts[1:]).as_posix()
    kinds = (pattern.removeprefix("*/") for pattern in patterns if pattern[:2] == "*/")
    return (
        len(parts) > 1
        and any(fnmatch(alone, kind) for kind in kinds)
        and not (root / parts[0] / _SOURCE_FILE).is_file()
    )


def faults_at_end(path: Path, where: Where) -> Iterator[Problem]:
    """Report a file that does not end with a line feed; of an empty one its reader does."""
    try:
        with path.open("rb") as opened:
            size = opened.seek(0, os.SEEK_END)
            opened.seek(max(size - 1, 0))
            end = opened.read()
    except FileNotFoundError:  # it has gone since its folder was read
        return
    except OSError as fault:
        yield where.problem(f"cannot be read: {fault.strerror}", "make it readable")
        return
    if end not in (b"\n", b""):
        yield where.problem("ends in the middle of a line", "was it cut off? Restore it, or end its last line")
