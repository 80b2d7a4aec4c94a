"""What runs elsewhere: the workflows call what a reviewer would, and put the edition on the net as it is built here."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from edition.citation.urls import base_of, template_of
from reversis.cli.main import cli
from tests.support.places import CLONE

FOLDER = CLONE / ".github" / "workflows"
TESTS, PAGES = (yaml.safe_load((FOLDER / f"{name}.yml").read_text("utf-8")) for name in ("tests", "pages"))


def commands(job: dict[str, Any]) -> Iterator[str]:
    """What a job runs, line by line."""
    for step in job["steps"]:
        yield from str(step.get("run", "")).splitlines()


def used(workflow: dict[str, Any]) -> Iterator[str]:
    """The actions of others that a workflow uses."""
    yield from (step["uses"] for job in workflow["jobs"].values() for step in job["steps"] if "uses" in step)


def test_linux_runs_what_a_reviewer_runs() -> None:
    assert list(commands(TESTS["jobs"]["everything"])) == [".ci/run"]
    assert (CLONE / ".ci" / "run").stat().st_mode & 0o111


def test_windows_and_a_mac_run_the_tests_without_a_browser_and_follow_the_guide() -> None:
    for name, last in (("elsewhere", "-m pytest"), ("guide", "tests/support/guide.py ../printed/add-a-source.html .")):
        job = TESTS["jobs"][name]
        assert job["strategy"]["matrix"]["system"] == ["windows-latest", "macos-latest"]
        assert last in list(commands(job))[-1]
    (tests,) = [line for line in commands(TESTS["jobs"]["elsewhere"]) if "pytest" in line]
    assert '-m "not browser"' in tests and "--dist loadgroup" in tests
    assert (CLONE / "tests" / "support" / "guide.py").is_file()


@pytest.mark.parametrize("workflow", [TESTS, PAGES], ids=["tests", "pages"])
def test_a_workflow_may_write_nothing_by_default_and_pins_the_actions_of_others_by_commit(
    workflow: dict[str, Any],
) -> None:
    granted = workflow["permissions"] or next(iter(workflow["jobs"].values()))["permissions"]
    assert granted.items() <= {"contents": "read", "pages": "read"}.items()
    lines = re.findall(r"uses: (.*)", (FOLDER / f"{workflow['name'].lower()}.yml").read_text("utf-8"))
    assert len(lines) == len(list(used(workflow)))
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", line) for line in lines), lines
    oldest = re.search(r'requires-python = ">=([\d.]+)"', (CLONE / "pyproject.toml").read_text("utf-8"))
    pythons = [
        step["with"]["python-version"]
        for job in workflow["jobs"].values()
        for step in job["steps"]
        if step.get("uses", "").startswith("actions/setup-python")
    ]
    assert oldest and set(pythons) <= {oldest[1], "${{ matrix.python }}"} and pythons


def test_the_pages_are_checked_built_and_given_their_address() -> None:
    build, publish = PAGES["jobs"]["build"], PAGES["jobs"]["publish"]
    told = list(commands(build))
    assert told.index("reversis check") < told.index("reversis build all")
    assert publish["needs"] == "build" and any(one.startswith("actions/deploy-pages@") for one in used(PAGES))
    (kept,) = [step["with"]["path"] for step in build["steps"] if "upload-pages-artifact" in step.get("uses", "")]
    assert kept == "build/html"
    (given,) = [step["env"] for step in build["steps"] if "env" in step]
    filled = {name: re.sub(r"\$\{\{.*?\}\}", "https://example.org/x", value, count=1) for name, value in given.items()}
    filled = {name: re.sub(r"\$\{\{.*?\}\}", "y", value) for name, value in filled.items()}
    assert base_of(filled["REVERSIS_BASE_URL"]) == "https://example.org/x/"
    assert template_of(filled["REVERSIS_CORRECTIONS_URL"]).endswith("?title={id}")
    help_ = CliRunner().invoke(cli, ["build", "-h"]).output
    assert all(name in help_ for name in given)


def test_every_dependency_has_an_upper_bound() -> None:
    told = tomllib.loads((CLONE / "pyproject.toml").read_text("utf-8"))
    extras = [one for some in told["project"]["optional-dependencies"].values() for one in some]
    every = [*told["build-system"]["requires"], *told["project"]["dependencies"], *extras]
    assert len(every) > 50 and not [one for one in every if "<" not in one]
