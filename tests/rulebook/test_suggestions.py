"""A misspelt word is told which was meant, and never that it was meant itself."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from engine.generation.wishes import read_wishes
from reversis.cli.main import cli
from rulebook.suggestions import did_you_mean

SEATS = ("south", "east", "north", "west")


def test_a_word_that_stands_only_in_longer_phrases_is_told_how_it_goes_on() -> None:
    _, (why,) = read_wishes("no", SEATS)
    assert why.startswith("'no' is no word of a wish: it stands only in 'no ") and not why.endswith("more")


def test_of_many_phrases_that_have_a_word_some_are_named_and_the_others_counted() -> None:
    _, (why,) = read_wishes("trick", SEATS)
    assert re.search(r"only in ('[a-z ]+'(, )?){6} and 13 more$", why), why


def test_no_word_of_a_wish_is_ever_told_that_it_was_meant_itself() -> None:
    _, told = read_wishes("no of from trick the last first and with a side opposite quinola", SEATS)
    assert not [one for one in told for word in one.split("'")[1:2] if f"did you mean {word!r}" in one]


def test_the_command_that_wishes_for_no_tells_how_it_goes_on() -> None:
    done = CliRunner().invoke(cli, ["deal", "fill", "--wish", "no", "--source", "PAM"])
    assert done.exit_code == 2 and "did you mean" not in done.output and "'no reversis'" in done.output


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("sowth", "did you mean south?"),
        ("south", "other advice"),
        ("xyzzy", "other advice"),
        ("south\u200b", "did you mean south? (yours has U+200B in it, which looks the same)"),
        ("sоuth", "did you mean south? (yours has U+043E in it, which looks the same)"),
        (" south", "did you mean south? (yours has U+0020 in it, which looks the same)"),
        (5, 'put it in quotes: "5"'),
        ("eest", "did you mean east or west?"),
    ],
)
def test_the_hint_shows_what_the_eye_does_not(wrong: object, told: str) -> None:
    assert did_you_mean(wrong, (*SEATS, "5"), "other advice") == told


@pytest.mark.parametrize(
    ("known", "shown"),
    [("no ", "'no '"), ("n\no", "'n\\no'"), ("no\u200b", "'no\\u200b'"), ("not", "not"), ("n o", "n o")],
)
def test_a_suggestion_shows_what_the_eye_does_not(known: str, shown: str) -> None:
    assert did_you_mean("no", ["xyz", known], "other advice") == f"did you mean {shown}?"


def test_up_to_three_words_that_come_equally_near_are_named_and_none_that_is_further_off() -> None:
    known = ("Q001", "Q002", "Q003", "Q004", "Q010")
    assert did_you_mean("Q01", known, "") == "did you mean Q001 or Q010?"
    assert did_you_mean("Q009", known[:3], "") == "did you mean Q001 or Q002 or Q003?"
    assert did_you_mean("Q009", known, "").count("Q") == 3
    assert did_you_mean("sowth", ["south", "south"], "") == "did you mean south?"
    assert did_you_mean("AS", ["as", "As", "aS", "As ", "a s"], "") == "did you mean As or aS or as?"


@given(st.text(max_size=8), st.lists(st.text(max_size=8), max_size=8))
def test_nobody_is_told_to_write_what_stands_there(wrong: str, known: list[str]) -> None:
    assert did_you_mean(wrong, known, "") != f"did you mean {wrong}?"
