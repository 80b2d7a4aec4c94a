"""Passages with more than one reading: an overview, and a page of each source with all its passages.

Each passage shows the reading that we prefer and the others, what they change in the example deals, and how much money
hangs on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.game import PanelView, render_panels, view_panels
from edition.nodes.builders import (
    Content,
    add_anchor,
    add_page_id,
    block,
    details,
    link,
    para,
    section,
    span,
    strong,
    table,
)
from edition.nodes.components import SourceMark, source_chip
from edition.text.answers import describe_silence
from edition.text.typography import curl_quotes
from edition.views.common import Prose, QuestionLink, QuotationView, build_quotation_view, question_link
from edition.views.layout import Nodes, join_content, render_labelled_line, render_labelled_note, render_quotation
from edition.views.plain_answers import format_printed_answer, source_marks
from rulebook.model import DOUBTFUL_STATUSES, Alternative, Clause, Source, Value
from rulebook.phrases import format_count

# ---- what is shown


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
    panels: tuple[PanelView, ...]  #: what hangs on it in the game


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


@dataclass(frozen=True, slots=True)
class DoubtOverview:
    """Number of such passages by source, and what the game adds."""

    sources: tuple[SourceDoubts, ...]
    panels: tuple[PanelView, ...]


def doubt_overview_view(corpus: Corpus, _: str = "") -> DoubtOverview:
    """View how many passages of each source can be read in more than one way."""
    return DoubtOverview(doubts_view(corpus), view_panels(corpus, "doubts"))


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
        view_panels(corpus, "alternative", one.id),
    )


# ---- the overview


def render_doubt_overview(view: DoubtOverview) -> Nodes:
    """Render how many such passages each source has."""
    if not view.sources:
        return [para("Every passage can be read in one way only.")]
    head = ("Book", "Passages", "Other readings", "Options of the book")
    rows = [
        (
            [source_chip(one.source)],
            [link("doubts", one.source.siglum, str(len(one.passages)), title="All of them")],
            str(sum(other.kind == "interpretation" for other in one.others)),
            str(sum(other.kind == "option" for other in one.others) or "–"),
        )
        for one in view.sources
    ]
    overview = table("Book by book", head, rows, cls="rv-stack rv-figures rv-numbers")
    return [overview, *render_panels(view.panels)]


def render_passage_words(one: DoubtfulPassage) -> Nodes:
    """Render what is quoted of a passage, or our summary of it."""
    quoted = [quote for quote in one.quotations if quote.role == "grounds"] or one.quotations
    if not quoted:
        return []
    first = quoted[0]
    return [para("“", span(first.exact, lang=first.lang), "”") if first.exact else para(first.paraphrase)]


def render_answer_lines(passage: DoubtfulPassage, other: RejectedReading) -> tuple[Nodes, Nodes]:
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
    lines += [*render_labelled_note("Because", one.because), *render_panels(one.panels)]
    return add_anchor(block(*lines, cls="rv-other"), "alternative", one.id, one.label)


def _render_answers(answers: Iterable[ReadingAnswer], asks: Sequence[QuestionLink]) -> list[Content]:
    """Answers, each under its question where the passage is about more than one."""
    if len(asks) == 1:
        return join_content((strong(link("question", one.question.id, one.answer)) for one in answers), "; ")
    named = (span(link("question", one.question.id, one.question.asks), " ", strong(one.answer)) for one in answers)
    return join_content(named, "; ")
