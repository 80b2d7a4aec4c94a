"""Proving that the fast way of a survey and the readable one come to the same.

    python -m proofs.paths [--deals 100000] [--jobs 2]

deals and plays so many deals at a table of each source, half of them in either manner of playing, and settles each
twice: by the compiled path, as `reversis survey` does, and by `engine.settlement.settle`, card by card, with its whole
ledger. What every player wins or loses must be the same, deal by deal. A part of the deals is settled by the rules of
every other source as well; some plays are then forbidden, and both paths must say so of the same deals. It leaves the
receipt `sources/receipts/paths.json`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np

from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.generation.turn import SEATS as NAMES
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from engine.survey import piece as work
from engine.survey import reference as readable
from engine.survey.policies import POLICIES
from engine.survey.pricing import FORBID, SETTLED, SILENT, Priced
from engine.survey.request import SEATS, Order, Rules, Table
from proofs.survey import tell
from rulebook.load import load
from rulebook.model import Library, Ruleset
from rulebook.receipts import receipt, write_receipt

SAYS = (
    "In every deal that was dealt and played by lot at a table of each source, the compiled path of a survey and the "
    "readable one make every player win or lose the same; they do so too by the rules of the other sources, and find "
    "the same deals forbidden by them."
)
COMMAND = "python -m proofs.paths --deals {deals} --seed {seed}"
DEALS, SEED = 100_000, 1785
AT_ONCE = 2500  #: deals in one piece of the work
BESIDES = 10  #: one deal in so many is settled by every other source too
BECAME = {Settled: SETTLED, Refused: FORBID, Unanswered: SILENT}
WORDS = {SETTLED: "settled", FORBID: "forbidden", SILENT: "silent"}


@dataclass(frozen=True, slots=True)
class Piece:
    """Some deals at one table."""

    source: str
    policy: str
    seed: int
    numbers: range


@dataclass(frozen=True, slots=True)
class Found:
    """What was compared, by source and manner of playing, and where the two paths part."""

    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    parted: tuple[str, ...] = ()


@cache
def library() -> Library:
    """The edition's own; read once in every process."""
    found, problems = load()
    assert found is not None and not problems, problems
    return found


def compared(piece: Piece) -> Found:
    """One piece of the work: every deal under its own rules, and some under those of the other sources."""
    lib, own = library(), Rules(piece.source)
    order = Order(piece.seed, piece.policy, piece.numbers.stop, (Table(own),))
    prices = work.priser(lib)
    ruleset, row, _ = prices.rules(own)
    pool = readable.opening(ruleset, NAMES[SEATS])
    desk = work.Desk(work.play(order, np.array(row, np.int64), piece.numbers), row)
    deals = [replace(deal, pools={"": pool}) for deal in work.deals_of(order, lib, order.tables[0], piece.numbers)]
    counts, parted = Counter[tuple[str, str, str]](), list[str]()
    for these in map(Rules, lib.sources):
        some = range(0, len(deals), 1 if these == own else BESIDES)
        priced = priced_by(prices, desk, own, these, pool)
        for at in some:
            found, name = agrees(deals[at], priced, at, prices.rules(these)[0]), f"{piece.policy}, by {these}"
            counts[piece.source, name, WORDS[int(priced.became[at])]] += 1
            parted += [] if found else [f"{piece.source}:{piece.numbers[at]}, {name}"]
    return Found(counts, tuple(parted))


def priced_by(prices: work.Priser, desk: work.Desk, own: Rules, these: Rules, pool: Pool) -> Priced:
    """What the compiled path makes of the deals of a table."""
    return prices.own(desk, own, pool) if these == own else prices.other(desk, own, these, pool)


def agrees(deal: Deal, priced: Priced, at: int, ruleset: Ruleset) -> bool:
    """Whether the readable path makes the same of a deal."""
    found = settle(deal, ruleset)
    if priced.became[at] != BECAME[type(found)]:
        return False
    if not isinstance(found, Settled):
        return True
    net = [found.net[seat] for seat in range(SEATS)]
    return bool(priced.net[at].tolist() == net and found.net["pool"] == -sum(net))


def pieces(sources: Iterable[str], deals: int, seed: int) -> Iterator[Piece]:
    """All the work: so many deals at a table of each source, half of them in either manner."""
    for source in sources:
        for policy in POLICIES:
            each = deals // len(POLICIES)
            yield from (
                Piece(source, policy, seed, range(at, min(at + AT_ONCE, each))) for at in range(0, each, AT_ONCE)
            )


def run(sources: Iterable[str], deals: int, seed: int, jobs: int) -> Found:
    """All pieces, in their order; several at a time change nothing."""
    todo = list(pieces(sources, deals, seed))
    total, parted = Counter[tuple[str, str, str]](), list[str]()
    with ProcessPoolExecutor(jobs) if jobs > 1 else nullcontext() as pool:
        for number, one in enumerate(pool.map(compared, todo) if pool else map(compared, todo), 1):
            total.update(one.counts)
            parted += one.parted
            tell(f"\r{number} of {len(todo)} pieces, {len(parted)} deals parted")
    tell("\n")
    return Found(total, tuple(parted))


def figures(found: Found) -> dict[str, object]:
    """What the receipt says: how many deals were compared, table by table."""
    lines: dict[str, dict[str, dict[str, int]]] = {}
    for (source, name, became), number in found.counts.items():
        line = lines.setdefault(f"at the table of {source}", {}).setdefault(name, {})
        line[became] = number
    return {"comparisons": found.counts.total(), "deals in which the two part": len(found.parted), **lines}


def main(words: Sequence[str] | None = None) -> int:
    """Compare, tell where the two paths part, and leave a receipt if they never do."""
    parser = argparse.ArgumentParser(prog="python -m proofs.paths", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int, default=DEALS, help="how many at a table of each source")
    parser.add_argument("--seed", type=int, default=SEED, help="from which all lots are drawn")
    parser.add_argument("--jobs", type=int, default=1, help="so many at a time; the figures are the same")
    parser.add_argument("--into", type=Path, help="the folder of sources; the edition's own if not given")
    given = parser.parse_args(words)
    found = run(library().sources, given.deals, given.seed, given.jobs)
    for one in found.parted:
        print(f"the two paths part in {one}")
    print(f"{found.counts.total()} comparisons, {len(found.parted)} deals in which the two part")
    if not found.parted:
        command = COMMAND.format(deals=given.deals, seed=given.seed)
        made = receipt("paths", SAYS, command, given.seed, library().digest, figures(found))
        print(write_receipt(given.into or Path(library().root), made).name)
    return int(bool(found.parted))


if __name__ == "__main__":
    sys.exit(main())
