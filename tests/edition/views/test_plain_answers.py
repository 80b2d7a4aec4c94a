"""Plain answers: every cell in a few words, never the name of a reading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from edition.corpus.corpus import Corpus
from edition.text.answers import spell_out_sources
from rulebook.answers.values import build_slug_lookup
from rulebook.answers.wording import format_plain_answer
from rulebook.model import FrozenMap, Library, Like, Question, Source, Value
from rulebook.phrases import PLAIN_LENGTH
from rulebook.sources.short_forms import MAX_SHORT_FORM
from tests.support.fifth_source import SIGLUM, small
from tests.support.in_one_test import in_one_test
from tests.support.kinds import ALL_KINDS, parse_value
from tests.support.library import opened

SOURCE = Source("AAA", {"units": {"smallest": "fiche", "multiples": {}}})


def given_answers(library: Library) -> Iterator[tuple[Question, Value, Source]]:
    """Every answer of every source, preferred or not."""
    for clause in library.clauses():
        for answers in (clause.answers, *(alternative.answers for alternative in clause.alternatives)):
            for slug, value in answers.items():
                yield library.question(slug), value, library.sources[clause.source]


def measured(kind: str, *words: str, **more: Any) -> Question:
    """A question with a measure, whose words are their own short forms, in capitals."""
    measure = FrozenMap({"type": kind, "of": FrozenMap({word: word for word in words}), **more})
    short = FrozenMap({word: word.upper() for word in words})
    return Question("Q001", "a.b", "How much?", "g", "payment", "c", measure=measure, short=short, kind=ALL_KINDS[kind])


def plain(question: Question, raw: object, *others: Question, source: Source = SOURCE) -> str:
    """A value as it would be written in a clause, in plain words."""
    questions = {one.slug: one for one in (question, *others)}
    value, wrong = parse_value(question, raw, build_slug_lookup(questions.values()))
    assert value is not None, wrong
    return format_plain_answer(question, value, source, Library(questions, {"AAA": source}))


# ---- the edition
def test_every_answer_of_every_source_has_plain_words(library: Library) -> None:
    slugs = {one for question in library.questions.values() for one in (*question.short, question.slug) if "-" in one}
    formatted = 0
    for question, value, source in given_answers(library):
        said = format_plain_answer(question, value, source, library)
        where = f"{source.siglum} {question.id}: {said!r}"
        assert 0 < len(said) <= PLAIN_LENGTH and said == said.strip(), where
        assert not re.search(r"[a-z]-[a-z]|[a-z]\.[a-z]|[][{}]", said) and not any(one in said for one in slugs), where
        assert "as under" not in said and not said.endswith("…"), where
        formatted += 1
    assert formatted > 700


def test_answers_that_differ_differ_in_plain_words_too(library: Library) -> None:
    found: dict[tuple[str, str, str], set[Value]] = {}
    for question, value, source in given_answers(library):
        said = format_plain_answer(question, value, source, library)
        found.setdefault((question.id, source.siglum, said), set()).add(value)
    assert [key for key, values in found.items() if len(values) > 1] == []


def test_every_reading_has_a_short_form_of_its_own(library: Library) -> None:
    for question in library.questions.values():
        listed = question.readings or question.measure.get("of") or {}
        assert list(question.short) == list(listed), question.id  # type: ignore[arg-type]
        assert len({*question.short.values()}) == len(question.short), question.id
        for form in question.short.values():
            assert len(form) <= MAX_SHORT_FORM and not form.endswith("."), (question.id, form)
            assert form[0].islower() or form[0].isdigit(), (question.id, form)
            assert not re.search(r"[a-z]-[a-z]|\b[Hh]e\b|\b[Hh]im\b|\b[Hh]is\b", form), (question.id, form)


def test_what_a_source_proposes_is_said_by_its_short_form_or_its_beginning(tmp_path_factory: Any) -> None:
    five = opened(small(tmp_path_factory.mktemp("fifth")))
    fif = five.sources[SIGLUM]

    def said(id: str, value: Value) -> str:
        return format_plain_answer(five.question(id), value, fif, five)

    assert said("Q022", "leader-and-taker") == "leader and taker, half each"
    assert said("Q012", "diamond") == "a diamond, if he has one"
    assert said("Q057", ("fewest-hearts",)) == "those with the fewest hearts in…"
    assert said("Q902", "queen-of-spades") == "the queen of spades"


# ---- kinds of measures
SUM, TIMES, TRICKS = (
    measured("integer", unit="smallest"),
    measured("integer", unit="times"),
    measured("integer", unit="tricks"),
)
FOUR, FIVE = {"players": 4, "pack": 48, "hand": 11, "talon": 4}, {"players": 5, "pack": 48, "hand": 9, "talon": 3}
MORE = {"players": 4, "pack": 52, "hand": 12, "talon": 4}


@in_one_test(
    "question, raw, said",
    [
        (SUM, 0, "nothing"),
        (SUM, 1, "1 fiche"),
        (SUM, 5, "5 fiches"),
        (TIMES, 0, "not at all"),
        (TIMES, 1, "once"),
        (TIMES, 2, "twice"),
        (TIMES, 3, "3 times"),
        (TRICKS, 0, "none"),
        (TRICKS, 1, "1 trick"),
        (TRICKS, 3, "3 tricks"),
        (measured("integer"), 0, "none"),
        (measured("integer"), 40, "40"),
        (measured("order", "aces", "tricks"), ["aces", "tricks"], "ACES, then TRICKS"),
        (measured("order", "aces"), [], "nobody"),
        (measured("set", "aces", "tricks"), ["tricks", "aces"], "ACES, TRICKS"),
        (measured("set", "aces"), [], "none"),
        (measured("tricks"), [], "none"),
        (measured("tricks"), [1, -1], "the first and the last"),
        (measured("tricks"), [-1, -2], "the last two"),
        (measured("tricks"), [1, 2, 3, -1], "the first three and the last"),
        (measured("tricks"), [1, -2], "the first and the last but one"),
        (measured("tricks"), {1: 2, -1: 5}, "the first twice, the last 5 times"),
        (measured("points"), {"A": 5, "K": 4, "T": 1}, "ace 5, king 4, ten 1"),
        (measured("points"), {}, "none"),
        (measured("card-values"), {"JH": 4, "AD": 5, "TS": 1}, "A♦ 5, J♥ 4, 10♠ 1"),
        (measured("card-values"), {}, "none"),
        (measured("times-or-sum"), {"times": 2}, "twice as much"),
        (measured("times-or-sum"), {"times": 1}, "no more than the others"),
        (measured("times-or-sum"), {"times": 3}, "3 times as much"),
        (measured("times-or-sum"), {"sum": 1}, "1 fiche"),
        (measured("suit"), "D", "diamonds"),
        (measured("suit"), "none", "none"),
        (measured("card"), "JH", "J♥"),
        (measured("card"), "TS", "10♠"),
        (measured("ranks"), "AKQJT98765432", "A K Q J … 2".replace(" ", "\N{NO-BREAK SPACE}")),
        (measured("ranks"), "98765432TJQKA", "9 8 7 6 5 4 3 2 10 J Q K A".replace(" ", "\N{NO-BREAK SPACE}")),
        (measured("fine"), 0, "nothing"),
        (measured("fine"), 1, "1 fiche"),
        (measured("fine"), {"stakes": 1}, "as much as the stake"),
        (measured("fine"), {"stakes": 2}, "twice the stake"),
        (measured("fine"), {"stakes": 3}, "3 times the stake"),
        (measured("hands"), [], "none"),
        (
            measured("hands"),
            [{"aces": 4, "quinola": False}, {"aces": 3, "quinola": True}],
            "3 aces and the quinola, or 4 aces",
        ),
        (
            measured("hands"),
            [{"aces": 0, "quinola": False}, {"aces": 0, "quinola": True}, {"aces": 1, "quinola": False}],
            "any hand, or the quinola, or 1 ace",
        ),
        (measured("shapes"), [], "none"),
        (measured("shapes"), [FOUR], "4 players, 11 cards each, 4 in the talon"),
        (measured("shapes"), [FIVE, MORE, FOUR], "11 or 12 cards for 4 players, 9 for 5, rest in the talon"),
    ],
)
def test_a_measure_is_said_in_plain_words(question: Question, raw: object, said: str) -> None:
    assert plain(question, raw) == said


@pytest.mark.parametrize(("unit", "one", "five"), [("fish", "1 fish", "5 fish"), ("Marque", "1 Marque", "5 Marquen")])
def test_a_sum_is_counted_in_the_smallest_counter_of_its_source(unit: str, one: str, five: str) -> None:
    source = replace(SOURCE, record={"units": {"smallest": unit, "multiples": {"great": 6}}})
    assert [plain(SUM, 1, source=source), plain(SUM, 5, source=source)] == [one, five]


@pytest.mark.parametrize(
    ("asks", "times", "said"),
    [
        ("How much is paid for an ace thrown off on another suit?", 1, "as for an ace thrown off on another suit"),
        ("How much does each other player pay when an ace is led?", 1, "as each other player pays when an ace is led"),
        (
            "How much does each player put in before the first deal?",
            2,
            "twice as each player puts in before the first deal",
        ),
        ("How much does a player pay for leading an ace?", 3, "3 times as a player pays for leading an ace"),
        ("In which tricks is it paid when an ace is led?", 1, "as when an ace is led"),
        ("Which sum?", 2, "twice as under “Which sum”"),
    ],
)
def test_a_reference_is_said_by_the_words_of_its_question(asks: str, times: int, said: str) -> None:
    other = replace(SUM, id="Q002", slug="c.d", asks=asks)
    assert plain(SUM, {"as": "Q002", "times": times}, other) == said


def test_a_reference_to_a_long_question_is_cut_at_a_word() -> None:
    other = replace(SUM, id="Q002", slug="c.d", asks=f"Which {'long ' * 20}sum?")
    said = plain(SUM, {"as": "Q002"}, other)
    assert said.endswith(" long…") and len(said) <= PLAIN_LENGTH


@pytest.mark.parametrize(("kind", "between"), [("set", ", "), ("order", ", then ")])
def test_what_there_is_no_room_for_is_counted(kind: str, between: str) -> None:
    words = ["a" * 20, "b" * 20, "c" * 10, "d" * 10]
    said = plain(measured(kind, *words), words)
    assert said == f"{'A' * 20}{between}{'B' * 20} and 2 more" and len(said) <= PLAIN_LENGTH


def test_a_reading_is_said_by_its_short_form() -> None:
    question = Question(
        "Q001", "a.b", "Who?", "g", "payment", "c", FrozenMap({"a-b": "A."}), short=FrozenMap({"a-b": "a"})
    )
    assert plain(question, "a-b") == "a"
    assert format_plain_answer(SUM, Like("a.b"), SOURCE, Library({"a.b": question}, {})) == "as under “Who”"


def test_sigla_that_stand_alone_become_names_and_ids_stay(corpus: Corpus) -> None:
    said = spell_out_sources("GER has it; so in GER and PAR. PAM (PAM.s0003, Q031@GER) has not.", corpus.library)
    assert said == (
        "The German treatise has it; so in the German treatise and Parlett. The Pamphlet (PAM.s0003, Q031@GER) has not."
    )
