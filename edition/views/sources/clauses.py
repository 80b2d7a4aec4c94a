"""Every clause of one source, in the order of its text: question and answer, with the evidence folded under them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, add_anchor, block, cite_here, link, markup_of, para, section, span
from edition.nodes.components import SourceMark, answer_with_status, source_shape
from edition.nodes.deferred import defer_content
from edition.palette import format_slot_classes
from edition.text import answers as words
from edition.views.common import ClauseView, QuestionLink, SourceLink, clause_view, question_link, source_link
from edition.views.layout import Nodes, clause_block, join_content
from edition.views.voices import find_answer_status, format_printed_answer, source_marks
from rulebook.model import Clause


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """A clause in a line: its questions with its answers in plain words; an answer is empty where only a reason is."""

    clause: ClauseView
    answers: tuple[tuple[QuestionLink, str], ...]
    status: str  #: doubtful, ours, follows; empty where it is simply stated


@dataclass(frozen=True, slots=True)
class ClausesView:
    """Every clause of a source, in the order of its text."""

    source: SourceLink
    mark: SourceMark
    clauses: tuple[ClauseRow, ...]
    counts: tuple[tuple[str, int], ...]


def clauses_view(corpus: Corpus, siglum: str) -> ClausesView:
    """Every clause of one source."""
    source = corpus.library.sources[siglum]
    counted = Counter(clause.status for clause in source.clauses)
    counts = tuple((status, counted[status]) for status in words.STATUS_LABELS if counted[status])
    rows = tuple(_clause_row(corpus, one) for one in source.clauses)
    return ClausesView(source_link(source), source_marks(corpus)[siglum], rows, counts)


def _clause_row(corpus: Corpus, clause: Clause) -> ClauseRow:
    library, source = corpus.library, corpus.library.sources[clause.source]
    asked = [(library.questions[slug], value) for slug, value in clause.answers.items()]
    given = [(question_link(one), format_printed_answer(one, value, source, library)) for one, value in asked]
    given += [(question_link(library.questions[slug]), "") for slug in clause.about]
    return ClauseRow(clause_view(corpus, clause), tuple(given), find_answer_status(clause) if clause.answers else "")


def render_clauses(view: ClausesView) -> Nodes:
    """All clauses of a source."""
    siglum = view.source.siglum
    made = section(
        f"clauses-{siglum}",
        [source_shape(view.mark), " ", view.mark.name, ": clauses"],
        para(*_introduce(view), cls="rv-lede"),
        para(", ".join(words.format_status_count(status, number) for status, number in view.counts), cls="rv-small"),
        block(*map(_render_row, view.clauses), cls="rv-clauses"),
        cls=f"rv-clauses-page {format_slot_classes(view.mark.slot)}",
    )
    return [add_anchor(made, "clauses", siglum, f"The clauses of {view.source.title}", at="")]


def _introduce(view: ClausesView) -> list[Content]:
    return [
        "The rules of ",
        link("source", view.source.siglum, view.mark.within, title=view.source.title),
        ", one by one in the order of its text. Each unfolds to its evidence: the words, our reasons, other readings.",
    ]


def _render_row(one: ClauseRow) -> nodes.Element:
    """A clause: question and answer, and the evidence, which is fetched when it is unfolded."""
    id, asked = (
        one.clause.id,
        [link("cell", f"{asks.id}@{one.clause.source.siglum}", asks.id) for asks, _ in one.answers],
    )
    head = span(*(_render_answer(asks, says, one) for asks, says in one.answers), cls="rv-clause-says")
    summary = markup_of("summary", span(id.partition(".")[2], cls="rv-id"), head)
    instead: list[Content] = ["Evidence: ", *join_content(asked)]
    evidence = defer_content(id, instead, clause_block(one.clause), cite_here(kind="clause", target=id))
    title = f"{id} on {', '.join(asks.id for asks, _ in one.answers)}"
    return add_anchor(markup_of("details", summary, evidence, cls="rv-clause-fold"), "clause", id, title)


def _render_answer(asks: QuestionLink, says: str, one: ClauseRow) -> nodes.inline:
    if says:
        return span(f"{asks.asks} ", answer_with_status(says, one.status))
    return span(f"{asks.asks} ", span(words.STATUS_LABELS[one.clause.status], cls="rv-small"))
