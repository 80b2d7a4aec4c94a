"""Limits of the engine: readings that need code, and those that wait for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, details, link, para, span, table
from edition.views.common import QuestionLink, question_link
from edition.views.layout import Nodes, question_ref
from engine.readings.unsupported import Closed, Waiting, list_waiting_readings, needing_code, needing_none
from rulebook.phrases import format_count
from rulebook.strings import single_spaced


@dataclass(frozen=True, slots=True)
class BeyondView:
    """Questions that need data only or code, and readings that wait for code."""

    asked: int
    by_data: tuple[QuestionLink, ...]
    yes_or_no: int
    closed: tuple[tuple[QuestionLink, Closed], ...]  #: where a new reading needs a line of code
    waiting: tuple[tuple[QuestionLink, Waiting], ...]  #: what a source says and the engine does not play


def beyond_view(corpus: Corpus, _: str = "") -> BeyondView:
    """Limits of the engine, from the questions and the engine's tables of meanings."""
    questions = corpus.library.questions
    asked = sum(not one.not_played for one in questions.values())
    closed, by_data = needing_code(corpus.library), needing_none(corpus.library)
    return BeyondView(
        asked,
        tuple(question_link(questions[slug]) for slug in by_data),
        asked - len(closed) - len(by_data),
        tuple((question_link(questions[one.question]), one) for one in closed),
        tuple((question_link(questions[one.question]), one) for one in list_waiting_readings(corpus.library)),
    )


# ---- laid out
def render_closed_questions(view: BeyondView) -> Nodes:
    """Count, and list of the questions in which a new reading needs code."""
    words = (
        f"Of the {format_count(view.asked, 'question')} that the engine asks, {len(view.by_data)} are answered by any "
        f"numbers, cards, ranks, suits or tricks, and {view.yes_or_no} by yes or no: there a source needs data only. "
        f"In the other {len(view.closed)} it needs data only as long as it takes one of the readings below, puts "
        "several of them together where the question takes a list, or has a reading of one of the forms in the last "
        "column."
    )
    rows = [
        ([question_ref(link_), " ", link_.asks], ", ".join(one.readings), ", ".join(one.forms) or "–")
        for link_, one in view.closed
    ]
    head = ("Question", "Readings", "And of these forms")
    told = table("Where any other reading needs a line of code", head, rows, cls="rv-stack rv-beyond")
    return [para(words), details(f"These {len(view.closed)} questions, and the readings that they have", told)]


def render_waiting_readings(view: BeyondView) -> Nodes:
    """Readings of the sources that the engine does not play."""
    if not view.waiting:
        return [
            para("Just now nothing waits: no source of this edition has brought along what the engine cannot play.")
        ]
    head, rows = ("Source", "Question", "What it says", "Why not"), [waiting_row(*one) for one in view.waiting]
    return [table("What waits for a line of code", head, rows, cls="rv-stack")]


def waiting_row(question: QuestionLink, one: Waiting) -> tuple[Any, ...]:
    """Return what one source has that the engine does not play; without a reading, the whole question is new."""
    asks: list[Content] = [question_ref(question), " ", question.asks]
    says, because = single_spaced(one.says), single_spaced(one.because)
    said: list[Content] = [span(one.reading, cls="rv-value"), ": ", says] if one.reading else ["a new question"]
    return link("source", one.source), asks, said, because
