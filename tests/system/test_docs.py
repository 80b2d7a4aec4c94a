"""What the documents for contributors name is there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from edition.corpus.corpus import build_corpus
from edition.export.tables import JSON_EXPORTS
from rulebook.model import Library
from tests.support.places import CLONE

DOCS = (CLONE / "CONTRIBUTING.md", CLONE / "README.md", *sorted((CLONE / "docs").glob("*.md")))
FILE = re.compile(r"`((?:rulebook|engine|edition|lab|reversis|proofs|tests|sources|docs|vendor)/[\w./*-]*)`")
MODULE = re.compile(r"python -m ((?:rulebook|edition|lab|reversis|proofs|benchmarks)[\w.]*)")
#: Written by commands; not in a clone from the beginning.
MADE = {"sources/releases/"}


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_file_that_a_document_names_is_there(path: Path) -> None:
    named = set(FILE.findall(path.read_text(encoding="utf-8"))) - MADE
    assert not [name for name in sorted(named) if not any(CLONE.glob(name.rstrip("/")))]


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_command_that_a_document_names_is_a_module(path: Path) -> None:
    named = set(MODULE.findall(path.read_text(encoding="utf-8")))
    assert not [name for name in sorted(named) if find_spec(name.rstrip(".")) is None]


def test_the_documents_name_files_and_commands_at_all() -> None:
    words = "".join(path.read_text(encoding="utf-8") for path in DOCS)
    assert len(FILE.findall(words)) > 80 and len(MODULE.findall(words)) > 10


def _list_result_fields() -> Iterator[str]:
    """Fields of a result by its schema; those of an entry behind a dot."""
    schema = json.loads((CLONE / "sources" / "schema" / "result.schema.json").read_text(encoding="utf-8"))
    parts = (schema, *(schema["$defs"][name] for name in ("settled", "refused", "silent")))
    yield from (name for part in parts for name in part["properties"])
    yield from (f"entries.{name}" for name in schema["$defs"]["entry"]["properties"])


def test_the_page_of_commands_explains_every_field_of_the_json(library: Library) -> None:
    page = (
        (CLONE / "sources" / "pages" / "commands.md").read_text(encoding="utf-8").partition("## Fields of the JSON")[2]
    )
    tables = [re.findall(r"^\| (`.*?`) \|", part, re.M) for part in page.split("`matrix.json`")]
    results, cells = ([name for row in rows for name in re.findall(r"`([\w.]+)`", row)] for rows in tables)
    assert sorted(results) == sorted({*_list_result_fields()})
    matrix = json.loads(JSON_EXPORTS["matrix"][1](build_corpus(library)))["matrix"]
    assert sorted(cells) == sorted({name for row in matrix.values() for cell in row.values() for name in cell})
