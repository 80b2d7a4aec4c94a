"""The page on numbers and sums: each of its examples holds, and each of its failures fails as it says."""

from __future__ import annotations

import re

import pytest

from rulebook.checks.number_words import find_named_numbers
from rulebook.checks.numerals import ComputationInputs, describe_untraced
from rulebook.io.strict_yaml import compose_yaml
from tests.support.places import CLONE

PAGE = (CLONE / "sources" / "pages" / "computation.md").read_text("utf-8")
BLOCKS = re.findall(r"```\{code-block\} (\w+)\n:caption: (.+)\n((?:.*\n)+?)```", PAGE)
EXAMPLES = [(caption, body) for kind, caption, body in BLOCKS if kind == "yaml" and "exact:" in body]
FAILURES = [(caption, body) for kind, caption, body in BLOCKS if kind == "text" and "=" in caption]


def inputs(words: str) -> ComputationInputs:
    return ComputationInputs(frozenset(one.value for one in find_named_numbers(words)), {"jetton": 5}, frozenset({11}))


def numbers(value: object) -> tuple[int, ...]:
    if isinstance(value, int):
        return (value,)
    return tuple(n for one in (value.values() if isinstance(value, dict) else value) for n in numbers(one))  # type: ignore[attr-defined]


def test_the_page_has_eleven_examples_and_six_failures() -> None:
    assert len(EXAMPLES) == 11 and len(FAILURES) == 6


@pytest.mark.parametrize(("caption", "body"), EXAMPLES, ids=lambda one: one[:30])
def test_an_example_holds(caption: str, body: str) -> None:
    data, _, problems = compose_yaml("page", body)
    assert isinstance(data, dict) and not problems
    answered, words = numbers(data["answers"]), str(data["exact"])
    computation = str(data.get("computation", ""))
    assert describe_untraced(answered, words, computation, inputs(words)) == ("", "")
    if computation:
        assert describe_untraced(answered, words, "", inputs(words))[0], "it would hold without its computation"
    wrong = tuple(one + 1 for one in answered)
    assert describe_untraced(wrong, words, computation, inputs(words))[0]


def test_tricks_counted_back_lead_to_their_example() -> None:
    """Of 11 tricks, 11 - 9 = 2 is how many are left, and the answer counts from the last: -2, -1."""
    ((_, body),) = (example for example in EXAMPLES if "-2, -1" in example[1])
    (sums,) = re.findall(r'computation: "(.+)"', body)
    words = "Wer 9 Stiche hat"
    for written in ("", "11 Stiche - 9 = 2"):
        way_out = describe_untraced((-2, -1), words, written, inputs(words))[1]
        assert f'"{sums.replace("Stiche", "tricks")}"' in way_out


@pytest.mark.parametrize(("computation", "body"), FAILURES, ids=lambda one: one[:30])
def test_a_failure_is_told_as_the_page_says(computation: str, body: str) -> None:
    why, way_out = body.rstrip("\n").split("\n")
    told = describe_untraced((6,), "two of four, eight", computation, inputs("two of four, eight, one"))
    assert why in told[0] and way_out in told[1]


def test_the_failures_are_six_different_ones_with_six_different_hints() -> None:
    assert len({body.split("\n")[0] for _, body in FAILURES}) == len({body.split("\n")[1] for _, body in FAILURES}) == 6
