"""Distances between books, by money that changes hands and by answers: two trees, and a table of all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isinf, sqrt

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, add_page_id, block, details, page_link, para, section, table
from edition.nodes.charts import tree_figure
from edition.nodes.components import SourceMark, named_source
from edition.nodes.deferred import defer_content
from edition.views.layout import Nodes, join_content
from edition.views.plain_answers import source_marks
from lab.survey.statistics import Weight
from lab.survey.variants import VARIANT_SOURCE
from reversis.files.extras import get_surveys
from reversis.files.surveys import StoredSurvey
from reversis.findings.costs import (
    POLICY_HEADINGS,
    describe_supplied_pools,
    find_costs,
    find_supplied_pools,
    format_cost_figure,
    format_cost_percent,
)
from reversis.findings.leading import sort_surveys
from reversis.findings.share_of_own_answers import measure_own_share
from reversis.views.surveys.surveys import explain_lead
from rulebook.distances import (
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
from rulebook.drafts import list_finished_sources
from rulebook.estimates import compute_z_value
from rulebook.model import FrozenMap
from rulebook.phrases import capitalise, format_counters, join_names, pluralize_counter, spell_number

Far = tuple[tuple[tuple[str, str], float], ...]  #: every pair once, with how far it is apart
FEWEST_COMMON = 20  #: answers to the same questions below which two books are not called near or far


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
    bare: TreeNode | None  #: the tree that bare counters give, the pool left out of account
    steady: str  #: how often it comes out the same when chance has its way
    common: Mapping[tuple[str, str], int] = FrozenMap()  #: of answers: to how many questions both have their own

    def is_thin(self, pair: tuple[str, str]) -> bool:
        """Return whether two books have too few answers in common to be called near or far."""
        return self.common.get(pair, FEWEST_COMMON) < FEWEST_COMMON


@dataclass(frozen=True, slots=True)
class DistancesView:
    """The whole page."""

    sources: tuple[SourceMark, ...]
    pools: str
    supplied: str  #: on pools that we supply
    measures: tuple[FarView, ...]
    trees: int
    agree: str
    lead: str = ""  #: why these players lead
    leaning: tuple[tuple[str, str], ...] = ()  #: books that leave most to others -> the book most is taken from


def distances_view(corpus: Corpus, _: str = "") -> DistancesView | None:
    """By every policy that was surveyed, and by questions; nothing where nothing was surveyed."""
    sigla = list_finished_sources(corpus.library)
    if not get_surveys(corpus) or len(sigla) < 3:
        return None
    measures = (
        *(measure_by_policy(corpus, one.policy, _list_surveyed(one, sigla)) for one in sort_surveys(corpus)),
        measure_by_questions(corpus, sigla),
    )
    marks = source_marks(corpus)
    tables = [one for one in get_surveys(corpus)[0].tables if one.siglum in marks]
    pools = join_names([f"{format_counters(one.pool, one.unit)} ({marks[one.siglum].name})" for one in tables])
    supplied = describe_supplied_pools(corpus, sigla)
    trees = count_rooted_trees(len(sigla))
    whole = [one for one in measures if one.tree is not None and len(one.tree.leaves) == len(sigla)]
    agree = _compare_measure_trees(whole, marks) if len(whole) > 1 else ""
    books = tuple(marks[one] for one in sigla)
    leaning = tuple(_list_leaning(corpus, sigla))
    return DistancesView(books, pools, supplied, measures, trees, agree, explain_lead(corpus), leaning)


def _list_leaning(corpus: Corpus, sigla: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the books that answer less than half of what their deals ask, each with the book most is taken from."""
    for siglum in sigla:
        share = measure_own_share(corpus.library, siglum)
        lender = next((name for name, _ in share.taken_from if name in sigla), "") if share else ""
        if share and lender and 2 * share.own < share.asked:
            yield siglum, lender


