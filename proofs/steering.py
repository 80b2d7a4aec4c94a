"""Deals steered so that everything occurs which a source distinguishes: every fact with every outcome.

    python -m proofs.steering [--per 30] [--seed 1]

For every source and every table that it knows, a grid is drawn up from its answers. Its rows are what can befall a
card: which card, in what manner, in a trick that counts more or not, from the player opposite or at the side, claimed
or not, as far as the source asks for it. Its columns are the outcomes: reversis, espagnolette, partie won with a trick
or without. Deals are made towards every place of the grid until each has occurred as often as is asked; every one of
them is settled, and its ledger must sum to nought with the pool. What cannot occur is left out, each time for a reason
that stands in `IMPOSSIBLE_CELLS`; a place that is neither reached nor impossible makes the proof fail.
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
from engine.generation.turn import SEAT_NAMES, TableShape, list_table_shapes
from engine.generation.wishes import (
    CARD_WORDS,
    OUTCOME_WORDS,
    WISH_ESPAGNOLETTE,
    WISH_PARTIE,
    WISH_REVERSIS,
    Look,
    Wish,
    Word,
    told_trick,
)
from engine.readings.ask import Ask
from engine.settlement.payments.fate import classify_card_manner
from engine.settlement.settle import Settled, settle
from rulebook.load import load_library
from rulebook.model import Library, Ruleset
from rulebook.receipts import build_receipt, write_receipt
from rulebook.resolve import resolve

STEERING_TRIES = 30_000  #: so many deals are laid out for one place of the grid before it counts as not reached
_RANDOM_DEALS_FACTOR = 10  #: besides, so many times `per` deals by lot at every table
_ANOTHER_TRICK = "another trick"
_POOL_STATES = (Pool(60), Pool(37, (11, 5)), Pool(0), Pool(40, (), True))


@dataclass(frozen=True, slots=True)
class CardEvent:
    """Row of the grid: what happened to a card, as far as the source distinguishes."""

    card: str  #: quinola | favoured ace | other ace
    manner: str  #: led | followed | forced | put | thrown-off | laid-away
    trick: str = ""
    place: str = ""  #: opposite | side | own
    asked: str = ""  #: claimed | unclaimed | free | not-free

    def __str__(self) -> str:
        return ", ".join(part for part in (self.card, self.manner, self.trick, self.place, self.asked) if part)


@dataclass(frozen=True, slots=True)
class DealEnding:
    """Column of the grid: reversis, espagnolette and partie of a deal."""

    reversis: str  #: none | made | broken
    espagnolette: str = "none"  #: none | won | lost | beaten | breaking
    partie: str = ""  #: with-a-trick | without-a-trick, where it is settled

    def __str__(self) -> str:
        said = {"none": "no reversis"}.get(self.reversis, f"reversis {self.reversis}")
        also = "" if self.espagnolette == "none" else f"espagnolette {self.espagnolette}"
        return ", ".join(part for part in (said, also, self.partie) if part)


GridCell = tuple[CardEvent, DealEnding]


# ---- what a source distinguishes
@dataclass(frozen=True)
class SteeringGrid:
    """All combinations that can occur at one table of one source."""

    ruleset: Ruleset
    shape: TableShape

    @property
    def ask(self) -> Ask:
        """Return an `Ask` of the ruleset."""
        return Ask(self.ruleset)

    def word(self, question: str, otherwise: str = "") -> str:
        """Return an answer, or *otherwise* if there is none."""
        return self.ask.word(question) if question in self.ruleset.rulings else otherwise

    @cached_property
    def counted(self) -> Mapping[int, str]:
        """The tricks that count more, from the front or from the end."""
        return {n: told_trick(n) for n in self.ask.numbers("payments.doubled-tricks")}

    @cached_property
    def opposite(self) -> bool:
        """Return whether the seat opposite matters."""
        return self.shape.players == 4 and self.ask.number("payments.opposite") != 1

    @cached_property
    def late(self) -> int:
        """Return the number of last tricks that do not belong to the reversis."""
        return self.ask.number("reversis.undertaken")

    @cached_property
    def espagnolette(self) -> bool:
        """Return whether the source has the espagnolette."""
        return bool(self.ask.tables("espagnolette.hands"))

    def manners(self, card: str) -> tuple[str, ...]:
        """Return the manners of playing a card.

        A card that follows suit is *forced* or *put* where the source distinguishes the two.
        """
        kind = "quinola" if card == "quinola" else "ace"
        followed = ("forced", "put") if self.word(f"{kind}.forced.when") == "sole-card" else ("followed",)
        return ("led", *followed, "thrown-off", *(("laid-away",) if kind == "quinola" else ()))

    def pays(self, event: CardEvent) -> bool:
        """Return whether players pay each other for it, so that trick and seat can matter."""
        kind = "quinola" if event.card == "quinola" else "ace"
        question = {"led": f"{kind}.led.payee", "followed": f"{kind}.forced.payee"}.get(event.manner, "")
        return not question or self.word(question) != "nobody"

    def events(self, settled: bool) -> Iterator[CardEvent]:
        """Yield all card events; the partie winner's seat only if the partie is settled."""
        for card in ("quinola", "favoured ace", "other ace"):
            for how in self.manners(card):
                yield from self.kinds(CardEvent(card, how), settled)

    def kinds(self, event: CardEvent, settled: bool) -> Iterator[CardEvent]:
        """Yield the finer kinds of one event."""
        if event.manner == "laid-away":
            yield event
            return
        tricks = (*self.counted.values(), _ANOTHER_TRICK) if self.counted and self.pays(event) else ("",)
        for trick, place, asked in product(tricks, self.places(event, settled), self.askings(event)):
            yield replace(event, trick=trick, place=place, asked=asked)

    def places(self, event: CardEvent, settled: bool) -> tuple[str, ...]:
        """Return the seats that the other player may have."""
        if not self.opposite or not self.pays(event):
            return ("",)
        return ("opposite", "side") if event.manner != "led" else ("opposite", "side", "own") if settled else ("",)

    def askings(self, event: CardEvent) -> tuple[str, ...]:
        """Return the further conditions the source puts on a card that is led."""
        if event.manner != "led":
            return ("",)
        if event.card == "quinola" and self.word("quinola.led.when", "any-lead") != "any-lead":
            return ("free", "not-free")
        claimed = self.word("payments.led-claimed") == "must-be-claimed" and self.pays(event)
        return ("claimed", "unclaimed") if claimed else ("",)

    def endings(self) -> Iterator[DealEnding]:
        """Yield all ways in which a deal can end."""
        tricks = ("with-a-trick", "without-a-trick")
        states = ("none", "won", "lost") if self.espagnolette else ("none",)
        yield from (DealEnding("none", state, trick) for state, trick in product(states, tricks))
        yield from (DealEnding("made", state) for state in (("none", "beaten") if self.espagnolette else ("none",)))
        if self.late:
            states = ("none", "beaten", "breaking") if self.espagnolette else ("none",)
            yield from (DealEnding("broken", state) for state in states)

    def cells(self) -> list[GridCell]:
        """Return every event with every ending, the impossible ones too."""
        return [(event, end) for end in self.endings() for event in self.events(end.reversis == "none")]

    def unknown(self) -> Iterator[str]:
        """Yield what the source does not distinguish at this table."""
        yield from ("no trick counts more than another",) if not self.counted else ()
        yield from ("it does not matter who sits opposite",) if not self.opposite else ()
        yield from ("there is no espagnolette",) if not self.espagnolette else ()
        yield from ("a reversis that fails was none",) if not self.late else ()


