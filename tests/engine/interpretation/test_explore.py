"""Trying the ways to take the rules: what is noted, what is told, and in which order."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engine.interpretation import explore
from engine.interpretation.explore import (
    Case,
    Explorer,
    RuleSilence,
    Undecided,
    answers_otherwise,
    cases_of,
    check_play_is_allowed,
    find_allowed_ways,
    find_smallest_decision_sets,
    make_source_explorer,
    name_allowed_readings,
    rank_case_in_ledger,
    spell_out_ways,
)
from engine.readings.meanings.criteria import _least
from engine.settlement.settle import CLOSING
from rulebook.model import Library, Silent
from tests.support.deals import lay_deal
from tests.support.settling import Rules

Patch = pytest.MonkeyPatch


def decision(clause: str, *readings: str) -> Any:
    return SimpleNamespace(clause=clause, readings=readings, questions=(), answers=())


def knot(ways: list[tuple[int, ...]], *decisions: Any) -> Any:
    def apart(one: int, other: int) -> frozenset[int]:
        return frozenset(at for at, (a, b) in enumerate(zip(ways[one], ways[other], strict=True)) if a != b)

    return SimpleNamespace(ways=ways, decisions=decisions, apart=apart)


AB = [decision("a", "a0", "a1"), decision("b", "b0", "b1")]
FOUR = [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_two_undecided_things_are_the_same_and_a_silence_is_its_question() -> None:
    assert Undecided() == Undecided() and hash(Undecided()) == hash(Undecided())
    assert RuleSilence("a") == RuleSilence("a") != RuleSilence("b")


def test_a_question_on_which_the_rules_are_silent_counts_as_asked_with_all_before(rules: Rules) -> None:
    explorer = Explorer(lay_deal(heart_first=True, seed=3), rules("PAM"), ())

    def reckon(ask: Any) -> None:
        ask("cards.order")
        raise Silent("nobody.answers", "PAM", "why")

    value, asked = explorer.tried(reckon, rules("PAM"))
    assert value == RuleSilence("nobody.answers")
    assert asked == {"cards.order", "nobody.answers"}


def test_options_are_explored_only_where_they_are_asked_for(library: Library) -> None:
    deal = lay_deal(heart_first=True, seed=3)

    def clauses(*how: bool) -> set[str]:
        return {one.clause for knot in make_source_explorer(library, "GER", deal, *how).knots for one in knot.decisions}

    assert clauses() == clauses(False) < clauses(True)


def test_a_decision_matters_only_if_it_answers_otherwise_what_was_asked() -> None:
    def says(**values: int) -> Any:
        return SimpleNamespace(answers=[{q: SimpleNamespace(value=v) for q, v in values.items()}])

    rulings: Any = {"a": SimpleNamespace(value=1), "b": SimpleNamespace(value=1)}
    asked = frozenset({"a", "c"})
    assert not answers_otherwise(says(a=1), asked, rulings)
    assert answers_otherwise(says(a=2), asked, rulings)
    assert not answers_otherwise(says(b=2), asked, rulings)  # nobody asked
    assert answers_otherwise(says(c=1), asked, rulings)  # there was no answer
    assert not answers_otherwise(says(d=1), asked, rulings)


def test_the_smallest_sets_are_those_that_no_smaller_one_is_part_of() -> None:
    three = [decision(name, "0", "1") for name in "abc"]
    ways = [(0, 0, 0), (1, 1, 0), (0, 1, 1)]
    assert find_smallest_decision_sets(knot(ways, *three), [(0, 1)]) == [("a",), ("b",)]
    assert find_smallest_decision_sets(knot(ways, *three), [(0, 1), (0, 2)]) == [("a", "c"), ("b",)]
    assert find_smallest_decision_sets(knot(ways, *three), [(0, 1), (0, 1)]) == [("a",), ("b",)]


def test_a_decision_that_may_be_taken_anyhow_is_not_named() -> None:
    whole = knot(FOUR, *AB)
    assert spell_out_ways(whole, (0, 1)) == [(("a", ("a0",)),)]
    assert spell_out_ways(whole, (1, 3)) == [(("b", ("b1",)),)]
    assert spell_out_ways(whole, (0, 1, 2, 3)) == [()]
    assert spell_out_ways(whole, (0, 3)) == [(("a", ("a0",)), ("b", ("b0",))), (("a", ("a1",)), ("b", ("b1",)))]


def test_a_reading_that_no_way_takes_may_be_allowed_too() -> None:
    """b0 and b1 go with a0 only; so whoever takes b2 may be thought to take a anyhow."""
    limited = knot([(0, 0), (0, 1), (1, 2)], decision("a", "a0", "a1"), decision("b", "b0", "b1", "b2"))
    assert spell_out_ways(limited, (2,)) == [(("b", ("b2",)),)]
    assert spell_out_ways(limited, (0, 1)) == [(("b", ("b0", "b1")),)]


def test_ways_and_readings_are_as_many() -> None:
    whole = knot(FOUR, *AB)
    assert find_allowed_ways(whole, [{0}, {0, 1}]) == {(0, 0), (0, 1)}
    with pytest.raises(ValueError, match="zip"):
        find_allowed_ways(whole, [{0}])
    with pytest.raises(ValueError, match="zip"):
        name_allowed_readings(whole, [{0}])
    assert name_allowed_readings(whole, [{0, 1}, {0, 1}]) == () and name_allowed_readings(whole, [{1}, {0, 1}]) == (
        ("a", ("a1",)),
    )


def test_a_refusal_is_known_by_its_card_and_one_without_a_card_by_its_words() -> None:
    def refused(card: int | None, message: str) -> Any:
        return SimpleNamespace(trick=1, seat=2, card=card, message=message)

    def forbidden(*refusals: Any) -> Any:
        played: Any = SimpleNamespace(refusals=refusals)
        return check_play_is_allowed(played)

    assert forbidden(refused(7, "so")) == forbidden(refused(7, "otherwise"))
    assert forbidden(refused(None, "so")) != forbidden(refused(None, "otherwise"))
    assert forbidden(refused(7, "so")) != forbidden(refused(8, "so"))


def test_the_same_case_for_the_second_and_the_third_time_has_a_number(monkeypatch: Patch) -> None:
    rule: Any = SimpleNamespace(name="fine")
    monkeypatch.setattr(explore, "pair_rules_with_facts", lambda played: [(rule, fact) for fact in played.facts])
    fact = SimpleNamespace(kind="fault", manner="", trick=None, card=None, player=1, called="")
    played: Any = SimpleNamespace(facts=[fact, fact, fact])
    assert [case.nth for case in cases_of(played)] == [0, 1, 2]


def test_a_ledger_goes_by_tricks_and_what_is_settled_at_the_end_comes_last() -> None:
    closing = sorted(CLOSING)[0]
    late, early = Case("led", "ace", "led", 4, 12, 0), Case("led", "ace", "led", 1, 12, 0)
    end, trick = Case(closing, "seat", "", None, None, 0), Case(closing, "quinola", "led", 7, 12, 0)
    other = Case("led", "seat", "", None, None, 0)
    assert sorted([end, trick, late, early, other], key=rank_case_in_ledger) == [early, late, other, trick, end]
    assert rank_case_in_ledger(other)[:3] == (True, False, 0) and rank_case_in_ledger(trick)[:3] == (True, False, 7)
    assert rank_case_in_ledger(end)[:3] == (True, True, 0) and rank_case_in_ledger(early)[:3] == (False, False, 1)


# ---- meanings


def test_of_nobody_nobody_is_least() -> None:
    assert _least((), lambda seat: seat) == []
    assert _least((2, 0, 1), lambda seat: seat % 2) == [2, 0]
    assert _least((1, 3), lambda seat: seat % 2) == [1, 3]
