"""What scripts may rely on: the public names are there, and the tutorial prints what it says it prints."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys

import pytest

import reversis
from reversis.views.api import format_api_signature
from tests.support.places import CLONE

PAGE = CLONE / "reversis" / "pages" / "api.md"


@pytest.mark.slow
def test_the_tutorial_prints_what_it_says() -> None:
    unfenced = "\n".join("" if line.startswith("```") else line for line in PAGE.read_text("utf-8").splitlines())
    examples = doctest.DocTestParser().get_doctest(unfenced, {}, "api.md", str(PAGE), 0)
    assert len(examples.examples) > 25
    told: list[str] = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(examples, out=told.append)
    assert (failed, tried) == (0, len(examples.examples)), "".join(told)


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    for name in reversis.__all__:
        assert (inspect.getdoc(getattr(reversis, name)) or "").strip(), name


def test_public_names_have_types() -> None:
    named = [getattr(reversis, name) for name in reversis.__all__]
    for one in (one for one in named if not inspect.isclass(one)):
        signature = inspect.signature(one)
        assert signature.return_annotation is not inspect.Signature.empty, one
        assert all(p.annotation is not inspect.Parameter.empty for p in signature.parameters.values()), one


@pytest.mark.parametrize(
    "default",
    [len, lambda: 0, "".join, object(), test_public_names_have_types],
    ids=["len", "lambda", "bound", "object", "function"],
)
def test_no_default_is_shown_by_its_address_in_memory(default: object) -> None:
    def one(first: int, second: object = default, third: str = "a") -> None: ...

    shown = "<built-in function len>" if default is len else "..."
    assert format_api_signature(one) == f"(first: int, second: object = {shown}, third: str = a) -> None"


def test_an_address_as_windows_writes_it_is_not_shown_either() -> None:
    class Default:
        def __repr__(self) -> str:
            return "<function <lambda> at 0x0000021B5F3A3E20>"

    def one(first: object = Default()) -> None: ...

    assert format_api_signature(one) == "(first: object = ...) -> None"


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'setle'"):
        reversis.setle  # noqa: B018


def test_settling_needs_neither_the_web_of_worlds_nor_the_readers() -> None:
    words = (
        "import reversis, sys; reversis.settle, reversis.read_deal; print([m for m in sys.modules if m in UNWANTED])"
    )
    unwanted = (
        "engine.interpretation.worlds",
        "engine.generation.deal",
        "engine.session.session",
        "yaml",
        "lxml",
        "pydantic",
    )
    done = subprocess.run(
        [sys.executable, "-c", f"UNWANTED = {unwanted!r}; {words}"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