def _list_surveyed(survey: StoredSurvey, sigla: Sequence[str]) -> list[str]:
    """The sources that have a table in the survey; one that was added since has none yet."""
    seated = {table.siglum for table in survey.tables}
    return [one for one in sigla if one in seated]


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
        if len(far) == len(both) and len(sigla) > 2
        else None
    )
    counters = {frozenset(pair): sum(w.moved.value for w in some) / max(len(some), 1) for pair, some in both.items()}
    bare = build_distance_tree(sigla, counters) if joined else None
    ways = tuple(_build_price_direction(corpus, *pair, weights[pair]) for pair in weights if set(pair) <= set(sigla))
    steady = describe_tree_steadiness(sigla, joined, {frozenset(pair): (far[pair], errors[pair]) for pair in far})
    title = POLICY_HEADINGS.get(policy, policy)
    return FarView(policy, title, tuple(far.items()), ways, joined, bare, steady)


def describe_tree_steadiness(
    sigla: Sequence[str], joined: TreeNode | None, far: Mapping[SourcePair, tuple[float, float]]
) -> str:
    """Frequency of the same tree when distances vary by the survey's chance error."""
    if joined is None:
        return ""
    moved = perturb_trees(sigla, far)
    return f"with every distance varied by the chance error of the survey, {_format_tree_frequency(moved, joined)}"


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
    steady = f"with the questions resampled, {_format_tree_frequency(bootstrap_trees(said), found)}"
    named = tuple((pair, far[frozenset(pair)]) for pair in combinations(sigla, 2))
    common = {
        (one, other): sum(bool(a and b) for a, b in zip(said[one], said[other], strict=True))
        for one, other in combinations(sigla, 2)
    }
    return FarView("questions", "Answers that differ", named, (), found, None, steady, common)


def _format_tree_frequency(found: Mapping[TreeShape, int], tree: TreeNode) -> str:
    return f"the same tree comes out {found.get(tree.shape, 0):,} times in {BOOTSTRAP_DRAWS:,}"


def _compare_measure_trees(measures: Sequence[FarView], marks: Mapping[str, SourceMark]) -> str:
    trees = [(one.title.lower(), one.tree) for one in measures]
    trees += [(f"{one.title.lower()}, in bare counters whatever the pool is", one.bare) for one in measures]
    known = [(name, found) for name, found in trees if found is not None]
    names = "; ".join(f"{name}: {_name_branches(found, marks)}" for name, found in known)
    if len({found.shape for _, found in known}) == 1:
        return "All measures give trees of one shape."
    return f"The measures give different trees ({names})."


def _name_branches(one: TreeNode, marks: Mapping[str, SourceMark]) -> str:
    if not one.branches:
        return marks[one.leaves[0]].name
    return f"({' + '.join(_name_branches(each, marks) for each in one.branches)})"


# ---- layout
NO_DISTANCES_TEXT = "Nothing has been surveyed yet."


def render_distances(view: DistancesView | None) -> Nodes:
    """Render what the distances say, and a tree by money and one by answers."""
    if view is None:
        return [para(NO_DISTANCES_TEXT)]
    trees = [figure for one in list_pictured_measures(view) for figure in _render_tree(view, one)]
    return [*render_lede(view), *([block(*trees, cls="rv-trees")] if trees else [])]


def render_lede(view: DistancesView) -> Nodes:
    """Render the nearest and the farthest books in words."""
    lede = para(" ".join(_say_distances(view, one) for one in list_pictured_measures(view)), cls="rv-lede")
    spread = _say_spread(view)
    return [lede, *(para(words, cls="rv-small") for words in (*_say_leaning(view), spread, view.lead) if words)]


def _say_leaning(view: DistancesView) -> Iterator[str]:
    """Say which books are near another because most of their answers are taken from it."""
    names = {one.siglum: one.within for one in view.sources}
    for lender in dict.fromkeys(lender for _, lender in view.leaning):
        said = join_names([names[siglum] for siglum, other in view.leaning if other == lender])
        yield (
            f"Most of what is settled by {said} is our assumption, taken above all from {names[lender]}: nearness to "
            "it by money is mostly that book agreeing with itself. Answers are counted without our assumptions."
        )


