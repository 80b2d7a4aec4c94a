"""What each disagreement costs at the table, from the stored surveys (`edition.data.surveys`) and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.analysis.costs import (
    POLICIES,
    Cost,
    by_weight,
    figure,
    find_costs,
    find_supplied_pools,
    heft,
    interval,
    meaning,
    of_pool,
    of_question,
    percent,
    pools_note,
    with_pool,
)
from edition.corpus.corpus import Corpus
from edition.data.surveys import Seated
from edition.nodes.bar_list import bars
from edition.nodes.builders import (
    Content,
    Some,
    anchor,
    block,
    details,
    link,
    para,
    picture,
    section,
    span,
    strong,
    table,
)
from edition.nodes.charts import Line, Picture, forest
from edition.text.answers import counters_of, plural
from edition.views.common import QuestionLink, SourceLink, question_link, source_link
from edition.views.layout import Nodes
from edition.views.surveys.surveys import (
    NO_SURVEY,
    SurveyView,
    survey_views,
)
from engine.survey.statistics import Place, Weight, ranked
from engine.survey.variants import INTERPRETATION, QUESTION, SOURCE, Stand
from rulebook.model import Source

LINES = 20  #: so many stand in the picture


# ---- what is shown


@dataclass(frozen=True, slots=True)
class Cell:
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
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question: where and by whose answer it costs most."""

    question: QuestionLink
    apart: bool
    cells: tuple[tuple[Cell, str, str], ...]  #: with the table, and whose answer it is


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
    picture: tuple[Line, ...]
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
    return CostsView(survey_views(corpus), questions, tuple(pictured(corpus, questions, policies)), tables, note)


def table_view(corpus: Corpus, seated: Seated, policies: Sequence[str]) -> TableView:
    """One table, the dearest disagreement first; whole sources stand before single answers."""
    mine = [one for one in find_costs(corpus) if one.table == seated.siglum]
    places = [{id(p.one): p for p in by_weight([c for c in mine if not c.whole], policy)} for policy in policies]
    leading = sorted(
        (one for one in mine if one.of(policies[-1])), key=lambda one: heft(one, policies[-1]), reverse=True
    )
    ordered = sorted(leading, key=lambda one: not one.whole)
    found = tuple(cost_row(corpus, one, [known.get(id(one)) for known in places], policies) for one in ordered)
    ours = seated.siglum in find_supplied_pools(corpus)
    return TableView(source_link(corpus.library.sources[seated.siglum]), seated.pool, seated.unit, found, ours)


def cost_row(corpus: Corpus, one: Cost, places: Sequence[Place[Cost] | None], policies: Sequence[str]) -> CostRow:
    """One line of a table."""
    source = corpus.library.sources[one.table]
    cells = (cell(one, place, policy, source) for place, policy in zip(places, policies, strict=True) if one.of(policy))
    stands = tuple(stand_view(corpus, stand) for stand in one.stands)
    told = {asked.id for stand in stands for asked in stand.questions}
    wished = (wish.partition("@")[0] for wish in one.ruleset.split(" + ")[1:] if "@" in wish)
    return CostRow(stands, tuple(id for id in wished if id not in told), tuple(cells))


def cell(one: Cost, place: Place[Cost] | None, policy: str, source: Source) -> Cell:
    """The figures of one disagreement under one policy, in words."""
    found = one.of(policy)
    assert found is not None
    rank = rank_words(place) if place else ""
    share, between = ratio(found), interval(found.changed) if found.events else ""
    where = (source.unit, source.language)
    return Cell(policy, rank, *moved(found), *where, share, between, worst(found), meaning(found), one.pool_supplied)


def moved(one: Weight) -> tuple[str, str, str]:
    """Counters moved as a share of the pool, the interval, and the counters themselves."""
    if not one.known:
        return "not to be reckoned", "", ""
    if not one.moving:
        return "none seen to move", "", ""
    return percent(one.of_pool.value), interval(one.of_pool), figure(one.moved.value)


def ratio(one: Weight) -> str:
    """The share of deals that come out otherwise; of what was never seen, how rare it must be."""
    return percent(one.changed.value) if one.events else f"under {percent(one.at_most)}"


def worst(one: Weight) -> str:
    """The most that any deal moves, and which deal it is."""
    return f"{one.worst:,} in deal {one.worst_deal:,}" if one.worst else ""


def rank_words(place: Place[Cost]) -> str:
    """A rank, or the ranks that chance leaves open."""
    return str(place.best) if place.best == place.worst else f"{place.best} to {place.worst}"


