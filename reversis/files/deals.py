"""Deal records in files: find, read and check them; every fault is reported at its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias, TypeGuard

from engine.deal.fields import Find
from engine.deal.model import Deal
from engine.deal.reader import REMARKS, read_deal
from rulebook.answers.values import format_canonical
from rulebook.io.files import read_once
from rulebook.io.strict_json import json_problem, parse_strict_json
from rulebook.model import Library
from rulebook.problems import Problem, Where
from rulebook.suggestions import did_you_mean

Sigla: TypeAlias = frozenset[str]


@dataclass(frozen=True)
class DealRecord:
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
def read_deal_file(path: Path, name: str = "", sigla: Sigla | None = None) -> DealRecord:
    """Read a deal record from a file, YAML or JSON; where sigla are given, a source must be one of them."""
    from rulebook.io.strict_yaml import Stop, read_letters, read_yaml  # YAML takes a moment, JSON lines need none

    name = name or path.as_posix()
    if path.suffix.lower() == ".json":
        try:
            return read_json_deal(read_letters(path, name), name, sigla=sigla)
        except Stop as stop:
            return DealRecord(name, None, (stop.problem,), locate_line(name, 1))
    data, positions, problems = read_yaml(path, name)
    if problems:
        return DealRecord(name, None, tuple(problems), positions.where)
    deal, faults = read_deal(data, positions.where, sigla)
    return DealRecord(name, deal, tuple(faults), positions.where)


ONE_OBJECT = "give one deal as one JSON object on one line"


def read_json_deal(letters: str | bytes, name: str, line: int = 1, sigla: Sigla | None = None) -> DealRecord:
    """Read one deal record from JSON; problems name the place in words, JSON keeping none."""
    find = locate_line(name, line)
    try:
        data = parse_strict_json(letters)
    except (ValueError, RecursionError) as fault:
        return DealRecord(name, None, (json_problem(fault, name, ONE_OBJECT, line),), find)
    deal, faults = read_deal(data, sigla=sigla)
    problems = [Problem(name, line, 1, f"{p.file}: {p.what}", p.way_out, p.reason) for p in faults]
    return DealRecord(name, deal, tuple(problems), find)


def parse_record_data(letters: str | bytes) -> object:
    """Return the data of a record in JSON; None where it cannot be read."""
    try:
        return parse_strict_json(letters)
    except (ValueError, RecursionError):
        return None


def locate_line(name: str, line: int) -> Find:
    """Return the finder of places in JSON: always the file and line of the record."""
    return lambda place: Where(name, line, 1)


# ---- the worked deals of the library
def find_deal_paths(library: Library) -> Mapping[str, str]:
    """Return the worked deals by id, each with its path below the library's root."""
    return _index_by_stem(library.deals)


def find_session_paths(library: Library) -> Mapping[str, str]:
    """Return the worked sessions by id, each with its path below the library's root."""
    return _index_by_stem(library.sessions)


@lru_cache(maxsize=8)
def _index_by_stem(paths: tuple[str, ...]) -> Mapping[str, str]:
    """Return paths by the names of their files; every deal that is read asks this."""
    return {Path(path).stem: path for path in paths}


def read_worked(library: Library, name: str, ignore_unknown: bool = False) -> DealRecord:
    """Read one worked deal. Raise KeyError if there is none of that name."""
    path, root = find_deal_paths(library)[name], Path(library.root)
    file, called = root / path, f"{root.name}/{path}"
    sigla = None if ignore_unknown else sigla_of(library)
    return read_worked_file(file, called, sigla)


#: A page asks for a record again and again.
read_worked_file = read_once(1024)(read_deal_file)


def read_worked_records(library: Library) -> Iterator[DealRecord]:
    """Yield every worked deal of the library, with all that is wrong with its record."""
    for name in find_deal_paths(library):
        record = read_worked(library, name)
        readable = record if record.deal else read_worked(library, name, ignore_unknown=True)
        yield replace(record, problems=(*record.problems, *check_deal_references(library, readable)))


def deal_problems(library: Library) -> Iterator[Problem]:
    """Yield everything that is wrong with the records of the worked deals."""
    for record in read_worked_records(library):
        yield from record.problems


def list_deal_entries(library: Library) -> tuple[DealEntry, ...]:
    """Return every worked deal whose record can be read, in the order of the library; nothing is settled for it."""
    return tuple(
        DealEntry(d.id, d.title or d.id, d.provenance, d.cites, " ".join(d.note.split()))
        for d in readable_deals(library)
    )


