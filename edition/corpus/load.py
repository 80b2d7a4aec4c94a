"""Everything that the edition shows, read and put in order; all problems at once.

`READERS` is the one list of what is read: `reversis check`, a build, the preview and the tests go through it, and a
file that no reader asks for is told.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Any

from edition.corpus.corpus import Corpus, Gone, all_ids, build_corpus
from edition.data.attributions import FILE as CAUSES
from edition.data.attributions import read_causes
from edition.data.deals import deal_problems, list_deals, worked
from edition.data.drafts import playable
from edition.data.releases import read_snapshots
from edition.data.separations import FILE as PARTINGS
from edition.data.separations import read_partings
from edition.data.sessions import worked_sessions
from edition.data.surveys import read_surveys
from engine.comparison.printed_figures import held
from engine.readings.unsupported import misjudged
from rulebook.agreement.codings import UnreadableCoding
from rulebook.agreement.report import AgreementReport, read_agreement, unreadable_codings
from rulebook.agreement.statistics import FIGURES_FILE
from rulebook.io.files import is_device
from rulebook.io.strict_json import positions, read_json
from rulebook.io.strict_yaml import read_yaml
from rulebook.load import load
from rulebook.model import Library, Printed
from rulebook.problems import Problem, Where
from rulebook.receipts import read_receipts
from rulebook.sources.bibliography import read_entries, read_works
from rulebook.sources.glossary import read_glossary, strings
from rulebook.sources.index_terms import FILE as REGISTER
from rulebook.sources.index_terms import read_register
from rulebook.sources.paths import DEALS, READ, SESSIONS, find_files, find_sources, is_editors_own
from rulebook.sources.rule_sentences import FILE as TELLING
from rulebook.sources.rule_sentences import GLOSSARY, read_telling, terms_of
from rulebook.spelling import SPELLING, read_spelling
from rulebook.strings import single_spaced
from rulebook.suggestions import did_you_mean
from rulebook.tei.validation import faults_of_tei_schema

#: What a build has read already, for the Sphinx that it starts: reading takes a second or two.
handed: ContextVar[Corpus | None] = ContextVar("handed", default=None)

BIBLIOGRAPHY, TOMBSTONES, SCHEMAS = "bibliography.bib", "tombstones.yaml", "schema"
RECORD = "source.yaml"
Found = tuple[Any, Iterable[Problem]]


# ---- the list
@dataclass(frozen=True, slots=True)
class Reader:
    """Kinds of files below `sources/`, and the function that reads them and tells all that is wrong."""

    files: tuple[str, ...]
    read: Callable[[Path, Library], Found]


def read_deals(root: Path, library: Library) -> Found:
    """The list of worked deals, once every record is in order."""
    problems = [*deal_problems(library)]
    return (() if problems else list_deals(library)), problems


def read_sessions(root: Path, library: Library) -> Found:
    """The faults of worked sessions; whoever shows one reads it again."""
    return None, [one for record in worked_sessions(library) for one in record.problems]


def read_bibliography(root: Path, library: Library) -> Found:
    """The works by their keys; a source may name no others."""
    works, problems = read_works(root / BIBLIOGRAPHY)
    return works, [*problems, *(() if problems else unlisted(root, library, works))]


def unlisted(root: Path, library: Library, works: Iterable[str]) -> Iterator[Problem]:
    """Keys that a source names and the bibliography does not have."""
    known = frozenset(works)
    for siglum, source in library.sources.items():
        named = source.record.get("bibliography")
        for at, key in enumerate(named if isinstance(named, tuple | list) else ()):
            if key not in known:
                place = read_yaml(root / siglum / RECORD, source.where.file)[1].where(("bibliography", at))
                yield place.problem(f"no work {key} in {BIBLIOGRAPHY}", did_you_mean(key, known, "add the work there"))


def read_codings(root: Path, library: Library) -> tuple[AgreementReport | None, list[Problem]]:
    """How far the two codings agree, as last reckoned; nothing where that was never done."""
    try:
        problems = [*unreadable_codings(library)]
        return (read_agreement(library) if (root / FIGURES_FILE).is_file() and not problems else None), problems
    except UnreadableCoding as fault:
        return None, fault.problems


def read_schemas(root: Path, library: Library) -> Found:
    """The published schemas: each can be read, and points to nothing that is not in it."""
    found: list[Problem] = []
    for path in find_files(root, (f"{SCHEMAS}/*",)):
        name = f"{root.name}/{SCHEMAS}/{path.name}"
        found += faults_of_tei_schema(path, name) if path.suffix == ".rng" else faults_of_schema(path, name)
    return None, found


def faults_of_schema(path: Path, name: str) -> Iterator[Problem]:
    """What keeps a JSON schema from being used."""
    again = "take it from the release, or run python -m rulebook.json_schema"
    data, problems = read_json(path, name, again)
    yield from problems
    if not problems and not (isinstance(data, dict) and isinstance(data.get("$schema"), str)):
        yield Problem(name, 1, 1, "is no JSON schema", again)
    elif isinstance(data, dict):
        for steps, pointer in pointers(data, ()):
            if not points_within(data, pointer):
                yield positions(path, name).where(steps).problem(f"{pointer} points to nothing", again)


def pointers(data: object, steps: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every reference within a schema, and its place."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        if key == "$ref" and isinstance(value, str):
            yield (*steps, key), value
        yield from pointers(value, (*steps, key))


def points_within(data: object, pointer: str) -> bool:
    """Whether a reference leads to a part of the same schema."""
    file, _, way = pointer.partition("#")
    for step in way.split("/")[1:]:
        if not isinstance(data, dict) or step not in data:
            return False
        data = data[step]
    return not file


def check_printed_figures(root: Path, library: Library) -> Found:
    """Compute every figure that a source prints about its own game; report those for which that cannot be done."""
    known = {record.deal.id: record.deal for record in worked(library) if record.deal is not None}
    hint = "give a sum over answers, or a payment of a worked deal"
    return None, [
        place_of_figure(root, siglum, at, one.printed).problem(f"{one.printed.id}: {one.fault}", hint)
        for siglum in playable(library)
        for at, one in enumerate(held(library, siglum, known))
        if one.fault and not one.silent
    ]


def place_of_figure(root: Path, siglum: str, at: int, printed: Printed) -> Where:
    """Where it is written how a printed figure is computed."""
    name = f"{siglum}/printed.yaml"
    _, positions, _ = read_yaml(root / name, f"{root.name}/{name}")
    return positions.where((at, "deal" if printed.deal else "reckon"))


READERS: Mapping[str, Reader] = {
    "library": Reader(READ, lambda root, library: (library, misjudged(library))),
    "deals": Reader(DEALS, read_deals),
    "sessions": Reader(SESSIONS, read_sessions),
    "printed figures": Reader(("*/printed.yaml",), check_printed_figures),
    "terms": Reader((GLOSSARY,), lambda root, library: read_glossary(root / GLOSSARY, dict(all_ids(library)))),
    "works": Reader((BIBLIOGRAPHY,), read_bibliography),
    "codings": Reader((FIGURES_FILE, "*/coding-ed1.yaml", "*/coding-ed2.yaml", "*/settled.yaml"), read_codings),
    "receipts": Reader(("receipts/*.json",), lambda root, library: read_receipts(root)),
    "surveys": Reader(("survey/*.json",), read_surveys),
    "causes": Reader((CAUSES,), read_causes),
    "partings": Reader((PARTINGS,), read_partings),
    "telling": Reader((TELLING,), lambda root, library: read_telling(root, library, terms_of(root))),
    "register": Reader((REGISTER,), read_register),
    "releases": Reader(("releases/*.json",), lambda root, library: read_snapshots(root)),
    "schemas": Reader((f"{SCHEMAS}/*.schema.json", f"{SCHEMAS}/*.rng"), read_schemas),
}

#: Files that nobody reads, and that may lie there all the same: a transcription before it is imported, the text that
#: gave way to it, and what people lay beside data.
NOT_READ = ("*/text.txt", "*/text.xml.*.bak", "README*", "LICENSE*", "*/README*", "*/LICENSE*")


# ---- reading
def read_all(root: Path | None = None) -> tuple[Corpus | None, list[Problem]]:
    """The corpus: the library with all that lies beside it; nothing but problems if any part is not in order."""
    root = root or find_sources()
    library, problems = load(root)
    if library is None:
        return None, problems
    read = {name: reader.read(root, library) for name, reader in READERS.items()}
    problems = sorted({*problems, *(one for _, faults in read.values() for one in faults)})
    if problems:
        return None, problems
    return gather_corpus(root, {name: value for name, (value, _) in read.items()}), []


def gather_corpus(root: Path, read: Mapping[str, Any]) -> Corpus:
    """Everything that was read, in its place."""
    return build_corpus(
        read["library"],
        read["terms"],
        read["deals"],
        read["works"],
        codings=read["codings"],
        gone=tombstones(root / TOMBSTONES),
        receipts=read["receipts"],
        surveys=read["surveys"],
        causes=read["causes"],
        telling=read["telling"],
        spelling=read_spelling(root / SPELLING)[0],  # its faults are the library's
        register=read["register"],
        releases=read["releases"],
        entries=read_entries(root / BIBLIOGRAPHY),
    )


def tombstones(path: Path) -> Iterator[Gone]:
    """What became of ids that are gone, from a file that has been checked."""
    raw, _, _ = read_yaml(path, path.name) if path.is_file() else (None, None, None)  # where `on` is a word
    for one in raw if isinstance(raw, list) else ():
        if isinstance(one, dict):
            yield Gone(str(one["id"]), str(one["on"]), single_spaced(str(one["why"])), strings(one.get("see")))


# ---- files that are not read
def strays(root: Path) -> Iterator[Problem]:
    """Files that no reader asks for, that lie in no source's folder, or that were cut off."""
    patterns = tuple(pattern for reader in READERS.values() for pattern in reader.files)
    read = frozenset(path.relative_to(root).as_posix() for path in find_files(root, patterns))
    for name in sorted(every_file(root)):
        where, parts = Where(f"{root.name}/{name}"), PurePosixPath(name).parts
        if any(map(is_device, parts)):
            yield where.problem("Windows keeps this name for a device", "give it another")
        if name not in read:
            if not any(fnmatch(name, pattern) for pattern in NOT_READ):
                known = sorted({found for one in patterns if "*" not in (found := PurePosixPath(one).name)})
                otherwise = "take it out of the folder: nothing reads it"
                yield where.problem("is no file that the edition reads", did_you_mean(parts[-1], known, otherwise))
        elif is_of_no_source(root, parts):
            yield where.problem(f"lies in a folder without a {RECORD}", f"add {parts[0]}/{RECORD}, or move it")
        else:
            yield from faults_at_end(root / name, where)


def every_file(root: Path) -> Iterator[str]:
    """The files below a folder, without those that editors and other programs hide there."""
    for folder, inside, names in os.walk(root):
        inside[:] = [name for name in inside if not is_editors_own(name)]
        yield from ((Path(folder) / name).relative_to(root).as_posix() for name in names if not is_editors_own(name))


def is_of_no_source(root: Path, parts: tuple[str, ...]) -> bool:
    """Whether a file is one of a source, and its folder none."""
    alone = PurePosixPath(*parts[1:]).as_posix()
    kinds = (pattern.removeprefix("*/") for one in READERS.values() for pattern in one.files if pattern[:2] == "*/")
    return len(parts) > 1 and any(fnmatch(alone, kind) for kind in kinds) and not (root / parts[0] / RECORD).is_file()


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
