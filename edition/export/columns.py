"""Columns of the exported tables: their types, and their cells in CSV.

A row holds Python values: text, bool, int, a tuple of strings; None (or no text) where there is nothing. Each format
writes them in its own way; that no type is guessed from a column's name is why the type stands beside the name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from rulebook.answers.conditions import dereference_answer
from rulebook.answers.values import AnswerMap
from rulebook.model import Like, Question
from rulebook.strings import LIST_SEPARATOR

ExportRow: TypeAlias = tuple[Any, ...]  #: the cells of a row, in the order of its columns


class ColumnType(Enum):
    """Types of columns."""

    TEXT = "text"
    BOOLEAN = "boolean"
    INTEGER = "integer"
    LIST = "list"  #: of strings
    JSON = "json"  #: a JSON document, as text


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column: its name, what stands in it, and its type."""

    name: str
    says: str
    type: ColumnType = ColumnType.TEXT


def format_csv_cell(column: ExportColumn, value: Any) -> str:
    """Return a cell as it is written in CSV; nothing where there is nothing."""
    return "" if value is None else _CSV_WRITERS[column.type](value)


_CSV_WRITERS: Mapping[ColumnType, Callable[[Any], str]] = {
    ColumnType.TEXT: str,
    ColumnType.BOOLEAN: {True: "yes", False: "no"}.__getitem__,
    ColumnType.INTEGER: str,
    ColumnType.LIST: LIST_SEPARATOR.join,
    ColumnType.JSON: str,
}
_CSVW_TYPES: Mapping[ColumnType, Mapping[str, Any]] = {
    ColumnType.TEXT: {"datatype": "string"},
    ColumnType.BOOLEAN: {"datatype": {"base": "boolean", "format": "yes|no"}},
    ColumnType.INTEGER: {"datatype": "integer"},
    ColumnType.LIST: {"datatype": "string", "separator": LIST_SEPARATOR},
    ColumnType.JSON: {"datatype": "json"},
}


def describe_csvw_column(column: ExportColumn) -> dict[str, Any]:
    """Describe a column for "CSV on the Web"."""
    head = {"name": column.name, "titles": column.name, "dc:description": column.says}
    return {**head, **_CSVW_TYPES[column.type]}


def format_reading_json(value: object) -> str | None:
    """Return an answer as one line of JSON; None where there is no answer."""
    return None if value is None else json.dumps(simplify_value(value), ensure_ascii=False)


def format_value_json(asked: Question, answers: AnswerMap) -> str | None:
    """Return what an answer comes to, references followed, as JSON in one way of writing; None where there is none."""
    value = dereference_answer(answers.get(asked.slug), answers)
    return None if value is None else json.dumps(simplify_value(value), ensure_ascii=False, sort_keys=True)


def simplify_value(value: object) -> Any:
    """Return an answer or a record as JSON can hold it; an answer that points to another is a sentence."""
    if isinstance(value, Mapping):
        return {str(key): simplify_value(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [simplify_value(item) for item in value]
    return str(value) if isinstance(value, Like) else value


def list_distinct(values: Iterable[str]) -> tuple[str, ...]:
    """Return the values that say something, each once, in their order."""
    return tuple(dict.fromkeys(value for value in values if value))
