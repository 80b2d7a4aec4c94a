"""How the house is built: the engine knows no source, looks down only, and is made of small functions."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache

import pytest

from tests.support.places import CLONE

HOUSE = CLONE / "engine"
ENGINE = sorted(HOUSE.rglob("*.py"))
#: Where the sources are opened: for types, fetched when a script asks.
DOORS = {("__init__.py", "rulebook.load")}
RULEBOOK = {
    "rulebook",
    "rulebook.ask",
    "rulebook.decisions",
    "rulebook.display",
    "rulebook.reads",
    "rulebook.installing",
    "rulebook.strings",
    "rulebook.suggestions",
    "rulebook.model",
    "rulebook.phrases",
    "rulebook.problems",
    "rulebook.resolve",
    "rulebook.answers.conditions",
    "rulebook.answers.values",
    "rulebook.io.files",
    "rulebook.io.plain_values",
}


@cache
def parsed() -> dict[str, ast.Module]:
    """The syntax tree of every module, by its path in the engine."""
    return {path.relative_to(HOUSE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in ENGINE}


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_no_siglum_stands_in_the_engine() -> None:
    lines = ((path, line) for path in ENGINE for line in path.read_text(encoding="utf-8").splitlines())
    assert [found for found in lines if re.search(r"\b(PAM|ACA|GER|PAR|HOY|PIE|MEY)\b", found[1])] == []


def may_need(path: str, module: str) -> bool:
    top = module.partition(".")[0]
    known = top == "engine" or module in RULEBOOK or top in sys.stdlib_module_names
    return known or (path, module) in DOORS


@pytest.mark.slow
def test_the_engine_needs_the_standard_library_and_the_nouns_only() -> None:
    assert len(parsed()) > 50
    needed = [(path, module) for path, tree in parsed().items() for module in imported(tree)]
    assert [found for found in needed if not may_need(*found)] == []


def is_compiled(node: ast.FunctionDef) -> bool:
    return any("jit_" in ast.unparse(word) for word in node.decorator_list)


def test_no_compiled_function_calls_itself() -> None:
    """Kept on disk by one process and loaded by another, it is looked for in vain, and the process is aborted."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in (HOUSE.parent / "lab").rglob("*.py")}
    compiled = [
        (path, node)
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and is_compiled(node)
    ]
    calls = [(path, node.name, n.func) for path, node in compiled for n in ast.walk(node) if isinstance(n, ast.Call)]
    assert len(compiled) > 100
    assert [(path, name) for path, name, called in calls if isinstance(called, ast.Name) and called.id == name] == []


@pytest.mark.release
def test_no_function_is_longer_than_forty_five_lines() -> None:
    """What is compiled may have fifty: each variable that it hands on costs time."""
    nodes = [(path, node) for path, tree in parsed().items() for node in ast.walk(tree)]
    long = [
        f"{path}:{node.lineno}: {node.name} has {length} lines"
        for path, node in nodes
        if isinstance(node, ast.FunctionDef)
        and (length := (node.end_lineno or 0) - node.lineno + 1) > (50 if is_compiled(node) else 45)
    ]
    assert long == []


def test_nothing_is_changed_at_module_level_and_no_code_is_made_from_strings() -> None:
    makers = {"eval", "exec", "compile", "globals"}
    for path, tree in parsed().items():
        nodes = [*ast.walk(tree)]
        called = {n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        assert not called & makers, path
        assert not [n for n in nodes if isinstance(n, ast.Global | ast.Nonlocal)], path
