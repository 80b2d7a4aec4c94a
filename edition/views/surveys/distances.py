"""How far the sources lie apart: by counters moved and by questions, as a square and as a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isinf, sqrt
from typing import Any

from docutils import nodes

from edition.analysis.costs import (
    POLICIES,
    Cost,
    figure,
    find_costs,
    find_supplied_pools,
    percent,
    pools_note,
    with_pool,
)
from edition.corpus.corpus import Corpus
from edition.data.drafts import finished
from edition.nodes.builders import Content, block, link, para, picture, section, table
from edition.nodes.charts import Picture, branches, heat
from edition.text.answers import counters, counters_of
from edition.views.layout import Nodes
from engine.survey.clustering import (
    DRAWS,
    Node,
    Pair,
    Shape,
    answered,
    by_questions,
    drawn_anew,
    rooted_trees,
    shaken,
    tree,
)
from engine.survey.statistics import Weight, z
from engine.survey.variants import SOURCE

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
    tree: Node | None
    told: str  #: the tree in a line
    bare: Node | None  #: the tree that bare counters give, the pool left out of account
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
    sigla = finished(corpus.library)
    if not corpus.surveys or len(sigla) < 3:
        return None
    measures = (*(by_policy(corpus, one.policy, sigla) for one in corpus.surveys), counted(corpus, sigla))
    pools = ", ".join(f"{counters(one.pool, one.unit)} ({one.siglum})" for one in corpus.surveys[0].tables)
    supplied = pools_note([one for one in find_supplied_pools(corpus) if one in sigla])
    return DistancesView(sigla, pools, supplied, measures, rooted_trees(len(sigla)), agreeing(measures))


# ---- by counters
def by_policy(corpus: Corpus, policy: str, sigla: Sequence[str]) -> FarView:
    """Counters moved in a deal, the mean of both directions."""
    weights = {
        (one.table, other): found
        for one in find_costs(corpus)
        for other in whole(one)
        if (found := one.of(policy)) is not None
    }
    both = {pair: [w for way in (pair, pair[::-1]) if (w := weights.get(way)) and settled(w)] for pair in pairs(sigla)}
    far = {pair: sum(w.of_pool.value for w in some) / len(some) for pair, some in both.items() if some}
    errors = {pair: sqrt(sum(error(w) ** 2 for w in both[pair])) / len(both[pair]) for pair in far}
    joined = tree(sigla, {frozenset(pair): value for pair, value in far.items()}) if len(far) == len(both) else None
    counters = {frozenset(pair): sum(w.moved.value for w in some) / max(len(some), 1) for pair, some in both.items()}
    bare = tree(sigla, counters) if joined else None
    ways = tuple(way(corpus, *pair, weights[pair]) for pair in weights if set(pair) <= set(sigla))
    steady = chance(sigla, joined, {frozenset(pair): (far[pair], errors[pair]) for pair in far})
    title = POLICIES.get(policy, policy)
    return FarView(policy, title, tuple(far.items()), ways, joined, newick(joined), bare, steady)


def chance(sigla: Sequence[str], joined: Node | None, far: Mapping[Pair, tuple[float, float]]) -> str:
    """How often the tree is the same when chance has its way with the survey."""
    if joined is None:
        return ""
    moved = shaken(sigla, far)
    return f"with every distance as much off as chance lets this survey be, {often(moved, joined)}"


def pairs(sigla: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Every two sources."""
    yield from combinations(sigla, 2)


def whole(one: Cost) -> tuple[str, ...]:
    """The sources that a ruleset stands for."""
    return tuple(stand.source for stand in one.stands if stand.kind == SOURCE)


def settled(one: Weight) -> bool:
    """Whether there is any deal that both sources settle."""
    return one.settled > 0


def error(one: Weight) -> float:
    """The standard error of a mean, as a share of the pool."""
    found = one.of_pool
    return 0.0 if isinf(found.high) else (found.high - found.value) / z(0.95)


def way(corpus: Corpus, own: str, other: str, one: Weight) -> Way:
    """One direction, in words."""
    known, unit = settled(one), counters_of(corpus.library.sources[own].unit)
    moved, sum_ = (percent(one.of_pool.value), f"{figure(one.moved.value)} {unit}") if known else ("–", "–")
    return Way(own, other, moved, sum_, percent(one.forbidden.value), known, own in find_supplied_pools(corpus))