# ---- what cannot be
def can_be_first_trick(event: CardEvent, grid: SteeringGrid) -> bool:
    """Return whether an event can fall in the first trick."""
    return event.trick == told_trick(1) or (event.trick in ("", _ANOTHER_TRICK) and 1 not in grid.counted)


def is_led_by_winner(event: CardEvent, end: DealEnding) -> bool:
    """Return whether the winner of the partie led the card."""
    return event.manner == "led" and event.place == "own" and end.reversis == "none"


def is_ace_after_maker(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether an ace follows where the maker of a reversis leads.

    That is, neither in the first trick nor in one of those in which a reversis can be broken.
    """
    follows = event.card != "quinola" and event.manner in ("followed", "forced", "put")
    return follows and end.reversis != "none" and not any(iter_ace_may_follow(event, end, grid))


def iter_ace_may_follow(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> Iterator[bool]:
    """Yield for each trick of an event whether an ace may follow in it.

    In a deal with a reversis.
    """
    for trick in list_event_tricks(event, grid):
        yield trick == 1 or (end.reversis == "broken" and trick > grid.shape.hand - grid.late)


def list_event_tricks(event: CardEvent, grid: SteeringGrid) -> list[int]:
    """Return the numbers of the tricks that an event can fall in."""
    counted = {n if n > 0 else grid.shape.hand + 1 + n: name for n, name in grid.counted.items()}
    return [t for t in range(1, grid.shape.hand + 1) if event.trick in ("", counted.get(t, _ANOTHER_TRICK))]


def is_ace_lead_trickless(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether an ace is led by a player who is to take no trick."""
    return is_led_by_winner(event, end) and event.card != "quinola" and end.partie == "without-a-trick"


def is_late_lead_trickless(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether a player without a trick leads to any but the first trick."""
    return is_led_by_winner(event, end) and end.partie == "without-a-trick" and not can_be_first_trick(event, grid)


def is_espagnolette_won_with_trick(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether an espagnolette is won with a trick, where any trick loses it."""
    won = (end.espagnolette, end.partie) == ("won", "with-a-trick")
    return won and grid.word("espagnolette.lost-by") == "any-trick"


def wins_and_leads_last(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether the espagnolette wins the partie and leads to the last trick."""
    return is_led_by_winner(event, end) and end.espagnolette == "won" and event.trick == told_trick(-1)


def is_privilege_lost_at_once(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether the espagnolette leads an ace first, and so loses its privilege."""
    ace_first = is_led_by_winner(event, end) and event.card != "quinola" and event.trick == told_trick(1)
    lost = grid.word("espagnolette.right-after-trick") == "lost"
    return ace_first and end.espagnolette == "won" and lost and grid.word("espagnolette.undertaken") == "by-renouncing"


def winner_has_last_two(event: CardEvent, end: DealEnding, grid: SteeringGrid) -> bool:
    """Return whether the winner leads an ace last, where that saves the espagnolette.

    The winner of the partie leads an ace to the last trick, and the espagnolette is lost by one of the last two.
    """
    ace_last = is_led_by_winner(event, end) and event.card != "quinola" and event.trick == told_trick(-1)
    return ace_last and end.espagnolette == "lost" and grid.word("espagnolette.lost-by") == "last-tricks"


_ImpossibilityTest = Callable[[CardEvent, DealEnding, SteeringGrid], bool]
#: Why a place of the grid cannot occur: each reason with the test of it.
IMPOSSIBLE_CELLS: Mapping[str, _ImpossibilityTest] = {
    "after the first trick he who makes the reversis leads, and an ace that followed would take it": is_ace_after_maker,
    "an ace that is led takes the trick, so that he who leads it has one": is_ace_lead_trickless,
    "he who leads after the first trick has taken the one before": is_late_lead_trickless,
    "here any trick loses the espagnolette": is_espagnolette_won_with_trick,
    "he who leads to the last trick has taken the one before, and so has lost the espagnolette": wins_and_leads_last,
    "he who takes the first trick loses his privilege before he has used it": is_privilege_lost_at_once,
    "he who leads an ace to the last trick has the last two, of which a lost espagnolette has one": winner_has_last_two,
}


def explain_impossible_cell(cell: GridCell, grid: SteeringGrid) -> str:
    """Return why a cell of the grid cannot occur; empty if it can."""
    return next((why for why, holds in IMPOSSIBLE_CELLS.items() if holds(*cell, grid)), "")


# ---- what has occurred
def iter_filled_cells(grid: SteeringGrid, seen: Look) -> Iterator[GridCell]:
    """Yield the cells of the grid that a deal fills."""
    end = classify_ending(seen)
    for fact in seen.played.facts:
        if fact.kind in ("ace", "quinola"):
            yield find_card_event(grid, fact, seen, end), end


def classify_ending(at: Look) -> DealEnding:
    """Return the ending of a deal."""
    has = {key: has_outcome_word(at, *key) for key in OUTCOME_WORDS if key[0] != "table"}
    trick = "with-a-trick" if has[WISH_PARTIE, "with-a-trick"] else "without-a-trick"
    if has[WISH_REVERSIS, "none"]:
        state = next((s for s in ("won", "lost") if has[WISH_ESPAGNOLETTE, s]), "none")
        return DealEnding("none", state, trick)
    made = "made" if has[WISH_REVERSIS, "made"] else "broken"
    state = (
        "breaking"
        if has[WISH_ESPAGNOLETTE, "breaking"]
        else "beaten"
        if has[WISH_ESPAGNOLETTE, "undertaken"]
        else "none"
    )
    return DealEnding(made, state)


def has_outcome_word(at: Look, subject: str, word: str) -> bool:
    """Return whether an outcome word holds; a holder at seat 0 counts as well."""
    who = OUTCOME_WORDS[subject, word](at)
    return who is not None and who is not False


def find_card_event(grid: SteeringGrid, fact: Fact, at: Look, end: DealEnding) -> CardEvent:
    """Return the row of the grid that a fact belongs to."""
    favoured = "favoured ace" if grid.word("ace.favoured-suit") == fact.suit else "other ace"
    event = CardEvent("quinola" if fact.kind == "quinola" else favoured, name_grid_manner(grid, fact))
    kinds = list(grid.kinds(event, end.reversis == "none"))
    return next(kind for kind in kinds if is_event_kind(kind, grid, fact, at))


def name_grid_manner(grid: SteeringGrid, fact: Fact) -> str:
    """Return the manner of a fact in the terms of the source."""
    parted = grid.word(f"{fact.kind}.forced.when") == "sole-card"
    return classify_card_manner(fact, grid.ask) if parted and fact.manner == "followed" else fact.manner


def is_event_kind(kind: CardEvent, grid: SteeringGrid, fact: Fact, at: Look) -> bool:
    """Return whether a fact is of this finer kind of event."""
    counted = {n if n > 0 else fact.last + 1 + n: name for n, name in grid.counted.items()}
    trick = not kind.trick or counted.get(fact.trick or 0, _ANOTHER_TRICK) == kind.trick
    return trick and all(CARD_WORDS[w](fact, at) for w in (kind.place, kind.asked) if w)


# ---- making it happen
def make_cell_wishes(rng: Random, grid: SteeringGrid, cell: GridCell) -> tuple[Wish, ...]:
    """Return the wishes that lead to a deal for a cell of the grid."""
    event, end = cell
    words = tuple(Word(w) for w in (event.manner, event.place, event.asked) if w)
    kind = "quinola" if event.card == "quinola" else "ace"
    card = Wish(kind, words, choose_ace_suit(rng, grid, event), choose_event_trick(rng, grid, event, end))
    states = {"beaten": (Word("undertaken"),), "none": ()}
    espagnolette = states.get(end.espagnolette, (Word(end.espagnolette),))
    return (
        Wish(WISH_REVERSIS, (Word(end.reversis),)),
        *((Wish(WISH_ESPAGNOLETTE, espagnolette),) if espagnolette else ()),
        *((Wish(WISH_PARTIE, (Word(end.partie),)),) if end.partie else ()),
        card,
    )


def choose_ace_suit(rng: Random, grid: SteeringGrid, event: CardEvent) -> str:
    """Return the suit of an ace; empty for the quinola."""
    favoured = grid.word("ace.favoured-suit")
    others = [s for s in "SHDC" if s != favoured]
    return {"quinola": "", "favoured ace": favoured}.get(event.card, rng.choice(others))


def choose_event_trick(rng: Random, grid: SteeringGrid, event: CardEvent, end: DealEnding) -> int | None:
    """Return the trick for an event; None where it is left to chance."""
    tricks = list_event_tricks(event, grid)
    if event.card != "quinola" and event.manner in ("followed", "forced", "put") and end.reversis != "none":
        return rng.choice([t for t, may in zip(tricks, iter_ace_may_follow(event, end, grid), strict=True) if may])
    return rng.choice(tricks) if event.trick else None


@dataclass
class GridTally:
    """Counts, missed cells and faults of one table."""

    grid: SteeringGrid
    counts: Counter[GridCell] = field(default_factory=Counter)
    missed: list[GridCell] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    deals: int = 0
    laid_out: int = 0

    def take(self, settled: Settled, seen: Look) -> None:
        """Count a deal, and check its ledger."""
        self.deals += 1
        self.counts.update(iter_filled_cells(self.grid, seen))
        self.faults += [f"{settled.deal.id}: {fault}" for fault in find_balance_faults(settled)]


def find_balance_faults(settled: Settled) -> Iterator[str]:
    """Yield the faults in the sums of a ledger."""
    before, after = (p.stake + sum(p.waiting) for p in (settled.before, settled.pool))
    if sum(settled.net.values()) != 0:
        yield "the ledger does not sum to nought"
    if settled.net["pool"] != after - before:
        yield "the pool has not gained what the ledger says"


def tally_ending(grid: SteeringGrid, end: DealEnding, per: int, seed: int) -> GridTally:
    """Make deals with one ending at one table until every cell is filled.

    As often as is asked, each.
    """
    tally = GridTally(grid)
    if end == next(grid.endings()):
        settle_random_deals(tally, per, seed)
    for cell in grid.cells():
        if cell[1] == end and not explain_impossible_cell(cell, grid):
            fill_grid_cell(tally, cell, per, seed)
    return tally


def merge_ending_tallies(tallies: Iterable[GridTally]) -> GridTally:
    """Merge the tallies of all endings of one table."""
    first, *rest = tallies
    for one in rest:
        first.counts.update(one.counts)
        first.missed += one.missed
        first.faults += one.faults
        first.deals += one.deals
        first.laid_out += one.laid_out
    return first


def settle_random_deals(tally: GridTally, per: int, seed: int) -> None:
    """Settle random deals, with exchanges; each must be settled and must balance."""
    for n in range(_RANDOM_DEALS_FACTOR * per):
        deal = random_deal(
            tally.grid.ruleset, f"{seed}:{n}", tally.grid.shape, pool=_POOL_STATES[n % len(_POOL_STATES)]
        )
        settled = settle(deal, tally.grid.ruleset)
        tally.deals += 1
        if isinstance(settled, Settled):
            tally.faults += [f"{deal.id}: {fault}" for fault in find_balance_faults(settled)]
        else:
            tally.faults.append(f"{deal.id} was not settled: {settled}")


def fill_grid_cell(tally: GridTally, cell: GridCell, per: int, seed: int) -> None:
    """Make deals for one cell until it is filled, or note that it was not reached."""
    grid, attempt, laid_out = tally.grid, 0, 0
    while tally.counts[cell] < per:
        attempt += 1
        rng = Random(f"{seed}:{grid.shape}:{cell[0]}:{cell[1]}:{attempt}")
        pools = {"": _POOL_STATES[attempt % len(_POOL_STATES)]}
        shape, wished = grid.shape, make_cell_wishes(rng, grid, cell)
        sketch = Sketch(
            wished, SEAT_NAMES[shape.players], shape.players, shape.pack, id="steered", rest={"pools": pools}
        )
        found = fill(grid.ruleset, sketch, rng.random(), 25, shape)
        laid_out += found.tries
        if isinstance(found, Found):
            tally.take(found.settled, found.seen)
            laid_out = 0 if cell in set(iter_filled_cells(grid, found.seen)) else laid_out
        tally.laid_out += found.tries
        if laid_out >= STEERING_TRIES:
            tally.missed.append(cell)
            return


# ---- telling
def iter_steering_grids(library: Library, sources: Iterable[str] = ()) -> Iterator[SteeringGrid]:
    """Yield the grid of every table of every source."""
    for siglum in sources or library.sources:
        ruleset = resolve(library, siglum)
        yield from (SteeringGrid(ruleset, shape) for shape in list_table_shapes(ruleset))


def collect_table_figures(tally: GridTally) -> dict[str, object]:
    """Return the figures of one table: the count of each event with each ending.

    In the order of the endings.
    """
    grid, shape = tally.grid, tally.grid.shape
    cells, endings = grid.cells(), list(grid.endings())
    excluded = Counter(why for cell in cells if (why := explain_impossible_cell(cell, grid)))
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
        "least": min(tally.counts[cell] for cell in cells if not explain_impossible_cell(cell, grid)),
        "impossible": dict(excluded),
        "not_distinguished": list(grid.unknown()),
        "outcomes": [str(end) for end in endings],
        "counts": {str(e): " ".join(format_cell_count(tally, cells, (e, end)) for end in endings) for e in rows},
    }


_CLAIM = (
    "Every fact with every outcome that a source distinguishes occurs in lawful deals made by lot, all of them are "
    "settled, and every ledger sums to nought with the pool; x stands where a combination cannot be."
)


def collect_steering_figures(per: int, tallies: Iterable[GridTally]) -> dict[str, object]:
    """Return the figures for the receipt: a summary of each table, then its events.

    Each event has a line, with the counts by ending.
    """
    tables = {format_table_name(one): one for one in map(collect_table_figures, tallies)}
    summary = ("deals", "laid_out", "combinations", "least")
    return {
        "deals": sum(int(str(one["deals"])) for one in tables.values()),
        "times at least": per,
        "tables": {key: {what: one[what] for what in summary} for key, one in tables.items()},
        **{key: dict(iter_event_counts(one)) for key, one in tables.items()},
    }


def format_table_name(figures: Mapping[str, object]) -> str:
    """Describe a table in words."""
    return "{source}: {players} players, {pack} cards, hands of {hand}, talon of {talon}".format(**figures)


def iter_event_counts(figures: Mapping[str, object]) -> Iterator[tuple[str, dict[str, int | str]]]:
    """Yield every event with its counts by ending, without indistinct combinations."""
    outcomes, counts = figures["outcomes"], figures["counts"]
    assert isinstance(outcomes, list) and isinstance(counts, dict)
    for event, row in counts.items():
        cells = zip(outcomes, row.split(), strict=True)
        yield event, {outcome: int(n) if n.isdecimal() else n for outcome, n in cells if n != "-"}


def format_cell_count(tally: GridTally, cells: Sequence[GridCell], cell: GridCell) -> str:
    """Format the figure of a cell: a count, x if impossible, - if not distinguished."""
    if cell not in cells:
        return "-"
    return "x" if explain_impossible_cell(cell, tally.grid) else str(tally.counts[cell])


def render_table_figures(figures: Mapping[str, object]) -> Iterator[str]:
    """Yield the printed lines of one table's figures."""
    yield format_table_name(figures)
    yield "  {deals} deals; {combinations} combinations, the rarest {least} times".format(**figures)
    outcomes, counts = figures["outcomes"], figures["counts"]
    assert isinstance(outcomes, list) and isinstance(counts, dict)
    yield from (f"  ({n}) {outcome}" for n, outcome in enumerate(outcomes, 1))
    yield " " * 54 + "".join(f"{f'({n})':>7}" for n in range(1, len(outcomes) + 1))
    for event, row in counts.items():
        yield f"  {event:<52}" + "".join(f"{figure:>7}" for figure in row.split())


def main(words: Sequence[str] | None = None) -> int:
    """Make the deals, print the tables, write a receipt.

    Returns 1 if a cell was not reached or a ledger does not balance.
    """
    parser = argparse.ArgumentParser(prog="python -m proofs.steering", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--per", type=int, default=30, help="how often each combination is to occur (30)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the lot (1)")
    parser.add_argument("--source", action="append", default=[], help="only this source; then no receipt is written")
    parser.add_argument("--jobs", type=int, default=1, help="so many at a time (1); the figures are the same")
    given = parser.parse_args(words)
    library, problems = load_library()
    if library is None or problems:
        print("\n".join(map(str, problems)), file=sys.stderr)
        return 1
    tallies = [
        print_table_tally(tally) for tally in tally_all_tables(library, given.source, given.per, given.seed, given.jobs)
    ]
    bad = [line for tally in tallies for line in find_tally_faults(tally)]
    deals = sum(tally.deals for tally in tallies)
    print("\n".join(bad) if bad else f"{deals} deals settled, every ledger balances.")
    if not bad and not given.source:
        command = f"python -m proofs.steering --per {given.per} --seed {given.seed}"
        made = build_receipt(
            "steering", _CLAIM, command, given.seed, library.digest, collect_steering_figures(given.per, tallies)
        )
        print(write_receipt(Path(library.root), made).name)
    return 1 if bad else 0


def tally_all_tables(library: Library, sources: Iterable[str], per: int, seed: int, jobs: int) -> Iterator[GridTally]:
    """Yield the tally of every table.

    With several jobs, several endings are done at a time; the figures are the same.
    """
    tables = list(iter_steering_grids(library, sources))
    work = [(grid, end, per, seed) for grid in tables for end in grid.endings()]
    with ProcessPoolExecutor(jobs) if jobs > 1 else nullcontext() as pool:
        done = iter(pool.map(run_ending_job, work) if pool else map(run_ending_job, work))
        for grid in tables:
            yield merge_ending_tallies([next(done) for _ in grid.endings()])


def run_ending_job(work: tuple[SteeringGrid, DealEnding, int, int]) -> GridTally:
    """Tally one ending at one table."""
    return tally_ending(*work)


def print_table_tally(tally: GridTally) -> GridTally:
    """Print the figures of a table and return its tally."""
    print("\n".join(render_table_figures(collect_table_figures(tally))), end="\n\n", flush=True)
    return tally


def find_tally_faults(tally: GridTally) -> Iterator[str]:
    """Yield the cells that were not reached, and the ledgers that do not balance."""
    name = f"{tally.grid.ruleset.source}, {tally.grid.shape.players} players, {tally.grid.shape.pack} cards"
    yield from (f"{name}: not reached: {event}; {end}" for event, end in tally.missed)
    yield from (f"{name}: {fault}" for fault in tally.faults)


if __name__ == "__main__":
    sys.exit(main())
