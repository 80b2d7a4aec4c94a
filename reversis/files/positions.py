"""Deals as they stand: records that are whole, broken off, or have gaps. A file may hold several, one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from engine.deal.events import Announcement
from engine.deal.fields import Find
from engine.deal.model import Deal, Exchange, Gift
from engine.deal.pool import Pool
from engine.deal.reader import read_deal
from engine.generation.partial_deal import read_sketch
from engine.generation.wishes import Sketch
from reversis.files.deal_streams import read_yaml_document, split_yaml_documents
from reversis.files.deals import Sigla
from rulebook.problems import Problem


@dataclass(frozen=True)
class PositionRecord:
    """A deal as it stands, or everything that is wrong with its record."""

    file: str
    record: Deal | Sketch | None
    problems: tuple[Problem, ...]
    find: Find


def read_positions(lines: Iterable[bytes], name: str, sigla: Sigla | None = None) -> Iterator[PositionRecord]:
    """Yield the records of a file or a stream, in YAML (and so in JSON)."""
    numbered = ((at, line.removeprefix(b"\xef\xbb\xbf")) for at, line in enumerate(lines, 1))
    for start, letters in split_yaml_documents(numbered):
        data, find, problems = read_yaml_document(letters, start, name)
        if problems:
            yield PositionRecord(name, None, tuple(problems), find)
        else:
            yield read_position(data, find, name, sigla)


def read_position(data: object, find: Find, name: str, sigla: Sigla | None = None) -> PositionRecord:
    """Read a whole deal; where something is missing in it, what is known."""
    deal, _ = read_deal(data, find, sigla)
    if deal is not None:
        return PositionRecord(name, deal, (), find)
    sketch, faults = read_sketch(data, find, sigla=sigla, barred=())
    return PositionRecord(name, sketch, tuple(faults), find)


def restore_deal(position: PositionRecord) -> Deal:
    """Return the deal of a record, which may be broken off in the midst of a trick or before the exchange."""
    known = position.record
    if isinstance(known, Deal):
        return known
    assert isinstance(known, Sketch)
    rest = known.rest
    return Deal(
        known.id,
        known.pack or 48,
        known.seats,
        known.dealer or 0,
        tuple(frozenset(known.hands.get(seat, ())) for seat in range(len(known.seats))),
        known.talon,
        tuple(tuple(card for card in row if card is not None) for row in known.tricks if row),
        title=str(rest.get("title", "")),
        provenance="generated",
        pools=cast("Mapping[str, Pool]", rest.get("pools", {})),
        exchange=cast("tuple[Exchange, ...]", rest.get("exchange", ())),
        gifts=cast("tuple[Gift, ...]", rest.get("gifts", ())),
        claims=known.claims,
        announced=cast("tuple[Announcement, ...]", rest.get("announced", ())),
        fragment=True,
        note=str(rest.get("note", "")),
    )
