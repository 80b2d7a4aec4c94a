"""Weight of each difference at the table, from the stored surveys alone.

They are stored by `reversis.files.surveys`. The page shows the chart, the largest differences in words and the table of
all questions; each surveyed source has a page of its own with everything that was priced at its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    Content,
    add_anchor,
    details,
    labelled_span,
    link,
    para,
    section,
    span,
    table,
)
from edition.nodes.charts import ChartRow, DrawnValue, bar_key, bar_rows, choose_scale
from edition.nodes.components import SourceMark, source_chip, source_shape
from edition.views.common import QuestionLink, question_link
from edition.views.layout import Nodes, build_page_section, join_content
from edition.views.plain_answers import source_marks
from lab.survey.statistics import Weight
from lab.survey.variants import VARIANT_SOURCE
from reversis.files.extras import find_questions_shown_apart, get_surveys
from reversis.files.surveys import SURVEYS_FOLDER, Seated, StoredSurvey
from reversis.findings.costs import (
    POLICY_HEADINGS,
    DisagreementCost,
    describe_cost,
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
from reversis.views.surveys.cost_readings import CostReading, cost_reading, describe_spread, render_reading
from reversis.views.surveys.surveys import NO_SURVEY, explain_lead
from reversis.views.surveys.variant_labels import StandView, render_variant_label, stand_view
from rulebook.drafts import list_finished_sources
from rulebook.estimates import Estimate
from rulebook.phrases import join_names, pluralize_counter

CHART_ROWS = 15  #: so many questions stand in the chart
READ_ROWS = 5  #: so many are read in prose
OUR_POOL_MARK = "†"  #: at a share of a pool that the book does not name


# ---- what is shown


@dataclass(frozen=True, slots=True)
class CostFigure:
    """One difference under one policy."""

    policy: str
    of_pool: Estimate
    percent: str
    between: str
    counters: str  #: moved in a deal, in the table's own; empty where none are
    often: str
    means: str
    worst: str


@dataclass(frozen=True, slots=True)
class CostRow:
    """One difference at one table, under every policy; the last of them leads on the page."""

    table: SourceMark
    givers: tuple[SourceMark, ...]
    stands: tuple[StandView, ...]
    brought: tuple[str, ...]  #: ids of questions whose answers had to come along
    figures: tuple[CostFigure, ...]
    pool_supplied: bool

    @property
    def lead(self) -> CostFigure:
        """Figures of the leading policy."""
        return self.figures[-1]


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question at the table, and with the answer, where it matters most."""

    question: QuestionLink
    apart: bool
    cost: CostRow


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
    left: str  #: on books that came after the survey


def costs_view(corpus: Corpus, _: str = "") -> CostsView | None:
    """Every question with its weight; nothing where nothing was surveyed."""
    if not get_surveys(corpus):
        return None
    policies = sort_policies(corpus)
    costliest = find_costliest(corpus, policies[-1])
    shown_apart = find_questions_shown_apart(corpus)
    questions = tuple(
        QuestionRow(question_link(corpus.library.questions[slug]), slug in shown_apart, cost_row(corpus, one, policies))
        for slug, one in costliest.items()
    )
    readings = (cost_reading(corpus, slug, one, policies[-1]) for slug, one in list(costliest.items())[:READ_ROWS])
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
        describe_unsurveyed(corpus),
    )


def describe_sizes(surveys: Sequence[StoredSurvey]) -> str:
    """Say how many deals were simulated at each table, and by whom, where not all surveys are of one size."""
    sizes = [(f"{one.deals:,}", POLICY_HEADINGS.get(one.policy, one.policy).lower()) for one in reversed(surveys)]
    if len({size for size, _ in sizes}) == 1:
        return f"{sizes[0][0]} simulated deals"
    return f"simulated deals ({join_names([f'{size} with {name}' for size, name in sizes])})"


def describe_unsurveyed(corpus: Corpus) -> str:
    """Words on the books that came after the survey; empty if there are none."""
    surveyed, marks = _last_tables(corpus), source_marks(corpus)
    left = [marks[one].name for one in list_finished_sources(corpus.library) if one not in surveyed]
    return f"not simulated yet: {join_names(left)}" if left else ""


