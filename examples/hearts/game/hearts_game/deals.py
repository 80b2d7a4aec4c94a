"""Records of deals: what one holds, and everything that can be wrong with it before any book is asked."""
# ruff: noqa: RUF012  (pydantic copies a default; ruff does not see that a Record is a model of it)

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from edition.game import Reader
from rulebook.io.strict_yaml import Positions, read_yaml
from rulebook.model import Library, Ruleset
from rulebook.problems import Problem
from rulebook.resolve import BadChoice, rules
from rulebook.schema.records import Record
from rulebook.schema.validation import validate_record
from rulebook.sources.paths import DEAL_FILE_PATTERNS
from rulebook.suggestions import did_you_mean

RANKS, SUITS = "23456789TJQKA", "SHDC"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
HEARTS = len(RANKS)  #: in the whole pack

Cards = Annotated[str, Field(pattern=r"\S")]  #: with blanks between them: "AS TH 2C"
Counters = Annotated[int, Field(ge=0)]


class PoolRecord(Record):
    """What earlier deals have left in the pool."""

    jack: Counters = 0  #: Counters of a pool that nobody won.
    odd: Counters = 0  #: Counters over from a pool that was divided.


class ExpectedRecord(Record):
    """What a deal comes to by some rules, and why."""

    net: dict[str, int] = {}  #: What each player wins or loses.
    pool: PoolRecord = PoolRecord()  #: What is left in the pool.
    silent: str = ""  #: The question without an answer for want of which nothing is settled.
    refused: bool = False  #: Whether the deal was not played by these rules.
    reasoning: str  #: The sum, from the words of the book.


class Deal(Record):
    """Deal as it was played; or, where a book gives no more, the hearts that each player has taken."""

    deal: str  #: Its id, which is the name of its file.
    title: str
    provenance: Literal[
        "printed", "completed", "constructed"
    ]  #: Whether the book gives the deal, a part of it, or none.
    cites: list[str]  #: The sentences that it shows.
    note: str = ""
    seats: Annotated[list[str], Field(min_length=3, max_length=6)]  #: The players, in turn to the left.
    dealer: str
    pool: PoolRecord = PoolRecord()
    price: Annotated[int, Field(ge=1)] | None = None  #: Counters for a heart, where a book leaves that to the players.
    taken: dict[str, Counters] = {}  #: Hearts taken by each player, where there are no tricks.
    hands: dict[str, Cards] = {}  #: The cards of each player.
    left: str = ""  #: Cards that are not dealt: thrown out of the pack, or left on the table.
    tricks: list[Cards] = []  #: The cards of each trick, as they were played.
    expect: dict[str, ExpectedRecord] = {}  #: By rules, named as a command prints them: ABC, or ABC + ABC.o01.

    def hand(self, seat: str) -> tuple[str, ...]:
        """Cards of a player before the first trick."""
        return tuple(self.hands[seat].split())

    def find_holder(self, card: str) -> str:
        """Player to whom a card was dealt; empty where it was dealt to nobody."""
        return next((seat for seat in self.hands if card in self.hand(seat)), "")

    def next_seat(self, seat: str, places: int = 1) -> str:
        """Player so many places to the left of another."""
        return self.seats[(self.seats.index(seat) + places) % len(self.seats)]


@dataclass(frozen=True, slots=True)
class DealFile:
    """File of a deal as it was read: the deal, or everything that is wrong with it."""

    name: str
    deal: Deal | None
    problems: tuple[Problem, ...]
    positions: Positions


def read_deal(path: Path, name: str = "") -> DealFile:
    """Read a deal from a file; every fault is a problem with its line."""
    name = name or path.as_posix()
    raw, positions, problems = read_yaml(path, name)
    if problems:
        return DealFile(name, None, tuple(problems), positions)
    deal, faults = validate_record(Deal, raw, positions, ())
    if deal is not None:  # the other checks look for the cards of those who are at the table
        faults = [*_names_are_those_of_the_seats(deal, positions)]
        faults = faults or [fault for check in _CHECKS for fault in check(deal, positions)]
    return DealFile(name, None if faults else deal, tuple(faults), positions)


# ---- the deals of a library
def resolve_named(library: Library, name: str) -> Ruleset:
    """Resolve rules by the name under which a record has figures for them. Raises UnknownName and BadChoice."""
    return rules(library, *name.split(" + "))


def find_deal_paths(library: Library) -> Mapping[str, str]:
    """Return the deals by id, each with its path below the library's root."""
    return {Path(path).stem: path for path in library.deals}


def read_library_deal(library: Library, id: str) -> DealFile:
    """Read one of the deals of a library. Raises KeyError."""
    root, path = Path(library.root), find_deal_paths(library)[id]
    return read_deal(root / path, f"{root.name}/{path}")


def read_deals(root: Path, library: Library) -> tuple[tuple[Deal, ...], Iterable[Problem]]:
    """Read every deal of a library that is in order, and report the faults of the others."""
    files = [read_library_deal(library, id) for id in find_deal_paths(library)]
    problems = [fault for file in files for fault in (*file.problems, *_find_strange_references(library, file))]
    return tuple(file.deal for file in files if file.deal), problems


READERS: Mapping[str, Reader] = {"deals": Reader(DEAL_FILE_PATTERNS, read_deals)}


