"""Values of answers in their canonical form, and the small readers from which every kind is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, cast

from rulebook.model import Question, Value
from rulebook.problems import HintedError
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean

SlugOf: TypeAlias = Callable[[str], str]
AnswerMap: TypeAlias = Mapping[str, Value]


class Wrong(HintedError):
    """Something that is no answer, and the way out."""


class UnknownQuestion(Wrong):
    """No question has this id or slug."""

    def __init__(self, name: str, way_out: str) -> None:
        super().__init__(f"there is no question {name}", way_out)
        self.name = name


class UnreadQuestion(UnknownQuestion):
    """The question is there, and what is wrong with it is told at its place."""


def build_slug_lookup(questions: Iterable[Question]) -> SlugOf:
    """Return a lookup of slugs by id or slug; it raises Wrong for an unknown name."""
    slugs = {name: question.slug for question in questions for name in (question.id, question.slug)}

    def slug_of(name: str) -> str:
        if name not in slugs:
            raise UnknownQuestion(name, did_you_mean(name, slugs, "`list questions` lists those there are"))
        return slugs[name]

    return slug_of


# --- saying a value -----------------------------------------------------------------------------

LITERALS: Mapping[bool | None, str] = {True: "true", False: "false", None: "null"}


def format_canonical(value: object) -> str:
    """Format a value as one short text: 5, own-suit, [1, -1], {AD: 5, JH: 4}."""
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(format_canonical, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {format_canonical(item)}" for key, item in value.items()) + "}"
    return LITERALS[value] if value is None or isinstance(value, bool) else str(value)


_MOST_DIGITS = 18  #: of a whole number; YAML reads no longer ones as numbers

# --- small readers ------------------------------------------------------------------------------


def read_whole_number(raw: object, least: int, most: int | None = None) -> int:
    """Read a whole number within its bounds."""
    if isinstance(raw, bool) or not isinstance(raw, int):
        quoted = isinstance(raw, str) and raw.strip().removeprefix("-").isdecimal()
        if quoted and len(str(raw)) > _MOST_DIGITS:
            raise Wrong(f"{quote_value(raw)} has too many digits", f"write at most {_MOST_DIGITS}")
        way_out = f"write the number in digits{', without quotes' if quoted else ' alone, such as 5'}"
        raise Wrong(f"{format_canonical(raw)} is no whole number", way_out)
    if raw < least:
        raise Wrong(f"{raw} is too little", f"the least is {least}")
    if most is not None and raw > most:
        raise Wrong(f"{raw} is too much", f"the most is {most}")
    return raw


def read_value_list(raw: object, example: str) -> list[object]:
    """Read a list in which nothing stands twice."""
    if not isinstance(raw, (list, tuple)):
        raise Wrong(f"{format_canonical(raw)} is no list", f"write a list, such as {example}")
    twice = next((item for at, item in enumerate(raw) if item in raw[:at]), None)
    if twice is not None:
        raise Wrong(f"{format_canonical(twice)} stands twice", "keep it once")
    return list(raw)


def read_value_table(raw: object, example: str) -> Mapping[str, object]:
    """Read a small table of names and what they are worth."""
    if not isinstance(raw, Mapping):
        raise Wrong(f"{format_canonical(raw)} is no table", f"write a table, such as {example}")
    return cast("Mapping[str, object]", raw)


def read_filled_table(raw: object, keys: Iterable[str], example: str) -> Mapping[str, object]:
    """Read a table that has exactly these entries."""
    table, keys = read_value_table(raw, example), tuple(keys)
    for key in table:
        if key not in keys:
            raise Wrong(f"{key} is unknown here", did_you_mean(key, keys, f"write {example}"))
    for key in keys:
        if key not in table:
            raise Wrong(f"{key} is missing", f"write {example}")
    return table


def read_one_of(raw: object, known: Iterable[str], what: str) -> str:
    """Read one word out of a closed list."""
    known = tuple(known)
    if raw not in known:
        there_are = "there are " + ", ".join(known)
        raise Wrong(f"{format_canonical(raw)} is no {what}", did_you_mean(raw, known, there_are))
    return str(raw)


# --- an answer to a question --------------------------------------------------------------------


def read_value(question: Question, raw: object, slug_of: SlugOf) -> Value:
    """Read the answer that was written down; raises Wrong."""
    if question.closed:
        return read_one_of(raw, question.readings, f"reading of {question.slug}")
    if isinstance(raw, str) and raw in question.proposed:
        return raw  # a reading on trial, where the question has a measure
    return question.kind.read(question, raw, slug_of)
