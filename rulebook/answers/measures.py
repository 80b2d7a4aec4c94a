"""One reader for every kind of answer; those that know no game are here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from engine.answers import (
    read_card,
    read_card_values,
    read_fine,
    read_hands,
    read_points,
    read_privileged_cards,
    read_ranks,
    read_shapes,
    read_suit,
    read_tricks,
)
from rulebook.answers.values import (
    SlugOf,
    Wrong,
    format_canonical,
    read_filled_table,
    read_one_of,
    read_value_list,
    read_value_table,
    read_whole_number,
)
from rulebook.model import FrozenMap, Like, Question, Value


def read_integer(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read a number, or a pointer to the question that has it."""
    if isinstance(raw, Mapping):
        return read_reference(raw, slug_of)
    least, most = question.measure.get("min", 0), question.measure.get("max")
    return read_whole_number(raw, cast(int, least), cast("int | None", most))


def read_reference(raw: Mapping[str, object], slug_of: SlugOf) -> Like:
    """Read that another question's answer is taken, or a multiple of it."""
    keys = ("as", "times") if "times" in raw else ("as",)
    table = read_filled_table(raw, keys, "{as: Q032} or {as: Q032, times: 2}")
    return Like(slug_of(str(table["as"])), read_whole_number(table.get("times", 1), 1))


def read_known_words(question: Question, raw: object, example: str) -> list[str]:
    """Read words out of the list that the question gives."""
    known = cast("Mapping[str, str]", question.measure.get("of", FrozenMap()))
    return [read_one_of(one, known, f"answer to {question.slug}") for one in read_value_list(raw, example)]


def read_order(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read criteria in the order in which they decide."""
    return tuple(read_known_words(question, raw, "[fewest-points, best-placed]"))


def read_set(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read any of the words, in the order in which the question lists them."""
    chosen = read_known_words(question, raw, "[forced, led], or [] for none")
    known = cast("Mapping[str, str]", question.measure.get("of", FrozenMap()))
    return tuple(one for one in known if one in chosen)


def read_times_or_sum(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read a multiple of the ordinary sum, or a sum of its own."""
    table = read_value_table(raw, "{times: 2} or {sum: 4}")
    if len(table) != 1:
        raise Wrong(f"{format_canonical(raw)} has {len(table)} entries", "write {times: 2} or {sum: 4}")
    ((key, value),) = table.items()
    return FrozenMap(
        {read_one_of(key, ("times", "sum"), "way of counting"): read_whole_number(value, int(key == "times"))}
    )


MEASURE_READERS: Mapping[str, Callable[[Question, object, SlugOf], Value]] = {
    "integer": read_integer,
    "order": read_order,
    "set": read_set,
    "tricks": read_tricks,
    "points": read_points,
    "card-values": read_card_values,
    "times-or-sum": read_times_or_sum,
    "suit": read_suit,
    "card": read_card,
    "ranks": read_ranks,
    "fine": read_fine,
    "hands": read_hands,
    "privileged-cards": read_privileged_cards,
    "shapes": read_shapes,
}


def read_value(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """The answer that was written down; raises Wrong."""
    if question.closed:
        return read_one_of(raw, question.readings, f"reading of {question.slug}")
    if isinstance(raw, str) and raw in question.proposed:
        return raw  # a reading on trial, where the question has a measure
    return MEASURE_READERS[str(question.measure["type"])](question, raw, slug_of)


def parse_value(question: Question, raw: object, slug_of: SlugOf) -> tuple[Value | None, str]:
    """The answer that was written down, or what is wrong with it."""
    try:
        return read_value(question, raw, slug_of), ""
    except Wrong as wrong:
        return None, str(wrong)
