"""The fingerprint of the program covers everything that shapes a page, and a rebuild after any edit is made by it."""

from __future__ import annotations

import re
import shutil
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
    "a script": "reversis/static/deals.js",
    "the live preview": "edition/served/live.js",
    "what others have made": "vendor/minisearch/minisearch.js",
    "the citation": "CITATION.cff",
}

PASSED_OVER = (
    "engine/__pycache__/play.cpython-311.pyc",
    "edition/play.pyc",
    "edition/static/__pycache__/x",
    "edition/.swp",
    "engine/.ruff_cache/x",
    "edition/pages/new.md",
    "reversis/pages/new.md",
)


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
def test_an_edit_of_any_part_makes_another_fingerprint(copy: Path, taken: Callable[[], str]) -> None:
    before, after = taken(), {}
    for part, name in SHAPING.items():
        octets = (copy / name).read_bytes()
        (copy / name).write_bytes(octets + b" ")
        after[part] = taken()
        (copy / name).write_bytes(octets)
    assert [part for part, other in after.items() if other == before] == [] and taken() == before


@pytest.mark.slow
def test_a_file_that_comes_goes_or_is_renamed_makes_another_fingerprint(copy: Path, taken: Callable[[], str]) -> None:
    found = [taken()]
    for name in ("engine/new.py", "edition/static/new.css"):
        (copy / name).write_text("", encoding="utf-8")
        found.append(taken())
        (copy / name).rename((copy / name).with_stem("newer"))
        found.append(taken())
        (copy / name).with_stem("newer").unlink()
    assert len({*found}) == 5 and taken() == found[0]


@pytest.mark.slow
def test_what_shapes_no_page_or_is_followed_by_itself_makes_none(copy: Path, taken: Callable[[], str]) -> None:
    before = taken()
    for name in PASSED_OVER:
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_bytes(b"new")
        assert taken() == before, name
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
