"""Weight of each difference at the table, from the stored surveys alone.

They are stored by `reversis.files.surveys`. The page shows the chart, the largest differences in words and the table of
all questions; each surveyed source has a page of its own with everything that was priced at its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    Content,
    add_anchor,
    labelled_span,
    link,
    span,
)
from edition.nodes.charts import ChartRow, DrawnValue, bar_key, bar_rows, choose_scale
from edition.nodes.components import SourceMark, source_chip, source_shape
from edition.views.common import QuestionLink, question_link
from edition.views.layout import join_content
from edition.views.plain_answers import source_marks
from lab.survey.statistics import Weight
from lab.survey.variants import VARIANT_SOURCE
from reversis.files.extras import find_questions_shown_apart, get_surveys
from reversis.files.surveys import Seated, StoredSurvey
from reversis.findings.costs import (
    FEWEST_SETTLED,
    DisagreementCost,
    describe_cost,
    describe_mixed_scales,
    describe_no_cost,
    describe_supplied_pools,
    find_costs,
    find_question_costs,
    find_supplied_pools,
    format_cost_figure,
    format_cost_frequency,
    format_cost_interval,
    format_cost_percent,
    get_cost_sort_key,
    list_weights,
)
from reversis.findings.leading import list_seated_sources, sort_policies, sort_surveys
from reversis.views.page_template import name_policy, page_renderer
from reversis.views.surveys.cost_readings import CostReading, cost_reading, describe_spread
from reversis.views.surveys.finding_ranges import FindingRangesView, finding_ranges_view, render_finding_note
from reversis.views.surveys.surveys import explain_lead
from reversis.views.surveys.variant_labels import VariantLabel, render_variant_label, variant_label
from rulebook.drafts import list_finished_sources
from rulebook.phrases import format_count, join_names, pluralize_counter

CHART_ROWS = 15  #: questions in the chart
SMALL_SHARE = 0.01  #: of the pool: less than this hardly matters
READ_ROWS = 5  #: questions that are read in prose
OUR_POOL_MARK = "†"  #: at a share of a pool that the book does not name


# ---- what is shown


@dataclass(frozen=True, slots=True)
class CostRow:
    """One difference at one table, under every policy; the last of them leads on the page."""

    cost: DisagreementCost
    table: SourceMark
    unit: str  #: of the table, in the plural
    label: VariantLabel
    figures: tuple[tuple[str, Weight], ...]  #: by policy
    pool_supplied: bool
    assumed: frozenset[str] = frozenset()  #: sigla of the sides that do not answer the question themselves

    @property
    def lead(self) -> Weight:
        """Figures under the policy that leads."""
        return self.figures[-1][1]

    @property
    def is_small(self) -> bool:
        """True if it moves less than a hundredth of the pool, as far as it was seen."""
        return self.lead.known and self.lead.of_pool.value < SMALL_SHARE

    def format_percent(self, policy: str) -> str:
        """Format the share of the pool under one policy, or why there is none; empty where that was not surveyed."""
        weight = dict(self.figures).get(policy)
        if weight is None:
            return ""
        moving = weight.known and weight.moving > 0
        return format_cost_percent(weight.of_pool.value) if moving else describe_no_cost(self.cost, weight)

    def format_counters(self, weight: Weight) -> str:
        """Format what is moved in a deal, in the table's counters; empty where nothing is."""
        return f"{format_cost_figure(weight.moved.value)} {self.unit}" if weight.known and weight.moving > 0 else ""


