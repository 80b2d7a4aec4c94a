"""The first page: the edition's title, a deal on which the sources part, and the matrix at a glance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.analysis.costs import POLICIES, find_costs, heft, percent
from edition.analysis.ledgers import signed
from edition.analysis.results import settle_worked_deals
from edition.corpus.corpus import Corpus
from edition.data.drafts import collated
from edition.nodes.builders import Content, block, bullets, emphasis, link, para, span, strong, unseen
from edition.text import answers as words
from edition.views.about.numbers import Numbers, numbers_view
from edition.views.common import (
    AGREEMENT,
    Mark,
    QuestionLink,
    SourceLink,
    agreement,
    by_group,
    marks,
    question_link,
    source_link,
)
from edition.views.layout import Nodes, badge
from engine.survey.variants import QUESTION
from rulebook.model import Question

ACROSS = 12  # questions side by side; more would not fit a phone


# ---- the title
@dataclass(frozen=True, slots=True)
class Titled:
    """A source as a title page names it."""

    source: SourceLink
    title: str  #: in its own language
    date: str
    collated: str = ""  #: how far, where it is a draft


@dataclass(frozen=True, slots=True)
class TitleView:
    """What stands on the title page."""

    sources: tuple[Titled, ...]
    numbers: Numbers


def title_view(corpus: Corpus, _: str = "") -> TitleView:
    """The sources by their titles, and what there is, counted."""
    sources = tuple(
        Titled(
            source_link(one),
            str(one.record.get("title", one.title)),
            str(one.record.get("date", "")),
            collated(corpus.library, one.siglum),
        )
        for one in corpus.library.sources.values()
    )
    return TitleView(sources, numbers_view(corpus))


SUITS: tuple[tuple[str, str], ...] = (("♠", "black"), ("♥", "red"), ("♦", "red"), ("♣", "black"))


def title_page(view: TitleView) -> Nodes:
    """The four suits, the sources, and the numbers."""
    suits = (span(sign, cls=f"rv-suit rv-{colour}") for sign, colour in SUITS)
    ornament = para(span(*suits, aria_hidden="true"), cls="rv-ornament")
    sources = bullets(map(titled, view.sources), cls="rv-named")
    counted = bullets(([strong(number), f" {what}"] for number, what in view.numbers.lines), cls="rv-numbers")
    return [block(ornament, sources, counted, cls="rv-titlepage")]


def titled(one: Titled) -> list[Content]:
    """One source in a line."""
    siglum = link("source", one.source.siglum, title=one.source.title, cls="rv-siglum")
    date = one.date.partition(";")[0]
    draft: list[Content] = [" ", badge(one.collated, "rv-draft")] if one.collated else []
    return [siglum, " ", span(emphasis(one.title, lang=one.source.lang), f", {date}" if date else ""), *draft]


# ---- a deal on which they part
@dataclass(frozen=True, slots=True)
class Hook:
    """A deal, one seat at its table, and what every source makes of it; and the question that costs most of all."""

    deal: str
    title: str
    seat: str
    nets: tuple[tuple[SourceLink, int, str], ...]  #: source, counters won or lost, and the counter
    dearest: QuestionLink | None
    costs: str


def hook_view(corpus: Corpus, _: str = "") -> Hook | None:
    """The worked deal on which one player wins most by one source while he loses most by another."""
    found = [one for one in parted(corpus) if one[0] > 0]
    if not found:
        return None
    deal, title, seat, nets = max(found, key=lambda one: one[0])[1:]
    sources = [(corpus.library.sources[siglum], number) for siglum, number in nets]
    told = tuple((source_link(source), number, source.unit) for source, number in sources)
    return Hook(deal, title, seat, told, *dearest(corpus))


def parted(corpus: Corpus) -> Iterable[tuple[int, str, str, str, tuple[tuple[str, int], ...]]]:
    """Every seat at every worked deal that all sources settle, with how far winning and losing lie apart."""
    for deal in settle_worked_deals(corpus):
        if all(one.state == "settled" for one in deal.ledgers):
            for seat in deal.seats:
                nets = tuple((one.source, dict(one.net)[seat]) for one in deal.ledgers)
                best, worst = max(net for _, net in nets), min(net for _, net in nets)
                yield (best - worst if best > 0 > worst else 0), deal.id, deal.title, seat, nets


def dearest(corpus: Corpus) -> tuple[QuestionLink | None, str]:
    """The question that costs most at a table under the last of the policies, and how much."""
    known = [one for one in find_costs(corpus) if not one.whole and any(stand.kind == QUESTION for stand in one.stands)]
    if not corpus.surveys or not known:
        return None, ""
    survey = corpus.surveys[-1]
    most = max(known, key=lambda one: heft(one, survey.policy))
    stand = next(stand for stand in most.stands if stand.kind == QUESTION)
    figures = most.of(survey.policy)
    assert figures is not None
    how = POLICIES.get(survey.policy, survey.policy).lower()
    said = (
        f"at the table of {most.at_table} the answer of {stand.source} would move {percent(figures.of_pool.value)} of "
        f"the opening pool in a deal, on the mean of {survey.deals:,} deals {how}"
    )
    return question_link(corpus.library.questions[stand.questions[0]]), said


def hook(view: Hook | None) -> Nodes:
    """The deal in a line, what every source makes of it, and the dearest question."""
    if view is None:
        return []
    intro = para("In the deal ", link("deal", view.deal, emphasis(view.title)), f" {view.seat} ends with")
    figures = bullets([account(*one) for one in view.nets], cls="rv-accounts")
    note = "Not a card is played otherwise; each source reckons in the smallest of its own counters."
    more = [*dear(view.dearest, view.costs)] if view.dearest else []
    return [block(intro, figures, para(note, cls="rv-small"), *more, cls="rv-hook")]


def account(source: SourceLink, number: int, unit: str) -> list[Content]:
    """What one source makes of it."""
    verb = "gains" if number > 0 else "loses" if number < 0 else "has"
    counter = words.counters(abs(number), unit).partition(" ")[2]
    sign = signed(number).replace("-", "\N{MINUS SIGN}")
    figure = span(span(sign, aria_hidden="true"), unseen(f"{verb} {abs(number)}"), cls="rv-figure")
    return [figure, " ", span(counter, lang=source.lang), " ", span("by ", link("source", source.siglum, source.title))]


def dear(asked: QuestionLink, costs: str) -> Nodes:
    """The question that costs most."""
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
class Column:
    """One question: the letters of all sources, and whether they agree."""

    question: QuestionLink
    marks: tuple[Mark, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class GlanceBlock:
    """So many questions of a group as fit side by side."""

    group: str
    part: str  #: "1 of 2" where a group is too long for one row
    sources: tuple[SourceLink, ...]
    columns: tuple[Column, ...]


def glance_view(corpus: Corpus, _: str = "") -> tuple[GlanceBlock, ...]:
    """The matrix at a glance: questions across, sources down, like verses set under each other."""
    sources = tuple(map(source_link, corpus.library.sources.values()))
    return tuple(
        GlanceBlock(group, f"{at} of {len(pieces)}" if len(pieces) > 1 else "", sources, columns(corpus, piece))
        for group, questions in by_group(corpus).items()
        for pieces in [evenly(questions, ACROSS)]
        for at, piece in enumerate(pieces, 1)
    )


def columns(corpus: Corpus, questions: Iterable[Question]) -> tuple[Column, ...]:
    """Some questions with their letters."""
    return tuple(Column(question_link(one), marks(corpus, one), agreement(corpus, one)) for one in questions)


def evenly(row: tuple[Question, ...], most: int) -> list[tuple[Question, ...]]:
    """A row cut into pieces of about the same length, none longer than `most`."""
    number = -(-len(row) // most)
    length = -(-len(row) // max(number, 1))
    return [row[at : at + length] for at in range(0, len(row), length)]


#: How the foot of a column says whether the sources agree.
FEET: Mapping[str, str] = {"agree": "=", "differ": "≠", "alone": "1", "nobody": "0"}


def glance(view: tuple[GlanceBlock, ...]) -> Nodes:
    """The whole matrix in letters, every column a way into it."""
    key = [piece for kind, sign in FEET.items() for piece in (strong(sign), f" {AGREEMENT[kind].lower()}; ")][:-1]
    last = f" {AGREEMENT[list(FEET)[-1]].lower()}."
    return [para("Below each column: ", *key, last, cls="rv-small"), block(*map(glance_block, view), cls="rv-glance")]


def glance_block(one: GlanceBlock) -> nodes.container:
    """Some questions of one group."""
    part = f" ({one.part})" if one.part else ""
    name = para(link("group", one.group, one.group), part, cls="rv-glance-name")
    sigla = [*(span(source.siglum, cls="rv-letter-of") for source in one.sources), span("", cls="rv-foot")]
    side = span(*sigla, cls="rv-column rv-names", aria_hidden="true")
    return block(name, block(para(side, *map(column, one.columns)), cls="rv-glance-row"), cls="rv-glance-block")


def column(one: Column) -> nodes.Node:
    """One question, leading to its row."""
    letters = (span(mark.letter, cls=f"rv-letter-of rv-mark-{mark.kind}") for mark in one.marks)
    foot = span(FEET[one.kind], cls=f"rv-foot rv-foot-{one.kind}")
    said = f"{one.question.id} {one.question.asks} {AGREEMENT[one.kind]}"
    shown = span(*letters, foot, cls="rv-column", aria_hidden="true")
    return link("row", one.question.id, shown, unseen(said), title=said)


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {
    "titlepage": title_view,
    "hook": hook_view,
    "glance": glance_view,
}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"titlepage": title_page, "hook": hook, "glance": glance}
