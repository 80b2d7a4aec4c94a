"""Write data as the YAML of `sources/`: plain words plain, prose folded, answers in braces, all else quoted."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from rulebook.io.strict_yaml import quote_for_yaml

_PROSE_WIDTH = 118  #: characters in a line of prose
_BARE_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_BARE_PROSE = re.compile(r"[A-Za-z](?:[^:#\n\\\"]|:(?! |$)|(?<! )#|\")*")
_QUOTED_KEYS = frozenset({"exact", "prefix", "suffix", "computation", "label"})  #: quoted whatever they say
_RESERVED = frozenset({"true", "false", "null"})
_LITERALS: Mapping[object, str] = {True: "true", False: "false", None: "null"}


def format_yaml_flow(value: Any) -> str:
    """Render a value on one line, as it stands within braces."""
    if isinstance(value, Mapping):
        return (
            "{" + ", ".join(f"{format_yaml_flow(key)}: {format_yaml_flow(item)}" for key, item in value.items()) + "}"
        )
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(format_yaml_flow, value))}]"
    if value is None or isinstance(value, bool):
        return _LITERALS[value]
    if not isinstance(value, str):
        return str(value)
    return value if _BARE_WORD.fullmatch(value) and value not in _RESERVED else quote_for_yaml(value)


def format_yaml_inline(value: Any) -> str | None:
    """Render a value behind its key; None if it takes more than a line."""
    if not isinstance(value, str):
        return format_yaml_flow(value)
    if value == value.strip() and value not in _RESERVED and _BARE_PROSE.fullmatch(value):
        return value
    return quote_for_yaml(value) if "\n" not in value else None


def format_yaml_entry(key: str, value: Any, indent: int) -> list[str]:
    """Render an entry on lines of its own; the key `-` stands for an item of a list."""
    head = " " * indent + (key if key == "-" else f"{key}:")
    if isinstance(value, Mapping) and value and key == "-":
        rows = [row for name, item in value.items() for row in format_yaml_entry(name, item, indent + 2)]
        return [f"{head} {rows[0].lstrip()}", *rows[1:]]
    # a list of tables that hold numbers only, such as hands and packs, stays in its line
    if _is_list_of_tables(value) and not all(isinstance(cell, int) for table in value for cell in table.values()):
        return [head, *(row for item in value for row in format_yaml_entry("-", item, indent + 2))]
    line = quote_for_yaml(value) if key in _QUOTED_KEYS and isinstance(value, str) else format_yaml_inline(value)
    if key in _QUOTED_KEYS and line is not None:
        return [f"{head} {line}"]
    if line is not None and len(head) + 1 + len(line) <= _PROSE_WIDTH:
        return [f"{head} {line}"]
    if isinstance(value, Mapping) and value:
        return [head, *(row for name, item in value.items() for row in format_yaml_entry(name, item, indent + 2))]
    if isinstance(value, str) and (folded := _fold_prose(value, indent + 2)):
        return [f"{head} >-", *folded]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [head, *(f"{' ' * (indent + 2)}- {format_yaml_flow(item)}" for item in value)]
    return [f"{head} {line if line is not None else quote_for_yaml(value)}"]


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _fold_prose(text: str, indent: int) -> list[str]:
    """Fold a longer text into lines; none if it could not be read back as it is."""
    pad, rows = " " * indent, list[str]()
    for at, paragraph in enumerate(text.split("\n")):
        lines = textwrap.wrap(paragraph, _PROSE_WIDTH - indent, break_long_words=False, break_on_hyphens=False)
        if " ".join(lines) != paragraph:
            return []
        rows += [*([""] if at else []), *(pad + line for line in lines)]
    return rows if rows and rows[0] and rows[-1] else []
