"""Short forms of readings: the faults that are told, with their place and way out, and what stands in for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.load import load_library
from rulebook.problems import Problem
from rulebook.sources.short_forms import MAX_SHORT_FORM, cut_to_short_form
from tests.support.library import changed, opened, place

QUESTIONS = "questions/10.yaml"
TAKER = "    taker: whoever takes the trick\n"
MEASURE = "  measure: {type: tricks}\n"
LISTED = "  measure: {type: set, of: {first: The first., last: The last.}, short: {first: one, last: two}}\n"
LONG = "whoever takes the trick in the end"


@pytest.mark.parametrize(
    ("old", "new", "needle", "what", "way_out"),
    [
        (TAKER, "", "taker: He who", "Q001: taker has no short form",
         "write it under `short`, such as: whoever takes the trick"),
        (TAKER, f"{TAKER}    takr: he\n", "takr: he", "Q001: there is no reading takr for a short form",
         "did you mean taker?"),
        (TAKER, f"{TAKER}    sheriff: me\n", "sheriff: me", "Q001: there is no reading sheriff for a short form",
         "take it away"),
        (TAKER, f"    taker: {LONG}\n", "taker: whoever", "Q001: the short form of taker has 34 letters",
         "say it in 32 at most; the gloss has room for more"),
        (TAKER, "    taker: Whoever led\n", "taker: Whoever", "Q001: the short form of taker is that of leader",
         "say how the two differ"),
        (TAKER, "    taker: the taker.\n", "taker: the taker", "Q001: the short form of taker ends in a full stop",
         "leave it out"),
        (TAKER, '    taker: " "\n', 'taker: " "', "Q001: the short form of taker is empty",
         "write it, such as: whoever takes the trick"),
        (MEASURE, LISTED.replace(", last: two", ""), "last: The last", "Q003: last has no short form",
         "write it under `short`, such as: whoever takes the trick"),
        (MEASURE, LISTED.replace("last: two", "last: two, lest: three"), "lest: three",
         "Q003: there is no reading lest for a short form", "did you mean last?"),
        (MEASURE, LISTED.replace("two", "one"), "last: one", "Q003: the short form of last is that of first",
         "say how the two differ"),
        (MEASURE, f"{MEASURE}  short: {{first: one}}\n", "short: {first", "Q003 has short forms beside its measure",
         "write them below `measure`, after `of`"),
    ],
)  # fmt: skip
def test_what_is_amiss_with_a_short_form_is_told(
    root: Path, old: str, new: str, needle: str, what: str, way_out: str
) -> None:
    changed(root, QUESTIONS, old, new)
    library, problems = load_library(root)
    assert Problem(*place(root, QUESTIONS, needle), what, way_out) in problems
    if old == TAKER:
        assert library is not None and len(problems) == 1, "nothing is missing from the library but a few words"


def test_a_short_form_that_is_missing_is_cut_from_the_gloss(root: Path) -> None:
    changed(root, QUESTIONS, TAKER, "")
    library, _ = load_library(root)
    assert library is not None and library.question("Q001").short["taker"] == "he who takes the trick"


def test_a_measure_keeps_its_short_forms_apart_from_its_bounds(root: Path) -> None:
    changed(root, QUESTIONS, MEASURE, LISTED)
    changed(root, "AAA/clauses.yaml", "toll.tricks: [1, -1]", "toll.tricks: [first]")
    changed(root, "AAA/clauses.yaml", "{Q003: [1]}", "{Q003: [last]}")
    question = opened(root).question("Q003")
    assert question.short == {"first": "one", "last": "two"} and "short" not in question.measure


@pytest.mark.parametrize(
    ("gloss", "form"),
    [
        ("Nobody.", "nobody"),
        ("He who takes the trick,\n  or leads.", "he who takes the trick, or leads"),
        ("He who led and he who takes the trick, half each.", "he who led and he who takes the…"),
        ("To every other player, in play, there is.", "to every other player, in play…"),
        ("x" * 40, "x" * 31 + "…"),
    ],
)
def test_a_gloss_is_cut_at_a_word(gloss: str, form: str) -> None:
    assert cut_to_short_form(gloss) == form and len(form) <= MAX_SHORT_FORM


PROPOSED = "readings:\n  Q001:\n    both:\n      says: He who leads and he who takes.\n      short: {short}\n"


@pytest.mark.parametrize(
    ("short", "told"),
    [
        (LONG, "Q001: the short form of both has 34 letters"),
        ("nobody", "Q001: the short form of both is that of nobody"),
        ("both.", "Q001: the short form of both ends in a full stop"),
    ],
)
def test_the_short_form_of_a_proposed_reading_is_held_to_the_same(root: Path, short: str, told: str) -> None:
    (root / "AAA" / "proposed.yaml").write_text(PROPOSED.format(short=short), "utf-8", newline="\n")
    at = place(root, "AAA/proposed.yaml", "short:")
    found = [one for one in load_library(root)[1] if one.what == told]
    assert [(one.file, one.line, one.column) for one in found] == [at]


@pytest.mark.parametrize(("short", "form"), [("both", "both"), ('""', "he who leads and he who takes")])
def test_a_proposed_reading_has_its_own_short_form_or_the_beginning_of_what_it_says(
    root: Path, short: str, form: str
) -> None:
    (root / "AAA" / "proposed.yaml").write_text(PROPOSED.format(short=short), "utf-8", newline="\n")
    question = opened(root).question("Q001")
    assert question.short["both"] == form and question.readings["both"] == "He who leads and he who takes."


def test_a_proposed_question_may_leave_short_forms_out(root: Path) -> None:
    page = """\
questions:
  Q004:
    slug: toll.drink
    asks: Does the toll buy a drink?
    group: The toll
    affects: payment
    readings: {"no": It does not., "yes": It does.}
    coding: Code what is drunk.
    not_played: The engine does not drink.
    played_as: "no"
"""
    (root / "AAA" / "proposed.yaml").write_text(page, "utf-8", newline="\n")

    def short_forms() -> object:
        library, problems = load_library(root)
        assert library is not None and not any("short" in problem.what for problem in problems)
        return library.question("Q004").short

    assert short_forms() == {"no": "it does not", "yes": "it does"}
    changed(root, "AAA/proposed.yaml", "    coding", '    short: {"yes": a drink}\n    coding')
    assert short_forms() == {"no": "it does not", "yes": "a drink"}