def _surveyed_sources(corpus: Corpus) -> Iterator[SourceMark]:
    marks = source_marks(corpus)
    yield from (marks[one.siglum] for one in _last_tables(corpus).values())


def _last_tables(corpus: Corpus) -> dict[str, Seated]:
    """Tables of all surveys by siglum, of several that of the leading one, so far as the sources are still there."""
    tables = (one for survey in sort_surveys(corpus) for one in survey.tables)
    return {one.siglum: one for one in tables if one.siglum in corpus.library.sources}


def find_costliest(corpus: Corpus, policy: str) -> dict[str, DisagreementCost]:
    """For every question the difference that matters most under a policy, the largest first."""
    found = {
        slug: [one for one in find_question_costs(find_costs(corpus), slug) if one.of(policy)]
        for slug in corpus.library.questions
    }
    most = {slug: max(some, key=lambda one: get_cost_sort_key(one, policy)) for slug, some in found.items() if some}
    return dict(sorted(most.items(), key=lambda one: get_cost_sort_key(one[1], policy), reverse=True))


def list_table_costs(corpus: Corpus, siglum: str) -> list[DisagreementCost]:
    """Differences priced at the table of a source: whole sources first, then the largest."""
    lead = sort_policies(corpus, (siglum,))[-1]
    mine = [one for one in find_costs(corpus) if one.table == siglum and one.of(lead)]
    mine.sort(key=lambda one: get_cost_sort_key(one, lead), reverse=True)
    return sorted(mine, key=lambda one: not one.whole)


def list_cost_tables(surveys: Sequence[StoredSurvey], sources: Iterable[str]) -> tuple[str, ...]:
    """Sigla of the sources whose tables have a page."""
    known = list_seated_sources(surveys)
    return tuple(one for one in sources if one in known)


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
        tuple(cost_row(corpus, one, policies) for one in list_table_costs(corpus, siglum)),
    )


def cost_row(corpus: Corpus, one: DisagreementCost, policies: Sequence[str]) -> CostRow:
    """One difference with its figures under every policy, the leading last."""
    marks, unit = source_marks(corpus), pluralize_counter(corpus.library.sources[one.table].unit)
    stands = tuple(stand_view(corpus, stand) for stand in one.stands)
    told = {asked.id for stand in stands for asked in stand.questions}
    wished = (wish.partition("@")[0] for wish in one.ruleset.split(" + ")[1:] if "@" in wish)
    givers = dict.fromkeys(stand.source for stand in one.stands if stand.source in marks)
    return CostRow(
        marks[one.table],
        tuple(marks[siglum] for siglum in givers),
        stands,
        tuple(dict.fromkeys(id for id in wished if id not in told)),
        tuple(_cost_figure(one, policy, found, unit) for policy, found in list_weights(dict(one.weights), policies)),
        one.pool_supplied,
    )


def _cost_figure(cost: DisagreementCost, policy: str, one: Weight, unit: str) -> CostFigure:
    moving = one.known and one.moving > 0
    return CostFigure(
        policy,
        one.of_pool,
        format_cost_percent(one.of_pool.value) if moving else describe_no_cost(cost, one),
        format_cost_interval(one.of_pool) if moving else "",
        f"{format_cost_figure(one.moved.value)} {unit}" if moving else "",
        _describe_frequency(one),
        describe_cost(cost, one),
        f"At most {one.worst:,} in deal {one.worst_deal:,}." if one.worst else "",
    )


def _describe_frequency(one: Weight) -> str:
    if not one.events:
        return f"under {format_cost_percent(one.at_most)} of deals"
    if not one.moving and one.forbidden.value:
        return f"forbidden in {format_cost_frequency(one.forbidden.value)}"
    return format_cost_frequency(one.changed.value)


# ---- the page


