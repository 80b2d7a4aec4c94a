"""Stored separations: read, write and verify `sources/separating.json`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from engine.comparison.separation import (
    EFFECTIVE,
    VERDICTS,
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
from engine.interpretation.effects import HOW, HOW_SESSION
from reversis.files.deals import find_deal_paths, read_worked
from reversis.files.json_records import (
    AS_LIST,
    SOURCE_KIND,
    DealNames,
    QuestionName,
    QuestionNames,
    RulesetName,
    SiglumName,
    SiglumPair,
    StoredRecord,
    dump_json_line,
    names_in,
    read_stored,
    require_word,
)
from rulebook.io.digests import add_digest
from rulebook.io.files import read_once, replace_file
from rulebook.io.strict_json import locate_json_values
from rulebook.io.strict_yaml import Steps
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.schema.records import Record

SEPARATIONS_FILE = "separating.json"
_REMAKE_HINT = "make it again: python -m proofs.separate"


class Parting(Record):
    """Findings on one question and two sources that answer it differently."""

    question: QuestionName  #: Its slug.
    pair: SiglumPair
    verdict: Annotated[str, require_word("verdict", VERDICTS)]
    base: SiglumName = ""  #: The source that is given the other's answer.
    giver: SiglumName = ""
    brings: QuestionNames = ()  #: Questions whose answers come along.
    deal: str = ""  #: Id of a stored deal.
    session: DealNames = ()  #: Ids of worked deals in a row.
    #: In what the two results differ.
    how: Annotated[tuple[Annotated[str, require_word("difference", {*HOW, *HOW_SESSION})], ...], AS_LIST] = ()
    worked: DealNames = ()  #: Ids of worked deals that show it too.
    because: str = ""  #: Of a latent one the proof, of an unknown one what was tried.

    @model_validator(mode="after")
    def is_shown(self) -> Self:
        """Demand of an effective one, and of no other, a deal or a session, and the two sides."""
        one_shown = bool(self.deal) != bool(self.session)
        shown = one_shown and bool(self.how) and {self.base, self.giver} == {*self.pair}
        if shown != (self.verdict == EFFECTIVE):
            what = "an effective parting has a deal or a session, base and giver of its pair, and how; no other has"
            raise PydanticCustomError("not_shown", what)
        return self


class SeparatingSet(Record):
    """The fewest deals that tell some rulesets apart."""

    what: str
    deals: Annotated[tuple[str, ...], AS_LIST]
    exact: bool
    pairs: int
    alike: Annotated[tuple[Annotated[tuple[RulesetName, RulesetName], AS_LIST], ...], AS_LIST]


class Store(StoredRecord):
    """All findings, the state of the sources, and the command that finds them again."""

    seed: int
    deals: dict[str, dict[str, Any]]
    partings: Annotated[tuple[Parting, ...], AS_LIST]
    sets: Annotated[tuple[SeparatingSet, ...], AS_LIST] = ()

    @cached_property
    def read_deals(self) -> dict[str, Deal]:
        """The stored deals that were asked for."""
        return {}

    def deal(self, id: str) -> Deal:
        """Return one of the stored deals. Raise KeyError if there is none of that name."""
        if id not in self.read_deals:
            deal, problems = read_deal(self.deals[id])
            assert deal is not None, problems
            self.read_deals[id] = deal
        return self.read_deals[id]

    @cached_property
    def by_question(self) -> Mapping[str, tuple[Parting, ...]]:
        """The partings of each question."""
        slugs = dict.fromkeys(parting.question for parting in self.partings)
        return {slug: tuple(parting for parting in self.partings if parting.question == slug) for slug in slugs}


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
    store, problems = read_stored(Store, path, root, _REMAKE_HINT, library)
    if store is not None:
        problems = sorted(find_separation_faults(store, path, f"{root.name}/{SEPARATIONS_FILE}", library))
    return (None if problems else store), problems


def find_separation_faults(record: Store, path: Path, name: str, library: Library) -> Iterator[Problem]:
    """Find unreadable stored deals, and names of deals neither stored nor worked."""
    faults: list[tuple[Steps, str]] = []
    sigla, worked = names_in(library)[SOURCE_KIND], find_deal_paths(library)
    for id, raw in record.deals.items():
        faults += [(("deals", id), problem.what) for problem in read_deal(raw, sigla=sigla)[1]]
    for at, parting in enumerate(record.partings):
        if parting.deal and parting.deal not in record.deals:
            faults.append((("partings", at, "deal"), f"there is no stored deal {parting.deal}"))
    for at, separating_set in enumerate(record.sets):
        lost = [deal for deal in separating_set.deals if deal not in record.deals and deal not in worked]
        faults += [(("sets", at, "deals"), f"there is no deal {deal}") for deal in lost]
    if faults:
        places = locate_json_values(path, name)
        yield from (places.where(steps).problem(what, _REMAKE_HINT) for steps, what in faults)


def read_store(letters: str) -> Store:
    """Parse the file, whatever its names name. Raise ValueError where it is not as this program writes it."""
    return Store.model_validate_json(letters, strict=False)


def write_store(path: Path, store: Store) -> Path:
    """Write a store to a file: one line for each deal and parting."""
    head = {
        "schema": store.schema_,
        **{name: getattr(store, name) for name in ("command", "seed", "version", "sources")},
    }
    deals = ",\n".join(f" {dump_json_line(id)}: {dump_json_line(record)}" for id, record in store.deals.items())
    partings = ",\n".join(f" {dump_json_line(parting.model_dump(exclude_defaults=True))}" for parting in store.partings)
    sets = ",\n".join(f" {dump_json_line(separating_set.model_dump())}" for separating_set in store.sets)
    body = f'"deals": {{\n{deals}\n}},\n"partings": [\n{partings}\n],\n"sets": [\n{sets}\n]'
    return replace_file(path, add_digest(f"{dump_json_line(head)[:-1]},\n{body}\n}}\n"))


def serialize_stored_deal(deal: Deal) -> dict[str, object]:
    """Return a deal as it is stored: a record without empty entries."""
    return {key: value for key, value in write_deal(deal).items() if key in REQUIRED or value not in ("", [])}


# ---- putting it to the proof
def worked_deals(library: Library) -> dict[str, Deal]:
    """Return every worked deal by its id."""
    read = (read_worked(library, id).deal for id in find_deal_paths(library))
    return {deal.id: deal for deal in read if deal is not None}


def swap_of(library: Library, parting: Parting) -> Swap:
    """Return the two sides of a parting that was found."""
    swap = make_swap(library, parting.question, parting.base, parting.giver)
    assert swap is not None, f"{parting.giver} has no answer to {parting.question}"
    return swap


def verify_parting(
    library: Library, store: Store, parting: Parting, worked: Mapping[str, Deal] | None = None
) -> Separation | SessionSeparation | None:
    """Settle a found parting both ways; None where it no longer separates."""
    here = {parting.base, parting.giver} <= library.sources.keys()
    sides = make_swap(library, parting.question, parting.base, parting.giver) if here else None
    if sides is None:
        return None
    if parting.deal:
        return try_separation(sides, store.deal(parting.deal))
    known = worked if worked is not None else dict(_read_some_deals(library, parting.session))
    deals = [known[id] for id in parting.session if id in known]  # one that was withdrawn is not there
    return session_separation(sides, tuple(deals)) if len(deals) == len(parting.session) else None


def _read_some_deals(library: Library, ids: Iterable[str]) -> Iterable[tuple[str, Deal]]:
    there = find_deal_paths(library)
    for id in (name for name in dict.fromkeys(ids) if name in there):
        deal = read_worked(library, id).deal
        if deal is not None:
            yield id, deal


__all__ = ["Parting", "Store", "load_separations", "verify_parting", "worked_deals", "write_store"]
