"""Conditions on other answers: when a question makes sense."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from rulebook.answers.values import AnswerMap, Wrong, format_canonical
from rulebook.model import Like, Question, Value


@dataclass(frozen=True, slots=True)
class AnswerCondition:
    """A condition on another question: that it has this answer, or has it not."""

    question: str
    equal: bool
    value: str  #: canonical

    def __str__(self) -> str:
        return f"{self.question} {'==' if self.equal else '!='} {self.value}"


@lru_cache(maxsize=4096)  # a few hundred questions are asked for again with every clause
def parse_conditions(depends: str) -> tuple[AnswerCondition, ...]:
    """Parse the conditions joined by `and`; raises Wrong."""
    return tuple(parse_condition(part) for part in depends.split(" and ")) if depends.strip() else ()


def parse_condition(text: str) -> AnswerCondition:
    """Parse one condition: SLUG == value, or SLUG != value."""
    found = re.fullmatch(r"(\S+) (==|!=) (.+)", text.strip())
    if not found:
        raise Wrong(f"{text.strip()!r} is no condition", 'write "Q030 != nobody", and join several by " and "')
    return AnswerCondition(found[1], found[2] == "==", found[3])


def describe_condition(one: AnswerCondition, question: Question) -> str:
    """Describe what a condition supposes, in the words of the question on which it is."""
    value = "none ([])" if one.value == "[]" else one.value
    supposed = f"the answer {value}" if one.equal else f"an answer other than {value}"
    return f"{supposed} to {question.id}, “{question.asks}”"


def dereference_answer(value: Value | None, answers: AnswerMap) -> Value | None:
    """Return an answer, or that to which it points; None where the trail is lost."""
    times, seen = 1, set[str]()
    while isinstance(value, Like):
        if value.question in seen:
            return None
        seen.add(value.question)
        times *= value.times
        value = answers.get(value.question)
    return value * times if isinstance(value, int) else value


def is_resting_on_supplied(slug: str, own: AnswerMap, answers: AnswerMap) -> bool:
    """Return whether a source's own answer points to one that only we give: what it comes to is ours.

    `own` are the answers of the source itself, `answers` also those that we supply.
    """
    value = own.get(slug)
    known = dereference_answer(value, answers) is not None
    return isinstance(value, Like) and known and dereference_answer(value, own) is None


def is_condition_met(one: AnswerCondition, answers: AnswerMap) -> bool:
    """Return whether a condition is met; on a question without an answer none is."""
    value = dereference_answer(answers.get(one.question), answers)
    return value is not None and (format_canonical(value) == one.value) == one.equal


def find_stand_in(
    question: Question, one: AnswerCondition, answers: AnswerMap, questions: Mapping[str, Question]
) -> str:
    """Return a related question that has the answer which a condition wants of another; empty if none has.

    Conditions know no "or": what is asked of two things alike names the one in its condition, the other as related.
    """
    others = (questions[slug] for slug in question.related if slug != one.question and slug in questions)
    known = (other.slug for other in others if one.value in other.readings)
    return next((slug for slug in known if one.equal and is_condition_met(replace(one, question=slug), answers)), "")


def is_question_applicable(depends: str, answers: AnswerMap) -> bool:
    """Return whether a question makes sense under these answers."""
    return all(is_condition_met(one, answers) for one in parse_conditions(depends))


def _walk_reachable(slug: str, onward: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """Yield a question and all to which steps lead from it, each once, even where they run in a circle."""
    seen, ahead = set[str](), [slug]
    while ahead:
        now = ahead.pop()
        if now not in seen:
            seen.add(now)
            yield now
            ahead += onward(now)


def ruled_out(slug: str, questions: Mapping[str, Question], answers: AnswerMap, own: Collection[str]) -> bool:
    """Return whether a source's own answers, not supplied ones, leave no room for a question."""
    return bool(find_ruling_question(slug, questions, answers, own))


def find_ruling_question(slug: str, questions: Mapping[str, Question], answers: AnswerMap, own: Collection[str]) -> str:
    """Return the question whose own answer, not a supplied one, leaves no room for another; empty if none does."""

    def failing(slug: str) -> list[str]:
        return [one.question for one in parse_conditions(questions[slug].depends) if not is_condition_met(one, answers)]

    unanswered = _walk_reachable(slug, lambda slug: (one for one in failing(slug) if one not in answers))
    return next((one for slug in unanswered for one in failing(slug) if one in own), "")


def depends_on(slug: str, other: str, questions: Mapping[str, Question]) -> bool:
    """Return whether a question is another one, or depends on it at any remove."""
    return other in _walk_reachable(
        slug, lambda slug: (one.question for one in parse_conditions(questions[slug].depends))
    )
