"""Deal records in files: found, read with every fault told at its place, and held against the library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias, TypeGuard

from engine.deal.fields import Find
from engine.deal.model import Deal
from engine.deal.reader import REMARKS, read_deal
from rulebook.answers.values import canonical
from rulebook.io.files import read_once
from rulebook.io.strict_json import json_problem, parsed
from rulebook.model import Library
from rulebook.problems import Problem, Where
from rulebook.suggestions import did_you_mean

Sigla: TypeAlias = frozenset[str]


@dataclass(frozen=True)
class Record:
    """A deal record as it was read: the deal, or everything that is wrong with it."""

    file: str
    deal: Deal | None
    problems: tuple[Problem, ...]
    find: Find


@dataclass(frozen=True, slots=True)
class DealEntry:
    """A worked deal as a list names it."""

    id: str
    title: str
    provenance: str
    cites: tuple[str, ...]
    intro: str


# ---- reading
def read_file(path: Path, name: str = "", sigla: Sigla | None = None) -> Record:
    """Read a deal record from a file, YAML or JSON; where sigla are given, a source must be one of them."""
    from rulebook.io.strict_yaml import (  # YAML takes a moment to import, JSON lines need none
        Stop,
        read_letters,
        read_yaml,
    )

    name = name or path.as_posix()
    if path.suffix.lower() == ".json":
        try:
            return read_json(read_letters(path, name), name, sigla=sigla)
        except Stop as stop:
            return Record(name, None, (stop.problem,), only_line(name, 1))
    data, positions, problems = read_yaml(path, name)
    if problems:
        return Record(name, None, tuple(problems), positions.where)
    deal, faults = read_deal(data, positions.where, sigla)
    return Record(name, deal, tuple(faults), positions.where)


ONE_OBJECT = "give one deal as one JSON object on one line"


def read_json(letters: str | bytes, name: str, line: int = 1, sigla: Sigla | None = None) -> Record:
    """One deal record out of JSON; where something is wrong is told in words, since JSON keeps no places."""
    find = only_line(name, line)
    try:
        data = parsed(letters)
    except (ValueError, RecursionError) as fault:
        return Record(name, None, (json_problem(fault, name, ONE_OBJECT, line),), find)
    deal, faults = read_deal(data, sigla=sigla)
    told = [Problem(name, line, 1, f"{p.file}: {p.what}", p.way_out, p.reason) for p in faults]
    return Record(name, deal, tuple(told), find)


def data_of(letters: str | bytes) -> object:
    """The data of a record in JSON; nothing where it cannot be read."""
    try:
        return parsed(letters)
    except (ValueError, RecursionError):
        return None


def only_line(name: str, line: int) -> Find:
    """All that can be said of places in JSON: the file and the line of the record."""
    return lambda place: Where(name, line, 1)


def read_lines(lines: Iterable[str | bytes], name: str = "<stdin>", sigla: Sigla | None = None) -> Iterator[Record]:
    """Deal records from JSON lines, one after the other as they come; empty lines are passed over."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield read_json(line.strip(), name, number, sigla)


# ---- the worked deals of the library
def paths(library: Library) -> Mapping[str, str]:
    """The worked deals by id, each with its path below the root of the library."""
    return by_stem(library.deals)


@lru_cache(maxsize=8)
def by_stem(paths: tuple[str, ...]) -> Mapping[str, str]:
    """Paths by the names of their files; every deal that is read asks for this."""
    return {Path(path).stem: path for path in paths}


def read_worked(library: Library, name: str, ignore_unknown: bool = False) -> Record:
    """One worked deal. KeyError if there is none of that name."""
    path, root = paths(library)[name], Path(library.root)
    file, called = root / path, f"{root.name}/{path}"
    sigla = None if ignore_unknown else sigla_of(library)
    return read_worked_file(file, called, sigla)


#: A page asks for a record again and again.
read_worked_file = read_once(1024)(read_file)


def worked(library: Library) -> Iterator[Record]:
    """Every worked deal of the library, with all that is wrong with its record."""
    for name in paths(library):
        record = read_worked(library, name)
        readable = record if record.deal else read_worked(library, name, ignore_unknown=True)
        yield Record(record.file, record.deal, (*record.problems, *misplaced(library, readable)), record.find)


