"""What a release held, in one small file: every id with a fingerprint of what it said, every answer, every result.

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

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

from edition.corpus.corpus import Shelf
from rulebook.answers.values import canonical
from rulebook.io.files import replaced
from rulebook.io.strict_json import json_problem, parsed
from rulebook.io.strict_yaml import Stop, read_letters
from rulebook.model import FrozenMap, Source
from rulebook.problems import Problem
from rulebook.receipts import line_of, words, written_like

FOLDER, SCHEMA = "releases", 1
VERSION, DAY = re.compile(r"\d{1,9}\.\d{1,9}\.\d{1,9}"), re.compile(r"\d{4}-\d\d-\d\d")
LENGTH = 12  #: letters of a fingerprint; enough to see that something is no longer the same
MEND = "take the file from the release anew; nobody writes it by hand"

ByKind = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a release held."""

    version: str
    released: str
    sources: str
    ids: ByKind = field(default_factory=FrozenMap)
    answers: ByKind = field(default_factory=FrozenMap)
    deals: ByKind = field(default_factory=FrozenMap)

    @property
    def order(self) -> tuple[int, ...]:
        """By which the later release is told from the earlier."""
        return tuple(map(int, self.version.split(".")))


# ---- taking one
def take(shelf: Shelf, version: str, released: str) -> Snapshot:
    """What the edition holds now."""
    lasting = [source for source in shelf.library.sources.values() if not source.draft]
    ids: dict[str, dict[str, str]] = {}
    for kind, id, said in (*of_all(shelf), *(one for source in lasting for one in of_source(source))):
        ids.setdefault(kind, {})[id] = seal(said)
    answers = {source.siglum: dict(answered(shelf, source)) for source in lasting}
    sigla = {source.siglum for source in lasting}
    deals = {
        deal.id: {one.source: one.said for one in deal.ledgers if one.source in sigla}
        for deal in shelf.settled
        if not of_draft(shelf, deal.id)
    }
    return Snapshot(version, released, shelf.library.digest, ids, answers, deals)


def of_draft(shelf: Shelf, deal: str) -> bool:
    """Whether a worked deal lies in the folder of a draft."""
    drafts = {source.siglum for source in shelf.library.sources.values() if source.draft}
    path = next((Path(path) for path in shelf.library.deals if Path(path).stem == deal), Path())
    return path.parts[:1] != () and path.parts[0] in drafts


def of_all(shelf: Shelf) -> Iterator[tuple[str, str, object]]:
    """What belongs to no source: kind, id, and what it says."""
    for question in shelf.library.questions.values():
        yield "questions", question.id, question
    for term in shelf.terms:
        yield "terms", term.id, term


def of_source(source: Source) -> Iterator[tuple[str, str, object]]:
    """What a source has that can be pointed to."""
    text = source.text
    for sentence in text.sentences.values() if text else ():
        english = source.translation.sentences.get(sentence.id) if source.translation else None
        translated = "".join(part.text for part in english.parts) if english else ""
        yield "sentences", sentence.id, (sentence.diplomatic, sentence.emended, translated)
    for emendation in text.emendations.values() if text else ():
        yield "emendations", emendation.id, emendation
    yield from (("statements", one.id, one) for one in source.statements)
    yield from (("notes", one.id, one) for one in source.notes)
    yield from (("printed numbers", one.id, one) for one in source.printed)
    for clause in source.clauses:
        yield "clauses", clause.id, clause
        yield from (("alternatives", one.id, one) for one in clause.alternatives)


def answered(shelf: Shelf, source: Source) -> Iterator[tuple[str, str]]:
    """Every answer of a source; where there is only a reason, the status."""
    for question in shelf.library.questions.values():
        cell = shelf.cell(source.siglum, question.slug)
        if cell is not None:
            yield question.id, cell.status if cell.value is None else canonical(cell.value)


#: Where something stands in its file, and who has read it, is no part of what it says; alternatives have their own ids.
ELSEWHERE = frozenset({"where", "line", "reviewer", "alternatives"})


