"""Silences: silent clauses with our assumptions, and questions that do not apply to a book."""

from __future__ import annotations

from edition.corpus.corpus import Corpus
from edition.nodes.templates import template_renderer
from edition.views.common import BySource, select_clauses
from rulebook.drafts import NOT_COLLATED, list_finished_sources


def silences_view(corpus: Corpus, _: str = "") -> BySource:
    """Points on which the books are silent: what we supply, or why we do not.

    A draft that waits to be read is not silent.
    """
    done = list_finished_sources(corpus.library)
    return select_clauses(
        corpus, lambda clause: clause.status == "silent" or (clause.status == NOT_COLLATED and clause.source in done)
    )


def inapplicable_view(corpus: Corpus, _: str = "") -> BySource:
    """Questions that do not arise in a book."""
    return select_clauses(corpus, lambda clause: clause.status == "inapplicable")


render_silences = template_renderer("edition", "silences")
render_inapplicable = template_renderer("edition", "inapplicable")
