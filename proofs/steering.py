"""Deals steered so that everything occurs which a source distinguishes: every fact with every outcome.

    python -m proofs.steering [--per 30] [--seed 1]

For every source and every table that it knows, a grid is drawn up from its answers. Its rows are what can befall a
card: which card, in what manner, in a trick that counts more or not, from the player opposite or at the side, claimed
or not, as far as the source asks for it. Its columns are the outcomes: reversis, espagnolette, partie won with a trick
or without. Deals are made towards every place of the grid until each has occurred as often as is asked; every one of
them is settled, and its ledger must sum to nought with the pool. What cannot occur is left out, each time for a reason
that stands in `IMPOSSIBLE`; a place that is neither reached nor impossible makes the proof fail.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from random import Random

from engine.deal.events import Fact
from engine.deal.pool import Pool
from engine.generation.deal import Found, fill, random_deal
from engine.generation.partial_model import Sketch
from engine.generation.turn import SEATS, Shape, shapes
from engine.generation.wishes import (
    CARD_WORDS,
    ESPAGNOLETTE,
    OUTCOME_WORDS,
    PARTIE,
    REVERSIS,
    Look,
    Wish,
    Word,
    told_trick,
)
from engine.readings.ask import Ask
from engine.settlement.payments.fate import manner
from engine.settlement.settle import Settled, settle
from rulebook.load import load
from rulebook.model import Library, Ruleset
from rulebook.receipts import receipt, write_receipt
from rulebook.resolve import resolve

TRIES = 30_000  #: so many deals are laid out for one place of the grid before it counts as not reached
BY_LOT = 10  #: besides, so many times `per` deals by lot at every table
ELSEWHERE = "another trick"
POOLS = (Pool(60), Pool(37, (11, 5)), Pool(0), Pool(40, (), True))


@dataclass(frozen=True, slots=True)
class Event:
    """What befell a card, in as many words as the source distinguishes."""

    card: str  #: quinola | favoured ace | other ace
    manner: str  #: led | followed | forced | put | thrown-off | laid-away
    trick: str = ""
    place: str = ""  #: opposite | side | own
    asked: str = ""  #: claimed | unclaimed | free | not-free

    def __str__(self) -> str:
        return ", ".join(part for part in (self.card, self.manner, self.trick, self.place, self.asked) if part)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a deal comes out: the reversis, the espagnolette, and the partie."""

    reversis: str  #: none | made | broken
    espagnolette: str = "none"  #: none | won | lost | beaten | breaking
    partie: str = ""  #: with-a-trick | without-a-trick, where it is settled

    def __str__(self) -> str:
        said = {"none": "no reversis"}.get(self.reversis, f"reversis {self.reversis}")
        also = "" if self.espagnolette == "none" else f"espagnolette {self.espagnolette}"
        return ", ".join(part for part in (said, also, self.partie) if part)


Place = tuple[Event, Ending]


