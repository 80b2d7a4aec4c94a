"""Comparison of the survey's compiled path with the readable one, deal by deal.

    python -m proofs.paths [--deals 100000] [--jobs 2]

deals and plays so many deals at a table of each source, half of them in either manner of playing, and settles each
twice: by the compiled path, as `reversis survey` does, and by `engine.settlement.settle`, card by card, with its whole
ledger. What every player wins or loses must be the same, deal by deal. A part of the deals is settled by the rules of
every other source as well; some plays are then forbidden, and both paths must say so of the same deals. It leaves the
receipt `sources/receipts/paths.json`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from typing import TypeAlias

import numpy as np

from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.generation.turn import SEAT_NAMES
from engine.players.preferences import SURVEY_POLICIES
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from lab.survey import chunk as work
from lab.survey import reference as readable
from lab.survey.pricing import PRICED_FORBIDDEN, PRICED_SETTLED, PRICED_SILENT, Priced
from lab.survey.request import SURVEY_SEATS, Rules, SurveyOrder, SurveyTable
from proofs.arguments import ProofParser, run_proof, store_receipt
from proofs.survey import write_progress
from rulebook.load import library
from rulebook.model import Ruleset
from rulebook.receipts import build_receipt

_CLAIM = (
    "In every random deal at a table of each source, the compiled path of a survey and the "
    "readable one make every player win or lose the same; they do so too by the rules of the other sources, and find "
    "the same deals illegal by them."
)
_COMMAND = "python -m proofs.paths --deals {deals} --seed {seed}"
_DEFAULT_DEALS, _DEFAULT_SEED = 100_000, 1785
_DEALS_PER_PIECE = 2500  #: deals in one piece of the work
CROSS_CHECK_INTERVAL = 10  #: one deal in so many is settled by every other source too
_STATE_BY_RESULT = {Settled: PRICED_SETTLED, Refused: PRICED_FORBIDDEN, Unanswered: PRICED_SILENT}
_STATE_WORDS = {PRICED_SETTLED: "settled", PRICED_FORBIDDEN: "forbidden", PRICED_SILENT: "silent"}


PathsPiece: TypeAlias = tuple[str, str, int, range]  #: source, policy, seed, and the numbers of the deals at its table
#: Counts of compared deals, by source, policy and state; and the deals that differ.
PathsComparison: TypeAlias = tuple[Counter[tuple[str, str, str]], list[str]]

load_paths_library = cache(library)  #: the edition's own, once per process


def compare_paths(piece: PathsPiece) -> PathsComparison:
    """Compare the two paths on a piece: every deal by its own rules, some by the other sources' too."""
    source, policy, seed, numbers = piece
    lib, own = load_paths_library(), Rules(source)
    order = SurveyOrder(seed, policy, numbers.stop, (SurveyTable(own),))
    prices = work.get_deal_pricer(lib)
    ruleset, row, _ = prices.rules(own)
    pool = readable.compute_opening_pool(ruleset, SEAT_NAMES[SURVEY_SEATS])
    desk = work.TableDeals(work.play_piece_deals(order, np.array(row, np.int64), numbers), row)
    deals = [replace(deal, pools={"": pool}) for deal in work.deals_of(order, lib, order.tables[0], numbers)]
    counts, parted = Counter[tuple[str, str, str]](), list[str]()
    for these in map(Rules, lib.sources):
        some = range(0, len(deals), 1 if these == own else CROSS_CHECK_INTERVAL)
        priced = price_by_compiled_path(prices, desk, own, these, pool)
        for at in some:
            alike, name = is_settled_alike(deals[at], priced, at, prices.rules(these)[0]), f"{policy}, by {these}"
            counts[source, name, _STATE_WORDS[int(priced.became[at])]] += 1
            parted += [] if alike else [f"{source}:{numbers[at]}, {name}"]
    return counts, parted


def price_by_compiled_path(
    prices: work.DealPricer, desk: work.TableDeals, own: Rules, these: Rules, pool: Pool
) -> Priced:
    """Settle the deals of a table by the compiled path."""
    return prices.own(desk, own, pool) if these == own else prices.other(desk, own, these, pool)


def is_settled_alike(deal: Deal, priced: Priced, at: int, ruleset: Ruleset) -> bool:
    """Return whether the readable path gives the same result for a deal."""
    result = settle(deal, ruleset)
    if priced.became[at] != _STATE_BY_RESULT[type(result)]:
        return False
    if not isinstance(result, Settled):
        return True
    net = [result.net[seat] for seat in range(SURVEY_SEATS)]
    return bool(priced.net[at].tolist() == net and result.net["pool"] == -sum(net))


def split_paths_work(sources: Iterable[str], deals: int, seed: int) -> Iterator[PathsPiece]:
    """Yield all pieces of work: for each source, half of the deals under each policy."""
    for source in sources:
        for policy in SURVEY_POLICIES:
            numbers = range(deals // len(SURVEY_POLICIES))
            for at in range(0, len(numbers), _DEALS_PER_PIECE):
                yield source, policy, seed, numbers[at : at + _DEALS_PER_PIECE]


def compare_all_pieces(sources: Iterable[str], deals: int, seed: int, jobs: int) -> PathsComparison:
    """Compare all pieces, in order; the number of processes does not change the result."""
    todo = list(split_paths_work(sources, deals, seed))
    total, parted = Counter[tuple[str, str, str]](), list[str]()
    with ProcessPoolExecutor(jobs) as pool:
        for number, comparison in enumerate((pool.map if jobs > 1 else map)(compare_paths, todo), 1):
            total.update(comparison[0])
            parted += comparison[1]
            write_progress(f"\r{number} of {len(todo)} pieces, {len(parted)} deals parted")
    write_progress("\n")
    return total, parted


def collect_paths_figures(comparison: PathsComparison) -> dict[str, object]:
    """Return the figures for the receipt: the number of deals compared, by table."""
    lines: dict[str, dict[str, dict[str, int]]] = {}
    counts, parted = comparison
    for (source, name, became), number in counts.items():
        lines.setdefault(f"at the table of {source}", {}).setdefault(name, {})[became] = number
    return {"comparisons": counts.total(), "deals in which the two part": len(parted), **lines}


def main(words: Sequence[str] | None = None) -> int:
    """Compare the two paths, report differences, write a receipt if there are none."""
    parser = ProofParser("paths", __doc__)
    parser.add_number("--deals", _DEFAULT_DEALS, "how many at a table of each source")
    parser.add_seed(_DEFAULT_SEED)
    parser.add_number("--jobs", 1, "so many at a time; the figures are the same")
    given = parser.parse_args(words)
    command = _COMMAND.format(**vars(given))
    place = parser.choose_place(given, command)
    comparison = compare_all_pieces(load_paths_library().sources, given.deals, given.seed, given.jobs)
    counts, parted = comparison
    for deal in parted:
        print(f"the two paths part in {deal}")
    print(f"{counts.total()} comparisons, {len(parted)} deals in which the two part")
    if not parted:
        figures, digest = collect_paths_figures(comparison), load_paths_library().rules_digest
        store_receipt(place, build_receipt("paths", _CLAIM, command, given.seed, digest, figures))
    return int(bool(parted))


if __name__ == "__main__":
    sys.exit(run_proof(main))
