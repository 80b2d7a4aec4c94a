"""Answers of a source that its possible worlds leave open.

The worlds are those of `engine.interpretation`: each clause with rival interpretations is a decision. Here each
decision is taken otherwise by itself; nothing is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulebook.answers.conditions import dereference_answer
from rulebook.decisions import find_decisions
from rulebook.model import Library, Value
from rulebook.resolve import resolve


@dataclass(frozen=True, slots=True)
class OpenAnswers:
    """Answers of a source that its rival interpretations change."""

    rivals: Mapping[str, tuple[Value, ...]]  #: question -> answers that rivals give in place of the source's, by slug
    questions: frozenset[str]  #: slugs of the questions whose answer comes to something else by some interpretation


def find_open_answers(library: Library, siglum: str) -> OpenAnswers:
    """Find the answers of a source that one of its rival interpretations changes, references followed."""
    ruleset = resolve(library, siglum)
    own = {slug: ruling.answer for slug, ruling in ruleset.rulings.items()}
    comes_to = {slug: dereference_answer(value, own) for slug, value in own.items()}
    rivals: dict[str, tuple[Value, ...]] = {}
    changed: set[str] = set()
    for reading in (answer for decision in find_decisions(library, siglum, ruleset) for answer in decision.answers):
        answers = {slug: ruling.answer for slug, ruling in reading.items()}
        for slug, value in answers.items():
            if value not in (own.get(slug), *rivals.get(slug, ())):
                rivals[slug] = (*rivals.get(slug, ()), value)
        world = own | answers
        changed |= {slug for slug, value in world.items() if dereference_answer(value, world) != comes_to.get(slug)}
    return OpenAnswers(rivals, frozenset(changed))
