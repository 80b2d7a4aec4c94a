"""The record of a session: which deals follow each other, at which table, and how everybody should stand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.deal.fields import Find, Raw, RecordPlace, find_unwritable_values, locate_without_file
from engine.deal.reader import REMARKS, DealReader
from rulebook.problems import Problem

SESSION_REQUIRED = ("session", "seats", "dealer", "deals")
SESSION_OPTIONAL = ("title", "provenance", "cites", "unpaid", "expect", "note")
UNPAID_KEYS = ("deal", "seat")
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
    unpaid: tuple[tuple[int, int], ...] = ()  #: for which deal, counted from 1, which seat does not put in what is due
    expect: Raw = field(default_factory=dict)
    note: str = ""


def read_sitting(
    raw: object, find: Find = locate_without_file, sigla: Collection[str] | None = None
) -> tuple[Sitting | None, list[Problem]]:
    """Read the record of a session, or return every problem with its place and a hint; `sigla` as with a deal."""
    if not isinstance(raw, Mapping):
        hint = f"write a table with the keys {', '.join(SESSION_REQUIRED)}"
        return None, [find(()).problem("this is no record of a session", hint)]
    r = SittingReader(raw, find, sigla)
    r.problems += find_unwritable_values(raw, find)
    if r.problems:
        return None, sorted(set(r.problems))
    r.keys(SESSION_KEYS, SESSION_REQUIRED, "a record of a session")
    sitting = Sitting(
        r.get("session", r.name, ""),
        r.get("seats", r.names, ()),
        r.get("dealer", r.seat, None) or 0,
        r.get("deals", r.deals, ()),
        r.get("title", r.text, ""),
        r.get("provenance", r.provenance, "constructed"),
        r.get("cites", r.texts, ()),
        tuple(r.get("unpaid", r.unpaid, ())),
        r.get("expect", r.expectations, {}),
        r.get("note", r.text, ""),
    )
    return (None if r.problems else sitting), sorted(set(r.problems))


class SittingReader(DealReader):
    """Read the record of a session: every field by itself."""

    def deals(self, raw: object, place: RecordPlace) -> tuple[str, ...]:
        """The ids of the deals."""
        if not isinstance(raw, Sequence) or isinstance(raw, str) or not raw:
            self.wrong(place, "deals must be a list", "write the ids of worked deals, in the order played")
            return ()
        return self.texts(raw, place)

    def unpaid(self, raw: object, place: RecordPlace) -> Iterator[tuple[int, int]]:
        """The contributions that were not put in: for which deal, and by whom."""
        deals = self.raw.get("deals", ())
        last = len(deals) if isinstance(deals, Sequence) else 0
        seen: set[tuple[int, int]] = set()
        for at, item in self.tables(raw, place):
            self.known(item, at, UNPAID_KEYS)
            number, seat = self.number(item.get("deal"), (*at, "deal"), "deal", 1), self.seat(item.get("seat"), at)
            if number > last:
                self.wrong(at, f"deal is {number}, but the session has {last} deals", "name one of them", "deal-number")
            if seat is not None and (number, seat) in seen:
                self.wrong(at, f"{self.seats[seat]} is said twice not to have put in", "keep one", "told-twice")
            if seat is not None:
                seen.add((number, seat))
                yield number, seat

    def expected(self, raw: object, place: RecordPlace) -> None:
        """Check the expectations for one source: balances after each deal, and remarks."""
        if not isinstance(raw, Mapping) or "after" not in raw:
            hint = "write after: and a line for each deal: {accounts: {...}, pool: {...}, next_dealer: ...}"
            self.wrong(place, f"{place[-1]} does not tell how all stand after each deal", hint)
            return
        self.known(raw, place, SESSION_EXPECTED)
        for at, item in self.tables(raw["after"], (*place, "after")):
            self.known(item, at, tuple(STANDING))
            for key in (key for key in STANDING if key in item):
                STANDING[key](self, item[key], (*at, key))
        for key in (key for key in REMARKS if key in raw):
            self.text(raw[key], (*place, key))


#: What may be expected after a deal, and how it is read.
STANDING: Mapping[str, Callable[[SittingReader, object, RecordPlace], object]] = {
    "accounts": SittingReader.sums,
    "pool": SittingReader.pool,
    "net": SittingReader.sums,
    "dealer": SittingReader.seat,
    "next_dealer": SittingReader.seat,
}
SESSION_EXPECTED = ("after", *REMARKS)