# ---- what a source distinguishes
@dataclass(frozen=True)
class Grid:
    """All that can occur at one table of one source."""

    ruleset: Ruleset
    shape: Shape

    @property
    def ask(self) -> Ask:
        """Whom to ask."""
        return Ask(self.ruleset)

    def word(self, question: str, otherwise: str = "") -> str:
        """An answer, or what stands for none."""
        return self.ask.word(question) if question in self.ruleset.rulings else otherwise

    @cached_property
    def counted(self) -> Mapping[int, str]:
        """The tricks that count more, from the front or from the end."""
        return {n: told_trick(n) for n in self.ask.numbers("payments.doubled-tricks")}

    @cached_property
    def opposite(self) -> bool:
        """Whether it matters who sits opposite."""
        return self.shape.players == 4 and self.ask.number("payments.opposite") != 1

    @cached_property
    def late(self) -> int:
        """How many last tricks do not belong to the reversis."""
        return self.ask.number("reversis.undertaken")

    @cached_property
    def espagnolette(self) -> bool:
        """Whether the source knows it."""
        return bool(self.ask.tables("espagnolette.hands"))

    def manners(self, card: str) -> tuple[str, ...]:
        """What can befall a card: a card that follows is forced or put where the source parts the two."""
        kind = "quinola" if card == "quinola" else "ace"
        followed = ("forced", "put") if self.word(f"{kind}.forced.when") == "sole-card" else ("followed",)
        return ("led", *followed, "thrown-off", *(("laid-away",) if kind == "quinola" else ()))

    def pays(self, event: Event) -> bool:
        """Whether anything is paid between players, so that trick and place can matter."""
        kind = "quinola" if event.card == "quinola" else "ace"
        question = {"led": f"{kind}.led.payee", "followed": f"{kind}.forced.payee"}.get(event.manner, "")
        return not question or self.word(question) != "nobody"

    def events(self, settled: bool) -> Iterator[Event]:
        """All that can befall a card; the place of the winner of the partie only where it is settled."""
        for card in ("quinola", "favoured ace", "other ace"):
            for how in self.manners(card):
                yield from self.kinds(Event(card, how), settled)

    def kinds(self, event: Event, settled: bool) -> Iterator[Event]:
        """The finer kinds of one event."""
        if event.manner == "laid-away":
            yield event
            return
        tricks = (*self.counted.values(), ELSEWHERE) if self.counted and self.pays(event) else ("",)
        for trick, place, asked in product(tricks, self.places(event, settled), self.askings(event)):
            yield replace(event, trick=trick, place=place, asked=asked)

    def places(self, event: Event, settled: bool) -> tuple[str, ...]:
        """Where the other may sit."""
        if not self.opposite or not self.pays(event):
            return ("",)
        return ("opposite", "side") if event.manner != "led" else ("opposite", "side", "own") if settled else ("",)

    def askings(self, event: Event) -> tuple[str, ...]:
        """What else the source asks of a card that is led."""
        if event.manner != "led":
            return ("",)
        if event.card == "quinola" and self.word("quinola.led.when", "any-lead") != "any-lead":
            return ("free", "not-free")
        claimed = self.word("payments.led-claimed") == "must-be-claimed" and self.pays(event)
        return ("claimed", "unclaimed") if claimed else ("",)

    def endings(self) -> Iterator[Ending]:
        """All ways in which a deal can come out."""
        tricks = ("with-a-trick", "without-a-trick")
        states = ("none", "won", "lost") if self.espagnolette else ("none",)
        yield from (Ending("none", state, trick) for state, trick in product(states, tricks))
        yield from (Ending("made", state) for state in (("none", "beaten") if self.espagnolette else ("none",)))
        if self.late:
            states = ("none", "beaten", "breaking") if self.espagnolette else ("none",)
            yield from (Ending("broken", state) for state in states)

    def cells(self) -> list[Place]:
        """Every event with every outcome, also those that cannot be."""
        return [(event, end) for end in self.endings() for event in self.events(end.reversis == "none")]

    def unknown(self) -> Iterator[str]:
        """What the source does not distinguish at this table, so that the grid has no place for it."""
        yield from ("no trick counts more than another",) if not self.counted else ()
        yield from ("it does not matter who sits opposite",) if not self.opposite else ()
        yield from ("there is no espagnolette",) if not self.espagnolette else ()
        yield from ("a reversis that fails was none",) if not self.late else ()


# ---- what cannot be
def may_be_first(event: Event, grid: Grid) -> bool:
    """Whether it can be the first trick."""
    return event.trick == told_trick(1) or (event.trick in ("", ELSEWHERE) and 1 not in grid.counted)


def led_himself(event: Event, end: Ending) -> bool:
    """Whether the winner of the partie has led the card himself."""
    return event.manner == "led" and event.place == "own" and end.reversis == "none"


def by_maker(event: Event, end: Ending, grid: Grid) -> bool:
    """An ace follows, and it is neither the first trick nor one of those in which a reversis can be broken."""
    follows = event.card != "quinola" and event.manner in ("followed", "forced", "put")
    return follows and end.reversis != "none" and not any(falls(event, end, grid))


def falls(event: Event, end: Ending, grid: Grid) -> Iterator[bool]:
    """For every trick of this kind, whether an ace may follow there in a deal with a reversis."""
    for trick in tricks_of(event, grid):
        yield trick == 1 or (end.reversis == "broken" and trick > grid.shape.hand - grid.late)