def render_costs(view: CostsView | None) -> Nodes:
    """Render the chart, the largest differences in words, the table and the ways on."""
    if view is None:
        return [para(NO_SURVEY)]
    shown = view.questions[:CHART_ROWS]
    lede = para(
        "Take one answer from another book and leave the rest as it is: how many counters would change hands in a "
        f"deal? The {len(shown)} largest of {len(view.questions)} differences, as a share of the opening pool: what "
        "lies in it before the deal.",
        cls="rv-lede",
    )
    rows = [_question_bar(one) for one in shown]
    ours = f"{OUR_POOL_MARK} {view.pools}" if view.pools else ""
    note = f"Averages over {view.sizes} at each table{_append_left(view.left)}. {ours}"
    return [
        lede,
        _render_key(view.policies, [one.cost for one in shown]),
        _chart(rows, [one.cost for one in shown]),
        para(note, cls="rv-small"),
        *(para(words, cls="rv-small") for words in (view.lead, view.spread) if words),
        _render_downloads(view.policies),
        section("largest", f"The {len(view.readings)} largest", *map(render_reading, view.readings), cls="rv-readings"),
        _render_question_table(view, shown),
        _render_table_links(view),
    ]


def _append_left(left: str) -> str:
    return f"; {left}" if left else ""


def _chart(rows: Sequence[ChartRow], costs: Iterable[CostRow], cls: str = "") -> nodes.Node:
    values = [one.of_pool.value for cost in costs for one in cost.figures]
    return bar_rows(rows, choose_scale(max(values, default=0.0)), "share of the opening pool, per deal", cls)


def _render_key(policies: Sequence[str], rows: Sequence[CostRow]) -> nodes.Node:
    books = dict.fromkeys(mark for one in rows for mark in (one.table, *one.givers))
    extra: list[Content] = []
    if books:
        arrow = span("A ← B", cls="rv-cost-arrow")
        chips = span(*join_content(map(source_chip, books), " "), cls="rv-cost-books")
        extra = [span(arrow, " by the rules of book A, with the answer of book B")]
        if any(one.pool_supplied for one in rows):
            extra.append(span(OUR_POOL_MARK, " of a pool that is our assumption"))
        extra.append(chips)
    return bar_key([POLICY_HEADINGS.get(one, one) for one in reversed(policies)], extra)


def _question_bar(row: QuestionRow) -> ChartRow:
    asked = link("question", row.question.id, row.question.asks)
    label = add_anchor(
        span(asked), "cost", row.question.id, f"How much {row.question.id} matters", at=f"cost-{row.question.id}"
    )
    return _bar([label], row.cost, _render_exchange(row.cost), marked=row.cost.pool_supplied)


def _bar(label: Sequence[Content], cost: CostRow, at: Content = "", marked: bool = False) -> ChartRow:
    """Row of a chart; *marked* where its pool is ours, and not that of every row."""
    lead, *others = reversed(cost.figures)  # in the order of the key
    drawn = DrawnValue(lead.of_pool, tuple(one.of_pool.value for one in others), describe_figures(cost))
    return ChartRow(label, drawn, lead.percent, _render_notes(cost, marked), at)


def _render_notes(cost: CostRow, marked: bool) -> list[Content]:
    notes = " · ".join(filter(None, (cost.lead.counters, cost.lead.often)))
    ours: list[Content] = [" ", labelled_span("our pool", OUR_POOL_MARK, cls="rv-our-pool")] if marked else []
    return [notes, *ours]


def describe_figures(cost: CostRow) -> str:
    """All figures of a difference in words: for whoever points at its bar."""
    return " ".join(_describe_figure(one) for one in reversed(cost.figures))


def _describe_figure(one: CostFigure) -> str:
    between = f" (95 %: {one.between})" if one.between else ""
    counters = f" = {one.counters} per deal" if one.counters else ""
    said = f"{POLICY_HEADINGS.get(one.policy, one.policy)}: {one.percent}{between}{counters}. {one.means} {one.worst}"
    return said.strip()


def _render_exchange(cost: CostRow) -> nodes.inline:
    """Marks of the table and of the books whose answer is taken."""
    givers: list[Content] = [source_shape(one) for one in cost.givers]
    names = join_names([one.within for one in cost.givers])
    says = f"by the rules of {cost.table.within}, with the answer of {names}"
    return labelled_span(says, source_shape(cost.table), span("←", aria_hidden="true"), *givers, cls="rv-exchange")


