"""What others have made is in the clone as it came: every file has its SHA-256 in the README of its folder."""

from __future__ import annotations

import hashlib
import re

import pytest

from tests.support.places import CLONE

FOLDERS = sorted(path.parent.name for path in (CLONE / "vendor").glob("*/README.md"))
OURS = frozenset({"README.md", "compile.mjs"})


def test_every_folder_is_looked_at() -> None:
    assert sorted(path.name for path in (CLONE / "vendor").iterdir() if path.is_dir()) == FOLDERS
    assert {"cards", "fonts", "minisearch", "pyodide", "tei"} <= {*FOLDERS}


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_others_have_made_is_as_it_came(folder: str) -> None:
    text = (CLONE / "vendor" / folder / "README.md").read_text(encoding="utf-8")
    stated = set(re.findall(r"\b[0-9a-f]{64}\b", text))
    files = {path.name: path.read_bytes() for path in (CLONE / "vendor" / folder).iterdir() if path.name not in OURS}
    assert len(files) > 1
    changed = [name for name, letters in files.items() if hashlib.sha256(letters).hexdigest() not in stated]
    assert not changed, f"not the file of which vendor/{folder}/README.md states the SHA-256"


def test_the_letters_of_the_pages_are_those_that_were_cut() -> None:
    text = (CLONE / "vendor" / "fonts" / "README.md").read_text(encoding="utf-8")
    sums = dict(re.findall(r"\| `([0-9a-f]{64})` \| `([\w-]+\.woff2)` \|", text))
    cut = {path.name: path.read_bytes() for path in (CLONE / "edition" / "static" / "fonts").glob("*.woff2")}
    assert {hashlib.sha256(letters).hexdigest(): name for name, letters in cut.items()} == sums