def stand_view(corpus: Corpus, stand: Stand) -> StandView:
    """One thing for which a ruleset stands; of an earlier state of the sources only what is still there."""
    known = [corpus.library.questions[slug] for slug in stand.questions if slug in corpus.library.questions]
    apart = tuple(question.id for question in known if question.slug in corpus.shown_apart)
    alternative = stand.alternative if corpus.kinds.get(stand.alternative) == "alternative" else ""
    return StandView(stand.kind, tuple(map(question_link, known)), stand.source, alternative, apart)


# ---- question by question
def by_question(corpus: Corpus, policies: Sequence[str]) -> Iterator[QuestionRow]:
    """Every question that was surveyed, at the table and with the answer that make it dearest; the dearest first."""
    dearest = {policy: dearest_of(corpus, policy) for policy in policies}
    ranks = {policy: ranks_of(some, policy) for policy, some in dearest.items()}
    ordered = dict.fromkeys((*ranks[policies[-1]], *dearest[policies[-1]]))
    for slug in ordered:
        cells = []
        for policy in policies:
            if slug in dearest[policy]:
                one = dearest[policy][slug]
                source = corpus.library.sources[one.table]
                cells.append((cell(one, ranks[policy].get(slug), policy, source), one.table, whose(one, slug)))
        yield QuestionRow(question_link(corpus.library.questions[slug]), slug in corpus.shown_apart, tuple(cells))


def ranks_of(dearest: Mapping[str, Cost], policy: str) -> dict[str, Place[Cost]]:
    """The questions in their order, with the ranks they may have; two of them may be dearest by one and the same."""
    known = [(slug, one) for slug, one in dearest.items() if (found := one.of(policy)) is not None and found.known]
    places = ranked(known, lambda one: of_pool(one[1], policy))
    return {place.one[0]: Place(place.one[1], place.best, place.worst) for place in places}


def dearest_of(corpus: Corpus, policy: str) -> dict[str, Cost]:
    """For every question where it costs most under a policy."""
    found = {
        slug: [c for c in of_question(find_costs(corpus), slug) if c.of(policy)] for slug in corpus.library.questions
    }
    return {slug: max(some, key=lambda one: heft(one, policy)) for slug, some in found.items() if some}


def whose(one: Cost, slug: str) -> str:
    """Whose answer to a question was taken."""
    return " or ".join(s.source for s in one.stands if s.kind == QUESTION and slug in s.questions)


def pictured(corpus: Corpus, questions: Iterable[QuestionRow], policies: Sequence[str]) -> Iterator[Line]:
    """The dearest questions with their values under every policy, in hundredths of the pool."""
    dearest = {policy: dearest_of(corpus, policy) for policy in policies}
    for row in list(questions)[:LINES]:
        values = (dearest[policy].get(row.question.slug) for policy in policies)
        some = zip(values, policies, strict=True)
        yield (
            f"{row.question.id} {row.question.slug}",
            tuple(of_pool(one, policy).times(100) if one is not None else None for one, policy in some),
        )


# ---- layout


def costs(view: CostsView | None) -> Nodes:
    """Question by question, then table by table."""
    if view is None:
        return [para(NO_SURVEY)]
    return [questions(view), *(one_table(view, one) for one in view.tables)]


def questions(view: CostsView) -> nodes.section:
    """The ranking of the questions, drawn and told."""
    heads = [POLICIES.get(one.policy, one.policy) for one in view.surveys]
    lines = [
        ([question_cell(row)], *(dear(*each) for each in row.cells), meanings([each for each, *_ in row.cells]))
        for row in view.questions
    ]
    caption = "Questions by what they cost, each at the table and with the answer that make it dearest"
    head = ("Question", *heads, "What it means")
    note = [para(view.pools)] if view.pools else []
    return section("by-question", "Question by question", *note, drawn(view), table(caption, head, lines, cls=STACKED))


STACKED = "rv-stack rv-figures rv-costs"


def drawn(view: CostsView) -> nodes.Node:
    """The dearest questions in a picture."""
    legend = [POLICIES.get(one.policy, one.policy) for one in view.surveys]
    title = f"The {len(view.picture)} dearest questions"
    says = (
        f"{title}: counters moved in a deal on the mean, in hundredths of the opening pool, with intervals, on a scale "
        f"by powers of ten. The first is {view.picture[0][0] if view.picture else 'none'}. "
        "The same figures stand in the table that follows."
    )
    svg = forest(Picture("dearest", title, says), view.picture, legend, "% of the opening pool, a deal (mean)")
    return block(picture(svg, title), bars(view.picture, legend), cls="rv-drawn")


