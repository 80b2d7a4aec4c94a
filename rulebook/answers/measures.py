"""One reader for every kind of answer; those that know no game are here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from rulebook.answers.game_measures import card, card_values, fine, hands, points, ranks, shapes, suit, tricks
from rulebook.answers.values import SlugOf, Wrong, canonical, filled, listed, one_of, tabled, whole
from rulebook.model import FrozenMap, Like, Question, Value


def integer(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """A number, or a pointer to the question that has it."""
    if isinstance(raw, Mapping):
        return reference(raw, slug_of)
    least, most = question.measure.get("min", 0), question.measure.get("max")
    return whole(raw, cast(int, least), cast("int | None", most))


def reference(raw: Mapping[str, object], slug_of: SlugOf) -> Like:
    """As another question is answered, or a multiple of that."""
    keys = ("as", "times") if "times" in raw else ("as",)
    table = filled(raw, keys, "{as: Q032} or {as: Q032, times: 2}")
    return Like(slug_of(str(table["as"])), whole(table.get("times", 1), 1))


def words(question: Question, raw: object, example: str) -> list[str]:
    """Words out of the list that the question gives."""
    known = cast("Mapping[str, str]", question.measure.get("of", FrozenMap()))
    return [one_of(one, known, f"answer to {question.slug}") for one in listed(raw, example)]


def order(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Criteria in the order in which they decide."""
    return tuple(words(question, raw, "[fewest-points, best-placed]"))


def some(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Any of the words, in the order in which the question lists them."""
    chosen = words(question, raw, "[forced, led], or [] for none")
    known = cast("Mapping[str, str]", question.measure.get("of", FrozenMap()))
    return tuple(one for one in known if one in chosen)


def times_or_sum(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """So many times the ordinary, or a sum of its own."""
    table = tabled(raw, "{times: 2} or {sum: 4}")
    if len(table) != 1:
        raise Wrong(f"{canonical(raw)} has {len(table)} entries", "write {times: 2} or {sum: 4}")
    ((key, value),) = table.items()
    return FrozenMap({one_of(key, ("times", "sum"), "way of counting"): whole(value, int(key == "times"))})


MEASURES: Mapping[str, Callable[[Question, object, SlugOf], Value]] = {
    "integer": integer,
    "order": order,
    "set": some,
    "tricks": tricks,
    "points": points,
    "card-values": card_values,
    "times-or-sum": times_or_sum,
    "suit": suit,
    "card": card,
    "ranks": ranks,
    "fine": fine,
    "hands": hands,
    "shapes": shapes,
}


def read_value(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """The answer that was written down; raises Wrong."""
    if question.closed:
        return one_of(raw, question.readings, f"reading of {question.slug}")
    if isinstance(raw, str) and raw in question.proposed:
        return raw  # a reading on trial, where the question has a measure
    return MEASURES[str(question.measure["type"])](question, raw, slug_of)


def parse_value(question: Question, raw: object, slug_of: SlugOf) -> tuple[Value | None, str]:
    """The answer that was written down, or what is wrong with it."""
    try:
        return read_value(question, raw, slug_of), ""
    except Wrong as wrong:
        return None, str(wrong)
