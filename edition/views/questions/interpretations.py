"""Passages with more than one reading: an overview, and a page of each source with all its passages.

Each passage shows the reading that we prefer and the others, what they change in the example deals, and how much money
hangs on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.game import PanelView, view_panels
from edition.nodes.builders import (
    link,
    para,
    span,
    strong,
)
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.text.answers import describe_silence
from edition.text.typography import curl_quotes
from edition.views.common import Prose, QuestionLink, QuotationView, build_quotation_view, question_link
from edition.views.layout import Nodes
from edition.views.plain_answers import format_printed_answer, source_marks
from rulebook.model import DOUBTFUL_STATUSES, Alternative, Clause, Source, Value

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


# ---- layout
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


render_doubts = template_renderer("edition", "doubts")
render_doubt_overview = template_renderer("edition", "doubt-overview")
