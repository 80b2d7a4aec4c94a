"""Reliability of the coding: two coders compared, and retired ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.corpus import Corpus, RetiredId
from edition.nodes.builders import (
    Content,
    ContentLike,
    block,
    details,
    link,
    para,
    section,
    span,
    table,
)
from edition.nodes.components import render_answer_value, render_prose
from edition.views.common import Prose, QuestionLink, SourceLink, question_link, source_link
from edition.views.layout import Nodes, join_content, question_ref, render_badge, render_labelled_line, source_ref
from edition.views.plain_answers import source_marks
from rulebook.agreement.codings import CodedAnswer
from rulebook.agreement.report import AgreementReport
from rulebook.agreement.settlements import PROCEDURES, WAYS_SETTLED, CodingSettlement
from rulebook.agreement.statistics import AgreementFigure, Measured
from rulebook.answers.wording import format_answer
from rulebook.phrases import AnswerText, format_count
from rulebook.strings import slugify_text

# --- two codings --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CoderAnswer:
    """Answer and status by one coder."""

    answer: AnswerText | None
    status: str


@dataclass(frozen=True, slots=True)
class SettledView:
    """A disagreement, the way it was settled, and the reason."""

    question: QuestionLink
    siglum: str
    first: CoderAnswer
    second: CoderAnswer
    kept: str
    why: Prose
    procedure: str


@dataclass(frozen=True, slots=True)
class AgreementView:
    """Two codings compared."""

    package: str
    total: AgreementFigure  #: over all cells
    figures: tuple[tuple[str, tuple[tuple[str, AgreementFigure], ...]], ...]  #: tables of (what over, figure)
    once: tuple[tuple[SourceLink, tuple[QuestionLink, ...]], ...]  #: by source: put after its codings
    whole: tuple[SourceLink, ...]  #: sources that nobody has coded a second time yet
    counts: tuple[tuple[str, str, int], ...]  #: (way, what it means, how often)
    settled: tuple[tuple[SourceLink, tuple[SettledView, ...]], ...]


def agreement_view(corpus: Corpus, _: str = "") -> AgreementView | None:
    """Agreement between two coders; None where there is only one coding."""
    known = corpus.codings
    if known is None:
        return None
    counts = tuple((way, WAYS_SETTLED[way], number) for way, number in known.counts().items())
    library = corpus.library
    once = tuple(
        (source_link(library.sources[siglum]), tuple(question_link(library.question(id)) for id in ids))
        for siglum, ids in known.once.items()
    )
    return AgreementView(
        known.package,
        known.all,
        tuple(_list_agreement_tables(corpus, known)),
        once,
        tuple(source_link(one) for siglum, one in library.sources.items() if siglum not in known.by_source),
        counts,
        tuple(_list_settled_disagreements(corpus, known)),
    )


def _list_agreement_tables(
    corpus: Corpus, known: AgreementReport
) -> Iterator[tuple[str, tuple[tuple[str, AgreementFigure], ...]]]:
    marks = source_marks(corpus)
    overall = (("All cases", known.all), ("Cases in which at least one coder finds that the book speaks", known.spoken))
    yield "Over all", overall
    yield "By source", tuple((marks[siglum].name, one) for siglum, one in known.by_source.items())
    yield "By group of questions", tuple(known.by_group.items())


def _list_settled_disagreements(
    corpus: Corpus, known: AgreementReport
) -> Iterator[tuple[SourceLink, tuple[SettledView, ...]]]:
    for siglum, source in corpus.library.sources.items():
        mine = tuple(_settled_view(corpus, one) for one in known.settled if one.source == siglum)
        if mine:
            yield source_link(source), mine


def _settled_view(corpus: Corpus, one: CodingSettlement) -> SettledView:
    first, second = (_read_coder_answer(corpus, one.question, coded) for coded in (one.first, one.second))
    link_ = question_link(corpus.library.questions[one.question])
    return SettledView(link_, one.source, first, second, one.kept, corpus.prose(one.why, one.source), one.procedure)


def _read_coder_answer(corpus: Corpus, slug: str, coded: CodedAnswer) -> CoderAnswer:
    if coded.value is None:
        return CoderAnswer(None, coded.status)
    return CoderAnswer(format_answer(corpus.library.questions[slug], coded.value, corpus.library), coded.status)


# --- how they are laid out

NO_AGREEMENT_TEXT = "There are no figures: only one coding exists."


def render_agreement(view: AgreementView | None) -> Nodes:
    """Render how often the codings agree, the figures, and every disagreement."""
    if view is None:
        return [para(NO_AGREEMENT_TEXT)]
    reckoned = para(f"Alpha was computed with the package {view.package}.", cls="rv-small")
    return [
        para(summarise_agreement(view.total), cls="rv-lede"),
        section(
            "figures",
            "The figures",
            *(_figure_table(*one) for one in view.figures),
            reckoned,
            *render_uncovered_questions(view),
        ),
        section(
            "settled",
            "Every disagreement, and how it was settled",
            *_render_settlement_counts(view),
            *map(_render_source_disagreements, view.settled),
        ),
    ]


def summarise_agreement(total: AgreementFigure) -> str:
    """Summarise how often the second coding has the answer of the first."""
    share = f", {total.value.per_cent:.0f} %" if total.value.per_cent is not None else ""
    return (
        f"A second pass, which had not seen the first coding, gave the same answer in {total.value.agreed:,} of "
        f"{total.cells:,} cases{share}. Every disagreement is listed below with its outcome."
    )


def render_uncovered_questions(view: AgreementView) -> Nodes:
    """Render the questions that no figure covers; sources with the same ones together."""
    alike: dict[tuple[QuestionLink, ...], list[SourceLink]] = {}
    for source, questions in view.once:
        alike.setdefault(questions, []).append(source)
    waiting = join_content([source_ref(one) for one in view.whole])
    whole = [para("Coded once only so far, and part of no figure: ", *waiting, ".")] if view.whole else []
    return [*(_render_coded_once(*one) for one in alike.items()), *whole]


def _render_coded_once(questions: tuple[QuestionLink, ...], sources: list[SourceLink]) -> nodes.Node:
    told = f"{format_count(len(questions), 'question')} put after the codings of "
    named = join_content([source_ref(one) for one in sources])
    return para(
        told,
        *named,
        ", coded once only there, and part of no figure: ",
        *join_content([question_ref(q) for q in questions]),
    )


_AGREEMENT_COLUMNS = ("Where", "Cases", "Same answer", "Alpha, answers", "Same status", "Alpha, status")


def _figure_table(caption: str, rows: Iterable[tuple[str, AgreementFigure]]) -> nodes.Node:
    lines = [
        (name, str(one.cells), *format_agreement_measure(one.value), *format_agreement_measure(one.status))
        for name, one in rows
    ]
    made = table(caption, _AGREEMENT_COLUMNS, lines, cls="rv-stack rv-figures rv-agreeing")
    made["ids"] = [f"table-{slugify_text(f'Agreement {caption}')}"]  # of the caption under which it was first published
    return made


def format_agreement_measure(one: Measured) -> tuple[str, str]:
    """Format the number that agree, and alpha; a dash where it was not computed."""
    share = f"{one.agreed} ({one.per_cent} %)" if one.per_cent is not None else str(one.agreed)
    return share, "–" if one.alpha is None else f"{one.alpha:.3f}"


def _render_settlement_counts(view: AgreementView) -> Nodes:
    total = sum(number for _, _, number in view.counts)
    rows = [([render_badge(way)], meaning, str(number)) for way, meaning, number in view.counts]
    head = ("Kept", "What that means", "How often")
    return [
        para(f"{format_count(total, 'disagreement')} settled."),
        table("Ways to settle", head, rows, cls="rv-stack rv-quiet"),
    ]


def _render_source_disagreements(one: tuple[SourceLink, tuple[SettledView, ...]]) -> nodes.section:
    source, rows = one
    folded = details(format_count(len(rows), "disagreement"), *(_render_disagreement(each, source) for each in rows))
    return section(f"settled-{source.siglum}", source.name, folded)


def _render_disagreement(one: SettledView, source: SourceLink) -> nodes.container:
    cell = link("cell", f"{one.question.id}@{one.siglum}", source.name, title=one.question.asks)
    head = para(span(one.question.asks, cls="rv-asks"), " (", cell, ", ", question_ref(one.question), ")")
    lines = [
        render_labelled_line(label, *_render_coder_answer(each))
        for label, each in (("First", one.first), ("Second", one.second))
    ]
    kept = render_labelled_line("Kept", render_badge(one.kept), " ", *render_prose(one.why))
    mended = [para(PROCEDURES[one.procedure], cls="rv-small")] if one.procedure == "improved" else []
    return block(head, *lines, kept, *mended, cls="rv-clause rv-settled")


def _render_coder_answer(one: CoderAnswer) -> list[Content]:
    return [
        *(render_answer_value(one.answer) if one.answer else ["no answer"]),
        " ",
        render_badge(one.status, f"rv-{one.status}"),
    ]


# --- ids that are gone -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GoneView:
    """A retired id."""

    gone: RetiredId
    why: Prose
    see: tuple[Prose, ...]


def tombstones_view(corpus: Corpus, _: str = "") -> tuple[GoneView, ...]:
    """Every id that was published and then retired."""
    return tuple(
        GoneView(one, corpus.prose(one.why), tuple(corpus.prose(other) for other in one.see)) for one in corpus.gone
    )


def render_retired_ids(view: tuple[GoneView, ...]) -> Nodes:
    """Render the retired ids as a table."""
    if not view:
        return [para("None so far: every id that was ever published is still there.")]
    rows: list[tuple[ContentLike, ...]] = [
        ([span(one.gone.id, cls="rv-id")], one.gone.on, render_prose(one.why), _see_instead(one) or "–") for one in view
    ]
    return [table("Ids that are gone", ("Id", "Gone since", "Why", "See instead"), rows, cls="rv-stack")]


def _see_instead(one: GoneView) -> list[Content]:
    return join_content(span(*render_prose(each)) for each in one.see)
