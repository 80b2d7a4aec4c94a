"""How far the coding can be trusted: two coders compared, rivals tried on the deals, ids that are gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.analysis.effects import compute_effects
from edition.corpus.corpus import Corpus, Gone
from edition.nodes.builders import Content, Some, block, link, para, section, span, table
from edition.text.answers import Answer, plural
from edition.text.answers import answer as in_words
from edition.views.common import Prose, QuestionLink, SourceLink, question_link, source_link
from edition.views.layout import Nodes, answer, badge, joined, prose, question_ref
from rulebook.agreement.codings import Coded
from rulebook.agreement.report import AgreementReport
from rulebook.agreement.settlements import PROCEDURES, WAYS_SETTLED, Settlement
from rulebook.agreement.statistics import Figure, Measured

# --- two codings --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """What one coder found."""

    answer: Answer | None
    status: str


@dataclass(frozen=True, slots=True)
class SettledView:
    """A disagreement, how it was settled, and why."""

    question: QuestionLink
    siglum: str
    first: Found
    second: Found
    kept: str
    why: Prose
    procedure: str


@dataclass(frozen=True, slots=True)
class AgreementView:
    """Two codings compared."""

    package: str
    figures: tuple[tuple[str, tuple[tuple[str, Figure], ...]], ...]  #: tables of (what over, figure)
    once: tuple[QuestionLink, ...]  #: questions that were put after the codings, and have no second one
    counts: tuple[tuple[str, str, int], ...]  #: (way, what it means, how often)
    settled: tuple[tuple[SourceLink, tuple[SettledView, ...]], ...]


def agreement_view(corpus: Corpus, _: str = "") -> AgreementView | None:
    """How far two coders agree; None where there is only one coding."""
    known = corpus.codings
    if known is None:
        return None
    counts = tuple((way, WAYS_SETTLED[way], number) for way, number in known.counts().items())
    once = tuple(question_link(corpus.library.question(id)) for id in known.once)
    return AgreementView(known.package, tuple(figures(known)), once, counts, tuple(settled(corpus, known)))


def figures(known: AgreementReport) -> Iterator[tuple[str, tuple[tuple[str, Figure], ...]]]:
    """The tables of figures."""
    overall = (("All cells", known.all), ("Cells in which a coder hears the source speak", known.spoken))
    yield "Agreement over all", overall
    yield "Agreement by source", tuple(known.by_source.items())
    yield "Agreement by group of questions", tuple(known.by_group.items())


def settled(corpus: Corpus, known: AgreementReport) -> Iterator[tuple[SourceLink, tuple[SettledView, ...]]]:
    """The disagreements, source by source."""
    for siglum, source in corpus.library.sources.items():
        mine = tuple(settled_view(corpus, one) for one in known.settled if one.source == siglum)
        if mine:
            yield source_link(source), mine


def settled_view(corpus: Corpus, one: Settlement) -> SettledView:
    """One disagreement."""
    first, second = (found(corpus, one.question, coded) for coded in (one.first, one.second))
    link_ = question_link(corpus.library.questions[one.question])
    return SettledView(link_, one.source, first, second, one.kept, corpus.prose(one.why, one.source), one.procedure)


def found(corpus: Corpus, slug: str, coded: Coded) -> Found:
    """What one coder found, in words."""
    if coded.value is None:
        return Found(None, coded.status)
    return Found(in_words(corpus.library.questions[slug], coded.value, corpus.library), coded.status)


# --- how they are laid out

ASIDE = "The figures have not been reckoned: there are no two codings to compare."


def agreement(view: AgreementView | None) -> Nodes:
    """Figures first, then every disagreement."""
    if view is None:
        return [para(ASIDE)]
    reckoned = para(f"Alpha was reckoned with the package {view.package}.", cls="rv-small")
    return [
        section("figures", "The figures", *(figure_table(*one) for one in view.figures), reckoned, *left_out(view)),
        section("settled", "Every disagreement, and how it was settled", *ways(view), *map(settlements, view.settled)),
    ]


def left_out(view: AgreementView) -> Nodes:
    """The questions that no figure covers."""
    if not view.once:
        return []
    told = f"{plural(len(view.once), 'question')} put after the codings, coded once only, and part of no figure: "
    return [para(told, *joined([question_ref(one) for one in view.once]))]


HEAD = ("Over", "Cells", "Same answer", "Alpha, answers", "Same status", "Alpha, status")


def figure_table(caption: str, rows: Iterable[tuple[str, Figure]]) -> nodes.Node:
    """Figures over some cells, and over others."""
    lines = [(name, str(one.cells), *measured(one.value), *measured(one.status)) for name, one in rows]
    return table(caption, HEAD, lines, cls="rv-stack rv-figures")


def measured(one: Measured) -> tuple[str, str]:
    """How many agree, and alpha; a dash where it was not reckoned."""
    share = f"{one.agreed} ({one.per_cent} %)" if one.per_cent is not None else str(one.agreed)
    return share, "–" if one.alpha is None else f"{one.alpha:.3f}"


def ways(view: AgreementView) -> Nodes:
    """How often each way to settle was taken."""
    total = sum(number for _, _, number in view.counts)
    rows = [([badge(way)], meaning, str(number)) for way, meaning, number in view.counts]
    head = ("Kept", "What that means", "How often")
    return [para(f"{plural(total, 'disagreement')} settled."), table("Ways to settle", head, rows, cls="rv-stack")]


def settlements(one: tuple[SourceLink, tuple[SettledView, ...]]) -> nodes.section:
    """The disagreements about one source."""
    source, rows = one
    title = [f"{source.siglum}: ", source.title]
    return section(f"settled-{source.siglum}", title, *map(disagreement, rows))


def disagreement(one: SettledView) -> nodes.container:
    """What both found, what was kept, and why."""
    cell = link("cell", f"{one.question.id}@{one.siglum}", one.siglum, title=one.question.asks)
    head = para(question_ref(one.question), " ", span(one.question.asks, cls="rv-asks"), " (", cell, ")")
    lines = [labelled(label, said(each)) for label, each in (("First", one.first), ("Second", one.second))]
    kept = labelled("Kept", [badge(one.kept), " ", *prose(one.why)])
    mended = [para(PROCEDURES[one.procedure], cls="rv-small")] if one.procedure == "improved" else []
    return block(head, *lines, kept, *mended, cls="rv-clause rv-settled")


def labelled(label: str, words: Iterable[Content]) -> nodes.paragraph:
    """Words under a label."""
    return para(span(label, cls="rv-label"), " ", *words)


def said(one: Found) -> list[Content]:
    """What a coder found."""
    return [*(answer(one.answer) if one.answer else ["no answer"]), " ", badge(one.status, f"rv-{one.status}")]


# --- what the rivals change, counted --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EffectsView:
    """How many alternatives change a worked deal."""

    total: int
    changing: int
    idle: int
    unplayed: int
    deals: int
    sessions: int = 0


def effects_view(corpus: Corpus, _: str = "") -> EffectsView:
    """How many alternatives change a worked deal, how many none, and how many the engine does not play."""
    sorts = Counter(
        "changing" if one.changes else "idle" if one.played else "unplayed" for one in compute_effects(corpus).values()
    )
    return EffectsView(
        sorts.total(),
        sorts["changing"],
        sorts["idle"],
        sorts["unplayed"],
        len(corpus.deals),
        len(corpus.library.sessions),
    )


def effects(view: EffectsView) -> Nodes:
    """The count in a sentence."""
    return [
        para(
            f"Each of the {view.total} rivals and options was tried on the {plural(view.deals, 'worked deal')} and the "
            f"{plural(view.sessions, 'worked session')}: "
            f"{view.changing} change at least one, {view.idle} change none, and {view.unplayed} answer only questions "
            "that the engine does not ask. Under each stands which it changes."
        )
    ]


# --- ids that are gone -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GoneView:
    """An id that is no more."""

    gone: Gone
    why: Prose
    see: tuple[Prose, ...]


def tombstones_view(corpus: Corpus, _: str = "") -> tuple[GoneView, ...]:
    """Every id that was published and is gone."""
    return tuple(
        GoneView(one, corpus.prose(one.why), tuple(corpus.prose(other) for other in one.see)) for one in corpus.gone
    )


def tombstones(view: tuple[GoneView, ...]) -> Nodes:
    """The ids that are gone, in a table."""
    if not view:
        return [para("None so far: every id that was ever published is still there.")]
    rows: list[tuple[Some, ...]] = [
        ([span(one.gone.id, cls="rv-id")], one.gone.on, prose(one.why), see_instead(one) or "–") for one in view
    ]
    return [table("Ids that are gone", ("Id", "Gone since", "Why", "See instead"), rows, cls="rv-stack")]


def see_instead(one: GoneView) -> list[Content]:
    """What to read instead."""
    return joined(span(*prose(each)) for each in one.see)


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {
    "agreement": agreement_view,
    "effects": effects_view,
    "tombstones": tombstones_view,
}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {
    "agreement": agreement,
    "effects": effects,
    "tombstones": tombstones,
}
