"""Number words: of several words, of other languages, of a source's own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulebook.checks.number_words import (
    CARDINAL,
    NOUGHT,
    ORDINAL,
    NamedNumber,
    describe_missing_language,
    find_named_numbers,
    learn_number_words,
)
from rulebook.checks.numbers import every_number_answered_stands_in_the_quotation
from rulebook.checks.source_records import words_for_numbers_are_words
from rulebook.problems import Problem
from tests.support.in_one_test import in_one_test
from tests.support.library import assembled, changed, write_library


def values(text: str, language: str = "en", **own: int) -> list[int]:
    words = learn_number_words(language, tuple((word.replace("_", " "), value) for word, value in own.items()))
    return [one.value for one in find_named_numbers(text, words)]


@in_one_test(
    "words, found",
    [
        ("eighty counters, ninety-one fiſh", [80, 91]),
        ("five and forty", [45]),
        ("two hundred and twenty", [220]),
        ("trois cens, deux cents dix", [300, 210]),
        ("quatre-vingt-dix; quatre vingts; soixante & dix", [90, 80, 60, 10]),
        ("vingt et un", [21]),
        ("hundert und zwanzig", [120]),
        ("ſix, ſeven", [6, 7]),
        ("fu\u0364nf", [5]),
        ("zweihundert, dreyhundertfünfzig, einhundertundzwölf", [200, 350, 112]),
        ("zweymal ſo viel, dreifach", [2, 1, 3]),
        ("im fünften, ſiebenten und achten Stich", [5, 7, 8]),
        ("Jahrhundert, manchmal, diesmal, vielfach, hundertmal", []),
        ("ſoviel sie Augen enthalten und 4 weitere", [1, 4]),
        ("two, hundred; four. twenty", [2, 100, 4, 20]),
        ("2 100", [2, 100]),
    ],
)
def test_several_words_may_make_one_number(words: str, found: list[int]) -> None:
    assert values(words) == found


@pytest.mark.parametrize(
    ("language", "words", "found"),
    [
        ("it", "undici carte, dell'ottanta, diece", [11, 80, 10]),
        ("es", "once cartas; noventa y uno; dieciseis", [11, 91, 16]),
        ("nl", "tachtig; eenentwintig", [80, 21]),
        ("la", "duodecim folia", [12]),
        ("it-IT", "undici", [11]),
    ],
)
def test_languages_that_are_not_built_in(language: str, words: str, found: list[int]) -> None:
    assert values(words, language) == found


def test_a_word_list_of_a_source_goes_before_everything() -> None:
    assert values("a fish, the Fifh; ten", fifh=9, a_fish=1, ten=12) == [1, 9, 12]
    assert find_named_numbers("nix, letzthin, zwo", learn_number_words("de", (("nix", 0), ("letzthin", -1)))) == (
        NamedNumber(0, NOUGHT),
        NamedNumber(-1, ORDINAL),
        NamedNumber(2, CARDINAL),
    )


def test_a_number_word_is_not_found_within_another() -> None:
    assert values("vis-undici, undicimila, a-fish", "it", a_fish=1) == [1]
    assert values("vingt-undici", "fr", undici=11) == []


def test_without_the_extra_latin_and_own_words_are_read_and_the_hint_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "num2words", None)
    learn_number_words.cache_clear()
    try:
        assert values("undici", "it") == [] and values("undici", "it", undici=11) == [11]
        assert values("undecim", "la") == [11]
        assert "reversis[numbers]" in describe_missing_language("it")
        assert [describe_missing_language(one) for one in ("fr", "de", "en-GB", "la")] == [""] * 4
    finally:
        learn_number_words.cache_clear()


# ---- in a source
A = "AAA/clauses.yaml"


def told(root: Path) -> list[Problem]:
    return list(every_number_answered_stands_in_the_quotation(assembled(root)))


def test_a_source_names_its_words_in_its_record(tmp_path: Path) -> None:
    root = write_library(tmp_path)
    changed(root, A, "Q002: 2 ", "Q002: 7 ")
    (problem,) = told(root)
    assert "numbers: {undici: 11}" in problem.way_out
    record = root / "AAA" / "source.yaml"
    record.write_text(record.read_text("utf-8") + "numbers: {deux: 7}\n", "utf-8")
    assert told(root) == []


@pytest.mark.parametrize(("word", "value"), [("11", 11), ("-", 2), ("lots", 10**9)])
def test_a_word_for_a_number_has_letters_and_a_number_that_is_played_for(tmp_path: Path, word: str, value: int) -> None:
    root = write_library(tmp_path)
    record = root / "AAA" / "source.yaml"
    record.write_text(record.read_text("utf-8") + f'numbers: {{"{word}": {value}}}\n', "utf-8")
    (problem,) = words_for_numbers_are_words(assembled(root))
    assert word in problem.what and problem.line == record.read_text("utf-8").count("\n")


FINE = """\
Q004:
  slug: toll.fine
  asks: What does a fault at the toll cost?
  group: The toll
  affects: payment
  measure: {type: fine}
  coding: A number, or a measure of stakes.
"""


@pytest.mark.parametrize(
    ("answer", "more", "fault"),
    [
        ("{stakes: 1}", "", ""),
        ("{stakes: 2}", "", "Q004 (toll.fine) answered 2, but the quotation names no number"),
        ("1", "", "Q004 (toll.fine) answered 1, but the quotation names no number"),
        ("{stakes: 1}", '  computation: "le péage = 2"\n', "Q004 (toll.fine) answered 1, but"),
    ],
)
def test_a_fine_of_one_stake_is_often_said_without_a_number(tmp_path: Path, answer: str, more: str, fault: str) -> None:
    root = write_library(tmp_path, deals=False)
    (root / "questions/20.yaml").write_text(FINE, encoding="utf-8")
    cite = '  cites: [{locus: AAA.s0001, exact: "Du péage"}]\n'
    with (root / "AAA/clauses.yaml").open("a", encoding="utf-8") as file:
        file.write(f"- id: AAA.c004\n{cite}  answers: {{Q004: {answer}}}\n{more}")
        file.write("  status: stated\n  cert: high\n  coder: ed1\n")
    found = [one.what for one in every_number_answered_stands_in_the_quotation(assembled(root))]
    assert [one.partition(": ")[2].startswith(fault) for one in found] == [True] * bool(fault), found


def test_a_fine_of_one_stake_is_refused_where_the_words_name_another_number(tmp_path: Path) -> None:
    root = write_library(tmp_path, deals=False)
    (root / "questions/20.yaml").write_text(FINE, encoding="utf-8")
    changed(root, "AAA/clauses.yaml", "    Q001: leader", "    Q004: {stakes: 1}\n    Q001: leader")
    found = [one.what for one in every_number_answered_stands_in_the_quotation(assembled(root))]
    assert any("toll.fine" in one and "names 2" in one for one in found), found