def deal_problems(library: Library) -> Iterator[Problem]:
    """Yield everything that is wrong with the records of the worked deals."""
    for record in worked(library):
        yield from record.problems


def list_deals(library: Library) -> tuple[DealEntry, ...]:
    """Return every worked deal whose record can be read, in the order of the library; nothing is settled for it."""
    return tuple(
        DealEntry(d.id, d.title or d.id, d.provenance, d.cites, " ".join(d.note.split()))
        for d in readable_deals(library)
    )


def readable_deals(library: Library) -> Iterator[Deal]:
    """Yield the worked deals whose records are in order; `reversis check` tells of the others."""
    records: Iterable[Record] = (read_worked(library, id) for id in paths(library))
    yield from (record.deal for record in records if record.deal is not None)


def misplaced(library: Library, record: Record) -> Iterator[Problem]:
    """What a worked deal says of the library must be true: its name, and its sentences."""
    deal, find = record.deal, record.find
    if deal is None:
        return
    stem = Path(record.file).stem
    if deal.id != stem:
        yield find(("deal",)).problem(f"the deal is called {deal.id}, its file {stem}", "call both by one name")
    for at, locus in enumerate(deal.cites):
        if not citable(library, locus):
            way_out = did_you_mean(locus, sentences(library), "give the id of a sentence")
            yield find(("cites", at)).problem(f"no sentence {locus}", way_out)


# ---- sources that the library does not have
def sigla_of(library: Library) -> Sigla:
    """The sigla of all sources."""
    return frozenset(library.sources)


def unused(library: Library, named: Mapping[str, Iterable[str]]) -> str:
    """The entries of a record that stand under sigla of no source, in words; empty where there are none."""
    strange = {key: [one for one in sigla if one and one not in library.sources] for key, sigla in named.items()}
    return "; ".join(f"{key}: {', '.join(sigla)}" for key, sigla in strange.items() if sigla)


def citable(library: Library, locus: str) -> bool:
    """Whether there is a sentence or a statement of this id, which begins with the siglum of its source."""
    source = library.sources.get(locus.partition(".")[0])
    if source is None:
        return False
    return (source.text is not None and locus in source.text.sentences) or any(s.id == locus for s in source.statements)


def sentences(library: Library) -> frozenset[str]:
    """Every sentence and statement that can be cited."""
    found = (s.text.sentences for s in library.sources.values() if s.text)
    statements = (statement.id for s in library.sources.values() for statement in s.statements)
    return frozenset(id for ids in found for id in ids) | frozenset(statements)


# ---- what a record expects
@dataclass(frozen=True, slots=True)
class Figure:
    """One figure that a record expects, and what came out."""

    what: str  #: net south, pool stake
    expected: str
    found: str

    @property
    def met(self) -> bool:
        """Whether the two agree."""
        return self.expected == self.found


def figures(
    expected: Mapping[str, object], found: Mapping[str, object], missing: str = "not there"
) -> tuple[Figure, ...]:
    """Everything that a record expects of a source, beside what its clauses make of the deal."""
    asked = {key: value for key, value in expected.items() if key not in REMARKS}
    return tuple(compared(asked, found, (), missing))


def compared(expected: object, found: object, way: tuple[str, ...], missing: str) -> Iterator[Figure]:
    """Figure by figure: of a table only what is expected, of a list everything."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key, value in expected.items():
            if key in found:
                yield from compared(value, found[key], (*way, str(key)), missing)
            else:
                yield Figure(" ".join((*way, str(key))), canonical(value), missing)
    elif tables(expected) and tables(found) and len(expected) == len(found):
        for at, (one, other) in enumerate(zip(expected, found, strict=True), 1):
            yield from compared(one, other, (*way, str(at)), missing)
    else:
        yield Figure(" ".join(way), canonical(expected), canonical(found))


def tables(value: object) -> TypeGuard[list[Mapping[str, object]]]:
    """Whether this is a list of tables, to be compared one by one."""
    return isinstance(value, list) and any(isinstance(item, Mapping) for item in value)