def _say_spread(view: DistancesView) -> str:
    """Nearest and farthest books by those who do not lead, where there are several; empty for fewer."""
    others = [one for one in view.measures if one.ways and one.far][:-1]
    told = [f"{one.title.lower()} {_name_extremes(view, one)}" for one in reversed(others)]
    return f"By other ways of playing: {'; '.join(told)}." if len(told) > 1 else ""


def _name_extremes(view: DistancesView, one: FarView) -> str:
    (near, least), (far, most) = (find(one.far, key=lambda pair: pair[1]) for find in (min, max))
    nearest, farthest = (
        f"{_name_pair(view, pair)} ({format_cost_percent(share)})" for pair, share in ((near, least), (far, most))
    )
    return f"have {nearest} nearest, {farthest} farthest"


def list_pictured_measures(view: DistancesView) -> list[FarView]:
    """Measures that are drawn: the leading policy, and the answers."""
    return [*[one for one in view.measures if one.ways][-1:], *[one for one in view.measures if not one.ways]]


_MEASURE_STARTS: Mapping[bool, str] = {
    True: "Settle the same cards by two books:",
    False: "Count the questions that two books answer differently:",
}


def _say_distances(view: DistancesView, one: FarView) -> str:
    """Nearest and farthest books in a sentence."""
    if not one.far:
        return f"{_MEASURE_STARTS[bool(one.ways)]} no two can be compared."
    told = [line for line in one.far if not one.is_thin(line[0])] or one.far
    near, far = min(told, key=lambda pair: pair[1]), max(told, key=lambda pair: pair[1])
    what = "of the pool changes hands per deal" if one.ways else "of their answers differ"
    return (
        f"{_MEASURE_STARTS[bool(one.ways)]} {_name_pair(view, near[0])} are nearest to each other "
        f"({format_cost_percent(near[1])} {what}), {_name_pair(view, far[0])} farthest apart "
        f"({format_cost_percent(far[1])}).{_say_thin_pairs(view, one)}"
    )


def _say_thin_pairs(view: DistancesView, one: FarView) -> str:
    """Say which books have too few answers in common to be compared, and how few."""
    thin = [f"{_name_pair(view, pair)} ({one.common[pair]})" for pair, _ in one.far if one.is_thin(pair)]
    if not thin or len(thin) == len(one.far):
        return ""
    return f" Too few questions are answered by both of {'; '.join(thin)} to call them near."


def _name_pair(view: DistancesView, pair: Sequence[str]) -> str:
    names = {one.siglum: one.within for one in view.sources}
    return join_names([names[siglum] for siglum in pair])


def _render_tree(view: DistancesView, one: FarView) -> Iterator[nodes.Element]:
    if one.tree is None:
        return
    caption, says = describe_tree(view, one)
    yield add_page_id(tree_figure(one.tree, _marks(view), [caption], says), f"far-{one.name}")


def describe_tree(view: DistancesView, one: FarView) -> tuple[str, str]:
    """Caption of a tree, and the tree in words."""
    caption = (
        f"By money: {one.title.lower()}, share of the opening pool that changes hands in a deal"
        if one.ways
        else "By answers: share of the questions asked by our deals and answered by both on which they differ"
    )
    joined = _name_branches(one.tree, _marks(view)) if one.tree else ""
    left = [each.name for each in view.sources if one.tree and each.siglum not in one.tree.leaves]
    caption += f"; not simulated yet: {join_names(left)}" if left else ""
    return caption, f"Tree of the books. What stands in brackets is joined first: {joined}."


def _marks(view: DistancesView) -> Mapping[str, SourceMark]:
    return {one.siglum: one for one in view.sources}


