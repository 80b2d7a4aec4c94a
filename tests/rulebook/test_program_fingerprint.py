"""The fingerprint of the program covers everything that shapes a page, and a rebuild after any edit is made by it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from rulebook import load as loading
from rulebook import program_fingerprint as program
from rulebook.sources.paths import TEI_SCHEMA
from tests.support.library import write_library
from tests.support.places import CLONE

HOUSE = CLONE
SPARED = shutil.ignore_patterns("__pycache__", "_sources")

#: One file for each part of the program, by what it is part of.
SHAPING = {
    "the engine": "engine/play/trick.py",
    "a subfolder of the engine": "lab/survey/request.py",
    "the rulebook": "rulebook/answers/values.py",
    "the edition": "edition/views/common.py",
    "a subfolder of the edition": "edition/export/cldf.py",
    "the book": "edition/book/book.typ",
    "a template": "edition/theme/layout.html",
    "a template of its own": "edition/templates/cite.html",
    "a page's template": "edition/templates/pages/emendations.xml",
    "a style sheet": "edition/static/edition.css",
    "a script": "edition/static/steps.js",
    "the live preview": "edition/served/live.js",
    "what others have made": "vendor/minisearch/minisearch.js",
    "the citation": "CITATION.cff",
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("house")
    for name in (*program.PROGRAM_LAYERS, "vendor/minisearch"):
        shutil.copytree(HOUSE / name, home / name, ignore=SPARED)
    shutil.copy(HOUSE / "CITATION.cff", home)
    return home


@pytest.fixture
def taken(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """The fingerprint of the copy, as a process that begins now would take it."""

    def taken() -> str:
        program.code_fingerprint.cache_clear()
        return program.program_fingerprint()

    monkeypatch.setattr(program, "PROGRAM_ROOT", copy)
    yield taken
    program.code_fingerprint.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("part", SHAPING)
def test_an_edit_of_any_part_makes_another_fingerprint(copy: Path, taken: Callable[[], str], part: str) -> None:
    path, before = copy / SHAPING[part], taken()
    octets = path.read_bytes()
    path.write_bytes(octets + b" ")
    assert taken() != before
    path.write_bytes(octets)
    assert taken() == before


def test_a_file_that_comes_goes_or_is_renamed_makes_another_fingerprint(copy: Path, taken: Callable[[], str]) -> None:
    found = [taken()]
    for name in ("engine/new.py", "edition/static/new.css"):
        (copy / name).write_text("", encoding="utf-8")
        found.append(taken())
        (copy / name).rename((copy / name).with_stem("newer"))
        found.append(taken())
        (copy / name).with_stem("newer").unlink()
    assert len({*found}) == 5 and taken() == found[0]


@pytest.mark.parametrize(
    "name",
    [
        "engine/__pycache__/play.cpython-311.pyc",
        "edition/play.pyc",
        "edition/static/__pycache__/x",
        "edition/.swp",
        "engine/.ruff_cache/x",
        "edition/pages/new.md",
    ],
)
def test_what_shapes_no_page_or_is_followed_by_itself_makes_none(
    copy: Path, taken: Callable[[], str], name: str
) -> None:
    before = taken()
    (copy / name).parent.mkdir(exist_ok=True)
    (copy / name).write_bytes(b"new")
    assert taken() == before
    (copy / name).unlink()


def test_another_version_of_a_package_makes_another_fingerprint(
    taken: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = taken()
    monkeypatch.setattr(program, "package_version", lambda package: "99" if package == "sphinx" else "1")
    assert taken() != before


def test_every_package_that_the_program_requires_is_among_them() -> None:
    required = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert {re.split(r"[<>=]", one)[0] for one in required} <= {*program.PAGE_PACKAGES}
    assert all(map(program.package_version, program.PAGE_PACKAGES)), "a package of that name is not installed"


def test_the_fingerprint_of_modules_is_that_of_a_whole_process(copy: Path, taken: Callable[[], str]) -> None:
    """A server that runs on after an edit makes pages by the modules that it has loaded."""
    before = program.code_fingerprint("engine")
    path = copy / "engine" / "play" / "trick.py"
    octets = path.read_bytes()
    path.write_bytes(octets + b" ")
    assert program.code_fingerprint("engine") == before
    path.write_bytes(octets)


# ---- what rests on it
BUILD = """
import sys
from pathlib import Path
from sphinx.builders import Builder
from edition.site.build import build_html
read, original = [], Builder.read_doc
def reading(self, docname, *more, **others):
    read.append(docname)
    original(self, docname, *more, **others)
Builder.read_doc = reading
out, sources, hand = map(Path, sys.argv[1:])
failed = build_html(out, False, "1", sources, hand)  # the links to pages of lists lead nowhere here
print("read", failed, *sorted(read))
"""
INDEX = """# Home

```{reversis:home-books}
```
```{reversis:matrix}
```

```{toctree}
:hidden:
:glob:

sources/*
```
"""


@pytest.mark.release
def test_a_rebuild_after_an_edit_anywhere_makes_every_page_anew(copy: Path, tmp_path: Path) -> None:
    for name in ("vendor/cards", "vendor/pyodide", "sources/schema"):
        shutil.copytree(HOUSE / name, copy / name)
    sources = write_library(tmp_path, deals=False)
    (sources / "bibliography.bib").write_text("", encoding="utf-8")
    hand = tmp_path / "hand"
    hand.mkdir()
    (hand / "index.md").write_text(INDEX, encoding="utf-8")
    for name in ("rights", "people", "reading", "answers"):
        (hand / f"{name}.md").write_text(f"---\norphan: true\n---\n# {name}\n", encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(copy), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def read() -> set[str]:
        words = [sys.executable, "-c", BUILD, str(tmp_path / "html"), str(sources), str(hand)]
        done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and "read 0" in done.stdout, done.stderr
        return {*done.stdout.partition("read 0")[2].split()}

    every = read()
    assert {"index", "sources/AAA", "questions/Q001"} <= every
    assert read() == set()
    (copy / "engine" / "__pycache__").mkdir(exist_ok=True)
    (copy / "engine" / "__pycache__" / "odd.cpython-311.pyc").write_bytes(b"new")
    assert read() == set()
    for part in ("the engine", "the rulebook", "a subfolder of the edition", "a template"):
        with (copy / SHAPING[part]).open("a", encoding="utf-8") as opened:
            opened.write("\n")
        assert read() == every, part
    assert read() == set()


def test_a_checked_copy_of_the_sources_is_not_taken_after_its_schema_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_library(tmp_path)
    monkeypatch.setattr(loading, "find_own_sources", lambda: root)
    (root / "schema").mkdir()
    (root / TEI_SCHEMA).write_text("<grammar/>", encoding="utf-8")
    before = loading.cache_key(root)
    (root / TEI_SCHEMA).write_text("<grammar></grammar>", encoding="utf-8")
    assert loading.cache_key(root) != before
