"""What is marked to be compiled is compiled; where the compiler rests it is the plain function that it is marked on.

A function that has lost its mark runs where nothing is compiled as if nothing had happened.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

from lab.survey.jit import INTERPRETED, LAB

COMPILED, INLINED, WRAPPING = "jit_compile", "jit_inline", "wrap_overflow"
FILES = sorted(path for path in (LAB / "survey").rglob("*.py") if path.name != "__init__.py")


def marked(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Every function of a file with its marks, as they stand there."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, {one.id for one in node.decorator_list if isinstance(one, ast.Name)}


def wraps(function: Any) -> bool:
    """Whether what numbers lose beyond their 64 bits is lost in silence."""
    return getattr(function, "__wrapped__", None) is not None


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.stem))
def test_a_function_is_what_its_marks_say(path: Path) -> None:
    module = import_module(".".join(path.relative_to(LAB.parent).with_suffix("").parts))
    for name, marks in marked(path):
        function = getattr(module, name)
        is_made = isinstance(function, Dispatcher)
        assert is_made == (bool(marks & {COMPILED, INLINED}) and not INTERPRETED), name
        if is_made:
            assert bool(function.targetoptions.get("forceinline")) == (INLINED in marks), name
            assert bool(function.targetoptions.get("nogil")) == (COMPILED in marks), name
        elif marks & {COMPILED, INLINED, WRAPPING}:
            assert wraps(function) == (WRAPPING in marks), name


def test_marks_are_on_a_good_many_functions_and_none_has_two_ways_of_being_made() -> None:
    found = {(path.stem, name): marks for path in FILES for name, marks in marked(path)}
    made = [marks for marks in found.values() if marks & {COMPILED, INLINED}]
    assert len(made) > 80 and not any({COMPILED, INLINED} <= marks for marks in made)
    assert any(WRAPPING in marks for marks in made)