def render_distance_table(view: DistancesView | None) -> Nodes:
    """Render every pair of books under every measure, both directions, and what a tree can prove."""
    if view is None:
        return []
    measured = view.measures[::-1]
    rows = [
        (_render_pair(view, pair), *(_format_distance(one, pair) for one in measured))
        for pair in combinations([one.siglum for one in view.sources], 2)
    ]
    head = ("Books", *(one.title for one in measured))
    made = table("Every pair of books", head, rows, cls="rv-figures rv-distances")
    made["ids"] = ["table-every-two-books"]  # its address since its first release
    supplied = [para(view.supplied, cls="rv-small")] if view.supplied else []
    pools = f"Before the deal the pool holds {view.pools}. Where it is small, every counter weighs more."
    instead: list[Content] = [
        "Both directions of every pair stand in the ",
        page_link("survey-data", "data of the surveys"),
        ".",
    ]
    directions = defer_content("both-directions", instead, *_render_directions(view))
    method = details("How this is measured", *map(para, MEANS.values()), para(pools), directions, cls="rv-fold")
    return [made, *supplied, method, _render_proof_limits(view)]


def _render_pair(view: DistancesView, pair: Sequence[str]) -> list[Content]:
    marks = _marks(view)
    return join_content((named_source(marks[siglum]) for siglum in pair), " and ")


def _format_distance(one: FarView, pair: tuple[str, str]) -> str:
    if pair not in dict(one.far):
        return "–"
    return format_cost_percent(dict(one.far)[pair]) + (f" of {one.common[pair]}" if one.is_thin(pair) else "")


MEANS: Mapping[str, str] = {
    "counters": (
        "By money: the share of the opening pool that would have to change hands in a deal to turn the result by one "
        "book into the result by the other, on average over simulated deals; the mean of both directions, the cards "
        "being played by the rules of either. Smallest counters are taken one for one. Deals that the other book "
        "forbids as played are left out, and counted in the tables below."
    ),
    "questions": (
        "By answers: the share of the questions on which two books answer differently, of those that our deals ask "
        "and both answer themselves; what no deal asks and what we supply does not count. Every question counts for "
        "one, whether it moves the whole pool or nothing."
    ),
    "tree": (
        "A tree joins what lies nearest first, and then, again and again, the groups whose members lie nearest on "
        "average (average linkage). The scale is the distance at which two groups are joined."
    ),
}


def _render_directions(view: DistancesView) -> Iterator[nodes.Node]:
    marks, head = _marks(view), ("Deals of", "Settled as", "Share of the pool", "Per deal", "Forbidden as played")
    for one in view.measures:
        lines = [
            (
                [named_source(marks[way.own])],
                [named_source(marks[way.other])],
                f"{way.moved} of our pool" if way.pool_supplied and way.settled else way.moved,
                way.counters,
                f"{way.forbidden} of deals",
            )
            for way in one.ways
        ]
        if lines:
            yield table(f"Both directions: {one.title.lower()}", head, lines, cls="rv-stack rv-figures")


def _render_proof_limits(view: DistancesView) -> nodes.section:
    many = f"{capitalise(spell_number(len(view.sources)))} books can be joined in {view.trees} trees of this kind"
    joined = {len(one.tree.leaves) for one in view.measures if one.tree} - {len(view.sources)}
    fewer = (f" (a tree of {spell_number(some)} only, once in {count_rooted_trees(some)})" for some in sorted(joined))
    told: list[Content] = [
        para(f"{many}, so that a tree drawn blindly is right once in {view.trees} times{''.join(fewer)}. {view.agree}"),
        para(*(f"{one.title}: {one.steady}. " for one in view.measures if one.steady)),
    ]
    return section("proof", "How little a tree proves", para(LIMITS), details("The other trees", *told, cls="rv-fold"))


LIMITS = (
    "A tree always comes out, whatever is put in: it says who plays most alike, not who copied whom. Two books can be "
    "near each other because one descends from the other, because both descend from a third, or because both were "
    "tidied by editors of one taste, of whom we are some. Chance in the simulation is the least of these doubts, and "
    "the only one that more deals can take away; which texts have survived, and which questions we thought of asking "
    "them, no simulation can mend."
)
