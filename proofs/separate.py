"""Search for the smallest deal on which each difference between sources matters.

For every question that two sources answer differently; where there is no such deal, for the reason.

    python -m proofs.separate [--seed 1] [--steps 250] [--question SLUG]

goes through every question and every pair of sources. The worked deals are tried first; what they do not show is made
from what the rule looks at, and by lot. What separates is made small and settled both ways again. Where nothing
separates it is tried to prove that nothing can: every rule is run on every fact and every outcome that can be written
down. Everything goes into `sources/separating.json`, with the fewest deals that tell the sources and their
interpretations apart.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from itertools import combinations

from engine.comparison.minimise import MAX_SHRINK_STEPS
from engine.comparison.separation import NOT_PLAYED, differing_pairs
from engine.comparison.smallest_test_set import Smallest, find_smallest_test_set, told_apart
from proofs.arguments import ProofParser, run_proof
from reversis.files import separations
from reversis.findings.separation_search import SeparationWorkspace, search_separation
from rulebook import __version__
from rulebook.load import library
from rulebook.model import Library, Ruleset
from rulebook.resolve import Choice, iter_clause_alternatives, resolve

_COMMAND = "python -m proofs.separate --seed {seed} --steps {steps}"


# ---- the fewest deals that tell things apart
def iter_separating_sets(bench: SeparationWorkspace) -> Iterator[separations.SeparatingSet]:
    """Yield the fewest deals that tell apart the sources, each one's interpretations, and all of them."""
    deals = [*bench.worked.values(), *bench.made.values()]
    own = {siglum: resolve(bench.library, siglum) for siglum in bench.library.sources}
    pairs_by_deal = {"the sources": told_apart(deals, own, next(iter(own)))}
    pairs = {"the sources": list(combinations(own, 2))}
    for siglum in own:
        worlds = resolve_interpretations(bench.library, siglum)
        what = f"the interpretations of {siglum}"
        pairs_by_deal[what], pairs[what] = told_apart(deals, worlds, siglum), list(combinations(worlds, 2))
    for what, some in pairs_by_deal.items():
        yield make_separating_set(what, find_smallest_test_set(some, pairs[what]))
    everything = {
        deal.id: frozenset(pair for some in pairs_by_deal.values() for pair in some[deal.id]) for deal in deals
    }
    yield make_separating_set(
        "the sources and all interpretations",
        find_smallest_test_set(everything, [p for some in pairs.values() for p in some]),
    )


def resolve_interpretations(library: Library, siglum: str) -> dict[str, Ruleset]:
    """Return the default ruleset of a source, and one per rival reading and option."""
    own = {siglum: resolve(library, siglum)}
    named = (alternative.id for _, alternative in iter_clause_alternatives(library.sources[siglum].clauses))
    return own | {id: resolve(library, siglum, [Choice(id, named=id)]) for id in named}


def make_separating_set(what: str, smallest: Smallest) -> separations.SeparatingSet:
    """Return a set as it is stored, with the pairs that no deal tells apart."""
    return separations.SeparatingSet(what=what, **asdict(smallest))


# ---- all of them
def _separate_all_questions(bench: SeparationWorkspace, only: str = "") -> list[separations.Parting]:
    partings = []
    for question in bench.library.questions:
        for pair in differing_pairs(bench.library, question) if only in ("", question) else ():
            partings.append(search_separation(bench, question, pair))
            result = partings[-1]
            if result.verdict != NOT_PLAYED:
                sys.stdout.write(
                    f"{question} {'-'.join(pair)}: {result.verdict} {result.deal or result.session or result.because}\n"
                )
                sys.stdout.flush()
    return partings


def _make_separation_store(
    bench: SeparationWorkspace,
    partings: tuple[separations.Parting, ...],
    separating_sets: tuple[separations.SeparatingSet, ...],
) -> separations.Store:
    needed = {parting.deal for parting in partings} | {
        deal for separating_set in separating_sets for deal in separating_set.deals
    }
    deals = {id: separations.serialize_stored_deal(deal) for id, deal in bench.made.items() if id in needed}
    command = _COMMAND.format(seed=bench.seed, steps=bench.steps)
    return separations.Store(
        schema=1,
        command=command,
        seed=bench.seed,
        version=__version__,
        sources=bench.library.rules_digest,
        deals=deals,
        partings=partings,
        sets=separating_sets,
    )


def main(words: list[str] | None = None) -> int:
    """Search for separating deals and store them."""
    parser = ProofParser("separate", __doc__, separations.SEPARATIONS_FILE)
    parser.add_seed(1)
    parser.add_number("--steps", MAX_SHRINK_STEPS, "how many steps towards a smaller deal", least=0)
    parser.add_argument("--question", default="", help="only this one, and nothing is written")
    given = parser.parse_args(words)
    place = None if given.question else parser.choose_place(given, _COMMAND.format(**vars(given)))
    bench = SeparationWorkspace(library(), given.seed, given.steps)
    partings = _separate_all_questions(bench, given.question)
    sys.stdout.write(f"{dict(Counter(parting.verdict for parting in partings))}\n")
    if place:
        store = _make_separation_store(bench, tuple(partings), tuple(iter_separating_sets(bench)))
        sys.stdout.write(f"written: {separations.write_store(place, store).name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(run_proof(main))
