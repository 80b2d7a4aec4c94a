"""Range of a finding over other readings, in words: on its proof, and wherever its figure stands."""

from __future__ import annotations

from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.views.common import QuestionLink, question_link
from edition.views.plain_answers import source_marks
from reversis.files.finding_ranges import (
    FINDING_GIVER,
    FINDING_QUESTION,
    FINDING_SOURCE,
    FINDINGS_PROOF,
    FindingRange,
    read_finding_ranges,
)
from reversis.views.page_template import page_renderer


@dataclass(frozen=True, slots=True)
class FindingRangesView:
    """Ranges by way of playing, the leading last, with the question and the books of which they are."""

    question: QuestionLink
    table: SourceMark
    giver: SourceMark
    ranges: tuple[FindingRange, ...]


def finding_ranges_view(corpus: Corpus, proof: str = FINDINGS_PROOF) -> FindingRangesView | None:
    """View the ranges of the proof that measures them; None for any other, or where it has left no receipt."""
    ranges, marks = read_finding_ranges(corpus.receipts), source_marks(corpus)
    if proof != FINDINGS_PROOF or not ranges or not {FINDING_SOURCE, FINDING_GIVER} <= {*marks}:
        return None
    question = question_link(corpus.library.question(FINDING_QUESTION))
    return FindingRangesView(question, marks[FINDING_SOURCE], marks[FINDING_GIVER], ranges)


render_finding_ranges = page_renderer("finding-ranges")
render_finding_note = page_renderer("finding-note")
