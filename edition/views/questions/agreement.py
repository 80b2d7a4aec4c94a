"""Reliability of the coding: two coders compared, and retired ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.nodes.templates import template_renderer
from edition.views.common import Prose, QuestionLink, question_link
from edition.views.plain_answers import source_marks
from rulebook.agreement.report import AgreementReport
from rulebook.agreement.settlements import PROCEDURES, WAYS_SETTLED, CodingSettlement
from rulebook.answers.wording import format_answer
from rulebook.grouping import group_pairs
from rulebook.phrases import AnswerText
from rulebook.schema.agreement_records import FigureRecord
from rulebook.schema.records import TombstoneRecord

# --- two codings --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SettledView:
    """A disagreement, the way it was settled, and the reason."""

    settlement: CodingSettlement
    question: QuestionLink
    first: AnswerText | None
    second: AnswerText | None
    why: Prose


@dataclass(frozen=True, slots=True)
class AgreementView:
    """Two codings compared."""

    package: str
    total: FigureRecord  #: over all cells
    spoken: FigureRecord  #: over those in which at least one coder finds that the source speaks
    figures: tuple[tuple[str, tuple[tuple[str, FigureRecord], ...]], ...]  #: tables of (what over, figure)
    once: tuple[tuple[tuple[SourceMark, ...], tuple[QuestionLink, ...]], ...]  #: put after the codings of sources
    whole: tuple[SourceMark, ...]  #: sources that nobody has coded a second time yet
    counts: tuple[tuple[str, str, int], ...]  #: (way, what it means, how often)
    settled: tuple[tuple[SourceMark, tuple[SettledView, ...]], ...]


def agreement_view(corpus: Corpus, _: str = "") -> AgreementView | None:
    """Agreement between two coders; None where there is only one coding."""
    known = corpus.codings
    if known is None:
        return None
    counts = tuple((way, WAYS_SETTLED[way], number) for way, number in known.counts().items())
    library = corpus.library
    late = group_pairs((tuple(ids), source_marks(corpus)[siglum]) for siglum, ids in known.once.items())
    return AgreementView(
        known.package,
        known.all,
        known.spoken,
        tuple(_list_agreement_tables(corpus, known)),
        tuple((links, tuple(question_link(library.question(id)) for id in ids)) for ids, links in late.items()),
        tuple(mark for siglum, mark in source_marks(corpus).items() if siglum not in known.by_source),
        counts,
        tuple(_list_settled_disagreements(corpus, known)),
    )


def _list_agreement_tables(
    corpus: Corpus, known: AgreementReport
) -> Iterator[tuple[str, tuple[tuple[str, FigureRecord], ...]]]:
    marks = source_marks(corpus)
    overall = (("All cases", known.all), ("Cases in which at least one coder finds that the book speaks", known.spoken))
    yield "Over all", overall
    yield "By source", tuple((marks[siglum].name, figure) for siglum, figure in known.by_source.items())
    yield "By group of questions", tuple(known.by_group.items())


def _list_settled_disagreements(
    corpus: Corpus, known: AgreementReport
) -> Iterator[tuple[SourceMark, tuple[SettledView, ...]]]:
    for siglum, mark in source_marks(corpus).items():
        mine = tuple(_settled_view(corpus, settlement) for settlement in known.settled if settlement.source == siglum)
        if mine:
            yield mark, mine


def _settled_view(corpus: Corpus, settlement: CodingSettlement) -> SettledView:
    question = corpus.library.questions[settlement.question]
    first, second = (
        None if coded.value is None else format_answer(question, coded.value, corpus.library)
        for coded in (settlement.first, settlement.second)
    )
    return SettledView(
        settlement, question_link(question), first, second, corpus.prose(settlement.why, settlement.source)
    )


# --- ids that are gone -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GoneView:
    """A retired id."""

    gone: TombstoneRecord
    why: Prose
    see: tuple[Prose, ...]


def tombstones_view(corpus: Corpus, _: str = "") -> tuple[GoneView, ...]:
    """Every id that was published and then retired."""
    return tuple(
        GoneView(tombstone, corpus.prose(tombstone.why), tuple(corpus.prose(other) for other in tombstone.see))
        for tombstone in corpus.gone
    )


# --- how they are laid out ---------------------------------------------------------------------------------

render_agreement = template_renderer("edition", "agreement", improved=PROCEDURES["improved"])
render_retired_ids = template_renderer("edition", "tombstones")
