"""Deals steered so that everything occurs which a source distinguishes: every fact with every outcome.

    python -m proofs.steering [--per 30] [--seed 1]

For every source and every table that it knows, a grid is drawn up from its answers. Its rows are what can befall a
card: which card, in what manner, in a trick that counts more or not, from the player opposite or at the side, claimed
or not, as far as the source asks for it. Its columns are the outcomes: reversis, espagnolette, partie won with a trick
or without. Deals are made towards every place of the grid until each has occurred as often as is asked; every one of
them is settled, and its ledger must sum to nought with the pool. What cannot occur is left out, each time for a reason
that stands in `proofs.steering_grid`; a place that is neither reached nor impossible makes the proof fail.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from engine.deal.pool import Pool
from engine.generation.deal import Found, fill, random_deal
from engine.generation.turn import SEAT_NAMES, list_table_shapes
from engine.generation.wishes import WISH_ESPAGNOLETTE, WISH_PARTIE, WISH_REVERSIS, Look, Sketch, Wish, Word
from engine.settlement.settle import Settled, settle
from proofs.arguments import ProofParser, format_sources, map_jobs, run_proof, store_receipt
from proofs.steering_grid import (
    CardEvent,
    DealEnding,
    GridCell,
    SteeringGrid,
    explain_impossible_cell,
    iter_ace_may_follow,
    iter_filled_cells,
    list_event_tricks,
)
from rulebook.load import library
from rulebook.model import Library
from rulebook.receipts import build_receipt
from rulebook.resolve import resolve

STEERING_TRIES = 30_000  #: so many deals are laid out for one place of the grid before it counts as not reached
_RANDOM_DEALS_FACTOR = 10  #: besides, so many times `per` deals by lot at every table
_POOL_STATES = (Pool(60), Pool(37, (11, 5)), Pool(0), Pool(40, (), True))


# ---- making it happen
def _make_cell_wishes(rng: Random, grid: SteeringGrid, cell: GridCell) -> tuple[Wish, ...]:
    event, end = cell
    words = tuple(Word(w) for w in (event.manner, event.place, event.asked) if w)
    kind = "quinola" if event.card == "quinola" else "ace"
    card = Wish(kind, words, _choose_ace_suit(rng, grid, event), choose_event_trick(rng, grid, event, end))
    states = {"beaten": (Word("undertaken"),), "none": ()}
    espagnolette = states.get(end.espagnolette, (Word(end.espagnolette),))
    return (
        Wish(WISH_REVERSIS, (Word(end.reversis),)),
        *((Wish(WISH_ESPAGNOLETTE, espagnolette),) if espagnolette else ()),
        *((Wish(WISH_PARTIE, (Word(end.partie),)),) if end.partie else ()),
        card,
    )


def _choose_ace_suit(rng: Random, grid: SteeringGrid, event: CardEvent) -> str:
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
        self.faults += [f"{settled.deal.id}: {fault}" for fault in _find_balance_faults(settled)]


def _find_balance_faults(settled: Settled) -> Iterator[str]:
    before, after = (p.stake + sum(p.waiting) for p in (settled.before, settled.pool))
    if sum(settled.net.values()) != 0:
        yield "the ledger does not sum to nought"
    if settled.net["pool"] != after - before:
        yield "the pool has not gained what the ledger says"


def tally_ending(grid: SteeringGrid, end: DealEnding, per: int, seed: int) -> GridTally:
    """Make deals with one ending at one table until every cell has occurred as often as asked."""
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
            tally.faults += [f"{deal.id}: {fault}" for fault in _find_balance_faults(settled)]
        else:
            tally.faults.append(f"{deal.id} was not settled: {settled!r}")


def fill_grid_cell(tally: GridTally, cell: GridCell, per: int, seed: int) -> None:
    """Make deals for one cell until it is filled, or note that it was not reached."""
    grid, attempt, laid_out = tally.grid, 0, 0
    while tally.counts[cell] < per:
        attempt += 1
        rng = Random(f"{seed}:{grid.shape}:{cell[0]}:{cell[1]}:{attempt}")
        pools = {"": _POOL_STATES[attempt % len(_POOL_STATES)]}
        shape, wished = grid.shape, _make_cell_wishes(rng, grid, cell)
        sketch = Sketch(
            wished, SEAT_NAMES[shape.players], shape.players, shape.pack, id="steered", rest={"pools": pools}
        )
        found = fill(grid.ruleset, sketch, str(rng.random()), 25, shape)
        laid_out += found.tries
        if isinstance(found, Found):
            tally.take(found.settled, found.seen)
            laid_out = 0 if cell in set(iter_filled_cells(grid, found.seen)) else laid_out
        tally.laid_out += found.tries
        if laid_out >= STEERING_TRIES:
            tally.missed.append(cell)
            return


# ---- telling
def name_steered_table(grid: SteeringGrid) -> str:
    """Describe a table in words."""
    source, shape = grid.ruleset.source, grid.shape
    return f"{source}: {shape.players} players, {shape.pack} cards, hands of {shape.hand}, talon of {shape.talon}"


def count_grid_events(tally: GridTally) -> dict[str, dict[str, int | str]]:
    """Return how often each event occurred with each ending; x where the two cannot be together."""
    found = dict[str, dict[str, int | str]]()
    for cell in tally.grid.cells():
        count = "x" if explain_impossible_cell(cell, tally.grid) else tally.counts[cell]
        found.setdefault(str(cell[0]), {})[str(cell[1])] = count
    return found


def summarise_table(tally: GridTally) -> dict[str, int]:
    """Return the deals of one table, and the number of possible combinations with the rarest's count."""
    counts = [tally.counts[cell] for cell in tally.grid.cells() if not explain_impossible_cell(cell, tally.grid)]
    return {"deals": tally.deals, "laid_out": tally.laid_out, "combinations": len(counts), "least": min(counts)}


