"""Every clause of one source, in the order of the questions: question and answer, their evidence folded away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.corpus.progress import describe_extent
from edition.nodes.builders import Content, add_anchor, block, cite_here, link, markup_of, para, section, span
from edition.nodes.components import SourceMark, answer_with_status, source_shape
from edition.nodes.deferred import defer_content
from edition.palette import format_slot_classes
from edition.text import answers as words
from edition.views.common import ClauseView, QuestionLink, SourceLink, clause_view, question_link, source_link
from edition.views.layout import Nodes, clause_block, join_content, render_extent_line
from edition.views.plain_answers import find_answer_status, format_printed_answer, source_marks
from rulebook.model import Cell, Clause
from rulebook.phrases import format_count, join_names


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """A clause in a line: its questions with its answers in plain words; an answer is empty where only a reason is."""

    clause: ClauseView
    answers: tuple[tuple[QuestionLink, str], ...]
    status: str  #: doubtful, ours, follows; empty where it is simply stated


@dataclass(frozen=True, slots=True)
class ClausesView:
    """Every clause of a source, in the order of the questions."""

    source: SourceLink
    mark: SourceMark
    clauses: tuple[ClauseRow, ...]
    questions: int  #: all that are asked
    unanswered: tuple[tuple[str, int], ...]  #: those that it does not answer, by what we do with them
    counts: tuple[tuple[str, int], ...]  #: those that it answers, by the status of the answer
    partial: str = ""  #: how little of a source was consulted


def clauses_view(corpus: Corpus, siglum: str) -> ClausesView:
    """Every clause of one source."""
    library, source = corpus.library, corpus.library.sources[siglum]
    cells = [corpus.cell(siglum, slug) for slug in library.questions]
    standing = Counter(map(_find_standing, cells))
    own = Counter(cell.status for cell in cells if cell and _find_standing(cell) == _OWN)
    order = {slug: at for at, slug in enumerate(library.questions)}
    asked_first = sorted(source.clauses, key=lambda one: min((order[slug] for slug in one.questions), default=0))
    return ClausesView(
        source_link(source),
        source_marks(corpus)[siglum],
        tuple(_clause_row(corpus, one) for one in asked_first),
        len(library.questions),
        tuple((one, standing[one]) for one in _UNANSWERED_PHRASES if standing[one]),
        tuple((status, own[status]) for status in words.STATUS_LABELS if own[status]),
        describe_extent(source),
    )


_OWN = "own"
#: How we deal with a question that a source does not answer -> the words for it; the number takes the place of {}.
_UNANSWERED_PHRASES: Mapping[str, str] = {
    "assumed": "answer {} by assumption",
    "silent": "leave {} open",
    "inapplicable": "find {} not applicable",
    "not-collated": "have not read it for {} yet",
}


def _find_standing(cell: Cell | None) -> str:
    """Return who answers a question, the source or we for it, or else why nobody does."""
    if cell is None:
        return "not-collated"
    if cell.supplied:
        return "assumed"
    return cell.status if cell.status in _UNANSWERED_PHRASES else _OWN


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
        *render_extent_line(view.partial),
        para(*_introduce(view), cls="rv-lede"),
        para(_describe_statuses(view), cls="rv-small"),
        block(*(_render_row(one, bool(view.partial)) for one in view.clauses), cls="rv-clauses"),
        cls=f"rv-clauses-page {format_slot_classes(view.mark.slot)}",
    )
    return [add_anchor(made, "clauses", siglum, f"The clauses of {view.source.title}", at="")]


def _introduce(view: ClausesView) -> list[Content]:
    """Say how many questions there are, and how many of them the source answers itself."""
    own = sum(number for _, number in view.counts)
    rest = [_UNANSWERED_PHRASES[one].format(number) for one, number in view.unanswered]
    return [
        f"{format_count(view.questions, 'question')} to ",
        link("source", view.source.siglum, view.mark.within, title=view.source.title),
        f", in the order of the questions: it answers {own or 'none'} itself",
        f"; we {join_names(rest)}" if rest else "",
        ". Each unfolds to its evidence: the words, our reasons, other readings.",
    ]


def _describe_statuses(view: ClausesView) -> str:
    """Say how a source answers, and of one that breaks off that nobody can tell what it left unsaid."""
    own = ", ".join(words.format_status_count(status, number) for status, number in view.counts)
    partial = (
        f"What it does not answer is {words.NOT_CONSULTED}: nobody can tell that it was silent." if view.partial else ""
    )
    return " ".join(filter(None, (f"Its own answers: {own}." if own else "", partial)))


def _render_row(one: ClauseRow, partial: bool) -> nodes.Element:
    """A clause: question and answer, and the evidence, which is fetched when it is unfolded."""
    id, asked = (
        one.clause.id,
        [link("cell", f"{asks.id}@{one.clause.source.siglum}", asks.id) for asks, _ in one.answers],
    )
    head = span(*(_render_answer(asks, says, one, partial) for asks, says in one.answers), cls="rv-clause-says")
    summary = markup_of("summary", span(id.partition(".")[2], cls="rv-id"), head)
    instead: list[Content] = ["Evidence: ", *join_content(asked)]
    evidence = defer_content(id, instead, clause_block(one.clause), cite_here(kind="clause", target=id))
    title = f"{id} on {', '.join(asks.id for asks, _ in one.answers)}"
    return add_anchor(markup_of("details", summary, evidence, cls="rv-clause-fold"), "clause", id, title)


def _render_answer(asks: QuestionLink, says: str, one: ClauseRow, partial: bool) -> nodes.inline:
    if says:
        return span(f"{asks.asks} ", answer_with_status(says, one.status, partial=partial))
    return span(f"{asks.asks} ", span(words.describe_silence(one.clause.status, partial), cls="rv-small"))
