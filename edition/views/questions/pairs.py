"""Agreement of any two sources; each count leads to their answers side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from edition.citation.places import source_pairs
from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.text.answers import get_family_name
from edition.views.common import classify_agreement
from edition.views.plain_answers import source_marks
from rulebook.drafts import NOT_COLLATED
from rulebook.model import Question

#: Agreement of two sources -> the head of its column.
PAIR_COUNTS: Mapping[str, str] = {
    "differ": "Differ",
    "agree": "Agree",
    "alone": "Only one says",
    "nobody": "Neither says",
    "unread": "One is not read yet",
}


@dataclass(frozen=True, slots=True)
class PairCount:
    """Two sources and the number of questions by kind of agreement."""

    first: SourceMark
    second: SourceMark
    akin: bool  #: whether they belong to one family
    counts: tuple[int, ...]  #: in the order of `PAIR_COUNTS`


def pairs_view(corpus: Corpus, _: str = "") -> tuple[PairCount, ...]:
    """Every two sources with their counts; none where there are too many for that."""
    marks = source_marks(corpus)
    return tuple(_count_pair(corpus, marks[first], marks[second]) for first, second in source_pairs(corpus))


def _count_pair(corpus: Corpus, first: SourceMark, second: SourceMark) -> PairCount:
    pair = (first.siglum, second.siglum)
    counts = Counter(classify_pair(corpus, question, pair) for question in corpus.library.questions.values())
    families = {get_family_name(corpus.library.sources[siglum]) for siglum in pair}
    return PairCount(first, second, len(families) == 1, tuple(counts[kind] for kind in PAIR_COUNTS))


def classify_pair(corpus: Corpus, question: Question, pair: tuple[str, str]) -> str:
    """Agreement of two sources on a question; unread if one was not read for it."""
    cells = [corpus.cell(siglum, question.slug) for siglum in pair]
    unread = any(cell is not None and cell.status == NOT_COLLATED for cell in cells)
    return "unread" if unread else classify_agreement(corpus, question, pair)


render_pairs = template_renderer("edition", "pairs", heads=[*PAIR_COUNTS.values()])
