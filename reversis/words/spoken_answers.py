"""Answers as one would give them at the table, in whole sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from edition.text.answers import format_answer
from engine.cards import ENGLISH_RANKS, ENGLISH_SUITS, card_words, format_card, parse_card_name
from engine.deal.events import Fact
from engine.readings.ask import Ask, name_other_quinolas
from rulebook.model import Library, Like, Question, Ruleset, Value
from rulebook.phrases import (
    capitalise,
    end_sentence,
    format_count,
    format_counters,
    format_ordinal,
    format_times,
    join_names,
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
    kind = str(question.measure.get("unit") or question.measure.get("type"))
    if value == () and kind == "order":  # no criterion, so it is nobody
        return "Nobody."
    say = ANSWER_SPEAKERS.get(kind)
    if say is not None:
        return say(words, value)
    found = format_answer(question, value, words.library)
    return found.full or end_sentence(found.short)


def speak_reference(words: SpokenRules, question: Question, value: Like) -> str:
    """An answer that points to another, and what it comes to."""
    found = words.value(question.slug)
    comes = f": {speak_answer(words, question, found)}" if found is not None else "."
    times = "" if value.times == 1 else f"{format_times(value.times)} "
    return capitalise(f"{times}the same as for “{words.question(value.question).asks}”{comes}")


def trick_words(words: SpokenRules, value: Value) -> str:
    """Tricks by their place, each with its factor where it has one of its own; or how many."""
    if isinstance(value, Mapping):
        named = [f"{format_times(int(str(times)))} in the {format_ordinal(int(one))}" for one, times in value.items()]
        return end_sentence(join_names(named))
    if not isinstance(value, tuple):
        return end_sentence(format_count(int(str(value)), "trick") if value else "none")
    places = [f"the {format_ordinal(int(str(n)))}" for n in value]
    return end_sentence(f"in {join_names(places)}" if places else "in none")


def _special_cards(words: SpokenRules, value: Value) -> str:
    assert isinstance(value, Mapping)
    said = [f"the {card_words(parse_card_name(one))} {worth}" for one, worth in value.items()]
    return end_sentence(join_names(said) if said else "none counts otherwise")


def rank_points(words: SpokenRules, value: Value) -> str:
    """Points of each rank, in words."""
    assert isinstance(value, Mapping)
    said = [f"{ENGLISH_RANKS.get(one, one)} {worth}" for one, worth in value.items()]
    return end_sentence(f"{join_names(said)}, the others nothing")


def _speak_multiple(words: SpokenRules, value: Value) -> str:
    """A multiple of the ordinary, or a sum of its own."""
    assert isinstance(value, Mapping)
    if "sum" in value:
        return end_sentence(format_counters(int(str(value["sum"])), words.rules.unit))
    return end_sentence(f"{format_times(int(str(value['times'])))} the ordinary")


def speak_fine(words: SpokenRules, value: Value) -> str:
    """A sum, or a number of stakes."""
    if isinstance(value, Mapping):
        return end_sentence(
            f"{format_times(int(str(value['stakes'])))} the stake" if value["stakes"] != 1 else "as much as the stake"
        )
    return end_sentence(format_counters(int(str(value)), words.rules.unit))


#: Answers that are no readings, by their unit or type; what is missing here says `edition.text.answers`.
ANSWER_SPEAKERS: Mapping[str, Callable[[SpokenRules, Value], str]] = {
    "smallest": lambda words, value: end_sentence(
        format_counters(int(str(value)), words.rules.unit) if value else "nothing"
    ),
    "times": lambda words, value: end_sentence(format_times(int(str(value)))),
    "tricks": lambda words, value: trick_words(words, value),
    "suit": lambda words, value: end_sentence(ENGLISH_SUITS.get(str(value), str(value))),
    "card": lambda words, value: end_sentence(f"the {card_words(parse_card_name(str(value)))}"),
    "card-values": _special_cards,
    "points": rank_points,
    "times-or-sum": _speak_multiple,
    "fine": speak_fine,
}
