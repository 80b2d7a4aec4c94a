"""How often any two sources agree; each count leads to their answers side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.citation.places import format_pair_fragment, source_pairs
from edition.corpus.corpus import Corpus
from edition.data.drafts import NOT_COLLATED
from edition.nodes.builders import TARGET, ContentLike, same_page_link, table
from edition.nodes.components import SourceMark, source_shape
from edition.views.common import classify_agreement
from edition.views.voices import source_marks
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
    counts: tuple[int, ...]  #: in the order of `PAIR_COUNTS`


def count_pairs(corpus: Corpus) -> tuple[PairCount, ...]:
    """Every two sources with their counts; none where there are too many for that."""
    marks = source_marks(corpus)
    return tuple(_count_pair(corpus, marks[one], marks[other]) for one, other in source_pairs(corpus))


def _count_pair(corpus: Corpus, first: SourceMark, second: SourceMark) -> PairCount:
    pair = (first.siglum, second.siglum)
    found = Counter(classify_pair(corpus, question, pair) for question in corpus.library.questions.values())
    return PairCount(first, second, tuple(found[kind] for kind in PAIR_COUNTS))


def classify_pair(corpus: Corpus, question: Question, pair: tuple[str, str]) -> str:
    """Agreement of two sources on a question; unread if one was not read for it."""
    cells = [corpus.cell(siglum, question.slug) for siglum in pair]
    unread = any(cell is not None and cell.status == NOT_COLLATED for cell in cells)
    return "unread" if unread else classify_agreement(corpus, question, pair)


def render_pair_counts(pairs: Iterable[PairCount]) -> nodes.table:
    """Table of counts; the names of two sources lead to the questions on which they differ."""
    shown = [*pairs]
    kinds = [at for at in range(len(PAIR_COUNTS)) if at < 4 or any(one.counts[at] for one in shown)]
    rows: list[list[ContentLike]] = [[_pair_link(one), *(str(one.counts[at]) for at in kinds)] for one in shown]
    head = ["Two books", *([*PAIR_COUNTS.values()][at] for at in kinds)]
    return table("Questions on which two sources agree and differ", head, rows, cls="rv-stack rv-pairs")


def _pair_link(one: PairCount) -> nodes.reference:
    """Link to what the two answer differently; the home of the pair in the edition."""
    names = (source_shape(one.first), f" {one.first.name}, ", source_shape(one.second), f" {one.second.name}")
    name = f"{one.first.siglum}-{one.second.siglum}"
    fragment = format_pair_fragment(one.first.siglum, one.second.siglum)
    made = same_page_link(fragment, *names)
    made[TARGET] = [("pair", name, f"{one.first.siglum} and {one.second.siglum}", fragment)]
    return made
