"""Silences: silent clauses with our assumptions, and questions that do not apply to a book."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.common import BySource, ClauseView, Prose, QuestionLink, select_clauses
from edition.views.plain_answers import source_marks
from edition.views.questions.interpretations import list_plain_answers
from rulebook.drafts import NOT_COLLATED, list_finished_sources
from rulebook.model import Value


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


render_silences = template_renderer("edition", "silences")
render_inapplicable = template_renderer("edition", "inapplicable")
