"""Entries of everything that can be looked up: the same fields for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

ENTRY_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class LookupField:
    """One field: its data, and the lines in which a person reads it."""

    key: str
    data: Any
    lines: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class LookupEntry:
    """Something by its id, with all that is to be said of it, its page and its file."""

    kind: str
    id: str
    title: str
    fields: tuple[LookupField, ...]
    page: str = ""  #: address within the edition
    file: str = ""  #: below the clone, with the line


def say(key: str, data: Any, lines: str | Iterable[str] | None = None, label: str = "") -> LookupField:
    """Return a field; without lines it reads as its data, and what is empty is data only."""
    if lines is None:
        lines = _describe_data(data)
    shown = (lines,) if isinstance(lines, str) else tuple(lines)
    return LookupField(key, data, tuple(line for line in shown if line), label or key.replace("_", " "))


def _describe_data(data: Any) -> str:
    if isinstance(data, list | tuple):
        return ", ".join(map(str, data))
    return "" if data is None else str(data)


def serialize_entry(entry: LookupEntry) -> dict[str, Any]:
    """Return an entry as one JSON object."""
    head: dict[str, Any] = {"schema": ENTRY_SCHEMA, "kind": entry.kind, "id": entry.id, "title": entry.title}
    fields: Mapping[str, Any] = {field.key: field.data for field in entry.fields}
    return {**head, **fields, "page": entry.page or None, "file": entry.file or None}
