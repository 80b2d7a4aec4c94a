"""Checks of play, in the validation report."""

from __future__ import annotations

from edition.corpus.corpus import Corpus
from edition.views.about.validation import CheckLine
from reversis.files.sessions import (
    find_unmet_figures,
    is_session_pending,
    play_worked_session,
    worked_sessions,
)
from reversis.findings.results import compute_results
from reversis.views.deals.printed_figures import itself_view
from rulebook.resolve import resolve


def view_play_checks(corpus: Corpus, _: str = "") -> tuple[CheckLine, ...]:
    """View how many worked deals, sessions and printed numbers come out as they should."""
    results, library = compute_results(corpus), corpus.library
    sessions = [
        not find_unmet_figures(
            record.sitting, siglum, play_worked_session(record.sitting, record.deals, resolve(library, siglum))
        )
        for record in worked_sessions(library)
        if record.sitting
        for siglum in record.sitting.expect
        if not is_session_pending(record.sitting, siglum)
    ]
    numbers = [row.held.agrees for _, rows in itself_view(corpus) for row in rows]
    return (
        CheckLine("worked deals that come out as expected, by each source", results.expected, results.met),
        CheckLine("worked sessions that come out as expected", len(sessions), sum(sessions)),
        CheckLine("numbers printed by a source that follow from its own rules", len(numbers), sum(numbers)),
    )
