"""Frequency of the reversis, undertaken and made, in the stored surveys, by source and way of playing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.views.plain_answers import source_marks
from lab.survey.request import EVENTS
from reversis.files.surveys import StoredSurvey
from reversis.findings.leading import sort_surveys
from reversis.views.page_template import page_renderer
from rulebook.estimates import Estimate, estimate_share
from rulebook.resolve import resolve

_LAST_FREE = "reversis.undertaken"  #: the question by how many of the last tricks a reversis may still fail


Shares: TypeAlias = tuple[Estimate, Estimate]  #: of the deals in which a reversis was undertaken, and made


@dataclass(frozen=True, slots=True)
class ReversisRow:
    """Counts at the table of one source, under every way of playing that was surveyed there."""

    source: SourceMark
    whole: bool  #: by its rules a reversis is undertaken only by making it
    supplied: bool  #: when it is undertaken is our assumption
    counts: tuple[Shares | None, ...]


def count_reversis(survey: StoredSurvey, siglum: str) -> Shares | None:
    """Count the reversis of a survey at the table of a source; None where it was not surveyed."""
    seated = next((one for one in survey.tables if one.siglum == siglum), None)
    if seated is None or not seated.count.events:
        return None
    events = dict(zip(EVENTS, seated.count.events, strict=True))
    undertaken, made = (events[f"reversis-{what}"] for what in ("undertaken", "made"))
    return estimate_share(undertaken, seated.count.deals), estimate_share(made, seated.count.deals)


def reversis_rates_view(corpus: Corpus, _: str = "") -> tuple[tuple[str, ...], tuple[ReversisRow, ...]]:
    """Frequency of the reversis, undertaken and made, by source; the way of playing that leads stands first."""
    surveys = tuple(reversed(sort_surveys(corpus)))
    rows = (
        ReversisRow(mark, *_judge_undertaking(corpus, siglum), tuple(count_reversis(one, siglum) for one in surveys))
        for siglum, mark in source_marks(corpus).items()
    )
    return tuple(one.policy for one in surveys), tuple(row for row in rows if any(row.counts))


def _judge_undertaking(corpus: Corpus, siglum: str) -> tuple[bool, bool]:
    """Judge whether a reversis is undertaken only by making it, and whether that is our assumption."""
    ruling = resolve(corpus.library, siglum).rulings.get(_LAST_FREE)
    return (True, True) if ruling is None else (ruling.value == 0, ruling.supplied)


def is_undertaken_by_making(corpus: Corpus, siglum: str) -> bool:
    """Return whether by a source's rules a reversis counts as undertaken only once it is made."""
    return _judge_undertaking(corpus, siglum)[0]


render_reversis_rates = page_renderer("reversis-rates")