def question_cell(row: QuestionRow) -> nodes.paragraph:
    """A question, with the way to a deal that shows it."""
    name = link("question", row.question.id, row.question.id, cls="rv-id")
    asked = anchor(
        span(f" {row.question.asks} "), "cost", row.question.id, f"What {row.question.id} costs", row_id(row)
    )
    apart = [link("parting", row.question.id, "a deal")] if row.apart else []
    return para(name, asked, *apart)


def row_id(row: QuestionRow) -> str:
    """The address of a question's line."""
    return f"cost-{row.question.id}"


def dear(one: Cell, siglum: str, answer: str) -> list[Content]:
    """Where a question costs most, and how much."""
    pool = with_pool("", one.pool_supplied)
    where = para(link("costs", siglum, siglum), f"{pool} with the answer of {answer}", cls="rv-small")
    return [*shown(one)[:1], where, *shown(one)[1:]]


def shown(one: Cell) -> list[nodes.Node]:
    """The figures of one disagreement under one policy."""
    between = f" ({one.between})" if one.between else ""
    rank = [span(f"Rank {one.rank}: ", cls="rv-small")] if one.rank else []
    share = f"{one.share} of deals" + (f" ({one.share_between})" if one.share_between else "")
    most = f"; at most {one.worst}" if one.worst else ""
    unit = span(counters_of(one.unit), lang=one.lang)
    counters = [para(f"{one.counters} ", unit, " a deal", cls="rv-small")] if one.counters else []
    return [
        para(*rank, strong(one.moved), " of the pool" if one.moved.endswith("%") else "", between),
        *counters,
        para(share + most, cls="rv-small"),
    ]


def meanings(cells: Sequence[Cell]) -> Some:
    """What it means, once if it means the same under every policy."""
    said = dict.fromkeys(one.means for one in cells)
    if len(said) == 1:
        return next(iter(said))
    return [para(span(SHORT.get(one.policy, one.policy), cls="rv-label"), " ", one.means) for one in cells]


SHORT: Mapping[str, str] = {"random": "at random", "cautious": "with caution"}


def one_table(view: CostsView, one: TableView) -> nodes.section:
    """Everything at the table of one source."""
    heads = [POLICIES.get(each.policy, each.policy) for each in view.surveys]
    name = f"{one.source.siglum}: {one.source.title}"
    ours = ", a sum that we supply and on which every share here rests" if one.pool_supplied else ""
    intro = para(
        "The cards are exchanged and played by the rules of ",
        link("source", one.source.siglum, one.source.title),
        f"; {one.pool} ",
        span(counters_of(one.unit), lang=one.source.lang),
        f" lie in the pool before the deal{ours}. The same cards are then priced with one thing otherwise.",
    )
    lines = [(stand_cell(row), *map(shown, row.cells), meanings(row.cells)) for row in one.rows]
    made = table(
        f"What disagreements cost at the table of {one.source.siglum}",
        ("What is otherwise", *heads, "What it means"),
        lines,
        cls=STACKED,
    )
    body = details(f"{plural(len(one.rows), 'disagreement')}, the dearest first", made)
    place, words = f"costs-{one.source.siglum}", f"What disagreements cost at the table of {one.source.title}"
    return anchor(section(place, name, intro, body), "costs", one.source.siglum, words, at=place)


def stand_cell(row: CostRow) -> list[Content]:
    """All that a ruleset stands for."""
    found = [stand(one) for one in row.stands]
    if row.brought:
        found.append(para(f"With it come answers to {', '.join(row.brought)}.", cls="rv-small"))
    return [*found]


def stand(one: StandView) -> nodes.paragraph:
    """One thing for which a ruleset stands, and where it can be read."""
    if one.kind == SOURCE:
        return para("all as ", link("source", one.source), " has it")
    asked = [piece for q in one.questions for piece in (link("question", q.id, q.id, title=q.asks, cls="rv-id"), " ")]
    slugs = ", ".join(q.slug for q in one.questions)
    apart = [piece for id in one.apart for piece in (" ", link("parting", id, "a deal"))]
    if one.kind == QUESTION:
        whose = link("cell", f"{one.questions[0].id}@{one.source}", one.source) if one.questions else one.source
        return para(*asked, f"{slugs} as ", whose, " has it", *apart)
    kind = "interpretation" if one.kind == INTERPRETATION else "option"
    name = link("alternative", one.alternative) if one.alternative else "one that is gone"
    return para(f"{kind} ", name, " on ", *asked, span(slugs, cls="rv-small"))


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"costs": costs_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"costs": costs}
