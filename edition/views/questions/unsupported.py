"""What the engine does not know yet: where a new reading needs code, and what sources have that waits for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from edition.corpus.corpus import Shelf
from edition.nodes.builders import Content, details, link, para, span, table
from edition.text.answers import plural
from edition.views.common import QuestionLink, question_link
from edition.views.layout import Nodes, question_ref
from engine.readings.unsupported import Closed, Waiting, needing_code, needing_none, waiting
from rulebook.text import single_spaced


@dataclass(frozen=True, slots=True)
class Listed:
    """A question in which a new reading needs a line of code."""

    question: QuestionLink
    readings: tuple[str, ...]
    forms: tuple[str, ...]  #: readings of these forms need none


@dataclass(frozen=True, slots=True)
class Left:
    """Something that a source says and the engine does not play."""

    question: QuestionLink
    source: str
    reading: str  #: empty where the whole question is new
    says: str
    because: str


@dataclass(frozen=True, slots=True)
class BeyondView:
    """What needs data only, what needs code, and what waits for it."""

    asked: int
    by_data: tuple[QuestionLink, ...]
    yes_or_no: int
    closed: tuple[Listed, ...]
    waiting: tuple[Left, ...]


def beyond_view(shelf: Shelf, _: str = "") -> BeyondView:
    """All of it, reckoned from the questions and from the engine's tables of meanings."""
    questions = shelf.library.questions
    asked = sum(not one.not_played for one in questions.values())
    closed, by_data = needing_code(shelf.library), needing_none(shelf.library)
    return BeyondView(
        asked,
        tuple(question_link(questions[slug]) for slug in by_data),
        asked - len(closed) - len(by_data),
        tuple(listed(shelf, one) for one in closed),
        tuple(left(shelf, one) for one in waiting(shelf.library)),
    )


def listed(shelf: Shelf, one: Closed) -> Listed:
    """A question whose list of readings is closed."""
    return Listed(question_link(shelf.library.questions[one.question]), one.readings, one.forms)


def left(shelf: Shelf, one: Waiting) -> Left:
    """Something that waits."""
    link_ = question_link(shelf.library.questions[one.question])
    return Left(link_, one.source, one.reading, single_spaced(one.says), single_spaced(one.because))


# ---- laid out
def in_all(view: BeyondView) -> Nodes:
    """The count, and the list of the questions in which a new reading needs code."""
    words = (
        f"Of the {plural(view.asked, 'question')} that the engine asks, {len(view.by_data)} are answered by any "
        f"numbers, cards, ranks, suits or tricks, and {view.yes_or_no} by yes or no: there a source needs data only. "
        f"In the other {len(view.closed)} it needs data only as long as it takes one of the readings below, puts "
        "several of them together where the question takes a list, or has a reading of one of the forms in the last "
        "column."
    )
    rows = [row(one) for one in view.closed]
    head = ("Question", "Readings", "And of these forms")
    told = table("Where any other reading needs a line of code", head, rows, cls="rv-stack rv-beyond")
    return [para(words), details(f"These {len(view.closed)} questions, and the readings that they have", told)]


def row(one: Listed) -> tuple[list[Content], str, str]:
    """One question."""
    return [question_ref(one.question), " ", one.question.asks], ", ".join(one.readings), ", ".join(one.forms) or "–"


def in_wait(view: BeyondView) -> Nodes:
    """What sources have that the engine does not play."""
    if not view.waiting:
        return [
            para("Just now nothing waits: no source of this edition has brought along what the engine cannot play.")
        ]
    head, rows = ("Source", "Question", "What it says", "Why not"), [left_row(one) for one in view.waiting]
    return [table("What waits for a line of code", head, rows, cls="rv-stack")]


def left_row(one: Left) -> tuple[Any, ...]:
    """One of them."""
    asks: list[Content] = [question_ref(one.question), " ", one.question.asks]
    said: list[Content] = [span(one.reading, cls="rv-value"), ": ", one.says] if one.reading else ["a new question"]
    return link("source", one.source), asks, said, one.because


VIEWS: Mapping[str, Callable[[Shelf, str], Any]] = {"beyond": beyond_view, "waiting": beyond_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"beyond": in_all, "waiting": in_wait}