# ---- by questions
def counted(corpus: Corpus, sigla: Sequence[str]) -> FarView:
    """The share of questions answered otherwise, whatever they cost."""
    said = answered(corpus.library)
    far = by_questions(said)
    found = tree(sigla, far)
    steady = f"with the questions drawn anew by lot, {often(drawn_anew(said), found)}"
    named = tuple((pair, far[frozenset(pair)]) for pair in pairs(sigla))
    return FarView("questions", "By questions", named, (), found, newick(found), None, steady)


def often(found: Mapping[Shape, int], tree: Node) -> str:
    """How often a tree of this shape comes out."""
    return f"the same tree comes out {found.get(tree.shape, 0):,} times in {DRAWS:,}"


def newick(one: Node | None) -> str:
    """A tree in a line: what is joined stands in brackets."""
    if one is None:
        return ""
    return f"({', '.join(map(newick, one.branches))})" if one.branches else one.leaves[0]


def agreeing(measures: Sequence[FarView]) -> str:
    """Whether all measures give one tree."""
    trees = [(one.title.lower(), one.tree) for one in measures]
    trees += [(f"{one.title.lower()}, in bare counters whatever the pool is,", one.bare) for one in measures]
    known = [(name, found) for name, found in trees if found is not None]
    shapes = {found.shape for _, found in known}
    names = "; ".join(f"{name} {newick(found)}" for name, found in known)
    one_shape = "All measures give trees of one shape" if len(shapes) == 1 else "The measures give different trees"
    return f"{one_shape}: {names}."


# ---- layout
NOTHING = "Nothing has been surveyed yet."


def distances(view: DistancesView | None) -> Nodes:
    """Every measure with its square and its tree, and what they can prove."""
    if view is None:
        return [para(NOTHING)]
    return [*(measure(view, one) for one in view.measures), proof(view)]


def measure(view: DistancesView, one: FarView) -> nodes.section:
    """One measure."""
    means = [MEANS["counters"], POOLS.format(pools=view.pools)] if one.ways else [MEANS["questions"]]
    made: Nodes = [] if one.ways and one is not view.measures[0] else [*map(para, means)]
    made += [para(view.supplied)] if one.ways and view.supplied else []
    made += [block(square(view, one), *([grown(one)] if one.tree is not None else []), cls="rv-pictures")]
    return section(f"far-{one.name}", one.title, *made, numbers(view, one), *directions(one))


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


POOLS = (
    "Before the deal there lie in the pool {pools}. Where it is small, every counter weighs the more in this measure."
)


def square(view: DistancesView, one: FarView) -> nodes.Node:
    """All pairs at a glance."""
    title = f"How far apart, {one.title.lower()}"
    says = "; ".join(f"{a} and {b}: {percent(value)}" for (a, b), value in one.far)
    far = {frozenset(pair): value for pair, value in one.far}
    return picture(heat(Picture(f"heat-{one.name}", title, says), view.sigla, far, percent), title)


def grown(one: FarView) -> nodes.Node:
    """The tree."""
    assert one.tree is not None
    title, axis = f"A tree, {one.title.lower()}", "half the distance, % of the pool"
    axis = "half the distance, % of questions" if one.name == "questions" else axis
    says = f"What stands in brackets is joined first: {one.told}."
    return picture(branches(Picture(f"tree-{one.name}", title, says), scaled(one.tree), axis), title)


def scaled(one: Node) -> Node:
    """The tree in hundredths."""
    return Node(one.leaves, one.height * 100, tuple(map(scaled, one.branches)))


def numbers(view: DistancesView, one: FarView) -> nodes.Node:
    """The square in numbers."""
    far = {frozenset(pair): value for pair, value in one.far}
    lines = [
        (
            [link("source", a)],
            *(percent(far[frozenset((a, b))]) if frozenset((a, b)) in far else "–" for b in view.sigla),
        )
        for a in view.sigla
    ]
    return table(f"How far apart, {one.title.lower()}", ("Source", *view.sigla), lines, cls="rv-figures")


def directions(one: FarView) -> Nodes:
    """Both directions of every pair, with what is forbidden."""
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


def proof(view: DistancesView) -> nodes.section:
    """How little so few sources can prove."""
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

VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"distances": distances_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"distances": distances}
