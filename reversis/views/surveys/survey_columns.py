"""Data dictionary of a stored survey, read from its schema.

Page and check therefore cannot say two things.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, code, link, para, table
from edition.views.layout import Nodes
from lab.survey.request import EVENTS
from lab.survey.variants import UNSURVEYED_REASONS
from reversis.files.extras import get_surveys
from reversis.files.surveys import SURVEY_DICTIONARY_FILE
from reversis.findings.costs import find_supplied_pools


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """One entry of the file."""

    name: str
    shape: str
    says: str


@dataclass(frozen=True, slots=True)
class DictionaryPart:
    """One part of the file, with its entries."""

    title: str
    entries: tuple[DictionaryEntry, ...]


@dataclass(frozen=True, slots=True)
class DictionaryView:
    """All parts, and the tables that the stored surveys have."""

    says: str
    parts: tuple[DictionaryPart, ...]
    tables: tuple[tuple[str, str, str], ...]  #: source, what lies in the pool, unit


#: The parts of the schema, and what they are called.
DICTIONARY_PARTS: Mapping[str, str] = {
    "": "The whole file",
    "table": "A table: one of `tables`",
    "other": "A ruleset priced beside the table’s own: one of `others`",
    "left": "What was not weighed: one of `left_out`",
}


def dictionary_view(corpus: Corpus, _: str = "") -> DictionaryView | None:
    """The schema in tables; nothing where there is none."""
    path = Path(corpus.library.root) / "schema" / SURVEY_DICTIONARY_FILE
    if not path.is_file():
        return None
    schema = json.loads(path.read_text(encoding="utf-8"))
    parts = ((title, schema["$defs"][name] if name else schema) for name, title in DICTIONARY_PARTS.items())
    ours = dict.fromkeys(find_supplied_pools(corpus), " (our assumption)")
    tables = [one for survey in get_surveys(corpus) for one in survey.tables]
    seated = {(one.siglum, f"{one.pool}{ours.get(one.siglum, '')}", one.unit): None for one in tables}
    return DictionaryView(
        str(schema["description"]),
        tuple(DictionaryPart(title, tuple(list_dictionary_entries(part))) for title, part in parts),
        tuple(seated),
    )


def list_dictionary_entries(part: Mapping[str, Any], within: str = "") -> Iterator[DictionaryEntry]:
    """Entries of a part, including nested ones."""
    for name, one in part.get("properties", {}).items():
        yield DictionaryEntry(f"{within}{name}", describe_entry_shape(one), str(one.get("description", "")))
        yield from list_dictionary_entries(one.get("items", {}), f"{within}{name}[].")


#: What a shape of the schema is called.
_SHAPE_NAMES: Mapping[str, str] = {"integer": "whole number", "string": "letters", "array": "list", "object": "record"}


def describe_entry_shape(one: Mapping[str, Any]) -> str:
    """Kind of value of an entry: a number, letters, a list of them."""
    if "const" in one:
        return "always the same" if isinstance(one["const"], list) else f"always {one['const']}"
    if "enum" in one:
        return f"one of: {', '.join(map(str, one['enum']))}"
    kind = str(one.get("type", ""))
    inner = one.get("items", {})
    if kind == "array" and inner.get("type") == "integer":
        many = f"{one['minItems']} " if one.get("minItems") == one.get("maxItems") is not None else ""
        return f"{many}whole numbers"
    return _SHAPE_NAMES.get(kind, "see there")


# ---- layout
def render_dictionary(view: DictionaryView | None) -> Nodes:
    """Render the parts, the events counted, and the reasons for leaving things out."""
    if view is None:
        return [para("No survey is stored here.")]
    return [
        para(*with_names(view.says)),
        *(_render_dictionary_part(one) for one in view.parts),
        _render_name_meanings("What is counted besides money: events, in their order", EVENTS),
        _render_name_meanings("Why something is not weighed: because", UNSURVEYED_REASONS),
        *_render_opening_pools(view),
    ]


def with_names(said: str) -> list[Content]:
    """Words in which names of entries stand between backquotes."""
    return [code(piece) if at % 2 else piece for at, piece in enumerate(said.split("`")) if piece]


def _render_dictionary_part(one: DictionaryPart) -> nodes.Node:
    rows = [([code(entry.name)], entry.shape, with_names(entry.says) or "–") for entry in one.entries]
    return table(with_names(one.title), ("Entry", "Kind", "What it means"), rows, cls="rv-stack")


def _render_name_meanings(caption: str, known: Mapping[str, str]) -> nodes.Node:
    rows = [([code(name)], f"{says[:1].upper()}{says[1:]}.") for name, says in known.items()]
    return table(caption, ("Name", "What it means"), rows, cls="rv-stack")


def _render_opening_pools(view: DictionaryView) -> Nodes:
    rows = [([link("source", siglum)], pool, unit) for siglum, pool, unit in view.tables]
    caption = "The opening pools, of which all shares are taken"
    return [table(caption, ("Book", "Counters", "Name of the counter"), rows, cls="rv-stack")] if rows else []