def tricks_of(event: Event, grid: Grid) -> list[int]:
    """The numbers of the tricks that an event can fall in."""
    counted = {n if n > 0 else grid.shape.hand + 1 + n: name for n, name in grid.counted.items()}
    return [t for t in range(1, grid.shape.hand + 1) if event.trick in ("", counted.get(t, ELSEWHERE))]


def leads_ace_trickless(event: Event, end: Ending, grid: Grid) -> bool:
    """An ace is led by one who is to have no trick."""
    return led_himself(event, end) and event.card != "quinola" and end.partie == "without-a-trick"


def leads_late_trickless(event: Event, end: Ending, grid: Grid) -> bool:
    """One who is to have no trick leads to a trick that is not the first."""
    return led_himself(event, end) and end.partie == "without-a-trick" and not may_be_first(event, grid)


def any_trick_loses(event: Event, end: Ending, grid: Grid) -> bool:
    """An espagnolette is won with a trick, where every trick loses it."""
    won = (end.espagnolette, end.partie) == ("won", "with-a-trick")
    return won and grid.word("espagnolette.lost-by") == "any-trick"


def wins_and_leads_last(event: Event, end: Ending, grid: Grid) -> bool:
    """The espagnolette, who wins the partie, leads to the last trick."""
    return led_himself(event, end) and end.espagnolette == "won" and event.trick == told_trick(-1)


def right_lost_at_once(event: Event, end: Ending, grid: Grid) -> bool:
    """The espagnolette leads an ace to the first trick, where a trick ends his right."""
    ace_first = led_himself(event, end) and event.card != "quinola" and event.trick == told_trick(1)
    lost = grid.word("espagnolette.right-after-trick") == "lost"
    return ace_first and end.espagnolette == "won" and lost and grid.word("espagnolette.undertaken") == "by-renouncing"


def winner_has_last_two(event: Event, end: Ending, grid: Grid) -> bool:
    """The winner of the partie leads an ace to the last trick, and the espagnolette is lost by one of the last two."""
    ace_last = led_himself(event, end) and event.card != "quinola" and event.trick == told_trick(-1)
    return ace_last and end.espagnolette == "lost" and grid.word("espagnolette.lost-by") == "last-tricks"


Impossible = Callable[[Event, Ending, Grid], bool]
#: Why a place of the grid cannot occur: each reason with the test of it.
IMPOSSIBLE: Mapping[str, Impossible] = {
    "after the first trick he who makes the reversis leads, and an ace that followed would take it": by_maker,
    "an ace that is led takes the trick, so that he who leads it has one": leads_ace_trickless,
    "he who leads after the first trick has taken the one before": leads_late_trickless,
    "here any trick loses the espagnolette": any_trick_loses,
    "he who leads to the last trick has taken the one before, and so has lost the espagnolette": wins_and_leads_last,
    "he who takes the first trick loses his privilege before he has used it": right_lost_at_once,
    "he who leads an ace to the last trick has the last two, of which a lost espagnolette has one": winner_has_last_two,
}


def why_not(cell: Place, grid: Grid) -> str:
    """Why a place of the grid cannot occur; empty where it can."""
    return next((why for why, holds in IMPOSSIBLE.items() if holds(*cell, grid)), "")


# ---- what has occurred
def happened(grid: Grid, seen: Look) -> Iterator[Place]:
    """The places of the grid that a deal fills."""
    end = ending(seen)
    for fact in seen.played.facts:
        if fact.kind in ("ace", "quinola"):
            yield event_of(grid, fact, seen, end), end


def ending(at: Look) -> Ending:
    """How a deal has come out."""
    has = {key: says(at, *key) for key in OUTCOME_WORDS if key[0] != "table"}
    trick = "with-a-trick" if has[PARTIE, "with-a-trick"] else "without-a-trick"
    if has[REVERSIS, "none"]:
        state = next((s for s in ("won", "lost") if has[ESPAGNOLETTE, s]), "none")
        return Ending("none", state, trick)
    made = "made" if has[REVERSIS, "made"] else "broken"
    state = "breaking" if has[ESPAGNOLETTE, "breaking"] else "beaten" if has[ESPAGNOLETTE, "undertaken"] else "none"
    return Ending(made, state)


