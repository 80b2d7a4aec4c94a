"""Components page: everything of which the readers' pages are built, shown with true data of the edition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.analysis.deal_views import DealView
from edition.analysis.results import settle_worked_deal
from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, block, bullet_list, link, para, section, span, table
from edition.nodes.components import (
    ANSWER_STATUS_MARKS,
    ChartBar,
    PaymentRow,
    SourceMark,
    agreement_strip,
    answer_with_status,
    bar_chart,
    card_tile,
    ledger_strip,
    mark_legend,
    payments_table,
    source_chip,
    source_quotation,
    source_shape,
    status_mark,
)
from edition.text.answers import SUMMARY, pluralize_counter
from edition.views.common import QuestionLink, QuotationView, build_quotation_view, question_link
from edition.views.layout import Nodes, render_quotation_place, render_translation
from edition.views.voices import (
    Groups,
    describe_answer_plainly,
    find_answer_marks,
    group_voices,
    source_marks,
)
from rulebook.model import SPOKEN_STATUSES

CARDS = ("JH", "AD", "KC", "TS", "7H", "2D")  #: cards of a pack, the quinola first
_SCALE = range(1, 9)


@dataclass(frozen=True, slots=True)
class AnswerSample:
    """An answer to a question, with the status that it stands for."""

    question: QuestionLink
    source: SourceMark
    words: str
    status: str


@dataclass(frozen=True, slots=True)
class StripSample:
    """A question and the sources in groups of those that say the same."""

    question: QuestionLink
    groups: Groups


@dataclass(frozen=True, slots=True)
class DealSample:
    """A deal that every source settles: its payments, and what each player has in the end."""

    id: str
    title: str
    payments: tuple[PaymentRow, ...]
    totals: tuple[tuple[SourceMark, str, tuple[tuple[str, int], ...]], ...]  #: by source, with its counter


@dataclass(frozen=True, slots=True)
class ComponentsView:
    """True data for every component."""

    sources: tuple[SourceMark, ...]
    answers: tuple[AnswerSample, ...]
    strips: tuple[StripSample, ...]
    quotations: tuple[tuple[SourceMark, QuotationView], ...]
    deal: DealSample | None
    spoken: tuple[tuple[SourceMark, int], ...]  #: how many questions each source answers itself
    questions: int


def components_view(corpus: Corpus, _: str = "") -> ComponentsView:
    """Choose for every component the first true data that show it."""
    marks = source_marks(corpus)
    return ComponentsView(
        tuple(marks.values()),
        tuple(_choose_answers(corpus, marks).values()),
        tuple(_choose_strips(corpus).values()),
        tuple(_choose_quotations(corpus, marks)),
        next(_iter_deal_samples(corpus, marks), None),
        tuple((mark, _count_spoken(corpus, siglum)) for siglum, mark in marks.items()),
        len(corpus.library.questions),
    )


def _choose_answers(corpus: Corpus, marks: Mapping[str, SourceMark]) -> Mapping[str, AnswerSample]:
    """Choose the first answer of each status."""
    found: dict[str, AnswerSample] = {}
    for question in corpus.library.questions.values():
        for siglum, mark in marks.items():
            cell = corpus.cell(siglum, question.slug)
            status = find_answer_marks(corpus, cell) if cell and cell.value is not None else None
            if status is not None and status not in found:
                said = describe_answer_plainly(corpus, question, siglum)
                found[status] = AnswerSample(question_link(question), mark, said, status)
    return found


def _choose_strips(corpus: Corpus) -> Mapping[tuple[int, bool], StripSample]:
    """Choose the first question for each number of groups, with our assumptions in it and without."""
    found: dict[tuple[int, bool], StripSample] = {}
    for question in corpus.library.questions.values():
        groups = group_voices(corpus, question)
        kind = len(groups), any(one.assumed for group in groups for one in group)
        if groups and kind not in found:
            found[kind] = StripSample(question_link(question), groups)
    return dict(sorted(found.items()))


def _choose_quotations(corpus: Corpus, marks: Mapping[str, SourceMark]) -> Iterator[tuple[SourceMark, QuotationView]]:
    """Choose the first quotation of each source."""
    for siglum, source in corpus.library.sources.items():
        cite = next((cite for clause in source.clauses for cite in clause.cites), None)
        if cite:
            yield marks[siglum], build_quotation_view(corpus, source, cite)


def _count_spoken(corpus: Corpus, siglum: str) -> int:
    cells = (corpus.cell(siglum, slug) for slug in corpus.library.questions)
    return sum(cell is not None and cell.value is not None and cell.status in SPOKEN_STATUSES for cell in cells)


def _iter_deal_samples(corpus: Corpus, marks: Mapping[str, SourceMark]) -> Iterator[DealSample]:
    """Deals in which something is paid and that every source settles."""
    for entry in corpus.deals:
        view = settle_worked_deal(corpus, entry.id)
        payments = _list_payment_rows(view)
        if payments and not view.left_out and all(one.state == "settled" for one in view.ledgers):
            totals = tuple((marks[one.source], one.unit, one.net) for one in view.ledgers)
            yield DealSample(view.id, view.title, payments, totals)


def _list_payment_rows(view: DealView) -> tuple[PaymentRow, ...]:
    """Sums that pass between two accounts, added up for each source."""
    paid = [
        {(one.payer, one.payee): 0 for entry in ledger.entries for one in entry.postings} for ledger in view.ledgers
    ]
    for sums, ledger in zip(paid, view.ledgers, strict=True):
        for one in (posting for entry in ledger.entries for posting in entry.postings):
            sums[one.payer, one.payee] += one.amount
    pairs = dict.fromkeys(pair for sums in paid for pair in sums)
    return tuple(PaymentRow(*pair, tuple(sums.get(pair) for sums in paid)) for pair in pairs)


# --- nodes ------------------------------------------------------------------------------------------


def render_components(view: ComponentsView) -> Nodes:
    """Every component under a heading of its own."""
    parts: tuple[tuple[str, str, Nodes], ...] = (
        ("chips", "Source chip", [bullet_list(([source_chip(one)] for one in view.sources), cls="rv-chip-list")]),
        ("status", "Status", [_render_status_legend()]),
        ("answers", "Answer", [_render_answers_table(view)]),
        ("agreement", "Agreement", _render_strips(view)),
        ("quotations", "Quotation", [part for mark, quote in view.quotations for part in _quotation(mark, quote)]),
        ("payments", "Table of payments", _render_payments(view)),
        ("totals", "Ledger strip", _render_totals(view)),
        ("cards", "Card", [para(*_spaced(card_tile(name) for name in CARDS), cls="rv-tiles")]),
        ("charts", "Bar chart", [bar_chart(_spoken_bars(view))]),
        ("scale", "Sizes and steps", _render_scales()),
    )
    return [section(f"show-{id}", title, *body) for id, title, body in parts]


def _render_status_legend() -> nodes.container:
    return mark_legend((status_mark(status), says) for status, (_, says) in ANSWER_STATUS_MARKS.items())


def _render_answers_table(view: ComponentsView) -> nodes.table:
    rows = [
        ([_question_words(one.question)], [source_chip(one.source)], [answer_with_status(one.words, one.status)])
        for one in view.answers
    ]
    return table("An answer of each status", ("Question", "Source", "Answer"), rows, cls="rv-stack rv-plain-answers")


def _question_words(question: QuestionLink) -> nodes.Node:
    return link("question", question.id, question.asks, title=question.id)


def _render_strips(view: ComponentsView) -> Nodes:
    rows = [([_question_words(one.question)], [agreement_strip(one.groups)]) for one in view.strips]
    legend: list[tuple[Content, str]] = []
    if view.sources:
        legend = [(source_shape(view.sources[0], pale=True), "hollow: our assumption, not the voice of the source")]
    return [
        table("Who says the same", ("Question", "Sources"), rows, cls="rv-stack rv-agreement-strips"),
        mark_legend(legend),
    ]


def _quotation(source: SourceMark, quote: QuotationView) -> Nodes:
    english = render_translation(quote.translation) or ([f"{SUMMARY}: {quote.paraphrase}"] if quote.paraphrase else [])
    return [
        para(source_chip(source)),
        source_quotation(source, quote.exact, quote.lang, english, render_quotation_place(quote)),
    ]


def _render_payments(view: ComponentsView) -> Nodes:
    if view.deal is None:
        return [para("No deal of this edition is settled by every source.")]
    title = para("The deal ", link("deal", view.deal.id, view.deal.title), ", settled by every source.")
    sources = [mark for mark, _, _ in view.deal.totals]
    return [title, payments_table("Who pays whom", sources, view.deal.payments)]


def _render_totals(view: ComponentsView) -> Nodes:
    if view.deal is None:
        return [para("No deal of this edition is settled by every source.")]
    return [
        block(para(source_chip(mark), span(f" in {pluralize_counter(unit)}", cls="rv-unit")), ledger_strip(net, unit))
        for mark, unit, net in view.deal.totals
    ]


def _spoken_bars(view: ComponentsView) -> Iterator[ChartBar]:
    """Bars: how many of all questions each source answers itself."""
    for mark, number in view.spoken:
        share = number / view.questions if view.questions else 0
        yield ChartBar([source_chip(mark)], share, f"{number} of {view.questions} questions", mark)


def _render_scales() -> Nodes:
    sizes = ([span(f"Size {at}", cls=f"rv-size-{at}")] for at in _SCALE)
    steps = ([span(cls=f"rv-step-shown rv-step-{at}", aria_hidden="true"), f" Step {at}"] for at in _SCALE)
    return [bullet_list(sizes, cls="rv-scale"), bullet_list(steps, cls="rv-scale")]


def _spaced(pieces: Iterator[nodes.inline]) -> Iterator[Content]:
    for one in pieces:
        yield from (one, " ")
