"""Conditions on other answers: when a question makes sense."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulebook.answers.values import Answers, Wrong, canonical
from rulebook.model import Like, Question, Value


@dataclass(frozen=True, slots=True)
class Condition:
    """That another question is answered so, or not so."""

    question: str
    equal: bool
    value: str  #: canonical

    def __str__(self) -> str:
        return f"{self.question} {'==' if self.equal else '!='} {self.value}"


def conditions(depends: str) -> tuple[Condition, ...]:
    """The conditions joined by `and`; raises Wrong."""
    return tuple(parse_condition(part) for part in depends.split(" and ")) if depends.strip() else ()


def parse_condition(text: str) -> Condition:
    """Parse one condition: SLUG == value, or SLUG != value."""
    found = re.fullmatch(r"(\S+) (==|!=) (.+)", text.strip())
    if not found:
        raise Wrong(f"{text.strip()!r} is no condition", 'write "Q030 != nobody", and join several by " and "')
    return Condition(found[1], found[2] == "==", found[3])


def worth(value: Value | None, answers: Answers) -> Value | None:
    """An answer, or what the answer it points to comes to; None where the trail is lost."""
    times, seen = 1, set[str]()
    while isinstance(value, Like):
        if value.question in seen:
            return None
        seen.add(value.question)
        times *= value.times
        value = answers.get(value.question)
    return value * times if isinstance(value, int) else value


def met(one: Condition, answers: Answers) -> bool:
    """Whether a condition holds; on a question without an answer none does."""
    value = worth(answers.get(one.question), answers)
    return value is not None and (canonical(value) == one.value) == one.equal


def holds(depends: str, answers: Answers) -> bool:
    """Whether a question makes sense under these answers."""
    return all(met(one, answers) for one in conditions(depends))


def reached(slug: str, onward: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """Yield a question and all to which steps lead from it, each once, even where they run in a circle."""
    seen, ahead = set[str](), [slug]
    while ahead:
        now = ahead.pop()
        if now not in seen:
            seen.add(now)
            yield now
            ahead += onward(now)


def ruled_out(slug: str, questions: Mapping[str, Question], answers: Answers, own: Collection[str]) -> bool:
    """Whether a source's own answers leave no room for a question; an answer that we supply rules nothing out."""

    def failing(slug: str) -> list[str]:
        return [one.question for one in conditions(questions[slug].depends) if not met(one, answers)]

    unanswered = reached(slug, lambda slug: (one for one in failing(slug) if one not in answers))
    return any(one in own for slug in unanswered for one in failing(slug))


def depends_on(slug: str, other: str, questions: Mapping[str, Question]) -> bool:
    """Return whether a question is another one, or depends on it at any remove."""
    return other in reached(slug, lambda slug: (one.question for one in conditions(questions[slug].depends)))
