"""Data dictionary of a stored survey, read from its schema.

Page and check therefore cannot say two things.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from edition.corpus.corpus import Corpus
from lab.survey.request import EVENTS
from lab.survey.variants import UNSURVEYED_REASONS
from reversis.files.extras import get_surveys
from reversis.files.surveys import SURVEY_DICTIONARY_FILE
from reversis.findings.costs import find_supplied_pools
from reversis.views.page_template import page_renderer

DictionaryEntry: TypeAlias = tuple[str, str, str]  #: name, shape and meaning


@dataclass(frozen=True, slots=True)
class DictionaryView:
    """All parts, and the tables that the stored surveys have."""

    says: str
    parts: tuple[tuple[str, tuple[DictionaryEntry, ...]], ...]  #: of the file, by their titles
    tables: tuple[tuple[str, str, str], ...]  #: source, what lies in the pool, unit
    events: Mapping[str, str]  #: what is counted besides money, with what it means
    reasons: Mapping[str, str]  #: why something is not weighed, with what it means


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
    tables = [table for survey in get_surveys(corpus) for table in survey.tables]
    seated = {(table.siglum, f"{table.pool}{ours.get(table.siglum, '')}", table.unit): None for table in tables}
    return DictionaryView(
        str(schema["description"]),
        tuple((title, tuple(list_dictionary_entries(part))) for title, part in parts),
        tuple(seated),
        EVENTS,
        UNSURVEYED_REASONS,
    )


def list_dictionary_entries(part: Mapping[str, Any], within: str = "") -> Iterator[DictionaryEntry]:
    """Entries of a part, including nested ones."""
    for name, entry in part.get("properties", {}).items():
        yield f"{within}{name}", describe_entry_shape(entry), str(entry.get("description", ""))
        yield from list_dictionary_entries(entry.get("items", {}), f"{within}{name}[].")


#: What a shape of the schema is called.
_SHAPE_NAMES: Mapping[str, str] = {"integer": "whole number", "string": "letters", "array": "list", "object": "record"}


def describe_entry_shape(entry: Mapping[str, Any]) -> str:
    """Kind of value of an entry: a number, letters, a list of them."""
    if "const" in entry:
        return "always the same" if isinstance(entry["const"], list) else f"always {entry['const']}"
    if "enum" in entry:
        return f"one of: {', '.join(map(str, entry['enum']))}"
    kind = str(entry.get("type", ""))
    inner = entry.get("items", {})
    if kind == "array" and inner.get("type") == "integer":
        many = f"{entry['minItems']} " if entry.get("minItems") == entry.get("maxItems") is not None else ""
        return f"{many}whole numbers"
    return _SHAPE_NAMES.get(kind, "see there")


render_dictionary = page_renderer("dictionary")
