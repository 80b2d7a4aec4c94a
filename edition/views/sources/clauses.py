"""Every clause of one source, in the order of its text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.builders import add_anchor, para
from edition.text import answers as words
from edition.views.common import ClauseView, SourceLink, clause_view, source_link
from edition.views.layout import Nodes, build_page_section, clause_block, source_ref


@dataclass(frozen=True, slots=True)
class ClausesView:
    """Every clause of a source, in the order of its text."""

    source: SourceLink
    clauses: tuple[ClauseView, ...]
    counts: tuple[tuple[str, int], ...]


def clauses_view(corpus: Corpus, siglum: str) -> ClausesView:
    """Every clause of one source."""
    source = corpus.library.sources[siglum]
    counted = Counter(clause.status for clause in source.clauses)
    counts = tuple((status, counted[status]) for status in words.STATUS_LABELS if counted[status])
    return ClausesView(source_link(source), tuple(clause_view(corpus, one) for one in source.clauses), counts)


def render_clauses(view: ClausesView) -> Nodes:
    """All clauses of a source."""
    counts = ", ".join(f"{status} {number}" for status, number in view.counts)
    intro = para(
        "What ",
        source_ref(view.source, view.source.title),
        " says, clause by clause: the words, then our answers. ",
        counts,
        ".",
    )
    body = [clause_block(one, target=True) for one in view.clauses]
    made = build_page_section(f"clauses-{view.source.siglum}", f"{view.source.siglum}: the clauses", intro, *body)
    return [add_anchor(made, "clauses", view.source.siglum, f"The clauses of {view.source.title}", at="")]
