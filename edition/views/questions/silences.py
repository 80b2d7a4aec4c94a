"""Silences: silent clauses with our assumptions, and questions that do not apply to a book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.corpus.drafts import NOT_COLLATED, list_finished_sources
from edition.nodes.builders import Content, add_page_id, details, link, para, span, table
from edition.nodes.components import SourceMark, named_source, render_prose
from edition.nodes.deferred import defer_content
from edition.text.answers import NOT_CONSULTED
from edition.views.common import BySource, ClauseView, Prose, QuestionLink, describe_search, select_clauses
from edition.views.layout import Nodes, join_content
from edition.views.plain_answers import source_marks
from edition.views.questions.interpretations import list_plain_answers
from rulebook.model import Value
from rulebook.phrases import capitalise, format_count


@dataclass(frozen=True, slots=True)
class SilentPoint:
    """Questions on which a book says nothing, or which do not arise in it, with what we assume."""

    clause: str
    asks: tuple[QuestionLink, ...]
    assumed: tuple[str, ...]  #: answers in plain words
    taken_from: str
    because: Prose
    searched: Prose
    partial: bool = False  #: whether the book is not consulted whole


SilentPoints = tuple[tuple[SourceMark, tuple[SilentPoint, ...]], ...]


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


def silent_points_view(corpus: Corpus, _: str = "") -> SilentPoints:
    """Points on which the books are silent, under the marks of the books."""
    return _collect_points(corpus, silences_view(corpus))


def inapplicable_points_view(corpus: Corpus, _: str = "") -> SilentPoints:
    """Questions that do not arise in a book, under the marks of the books."""
    return _collect_points(corpus, inapplicable_view(corpus))


def _collect_points(corpus: Corpus, found: BySource) -> SilentPoints:
    marks = source_marks(corpus)
    given = {clause.id: clause.answers for source in corpus.library.sources.values() for clause in source.clauses}
    return tuple(
        (marks[link.siglum], tuple(_silent_point(corpus, link.siglum, one, given[one.id]) for one in clauses))
        for link, clauses in found
        if clauses
    )


def _silent_point(corpus: Corpus, siglum: str, one: ClauseView, given: Mapping[str, Value]) -> SilentPoint:
    answers = tuple(list_plain_answers(corpus, corpus.library.sources[siglum], given))
    asks = dict.fromkeys((*(each.question for each in answers), *one.about))
    assumed = tuple(each.answer for each in answers)
    return SilentPoint(one.id, tuple(asks), assumed, one.taken_from, one.because, one.searched, one.partial)


def render_silences(view: SilentPoints) -> Nodes:
    """Render how much each book leaves open, and every such point folded under its book."""
    every = [one for _, found in view for one in found]
    total, ours = _count_asked(every), _count_assumed(every)
    lede = para(
        f"On {format_count(total, 'question')}, counted in each book, the book says nothing, as far as it "
        f"was consulted. Where play needs an answer all the same ({format_count(ours, 'time')}), we assume one and say "
        "where we took it from: it is ours, not the book’s. Of a book that was not consulted whole only a part "
        f"could be searched: nobody can tell that it is silent, and the point stands here as {NOT_CONSULTED}.",
        cls="rv-lede",
    )
    return [lede, *(_render_source_silences(*each) for each in view)]


def _count_asked(found: Sequence[SilentPoint]) -> int:
    """Count the questions, each once for every book."""
    return sum(len(one.asks) for one in found)


def _count_assumed(found: Sequence[SilentPoint]) -> int:
    return sum(len(one.assumed) for one in found)


def _render_source_silences(source: SourceMark, found: Sequence[SilentPoint]) -> nodes.Element:
    rows = [(_render_questions(one), "; ".join(one.assumed) or "no answer", _render_reasons(one)) for one in found]
    partial = any(one.partial for one in found)
    made = table(
        f"{capitalise(NOT_CONSULTED) if partial else 'Silences'}: {source.name}",
        ("Question", "We assume", "Why"),
        rows,
        cls="rv-stack rv-quiet rv-silences",
    )
    asked = f"{format_count(_count_asked(found), 'question')}{f' {NOT_CONSULTED}' if partial else ''}"
    says = f": {asked}, {format_count(_count_assumed(found), 'assumption')}"
    elsewhere: list[Content] = [
        "Each stands on the page of its question, and with ",
        link("source", source.siglum, source.name),
        ".",
    ]
    kept = defer_content(f"silent-{source.siglum}", elsewhere, made)
    return add_page_id(details([named_source(source), says], kept, cls="rv-fold"), f"silent-{source.siglum}")


def _render_questions(one: SilentPoint) -> list[Content]:
    return join_content((link("question", each.id, each.asks) for each in one.asks), " ")


def _render_reasons(one: SilentPoint) -> Nodes:
    """Our reason and where it is from, then where was searched; the clause stands at the end of the first."""
    taken: list[Content] = [f"From {one.taken_from}. "] if one.taken_from else []
    because = [*taken, *render_prose(one.because)]
    searched: list[Content] = (
        ["Not found in ", *render_prose(describe_search(one.searched, one.partial))] if one.searched else []
    )
    first, *rest = [part for part in (because, searched) if part] or [["No reason is given."]]
    return [para(*first, " ", _clause_link(one)), *(para(*part, cls="rv-small") for part in rest)]


def _clause_link(one: SilentPoint) -> nodes.inline:
    return span("(", link("clause", one.clause), ")", cls="rv-small")


def render_inapplicable(view: SilentPoints) -> Nodes:
    """Render the questions that do not apply, with the reason, folded under their books."""
    return [_render_source_inapplicable(*each) for each in view]


def _render_source_inapplicable(source: SourceMark, found: Sequence[SilentPoint]) -> nodes.Element:
    rows = [(_render_questions(one), [*render_prose(one.because), " ", _clause_link(one)]) for one in found]
    made = table(f"Not applicable: {source.name}", ("Questions", "Why"), rows, cls="rv-stack rv-quiet rv-silences")
    folded = details([named_source(source), f": {format_count(_count_asked(found), 'question')}"], made, cls="rv-fold")
    return add_page_id(folded, f"inapplicable-{source.siglum}")
