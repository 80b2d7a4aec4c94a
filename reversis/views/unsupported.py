"""Limits of the engine: readings that need code, and those that wait for it."""

from __future__ import annotations

from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.views.common import QuestionLink, question_link
from engine.readings.unsupported import Closed, Waiting, list_waiting_readings, needing_code, needing_none
from reversis.views.page_template import page_renderer
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
    asked = sum(not question.not_played for question in questions.values())
    closed, by_data = needing_code(corpus.library), needing_none(corpus.library)
    return BeyondView(
        asked,
        tuple(question_link(questions[slug]) for slug in by_data),
        asked - len(closed) - len(by_data),
        tuple((question_link(questions[entry.question]), entry) for entry in closed),
        tuple(
            (question_link(questions[reading.question]), reading) for reading in list_waiting_readings(corpus.library)
        ),
    )


render_closed_questions = page_renderer("unsupported")
render_waiting_readings = page_renderer("waiting", single_spaced=single_spaced)
