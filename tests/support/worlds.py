"""Possible worlds by brute force: every combination of readings is settled, and nothing is known of the short cuts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

from engine.deal.model import Deal
from engine.interpretation.explore import WorldCondition
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.model import Alternative, Clause, Library
from rulebook.resolve import BadChoice, Choice, resolve

World = Mapping[str, str]  # clause -> reading


@dataclass(frozen=True)
class Seen:
    """What comes of a deal in one world: in a word, who pays whom for what, the pool, the outcome, the balances."""

    state: str
    ledger: frozenset[Any]
    pool: Any
    outcome: Any
    net: Any


def trimmed(library: Library, source: str, keep: Iterable[str]) -> Library:
    """The library, as if this source could be taken in several ways in these clauses only."""
    kept = set(keep)
    return with_clauses(
        library, source, [c if c.id in kept else replace(c, alternatives=()) for c in own(library, source)]
    )


def with_clauses(library: Library, source: str, clauses: Iterable[Clause]) -> Library:
    changed = replace(library.sources[source], clauses=tuple(clauses))
    return replace(library, sources={**library.sources, source: changed})


def own(library: Library, source: str) -> tuple[Clause, ...]:
    return library.sources[source].clauses


def with_rivals(library: Library, source: str, rivals: Mapping[str, Iterable[Mapping[str, Any]]]) -> Library:
    """The library, with invented rivals to these clauses of a source, and no others."""

    def invented(clause: Clause) -> Clause:
        bundles = rivals.get(clause.id, ())
        made = (Alternative(f"{clause.id}.r{n}", "interpretation", "", b) for n, b in enumerate(bundles))
        return replace(clause, alternatives=tuple(made))

    return with_clauses(library, source, [invented(c) for c in own(library, source)])


def product_of(library: Library, source: str, options: bool) -> Iterator[World]:
    """Every way to take every decision."""
    kinds = ("interpretation", "option") if options else ("interpretation",)
    clauses = [c for c in own(library, source) if any(a.kind in kinds for a in c.alternatives)]
    for way in product(*([f"{c.id}.preferred", *(a.id for a in c.alternatives if a.kind in kinds)] for c in clauses)):
        yield {c.id: reading for c, reading in zip(clauses, way, strict=True)}


def held_together(library: Library, source: str, world: World) -> bool:
    """Whether no two of the readings taken answer one question differently."""
    answers = {a.id: a.answers for c in own(library, source) for a in c.alternatives}
    taken = [answers[r] for r in world.values() if r in answers]
    return not any(q in b and b[q] != v for a, b in combinations(taken, 2) for q, v in a.items())


def brute_force(deal: Deal, library: Library, source: str, options: bool = False) -> list[tuple[World, Seen]]:
    """Every world, with what comes of the deal in it."""
    found = []
    for world in product_of(library, source, options):
        named = [Choice(r, named=r) for r in world.values() if not r.endswith(".preferred")]
        if held_together(library, source, world):
            try:
                found.append((world, seen(settle(deal, resolve(library, source, named)))))
            except BadChoice:
                continue
    return found


def seen(found: Settled | Refused | Unanswered) -> Seen:
    if not isinstance(found, Settled):
        return Seen("refused" if isinstance(found, Refused) else "silent", frozenset(), None, None, None)
    sums: dict[Any, int] = {}
    for e in found.entries:
        for p in e.postings:
            what = (e.rule, e.fact.kind, e.fact.manner, e.fact.trick, e.fact.card, e.fact.player, p.payer, p.payee)
            sums[what] = sums.get(what, 0) + p.counted(found.before)
    ledger = frozenset((*what, n) for what, n in sums.items() if n)
    return Seen("settled", ledger, found.pool, found.outcome, tuple(sorted(found.net.items(), key=str)))


def settling(every: list[tuple[World, Any]]) -> set[frozenset[str]]:
    """Every smallest set of decisions such that worlds that agree on it agree on what is told of them."""
    clauses = list(every[0][0])
    found: list[frozenset[str]] = []
    for size in range(len(clauses) + 1):
        for some in map(frozenset, combinations(clauses, size)):
            if not any(had <= some for had in found) and settles(every, some):
                found.append(some)
    return set(found) - {frozenset()}


def settles(every: list[tuple[World, Any]], some: frozenset[str]) -> bool:
    told: dict[Any, Any] = {}
    return all(told.setdefault(tuple((c, w[c]) for c in sorted(some)), said) == said for w, said in every)


def belongs(world: World, conditions: Iterable[WorldCondition]) -> bool:
    """Whether a world is among those described."""
    return any(all(world[clause] in readings for clause, readings in condition) for condition in conditions)
