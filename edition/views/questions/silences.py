"""What the books don't say: silent clauses with what we assume, and questions that do not apply to a book."""

from __future__ import annotations

from collections.abc import Iterable

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.data.drafts import NOT_COLLATED, list_finished_sources
from edition.nodes.builders import Content, add_page_id, details, link, para, span, table
from edition.nodes.components import SourceMark, named_source, status_mark
from edition.text.answers import format_count, format_short_answer
from edition.views.common import BySource, ClauseAnswer, ClauseView, select_clauses
from edition.views.layout import Nodes, join_content, render_prose
from edition.views.voices import source_marks

MarkedSilences = tuple[tuple[SourceMark, tuple[ClauseView, ...]], ...]


def silences_view(corpus: Corpus, _: str = "") -> BySource:
    """Silent clauses: what we supply, or why we do not.

    A draft that waits to be read is not silent.
    """
    done = list_finished_sources(corpus.library)
    return select_clauses(
        corpus, lambda clause: clause.status == "silent" or (clause.status == NOT_COLLATED and clause.source in done)
    )


def inapplicable_view(corpus: Corpus, _: str = "") -> BySource:
    """Questions that make no sense for a source."""
    return select_clauses(corpus, lambda clause: clause.status == "inapplicable")


def marked_silences_view(corpus: Corpus, _: str = "") -> MarkedSilences:
    """Silent clauses under the marks of their sources."""
    return _mark_sources(corpus, silences_view(corpus))


def marked_inapplicable_view(corpus: Corpus, _: str = "") -> MarkedSilences:
    """Questions that do not apply, under the marks of their sources."""
    return _mark_sources(corpus, inapplicable_view(corpus))


def _mark_sources(corpus: Corpus, found: BySource) -> MarkedSilences:
    marks = source_marks(corpus)
    return tuple((marks[source.siglum], clauses) for source, clauses in found if clauses)


def render_silences(view: MarkedSilences) -> Nodes:
    """Render how much each book leaves open, and every such point folded under its book."""
    ours = sum(bool(one.answers) for _, found in view for one in found)
    total = sum(len(found) for _, found in view)
    lede = para(
        f"On {format_count(total, 'point')} a book says nothing. Where play needs an answer all the same "
        f"({ours} times), we assume one and say where we took it from: it is ours, not the book's.",
        cls="rv-lede",
    )
    return [lede, *(_render_source_silences(*each) for each in view)]


def _render_source_silences(source: SourceMark, found: Iterable[ClauseView]) -> nodes.Element:
    clauses = list(found)
    rows = [
        (_render_questions(one), _render_assumed(one), [*_render_reasons(one), " ", _clause_link(one)])
        for one in clauses
    ]
    made = table(f"What {source.name} does not say", ("Question", "We assume", "Why"), rows, cls="rv-stack")
    ours = sum(bool(one.answers) for one in clauses)
    says = f": {format_count(len(clauses), 'point')}, {format_count(ours, 'assumption')}"
    return add_page_id(details([named_source(source), says], made, cls="rv-fold"), f"silent-{source.siglum}")


def _render_questions(one: ClauseView) -> list[Content]:
    asked = [*(each.question for each in one.answers), *one.about]
    return join_content((link("question", each.id, each.asks) for each in dict.fromkeys(asked)), " ")


def _render_assumed(one: ClauseView) -> list[Content]:
    if not one.answers:
        return ["nothing"]
    mark: list[Content] = [" ", status_mark("ours")]
    return [*join_content((_plain_words(each) for each in one.answers), "; "), *mark]


def _plain_words(one: ClauseAnswer) -> str:
    return one.answer.full or format_short_answer(one.answer, one.unit)


def _render_reasons(one: ClauseView) -> list[Content]:
    searched: list[Content] = ["Not found in ", *render_prose(one.searched), " "] if one.searched else []
    taken = [f"From {one.taken_from}. "] if one.taken_from else []
    return [*taken, *render_prose(one.because), " ", span(*searched, cls="rv-small")]


def _clause_link(one: ClauseView) -> nodes.inline:
    return span("(", link("clause", one.id), ")", cls="rv-small")


def render_inapplicable(view: MarkedSilences) -> Nodes:
    """Render the questions that do not apply, with the reason, folded under their books."""
    return [_render_source_inapplicable(*each) for each in view]


def _render_source_inapplicable(source: SourceMark, found: tuple[ClauseView, ...]) -> nodes.Element:
    rows = [(_render_questions(one), [*render_prose(one.because), " ", _clause_link(one)]) for one in found]
    made = table(f"Questions that do not apply to {source.name}", ("Questions", "Why"), rows, cls="rv-stack")
    folded = details([named_source(source), f": {format_count(len(found), 'point')}"], made, cls="rv-fold")
    return add_page_id(folded, f"inapplicable-{source.siglum}")