#: One question at the table, and with the answer, where it matters most; and whether a deal shows it.
QuestionRow: TypeAlias = tuple[QuestionLink, bool, CostRow]


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that was priced at the table of one source."""

    source: SourceMark
    pool: str
    pool_supplied: bool
    pools: str  #: on the pool, where it is ours
    left: str  #: on books that came after the survey
    policies: tuple[str, ...]
    sizes: str
    lead: str  #: why these players lead
    rows: tuple[CostRow, ...]

    @property
    def whole(self) -> tuple[CostRow, ...]:
        """Differences that are all answers of another book."""
        return tuple(row for row in self.rows if row.label.stands[0].kind == VARIANT_SOURCE)

    @property
    def single(self) -> tuple[CostRow, ...]:
        """Differences that are one answer or one reading, the largest first."""
        whole = self.whole
        return tuple(row for row in self.rows if row not in whole)


@dataclass(frozen=True, slots=True)
class CostsView:
    """The whole page."""

    policies: tuple[str, ...]
    sizes: str  #: how many deals were simulated
    spread: str  #: how far the policies part; empty for fewer than three
    lead: str  #: why these players lead
    questions: tuple[QuestionRow, ...]
    readings: tuple[CostReading, ...]
    tables: tuple[tuple[SourceMark, int], ...]  #: with the number of differences that were priced there
    pools: str  #: on pools that we supply
    scales: str  #: on sums in two counters
    left: str  #: on books that came after the survey
    ranges: FindingRangesView | None  #: of a figure over other readings, where they were tried

    @property
    def charted(self) -> tuple[QuestionRow, ...]:
        """Questions that stand in the chart."""
        return self.questions[:CHART_ROWS]


def costs_view(corpus: Corpus, _: str = "") -> CostsView | None:
    """Every question with its weight; nothing where nothing was surveyed."""
    if not get_surveys(corpus):
        return None
    policies = sort_policies(corpus)
    costliest = find_costliest(corpus, policies[-1])
    shown_apart = find_questions_shown_apart(corpus)
    questions = tuple(
        (question_link(corpus.library.questions[slug]), slug in shown_apart, cost_row(corpus, cost, policies, slug))
        for slug, cost in costliest.items()
    )
    readings = (cost_reading(corpus, slug, cost, policies[-1]) for slug, cost in list(costliest.items())[:READ_ROWS])
    counts = ((mark, len(list_table_costs(corpus, mark.siglum))) for mark in _surveyed_sources(corpus))
    pools = describe_supplied_pools(corpus)
    return CostsView(
        policies,
        describe_sizes(sort_surveys(corpus)),
        describe_spread(list(costliest.values()), policies),
        explain_lead(corpus),
        questions,
        tuple(readings),
        tuple(counts),
        pools,
        describe_mixed_scales(corpus),
        describe_unsurveyed(corpus),
        finding_ranges_view(corpus),
    )


def describe_sizes(surveys: Sequence[StoredSurvey]) -> str:
    """Say how many deals were simulated at each table, and by whom, where not all surveys are of one size."""
    sizes = [(f"{survey.deals:,}", name_policy(survey.policy).lower()) for survey in reversed(surveys)]
    if len({size for size, _ in sizes}) == 1:
        return f"{sizes[0][0]} simulated deals"
    return f"simulated deals ({join_names([f'{size} with {name}' for size, name in sizes])})"


def describe_unsurveyed(corpus: Corpus) -> str:
    """Words on the books that came after the survey; empty if there are none."""
    surveyed, marks = _last_tables(corpus), source_marks(corpus)
    left = [marks[source].name for source in list_finished_sources(corpus.library) if source not in surveyed]
    return f"not simulated yet: {join_names(left)}" if left else ""


def _surveyed_sources(corpus: Corpus) -> Iterator[SourceMark]:
    marks = source_marks(corpus)
    yield from (marks[table.siglum] for table in _last_tables(corpus).values())


def _last_tables(corpus: Corpus) -> dict[str, Seated]:
    """Tables of all surveys by siglum, of several that of the leading one, so far as the sources are still there."""
    tables = (table for survey in sort_surveys(corpus) for table in survey.tables)
    return {table.siglum: table for table in tables if table.siglum in corpus.library.sources}


def find_costliest(corpus: Corpus, policy: str) -> dict[str, DisagreementCost]:
    """For every question the difference that matters most under a policy, the largest first.

    What we assume for two silent books is no difference between them.
    """
    costs_by_question = {
        slug: [
            cost
            for cost in find_question_costs(find_costs(corpus), slug)
            if cost.of(policy) and not cost.is_between_assumptions(slug)
        ]
        for slug in corpus.library.questions
    }
    most = {
        slug: max(some, key=lambda cost: get_cost_sort_key(cost, policy))
        for slug, some in costs_by_question.items()
        if some
    }
    return dict(sorted(most.items(), key=lambda item: get_cost_sort_key(item[1], policy), reverse=True))


def list_table_costs(corpus: Corpus, siglum: str) -> list[DisagreementCost]:
    """Differences priced at the table of a source: whole sources first, then the largest."""
    lead = sort_policies(corpus, (siglum,))[-1]
    mine = [cost for cost in find_costs(corpus) if cost.table == siglum and cost.of(lead)]
    mine.sort(key=lambda priced: get_cost_sort_key(priced, lead), reverse=True)
    return sorted(mine, key=lambda priced: not priced.whole)


def list_cost_tables(surveys: Sequence[StoredSurvey], sources: Iterable[str]) -> tuple[str, ...]:
    """Sigla of the sources whose tables have a page."""
    seated_sources = list_seated_sources(surveys)
    return tuple(source for source in sources if source in seated_sources)


def table_view(corpus: Corpus, siglum: str) -> TableView | None:
    """Everything that was priced at the table of one source; nothing where it was not surveyed."""
    seated = _last_tables(corpus).get(siglum)
    if seated is None:
        return None
    unit = seated.unit if seated.pool == 1 else pluralize_counter(seated.unit)
    policies = sort_policies(corpus, (siglum,))
    return TableView(
        source_marks(corpus)[siglum],
        f"{seated.pool} {unit}",
        siglum in find_supplied_pools(corpus),
        describe_supplied_pools(corpus, (siglum,)) if siglum in find_supplied_pools(corpus) else "",
        describe_unsurveyed(corpus),
        policies,
        describe_sizes(sort_surveys(corpus, (siglum,))),
        explain_lead(corpus, (siglum,)),
        tuple(cost_row(corpus, cost, policies) for cost in list_table_costs(corpus, siglum)),
    )


def cost_row(corpus: Corpus, cost: DisagreementCost, policies: Sequence[str], slug: str = "") -> CostRow:
    """One difference with its figures under every policy, the leading last."""
    marks, unit = source_marks(corpus), pluralize_counter(corpus.library.sources[cost.table].unit)
    return CostRow(
        cost,
        marks[cost.table],
        unit,
        variant_label(corpus, cost.stands, cost.ruleset),
        list_weights(dict(cost.weights), policies),
        cost.pool_supplied,
        cost.list_assumed(slug or next(iter(cost.questions), "")),
    )


def describe_frequency(weight: Weight) -> str:
    """Describe how often a difference matters."""
    if not weight.settled and not weight.forbidden.value:
        return "no deal settled by both"
    if not weight.events:
        return f"under {format_cost_percent(weight.at_most)} of deals"
    if not weight.moving and weight.forbidden.value:
        return f"forbidden in {format_cost_frequency(weight.forbidden.value)}"
    if weight.settled < FEWEST_SETTLED and weight.forbidden.value:
        return f"only {format_count(weight.settled, 'deal')} of {weight.deals:,} settled by both"
    return format_cost_frequency(weight.changed.value)


# ---- charts
def _draw_chart(rows: Sequence[ChartRow], costs: Iterable[CostRow], cls: str = "") -> nodes.Node:
    values = [weight.of_pool.value for cost in costs for _, weight in cost.figures]
    return bar_rows(rows, choose_scale(max(values, default=0.0)), "share of the opening pool, per deal", cls)


def draw_question_chart(questions: Sequence[QuestionRow]) -> nodes.Node:
    """Draw a bar for each question, which can be linked to."""
    return _draw_chart(list(map(_draw_question_bar, questions)), [row for _, _, row in questions])


def draw_table_chart(rows: Sequence[CostRow]) -> nodes.Node:
    """Draw a bar for each difference at one table."""
    bars = [_draw_bar(_label_row(row), row) for row in rows]
    return _draw_chart(bars, rows, "rv-cost-plain")


def _label_row(row: CostRow) -> list[Content]:
    label = render_variant_label(row.label)
    ours = span("the book’s own answer is our assumption", cls="rv-cost-line rv-cost-notes")
    return [*label, ours] if row.table.siglum in row.assumed else label


def render_key(policies: Sequence[str], questions: Sequence[QuestionRow]) -> nodes.Node:
    """Render the key of a chart: the policies, and the books whose answers stand in it."""
    rows = [row for _, _, row in questions]
    books = dict.fromkeys(mark for row in rows for mark in (row.table, *row.label.givers))
    extra: list[Content] = []
    if books:
        arrow = span("A ← B", cls="rv-cost-arrow")
        chips = span(*join_content(map(source_chip, books), " "), cls="rv-cost-books")
        extra = [span(arrow, " by the rules of book A, with the answer of book B")]
        if any(row.pool_supplied for row in rows):
            extra.append(span(OUR_POOL_MARK, " of a pool that is our assumption"))
        extra.append(chips)
    return bar_key(list(map(name_policy, reversed(policies))), extra)


def _draw_question_bar(row: QuestionRow) -> ChartRow:
    question, _, cost = row
    label = span(link("question", question.id, question.asks))
    add_anchor(label, "cost", question.id, f"How much {question.id} matters", at=f"cost-{question.id}")
    table, *givers = (
        mark.within + (" (our assumption)" if mark.siglum in cost.assumed else "")
        for mark in (cost.table, *cost.label.givers)
    )
    exchange = labelled_span(
        f"by the rules of {table}, with the answer of {join_names(givers)}",
        source_shape(cost.table, cost.table.siglum in cost.assumed),
        span("←", aria_hidden="true"),
        *(source_shape(giver, giver.siglum in cost.assumed) for giver in cost.label.givers),
        cls="rv-exchange",
    )
    return _draw_bar([label], cost, exchange, marked=cost.pool_supplied)


def _draw_bar(label: Sequence[Content], cost: CostRow, at: Content = "", marked: bool = False) -> ChartRow:
    """Row of a chart; *marked* where its pool is ours, and not that of every row."""
    (policy, lead), *others = reversed(cost.figures)  # in the order of the key
    drawn = DrawnValue(lead.of_pool, tuple(weight.of_pool.value for _, weight in others), describe_figures(cost))
    few = f"only {format_count(lead.moving, 'such deal')}: a rough guess" if lead.few else ""
    notes: list[Content] = [" · ".join(filter(None, (cost.format_counters(lead), describe_frequency(lead), few)))]
    notes += [" ", labelled_span("our pool", OUR_POOL_MARK, cls="rv-our-pool")] if marked else []
    return ChartRow(label, drawn, cost.format_percent(policy), notes, at)


def describe_figures(cost: CostRow) -> str:
    """All figures of a difference in words: for whoever points at its bar."""
    return " ".join(_describe_figure(cost, *figure) for figure in reversed(cost.figures))


def _describe_figure(row: CostRow, policy: str, weight: Weight) -> str:
    counters = row.format_counters(weight)
    between = f" (95 %: {format_cost_interval(weight.of_pool)}) = {counters} per deal" if counters else ""
    worst = f"At most {weight.worst:,} in deal {weight.worst_deal:,}." if weight.worst else ""
    means = describe_cost(row.cost, weight)
    return f"{name_policy(policy)}: {row.format_percent(policy)}{between}. {means} {worst}".strip()


render_costs = page_renderer(
    "costs", chart=draw_question_chart, frequency=describe_frequency, key=render_key, note=render_finding_note
)
render_cost_table = page_renderer("cost-table", chart=draw_table_chart, key=render_key)
