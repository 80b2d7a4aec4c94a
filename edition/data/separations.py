"""Where the sources part, as it is stored: `sources/separating.json`, read, written, and put to the proof again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from edition.data.deals import paths, read_worked
from edition.data.json_records import SOURCE, StoreRecord, names_in, read_stored
from engine.comparison.separation import Separation, SessionSeparation, Swap, separation, session_separation, swap
from engine.deal.model import REQUIRED, Deal
from engine.deal.reader import read_deal
from engine.deal.writer import write_deal
from rulebook.io.files import read_once, replaced
from rulebook.io.strict_json import positions
from rulebook.io.strict_yaml import Steps
from rulebook.model import Library
from rulebook.problems import Problem

FILE = "separating.json"
AGAIN = "make it again: python -m proofs.separate"
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Parting:
    """What is known of one question and two sources that answer it differently."""

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
    """Everything that was found, of which state of the sources, and how to find it again."""

    command: str
    seed: int
    version: str
    sources: str
    deals: Mapping[str, Mapping[str, Any]]
    partings: tuple[Parting, ...]
    sets: tuple[Mapping[str, Any], ...] = ()  #: the fewest deals that tell things apart
    schema: int = SCHEMA
    found: dict[str, Deal] = field(default_factory=dict, compare=False, repr=False)

    def deal(self, id: str) -> Deal:
        """One of the stored deals. KeyError if there is none of that name."""
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
def stored(library: Library) -> Store | None:
    """What lies with the sources; nothing where it was never found."""
    path = Path(library.root) / FILE
    return store_in(path) if path.is_file() else None


@read_once(4)
def store_in(path: Path) -> Store:
    """The file; every page of a question asks for it."""
    return read_store(path.read_text(encoding="utf-8"))


def read_partings(root: Path, library: Library) -> tuple[Store | None, list[Problem]]:
    """What is stored, or everything that is wrong with it; nothing where nothing is."""
    path = root / FILE
    if not path.is_file():
        return None, []
    record, problems = read_stored(StoreRecord, path, root, AGAIN, library)
    if record is None:
        return None, problems
    problems = sorted(faults_of(record, path, f"{root.name}/{FILE}", library))
    return (None if problems else stored(library)), problems


def faults_of(record: StoreRecord, path: Path, name: str, library: Library) -> Iterator[Problem]:
    """Stored deals that cannot be read, and names of deals that are neither stored nor worked."""
    faults: list[tuple[Steps, str]] = []
    sigla, worked = names_in(library)[SOURCE], paths(library)
    for id, raw in record.deals.items():
        faults += [(("deals", id), one.what) for one in read_deal(raw, sigla=sigla)[1]]
    for at, parting in enumerate(record.partings):
        if parting.deal and parting.deal not in record.deals:
            faults.append((("partings", at, "deal"), f"there is no stored deal {parting.deal}"))
    for at, one in enumerate(record.sets):
        lost = [deal for deal in one.deals if deal not in record.deals and deal not in worked]
        faults += [(("sets", at, "deals"), f"there is no deal {deal}") for deal in lost]
    if faults:
        places = positions(path, name)
        yield from (places.where(steps).problem(what, AGAIN) for steps, what in faults)


def read_store(letters: str) -> Store:
    """The file as it stands. Raises KeyError and ValueError where it is not as this program writes it."""
    data = json.loads(letters)
    partings = tuple(read_parting(one) for one in data["partings"])
    return Store(**{**data, "partings": partings, "sets": tuple(data["sets"])})


def read_parting(one: Mapping[str, Any]) -> Parting:
    """One parting as it is written."""
    read: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in one.items()}
    return Parting(**read)


def write_store(root: Path, store: Store) -> Path:
    """Put the file in the place of the last one: one line for each deal and each parting."""
    head = {name: getattr(store, name) for name in ("schema", "command", "seed", "version", "sources")}
    deals = ",\n".join(f" {line(id)}: {line(record)}" for id, record in store.deals.items())
    partings = ",\n".join(f" {line(brief(one))}" for one in store.partings)
    sets = ",\n".join(f" {line(one)}" for one in store.sets)
    body = f'"deals": {{\n{deals}\n}},\n"partings": [\n{partings}\n],\n"sets": [\n{sets}\n]'
    return replaced(root / FILE, f"{line(head)[:-1]},\n{body}\n}}\n")


def line(data: object) -> str:
    """Data in one line of JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def brief(one: Parting) -> dict[str, object]:
    """A parting without what it leaves unsaid."""
    return {key: value for key, value in asdict(one).items() if value}


def record_of(deal: Deal) -> dict[str, object]:
    """A deal as it is stored: a record without what it leaves unsaid."""
    return {key: value for key, value in write_deal(deal).items() if key in REQUIRED or value not in ("", [])}


# ---- putting it to the proof
def worked_deals(library: Library) -> dict[str, Deal]:
    """Every worked deal by its id."""
    read = (read_worked(library, id).deal for id in paths(library))
    return {deal.id: deal for deal in read if deal is not None}


def swap_of(library: Library, one: Parting) -> Swap:
    """The two sides of a parting that was found."""
    found = swap(library, one.question, one.base, one.giver)
    assert found is not None, f"{one.giver} has no answer to {one.question}"
    return found


def proved(
    library: Library, store: Store, one: Parting, worked: Mapping[str, Deal] | None = None
) -> Separation | SessionSeparation | None:
    """A parting that was found, settled both ways anew; nothing where it does not separate any more."""
    sides = (
        swap(library, one.question, one.base, one.giver) if {one.base, one.giver} <= library.sources.keys() else None
    )
    if sides is None:
        return None
    if one.deal:
        return separation(sides, store.deal(one.deal))
    known = worked if worked is not None else dict(read_all(library, one.session))
    deals = [known[id] for id in one.session if id in known]  # one that was withdrawn is not there
    return session_separation(sides, tuple(deals)) if len(deals) == len(one.session) else None


def read_all(library: Library, ids: Iterable[str]) -> Iterable[tuple[str, Deal]]:
    """Some worked deals, as they are read."""
    there = paths(library)
    for id in (one for one in dict.fromkeys(ids) if one in there):
        deal = read_worked(library, id).deal
        if deal is not None:
            yield id, deal


__all__ = ["Parting", "Store", "proved", "stored", "worked_deals", "write_store"]