def says(at: Look, subject: str, word: str) -> bool:
    """Whether a word of the vocabulary holds; seat 0 is somebody too."""
    who = OUTCOME_WORDS[subject, word](at)
    return who is not None and who is not False


def event_of(grid: Grid, fact: Fact, at: Look, end: Ending) -> Event:
    """The row of the grid that a fact belongs to."""
    favoured = "favoured ace" if grid.word("ace.favoured-suit") == fact.suit else "other ace"
    event = Event("quinola" if fact.kind == "quinola" else favoured, how(grid, fact))
    kinds = list(grid.kinds(event, end.reversis == "none"))
    return next(kind for kind in kinds if agrees(kind, grid, fact, at))


def how(grid: Grid, fact: Fact) -> str:
    """What befell the card, as the source calls it."""
    parted = grid.word(f"{fact.kind}.forced.when") == "sole-card"
    return manner(fact, grid.ask) if parted and fact.manner == "followed" else fact.manner


def agrees(kind: Event, grid: Grid, fact: Fact, at: Look) -> bool:
    """Whether a fact is of this finer kind."""
    counted = {n if n > 0 else fact.last + 1 + n: name for n, name in grid.counted.items()}
    trick = not kind.trick or counted.get(fact.trick or 0, ELSEWHERE) == kind.trick
    return trick and all(CARD_WORDS[w](fact, at) for w in (kind.place, kind.asked) if w)


# ---- making it happen
def wishes(rng: Random, grid: Grid, cell: Place) -> tuple[Wish, ...]:
    """What to wish for, so that a place of the grid is filled."""
    event, end = cell
    words = tuple(Word(w) for w in (event.manner, event.place, event.asked) if w)
    kind = "quinola" if event.card == "quinola" else "ace"
    card = Wish(kind, words, suit_for(rng, grid, event), trick_for(rng, grid, event, end))
    states = {"beaten": (Word("undertaken"),), "none": ()}
    espagnolette = states.get(end.espagnolette, (Word(end.espagnolette),))
    return (
        Wish(REVERSIS, (Word(end.reversis),)),
        *((Wish(ESPAGNOLETTE, espagnolette),) if espagnolette else ()),
        *((Wish(PARTIE, (Word(end.partie),)),) if end.partie else ()),
        card,
    )


def suit_for(rng: Random, grid: Grid, event: Event) -> str:
    """The suit of an ace."""
    favoured = grid.word("ace.favoured-suit")
    others = [s for s in "SHDC" if s != favoured]
    return {"quinola": "", "favoured ace": favoured}.get(event.card, rng.choice(others))


def trick_for(rng: Random, grid: Grid, event: Event, end: Ending) -> int | None:
    """The trick in which it is to happen, where it is not left to the lot."""
    tricks = tricks_of(event, grid)
    if event.card != "quinola" and event.manner in ("followed", "forced", "put") and end.reversis != "none":
        return rng.choice([t for t, may in zip(tricks, falls(event, end, grid), strict=True) if may])
    return rng.choice(tricks) if event.trick else None


@dataclass
class Tally:
    """What was found at one table."""

    grid: Grid
    counts: Counter[Place] = field(default_factory=Counter)
    missed: list[Place] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    deals: int = 0
    laid_out: int = 0

    def take(self, settled: Settled, seen: Look) -> None:
        """Count a deal, and hold its ledger to account."""
        self.deals += 1
        self.counts.update(happened(self.grid, seen))
        self.faults += [f"{settled.deal.id}: {fault}" for fault in unbalanced(settled)]


def unbalanced(settled: Settled) -> Iterator[str]:
    """What is wrong with the sums of a ledger."""
    before, after = (p.stake + sum(p.waiting) for p in (settled.before, settled.pool))
    if sum(settled.net.values()) != 0:
        yield "the ledger does not sum to nought"
    if settled.net["pool"] != after - before:
        yield "the pool has not gained what the ledger says"


def survey(grid: Grid, end: Ending, per: int, seed: int) -> Tally:
    """Make deals at one table that end in one way, until every place of the grid is filled as often as is asked."""
    tally = Tally(grid)
    if end == next(grid.endings()):
        by_lot(tally, per, seed)
    for cell in grid.cells():
        if cell[1] == end and not why_not(cell, grid):
            steer(tally, cell, per, seed)
    return tally


