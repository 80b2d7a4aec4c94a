"""Answers in words: in full, or short enough for a table; and what may stand in place of one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulebook.answers.kinds import get_own_unit
from rulebook.answers.values import format_canonical
from rulebook.model import Cell, Library, Like, Question, Source, Value
from rulebook.phrases import AnswerText, cut_plain, format_times

STATUS_LABELS: Mapping[str, str] = {
    "stated": "stated outright",
    "implied": "follows from the text",
    "denied": "ruled out",
    "silent": "silent",
    "ambiguous": "can be read in more than one way",
    "contradictory": "contradicts itself",
    "inapplicable": "not applicable",
    "not-collated": "not yet collated",
}
RECKONED = "computed from what is stated"
#: Stands for silence in a text that is not consulted whole: nobody can tell what the rest says.
NOT_CONSULTED = "not in the part consulted"
_SUPPLY_GROUNDS: Mapping[str, str] = {"practice": "the practice of the game", "logic": "logic"}
_UNIT_DESCRIPTIONS: Mapping[str, str] = {
    "smallest": "a sum, in the smallest counter of each source",
    "times": "a number of times",
    "tricks": "a number of tricks",
}
#: Another question, as it is asked -> how an answer refers to it; the first that fits is taken.
_REFERENCES: tuple[tuple[str, str], ...] = (
    (r".*\bdoes (.+?) (pay|put)\b(.*)", r"as \1 \2s\3"),
    (r".*?\b((?:when|for|if|before|after) .+)", r"as \1"),
    (r"(.+)", r"as under “\1”"),
)


def describe_status(cell: Cell) -> str:
    """Label of the status of an answer; a number that is reckoned from what the source states is not in its words."""
    reckons = any(_has_operation(clause.computation) for clause in cell.clauses)
    return RECKONED if cell.status == "stated" and reckons and _has_number(cell.value) else STATUS_LABELS[cell.status]


def _has_operation(computation: str) -> bool:
    """Return whether anything is reckoned, beside controls and remarks; "rien = 0" only says what a word means."""
    steps = (_REMARK.sub("", step) for step in computation.split(";") if not step.strip().startswith("control:"))
    return any(_OPERATION.search(step) for step in steps)


_REMARK, _OPERATION = re.compile(r"\([^()]*\)"), re.compile(r"[+/]| [x×-] ")


def _has_number(value: Value | None) -> bool:
    if isinstance(value, Mapping | tuple):
        return any(map(_has_number, value.values() if isinstance(value, Mapping) else value))
    return isinstance(value, int) or (isinstance(value, str) and value[:1].isdigit())


def describe_supply_ground(source: str) -> str:
    """Ground of a supplied reading: practice of the game, or logic."""
    return _SUPPLY_GROUNDS.get(source, source)


def describe_measure(question: Question) -> str:
    """Kind of answer that a question without a list of readings takes."""
    own = get_own_unit(question)
    described = _UNIT_DESCRIPTIONS.get(str(question.measure.get("unit"))) or question.kind.describes
    return f"{described}, in {own}" if own else described


def get_sum_counter(question: Question, value: Value | None, source: Source) -> str:
    """Counter in which a sum is given; empty for other answers."""
    none = value is None or isinstance(value, Like | str)
    return source.unit if not none and question.kind.is_sum(question, value) else ""


def get_answer_unit(question: Question, value: Value | None, source: Source) -> str:
    """Unit of a number: the counter of a sum, or the word of the library; empty for other answers."""
    number = value is not None and not isinstance(value, Like)
    return get_sum_counter(question, value, source) or (get_own_unit(question) if number else "")


def format_answer(question: Question, value: Value, library: Library) -> AnswerText:
    """Text of an answer to a question."""
    if isinstance(value, Like):
        times = f" ({value.times} times)" if value.times != 1 else ""
        return AnswerText(format_canonical(value), f"as {library.questions[value.question].asks}{times}")
    if question.closed:
        return AnswerText(str(value), question.readings.get(str(value), ""))
    if isinstance(value, str) and value in question.proposed:
        return AnswerText(value, question.proposed[value].says)
    return question.kind.full(question, value)


def format_plain_answer(question: Question, value: Value, source: Source, library: Library) -> str:
    """Answer in plain words, short enough for a table; never the name of a reading."""
    if isinstance(value, Like):
        words = format_reference(library.questions[value.question].asks, value.times)
    elif isinstance(value, str) and value in question.readings:
        words = question.short.get(value) or question.readings[value].rstrip(".")
    else:
        words = question.kind.plain(question, value, source.unit)
    return cut_plain(words)


def format_reference(asks: str, times: int) -> str:
    """Reference to the answer to another question: "as when an ace is led, twice"."""
    wording = asks.rstrip("?")
    named = next(re.sub(pattern, named, wording) for pattern, named in _REFERENCES if re.fullmatch(pattern, wording))
    return f"{format_times(times)} {named}" if times != 1 else named
