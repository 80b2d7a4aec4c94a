"""Readings that are understood by their form: numbers, ranks, suits; and factors trick by trick."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engine.answers import GAME_KINDS
from engine.cards import make_card_mask, parse_card_name
from engine.readings.meanings.criteria import CRITERIA
from engine.readings.meanings.deal import HEART_EXCEPTION, PACK_SIZES_BY_READING, PLAYER_COUNTS
from engine.readings.meanings.play import FIRST_LEAD, QUINOLA_FREE
from engine.readings.patterns import parse_card_words, parse_number_word, parse_rank_words
from rulebook.answers.typed import parse_text
from rulebook.answers.values import format_canonical
from rulebook.model import FrozenMap, Question

MEASURE = FrozenMap({"type": "tricks"})
TRICKS = Question(
    "Q047", "payments.doubled-tricks", "Which?", "g", "payment", "c", measure=MEASURE, kind=GAME_KINDS["tricks"]
)


def of(*names: str) -> int:
    return make_card_mask(parse_card_name(one) for one in names)


def test_numbers_ranks_and_cards_in_words() -> None:
    assert (parse_number_word("nought"), parse_number_word("twelve"), parse_number_word("many")) == (0, 12, None)
    assert [parse_rank_words(words) for words in ("king-or-two", "king-or-duke", "")] == [(11, 0), (), ()]
    assert parse_card_words("queens") == of("QS", "QH", "QD", "QC")
    assert parse_card_words("sixes") == of("6S", "6H", "6D", "6C")
    assert parse_card_words("hearts").bit_count() == 13 and parse_card_words("hearts-and-aces").bit_count() == 16
    assert parse_card_words("hearts") & of("AH", "2H") == of("AH", "2H") and not parse_card_words("hearts") & of("AS")
    assert [parse_card_words(word) for word in ("dukes", "queens-and-dukes", "queen", "points", "tricks")] == [0] * 5


def test_what_numbers_and_suits_mean_by_their_form() -> None:
    assert (PLAYER_COUNTS["five"], PACK_SIZES_BY_READING["with-tens"]) == ((5,), (52,))
    assert [FIRST_LEAD[suit] for suit in ("spade", "heart", "diamond", "club", "any")] == [0, 1, 2, 3, -1]
    after_three, after_one = QUINOLA_FREE["free-after-three-tricks"], QUINOLA_FREE["free-after-one-heart-lead"]
    assert [after_three(tricks, 0) for tricks in (0, 2, 3, 4)] == [False, False, True, True]
    assert [after_one(9, leads) for leads in (0, 1, 2)] == [False, True, True]


@pytest.mark.parametrize(
    ("reading", "out", "hearts", "may"),
    [
        ("lone-ace", "AH", ("AH",), True),
        ("lone-ace", "AH", ("AH", "2H"), False),
        ("lone-ace", "KH", ("KH",), False),
        ("lone-ace-or-king", "KH", ("KH",), True),
        ("queen-without-lower", "QH", ("QH", "AH"), True),
        ("queen-without-lower", "QH", ("QH", "2H"), False),
        ("queen-without-lower", "KH", ("KH",), False),
        ("king-without-lower", "KH", ("KH", "QH"), False),
    ],
)
def test_which_heart_may_be_laid_away_after_all(reading: str, out: str, hearts: tuple[str, ...], may: bool) -> None:
    assert (
        HEART_EXCEPTION[reading](
            parse_card_name(out), parse_card_name("JD"), [parse_card_name(one) & 15 for one in hearts]
        )
        is may
    )


TAKEN = SimpleNamespace(taken=(of("QS", "QH"), of("2H", "3H", "4H"), of("QD", "AH"), of("5C")))


@pytest.mark.parametrize(
    ("reading", "left"),
    [
        ("fewest-hearts", [3]),
        ("most-hearts", [1]),
        ("fewest-queens", [1, 3]),
        ("most-queens", [0]),
        ("most-queens-and-aces", [0, 2]),
        ("only-without-queens", [1, 3]),
        ("rather-without-hearts", [3]),
        ("rather-without-clubs", [0, 1, 2]),
    ],
)
def test_a_criterion_counts_the_cards_that_it_names(reading: str, left: list[int]) -> None:
    measures: Any = TAKEN
    assert list(CRITERIA[reading](measures, range(4), lambda seat: 0)) == left


# ---- factors, trick by trick
@pytest.mark.parametrize("typed", ["{1: 2, -1: 5}", "{-1: 5, 1: 2}", "{ '1': 2, -1: 5 }"])
def test_tricks_with_factors_can_be_typed(typed: str) -> None:
    value, wrong = parse_text(TRICKS, typed)
    assert (value, wrong) == (FrozenMap({1: 2, -1: 5}), "") and format_canonical(value) == "{1: 2, -1: 5}"


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        ("{0: 2}", "there is no trick 0"),
        ("{1: 0}", "0 is too little"),
        ("{first: 2}", "first is no whole number"),
        ("{14: 2}", "14 is too much"),
        ("[0]", "there is no trick 0"),
        ("{1: twice}", "twice is no whole number"),
    ],
)
def test_a_trick_or_factor_that_cannot_be_is_told(typed: str, wrong: str) -> None:
    assert wrong in parse_text(TRICKS, typed)[1]
