"""One piece of a survey, and any single deal of it as a record.

A table's deals are played once, by its own rules. Under each other ruleset the same cards are replayed, unless it says
the same of dealing and playing; the outcome is gone through anew only where it says something else of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.cards import cards_of
from engine.deal.model import Deal, Exchange
from engine.deal.pool import Pool
from engine.generation.turn import SEATS as NAMES
from engine.survey import buffers as played
from engine.survey import play_batch as lockstep
from engine.survey import play_single as singly
from engine.survey import policies
from engine.survey import reference as readable
from engine.survey.buffers import NONE, Numbers, Played
from engine.survey.counting import compared, sums
from engine.survey.encode_rules import DEALER, PACK, At, as_row
from engine.survey.outcomes import batch, encode, layout
from engine.survey.pricing import (
    SETTLED,
    SILENT,
    Known,
    Priced,
    Roots,
    affected,
    all_roots,
    goes_by_points,
    known,
    price,
)
from engine.survey.request import ACCOUNTS, EVENTS, SEATS, UNSETTLED, Order, Rules, Table
from engine.survey.tally import STEPS, Count, Tally, Versus
from engine.survey.tariff import Answers, Tariff
from rulebook.model import Library, Ruleset

Nets: TypeAlias = npt.NDArray[np.int32]  #: [deals of the piece, tables, ACCOUNTS]
AT_HAND = 1 << 14  #: deals that fit into a processor's own memory with all that is worked out of them


# ---- the play
def play(order: Order, row: Numbers, numbers: range) -> Played:
    """So many deals as a table plays them; a few more than asked for, to fill the last block."""
    deals = played.room(-(-len(numbers) // lockstep.BLOCK) * lockstep.BLOCK)
    into = (deals.facts, deals.taken, deals.takers, deals.talon, deals.told, deals.hands)
    if order.policy == policies.RANDOM:
        lockstep.by_lot(row, order.seed, numbers.start, into, deals.cards, deals.swaps)
    else:
        preferences = np.array(policies.table(), np.int64)
        singly.by_preference(row, preferences, order.seed, numbers.start, into, deals.cards, deals.swaps)
    return deals


def again(deals: Played, row: Numbers) -> Played:
    """The same deals, every card as it was played, under rules that say something else of the play."""
    other = played.room(deals.taken.size)
    singly.again(row, deals.hands, (other.facts, other.taken, other.takers, other.told), deals.cards, deals.swaps)
    return Played(
        other.facts, other.taken, other.takers, deals.talon, other.told, deals.hands, deals.cards, deals.swaps
    )


# ---- the price
@dataclass
class Desk:
    """A table's deals, and all that has been worked out of them already, so that nothing is done twice."""

    deals: Played
    row: tuple[int, ...]
    replayed: dict[tuple[int, ...], Played] = field(default_factory=dict)
    decided: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[Numbers, Numbers]] = field(default_factory=dict)
    owned: dict[tuple[tuple[int, ...], tuple[int, ...]], Priced] = field(default_factory=dict)
    #: what some rules of payment alone come to under the table's own
    parts: dict[tuple[Roots, tuple[int, ...], tuple[int, ...]], Priced] = field(default_factory=dict)

    def under(self, row: tuple[int, ...]) -> Played:
        """The deals as these rules of play have them."""
        if row == self.row:
            return self.deals
        if row not in self.replayed:
            self.replayed[row] = again(self.deals, np.array(row, np.int64))
        return self.replayed[row]

    def outcome(self, row: tuple[int, ...], of: tuple[int, ...]) -> tuple[Numbers, Numbers]:
        """Outcomes and points: `row` says what rules of play, `of` what rules of the outcome."""
        if (row, of) not in self.decided:
            p = self.under(row)
            fields, points = np.zeros((p.taken.size, 13), np.int64), np.zeros((p.taken.size, SEATS), np.int64)
            batch.compute_outcomes(
                np.array(of, np.int64), (p.facts, p.taken, p.takers, p.talon, p.told), fields, points
            )
            self.decided[row, of] = fields, points
        return self.decided[row, of]


