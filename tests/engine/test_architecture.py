"""How the house is built: the engine knows no source, looks down only, and is made of small functions."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.places import CLONE

HOUSE = CLONE / "engine"
ENGINE = sorted(HOUSE.rglob("*.py"))
FAST = ("numpy", "numba", "llvmlite", "pyarrow", "distributed")  # for the survey: arrays, a compiler, files, a cluster
#: Where the sources are opened: for types, fetched when a script asks; and by a worker on another machine.
DOORS = {
    ("__init__.py", "rulebook.load"),
    ("survey/dask.py", "rulebook.load"),
    ("survey/dask.py", "rulebook.program_fingerprint"),
}
RULEBOOK = {
    "rulebook",
    "rulebook.display",
    "rulebook.installing",
    "rulebook.suggestions",
    "rulebook.model",
    "rulebook.problems",
    "rulebook.resolve",
    "rulebook.answers.conditions",
    "rulebook.answers.values",
    "rulebook.io.files",
}


@pytest.mark.parametrize("path", ENGINE, ids=lambda p: p.relative_to(HOUSE).as_posix())
def test_no_siglum_stands_in_the_engine(path: Path) -> None:
    found = [
        line for line in path.read_text(encoding="utf-8").splitlines() if re.search(r"\b(PAM|ACA|GER|PAR)\b", line)
    ]
    assert not found


def is_survey(path: Path) -> bool:
    return path.relative_to(HOUSE).parts[0] == "survey"


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("path", ENGINE, ids=lambda p: p.relative_to(HOUSE).as_posix())
def test_the_engine_needs_the_standard_library_and_the_nouns_only(path: Path) -> None:
    for module in imported(path):
        top = module.partition(".")[0]
        extra = is_survey(path) and top in FAST
        door = (path.relative_to(HOUSE).as_posix(), module) in DOORS
        assert top == "engine" or module in RULEBOOK or top in sys.stdlib_module_names or extra or door, module


@pytest.mark.parametrize(
    "path", [path for path in ENGINE if not is_survey(path)], ids=lambda p: p.relative_to(HOUSE).as_posix()
)
def test_nothing_but_the_survey_itself_needs_the_survey(path: Path) -> None:
    assert not [module for module in imported(path) if module.startswith("engine.survey")]


@pytest.mark.release
@pytest.mark.parametrize("path", ENGINE, ids=lambda p: p.relative_to(HOUSE).as_posix())
def test_no_function_is_longer_than_forty_five_lines(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= 45, f"{path.name}:{node.lineno}: {node.name} has {length} lines"


@pytest.mark.parametrize("path", ENGINE, ids=lambda p: p.relative_to(HOUSE).as_posix())
def test_nothing_is_changed_at_module_level_and_no_code_is_made_from_strings(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    assert not called & {"eval", "exec", "compile", "globals"}
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.Global | ast.Nonlocal)]
