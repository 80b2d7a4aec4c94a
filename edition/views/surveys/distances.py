"""Distances between sources, by counters moved and by questions.

They are shown as a matrix and as a tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isinf, sqrt

from docutils import nodes

from edition.analysis.costs import (
    POLICY_HEADINGS,
    find_costs,
    find_supplied_pools,
    format_cost_figure,
    format_cost_percent,
    pools_note,
    with_pool,
)
from edition.corpus.corpus import Corpus
from edition.data.drafts import list_finished_sources
from edition.nodes.builders import Content, block, link, para, section, svg_figure, table
from edition.nodes.charts import ChartDescription, render_dendrogram, render_heat_map
from edition.text.answers import format_counters, pluralize_counter
from edition.views.layout import Nodes
from engine.survey.clustering import (
    BOOTSTRAP_DRAWS,
    SourcePair,
    TreeNode,
    TreeShape,
    bootstrap_trees,
    build_distance_tree,
    collect_answers_by_source,
    compute_question_distances,
    count_rooted_trees,
    perturb_trees,
)
from engine.survey.statistics import Weight, compute_z_value
from engine.survey.variants import VARIANT_SOURCE

Far = tuple[tuple[tuple[str, str], float], ...]  #: every pair once, with how far it is apart


@dataclass(frozen=True, slots=True)
class Way:
    """One source's deals priced under another."""

    own: str
    other: str
    moved: str  #: of the opening pool, a deal
    counters: str
    forbidden: str
    settled: bool
    pool_supplied: bool  #: whether the pool of its own table is ours


@dataclass(frozen=True, slots=True)
class FarView:
    """One way to measure how far sources lie apart."""

    name: str  #: a policy, or questions
    title: str
    far: Far
    ways: tuple[Way, ...]
    tree: TreeNode | None
    told: str  #: the tree in a line
    bare: TreeNode | None  #: the tree that bare counters give, the pool left out of account
    steady: str  #: how often it comes out the same when chance has its way


@dataclass(frozen=True, slots=True)
class DistancesView:
    """The whole page."""

    sigla: tuple[str, ...]
    pools: str
    supplied: str  #: on pools that we supply
    measures: tuple[FarView, ...]
    trees: int
    agree: str


def distances_view(corpus: Corpus, _: str = "") -> DistancesView | None:
    """By every policy that was surveyed, and by questions; nothing where nothing was surveyed."""
    sigla = list_finished_sources(corpus.library)
    if not corpus.surveys or len(sigla) < 3:
        return None
    measures = (
        *(measure_by_policy(corpus, one.policy, sigla) for one in corpus.surveys),
        measure_by_questions(corpus, sigla),
    )
    pools = ", ".join(f"{format_counters(one.pool, one.unit)} ({one.siglum})" for one in corpus.surveys[0].tables)
    supplied = pools_note([one for one in find_supplied_pools(corpus) if one in sigla])
    return DistancesView(
        sigla, pools, supplied, measures, count_rooted_trees(len(sigla)), _compare_measure_trees(measures)
    )


# ---- by counters
def measure_by_policy(corpus: Corpus, policy: str, sigla: Sequence[str]) -> FarView:
    """Counters moved in a deal, as the mean of both directions."""
    weights = {
        (one.table, stand.source): found
        for one in find_costs(corpus)
        for stand in one.stands
        if stand.kind == VARIANT_SOURCE and (found := one.of(policy)) is not None
    }
    both = {
        pair: [w for way in (pair, pair[::-1]) if (w := weights.get(way)) and w.settled]
        for pair in combinations(sigla, 2)
    }
    far = {pair: sum(w.of_pool.value for w in some) / len(some) for pair, some in both.items() if some}
    errors = {pair: sqrt(sum(estimate_standard_error(w) ** 2 for w in both[pair])) / len(both[pair]) for pair in far}
    joined = (
        build_distance_tree(sigla, {frozenset(pair): value for pair, value in far.items()})
        if len(far) == len(both)
        else None
    )
    counters = {frozenset(pair): sum(w.moved.value for w in some) / max(len(some), 1) for pair, some in both.items()}
    bare = build_distance_tree(sigla, counters) if joined else None
    ways = tuple(_build_price_direction(corpus, *pair, weights[pair]) for pair in weights if set(pair) <= set(sigla))
    steady = describe_tree_steadiness(sigla, joined, {frozenset(pair): (far[pair], errors[pair]) for pair in far})
    title = POLICY_HEADINGS.get(policy, policy)
    return FarView(policy, title, tuple(far.items()), ways, joined, format_newick(joined), bare, steady)


