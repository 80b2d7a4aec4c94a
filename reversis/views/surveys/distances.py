"""Distances between books, by money that changes hands and by answers: two trees, and a table of all pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isinf, sqrt

from docutils import nodes

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.nodes.builders import add_page_id, block
from edition.nodes.charts import tree_figure
from edition.nodes.components import SourceMark
from edition.views.layout import Nodes
from edition.views.plain_answers import source_marks
from lab.survey.statistics import Weight
from lab.survey.variants import VARIANT_SOURCE
from reversis.files.extras import get_surveys
from reversis.files.surveys import StoredSurvey
from reversis.findings.costs import (
    FEWEST_SETTLED,
    POLICY_HEADINGS,
    describe_mixed_scales,
    describe_supplied_pools,
    find_costs,
    find_supplied_pools,
    format_cost_figure,
    format_cost_percent,
)
from reversis.findings.leading import sort_surveys
from reversis.findings.share_of_own_answers import measure_own_share
from reversis.views.page_template import page_renderer
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
from rulebook.phrases import format_count, format_counters, join_names, pluralize_counter, spell_number

Far = tuple[tuple[tuple[str, str], float], ...]  #: every pair once, with how far it is apart
FEWEST_COMMON = 20  #: answers to the same questions below which two books are not called near or far


@dataclass(frozen=True, slots=True)
class Way:
    """One source's deals priced under another."""

    own: str
    other: str
    moved: str  #: of the opening pool, a deal
    counters: str
    settled: int  #: deals that both books settle
    forbidden: str
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
    settled: Mapping[tuple[str, str], tuple[int, int]] = FrozenMap()  #: of money: deals of either that both settle

    def is_thin(self, pair: tuple[str, str]) -> bool:
        """Return whether two books have too little in common, or in one direction only, to be called near or far."""
        fewest = min(self.settled.get(pair, (FEWEST_SETTLED,)))
        return self.common.get(pair, FEWEST_COMMON) < FEWEST_COMMON or fewest < FEWEST_SETTLED

    @property
    def thin(self) -> tuple[tuple[str, str], ...]:
        """Pairs that are not called near or far."""
        return tuple(pair for pair, _ in self.far if self.is_thin(pair))

    @property
    def one_way(self) -> tuple[float, ...]:
        """Distances of the pairs that are not ranked, in order of size."""
        return tuple(sorted(value for pair, value in self.far if self.is_thin(pair)))

    @property
    def nearest(self) -> tuple[tuple[str, str], float]:
        """Nearest pair of books, of those that can be compared."""
        return min(self.ranked, key=lambda line: line[1])

    @property
    def farthest(self) -> tuple[tuple[str, str], float]:
        """Farthest pair of books, of those that can be compared."""
        return max(self.ranked, key=lambda line: line[1])

    @property
    def ranked(self) -> Sequence[tuple[tuple[str, str], float]]:
        """Pairs that can be compared."""
        return [line for line in self.far if not self.is_thin(line[0])]


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
    scales: str = ""  #: on sums in two counters
    leaning: Mapping[str, tuple[str, ...]] = FrozenMap()  #: book -> those that take most from it

    @property
    def marks(self) -> Mapping[str, SourceMark]:
        """Marks of the books, by siglum."""
        return {mark.siglum: mark for mark in self.sources}

    @property
    def pictured(self) -> tuple[FarView, ...]:
        """Measures that are drawn: the leading policy, and the answers."""
        by_money = [measure for measure in self.measures if measure.ways]
        return (*by_money[-1:], *(measure for measure in self.measures if not measure.ways))

    @property
    def smaller(self) -> tuple[tuple[int, int], ...]:
        """Numbers of books of trees that do not hold all of them, and in how many ways they can be joined."""
        sizes = {len(measure.tree.leaves) for measure in self.measures if measure.tree} - {len(self.sources)}
        return tuple((size, count_rooted_trees(size)) for size in sorted(sizes))


