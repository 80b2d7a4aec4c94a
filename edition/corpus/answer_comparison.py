"""Two rulesets side by side: what each answers to a question, and on which questions they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulebook.answers.conditions import dereference_answer, is_resting_on_supplied
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import format_answer
from rulebook.model import Clause, Library, Like, Question, Ruleset, Value


@dataclass(frozen=True, slots=True)
class RulesetAnswer:
    """Answer of one ruleset, or the reason why it has none."""

    ruleset: str
    value: Value | None
    status: str
    cert: str
    clauses: tuple[str, ...]
    supplied: bool
    interpretation: str
    reason: str
    not_played: str = ""  #: why the engine does not play it
    rests_on_supplied: bool = False  #: whether it is the source's own, but points to one that we supply


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """A question on which two rulesets differ."""

    question: Question
    sides: tuple[RulesetAnswer, RulesetAnswer]


def find_differences(
    library: Library, pair: tuple[Ruleset, Ruleset], questions: Sequence[Question]
) -> Iterator[AnswerDifference]:
    """Yield the questions on which rulesets differ; an answer that points to another counts as what it comes to."""
    clauses = {clause.id: clause for clause in library.clauses()}
    values = [{q: r.answer for q, r in ruleset.rulings.items()} for ruleset in pair]
    for question in questions:
        left, right = (v.get(question.slug) for v in values)
        if left != right and dereference_answer(left, values[0]) != dereference_answer(right, values[1]):
            first, second = (answer_of(clauses, ruleset, question) for ruleset in pair)
            yield AnswerDifference(question, (first, second))


def answer_of(clauses: Mapping[str, Clause], ruleset: Ruleset, question: Question) -> RulesetAnswer:
    """Return what one ruleset answers to one question."""
    ruling = ruleset.rulings.get(question.slug)
    if ruling is None:
        return explain_silence(clauses, ruleset, question)
    status = clauses[ruling.clauses[0]].status if ruling.clauses else "given"
    known = (status, ruling.cert, ruling.clauses, ruling.supplied, ruling.interpretation)
    answers = {slug: ruling.answer for slug, ruling in ruleset.rulings.items()}
    own = {slug: value for slug, value in answers.items() if not ruleset.rulings[slug].supplied}
    rests = is_resting_on_supplied(question.slug, own, answers)
    return RulesetAnswer(ruleset.name, ruling.answer, *known, "", ruling.not_played, rests)


def explain_silence(clauses: Mapping[str, Clause], ruleset: Ruleset, question: Question) -> RulesetAnswer:
    """Return why a ruleset has no answer."""
    because = [c for c in clauses.values() if c.source == ruleset.source and question.slug in c.about]
    status = because[0].status if because else "not answered"
    reason = " ".join(" ".join(c.because.split()) for c in because)
    return RulesetAnswer(
        ruleset.name, None, status, because[0].cert if because else "", tuple(c.id for c in because), False, "", reason
    )


def plain_answer(side: RulesetAnswer) -> dict[str, object]:
    """Return one side as plain data."""
    plain: dict[str, object] = {
        "ruleset": side.ruleset,
        "value": None if side.value is None else _plain_value(side.value),
        "status": side.status,
        "cert": side.cert,
        "clauses": list(side.clauses),
        "supplied": side.supplied,
        "interpretation": side.interpretation or None,
    }
    plain |= {"rests_on_supplied": True} if side.rests_on_supplied else {}
    plain |= {"not_played": " ".join(side.not_played.split())} if side.not_played else {}
    return plain | ({"reason": side.reason} if side.value is None else {})


def _plain_value(value: Value) -> object:
    if isinstance(value, Like):
        return {"as": value.question, "times": value.times}
    if isinstance(value, Mapping):
        return {key: _plain_value(item) for key, item in value.items()}
    return [_plain_value(item) for item in value] if isinstance(value, tuple) else value


def word_answer(lib: Library, question: Question, side: RulesetAnswer) -> str:
    """Return one side in words: the answer, how it is known, the clauses."""
    if side.value is None:
        return f"{side.status}: no answer\n{' '.join(side.clauses)}".rstrip()
    text = format_answer(question, side.value, lib)
    full = f"{text.short}: {text.full}" if question.closed and text.full else text.short or format_canonical(side.value)
    how = f"{side.status}, supplied" if side.supplied else side.status
    how += ", rests on a supplied answer" if side.rests_on_supplied else ""
    how += ", not simulated" if side.not_played else ""
    reading = (
        f" ({side.interpretation})" if side.interpretation and not side.interpretation.endswith(".preferred") else ""
    )
    return f"{full}\n{how}{reading} {' '.join(side.clauses)}".rstrip()