def joined(tallies: Iterable[Tally]) -> Tally:
    """All the endings of one table together."""
    first, *rest = tallies
    for one in rest:
        first.counts.update(one.counts)
        first.missed += one.missed
        first.faults += one.faults
        first.deals += one.deals
        first.laid_out += one.laid_out
    return first


def by_lot(tally: Tally, per: int, seed: int) -> None:
    """Deals without any wish, with exchanges; none may be refused, and every ledger must balance."""
    for n in range(BY_LOT * per):
        deal = random_deal(tally.grid.ruleset, f"{seed}:{n}", tally.grid.shape, pool=POOLS[n % len(POOLS)])
        settled = settle(deal, tally.grid.ruleset)
        tally.deals += 1
        if isinstance(settled, Settled):
            tally.faults += [f"{deal.id}: {fault}" for fault in unbalanced(settled)]
        else:
            tally.faults.append(f"{deal.id} was not settled: {settled}")


def steer(tally: Tally, cell: Place, per: int, seed: int) -> None:
    """Make deals towards one place until it is filled; or say that it was not reached."""
    grid, attempt, laid_out = tally.grid, 0, 0
    while tally.counts[cell] < per:
        attempt += 1
        rng = Random(f"{seed}:{grid.shape}:{cell[0]}:{cell[1]}:{attempt}")
        pools = {"": POOLS[attempt % len(POOLS)]}
        shape, wished = grid.shape, wishes(rng, grid, cell)
        sketch = Sketch(wished, SEATS[shape.players], shape.players, shape.pack, id="steered", rest={"pools": pools})
        found = fill(grid.ruleset, sketch, rng.random(), 25, shape)
        laid_out += found.tries
        if isinstance(found, Found):
            tally.take(found.settled, found.seen)
            laid_out = 0 if cell in set(happened(grid, found.seen)) else laid_out
        tally.laid_out += found.tries
        if laid_out >= TRIES:
            tally.missed.append(cell)
            return


# ---- telling
def grids(library: Library, sources: Iterable[str] = ()) -> Iterator[Grid]:
    """Every table of every source."""
    for siglum in sources or library.sources:
        ruleset = resolve(library, siglum)
        yield from (Grid(ruleset, shape) for shape in shapes(ruleset))


def told(tally: Tally) -> dict[str, object]:
    """The figures of one table: how often each event occurred with each outcome, in the order of the outcomes."""
    grid, shape = tally.grid, tally.grid.shape
    cells, endings = grid.cells(), list(grid.endings())
    excluded = Counter(why for cell in cells if (why := why_not(cell, grid)))
    rows = dict.fromkeys(event for event, _ in cells)
    return {
        "source": grid.ruleset.source,
        "players": shape.players,
        "pack": shape.pack,
        "hand": shape.hand,
        "talon": shape.talon,
        "deals": tally.deals,
        "laid_out": tally.laid_out,
        "combinations": len(cells) - sum(excluded.values()),
        "least": min(tally.counts[cell] for cell in cells if not why_not(cell, grid)),
        "impossible": dict(excluded),
        "not_distinguished": list(grid.unknown()),
        "outcomes": [str(end) for end in endings],
        "counts": {str(e): " ".join(entry(tally, cells, (e, end)) for end in endings) for e in rows},
    }


SAYS = (
    "Every fact with every outcome that a source distinguishes occurs in lawful deals made by lot, all of them are "
    "settled, and every ledger sums to nought with the pool; x stands where a combination cannot be."
)


def kept(per: int, tallies: Iterable[Tally]) -> dict[str, object]:
    """The figures for the receipt: each table in a line, then each with its events in lines and its outcomes beside."""
    tables = {name(one): one for one in map(told, tallies)}
    summary = ("deals", "laid_out", "combinations", "least")
    return {
        "deals": sum(int(str(one["deals"])) for one in tables.values()),
        "times at least": per,
        "tables": {key: {what: one[what] for what in summary} for key, one in tables.items()},
        **{key: dict(lines(one)) for key, one in tables.items()},
    }


