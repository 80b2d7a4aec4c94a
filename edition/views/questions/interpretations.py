"""Passages with more than one reading: an overview, and a page of each source with all its passages.

Each passage shows the reading that we prefer and the others, what they change in the example deals, and how much money
hangs on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from edition.text.typography import curl_quotes
from edition.views.common import AlternativeView, ClauseView, clause_view
from edition.views.layout import Nodes
from edition.views.plain_answers import source_marks
from rulebook.model import DOUBTFUL_STATUSES, Clause, FrozenMap

# ---- what is shown


@dataclass(frozen=True, slots=True)
class SourceDoubts:
    """All such passages of one source, and what hangs on every alternative in the game."""

    source: SourceMark
    passages: tuple[ClauseView, ...]
    panels: Mapping[str, tuple[PanelView, ...]]

    @property
    def others(self) -> tuple[AlternativeView, ...]:
        """All readings besides those that we prefer."""
        return tuple(alternative for passage in self.passages for alternative in passage.others)


def doubts_view(corpus: Corpus, siglum: str = "") -> tuple[SourceDoubts, ...]:
    """Every passage that can be read in more than one way, of all sources or one."""
    marks = source_marks(corpus)
    return tuple(
        SourceDoubts(
            marks[source.siglum],
            tuple(clause_view(corpus, clause) for clause in doubtful),
            _view_panels(corpus, doubtful),
        )
        for source in corpus.library.sources.values()
        if siglum in ("", source.siglum) and (doubtful := [clause for clause in source.clauses if is_doubtful(clause)])
    )


def _view_panels(corpus: Corpus, clauses: Sequence[Clause]) -> Mapping[str, tuple[PanelView, ...]]:
    ids = (other.id for clause in clauses for other in clause.alternatives)
    return FrozenMap((id, view_panels(corpus, "alternative", id)) for id in ids)


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
    return tuple(source.siglum for source in corpus.library.sources.values() if any(map(is_doubtful, source.clauses)))


# ---- layout
def render_passage_words(clause: ClauseView) -> Nodes:
    """Render what is quoted of a passage, or our summary of it."""
    quoted = [quote for quote in clause.quotations if quote.role == "grounds"] or clause.quotations
    if not quoted:
        return []
    first = quoted[0]
    return [para("“", span(first.exact, lang=first.lang), "”") if first.exact else para(first.paraphrase)]


def render_answer_lines(passage: ClauseView, other: AlternativeView) -> tuple[Nodes, Nodes]:
    """Render our answers and the others, under each question that the other reading answers."""
    ours = {answer.question.id: answer.plain for answer in passage.answers}
    unsaid = (
        "–" if any(answer.question.id in ours for answer in other.answers) else curl_quotes(passage.label)[0] or "–"
    )
    mine, theirs = Nodes(), Nodes()
    for answer in other.answers:
        asked = link("question", answer.question.id, answer.question.asks)
        mine += [para(asked, cls="rv-small"), para(strong(ours.get(answer.question.id, unsaid)))]
        theirs += [para(answer.question.asks, cls="rv-small"), para(strong(answer.plain))]
    return mine, theirs


render_doubts = template_renderer("edition", "doubts")
render_doubt_overview = template_renderer("edition", "doubt-overview")
