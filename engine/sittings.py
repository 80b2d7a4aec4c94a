"""The record of a session: which deals follow each other, at which table, and how everybody should stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.deals import PROVENANCES, Find, Raw, guess, nowhere, words
from rulebook.model import Problem

SESSION_REQUIRED = ("session", "seats", "dealer", "deals")
SESSION_OPTIONAL = ("title", "provenance", "cites", "expect", "note")
SESSION_KEYS = (*SESSION_REQUIRED, *SESSION_OPTIONAL)


@dataclass(frozen=True)
class Sitting:
    """A session on record: worked deals in a row, each turned so that he deals whose turn it is."""

    id: str
    seats: tuple[str, ...]
    dealer: int
    deals: tuple[str, ...]  #: ids of worked deals; one may come twice
    title: str = ""
    provenance: str = "constructed"
    cites: tuple[str, ...] = ()
    expect: Raw = field(default_factory=dict)
    note: str = ""


def read_sitting(raw: object, find: Find = nowhere) -> tuple[Sitting | None, list[Problem]]:
    """Read the record of a session; with any fault there is none, and every fault is told with the way out."""
    if not isinstance(raw, Mapping):
        way_out = f"write a table with the keys {', '.join(SESSION_REQUIRED)}"
        return None, [find(()).problem("this is no record of a session", way_out)]
    problems = list(faults(raw, find))
    if problems:
        return None, sorted(set(problems))
    seats, expect = words(raw["seats"]), raw.get("expect")
    return Sitting(
        str(raw["session"]),
        seats,
        seats.index(str(raw["dealer"])),
        words(raw["deals"]),
        str(raw.get("title") or ""),
        str(raw.get("provenance", "constructed")),
        words(raw.get("cites")),
        expect if isinstance(expect, Mapping) else {},
        str(raw.get("note") or ""),
    ), []


def faults(raw: Raw, find: Find) -> Iterator[Problem]:
    """Everything that is wrong with a record."""
    for key in raw:
        if key not in SESSION_KEYS:
            yield find((str(key),)).problem(f"unknown key {key!r}", guess(str(key), SESSION_KEYS))
    for key in SESSION_REQUIRED:
        if key not in raw:
            yield find(()).problem(f"no {key!r}", f"a record of a session needs {', '.join(SESSION_REQUIRED)}")
    yield from table_faults(raw, find)
    deals = raw.get("deals")
    if "deals" in raw and not (isinstance(deals, Sequence) and words(deals)):
        yield find(("deals",)).problem("deals must be a list", "write the ids of worked deals, in the order played")
    if "expect" in raw and not isinstance(raw["expect"], Mapping):
        yield find(("expect",)).problem("expect must be a table", "write one entry for each source, by its siglum")
    if raw.get("provenance", "constructed") not in PROVENANCES:
        word = str(raw["provenance"])
        yield find(("provenance",)).problem(f"unknown provenance {word!r}", guess(word, PROVENANCES))


def table_faults(raw: Raw, find: Find) -> Iterator[Problem]:
    """What is wrong with the places and the first dealer."""
    if "seats" not in raw or "dealer" not in raw:
        return
    seats = words(raw["seats"])
    if len(seats) not in (4, 5) or len(set(seats)) != len(seats) or "pool" in seats:
        what = "seats must be four or five different names, in order of play"
        yield find(("seats",)).problem(what, "write seats: [south, east, north, west]; pool is reserved")
    elif raw["dealer"] not in seats:
        yield find(("dealer",)).problem(f"no seat {raw['dealer']!r}", guess(str(raw["dealer"]), seats))


def write_sitting(sitting: Sitting) -> dict[str, object]:
    """A session as a record again."""
    out: dict[str, object] = {
        "session": sitting.id,
        "title": sitting.title,
        "provenance": sitting.provenance,
        "cites": list(sitting.cites),
        "seats": list(sitting.seats),
        "dealer": sitting.seats[sitting.dealer],
        "deals": list(sitting.deals),
    }
    extra = {"expect": dict(sitting.expect), "note": sitting.note}
    return out | {k: v for k, v in extra.items() if v}