@dataclass
class Priser:
    """Prices deals under rulesets; keeps the tariffs, by the pool before the deal and the first leader."""

    library: Library
    answers: Answers = field(init=False)
    tariffs: dict[tuple[Pool, int], Tariff] = field(default_factory=dict)
    known: dict[tuple[Rules, Pool], tuple[int, Known | None]] = field(default_factory=dict)  #: how far trees had grown
    coded: dict[Rules, tuple[Ruleset, tuple[int, ...], tuple[int, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.answers = Answers(self.library)

    def rules(self, these: Rules) -> tuple[Ruleset, tuple[int, ...], tuple[int, ...]]:
        """A ruleset, and what it says of play and of outcome in numbers."""
        if these not in self.coded:
            ruleset = readable.bound(self.library, these)
            rows = as_row(ruleset), encode.encode_outcome_rules(ruleset)
            self.coded[these] = (ruleset, *(tuple(map(int, row)) for row in rows))  # type: ignore[assignment]
        return self.coded[these]

    def tariff(self, pool: Pool, eldest: int) -> Tariff:
        """The trees that hold for this pool and this first leader."""
        return self.tariffs.setdefault((pool, eldest), Tariff(self.answers, pool, eldest))

    def own(self, desk: Desk, these: Rules, pool: Pool) -> Priced:
        """A table's deals under its own rules."""
        _, row, of = self.rules(these)
        return self.as_own(desk, these, (row, of), pool)

    def tables(self, these: Rules, pool: Pool) -> Known | None:
        """Tables for a table's own rules, as long as they tell apart all that the trees are known to read."""
        ruleset, row, _ = self.rules(these)
        tariff = self.tariff(pool, row[At.ELDEST])
        grown, found = self.known.get((these, pool), (-1, None))
        if grown != tariff.grown:
            if not found or goes_by_points(tariff, ruleset) != found.by_points:
                found = known(tariff, ruleset)
            self.known[these, pool] = tariff.grown, found
        return found

    def other(self, desk: Desk, base: Rules, these: Rules, pool: Pool) -> Priced:
        """The same deals under another ruleset: only the rules of payment that may differ are gone through anew."""
        own, own_row, _ = self.rules(base)
        ruleset, row, of = self.rules(these)
        tariff, quinola = self.tariff(pool, row[At.ELDEST]), row[At.QUINOLA]
        under, outcome = desk.under(row), desk.outcome(row, of)
        if (row[At.ELDEST], quinola) != (own_row[At.ELDEST], own_row[At.QUINOLA]):
            return price(ruleset, tariff, under, outcome, quinola, all_roots(tariff))
        mine = self.as_own(desk, base, (row, of), pool)
        roots = affected(tariff, own, ruleset)
        if bool((mine.became == SILENT).any()):
            return price(ruleset, tariff, under, outcome, quinola, all_roots(tariff))
        if (roots, row, of) not in desk.parts:
            desk.parts[roots, row, of] = price(own, tariff, under, outcome, quinola, roots)
        part = price(ruleset, tariff, under, outcome, quinola, roots)
        return Priced(mine.net - desk.parts[roots, row, of].net + part.net, part.became)

    def as_own(self, desk: Desk, base: Rules, rows: tuple[tuple[int, ...], tuple[int, ...]], pool: Pool) -> Priced:
        """What the table's own rules of payment make of the play and the outcome that other rules have."""
        if rows not in desk.owned:
            own, _, _ = self.rules(base)
            row, of = rows
            tariff = self.tariff(pool, row[At.ELDEST])
            tables, roots, outcome = self.tables(base, pool), all_roots(tariff), desk.outcome(row, of)
            desk.owned[rows] = price(own, tariff, desk.under(row), outcome, row[At.QUINOLA], roots, tables)
        return desk.owned[rows]


_PRISERS: dict[int, Priser] = {}


def priser(library: Library) -> Priser:
    """The priser of a library; one for a process, since what it has learnt holds for every piece."""
    return _PRISERS.setdefault(id(library), Priser(library))


# ---- the count
def piece(order: Order, library: Library, chunk: int) -> Tally:
    """What one piece of an order comes to; it depends on nothing but the order, the sources and its number."""
    return Tally(tuple(counted(order, table, library, order.numbers(chunk)) for table in order.tables))


def counted(order: Order, table: Table, library: Library, numbers: range) -> Count:
    """Some deals at one table, so many at a time that what is worked out of them stays at hand."""
    parts = (numbers[at : at + AT_HAND] for at in range(0, len(numbers), AT_HAND))
    return reduce(add, (some(order, table, library, part) for part in parts))


def some(order: Order, table: Table, library: Library, numbers: range) -> Count:
    """A few deals at one table."""
    prices = priser(library)
    own, row, of = prices.rules(table.rules)
    desk = Desk(play(order, np.array(row, np.int64), numbers), row)
    pool = readable.opening(own, NAMES[SEATS])
    first, n = prices.own(desk, table.rules, pool), len(numbers)
    others = tuple(against(first, prices.other(desk, table.rules, other, pool), numbers) for other in table.others)
    settled, net, squares = sums(first.net, first.became, n)
    told = tuple(events(desk, row, of, n))
    return Count(n, int(settled), tuple(map(int, net)), tuple(map(int, squares)), told, others)


def against(own: Priced, other: Priced, numbers: range) -> Versus:
    """The same deals under two rulesets."""
    steps = np.zeros(len(STEPS), np.int64)
    found = compared(own.net, other.net, own.became, other.became, len(numbers), STEPS, steps)
    settled, forbidden, silent, changed, moved, squares, worst, at = map(int, found)
    where = numbers.start + at if worst else -1
    return Versus(settled, forbidden, silent, changed, moved, squares, worst, where, tuple(map(int, steps)))


def events(desk: Desk, row: tuple[int, ...], of: tuple[int, ...], n: int) -> Iterator[int]:
    """How often each of EVENTS came about."""
    deals, hero = desk.deals, desk.outcome(row, of)[0][:n, layout.HERO]
    told, facts, talon, takers = deals.told[:n], deals.facts[:, :n], deals.talon[:n], deals.takers[:n]
    manner = facts >> played.MANNER & 3
    seen = {
        "four-aces": told >> played.FOUR_ACES & 1,
        "three-aces-and-quinola": told >> played.THREE_AND_QUINOLA & 1,
        "quinola-turned": told >> played.TURNED & 1,
        "quinola-aside": talon >> row[At.QUINOLA] & 1,
        "quinola-thrown-off": manner[4] == played.THROWN_OFF,
        "quinola-followed": manner[4] == played.FOLLOWED,
        "quinola-led": manner[4] == played.LED,
        "aces-thrown-off": manner[:4] == played.THROWN_OFF,
        "privileged": (told >> played.HOLDER & 7) > 0,
        "renounced": told >> played.RENOUNCED & 1,
        "reversis-undertaken": (hero > 0) & (hero <= SEATS),
        "reversis-made": all_by_one(takers),
        "exchanges": deals.swaps[SEATS : 2 * SEATS, :n] != NONE,
    }
    return (int(np.asarray(seen[name]).sum()) for name in EVENTS)


def all_by_one(takers: Numbers) -> Numbers:
    """Whether one player has taken all tricks."""
    first = takers & 3
    return takers == first * sum(1 << 2 * trick for trick in range(11))


def nets(order: Order, library: Library, chunk: int) -> Nets:
    """What every account wins or loses, deal by deal and table by table, under the table's own rules.

    The deals of the piece in their order, `order.tables` in theirs; the eldest first, the dealer, then the pool. A deal
    on which the table's own rules are silent has UNSETTLED in all five places.
    """
    numbers, prices = order.numbers(chunk), priser(library)
    found = np.full((len(numbers), len(order.tables), ACCOUNTS), UNSETTLED, np.int32)
    for at, table in enumerate(order.tables):
        own, row, _ = prices.rules(table.rules)
        desk = Desk(play(order, np.array(row, np.int64), numbers), row)
        priced = prices.own(desk, table.rules, readable.opening(own, NAMES[SEATS]))
        settled = np.flatnonzero(priced.became[: len(numbers)] == SETTLED)
        found[settled, at, :SEATS] = priced.net[settled]
        found[settled, at, SEATS] = -priced.net[settled].sum(axis=1)
    return found


# ---- a single deal
def deal_of(order: Order, library: Library, table: Table, number: int) -> Deal:
    """The deal of that number as it was dealt, exchanged and played at that table."""
    return next(iter(deals_of(order, library, table, range(number, number + 1))))


def deals_of(order: Order, library: Library, table: Table, numbers: range) -> Iterable[Deal]:
    """Deals as records, with the opening pool of the table."""
    own, row, _ = priser(library).rules(table.rules)
    deals, pool = play(order, np.array(row, np.int64), numbers), readable.opening(own, NAMES[SEATS])
    return (record(f"survey-{order.seed}-{number}", deals, at, pool) for at, number in enumerate(numbers))


def record(name: str, deals: Played, at: int, pool: Pool) -> Deal:
    """One of the deals as a record."""
    cards = [int(c) for c in deals.cards[:, at]]
    return Deal(
        name,
        PACK,
        NAMES[SEATS],
        DEALER,
        tuple(frozenset(cards_of(int(hand))) for hand in deals.hands[:, at]),
        tuple(cards_of(int(deals.talon[at]))),
        tuple(tuple(cards[4 * trick : 4 * trick + 4]) for trick in range(11)),
        provenance="generated",
        pools={"": pool},
        exchange=tuple(exchanged([int(c) for c in deals.swaps[:, at]])),
    )


def exchanged(swaps: list[int]) -> Iterator[Exchange]:
    """Who laid what away, and took what in, in order; last the dealer, who takes nothing."""
    for seat in range(SEATS):
        out, taken = swaps[seat], swaps[SEATS + seat]
        if out != NONE:
            yield Exchange(seat, out, None if taken == NONE else taken)