def _render_downloads(policies: Sequence[str]) -> nodes.paragraph:
    """Buttons: the figures of every policy as a table."""
    links: list[Content] = []
    for policy in reversed(policies):
        name = POLICY_HEADINGS.get(policy, policy).lower()
        made = nodes.reference("", "", refuri=f"{SURVEYS_FOLDER}/{policy}.csv", internal=True, classes=["rv-button"])
        links += [made, " "]
        made += nodes.Text(f"Download {name} (CSV)")
    return para(*links, link_to_data(), cls="rv-cost-downloads")


def link_to_data() -> Content:
    """Link to the page on the entries of the data."""
    return nodes.reference("", "What the columns mean", refuri="survey-data.html", internal=True)


def _render_question_table(view: CostsView, shown: Sequence[QuestionRow]) -> nodes.section:
    heads = [POLICY_HEADINGS.get(one, one) for one in reversed(view.policies)]
    head = ("Question", *heads, "By the rules of", "With the answer of", "Per deal", "It matters in")
    lines = [_table_line(one, view.policies, one in shown) for one in view.questions]
    made = table(f"All {len(view.questions)} differences", head, lines, cls="rv-stack rv-figures rv-cost-table")
    marked = [para(f"{OUR_POOL_MARK} a share of a pool that is our assumption", cls="rv-small")] if view.pools else []
    return section("by-question", "All figures", details(f"Table of all {len(lines)} differences", made, *marked))


def _table_line(row: QuestionRow, policies: Sequence[str], charted: bool) -> tuple[Any, ...]:
    id, cost = row.question.id, row.cost
    asked = span(link("question", id, row.question.asks))
    name = asked if charted else add_anchor(asked, "cost", id, f"How much {id} matters", at=f"cost-{id}")
    apart: list[Content] = [" ", span(link("parting", id, "a deal"), cls="rv-small")] if row.apart else []
    known = {one.policy: one for one in cost.figures}
    shares = (
        f"{known[one].percent}{f' {OUR_POOL_MARK}' if cost.pool_supplied else ''}" if one in known else "–"
        for one in reversed(policies)
    )
    givers = ", ".join(one.name for one in cost.givers)
    return ([name, *apart], *shares, cost.table.name, givers, cost.lead.counters or "–", cost.lead.often)


def _render_table_links(view: CostsView) -> nodes.section:
    lines = [
        para(
            source_shape(mark),
            " ",
            link("costs", mark.siglum, mark.name),
            f": {number} differences, with every answer of another book, and every other reading of its own words",
        )
        for mark, number in view.tables
    ]
    return section("by-book", "Book by book", *lines)


# ---- the page of one source


def render_cost_table(view: TableView | None) -> Nodes:
    """Render everything that was priced at the table of one source."""
    if view is None:
        return [para(NO_SURVEY)]
    name, place = view.source.name, f"costs-{view.source.siglum}"
    lede = para(
        "The same cards, exchanged and played by one book (",
        source_shape(view.source),
        " ",
        link("source", view.source.siglum, name),
        f"), are settled once more with one thing different. {view.pool} lie in the pool before the deal"
        f"{' (our assumption)' if view.pool_supplied else ''}; every bar is a share of it.",
        cls="rv-lede",
    )
    whole = [one for one in view.rows if one.stands[0].kind == VARIANT_SOURCE]
    parts = [one for one in view.rows if one not in whole]
    made = build_page_section(
        f"costs-at-{view.source.siglum}",
        f"How much differences matter: {name}",
        lede,
        section("whole", "All answers of another book", _plain_chart(whole), _render_key(view.policies, [])),
        section("single", "One answer, or another reading", _plain_chart(parts)),
        para(f"Averages over {view.sizes}{_append_left(view.left)}. {view.lead} {view.pools}".strip(), cls="rv-small"),
    )
    return [add_anchor(made, "costs", view.source.siglum, f"How much differences matter: {name}", at=place)]


def _plain_chart(rows: Sequence[CostRow]) -> nodes.Node:
    return _chart(
        [_bar(render_variant_label(one.stands, one.givers, one.brought), one) for one in rows], rows, "rv-cost-plain"
    )