def name(figures: Mapping[str, object]) -> str:
    """A table in words."""
    return "{source}: {players} players, {pack} cards, hands of {hand}, talon of {talon}".format(**figures)


def lines(figures: Mapping[str, object]) -> Iterator[tuple[str, dict[str, int | str]]]:
    """Every event with what was counted of it in each outcome; nothing where the two are not distinguished."""
    outcomes, counts = figures["outcomes"], figures["counts"]
    assert isinstance(outcomes, list) and isinstance(counts, dict)
    for event, row in counts.items():
        cells = zip(outcomes, row.split(), strict=True)
        yield event, {outcome: int(n) if n.isdecimal() else n for outcome, n in cells if n != "-"}


def entry(tally: Tally, cells: Sequence[Place], cell: Place) -> str:
    """A figure of the table: a count, x for what cannot be, - for what is not distinguished with this outcome."""
    if cell not in cells:
        return "-"
    return "x" if why_not(cell, tally.grid) else str(tally.counts[cell])


def table(figures: Mapping[str, object]) -> Iterator[str]:
    """The figures of one table, as they are printed."""
    yield name(figures)
    yield "  {deals} deals; {combinations} combinations, the rarest {least} times".format(**figures)
    outcomes, counts = figures["outcomes"], figures["counts"]
    assert isinstance(outcomes, list) and isinstance(counts, dict)
    yield from (f"  ({n}) {outcome}" for n, outcome in enumerate(outcomes, 1))
    yield " " * 54 + "".join(f"{f'({n})':>7}" for n in range(1, len(outcomes) + 1))
    for event, row in counts.items():
        yield f"  {event:<52}" + "".join(f"{figure:>7}" for figure in row.split())


def main(words: Sequence[str] | None = None) -> int:
    """Make the deals, print the tables, leave a receipt; 1 if anything was not reached or did not balance."""
    parser = argparse.ArgumentParser(prog="python -m proofs.steering", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--per", type=int, default=30, help="how often each combination is to occur (30)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the lot (1)")
    parser.add_argument("--source", action="append", default=[], help="only this source; then no receipt is written")
    parser.add_argument("--jobs", type=int, default=1, help="so many at a time (1); the figures are the same")
    given = parser.parse_args(words)
    library, problems = load()
    if library is None or problems:
        print("\n".join(map(str, problems)), file=sys.stderr)
        return 1
    tallies = [shown(tally) for tally in run(library, given.source, given.per, given.seed, given.jobs)]
    bad = [line for tally in tallies for line in amiss(tally)]
    deals = sum(tally.deals for tally in tallies)
    print("\n".join(bad) if bad else f"{deals} deals settled, every ledger balances.")
    if not bad and not given.source:
        command = f"python -m proofs.steering --per {given.per} --seed {given.seed}"
        made = receipt("steering", SAYS, command, given.seed, library.digest, kept(given.per, tallies))
        print(write_receipt(Path(library.root), made).name)
    return 1 if bad else 0


def run(library: Library, sources: Iterable[str], per: int, seed: int, jobs: int) -> Iterator[Tally]:
    """All tables in turn; with several jobs, several endings at a time, and the figures are the same."""
    tables = list(grids(library, sources))
    work = [(grid, end, per, seed) for grid in tables for end in grid.endings()]
    with ProcessPoolExecutor(jobs) if jobs > 1 else nullcontext() as pool:
        done = iter(pool.map(surveyed, work) if pool else map(surveyed, work))
        for grid in tables:
            yield joined([next(done) for _ in grid.endings()])


def surveyed(work: tuple[Grid, Ending, int, int]) -> Tally:
    """One ending at one table."""
    return survey(*work)


def shown(tally: Tally) -> Tally:
    """The table, printed as soon as it is full."""
    print("\n".join(table(told(tally))), end="\n\n", flush=True)
    return tally


def amiss(tally: Tally) -> Iterator[str]:
    """What was not reached, and what did not balance."""
    name = f"{tally.grid.ruleset.source}, {tally.grid.shape.players} players, {tally.grid.shape.pack} cards"
    yield from (f"{name}: not reached: {event}; {end}" for event, end in tally.missed)
    yield from (f"{name}: {fault}" for fault in tally.faults)


if __name__ == "__main__":
    sys.exit(main())
