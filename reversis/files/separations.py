"""Stored separations: read, write and verify `sources/separating.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.comparison.separation import (
    Separation,
    SessionSeparation,
    Swap,
    make_swap,
    session_separation,
    try_separation,
)
from engine.deal.model import REQUIRED, Deal
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from reversis.files.deals import find_deal_paths, read_worked
from reversis.files.json_records import SOURCE_KIND, StoreRecord, dump_json_line, names_in, read_stored
from rulebook.io.digests import DIGEST_KEY, add_digest
from rulebook.io.files import read_once, replace_file
from rulebook.io.strict_json import locate_json_values
from rulebook.io.strict_yaml import Steps
from rulebook.model import Library
from rulebook.problems import Problem

SEPARATIONS_FILE = "separating.json"
_REMAKE_HINT = "make it again: python -m proofs.separate"
_SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Parting:
    """Findings on one question and two sources that answer it differently."""

    question: str  #: slug
    pair: tuple[str, str]
    verdict: str  #: one of separating.VERDICTS
    base: str = ""  #: the source that is given the other's answer
    giver: str = ""
    brings: tuple[str, ...] = ()  #: questions whose answers come along
    deal: str = ""  #: id of a stored deal
    session: tuple[str, ...] = ()  #: ids of worked deals in a row
    how: tuple[str, ...] = ()  #: in what the two results differ
    worked: tuple[str, ...] = ()  #: ids of worked deals that show it too
    because: str = ""  #: of a latent one the proof, of an unknown one what was tried


@dataclass(frozen=True)
class Store:
    """All findings, the state of the sources, and the command that finds them again."""

    command: str
    seed: int
    version: str
    sources: str
    deals: Mapping[str, Mapping[str, Any]]
    partings: tuple[Parting, ...]
    sets: tuple[Mapping[str, Any], ...] = ()  #: the fewest deals that tell things apart
    schema: int = _SCHEMA_VERSION
    found: dict[str, Deal] = field(default_factory=dict, compare=False, repr=False)

    def deal(self, id: str) -> Deal:
        """Return one of the stored deals. Raise KeyError if there is none of that name."""
        if id not in self.found:
            deal, problems = read_deal(self.deals[id])
            assert deal is not None, problems
            self.found[id] = deal
        return self.found[id]

    @cached_property
    def by_question(self) -> Mapping[str, tuple[Parting, ...]]:
        """The partings of each question."""
        slugs = dict.fromkeys(one.question for one in self.partings)
        return {slug: tuple(one for one in self.partings if one.question == slug) for slug in slugs}


# ---- the file
def load_separations(library: Library) -> Store | None:
    """Return the separations stored with the sources; None if there are none."""
    path = Path(library.root) / SEPARATIONS_FILE
    return _load_store(path) if path.is_file() else None


@read_once(4)
def _load_store(path: Path) -> Store:
    """Return the cached file; every page of a question asks for it."""
    return read_store(path.read_text(encoding="utf-8"))


def read_partings(root: Path, library: Library) -> tuple[Store | None, list[Problem]]:
    """Read the stored separations, if any, or everything that is wrong with them."""
    path = root / SEPARATIONS_FILE
    if not path.is_file():
        return None, []
    record, problems = read_stored(StoreRecord, path, root, _REMAKE_HINT, library)
    if record is None:
        return None, problems
    problems = sorted(find_separation_faults(record, path, f"{root.name}/{SEPARATIONS_FILE}", library))
    return (None if problems else load_separations(library)), problems


def find_separation_faults(record: StoreRecord, path: Path, name: str, library: Library) -> Iterator[Problem]:
    """Find unreadable stored deals, and names of deals neither stored nor worked."""
    faults: list[tuple[Steps, str]] = []
    sigla, worked = names_in(library)[SOURCE_KIND], find_deal_paths(library)
    for id, raw in record.deals.items():
        faults += [(("deals", id), one.what) for one in read_deal(raw, sigla=sigla)[1]]
    for at, parting in enumerate(record.partings):
        if parting.deal and parting.deal not in record.deals:
            faults.append((("partings", at, "deal"), f"there is no stored deal {parting.deal}"))
    for at, one in enumerate(record.sets):
        lost = [deal for deal in one.deals if deal not in record.deals and deal not in worked]
        faults += [(("sets", at, "deals"), f"there is no deal {deal}") for deal in lost]
    if faults:
        places = locate_json_values(path, name)
        yield from (places.where(steps).problem(what, _REMAKE_HINT) for steps, what in faults)


def read_store(letters: str) -> Store:
    """Parse the file. Raise KeyError and ValueError where it is not as this program writes it."""
    data = json.loads(letters)
    data.pop(DIGEST_KEY, None)
    partings = tuple(_read_parting(one) for one in data["partings"])
    return Store(**{**data, "partings": partings, "sets": tuple(data["sets"])})


def _read_parting(one: Mapping[str, Any]) -> Parting:
    read: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in one.items()}
    return Parting(**read)


def write_store(path: Path, store: Store) -> Path:
    """Write a store to a file: one line for each deal and parting."""
    head = {name: getattr(store, name) for name in ("schema", "command", "seed", "version", "sources")}
    deals = ",\n".join(f" {dump_json_line(id)}: {dump_json_line(record)}" for id, record in store.deals.items())
    partings = ",\n".join(f" {dump_json_line(_drop_empty(one))}" for one in store.partings)
    sets = ",\n".join(f" {dump_json_line(one)}" for one in store.sets)
    body = f'"deals": {{\n{deals}\n}},\n"partings": [\n{partings}\n],\n"sets": [\n{sets}\n]'
    return replace_file(path, add_digest(f"{dump_json_line(head)[:-1]},\n{body}\n}}\n"))


def _drop_empty(one: Parting) -> dict[str, object]:
    return {key: value for key, value in asdict(one).items() if value}


def serialize_stored_deal(deal: Deal) -> dict[str, object]:
    """Return a deal as it is stored: a record without empty entries."""
    return {key: value for key, value in write_deal(deal).items() if key in REQUIRED or value not in ("", [])}


# ---- putting it to the proof
def worked_deals(library: Library) -> dict[str, Deal]:
    """Return every worked deal by its id."""
    read = (read_worked(library, id).deal for id in find_deal_paths(library))
    return {deal.id: deal for deal in read if deal is not None}


def swap_of(library: Library, one: Parting) -> Swap:
    """Return the two sides of a parting that was found."""
    found = make_swap(library, one.question, one.base, one.giver)
    assert found is not None, f"{one.giver} has no answer to {one.question}"
    return found


def verify_parting(
    library: Library, store: Store, one: Parting, worked: Mapping[str, Deal] | None = None
) -> Separation | SessionSeparation | None:
    """Settle a found parting both ways; None where it no longer separates."""
    here = {one.base, one.giver} <= library.sources.keys()
    sides = make_swap(library, one.question, one.base, one.giver) if here else None
    if sides is None:
        return None
    if one.deal:
        return try_separation(sides, store.deal(one.deal))
    known = worked if worked is not None else dict(_read_some_deals(library, one.session))
    deals = [known[id] for id in one.session if id in known]  # one that was withdrawn is not there
    return session_separation(sides, tuple(deals)) if len(deals) == len(one.session) else None


def _read_some_deals(library: Library, ids: Iterable[str]) -> Iterable[tuple[str, Deal]]:
    there = find_deal_paths(library)
    for id in (one for one in dict.fromkeys(ids) if one in there):
        deal = read_worked(library, id).deal
        if deal is not None:
            yield id, deal


__all__ = ["Parting", "Store", "load_separations", "verify_parting", "worked_deals", "write_store"]
