"""Home page: title, a deal settled differently by source, overview of answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from docutils import nodes

from edition.analysis.costs import POLICY_HEADINGS, find_costs, format_cost_percent, get_cost_sort_key
from edition.analysis.ledgers import format_signed_sum
from edition.analysis.results import settle_worked_deals
from edition.corpus.corpus import Corpus
from edition.data.drafts import format_collation
from edition.nodes.builders import (
    SUIT_SYMBOLS,
    Content,
    block,
    bullet_list,
    emphasis,
    link,
    para,
    screen_reader_text,
    span,
    strong,
)
from edition.text import answers as words
from edition.views.about.numbers import EditionNumbers, numbers_view, render_numbers
from edition.views.common import (
    AGREEMENT,
    AnswerMark,
    QuestionLink,
    SourceLink,
    build_answer_marks,
    classify_agreement,
    group_questions,
    question_link,
    source_link,
)
from edition.views.layout import Nodes, render_badge
from engine.survey.variants import VARIANT_QUESTION
from rulebook.model import Question

_MAX_COLUMNS = 12  # questions side by side; more would not fit a phone


# ---- the title
@dataclass(frozen=True, slots=True)
class TitledSource:
    """Source as named on the title page."""

    source: SourceLink
    title: str  #: in its own language
    date: str
    collated: str = ""  #: how far, where it is a draft


@dataclass(frozen=True, slots=True)
class TitleView:
    """Content of the title page."""

    sources: tuple[TitledSource, ...]
    numbers: EditionNumbers


def title_view(corpus: Corpus, _: str = "") -> TitleView:
    """Titles of the sources, and the numbers of the edition."""
    sources = tuple(
        TitledSource(
            source_link(one),
            str(one.record.get("title", one.title)),
            str(one.record.get("date", "")),
            format_collation(corpus.library, one.siglum),
        )
        for one in corpus.library.sources.values()
    )
    return TitleView(sources, numbers_view(corpus))


def render_title_page(view: TitleView) -> Nodes:
    """Title page: the four suits, the sources, and the numbers."""
    suits = (span(sign, cls=f"rv-suit rv-{colour}") for sign, colour, _ in SUIT_SYMBOLS.values())
    ornament = para(span(*suits, aria_hidden="true"), cls="rv-ornament")
    sources = bullet_list(map(_render_titled_source, view.sources), cls="rv-named")
    return [block(ornament, sources, *render_numbers(view.numbers), cls="rv-titlepage")]


def _render_titled_source(one: TitledSource) -> list[Content]:
    siglum = link("source", one.source.siglum, title=one.source.title, cls="rv-siglum")
    date = one.date.partition(";")[0]
    draft: list[Content] = [" ", render_badge(one.collated, "rv-draft")] if one.collated else []
    return [siglum, " ", span(emphasis(one.title, lang=one.source.lang), f", {date}" if date else ""), *draft]


# ---- a deal on which they part
@dataclass(frozen=True, slots=True)
class HookView:
    """Deal, one seat, and its result by each source; and the costliest question."""

    deal: str
    title: str
    seat: str
    nets: tuple[tuple[SourceLink, int, str], ...]  #: source, counters won or lost, and the counter
    dearest: QuestionLink | None
    costs: str


def hook_view(corpus: Corpus, _: str = "") -> HookView | None:
    """Worked deal on which a player wins most by one source and loses most by another."""
    found = [one for one in _score_deal_seats(corpus) if one[0] > 0]
    if not found:
        return None
    deal, title, seat, nets = max(found, key=lambda one: one[0])[1:]
    sources = [(corpus.library.sources[siglum], number) for siglum, number in nets]
    told = tuple((source_link(source), number, source.unit) for source, number in sources)
    return HookView(deal, title, seat, told, *_find_costliest_question(corpus))


def _score_deal_seats(corpus: Corpus) -> Iterable[tuple[int, str, str, str, tuple[tuple[str, int], ...]]]:
    """Every seat of every worked deal that all sources settle, with its score.

    The score is the spread between the best and the worst result; 0 unless one is a win and the other a loss.
    """
    for deal in settle_worked_deals(corpus):
        if all(one.state == "settled" for one in deal.ledgers):
            for seat in deal.seats:
                nets = tuple((one.source, dict(one.net)[seat]) for one in deal.ledgers)
                best, worst = max(net for _, net in nets), min(net for _, net in nets)
                yield (best - worst if best > 0 > worst else 0), deal.id, deal.title, seat, nets


def _find_costliest_question(corpus: Corpus) -> tuple[QuestionLink | None, str]:
    """Costliest question under the last of the policies, and its cost in words."""
    known = [
        one
        for one in find_costs(corpus)
        if not one.whole and any(stand.kind == VARIANT_QUESTION for stand in one.stands)
    ]
    if not corpus.surveys or not known:
        return None, ""
    survey = corpus.surveys[-1]
    most = max(known, key=lambda one: get_cost_sort_key(one, survey.policy))
    stand = next(stand for stand in most.stands if stand.kind == VARIANT_QUESTION)
    figures = most.of(survey.policy)
    assert figures is not None
    how = POLICY_HEADINGS.get(survey.policy, survey.policy).lower()
    said = (
        f"at the table of {most.at_table} the answer of {stand.source} would move "
        f"{format_cost_percent(figures.of_pool.value)} of the opening pool in a deal, "
        f"on the mean of {survey.deals:,} deals {how}"
    )
    return question_link(corpus.library.questions[stand.questions[0]]), said


def render_hook(view: HookView | None) -> Nodes:
    """Deal in a line, its result by each source, and the costliest question."""
    if view is None:
        return []
    intro = para("In the deal ", link("deal", view.deal, emphasis(view.title)), f" {view.seat} ends with")
    figures = bullet_list([_render_account(*one) for one in view.nets], cls="rv-accounts")
    note = "Not a card is played otherwise; each source reckons in the smallest of its own counters."
    more = _render_costliest_question(view.dearest, view.costs) if view.dearest else []
    return [block(intro, figures, para(note, cls="rv-small"), *more, cls="rv-hook")]


def _render_account(source: SourceLink, number: int, unit: str) -> list[Content]:
    verb = "gains" if number > 0 else "loses" if number < 0 else "has"
    counter = words.format_counters(abs(number), unit).partition(" ")[2]
    sign = format_signed_sum(number).replace("-", "\N{MINUS SIGN}")
    figure = span(span(sign, aria_hidden="true"), screen_reader_text(f"{verb} {abs(number)}"), cls="rv-figure")
    return [figure, " ", span(counter, lang=source.lang), " ", span("by ", link("source", source.siglum, source.title))]


def _render_costliest_question(asked: QuestionLink, costs: str) -> Nodes:
    return [
        para(
            "Of all questions on which they differ none costs more than ",
            link("question", asked.id, f"{asked.id} {asked.asks}"),
            f" By the surveys, {costs}; ",
            link("cost", asked.id, "the figures"),
            ".",
        )
    ]


# ---- the matrix at a glance
@dataclass(frozen=True, slots=True)
class GlanceColumn:
    """Question of the overview: the letters of all sources, and their agreement."""

    question: QuestionLink
    marks: tuple[AnswerMark, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class GlanceBlock:
    """Questions of a group that fit side by side."""

    group: str
    part: str  #: "1 of 2" where a group is too long for one row
    sources: tuple[SourceLink, ...]
    columns: tuple[GlanceColumn, ...]


def glance_view(corpus: Corpus, _: str = "") -> tuple[GlanceBlock, ...]:
    """Overview of all answers: questions across, sources down."""
    sources = tuple(map(source_link, corpus.library.sources.values()))
    return tuple(
        GlanceBlock(
            group, f"{at} of {len(pieces)}" if len(pieces) > 1 else "", sources, _build_glance_columns(corpus, piece)
        )
        for group, questions in group_questions(corpus).items()
        for pieces in [split_evenly(questions, _MAX_COLUMNS)]
        for at, piece in enumerate(pieces, 1)
    )


def _build_glance_columns(corpus: Corpus, questions: Iterable[Question]) -> tuple[GlanceColumn, ...]:
    return tuple(
        GlanceColumn(question_link(one), build_answer_marks(corpus, one), classify_agreement(corpus, one))
        for one in questions
    )


def split_evenly(row: tuple[Question, ...], most: int) -> list[tuple[Question, ...]]:
    """Split a row into parts of about the same length, none longer than *most*."""
    number = -(-len(row) // most)
    length = -(-len(row) // max(number, 1))
    return [row[at : at + length] for at in range(0, len(row), length)]


#: How the foot of a column says whether the sources agree.
_AGREEMENT_SIGNS: Mapping[str, str] = {"agree": "=", "differ": "≠", "alone": "1", "nobody": "0"}


def render_glance(view: tuple[GlanceBlock, ...]) -> Nodes:
    """Overview of all answers in letters; every column links to its row in the matrix."""
    key = [
        piece for kind, sign in _AGREEMENT_SIGNS.items() for piece in (strong(sign), f" {AGREEMENT[kind].lower()}; ")
    ][:-1]
    last = f" {AGREEMENT[list(_AGREEMENT_SIGNS)[-1]].lower()}."
    return [
        para("Below each column: ", *key, last, cls="rv-small"),
        block(*map(_render_glance_block, view), cls="rv-glance"),
    ]


def _render_glance_block(one: GlanceBlock) -> nodes.container:
    part = f" ({one.part})" if one.part else ""
    name = para(link("group", one.group, one.group), part, cls="rv-glance-name")
    sigla = [*(span(source.siglum, cls="rv-letter-of") for source in one.sources), span("", cls="rv-foot")]
    side = span(*sigla, cls="rv-column rv-names", aria_hidden="true")
    return block(
        name, block(para(side, *map(_render_glance_column, one.columns)), cls="rv-glance-row"), cls="rv-glance-block"
    )


def _render_glance_column(one: GlanceColumn) -> nodes.Node:
    letters = (span(mark.letter, cls=f"rv-letter-of rv-mark-{mark.kind}") for mark in one.marks)
    foot = span(_AGREEMENT_SIGNS[one.kind], cls=f"rv-foot rv-foot-{one.kind}")
    said = f"{one.question.id} {one.question.asks} {AGREEMENT[one.kind]}"
    shown = span(*letters, foot, cls="rv-column", aria_hidden="true")
    return link("row", one.question.id, shown, screen_reader_text(said), title=said)
