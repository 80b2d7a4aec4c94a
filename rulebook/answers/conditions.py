"""Conditions on other answers: when a question makes sense."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from rulebook.answers.values import AnswerMap, Wrong, format_canonical
from rulebook.model import Like, Question, Value
from rulebook.strings import quote_value

#: How a condition compares: whether an answer meets it, and what it supposes, in words.
RELATIONS: Mapping[str, tuple[Callable[[Value, str], bool], str]] = {
    "==": (lambda answer, value: format_canonical(answer) == value, "the answer {}"),
    "!=": (lambda answer, value: format_canonical(answer) != value, "an answer other than {}"),
    "has": (lambda answer, value: isinstance(answer, tuple) and value in answer, "an answer with {}"),
}


@dataclass(frozen=True, slots=True)
class AnswerCondition:
    """A condition on another question: on its answer, or on what its list has; or one of several such conditions."""

    question: str
    relation: str  #: one of `RELATIONS`
    value: str  #: canonical; behind `has` a word of the list
    otherwise: tuple[AnswerCondition, ...] = ()  #: those of which one may hold in its place

    def __str__(self) -> str:
        return " or ".join(f"{condition.question} {condition.relation} {condition.value}" for condition in self.each)

    @property
    def each(self) -> tuple[AnswerCondition, ...]:
        """The single conditions of which one must hold."""
        return (replace(self, otherwise=()), *self.otherwise)


@lru_cache(maxsize=4096)  # a few hundred questions are asked for again with every clause
def parse_conditions(depends: str) -> tuple[AnswerCondition, ...]:
    """Parse the conditions joined by `and`, or by `or`; raises Wrong."""
    if " and " in depends and " or " in depends:
        raise Wrong(f"{depends!r} joins conditions by both and, or", "join them all by one of the two")
    return tuple(parse_condition(part) for part in depends.split(" and ")) if depends.strip() else ()


def list_condition_questions(depends: str) -> list[str]:
    """List the questions on which the conditions of another are."""
    return [part.question for condition in parse_conditions(depends) for part in condition.each]


def parse_condition(text: str) -> AnswerCondition:
    """Parse a condition: SLUG == value, SLUG != value or SLUG has word; or several of which one must hold."""
    first, *rest = map(parse_single_condition, text.split(" or "))
    return replace(first, otherwise=tuple(rest))


def parse_single_condition(text: str) -> AnswerCondition:
    """Parse a condition on one question."""
    match = re.fullmatch(rf"(\S+) ({'|'.join(RELATIONS)}) (.+)", text.strip())
    if not match:
        way_out = 'write "Q030 != nobody", or of a list "Q025 has word", and join several by " and "'
        raise Wrong(f"{quote_value(text.strip())} is no condition", way_out)
    return AnswerCondition(match[1], match[2], match[3])


def describe_condition(condition: AnswerCondition, questions: Mapping[str, Question]) -> str:
    """Describe what a condition supposes, in the words of the questions on which it is."""

    def describe(part: AnswerCondition) -> str:
        value, question = "none ([])" if part.value == "[]" else part.value, questions[part.question]
        return f"{RELATIONS[part.relation][1].format(value)} to {question.id}, “{question.asks}”"

    return ", or ".join(map(describe, condition.each))


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


def is_condition_met(condition: AnswerCondition, answers: AnswerMap) -> bool:
    """Return whether a condition is met; on a question without an answer none is."""

    def holds(part: AnswerCondition) -> bool:
        value = dereference_answer(answers.get(part.question), answers)
        return value is not None and RELATIONS[part.relation][0](value, part.value)

    return any(map(holds, condition.each))


def is_question_applicable(depends: str, answers: AnswerMap) -> bool:
    """Return whether a question makes sense under these answers."""
    return all(is_condition_met(condition, answers) for condition in parse_conditions(depends))


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
    """Return the question whose own answer, not a supplied one, leaves no room for another; empty if none does.

    Of several conditions of which one must hold, each is ruled out; the first is returned.
    """

    def ruling(slug: str, seen: frozenset[str]) -> str:
        unmet = (
            condition
            for condition in parse_conditions(questions[slug].depends)
            if not is_condition_met(condition, answers)
        )
        each = ([against(part.question, seen | {slug}) for part in condition.each] for condition in unmet)
        return next((rulings[0] for rulings in each if all(rulings)), "")

    def against(slug: str, seen: frozenset[str]) -> str:
        return slug if slug in own else "" if slug in answers or slug in seen else ruling(slug, seen)

    return ruling(slug, frozenset())


def depends_on(slug: str, other: str, questions: Mapping[str, Question]) -> bool:
    """Return whether a question is another one, or depends on it at any remove."""
    return other in _walk_reachable(slug, lambda slug: list_condition_questions(questions[slug].depends))
