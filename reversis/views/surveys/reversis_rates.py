"""Frequency of the reversis, undertaken and made, in the stored surveys, by source and way of playing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.builders import ContentLike, para, strong, table
from edition.nodes.components import SourceMark, named_source
from edition.views.layout import Nodes
from edition.views.plain_answers import source_marks
from lab.survey.request import EVENTS
from reversis.files.surveys import StoredSurvey
from reversis.findings.costs import POLICY_HEADINGS, THIN_SPACE, format_cost_figure
from reversis.findings.leading import sort_surveys
from reversis.views.surveys.surveys import NO_SURVEY
from rulebook.estimates import estimate_share
from rulebook.phrases import join_names
from rulebook.resolve import resolve

_LAST_FREE = "reversis.undertaken"  #: the question by how many of the last tricks a reversis may still fail


@dataclass(frozen=True, slots=True)
class ReversisCount:
    """Number of deals in which a reversis was undertaken, and made, of how many."""

    undertaken: int
    made: int
    deals: int


@dataclass(frozen=True, slots=True)
class ReversisRow:
    """Counts at the table of one source, under every way of playing that was surveyed there."""

    source: SourceMark
    whole: bool  #: by its rules a reversis is undertaken only by making it
    supplied: bool  #: when it is undertaken is our assumption
    counts: tuple[ReversisCount | None, ...]


@dataclass(frozen=True, slots=True)
class ReversisRatesView:
    """The whole table, the way of playing that leads first."""

    policies: tuple[str, ...]
    rows: tuple[ReversisRow, ...]


def count_reversis(survey: StoredSurvey, siglum: str) -> ReversisCount | None:
    """Count the reversis of a survey at the table of a source; None where it was not surveyed."""
    seated = next((one for one in survey.tables if one.siglum == siglum), None)
    if seated is None or not seated.count.events:
        return None
    events = dict(zip(EVENTS, seated.count.events, strict=True))
    return ReversisCount(events["reversis-undertaken"], events["reversis-made"], seated.count.deals)


def reversis_rates_view(corpus: Corpus, _: str = "") -> ReversisRatesView:
    """Frequency of the reversis, undertaken and made, by source and way of playing."""
    surveys = tuple(reversed(sort_surveys(corpus)))
    rows = (
        ReversisRow(mark, *_judge_undertaking(corpus, siglum), tuple(count_reversis(one, siglum) for one in surveys))
        for siglum, mark in source_marks(corpus).items()
    )
    return ReversisRatesView(tuple(one.policy for one in surveys), tuple(one for one in rows if any(one.counts)))


def _judge_undertaking(corpus: Corpus, siglum: str) -> tuple[bool, bool]:
    """Judge whether a reversis is undertaken only by making it, and whether that is our assumption."""
    ruling = resolve(corpus.library, siglum).rulings.get(_LAST_FREE)
    return (True, True) if ruling is None else (ruling.value == 0, ruling.supplied)


def is_undertaken_by_making(corpus: Corpus, siglum: str) -> bool:
    """Return whether by a source's rules a reversis counts as undertaken only once it is made."""
    return _judge_undertaking(corpus, siglum)[0]


def render_reversis_rates(view: ReversisRatesView) -> Nodes:
    """Render the table, and what its words mean."""
    if not view.rows:
        return [para(NO_SURVEY)]
    head = ("By the rules of", *(POLICY_HEADINGS.get(one, one) for one in view.policies))
    lines = [([named_source(row.source)], *(_list_shares(one, row.whole) for one in row.counts)) for row in view.rows]
    made = table("The reversis in a hundred deals", head, lines, cls="rv-stack rv-figures")
    return [made, para(_explain_words(view.rows), cls="rv-small")]


def _list_shares(one: ReversisCount | None, whole: bool) -> list[ContentLike] | str:
    """List how many of a hundred deals have one undertaken and made, with the interval of the former."""
    if one is None:
        return "–"
    found, made = (estimate_share(number, one.deals) for number in (one.undertaken, one.made))
    low, high = (format_cost_figure(100 * share) for share in (found.low, found.high))
    said = "made" if whole else f"undertaken, {format_cost_figure(100 * made.value)} made"
    between = f"95{THIN_SPACE}%: {low} to {high}"
    return [para(strong(format_cost_figure(100 * found.value)), f" {said}"), para(between, cls="rv-small")]


def _explain_words(rows: Sequence[ReversisRow]) -> str:
    whole = [one.source.within for one in rows if one.whole]
    only = f" By the rules of {join_names(whole)} it counts only once it is made." if whole else ""
    ours = [one.source.within for one in rows if one.supplied]
    assumed = f" (for {join_names(ours)} that is our assumption)" if ours else ""
    return (
        f"Undertaken: one player has taken every trick but the last few, of which the book says how many{assumed}, "
        f"whether or not that was the aim. Made: that player has taken all.{only} The "
        "interval is that of the first figure."
    )
