"""Golden outputs of the modules that compare rulesets: effects, causes, separations, printed figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from random import Random

from engine.comparison.attribution import attribute_difference
from engine.comparison.irrelevance_proof import (
    every_way,
    gather_knowledge,
    list_rule_scopes,
    try_rule_scope,
    why_latent,
)
from engine.comparison.minimise import measure_deal_size, shrink_separation
from engine.comparison.printed_figures import check_source_figures
from engine.comparison.questions_outside_payments import asked_outside
from engine.comparison.separation import (
    SessionSeparation,
    construct_deals,
    draw_random_deals,
    list_swaps,
    session_separation,
    try_separation,
    wishes_for,
)
from engine.comparison.smallest_test_set import find_smallest_test_set, told_apart
from engine.deal.model import Deal
from engine.interpretation.effects import try_alternatives
from engine.interpretation.worlds import find_endings, possible_worlds
from proofs.golden_fingerprints import (
    GOLDEN_SEED,
    NamedValue,
    fingerprint_golden_value,
    resolve_all_rulesets,
    resolve_some_rulesets,
    resolve_source_rulesets,
)
from reversis.files.separations import load_separations, swap_of, worked_deals
from reversis.files.sessions import read_playable_sessions
from rulebook.model import Library, Ruleset
from rulebook.resolve import resolve


def iter_golden_effects(own: Library) -> Iterator[NamedValue]:
    """Yield the effects of each rival reading."""
    some = list(worked_deals(own).values())[::12]
    for one in try_alternatives(own, some, sessions=list(read_playable_sessions(own))[:1]):
        yield one.alternative, (one, one.verdict, one.changes, one.deals, one.sessions)


def iter_golden_causes(own: Library) -> Iterator[NamedValue]:
    """Yield which answers make deals come out differently under another source."""
    some = list(worked_deals(own).values())[::8]
    pairs = [(a, b) for a in resolve_source_rulesets(own) for b in resolve_source_rulesets(own) if a is not b]
    yield from iter_attributions(own, ((deal, *pairs[(5 * at) % len(pairs)]) for at, deal in enumerate(some)))


def iter_golden_hybrid_causes(own: Library) -> Iterator[NamedValue]:
    """Yield the same for deals with faults and fragments, against a hybrid."""
    odd = [deal for deal in worked_deals(own).values() if deal.faults or deal.fragment or deal.exchange]
    rules, count = resolve_all_rulesets(own), len(own.sources)
    pairs = [(rules[at], one) for at in range(count) for one in rules[count:] if one.source == rules[at].source]
    some = [*odd[::3], *list(worked_deals(own).values())[::16]]
    yield from iter_attributions(own, ((deal, *pairs[(5 * at) % len(pairs)]) for at, deal in enumerate(some)))


def iter_attributions(own: Library, cases: Iterable[tuple[Deal, Ruleset, Ruleset]]) -> Iterator[NamedValue]:
    """Yield what differs between two rulesets on each deal, and due to which answers."""
    for deal, one, other in cases:
        found = attribute_difference(own, deal, one, other, 800)
        money = found.affairs, found.difference, found.shares, [each.misleading for each in found.affairs]
        yield (
            f"{deal.id} {fingerprint_golden_value(one.name)} {fingerprint_golden_value(other.name)}",
            (found.differ, found.asked, found.turned, *money),
        )


def iter_golden_worlds(own: Library) -> Iterator[NamedValue]:
    """Yield the possible outcomes of deals, over all readings of a source."""
    for at, deal in enumerate(list(worked_deals(own).values())[::9]):
        siglum = list(own.sources)[at % len(own.sources)]
        yield f"{deal.id} {siglum}", (possible_worlds(deal, own, siglum, at % 2 == 0), find_endings(deal, own, siglum))


def iter_golden_separations(own: Library) -> Iterator[NamedValue]:
    """Yield the size of every stored separating deal, and of some after minimising."""
    store, worked = load_separations(own), worked_deals(own)
    assert store is not None
    for at, one in enumerate(row for row in store.partings if row.deal):
        found = try_separation(swap_of(own, one), store.deal(one.deal))
        assert found is not None
        yield f"{one.question} {one.pair}", (found.how, measure_deal_size(found))
        if at % 4 == 0 and one.worked:
            larger = try_separation(swap_of(own, one), worked[one.worked[0]])
            assert larger is not None
            yield f"{one.question} {one.pair} made smaller", shrink_separation(larger, GOLDEN_SEED, 25).deal
    for row in (row for row in store.partings if row.session):
        deals = tuple(worked[id] for id in row.session)
        played = session_separation(swap_of(own, row), deals)
        yield f"{row.question} {row.pair} in session", played.how if isinstance(played, SessionSeparation) else None


def iter_golden_searches(own: Library) -> Iterator[NamedValue]:
    """Yield the deals that are made for a question, and random ones."""
    rng = Random(GOLDEN_SEED)
    every = [(slug, pair) for slug in own.questions for pair in (("PAM", "GER"), ("ACA", "PAR"))]
    for slug, pair in rng.sample(every, 24):
        for side in list_swaps(own, slug, pair):
            yield (
                f"{slug} {side.base} {side.giver}",
                (
                    wishes_for(slug),
                    *islice(construct_deals(side, GOLDEN_SEED, 1), 3),
                    *islice(draw_random_deals(side, GOLDEN_SEED, 3), 3),
                ),
            )


def iter_golden_irrelevance(own: Library) -> Iterator[NamedValue]:
    """Yield which answers are proved never to matter."""
    ruleset = resolve(own, "GER")
    known = gather_knowledge(ruleset)
    asked = [(rule.name, kind, how, some) for (rule, kind, how), some in known.asked.items()]
    yield ruleset.name, (asked, known.operations)
    every = [
        side
        for slug in own.questions
        for giver in own.sources
        if giver != ruleset.source
        for side in list_swaps(own, slug, (ruleset.source, giver))
        if side.base == ruleset.source
    ]
    for side in every[::20]:
        yield f"{side.question} {side.base} {side.giver}", why_latent(side, known, asked_outside)


def iter_golden_rule_trials(own: Library) -> Iterator[NamedValue]:
    """Yield what every rule asks and pays for the first facts and outcomes tried."""
    for siglum, place, seats in product(("PAM", "PAR"), list_rule_scopes(), (4, 5)):
        rule, kind, manner = place
        ruleset = resolve(own, siglum)
        tried = [try_rule_scope(place, seats, choices, ruleset) for choices in islice(every_way(), 60)]
        yield f"{siglum} {rule.name} {kind} {manner} {seats}", [(came, ask.asked) for came, ask in tried]


def iter_golden_test_sets(own: Library) -> Iterator[NamedValue]:
    """Yield the smallest sets of deals that tell rulesets apart, for random tables and the sources."""
    rng = Random(GOLDEN_SEED)
    for number in range(60):
        pairs = [("r", str(n)) for n in range(rng.randint(2, 9))]
        table = {f"d{n}": frozenset(p for p in pairs if rng.random() < 0.35) for n in range(rng.randint(2, 8))}
        yield f"table {number}", find_smallest_test_set(table, pairs)
    rules = {ruleset.name: ruleset for ruleset in resolve_some_rulesets(own)}
    some = list(worked_deals(own).values())[::12]
    apart = told_apart(some, rules, next(iter(rules)))
    yield "sources", (apart, find_smallest_test_set(apart, sorted({p for found in apart.values() for p in found})))


def iter_golden_printed_figures(own: Library) -> Iterator[NamedValue]:
    """Yield the figures a source prints about its own game, and those of its rules."""
    for siglum in own.sources:
        yield siglum, check_source_figures(own, siglum, worked_deals(own))