def describe_tree_steadiness(
    sigla: Sequence[str], joined: TreeNode | None, far: Mapping[SourcePair, tuple[float, float]]
) -> str:
    """Frequency of the same tree when distances vary by the survey's chance error."""
    if joined is None:
        return ""
    moved = perturb_trees(sigla, far)
    return f"with every distance as much off as chance lets this survey be, {_format_tree_frequency(moved, joined)}"


def estimate_standard_error(one: Weight) -> float:
    """Standard error of a mean, as a share of the pool."""
    found = one.of_pool
    return 0.0 if isinf(found.high) else (found.high - found.value) / compute_z_value(0.95)


def _build_price_direction(corpus: Corpus, own: str, other: str, one: Weight) -> Way:
    known, unit = one.settled > 0, pluralize_counter(corpus.library.sources[own].unit)
    moved, sum_ = (
        (format_cost_percent(one.of_pool.value), f"{format_cost_figure(one.moved.value)} {unit}")
        if known
        else ("–", "–")
    )
    return Way(
        own, other, moved, sum_, format_cost_percent(one.forbidden.value), known, own in find_supplied_pools(corpus)
    )


# ---- by questions
def measure_by_questions(corpus: Corpus, sigla: Sequence[str]) -> FarView:
    """Share of questions answered differently, whatever they cost."""
    said = collect_answers_by_source(corpus.library)
    far = compute_question_distances(said)
    found = build_distance_tree(sigla, far)
    steady = f"with the questions drawn anew by lot, {_format_tree_frequency(bootstrap_trees(said), found)}"
    named = tuple((pair, far[frozenset(pair)]) for pair in combinations(sigla, 2))
    return FarView("questions", "By questions", named, (), found, format_newick(found), None, steady)


def _format_tree_frequency(found: Mapping[TreeShape, int], tree: TreeNode) -> str:
    return f"the same tree comes out {found.get(tree.shape, 0):,} times in {BOOTSTRAP_DRAWS:,}"


def format_newick(one: TreeNode | None) -> str:
    """Format a tree in one line, with brackets around what is joined."""
    if one is None:
        return ""
    return f"({', '.join(map(format_newick, one.branches))})" if one.branches else one.leaves[0]


def _compare_measure_trees(measures: Sequence[FarView]) -> str:
    trees = [(one.title.lower(), one.tree) for one in measures]
    trees += [(f"{one.title.lower()}, in bare counters whatever the pool is,", one.bare) for one in measures]
    known = [(name, found) for name, found in trees if found is not None]
    shapes = {found.shape for _, found in known}
    names = "; ".join(f"{name} {format_newick(found)}" for name, found in known)
    one_shape = "All measures give trees of one shape" if len(shapes) == 1 else "The measures give different trees"
    return f"{one_shape}: {names}."


# ---- layout
NO_DISTANCES_TEXT = "Nothing has been surveyed yet."


def render_distances(view: DistancesView | None) -> Nodes:
    """Render every measure with its matrix and tree, and what they can prove."""
    if view is None:
        return [para(NO_DISTANCES_TEXT)]
    return [*(_render_distance_measure(view, one) for one in view.measures), _render_proof_limits(view)]


