"""For every question that two sources answer differently: a deal on which exactly that answer matters, or why not.

    python -m proofs.separate [--seed 1] [--steps 250] [--question SLUG]

goes through every question and every pair of sources. The worked deals are tried first; what they do not show is made
from what the rule looks at, and by lot. What separates is made small and settled both ways again. Where nothing
separates it is tried to prove that nothing can: every rule is run on every fact and every outcome that can be written
down. Everything goes into `sources/separating.json`, with the fewest deals that tell the sources and their
interpretations apart.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from edition.analysis.separation_search import Bench, parting
from edition.data.separations import Parting, Store, record_of, write_store
from engine.comparison.minimise import STEPS
from engine.comparison.separation import NOT_PLAYED, differing_pairs
from engine.comparison.smallest_test_set import Smallest, smallest, told_apart
from rulebook import __version__
from rulebook.load import load
from rulebook.model import Library, Ruleset
from rulebook.resolve import Choice, alternatives, resolve

COMMAND = "python -m proofs.separate --seed {seed} --steps {steps}"


# ---- the fewest deals that tell things apart
def sets(bench: Bench) -> Iterator[dict[str, Any]]:
    """The fewest deals that tell the sources apart, and the interpretations of each source, and all of them."""
    deals = [*bench.worked.values(), *bench.made.values()]
    own = {siglum: resolve(bench.library, siglum) for siglum in bench.library.sources}
    told = {"the sources": told_apart(deals, own, next(iter(own)))}
    pairs = {"the sources": list(combinations(own, 2))}
    for siglum in own:
        worlds = interpretations(bench.library, siglum)
        what = f"the interpretations of {siglum}"
        told[what], pairs[what] = told_apart(deals, worlds, siglum), list(combinations(worlds, 2))
    for what, some in told.items():
        yield set_of(what, smallest(some, pairs[what]))
    everything = {deal.id: frozenset(pair for some in told.values() for pair in some[deal.id]) for deal in deals}
    yield set_of(
        "the sources and all interpretations", smallest(everything, [p for some in pairs.values() for p in some])
    )


def interpretations(library: Library, siglum: str) -> dict[str, Ruleset]:
    """A source as we read it, and by each rival interpretation and option."""
    own = {siglum: resolve(library, siglum)}
    named = (alternative.id for _, alternative in alternatives(library.sources[siglum].clauses))
    return own | {id: resolve(library, siglum, [Choice(id, named=id)]) for id in named}


def set_of(what: str, found: Smallest) -> dict[str, Any]:
    """A set as it is stored; pairs that nothing tells apart are gathered into groups that are alike."""
    return {
        "what": what,
        "deals": list(found.deals),
        "exact": found.exact,
        "pairs": found.pairs,
        "alike": [list(pair) for pair in found.alike],
    }


# ---- all of them
def found_all(bench: Bench, only: str = "") -> list[Parting]:
    """Every question and every pair of sources that answers it differently."""
    found = []
    for question in bench.library.questions:
        for pair in differing_pairs(bench.library, question) if only in ("", question) else ():
            found.append(parting(bench, question, pair))
            one = found[-1]
            if one.verdict != NOT_PLAYED:
                sys.stdout.write(
                    f"{question} {'-'.join(pair)}: {one.verdict} {one.deal or one.session or one.because}\n"
                )
                sys.stdout.flush()
    return found


def store_of(bench: Bench, partings: tuple[Parting, ...], told: tuple[Mapping[str, Any], ...]) -> Store:
    """Everything that was found, ready to be written."""
    needed = {one.deal for one in partings} | {deal for one in told for deal in one["deals"]}
    deals = {id: record_of(deal) for id, deal in bench.made.items() if id in needed}
    command = COMMAND.format(seed=bench.seed, steps=bench.steps)
    return Store(command, bench.seed, __version__, bench.library.digest, deals, partings, told)


def main(words: list[str] | None = None) -> int:
    """Where the program begins."""
    parser = argparse.ArgumentParser(prog="python -m proofs.separate", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="from which all lots are drawn")
    parser.add_argument("--steps", type=int, default=STEPS, help="how many steps towards a smaller deal")
    parser.add_argument("--question", default="", help="only this one, and nothing is written")
    given = parser.parse_args(words)
    library, problems = load()
    assert library is not None and not problems, problems
    bench = Bench(library, given.seed, given.steps)
    found = found_all(bench, given.question)
    sys.stdout.write(f"{dict(Counter(one.verdict for one in found))}\n")
    if not given.question:
        path = write_store(Path(library.root), store_of(bench, tuple(found), tuple(sets(bench))))
        sys.stdout.write(f"written: {path.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