_COMMAND = "python -m proofs.steering --per {per} --seed {seed}"
_CLAIM = (
    "Every fact with every outcome that a source distinguishes occurs in random legal deals, all of them are "
    "settled, and every ledger sums to zero with the pool; x marks an impossible combination."
)


def collect_steering_figures(per: int, tallies: Iterable[GridTally]) -> dict[str, object]:
    """Return the figures for the receipt: a summary of each table, then its events by ending."""
    by_name = {name_steered_table(one.grid): one for one in tallies}
    return {
        "deals": sum(one.deals for one in by_name.values()),
        "times at least": per,
        "tables": {name: summarise_table(one) for name, one in by_name.items()},
        **{name: count_grid_events(one) for name, one in by_name.items()},
    }


def render_table_tally(tally: GridTally) -> Iterator[str]:
    """Yield the printed lines of one table: each event's counts in the order of the endings."""
    endings = list(map(str, tally.grid.endings()))
    yield name_steered_table(tally.grid)
    yield "  {deals} deals; {combinations} combinations, the rarest {least} times".format(**summarise_table(tally))
    yield from (f"  ({n}) {ending}" for n, ending in enumerate(endings, 1))
    yield " " * 54 + "".join(f"{f'({n})':>7}" for n in range(1, len(endings) + 1))
    for event, row in count_grid_events(tally).items():
        yield f"  {event:<52}" + "".join(f"{row.get(ending, '-'):>7}" for ending in endings)


def main(words: Sequence[str] | None = None) -> int:
    """Make the deals, print the tables, write a receipt; 1 if a cell or a ledger fails."""
    parser = ProofParser("steering", __doc__)
    parser.add_number("--per", 30, "how often each combination is to occur")
    parser.add_seed(1)
    parser.add_sources()
    parser.add_number("--jobs", 1, "so many at a time; the figures are the same")
    given = parser.parse_args(words)
    own, command, tallies = library(), _COMMAND.format(**vars(given)) + format_sources(given.source), list[GridTally]()
    sources = parser.match_sources(own, given.source)
    place = parser.choose_place(given, command) if given.out or not given.source else None
    for tally in tally_all_tables(own, sources, given.per, given.seed, given.jobs):
        tallies.append(tally)
        print("\n".join(render_table_tally(tally)), end="\n\n", flush=True)
    bad = [line for tally in tallies for line in find_tally_faults(tally)]
    deals = sum(tally.deals for tally in tallies)
    print("\n".join(bad) if bad else f"{deals} deals settled, every ledger balances.")
    if not bad and place:
        figures = collect_steering_figures(given.per, tallies)
        store_receipt(place, build_receipt("steering", _CLAIM, command, given.seed, own.rules_digest, figures))
    return 1 if bad else 0


def tally_all_tables(library: Library, sources: Iterable[str], per: int, seed: int, jobs: int) -> Iterator[GridTally]:
    """Yield the tally of every table; several jobs share out the endings, with the same figures."""
    rules = [resolve(library, siglum) for siglum in sources or library.sources]
    tables = [SteeringGrid(ruleset, shape) for ruleset in rules for shape in list_table_shapes(ruleset)]
    work = zip(*((grid, end, per, seed) for grid in tables for end in grid.endings()), strict=True)
    done = map_jobs(tally_ending, jobs, *work)
    for grid in tables:
        yield merge_ending_tallies([next(done) for _ in grid.endings()])


def find_tally_faults(tally: GridTally) -> Iterator[str]:
    """Yield the cells that were not reached, and the ledgers that do not balance."""
    name = f"{tally.grid.ruleset.source}, {tally.grid.shape.players} players, {tally.grid.shape.pack} cards"
    yield from (f"{name}: not reached: {event}; {end}" for event, end in tally.missed)
    yield from (f"{name}: {fault}" for fault in tally.faults)


if __name__ == "__main__":
    sys.exit(run_proof(main))
