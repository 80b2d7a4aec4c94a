"""What the documents for contributors name is there."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

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
