"""Validation of plain data by a record: what does not fit, in the words and at the place of the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from pydantic import Field, ValidationError, create_model
from pydantic_core import ErrorDetails

from rulebook.io.strict_json import locate_json_values, read_json_file
from rulebook.io.strict_yaml import Positions, Steps
from rulebook.problems import Problem
from rulebook.schema.records import Record
from rulebook.suggestions import did_you_mean

_R = TypeVar("_R", bound=Record)
_T = TypeVar("_T")
FilledText: TypeAlias = Annotated[str, Field(pattern=r"\S")]
DayText: TypeAlias = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]

#: kind of fault -> what is wrong, and the way out; {key} and {given} stand for the entry and its value.
FAULT_MESSAGES: Mapping[str, tuple[str, str]] = {
    "missing": ("{key} is missing", "add it"),
    "string_type": ("{key} must be text, not {given}", 'put it in quotes: "{given}"'),
    "int_type": ("{key} must be a whole number, not {given}", "write it as 5, without quotes"),
    "float_type": ("{key} must be a number, not {given}", "write it as 0.10, without quotes"),
    "bool_type": ("{key} must be true or false, not {given}", "write true or false, without quotes"),
    "list_type": ("{key} must be a list, not {given}", "begin every item with a dash, or write [one, two]"),
    "dict_type": ("{key} must be a table, not {given}", "write `name: value` in lines of its own"),
    "string_pattern_mismatch": ("{key} cannot be {given}", "write it as in the other entries of this kind"),
    "model_type": ("{key} must be a table, not {given}", "write `name: value` in lines of its own"),
}


def validate_record(
    record: type[_R],
    data: object,
    positions: Positions,
    steps: Steps,
    known: object = None,
) -> tuple[_R | None, list[Problem]]:
    """Make a record out of plain data, or tell everything that does not fit; validators may look at what is known."""
    try:
        return record.model_validate(data, context=known), []
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=True)
    kept = drop_misspelt(record, data, faults)
    return None, sorted({problem_of(record, data, fault, positions, steps) for fault in kept})


def drop_misspelt(record: type[Record], data: object, faults: list[ErrorDetails]) -> Iterator[ErrorDetails]:
    """Leave out those faults of missing entries whose name is only misspelt: that is reported once."""
    paths = [(fault, tuple(trace_fault(data, fault["loc"]))) for fault in faults]
    strange = [path for fault, path in paths if fault["type"] == "extra_forbidden"]
    meant = {
        (*path[:-1], near)
        for path in strange
        for near in get_close_matches(str(path[-1]), fields_at(record, path[:-1]), 1)
    }
    yield from (fault for fault, path in paths if fault["type"] != "missing" or path not in meant)


def problem_of(record: type[Record], data: object, fault: ErrorDetails, positions: Positions, steps: Steps) -> Problem:
    """A fault found by the record, in the words and at the place of the file."""
    path = tuple(trace_fault(data, fault["loc"]))
    last = path[-1] if path else "the entry"
    key, given = f"item {last + 1}" if isinstance(last, int) else last, _abbreviate_value(fault["input"])
    if fault["type"] == "extra_forbidden":
        otherwise = "known are: " + ", ".join(fields_at(record, path[:-1]))
        way_out = did_you_mean(key, fields_at(record, path[:-1]), otherwise)
        return positions.key((*steps, *path)).problem(f"the entry {key} is unknown here", way_out)
    if fault["type"] == "literal_error":
        known = str(fault.get("ctx", {}).get("expected", "")).split("'")[1::2]
        way_out = did_you_mean(fault["input"], known, "use one of: " + ", ".join(known))
        return positions.where((*steps, *path)).problem(f"{key} cannot be {given}", way_out)
    if fault["type"] == "missing" and (words := list_allowed_words(record, path)):
        return positions.where((*steps, *path)).problem(f"{key} is missing", "add one of: " + ", ".join(words))
    if fault["type"] == "unknown_name":
        return positions.where((*steps, *path)).problem(fault["msg"], "name what is there")
    unlisted = ("{key}: " + fault["msg"].removeprefix("Value error, "), "see the other entries of this kind")
    what, way_out = FAULT_MESSAGES.get(fault["type"], unlisted)
    if fault["input"] is None and fault["type"] == "string_type":
        way_out = "write it; behind a # everything is a remark, unless the text stands in quotes"
    filled = [text.replace("{key}", key).replace("{given}", given) for text in (what, way_out)]
    return positions.where((*steps, *path)).problem(*filled)


def trace_fault(data: object, location: tuple[int | str, ...]) -> Iterator[str | int]:
    """Yield the way to a fault through the data, without the names of alternatives tried."""
    for at, step in enumerate(location):
        steps = data if isinstance(data, dict) else dict(enumerate(data)) if isinstance(data, list) else {}
        last = isinstance(data, dict) and at == len(location) - 1  # an entry that is missing ends the way
        if step in steps or last:
            yield step
        data = steps.get(step, data)


def _abbreviate_value(given: object) -> str:
    kinds = {dict: "a table", list: "a list", type(None): "nothing"}
    text = str(given).lower() if isinstance(given, bool) else str(given).strip()
    return kinds.get(type(given)) or text[:40] or "blank"


def fields_at(record: type[Record], steps: Steps) -> tuple[str, ...]:
    """The entries known at a place within a record."""
    for step in steps:
        if isinstance(step, str) and step in record.model_fields:
            record = record_in(record.model_fields[step].annotation) or record
    return tuple(record.model_fields)


def list_allowed_words(record: type[Record], steps: Steps) -> tuple[str, ...]:
    """List the words of which the entry at a place within a record is one; none where it has no such list."""
    for step in steps[:-1]:
        if isinstance(step, str) and step in record.model_fields:
            record = record_in(record.model_fields[step].annotation) or record
    field = record.model_fields.get(str(steps[-1])) if steps else None
    return get_args(field.annotation) if field and get_origin(field.annotation) is Literal else ()


def record_in(annotation: object) -> type[Record] | None:
    """The record somewhere in a type: in a list, beside None."""
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return annotation
    return next((record for part in get_args(annotation) if (record := record_in(part))), None)


def read_json_record(
    record: type[_R], path: Path, name: str, way_out: str, known: object = None
) -> tuple[_R | None, list[Problem]]:
    """Read the record that a JSON file holds, or everything that does not fit it."""
    data, problems = read_json_file(path, name, way_out)
    if problems:
        return None, problems
    instance, problems = validate_record(record, data, Positions(name), (), known)
    return instance, problems and validate_record(record, data, locate_json_values(path, name), (), known)[1]


def read_json_dataclass(
    kind: type[_T], path: Path, name: str, way_out: str, further: Mapping[str, tuple[Any, Any]]
) -> tuple[_T | None, list[Problem]]:
    """Read the record that a JSON file holds: all its fields, and *further* entries by name, with type and default."""
    entries: Mapping[str, Any] = {
        key: (annotation, ...) for key, annotation in get_type_hints(kind, include_extras=True).items()
    }
    record = create_model(kind.__name__, __base__=Record, **{**entries, **further})
    instance, problems = read_json_record(record, path, name, way_out)
    return (kind(**instance.model_dump(exclude={*further})) if instance else None), problems
