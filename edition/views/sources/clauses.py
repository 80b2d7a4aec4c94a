"""Every clause of one source, in the order of the questions: question and answer, their evidence folded away."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.corpus.progress import describe_extent
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.common import ClauseView, clause_view
from edition.views.plain_answers import source_marks
from rulebook.answers.wording import RECKONED, STATUS_LABELS, describe_status
from rulebook.model import Cell


@dataclass(frozen=True, slots=True)
class ClausesView:
    """Every clause of a source, in the order of the questions."""

    source: SourceMark
    clauses: tuple[ClauseView, ...]
    questions: int  #: all that are asked
    unanswered: tuple[tuple[str, int], ...]  #: those that it does not answer, by what we do with them
    counts: tuple[tuple[str, int], ...]  #: those that it answers, by the label of the answer's status
    partial: str = ""  #: how little of a source was consulted


def clauses_view(corpus: Corpus, siglum: str) -> ClausesView:
    """Every clause of one source."""
    library, source = corpus.library, corpus.library.sources[siglum]
    cells = [corpus.cell(siglum, slug) for slug in library.questions]
    standing = Counter(map(_find_standing, cells))
    own = Counter(describe_status(cell) for cell in cells if cell and _find_standing(cell) == _OWN)
    order = {slug: at for at, slug in enumerate(library.questions)}
    asked_first = sorted(source.clauses, key=lambda clause: min((order[slug] for slug in clause.questions), default=0))
    return ClausesView(
        source_marks(corpus)[siglum],
        tuple(clause_view(corpus, clause) for clause in asked_first),
        len(library.questions),
        tuple((kind, standing[kind]) for kind in _UNANSWERED if standing[kind]),
        tuple((label, own[label]) for label in _LABELS if own[label]),
        describe_extent(source),
    )


_OWN = "own"
_LABELS = tuple(dict.fromkeys((STATUS_LABELS["stated"], RECKONED, *STATUS_LABELS.values())))  #: as the page has them
#: How we deal with questions that a source does not answer, in the order of the page.
_UNANSWERED = ("assumed", "silent", "inapplicable", "not-collated")


def _find_standing(cell: Cell | None) -> str:
    """Return who answers a question, the source or we for it, or else why nobody does."""
    if cell is None:
        return "not-collated"
    if cell.supplied:
        return "assumed"
    return cell.status if cell.status in _UNANSWERED else _OWN


render_clauses = template_renderer("edition", "clauses")
