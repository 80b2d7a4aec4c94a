"""Answers as one would give them at the table, in whole sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.cards import format_card
from engine.deal.events import Fact
from engine.readings.ask import Ask, name_other_quinolas
from rulebook.model import Library, Like, Question, Ruleset, Value
from rulebook.phrases import (
    capitalise,
    format_times,
)


@dataclass(frozen=True)
class SpokenRules:
    """The library and the rules by which answers are worded."""

    library: Library
    rules: Ruleset
    card: str = ""  #: a further privileged card, where they are worded for it; empty: the quinola

    def about(self, fact: Fact) -> SpokenRules:
        """The same rules, worded for the further privileged card that a fact is about; themselves where it is none."""
        card = "" if fact.card is None else format_card(fact.card)
        return replace(self, card=card) if card in name_other_quinolas(self.rules) else self

    def question(self, slug: str) -> Question:
        """A question by its slug."""
        return self.library.questions[slug]

    def value(self, slug: str, card: str = "") -> Value | None:
        """An answer, followed to where it points; for a further privileged card its own."""
        ask = Ask(self.rules).about(card or self.card)
        return ask(slug) if ask.answers(slug) else None


def speak_answer(words: SpokenRules, question: Question, value: Value) -> str:
    """An answer as one would give it at the table."""
    if isinstance(value, Like):
        return speak_reference(words, question, value)
    if question.closed:
        return question.readings.get(str(value), str(value))
    if isinstance(value, str) and value in question.proposed:
        return question.proposed[value].says
    return question.kind.spoken(question, value, words.rules.unit)


def speak_reference(words: SpokenRules, question: Question, value: Like) -> str:
    """An answer that points to another, and what it comes to."""
    found = words.value(question.slug)
    comes = f": {speak_answer(words, question, found)}" if found is not None else "."
    times = "" if value.times == 1 else f"{format_times(value.times)} "
    return capitalise(f"{times}the same as for “{words.question(value.question).asks}”{comes}")
