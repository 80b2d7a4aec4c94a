"""The answers in which two rulesets differ, those together that cannot be exchanged one by one.

A bundle is exchanged as a whole: the one ruleset's answers for the other's. A question that only one of the two answers
belongs to no bundle. It is answered as that one does whenever it is asked at all, just as a borrowed answer brings with
it the answers to the questions that only now make sense (`rulebook.resolve._borrow_rulings`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.readings.ask import OTHER_QUINOLAS
from rulebook.answers.conditions import is_condition_met, is_question_applicable, parse_conditions
from rulebook.answers.values import AnswerMap
from rulebook.decisions import Decision, Knot
from rulebook.model import FrozenMap, Library, Like, Question, Ruleset, Ruling

#: Why several questions are exchanged together.
JOINED: Mapping[str, str] = {
    "": "it is a question by itself",
    "dependent": "one of them makes sense, or has its sum, only by the answer to another",
    "unplayable": "exchanged one by one they leave the deal forbidden, or a question unanswered",
    "too-many": "there are too many to be tried one by one",
}


@dataclass(frozen=True, slots=True)
class Bundle:
    """Some questions whose answers are exchanged together; without any: the pool as it lies before the deal."""

    questions: tuple[str, ...]  #: slugs
    joined: str = ""  #: one of JOINED


POOL_BUNDLE = Bundle(())


def find_bundles(library: Library, first: Ruleset, second: Ruleset) -> tuple[Bundle, ...]:
    """Find all that two rulesets answer differently, dependent questions together."""
    values = [{q: r.value for q, r in ruleset.rulings.items()} for ruleset in (first, second)]
    differ = [q for q in library.questions if all(q in v for v in values) and values[0][q] != values[1][q]]
    singly = tuple(Bundle((q,)) for q in differ)
    ties = [
        (q, other) for q in differ for other in _find_tied_questions(library.questions[q], values) if other in differ
    ]
    for pair in ties:
        singly = merge_bundles(
            singly, [at for at, bundle in enumerate(singly) if set(pair) & {*bundle.questions}], "dependent"
        )
    return singly


def _find_tied_questions(question: Question, values: Sequence[AnswerMap]) -> Iterator[str]:
    """Yield what an answer refers to, and what decides that its question makes sense in one ruleset only."""
    for answers in values:
        value = answers[question.slug]
        if isinstance(value, Like):
            yield value.question
    first, other = values
    if is_question_applicable(question.depends, first) != is_question_applicable(question.depends, other):
        yield from (
            c.question
            for condition in parse_conditions(question.depends)
            for c in condition.each
            if is_condition_met(c, first) != is_condition_met(c, other)
        )


def merge_bundles(these: Sequence[Bundle], which: Iterable[int], joined: str) -> tuple[Bundle, ...]:
    """Merge some of the bundles into one."""
    some = sorted(set(which))
    if len(some) < 2:
        return tuple(these)
    whole = Bundle(tuple(q for at in some for q in these[at].questions), joined)
    return tuple(whole if at == some[0] else bundle for at, bundle in enumerate(these) if at not in some[1:])


def merge_bundles_by_group(library: Library, these: Sequence[Bundle]) -> tuple[Bundle, ...]:
    """Merge the bundles of each group of questions; if that is done already, all of them."""
    merged = tuple(these)
    for group in dict.fromkeys(library.questions[bundle.questions[0]].group for bundle in these):
        same = [at for at, candidate in enumerate(merged) if library.questions[candidate.questions[0]].group == group]
        merged = merge_bundles(merged, same, "too-many")
    return merged if len(merged) < len(these) else merge_bundles(these, range(len(these)), "too-many")


def level_rulesets(first: Ruleset, second: Ruleset) -> tuple[Ruleset, Ruleset]:
    """Let a silence on other privileged cards stand for none of them, where the other ruleset answers.

    It is the one silence that settles deals; any other gap is filled by the other's answer.
    """
    return _answer_with_none(first, second), _answer_with_none(second, first)


def _answer_with_none(ruleset: Ruleset, other: Ruleset) -> Ruleset:
    slug = OTHER_QUINOLAS
    if slug in ruleset.rulings or slug not in other.rulings:
        return ruleset
    none = Ruling(slug, other.rulings[slug].id, (), (), ruleset.source)
    return replace(ruleset, rulings={**ruleset.rulings, slug: none})


# ---- as choices
def combine_rulesets(first: Ruleset, second: Ruleset) -> Ruleset:
    """Fill the gaps of the first ruleset with the second's answers."""
    return replace(first, rulings={**second.rulings, **first.rulings})


def as_knots(these: Iterable[Bundle], second: Ruleset) -> tuple[Knot, ...]:
    """Every bundle as a choice: as the first ruleset has it, or as the second."""
    return tuple(as_knot(at, bundle, second) for at, bundle in enumerate(these))


def as_knot(at: int, bundle: Bundle, second: Ruleset) -> Knot:
    """One bundle as a choice."""
    theirs = FrozenMap({q: second.rulings[q] for q in bundle.questions})
    return Knot((Decision(str(at), ("first", "second"), (FrozenMap(), theirs)),), ((0,), (1,)))
