"""A check that found nothing wrong is not made twice; after any change it is."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from edition.cli.main import library_cli
from edition.corpus.corpus import Corpus
from edition.corpus.problems import find_all_problems
from rulebook.problems import Problem
from tests.support.places import CLONE


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A library without a game, no source of which is a draft."""
    root: Path = shutil.copytree(CLONE / "tests" / "data" / "hearts", tmp_path / "sources")
    for path in root.glob("*/source.yaml"):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        path.write_text("".join(line for line in lines if not line.startswith("draft:")), encoding="utf-8")
    return root


@pytest.fixture
def checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path | None]:
    """Every time a library was really checked."""
    calls: list[Path | None] = []

    def count(root: Path | None = None) -> tuple[Corpus | None, list[Problem]]:
        calls.append(root)
        return find_all_problems(root)

    monkeypatch.setattr("rulebook.io.cache.cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr("edition.corpus.problems.find_all_problems", count)
    return calls


def check(root: Path) -> tuple[int, str]:
    result = CliRunner().invoke(library_cli, ["check", str(root)])
    return result.exit_code, result.output


@pytest.mark.slow
def test_a_clean_check_is_remembered(root: Path, checks: list[Path | None]) -> None:
    assert check(root) == check(root)
    assert check(root)[1].startswith("no problems found: ") and len(checks) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "edit",
    [
        lambda root: (root / "KIN" / "clauses.yaml").write_text("- id: no clause\n", encoding="utf-8"),
        lambda root: (root / "strange.txt").write_text("x\n", encoding="utf-8"),
        lambda root: (root / "KIN" / "text.xml").unlink(),
        lambda root: (root / "KIN" / "link").symlink_to(root / "OFF"),
    ],
)
def test_after_a_change_it_is_made_again(root: Path, checks: list[Path | None], edit: Callable[[Path], object]) -> None:
    assert check(root)[0] == 0
    edit(root)
    assert check(root) == check(root) and check(root)[0] == 1 and len(checks) == 4


def test_another_program_checks_again(root: Path, checks: list[Path | None], monkeypatch: pytest.MonkeyPatch) -> None:
    check(root)
    monkeypatch.setattr("edition.corpus.clean_checks.program_fingerprint", lambda: "another")
    assert check(root)[0] == 0 and len(checks) == 2