def _render_distance_measure(view: DistancesView, one: FarView) -> nodes.section:
    means = [MEANS["counters"], _POOLS_NOTE.format(pools=view.pools)] if one.ways else [MEANS["questions"]]
    made: Nodes = [] if one.ways and one is not view.measures[0] else [*map(para, means)]
    made += [para(view.supplied)] if one.ways and view.supplied else []
    made += [
        block(
            _render_distance_heatmap(view, one),
            *([_render_distance_tree(one)] if one.tree is not None else []),
            cls="rv-pictures",
        )
    ]
    return section(
        f"far-{one.name}", one.title, *made, _render_distance_table(view, one), *_render_direction_table(one)
    )


MEANS: Mapping[str, str] = {
    "counters": (
        "So much of the opening pool would have to change hands in a deal, on the mean, to make the result of the one "
        "source that of the other: the mean of both directions, the cards being played by the rules of either. "
        "Smallest counters are taken one for one. Deals that the other source forbids as played are left out of this "
        "number, and are told beside it."
    ),
    "questions": (
        "The share of the questions that are played and that both sources answer, on which they answer differently. "
        "Every question counts for one, whether it moves the whole pool or nothing."
    ),
}


_POOLS_NOTE = (
    "Before the deal there lie in the pool {pools}. Where it is small, every counter weighs the more in this measure."
)


def _render_distance_heatmap(view: DistancesView, one: FarView) -> nodes.Node:
    title = f"How far apart, {one.title.lower()}"
    says = "; ".join(f"{a} and {b}: {format_cost_percent(value)}" for (a, b), value in one.far)
    far = {frozenset(pair): value for pair, value in one.far}
    return svg_figure(
        render_heat_map(ChartDescription(f"heat-{one.name}", title, says), view.sigla, far, format_cost_percent), title
    )


def _render_distance_tree(one: FarView) -> nodes.Node:
    assert one.tree is not None
    title, axis = f"A tree, {one.title.lower()}", "half the distance, % of the pool"
    axis = "half the distance, % of questions" if one.name == "questions" else axis
    says = f"What stands in brackets is joined first: {one.told}."
    return svg_figure(
        render_dendrogram(ChartDescription(f"tree-{one.name}", title, says), scale_tree(one.tree), axis), title
    )


def scale_tree(one: TreeNode) -> TreeNode:
    """Tree with heights in hundredths."""
    return TreeNode(one.leaves, one.height * 100, tuple(map(scale_tree, one.branches)))


def _render_distance_table(view: DistancesView, one: FarView) -> nodes.Node:
    far = {frozenset(pair): value for pair, value in one.far}
    lines = [
        (
            [link("source", a)],
            *(format_cost_percent(far[frozenset((a, b))]) if frozenset((a, b)) in far else "–" for b in view.sigla),
        )
        for a in view.sigla
    ]
    return table(f"How far apart, {one.title.lower()}", ("Source", *view.sigla), lines, cls="rv-figures")


def _render_direction_table(one: FarView) -> Nodes:
    if not one.ways:
        return []
    lines = [
        (
            [f"{with_pool(way.own, way.pool_supplied)} priced as {way.other}"],
            way.moved,
            way.counters,
            f"{way.forbidden} of deals",
        )
        for way in one.ways
    ]
    head = ("Whose deals, whose prices", "Moved, of the pool", "Moved in a deal", "Forbidden as played")
    return [table(f"Both directions, {one.title.lower()}", head, lines, cls="rv-stack rv-figures")]


def _render_proof_limits(view: DistancesView) -> nodes.section:
    many = f"As many sources as there are here can be joined in {view.trees} trees of this kind"
    told: list[Content] = [
        para(f"{many}, so that a tree drawn blindly is right once in {view.trees} times. {view.agree}"),
        para(*(f"{one.title}: {one.steady}. " for one in view.measures if one.steady)),
    ]
    return section("proof", "How little a tree of so few leaves proves", *told, para(LIMITS))


LIMITS = (
    "A tree will always come out, whatever is put in: it says who plays most alike, not who copied whom. Two sources "
    "can lie near each other because one descends from the other, because both descend from a third, or because both "
    "were tidied by editors of one taste, of whom we are some. Chance in the survey is the least of these doubts, and "
    "the only one that a number of deals can take away; which four texts have survived, and which questions we thought "
    "of asking them, no survey can mend."
)
