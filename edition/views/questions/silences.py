"""Silences: silent clauses with our assumptions, and questions that do not apply to a book."""

from __future__ import annotations

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.common import BySource, ClauseView, select_clauses
from edition.views.plain_answers import source_marks
from rulebook.drafts import NOT_COLLATED, list_finished_sources

SilentPoints = tuple[tuple[SourceMark, tuple[ClauseView, ...]], ...]


def silences_view(corpus: Corpus, _: str = "") -> BySource:
    """Silent clauses: what we supply, or why we do not.

    A draft that waits to be read is not silent.
    """
    done = list_finished_sources(corpus.library)
    return select_clauses(
        corpus, lambda clause: clause.status == "silent" or (clause.status == NOT_COLLATED and clause.source in done)
    )


def silent_points_view(corpus: Corpus, _: str = "") -> SilentPoints:
    """Points on which the books are silent, under the marks of the books."""
    return _mark_books(corpus, silences_view(corpus))


def inapplicable_points_view(corpus: Corpus, _: str = "") -> SilentPoints:
    """Questions that do not arise in a book, under the marks of the books."""
    return _mark_books(corpus, select_clauses(corpus, lambda clause: clause.status == "inapplicable"))


def _mark_books(corpus: Corpus, found: BySource) -> SilentPoints:
    marks = source_marks(corpus)
    return tuple((marks[link.siglum], clauses) for link, clauses in found if clauses)


render_silences = template_renderer("edition", "silences")
render_inapplicable = template_renderer("edition", "inapplicable")
