"""Passages with more than one reading: an overview, and a page of each source with all its passages.

Each passage shows the reading that we prefer and the others, what they change in the example deals, and how much money
hangs on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import (
    Content,
    add_anchor,
    add_page_id,
    block,
    code,
    details,
    link,
    para,
    section,
    span,
    strong,
    table,
)
from edition.nodes.components import SourceMark, named_source, source_chip
from edition.text.answers import describe_silence
from edition.text.typography import curl_quotes
from edition.views.common import Prose, QuestionLink, QuotationView, build_quotation_view, question_link
from edition.views.layout import Nodes, join_content, render_labelled_line, render_labelled_note, render_quotation
from edition.views.plain_answers import format_printed_answer, source_marks
from engine.interpretation.effects import Difference, Effect
from lab.survey.statistics import Weight
from reversis.findings.costs import (
    POLICY_HEADINGS,
    DisagreementCost,
    describe_cost,
    describe_no_cost,
    explain_unsurveyed,
    find_alternative_cost,
    find_costs,
    format_cost_interval,
    format_cost_percent,
)
from reversis.findings.effects import compute_effects
from rulebook.model import DOUBTFUL_STATUSES, Alternative, Clause, Source, Value
from rulebook.phrases import format_count

LARGEST = 10  #: so many readings stand in the overview
_MAX_LISTED_DEALS = 6  #: of more deals than these a list is folded away


# ---- what is shown


@dataclass(frozen=True, slots=True)
class AtTable:
    """Money that hangs on a reading at the table of its source, or why it is not known."""

    source: str
    words: str
    weighed: bool
    share: float = 0.0  #: of the pool, under the policy that leads at the table
    percent: str = ""


@dataclass(frozen=True, slots=True)
class ReadingAnswer:
    """Question with its answer in plain words."""

    question: QuestionLink
    answer: str


@dataclass(frozen=True, slots=True)
class RejectedReading:
    """Another reading of a passage, or an option that the book itself leaves to the players."""

    id: str
    kind: str
    label: str
    answers: tuple[ReadingAnswer, ...]
    cert: str
    exact: str  #: the words that offer it, where the clause does not quote them
    lang: str
    computation: str
    because: Prose
    effect: Effect | None
    cost: AtTable | None


@dataclass(frozen=True, slots=True)
class DoubtfulPassage:
    """Passage with the reading that we prefer, and the others."""

    clause: str
    cert: str
    asks: tuple[QuestionLink, ...]
    quotations: tuple[QuotationView, ...]
    label: str
    answers: tuple[ReadingAnswer, ...]
    because: Prose
    others: tuple[RejectedReading, ...]


@dataclass(frozen=True, slots=True)
class SourceDoubts:
    """All such passages of one source."""

    source: SourceMark
    passages: tuple[DoubtfulPassage, ...]

    @property
    def others(self) -> tuple[RejectedReading, ...]:
        """All readings besides those that we prefer."""
        return tuple(one for passage in self.passages for one in passage.others)


def doubts_view(corpus: Corpus, siglum: str = "") -> tuple[SourceDoubts, ...]:
    """Every passage that can be read in more than one way, of all sources or one."""
    marks = source_marks(corpus)
    found = (
        SourceDoubts(
            marks[one.siglum], tuple(_doubtful_passage(corpus, one, each) for each in one.clauses if is_doubtful(each))
        )
        for one in corpus.library.sources.values()
        if siglum in ("", one.siglum)
    )
    return tuple(one for one in found if one.passages)


def is_doubtful(clause: Clause) -> bool:
    """Return True if a clause has other readings, or its status is a doubt."""
    return bool(clause.alternatives) or clause.status in DOUBTFUL_STATUSES


def list_doubtful_sources(corpus: Corpus) -> tuple[str, ...]:
    """Sigla of the sources that have such a passage."""
    return tuple(one.siglum for one in corpus.library.sources.values() if any(map(is_doubtful, one.clauses)))


def _doubtful_passage(corpus: Corpus, source: Source, clause: Clause) -> DoubtfulPassage:
    answers = tuple(list_plain_answers(corpus, source, clause.answers))
    about = [one.question for one in answers]
    about += [question_link(corpus.library.questions[slug]) for slug in clause.about]
    others = tuple(_other_reading(corpus, source, one) for one in clause.alternatives)
    about += [answer.question for one in others for answer in one.answers]
    return DoubtfulPassage(
        clause.id,
        clause.cert,
        tuple(dict.fromkeys(about)),
        tuple(build_quotation_view(corpus, source, cite) for cite in clause.cites),
        curl_quotes(clause.label)[0],
        answers,
        corpus.prose(clause.because, source.siglum),
        others,
    )


def list_plain_answers(corpus: Corpus, source: Source, given: Mapping[str, Value]) -> Iterator[ReadingAnswer]:
    """Questions with their answers in plain words."""
    for slug, value in given.items():
        question = corpus.library.questions[slug]
        yield ReadingAnswer(question_link(question), format_printed_answer(question, value, source, corpus.library))


def _list_silences(corpus: Corpus, source: Source, one: Alternative) -> Iterator[ReadingAnswer]:
    """Questions that make sense by another reading alone, and to which the source then says nothing."""
    for slug in one.silent:
        unsaid = describe_silence("silent", source.partial)
        yield ReadingAnswer(question_link(corpus.library.questions[slug]), unsaid)


def _other_reading(corpus: Corpus, source: Source, one: Alternative) -> RejectedReading:
    return RejectedReading(
        one.id,
        one.kind,
        curl_quotes(one.label)[0],
        (*list_plain_answers(corpus, source, one.answers), *_list_silences(corpus, source, one)),
        one.cert,
        one.exact,
        source.language,
        one.computation,
        corpus.prose(one.because, source.siglum),
        compute_effects(corpus).get(one.id),
        at_table(corpus, source.siglum, one.id),
    )


def at_table(corpus: Corpus, siglum: str, id: str) -> AtTable | None:
    """Money that hangs on a reading; None where no survey knows it."""
    cost = find_alternative_cost(find_costs(corpus), id)
    if cost is None:
        surveyed = any(siglum == table.siglum for one in corpus.extras.get("surveys", ()) for table in one.tables)
        later = "this book came after the last survey" if corpus.extras.get("surveys", ()) and not surveyed else ""
        because = explain_unsurveyed(corpus.extras.get("surveys", ()), alternative=id) or later
        return AtTable(siglum, f"Not surveyed: {because}.", False) if because else None
    said = "; ".join(
        f"{POLICY_HEADINGS.get(policy, policy).lower()} {format_weight_figures(cost, one)}"
        for policy, one in cost.weights
    )
    pool = "the opening pool, which we supply," if cost.pool_supplied else "the opening pool"
    lead = cost.weights[-1][1]
    share = lead.of_pool.value if lead.known else 0.0
    words = f"Share of {pool} that changes hands per deal: {said}."
    return AtTable(siglum, words, True, share, format_cost_percent(share))


def format_weight_figures(cost: DisagreementCost, one: Weight) -> str:
    """Format the average with its interval, and how often it matters at all."""
    if not one.known:
        return "not known"
    moved = (
        f"{format_cost_percent(one.of_pool.value)} ({format_cost_interval(one.of_pool)})"
        if one.moving
        else describe_no_cost(cost, one)
    )
    often = describe_cost(cost, one).rstrip(".")
    return f"{moved}, {often[:1].lower()}{often[1:]}"


# ---- the overview


def render_doubt_overview(view: tuple[SourceDoubts, ...]) -> Nodes:
    """Render how many such passages each source has, and the readings on which most money hangs."""
    if not view:
        return [para("Every passage can be read in one way only.")]
    head = ("Book", "Passages", "Other readings", "Options of the book")
    rows = [
        (
            [source_chip(one.source)],
            [link("doubts", one.source.siglum, str(len(one.passages)), title="All of them")],
            str(sum(other.kind == "interpretation" for other in one.others)),
            str(sum(other.kind == "option" for other in one.others) or "–"),
        )
        for one in view
    ]
    return [table("Book by book", head, rows, cls="rv-stack rv-figures rv-numbers"), *_render_largest(view)]


def _render_largest(view: Sequence[SourceDoubts]) -> Nodes:
    found = [(one.source, passage, other) for one in view for passage in one.passages for other in passage.others]
    priced = [each for each in found if each[2].cost and each[2].cost.share]
    priced.sort(key=lambda each: each[2].cost.share if each[2].cost else 0.0, reverse=True)
    rows = [
        (
            [para(named_source(source)), *_render_passage_words(passage)],
            *_render_answer_lines(passage, other),
            [para(link("alternative", other.id, other.cost.percent if other.cost else "–", title="With the reasons"))],
        )
        for source, passage, other in priced[:LARGEST]
    ]
    head = ("Passage", "Our reading", "Other reading", "Share of the opening pool")
    caption = f"The {len(rows)} on which most money hangs, per deal"
    made = table(caption, head, rows, cls="rv-stack rv-figures rv-doubts-largest")
    return [made] if rows else []


def _render_passage_words(one: DoubtfulPassage) -> Nodes:
    """Render what is quoted of a passage, or our summary of it."""
    quoted = [quote for quote in one.quotations if quote.role == "grounds"] or one.quotations
    if not quoted:
        return []
    first = quoted[0]
    return [para("“", span(first.exact, lang=first.lang), "”") if first.exact else para(first.paraphrase)]


def _render_answer_lines(passage: DoubtfulPassage, other: RejectedReading) -> tuple[Nodes, Nodes]:
    """Render our answers and the others, under each question that the other reading answers."""
    ours = {one.question.id: one.answer for one in passage.answers}
    unsaid = "–" if any(one.question.id in ours for one in other.answers) else passage.label or "–"
    mine, theirs = Nodes(), Nodes()
    for one in other.answers:
        asked = link("question", one.question.id, one.question.asks)
        mine += [para(asked, cls="rv-small"), para(strong(ours.get(one.question.id, unsaid)))]
        theirs += [para(one.question.asks, cls="rv-small"), para(strong(one.answer))]
    return mine, theirs


# ---- the passages


def render_doubts(view: tuple[SourceDoubts, ...]) -> Nodes:
    """Render all passages under their sources, each folded under its questions."""
    return [_render_source(one) for one in view]


def _render_source(one: SourceDoubts) -> nodes.section:
    intro = para(
        f"{format_count(len(one.passages), 'passage')} of ",
        link("source", one.source.siglum, one.source.within),
        f" can be read in more than one way, with {format_count(len(one.others), 'other reading')} in all. "
        "Open one to see our reading, the others, the reasons, and how much money hangs on them.",
        cls="rv-lede",
    )
    name = f"{one.source.name}: passages with more than one reading"
    made = section(f"doubt-{one.source.siglum}", name, intro, *map(_render_passage, one.passages), cls="rv-page")
    return add_anchor(made, "doubts", one.source.siglum, name, at=f"doubt-{one.source.siglum}")


def _render_passage(one: DoubtfulPassage) -> nodes.Node:
    asks = " ".join(dict.fromkeys(each.asks for each in one.asks)) or one.label or one.clause
    counts = [
        format_count(number, word)
        for kind, word in (("interpretation", "other reading"), ("option", "option"))
        if (number := sum(other.kind == kind for other in one.others))
    ]
    summary: list[Content] = [asks, " ", span(", ".join(counts), cls="rv-small")]
    ours: list[Content] = _render_answers(one.answers, one.asks) or [one.label or "as coded"]
    head = para(span("Our reading", cls="rv-label"), " ", *ours, " ", _clause_note(one))
    label = [para(one.label)] if one.label and one.answers else []
    body: Nodes = [*map(render_quotation, one.quotations), head, *label, *render_labelled_note("Because", one.because)]
    return add_page_id(
        details(summary, *body, *(_render_other(each, one.asks) for each in one.others), cls="rv-fold"),
        f"doubt-{one.clause}",
    )


def _clause_note(one: DoubtfulPassage) -> nodes.inline:
    return span("(", link("clause", one.clause), f", certainty {one.cert})" if one.cert else ")", cls="rv-small")


_READING_LABELS = {"interpretation": "Other reading", "option": "Option that the book offers"}


def _render_other(one: RejectedReading, asks: Sequence[QuestionLink]) -> nodes.container:
    label = f"{one.label} " if one.label else ""
    head = para(
        *(span(_READING_LABELS[one.kind], cls="rv-label"), " ", strong(one.id), " ", label),
        span(f"certainty {one.cert}", cls="rv-small"),
    )
    lines: Nodes = [head, para(*_render_answers(one.answers, asks))]
    lines += [para("“", span(one.exact, lang=one.lang), "”", cls="rv-exact")] if one.exact else []
    lines += [render_labelled_line("Computed", one.computation)] if one.computation else []
    lines += [*render_labelled_note("Because", one.because), *_render_effect(one.effect), *_render_cost(one.cost)]
    return add_anchor(block(*lines, cls="rv-other"), "alternative", one.id, one.label)


def _render_answers(answers: Iterable[ReadingAnswer], asks: Sequence[QuestionLink]) -> list[Content]:
    """Answers, each under its question where the passage is about more than one."""
    if len(asks) == 1:
        return join_content((strong(link("question", one.question.id, one.answer)) for one in answers), "; ")
    named = (span(link("question", one.question.id, one.question.asks), " ", strong(one.answer)) for one in answers)
    return join_content(named, "; ")


def _render_effect(one: Effect | None) -> Nodes:
    if one is None:
        return []
    if not one.played:
        return [render_labelled_line("In play", "The engine does not play it.")]
    if not one.changes:
        return [render_labelled_line("In play", "It changes none of the example deals and sessions.")]
    deals = join_content(span(*_name_tried(each), f" ({', '.join(each.how)})") for each in one.differences)
    if len(one.differences) > _MAX_LISTED_DEALS:
        return [details(f"It changes {len(one.differences)} example deals and sessions", para(*deals), cls="rv-words")]
    return [render_labelled_line("In play", "It changes ", *deals, ".")]


def _name_tried(one: Difference) -> list[Content]:
    return ["the session ", code(one.deal)] if one.kind == "session" else [link("deal", one.deal)]


def _render_cost(one: AtTable | None) -> Nodes:
    return [render_labelled_line("Money", one.words)] if one else []
