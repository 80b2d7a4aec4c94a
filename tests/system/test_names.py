"""Names of the program: one definition each, and functions are called by what they do (`CONTRIBUTING.md`)."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("rulebook", "engine", "edition", "lab", "reversis", "proofs")
#: What every module of its kind has: an entry point of the command line, a Sphinx extension's.
PROTOCOL = frozenset({"main", "setup"})
PARTICIPLE = re.compile(r"(ed|own|ought|ept|told|laid|paid|said|made|done|drawn|written|given|found|left|cut)$")
#: Public functions called by one word that ends like a participle, from before the rule. None may be added.
OLD = frozenset({"made", "kept", "forfeited"})  # of engine.settlement.outcome: fields of a record, named after them
OPENINGS = re.compile(r"(What|Which|Whether|How|Who)\b")


@cache
def modules() -> tuple[tuple[str, ast.Module], ...]:
    """Every module of the program with its syntax tree, read once."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return tuple((path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8"))) for path in paths)


def definitions(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Every name that a module defines, also below `if` and `try`, with its statement."""
    todo = list(tree.body)
    while todo:
        node = todo.pop(0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((one.id, node) for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
        elif isinstance(node, ast.If | ast.Try):
            todo += [*node.body, *node.orelse]


def public(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    yield from ((name, node) for name, node in definitions(tree) if not name.startswith("_") and name not in PROTOCOL)


def repeated(trees: Iterable[tuple[str, ast.Module]]) -> dict[str, list[str]]:
    homes = defaultdict[str, set[str]](set)
    for path, tree in trees:
        for name, _ in public(tree):
            homes[name].add(path)
    return {name: sorted(paths) for name, paths in homes.items() if len(paths) > 1}


def participles(tree: ast.Module) -> list[str]:
    functions = (name for name, node in public(tree) if isinstance(node, ast.FunctionDef))
    return [name for name in functions if "_" not in name and PARTICIPLE.search(name) and name not in OLD]


def riddles(tree: ast.Module) -> list[str]:
    """Whatever has a docstring that opens like a question."""
    kinds = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    nodes = (node for node in ast.walk(tree) if isinstance(node, kinds))
    return [getattr(node, "name", "") for node in nodes if OPENINGS.match(ast.get_docstring(node) or "")]


def test_no_public_name_is_defined_in_two_modules() -> None:
    assert repeated(modules()) == {}


def test_no_public_function_is_called_by_a_bare_participle() -> None:
    assert {path: found for path, tree in modules() if (found := participles(tree))} == {}


def test_no_docstring_opens_like_a_question() -> None:
    assert {path: found for path, tree in modules() if (found := riddles(tree))} == {}