def readable_deals(library: Library) -> Iterator[Deal]:
    """Yield the worked deals whose records are in order; `reversis check` tells of the others."""
    records: Iterable[DealRecord] = (read_worked(library, id) for id in find_deal_paths(library))
    yield from (record.deal for record in records if record.deal is not None)


def iter_source_deals(library: Library, siglum: str) -> Iterator[Deal]:
    """Yield the worked deals in the folder of one source whose records are in order."""
    for path in library.deals:
        if Path(path).parts[0] == siglum and (deal := read_worked(library, Path(path).stem).deal) is not None:
            yield deal


def check_deal_references(library: Library, record: DealRecord) -> Iterator[Problem]:
    """Check what a worked deal says of the library."""
    if deal := record.deal:
        yield from check_record_references(library, record.find, "deal", record.file, deal.id, deal.cites)


def check_record_references(
    library: Library, find: Find, kind: str, file: str, id: str, cites: Iterable[str]
) -> Iterator[Problem]:
    """Check what a worked deal or session says of the library: its name, and its sentences."""
    stem = Path(file).stem
    if id != stem:
        yield find((kind,)).problem(f"the {kind} is called {id}, its file {stem}", "call both by one name")
    for at, locus in enumerate(cites):
        if not is_citable(library, locus):
            way_out = did_you_mean(locus, list_citable_ids(library), "give the id of a sentence")
            yield find(("cites", at)).problem(f"no sentence {locus}", way_out)


# ---- sources that the library does not have
def sigla_of(library: Library) -> Sigla:
    """The sigla of all sources."""
    return frozenset(library.sources)


def format_unknown_sigla(library: Library, named: Mapping[str, Iterable[str]]) -> str:
    """Format the entries of a record under unknown sigla; empty if there are none."""
    strange = {
        key: [siglum for siglum in sigla if siglum and siglum not in library.sources] for key, sigla in named.items()
    }
    return "; ".join(f"{key}: {', '.join(sigla)}" for key, sigla in strange.items() if sigla)


def is_citable(library: Library, locus: str) -> bool:
    """Check that a sentence or a statement has this id, which begins with a siglum."""
    source = library.sources.get(locus.partition(".")[0])
    if source is None:
        return False
    return (source.text is not None and locus in source.text.sentences) or any(s.id == locus for s in source.statements)


def list_citable_ids(library: Library) -> frozenset[str]:
    """Return the id of every sentence and statement that can be cited."""
    sentences = (s.text.sentences for s in library.sources.values() if s.text)
    statements = (statement.id for s in library.sources.values() for statement in s.statements)
    return frozenset(id for ids in sentences for id in ids) | frozenset(statements)


# ---- what a record expects
@dataclass(frozen=True, slots=True)
class ExpectedFigure:
    """One figure that a record expects, and what came out."""

    what: str  #: net south, pool stake
    expected: str
    found: str

    @property
    def met(self) -> bool:
        """True if the two agree."""
        return self.expected == self.found


def compare_expectations(
    expected: Mapping[str, object], result: Mapping[str, object], missing: str = "not there"
) -> tuple[ExpectedFigure, ...]:
    """Compare everything that a record expects of a source with the result."""
    asked = {key: value for key, value in expected.items() if key not in REMARKS}
    return tuple(_compare_values(asked, result, (), missing))


def _compare_values(expected: object, result: object, way: tuple[str, ...], missing: str) -> Iterator[ExpectedFigure]:
    """Yield figure by figure: of a table only what is expected, of a list everything."""
    if isinstance(expected, Mapping) and isinstance(result, Mapping):
        for key, value in expected.items():
            if key in result:
                yield from _compare_values(value, result[key], (*way, str(key)), missing)
            else:
                yield ExpectedFigure(" ".join((*way, str(key))), format_canonical(value), missing)
    elif _is_list_of_tables(expected) and _is_list_of_tables(result) and len(expected) == len(result):
        for at, (wanted, other) in enumerate(zip(expected, result, strict=True), 1):
            yield from _compare_values(wanted, other, (*way, str(at)), missing)
    else:
        yield ExpectedFigure(" ".join(way), format_canonical(expected), format_canonical(result))


def _is_list_of_tables(value: object) -> TypeGuard[list[Mapping[str, object]]]:
    return isinstance(value, list) and any(isinstance(item, Mapping) for item in value)