@cached_on_corpus
def distances_view(corpus: Corpus, _: str = "") -> DistancesView | None:
    """By every policy that was surveyed, and by questions; nothing where nothing was surveyed."""
    sigla = list_finished_sources(corpus.library)
    if not get_surveys(corpus) or len(sigla) < 3:
        return None
    measures = (
        *(measure_by_policy(corpus, survey.policy, _list_surveyed(survey, sigla)) for survey in sort_surveys(corpus)),
        measure_by_questions(corpus, sigla),
    )
    marks = source_marks(corpus)
    tables = [table for table in get_surveys(corpus)[0].tables if table.siglum in marks]
    pools = join_names([f"{format_counters(table.pool, table.unit)} ({marks[table.siglum].name})" for table in tables])
    supplied = describe_supplied_pools(corpus, sigla)
    trees = count_rooted_trees(len(sigla))
    drawn = [measure for measure in measures if measure.tree is not None]
    agree = _compare_measure_trees(drawn, marks) if len(drawn) > 1 else ""
    books = tuple(marks[siglum] for siglum in sigla)
    leaning = _find_leaning(corpus, sigla)
    return DistancesView(
        books, pools, supplied, measures, trees, agree, explain_lead(corpus), describe_mixed_scales(corpus), leaning
    )


def _find_leaning(corpus: Corpus, sigla: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Find the books that answer less than half of what their deals ask, by the book from which most is taken."""
    leaning: dict[str, tuple[str, ...]] = {}
    for siglum in sigla:
        share = measure_own_share(corpus.library, siglum)
        lender = next((name for name, _ in share.taken_from if name in sigla), "") if share else ""
        if share and lender and share.is_leaning:
            leaning[lender] = (*leaning.get(lender, ()), siglum)
    return FrozenMap(leaning)


def _list_surveyed(survey: StoredSurvey, sigla: Sequence[str]) -> list[str]:
    """The sources that have a table in the survey; one that was added since has none yet."""
    seated = {table.siglum for table in survey.tables}
    return [siglum for siglum in sigla if siglum in seated]


# ---- by counters
def measure_by_policy(corpus: Corpus, policy: str, sigla: Sequence[str]) -> FarView:
    """Counters moved in a deal, as the mean of both directions; of one where the other has too few settled deals."""
    weights = {
        (cost.table, stand.source): weight
        for cost in find_costs(corpus)
        for stand in cost.stands
        if stand.kind == VARIANT_SOURCE and (weight := cost.of(policy)) is not None
    }
    both = {
        pair: [w for way in (pair, pair[::-1]) if (w := weights.get(way)) and w.settled >= FEWEST_SETTLED]
        for pair in combinations(sigla, 2)
    }
    far = {pair: sum(w.of_pool.value for w in some) / len(some) for pair, some in both.items() if some}
    errors = {pair: sqrt(sum(estimate_standard_error(w) ** 2 for w in both[pair])) / len(both[pair]) for pair in far}
    leaves = _list_two_way_books(sigla, both)
    known = {frozenset(pair): (far[pair], errors[pair]) for pair in combinations(leaves, 2)}
    joined = build_distance_tree(leaves, {pair: value for pair, (value, _) in known.items()}) if leaves else None
    counters = {frozenset(pair): sum(w.moved.value for w in some) / max(len(some), 1) for pair, some in both.items()}
    bare = build_distance_tree(leaves, counters) if joined else None
    ways = tuple(_build_price_direction(corpus, *pair, weights[pair]) for pair in weights if set(pair) <= set(sigla))
    steady = describe_tree_steadiness(leaves, joined, known)
    count = {way: way_weight.settled for way, way_weight in weights.items()}
    settled = {pair: (count.get(pair, 0), count.get(pair[::-1], 0)) for pair in far}
    title = POLICY_HEADINGS.get(policy, policy)
    return FarView(policy, title, tuple(far.items()), ways, joined, bare, steady, settled=settled)


def _list_two_way_books(sigla: Sequence[str], both: Mapping[tuple[str, str], Sequence[Weight]]) -> list[str]:
    """List books of which every pair is measured both ways: whoever stands in most other pairs goes first."""
    left = list(sigla)
    while one_way := [siglum for pair, some in both.items() if {*pair} <= {*left} and len(some) < 2 for siglum in pair]:
        left.remove(max(left, key=one_way.count))
    return left if len(left) > 2 else []


def describe_tree_steadiness(
    sigla: Sequence[str], joined: TreeNode | None, far: Mapping[SourcePair, tuple[float, float]]
) -> str:
    """Frequency of the same tree when distances vary by the survey's chance error."""
    if joined is None:
        return ""
    moved = perturb_trees(sigla, far)
    return f"with every distance varied by the chance error of the survey, {_format_tree_frequency(moved, joined)}"


def estimate_standard_error(weight: Weight) -> float:
    """Standard error of a mean, as a share of the pool."""
    estimate = weight.of_pool
    return 0.0 if isinf(estimate.high) else (estimate.high - estimate.value) / compute_z_value(0.95)


def _build_price_direction(corpus: Corpus, own: str, other: str, weight: Weight) -> Way:
    unit = pluralize_counter(corpus.library.sources[own].unit)
    moved, counters = (
        (format_cost_percent(weight.of_pool.value), f"{format_cost_figure(weight.moved.value)} {unit}")
        if weight.settled >= FEWEST_SETTLED
        else ("–", "–")
    )
    forbidden = format_cost_percent(weight.forbidden.value)
    return Way(own, other, moved, counters, weight.settled, forbidden, own in find_supplied_pools(corpus))


# ---- by questions
def measure_by_questions(corpus: Corpus, sigla: Sequence[str]) -> FarView:
    """Share of questions answered differently, whatever they cost."""
    answers = collect_answers_by_source(corpus.library)
    far = compute_question_distances(answers)
    distance_tree = build_distance_tree(sigla, far)
    steady = f"with the questions resampled, {_format_tree_frequency(bootstrap_trees(answers), distance_tree)}"
    named = tuple((pair, far[frozenset(pair)]) for pair in combinations(sigla, 2))
    common = {
        (first, second): sum(bool(a and b) for a, b in zip(answers[first], answers[second], strict=True))
        for first, second in combinations(sigla, 2)
    }
    return FarView("questions", "Answers that differ", named, (), distance_tree, None, steady, common)


def _format_tree_frequency(counts: Mapping[TreeShape, int], tree: TreeNode) -> str:
    return f"the same tree comes out {counts.get(tree.shape, 0):,} times in {BOOTSTRAP_DRAWS:,}"


def _compare_measure_trees(measures: Sequence[FarView], marks: Mapping[str, SourceMark]) -> str:
    trees = [(measure.title.lower(), measure.tree) for measure in measures]
    trees += [(f"{measure.title.lower()}, in bare counters whatever the pool is", measure.bare) for measure in measures]
    known = [(name, tree) for name, tree in trees if tree is not None]
    names = "; ".join(f"{name}: {_name_branches(tree, marks)}" for name, tree in known)
    if len({tree.shape for _, tree in known}) == 1:
        return "All measures give trees of one shape."
    return f"The measures give different trees ({names})."


def _name_branches(node: TreeNode, marks: Mapping[str, SourceMark]) -> str:
    if not node.branches:
        return marks[node.leaves[0]].name
    return f"({' + '.join(_name_branches(each, marks) for each in node.branches)})"


# ---- layout
render_lede = page_renderer("distances-lede", count=format_count, fewest=FEWEST_SETTLED)
render_distance_table = page_renderer("distance-table", spell_number=spell_number, fewest=FEWEST_SETTLED)


def render_distances(view: DistancesView | None) -> Nodes:
    """Render what the distances say, and a tree by money and one by answers."""
    drawn = [_draw_tree(view, measure) for measure in view.pictured if measure.tree] if view else []
    return [*render_lede(view), *([block(*drawn, cls="rv-trees")] if drawn else [])]


def _draw_tree(view: DistancesView, measure: FarView) -> nodes.Element:
    assert measure.tree is not None
    caption, words = describe_tree(view, measure)
    return add_page_id(tree_figure(measure.tree, view.marks, [caption], words), f"far-{measure.name}")


def describe_tree(view: DistancesView, measure: FarView) -> tuple[str, str]:
    """Caption of a tree, and the tree in words."""
    caption = (
        f"By money: {measure.title.lower()}, share of the opening pool that changes hands in a deal"
        if measure.ways
        else "By answers: share of the questions asked by our deals and answered by both on which they differ"
    )
    joined = _name_branches(measure.tree, view.marks) if measure.tree else ""
    surveyed = {siglum for pair in measure.settled for siglum in pair}
    left = [mark for mark in view.sources if measure.tree and mark.siglum not in measure.tree.leaves]
    one_way = [mark.name for mark in left if mark.siglum in surveyed]
    new = [mark.name for mark in left if mark.siglum not in surveyed]
    caption += f"; left out, since they are measured one way: {join_names(one_way)}" if one_way else ""
    caption += f"; not simulated yet: {join_names(new)}" if new else ""
    return caption, f"Tree of the books. What stands in brackets is joined first: {joined}."
