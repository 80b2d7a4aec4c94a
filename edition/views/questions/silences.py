"""Silences of the sources, and questions that make no sense for one of them."""

from __future__ import annotations

from collections.abc import Iterable

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.data.drafts import NOT_COLLATED, list_finished_sources
from edition.nodes.builders import link, span, table
from edition.views.common import BySource, ClauseView, SourceLink, select_clauses
from edition.views.layout import Nodes, clause_block, join_content, question_ref, render_prose, source_sections


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


def render_silences(view: BySource) -> Nodes:
    """Return the silent clauses under their sources."""
    return source_sections("silent", view, lambda source, found: map(clause_block, found))


def render_inapplicable(view: BySource) -> Nodes:
    """Questions that make no sense for a source, with the reason."""
    return source_sections("inapplicable", view, lambda source, found: [_inapplicable_table(source, found)])


def _inapplicable_table(source: SourceLink, found: Iterable[ClauseView]) -> nodes.table:
    rows = [
        (
            [link("clause", one.id)],
            [span(*join_content((question_ref(each) for each in one.about), " "), cls="rv-ids")],
            render_prose(one.because) or "–",
        )
        for one in found
    ]
    caption = f"Questions that make no sense for {source.siglum}"
    return table(caption, ("Clause", "Questions", "Because"), rows, cls="rv-stack")