def seal(said: object) -> str:
    """A fingerprint of what something says."""
    return hashlib.sha256(plain(said).encode()).hexdigest()[:LENGTH]


def plain(said: object) -> str:
    """What something says, as letters that are always the same."""
    if is_dataclass(said) and not isinstance(said, type):
        kept = ((one.name, plain(getattr(said, one.name))) for one in fields(said) if one.name not in ELSEWHERE)
        return f"{type(said).__name__}({', '.join(f'{name}={told}' for name, told in kept)})"
    if isinstance(said, Mapping):
        return f"{{{', '.join(f'{key}: {plain(value)}' for key, value in sorted(said.items()))}}}"
    if isinstance(said, tuple | list):
        return f"[{', '.join(map(plain, said))}]"
    return repr(said)


# ---- writing and reading
def write_snapshot(root: Path, one: Snapshot) -> Path:
    """Keep what a release held; one that is there already is put in its place anew."""
    return replaced(root / snapshot_path(one.version), snapshot_letters(one))


def snapshot_path(version: str) -> str:
    """Return the path of a snapshot below the sources."""
    return f"{FOLDER}/{version}.json"


def snapshot_letters(one: Snapshot) -> str:
    """Return a snapshot as it is written."""
    told = json.dumps({"schema": SCHEMA, **asdict(one)}, ensure_ascii=False, indent=0, sort_keys=True)
    return told + "\n"


def read_snapshots(root: Path) -> tuple[tuple[Snapshot, ...], list[Problem]]:
    """What every release held, the earliest first; and all that is wrong with any of the files."""
    paths = sorted((root / FOLDER).glob("*.json"))
    read = [read_snapshot(path, f"{root.name}/{FOLDER}/{path.name}") for path in paths]
    found = sorted((one for one, _ in read if one), key=lambda one: one.order)
    return tuple(found), sorted(problem for _, problems in read for problem in problems)


def read_snapshot(path: Path, name: str) -> tuple[Snapshot | None, list[Problem]]:
    """One of them, or everything that is wrong with it."""
    try:
        letters = read_letters(path, name)
        data: Any = parsed(letters)
    except Stop as stop:
        return None, [stop.problem]
    except (ValueError, RecursionError) as fault:
        return None, [json_problem(fault, name, MEND)]
    faults = list(amiss(data, path.stem))
    if faults:
        return None, [Problem(name, line_of(letters, key), 1, what, MEND) for key, what in faults]
    return Snapshot(**{key: value for key, value in data.items() if key != "schema"}), []


def by_kind(value: object) -> bool:
    """Whether it is a table of tables of words."""
    rows = [*value.values()] if isinstance(value, dict) else [None]
    return all(isinstance(row, dict) and all(isinstance(one, str) for one in row.values()) for row in rows)


ENTRIES: Mapping[str, Callable[[object], bool]] = {
    "schema": lambda value: value == SCHEMA,
    "version": written_like(VERSION.pattern),
    "released": written_like(DAY.pattern),
    "sources": words,
    "ids": by_kind,
    "answers": by_kind,
    "deals": by_kind,
}


def amiss(data: object, stem: str) -> Iterator[tuple[str, str]]:
    """Which entry is wrong, and how."""
    if not isinstance(data, dict):
        yield "", "is no table"
        return
    yield from ((key, f"the entry {key} is unknown here") for key in data if key not in ENTRIES)
    yield from (
        (key, f"{key} is missing or cannot be read") for key, fits in ENTRIES.items() if not fits(data.get(key))
    )
    if data.get("version") != stem:
        yield "version", f"is of version {data.get('version')}, its file of {stem}"


def last_before(snapshots: Iterable[Snapshot], version: str, released: bool) -> Snapshot | None:
    """The release against which an edition is held: the last one, or, of a release, the one before it."""
    return next((one for one in reversed(tuple(snapshots)) if not (released and one.version == version)), None)
