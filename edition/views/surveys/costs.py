"""Cost of each disagreement at the table, from the stored surveys alone.

They are stored by `edition.data.surveys`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from docutils import nodes

from edition.analysis.costs import (
    POLICY_HEADINGS,
    DisagreementCost,
    by_weight,
    describe_cost,
    find_costs,
    find_question_costs,
    find_supplied_pools,
    format_cost_figure,
    format_cost_interval,
    format_cost_percent,
    get_cost_sort_key,
    get_pool_share,
    pools_note,
    with_pool,
)
from edition.corpus.corpus import Corpus
from edition.data.surveys import Seated
from edition.nodes.bar_list import build_bar_list
from edition.nodes.builders import (
    Content,
    ContentLike,
    add_anchor,
    block,
    details,
    link,
    para,
    section,
    span,
    strong,
    svg_figure,
    table,
)
from edition.nodes.charts import ChartDescription, EstimateLine, render_forest_plot
from edition.text.answers import format_count, pluralize_counter
from edition.views.common import QuestionLink, SourceLink, question_link, source_link
from edition.views.layout import Nodes, question_ref
from edition.views.surveys.surveys import NO_SURVEY, SurveyView, survey_views
from engine.survey.statistics import RankedItem, Weight, rank_estimates
from engine.survey.variants import VARIANT_INTERPRETATION, VARIANT_QUESTION, VARIANT_SOURCE, SurveyVariant
from rulebook.model import Source

LINES = 20  #: so many stand in the picture


# ---- what is shown


@dataclass(frozen=True, slots=True)
class CostCell:
    """One disagreement under one policy."""

    policy: str
    rank: str
    moved: str
    between: str
    counters: str  #: of the table's own
    unit: str
    lang: str
    share: str
    share_between: str
    worst: str
    means: str
    pool_supplied: bool  #: whether the pool of the table is ours


@dataclass(frozen=True, slots=True)
class StandView:
    """One thing for which a ruleset stands, with what can be linked to."""

    kind: str
    questions: tuple[QuestionLink, ...]
    source: str
    alternative: str
    apart: tuple[str, ...]  #: ids of questions for which a deal is shown


@dataclass(frozen=True, slots=True)
class CostRow:
    """One disagreement at one table."""

    stands: tuple[StandView, ...]
    brought: tuple[str, ...]  #: ids of questions whose answers had to come along
    cells: tuple[CostCell, ...]


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question: where and by whose answer it costs most."""

    question: QuestionLink
    apart: bool
    cells: tuple[tuple[CostCell, str, str], ...]  #: with the table, and whose answer it is


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything at the table of one source."""

    source: SourceLink
    pool: int
    unit: str
    rows: tuple[CostRow, ...]
    pool_supplied: bool


@dataclass(frozen=True, slots=True)
class CostsView:
    """The whole page."""

    surveys: tuple[SurveyView, ...]
    questions: tuple[QuestionRow, ...]
    picture: tuple[EstimateLine, ...]
    tables: tuple[TableView, ...]
    pools: str  #: on pools that we supply


def costs_view(corpus: Corpus, _: str = "") -> CostsView | None:
    """Every disagreement with its weight; nothing where nothing was surveyed."""
    if not corpus.surveys:
        return None
    policies = [one.policy for one in corpus.surveys]
    questions = tuple(by_question(corpus, policies))
    seated = corpus.surveys[-1].tables
    tables = tuple(table_view(corpus, one, policies) for one in seated if one.siglum in corpus.library.sources)
    note = pools_note(find_supplied_pools(corpus))
    return CostsView(
        survey_views(corpus), questions, tuple(list_pictured_questions(corpus, questions, policies)), tables, note
    )


def table_view(corpus: Corpus, seated: Seated, policies: Sequence[str]) -> TableView:
    """One table, the dearest disagreement first; whole sources stand before single answers."""
    mine = [one for one in find_costs(corpus) if one.table == seated.siglum]
    places = [{id(p.one): p for p in by_weight([c for c in mine if not c.whole], policy)} for policy in policies]
    leading = sorted(
        (one for one in mine if one.of(policies[-1])),
        key=lambda one: get_cost_sort_key(one, policies[-1]),
        reverse=True,
    )
    ordered = sorted(leading, key=lambda one: not one.whole)
    found = tuple(cost_row(corpus, one, [known.get(id(one)) for known in places], policies) for one in ordered)
    ours = seated.siglum in find_supplied_pools(corpus)
    return TableView(source_link(corpus.library.sources[seated.siglum]), seated.pool, seated.unit, found, ours)


def cost_row(
    corpus: Corpus,
    one: DisagreementCost,
    places: Sequence[RankedItem[DisagreementCost] | None],
    policies: Sequence[str],
) -> CostRow:
    """One line of a table."""
    source = corpus.library.sources[one.table]
    cells = (
        _build_cost_cell(one, place, policy, source)
        for place, policy in zip(places, policies, strict=True)
        if one.of(policy)
    )
    stands = tuple(stand_view(corpus, stand) for stand in one.stands)
    told = {asked.id for stand in stands for asked in stand.questions}
    wished = (wish.partition("@")[0] for wish in one.ruleset.split(" + ")[1:] if "@" in wish)
    return CostRow(stands, tuple(id for id in wished if id not in told), tuple(cells))


def _build_cost_cell(
    one: DisagreementCost, place: RankedItem[DisagreementCost] | None, policy: str, source: Source
) -> CostCell:
    found = one.of(policy)
    assert found is not None
    share = format_cost_percent(found.changed.value) if found.events else f"under {format_cost_percent(found.at_most)}"
    return CostCell(
        policy,
        rank_words(place) if place else "",
        *_format_moved_share(found),
        source.unit,
        source.language,
        share,
        format_cost_interval(found.changed) if found.events else "",
        f"{found.worst:,} in deal {found.worst_deal:,}" if found.worst else "",
        describe_cost(found),
        one.pool_supplied,
    )


def _format_moved_share(one: Weight) -> tuple[str, str, str]:
    if not one.known:
        return "not to be reckoned", "", ""
    if not one.moving:
        return "none seen to move", "", ""
    return (
        format_cost_percent(one.of_pool.value),
        format_cost_interval(one.of_pool),
        format_cost_figure(one.moved.value),
    )


def rank_words(place: RankedItem[DisagreementCost]) -> str:
    """A rank, or the ranks that chance leaves open."""
    return str(place.best) if place.best == place.worst else f"{place.best} to {place.worst}"


def stand_view(corpus: Corpus, stand: SurveyVariant) -> StandView:
    """One thing for which a ruleset stands; of an earlier state of the sources only what is still there."""
    known = [corpus.library.questions[slug] for slug in stand.questions if slug in corpus.library.questions]
    apart = tuple(question.id for question in known if question.slug in corpus.shown_apart)
    alternative = stand.alternative if corpus.kinds.get(stand.alternative) == "alternative" else ""
    return StandView(stand.kind, tuple(map(question_link, known)), stand.source, alternative, apart)


# ---- question by question
def by_question(corpus: Corpus, policies: Sequence[str]) -> Iterator[QuestionRow]:
    """Every question that was surveyed, at the table and with the answer that make it dearest; the dearest first."""
    dearest = {policy: dearest_of(corpus, policy) for policy in policies}
    ranks = {policy: rank_questions_by_cost(some, policy) for policy, some in dearest.items()}
    sources = corpus.library.sources
    for slug in dict.fromkeys((*ranks[policies[-1]], *dearest[policies[-1]])):
        found = ((policy, dearest[policy][slug]) for policy in policies if slug in dearest[policy])
        cells = (
            (
                _build_cost_cell(one, ranks[policy].get(slug), policy, sources[one.table]),
                one.table,
                _name_answer_source(one, slug),
            )
            for policy, one in found
        )
        yield QuestionRow(question_link(corpus.library.questions[slug]), slug in corpus.shown_apart, tuple(cells))


def rank_questions_by_cost(
    dearest: Mapping[str, DisagreementCost], policy: str
) -> dict[str, RankedItem[DisagreementCost]]:
    """Questions in order of cost, with the ranks they may have.

    Two of them may be dearest by one and the same.
    """
    known = [(slug, one) for slug, one in dearest.items() if (found := one.of(policy)) is not None and found.known]
    places = rank_estimates(known, lambda one: get_pool_share(one[1], policy))
    return {place.one[0]: RankedItem(place.one[1], place.best, place.worst) for place in places}


def dearest_of(corpus: Corpus, policy: str) -> dict[str, DisagreementCost]:
    """For every question where it costs most under a policy."""
    found = {
        slug: [c for c in find_question_costs(find_costs(corpus), slug) if c.of(policy)]
        for slug in corpus.library.questions
    }
    return {slug: max(some, key=lambda one: get_cost_sort_key(one, policy)) for slug, some in found.items() if some}


def _name_answer_source(one: DisagreementCost, slug: str) -> str:
    return " or ".join(s.source for s in one.stands if s.kind == VARIANT_QUESTION and slug in s.questions)


def list_pictured_questions(
    corpus: Corpus, questions: Iterable[QuestionRow], policies: Sequence[str]
) -> Iterator[EstimateLine]:
    """Dearest questions with their values by policy, in hundredths of the pool."""
    dearest = {policy: dearest_of(corpus, policy) for policy in policies}
    for row in list(questions)[:LINES]:
        some = ((dearest[policy].get(row.question.slug), policy) for policy in policies)
        yield (
            f"{row.question.id} {row.question.slug}",
            tuple(get_pool_share(one, policy).times(100) if one is not None else None for one, policy in some),
        )


# ---- layout


def render_costs(view: CostsView | None) -> Nodes:
    """Render costs question by question, then table by table."""
    if view is None:
        return [para(NO_SURVEY)]
    return [_render_question_costs(view), *(_one_table(view, one) for one in view.tables)]


def _render_question_costs(view: CostsView) -> nodes.section:
    heads = [POLICY_HEADINGS.get(one.policy, one.policy) for one in view.surveys]
    lines = [
        (
            [_question_cell(row)],
            *(_render_dearest_cost(*each) for each in row.cells),
            render_cost_meanings([each for each, *_ in row.cells]),
        )
        for row in view.questions
    ]
    caption = "Questions by what they cost, each at the table and with the answer that make it dearest"
    head = ("Question", *heads, "What it means")
    note = [para(view.pools)] if view.pools else []
    return section(
        "by-question", "Question by question", *note, _render_cost_chart(view), table(caption, head, lines, cls=STACKED)
    )


STACKED = "rv-stack rv-figures rv-costs"


def _render_cost_chart(view: CostsView) -> nodes.Node:
    legend = [POLICY_HEADINGS.get(one.policy, one.policy) for one in view.surveys]
    title = f"The {len(view.picture)} dearest questions"
    says = (
        f"{title}: counters moved in a deal on the mean, in hundredths of the opening pool, with intervals, on a scale "
        f"by powers of ten. The first is {view.picture[0][0] if view.picture else 'none'}. "
        "The same figures stand in the table that follows."
    )
    svg = render_forest_plot(
        ChartDescription("dearest", title, says), view.picture, legend, "% of the opening pool, a deal (mean)"
    )
    return block(svg_figure(svg, title), build_bar_list(view.picture, legend), cls="rv-drawn")


def _question_cell(row: QuestionRow) -> nodes.paragraph:
    id = row.question.id
    asked = add_anchor(span(f" {row.question.asks} "), "cost", id, f"What {id} costs", at=f"cost-{id}")
    apart = [link("parting", id, "a deal")] if row.apart else []
    return para(link("question", id, id, cls="rv-id"), asked, *apart)


def _render_dearest_cost(one: CostCell, siglum: str, answer: str) -> list[Content]:
    pool = with_pool("", one.pool_supplied)
    where = para(link("costs", siglum, siglum), f"{pool} with the answer of {answer}", cls="rv-small")
    moved, *others = _render_cost_figures(one)
    return [moved, where, *others]


def _render_cost_figures(one: CostCell) -> list[nodes.Node]:
    between = f" ({one.between})" if one.between else ""
    rank = [span(f"Rank {one.rank}: ", cls="rv-small")] if one.rank else []
    share = f"{one.share} of deals" + (f" ({one.share_between})" if one.share_between else "")
    most = f"; at most {one.worst}" if one.worst else ""
    unit = span(pluralize_counter(one.unit), lang=one.lang)
    counters = [para(f"{one.counters} ", unit, " a deal", cls="rv-small")] if one.counters else []
    return [
        para(*rank, strong(one.moved), " of the pool" if one.moved.endswith("%") else "", between),
        *counters,
        para(share + most, cls="rv-small"),
    ]


def render_cost_meanings(cells: Sequence[CostCell]) -> ContentLike:
    """Meaning of the figures, once if it is the same under every policy."""
    said = dict.fromkeys(one.means for one in cells)
    if len(said) == 1:
        return next(iter(said))
    return [
        para(span(_SHORT_POLICY_NAMES.get(one.policy, one.policy), cls="rv-label"), " ", one.means) for one in cells
    ]


_SHORT_POLICY_NAMES: Mapping[str, str] = {"random": "at random", "cautious": "with caution"}


def _one_table(view: CostsView, one: TableView) -> nodes.section:
    heads = [POLICY_HEADINGS.get(each.policy, each.policy) for each in view.surveys]
    name = f"{one.source.siglum}: {one.source.title}"
    ours = ", a sum that we supply and on which every share here rests" if one.pool_supplied else ""
    intro = para(
        "The cards are exchanged and played by the rules of ",
        link("source", one.source.siglum, one.source.title),
        f"; {one.pool} ",
        span(pluralize_counter(one.unit), lang=one.source.lang),
        f" lie in the pool before the deal{ours}. The same cards are then priced with one thing otherwise.",
    )
    lines = [
        (_stand_cell(row), *map(_render_cost_figures, row.cells), render_cost_meanings(row.cells)) for row in one.rows
    ]
    made = table(
        f"What disagreements cost at the table of {one.source.siglum}",
        ("What is otherwise", *heads, "What it means"),
        lines,
        cls=STACKED,
    )
    body = details(f"{format_count(len(one.rows), 'disagreement')}, the dearest first", made)
    place, words = f"costs-{one.source.siglum}", f"What disagreements cost at the table of {one.source.title}"
    return add_anchor(section(place, name, intro, body), "costs", one.source.siglum, words, at=place)


def _stand_cell(row: CostRow) -> list[Content]:
    found = [_render_stand(one) for one in row.stands]
    if row.brought:
        found.append(para(f"With it come answers to {', '.join(row.brought)}.", cls="rv-small"))
    return [*found]


def _render_stand(one: StandView) -> nodes.paragraph:
    if one.kind == VARIANT_SOURCE:
        return para("all as ", link("source", one.source), " has it")
    asked = [piece for question in one.questions for piece in (question_ref(question), " ")]
    slugs = ", ".join(q.slug for q in one.questions)
    apart = [piece for id in one.apart for piece in (" ", link("parting", id, "a deal"))]
    if one.kind == VARIANT_QUESTION:
        whose = link("cell", f"{one.questions[0].id}@{one.source}", one.source) if one.questions else one.source
        return para(*asked, f"{slugs} as ", whose, " has it", *apart)
    kind = "interpretation" if one.kind == VARIANT_INTERPRETATION else "option"
    name = link("alternative", one.alternative) if one.alternative else "one that is gone"
    return para(f"{kind} ", name, " on ", *asked, span(slugs, cls="rv-small"))
