"""Readings beyond the engine.

These are readings without code, readings on trial that it cannot play, and the lists in which a new one needs code.
Which readings it can play is said by the tables of `engine.readings.meanings` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.readings.meanings.by_question import MEANINGS, list_unknown_readings, locate_meaning_table
from engine.readings.patterns import MeaningTable
from rulebook.model import Library, Proposal, Question
from rulebook.problems import Problem


# ---- what a source brings along
@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that a source says and the engine would have to learn."""

    source: str
    question: str  #: slug
    reading: str  #: empty where the whole question is new
    says: str
    because: str


def list_waiting_readings(library: Library) -> tuple[Waiting, ...]:
    """List all that waits for a line of code, in the order of the questions."""
    return tuple(waiting for question in library.questions.values() for waiting in waiting_of(question))


def waiting_of(question: Question) -> Iterator[Waiting]:
    """Yield what waits at one question: itself, or some of its readings."""
    if question.by:
        yield Waiting(question.by, question.slug, "", question.asks, question.not_played)
    for name, proposal in question.proposed.items():
        if proposal.not_played and "like" not in question.measure:
            yield Waiting(proposal.source, question.slug, name, proposal.says, proposal.not_played)


def is_reading_known(question: Question, reading: str) -> bool:
    """Return whether the engine knows what a reading means.

    It does if it is listed, or has a form that the table understands.
    """
    if question.slug not in MEANINGS:  # a measure whose answer is no word, or a question that is not asked
        return bool(question.not_played)
    return not list_unknown_readings(question.slug, reading)


def find_misjudged_readings(library: Library) -> Iterator[Problem]:
    """Find readings without code, and readings on trial that wrongly say whether the engine plays them."""
    for question in library.questions.values():
        if question.not_played or "like" in question.measure:
            continue
        yield from readings_without_code(question)
        for name, proposal in question.proposed.items():
            yield from misjudged_reading(question, name, proposal)


def readings_without_code(question: Question) -> Iterator[Problem]:
    """Yield the readings, or words of its lists, that the edition offers and the engine cannot play."""
    for name, where in question.places.items():
        if list_unknown_readings(question.slug, name):
            place = f"{locate_meaning_table(question.slug)} (CONTRIBUTING.md, Add a reading)"
            hint = f"say what it means in {place}, or propose it in a source's proposed.yaml with not_played"
            yield where.problem(f"{question.id}: the engine does not know what {name} means", hint)


def misjudged_reading(question: Question, name: str, proposal: Proposal) -> Iterator[Problem]:
    """One of them."""
    if is_reading_known(question, name) and proposal.not_played:
        what = f"{question.id}: {name} is said to be not played, and the engine knows it"
        yield proposal.where.problem(what, "take out not_played and played_as")
    elif not is_reading_known(question, name) and not proposal.not_played:
        what = f"{question.id}: the engine does not know {name}"
        yield proposal.where.problem(what, "say under not_played why, and under played_as what is played instead")


# ---- where a new reading needs code
@dataclass(frozen=True, slots=True)
class Closed:
    """A question in which a reading that nobody has given yet needs a line of code."""

    question: str  #: slug
    readings: tuple[str, ...]
    forms: tuple[str, ...]  #: readings of these forms need none


def needing_code(library: Library) -> tuple[Closed, ...]:
    """The questions in which a new reading needs code. Where there is only yes and no, there is no third."""
    return tuple(
        Closed(slug, tuple(table), table.told if isinstance(table, MeaningTable) else ())
        for slug, table in MEANINGS.items()
        if slug in library.questions and not yes_and_no(table.values())
    )


def yes_and_no(meanings: Iterable[object]) -> bool:
    """Return whether a table knows just two meanings: that something is so, or is not."""
    values = [meaning for meaning in meanings if isinstance(meaning, int)]
    return sorted(values) == [False, True] == sorted({*values})


def needing_none(library: Library) -> tuple[str, ...]:
    """The questions that the engine asks and that any answer in numbers, cards, ranks, suits or tricks may answer."""
    return tuple(q.slug for q in library.questions.values() if not q.not_played and q.slug not in MEANINGS)