def _find_strange_references(library: Library, file: DealFile) -> Iterator[Problem]:
    if file.deal is None:
        return
    if file.deal.deal != Path(file.name).stem:
        where = file.positions.where(("deal",))
        yield where.problem(f"the deal is called {file.deal.deal}, its file is not", "call both by one name")
    known = {id for source in library.sources.values() if source.text for id in source.text.sentences}
    for at, locus in enumerate(file.deal.cites):
        if locus not in known:
            where = file.positions.where(("cites", at))
            yield where.problem(f"no sentence {locus}", did_you_mean(locus, known, "give the id of a sentence"))
    for name in file.deal.expect:
        try:
            resolve_named(library, name)
        except (KeyError, BadChoice) as fault:
            where = file.positions.where(("expect", name))
            yield where.problem(str(fault), "name rules as `rulebook run` prints them: ABC, or ABC + ABC.o01")


# ---- checks
def _names_are_those_of_the_seats(deal: Deal, positions: Positions) -> Iterator[Problem]:
    if len({*deal.seats, "pool"}) <= len(deal.seats):
        yield positions.where(("seats",)).problem("two accounts have one name", "name each player, and none `pool`")
    named: list[tuple[str, str, tuple[str, ...]]] = [("dealer", deal.dealer, ("dealer",))]
    for key, seats in (("taken", deal.taken), ("hands", deal.hands)):
        named += [(key, seat, (key, seat)) for seat in seats]
        if seats and (missing := [seat for seat in deal.seats if seat not in seats]):
            yield positions.where((key,)).problem(f"{key} leaves out {', '.join(missing)}", "give every player")
    for key, seat, steps in named:
        if seat not in deal.seats:
            hint = did_you_mean(seat, deal.seats, f"the players are {', '.join(deal.seats)}")
            yield positions.where(steps).problem(f"{key} names {seat}, who is not at the table", hint)


def _tricks_or_hearts_are_given(deal: Deal, positions: Positions) -> Iterator[Problem]:
    most = HEARTS - sum(card.endswith("H") for card in deal.left.split())
    least = most if deal.left else HEARTS - len(PACK) % len(deal.seats)  # any of those over may be a heart
    if bool(deal.taken) == bool(deal.hands):
        what = "it does not say, or says twice, what was played"
        yield positions.where(()).problem(what, "give either `taken`, or `hands` and `tricks`")
    elif deal.taken and not least <= sum(deal.taken.values()) <= most:
        what, dealt = f"{sum(deal.taken.values())} hearts are taken", f"{least} to {most}" if least < most else most
        yield positions.where(("taken",)).problem(what, f"{dealt} are dealt: each is taken by somebody")


def _every_card_is_in_one_place(deal: Deal, positions: Positions) -> Iterator[Problem]:
    places: list[tuple[tuple[str, ...], str]] = [
        (("hands", seat), card) for seat, cards in deal.hands.items() for card in cards.split()
    ]
    places += [(("left",), card) for card in deal.left.split()]
    times = Counter(card for _, card in places)
    for steps, card in places:
        if card not in PACK:
            yield positions.where(steps).problem(f"{card} is no card", "write rank and suit: AS, TH (the ten), 2C")
        elif times[card] > 1:
            yield positions.where(steps).problem(f"{card} is in {times[card]} places", "each card is there once")


def _tricks_are_of_cards_in_hand(deal: Deal, positions: Positions) -> Iterator[Problem]:
    played = set[str]()
    for at, cards in enumerate(card.split() for card in deal.tricks):
        where, holders = positions.where(("tricks", at)), [deal.find_holder(card) for card in cards]
        for card, holder in zip(cards, holders, strict=True):
            if not holder or card in played:
                what = f"{card} was played before" if holder else f"nobody holds {card}"
                yield where.problem(f"trick {at + 1}: {what}", "each card of a hand is played once")
        played.update(cards)
        if len(cards) != len(deal.seats):
            yield where.problem(f"trick {at + 1} has {len(cards)} cards", f"{len(deal.seats)} play to it")
        elif all(holders) and any(deal.next_seat(one) != other for one, other in pairwise(holders)):
            yield where.problem(f"trick {at + 1} goes {', '.join(holders)}", "write its cards as they were played")
    rest = [card for seat in deal.hands for card in deal.hand(seat) if card not in played]
    if rest:
        yield positions.where(("tricks",)).problem(f"not played: {' '.join(rest)}", "give every trick")


def _sums_come_out_even(deal: Deal, positions: Positions) -> Iterator[Problem]:
    for name, expected in deal.expect.items():
        kept = expected.pool.jack + expected.pool.odd - deal.pool.jack - deal.pool.odd
        if expected.net and sum(expected.net.values()) + kept:
            what = f"by {name} the players have {sum(expected.net.values()):+d} together, and the pool {kept:+d}"
            yield positions.where(("expect", name, "net")).problem(what, "what one wins another loses, or the pool")


_CHECKS: tuple[Callable[[Deal, Positions], Iterable[Problem]], ...] = (
    _tricks_or_hearts_are_given,
    _every_card_is_in_one_place,
    _tricks_are_of_cards_in_hand,
    _sums_come_out_even,
)
