"""Another folder of sources: with every command, before or behind its name, and in the environment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from reversis.cli.main import cli
from rulebook.sources.paths import SOURCES_VARIABLE, find_own_sources, find_sources
from tests.support.library import write_library


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_library(tmp_path, deals=False)


def said(*words: str, code: int = 0, **env: str) -> str:
    done = CliRunner().invoke(cli, words, env=env, catch_exceptions=False)
    assert done.exit_code == code, done.output
    return done.output


@pytest.mark.slow
@pytest.mark.parametrize("behind", [True, False])
def test_another_folder_is_read_wherever_it_is_named(root: Path, behind: bool) -> None:
    named = ["--sources", str(root)]
    for command in (["check"], ["list", "sources"], ["compare", "AAA", "BBB"], ["cite", "AAA", "deux jetons"]):
        told = said(*command, *named) if behind else said(*named, *command)
        assert "no problems found: 2 sources" in told if command == ["check"] else "AAA" in told
    assert find_sources() == find_own_sources()


def test_another_folder_may_stand_in_the_environment(root: Path) -> None:
    assert "2 sources" in said("check", REVERSIS_SOURCES=str(root))
    assert "2 sources" in said("check", f"--sources={root}", REVERSIS_SOURCES=str(root / "AAA"))
    assert SOURCES_VARIABLE not in os.environ


def test_a_folder_without_sources_is_refused(root: Path) -> None:
    assert "holds no sources" in said("check", "--sources", str(root / "AAA"), code=2)
    assert "does not exist" in said("run", "x", "--sources", str(root / "none"), code=2)


def test_no_command_is_without_it(root: Path) -> None:
    for command in cli.own_commands.summaries:
        assert "Usage" in said(command, "--sources", str(root), "--help")


def test_a_release_of_sources_that_lie_outside_the_clone_is_refused(root: Path) -> None:
    told = said("--sources", str(root), "release", "9.9.9", "2030-01-01", code=2)
    assert "outside the clone" in told.replace("\n", " ") and not (root / "releases").exists()
