"""The edges of the figures: one deal and two, touching intervals, nought and all; and small made-up sources weighed.

The figures are worked out by hand, and the sources have a handful of questions, so that every test takes next to no
time.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from lab.survey import exact_probabilities as exact
from lab.survey import statistics as figures
from lab.survey import variants as disagreements
from lab.survey.request import Rules, SurveyTable
from lab.survey.statistics import Weight
from lab.survey.tally import MOVED_STEPS, Versus
from lab.survey.variants import (
    VARIANT_INTERPRETATION,
    VARIANT_ITSELF,
    VARIANT_QUESTION,
    VARIANT_SOURCE,
    Disagreement,
    LeftOut,
    SourceVariants,
    SurveyVariant,
)
from rulebook import distances as distances
from rulebook.model import Library, Question, Ruleset, Ruling
from rulebook.resolve import BadChoice


# ---- intervals
def counted(settled: int, changed: int = 0, moved: int = 0, squares: int = 0, forbidden: int = 0) -> Versus:
    return Versus(settled, forbidden, 0, changed, moved, squares, moved, -1, (0,) * len(MOVED_STEPS))


def weighing(settled: int, changed: int = 0, moved: int = 0, squares: int = 0, pool: int = 50) -> Weight:
    return figures.estimate_weight(counted(settled, changed, moved, squares), pool)


def test_counters_moved_when_a_deal_is_changed_are_shared_among_the_changed_deals_alone() -> None:
    assert weighing(10, 2, 9, 41).when == 4.5 and weighing(10).when == 0.0


def test_the_dearest_is_chosen_by_its_share_of_the_pool_and_then_by_how_often_it_changes_a_deal() -> None:
    found = weighing(10, 2, 10, 52, pool=4)
    assert found.of_pool.value == 0.25 and found.heft == (0.25, 0.2)
    assert found.at_most == pytest.approx(0.3)


# ---- sources of a handful of questions
class World:
    """Some questions, and what each of some sources answers; a wish takes one answer over from another source."""

    def __init__(self, answers: Mapping[str, Mapping[str, int]], depends: Mapping[str, str] | None = None) -> None:
        self.answers, depends = answers, depends or {}
        slugs = dict.fromkeys((*depends, *(slug for each in answers.values() for slug in each)))
        self.rivals: dict[str, Mapping[str, int]] = {}  #: id of an interpretation -> what it answers otherwise
        self.library = Library(
            {slug: question(slug, depends.get(slug, "")) for slug in sorted(slugs)},
            {siglum: self.source(siglum) for siglum in answers},
        )

    def source(self, siglum: str) -> Any:
        ids = (f"{siglum}.i01", f"{siglum}.i02")
        rivals = tuple(SimpleNamespace(id=one, kind=VARIANT_INTERPRETATION) for one in ids)
        return SimpleNamespace(clauses=(SimpleNamespace(alternatives=rivals),) if siglum == "RIV" else ())

    def rules(self, library: Library, siglum: str, *wishes: str) -> Ruleset:
        assert len({*wishes}) == len(wishes), "nothing is wished for twice"
        found = dict(self.answers[siglum])
        for wish in wishes:
            slug, _, other = wish.removeprefix("Q-").partition("@")
            found |= {slug: self.answers[other][slug]} if other else self.rivals[wish]
        return ruled(siglum, found)


def question(slug: str, depends: str = "", not_played: str = "") -> Question:
    return Question(f"Q-{slug}", slug, f"{slug}?", "play", "play", "", depends=depends, not_played=not_played)


def ruled(siglum: str, answers: Mapping[str, int]) -> Ruleset:
    return Ruleset(
        siglum, siglum, {slug: Ruling(slug, f"Q-{slug}", value, (), siglum) for slug, value in answers.items()}
    )


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A world by its answers and conditions, whose rules are asked for in place of the real ones."""

    def world(answers: Mapping[str, Mapping[str, int]], depends: Mapping[str, str] | None = None) -> World:
        found = World(answers, depends)
        monkeypatch.setattr(disagreements, "rules", found.rules)
        return found

    return world


def weighed(world: World) -> SourceVariants:
    return disagreements.plan_source_variants(world.library, next(iter(world.answers)), {})


def exchange(slug: str, other: str = "BBB") -> SurveyVariant:
    return SurveyVariant(VARIANT_QUESTION, (slug,), other)


def test_another_source_that_is_the_same_game_is_priced_together_with_the_table_itself(made: Any) -> None:
    """They differ in who sits where, which no single deal shows."""
    found = weighed(made({"AAA": {"a": 1, "table.x": 1}, "BBB": {"a": 1, "table.x": 2}}))
    assert found.others == (
        Disagreement(Rules("AAA"), (SurveyVariant(VARIANT_ITSELF), SurveyVariant(VARIANT_SOURCE, source="BBB"))),
    )
    assert found.left_out == (LeftOut(exchange("table.x"), "table"),)


def test_another_answer_that_no_deal_comes_to_ask_is_left_out_as_the_same_game(made: Any) -> None:
    found = weighed(made({"AAA": {"a": 1, "b": 1}, "BBB": {"a": 1, "b": 2}}, {"b": "a == 3"}))
    assert found.left_out == (LeftOut(exchange("b"), "same-game"),)


def test_another_answer_that_changes_the_game_is_priced_and_the_table_is_ordered_with_it(made: Any) -> None:
    found = weighed(made({"AAA": {"a": 1, "b": 1}, "BBB": {"a": 2, "b": 1}}))
    assert [one.stands for one in found.others] == [
        (SurveyVariant(VARIANT_ITSELF),),
        (SurveyVariant(VARIANT_SOURCE, source="BBB"), exchange("a")),
    ]
    assert found.table == SurveyTable(Rules("AAA"), (Rules("AAA"), Rules("BBB"))) and not found.left_out


def test_an_answer_that_leaves_a_question_which_nobody_answers_makes_no_game(made: Any) -> None:
    found = weighed(made({"AAA": {"a": 1}, "BBB": {"a": 2}}, {"c": "a == 2"}))
    assert found.left_out == (LeftOut(exchange("a"), "no-game"),)
    assert found.others[1:] == (Disagreement(Rules("BBB"), (SurveyVariant(VARIANT_SOURCE, source="BBB"),)),)


def test_an_answer_that_is_needed_besides_is_wished_for_once_and_what_is_wished_for_already_not_again(
    made: Any,
) -> None:
    """Only with the first answer exchanged and not the second a question makes sense, which nobody answers."""
    world = made({"AAA": {"a": 1, "b": 1}, "BBB": {"a": 2, "b": 2}}, {"c": "a == 2 and b == 1"})
    own = ruled("AAA", world.answers["AAA"])
    assert disagreements.find_variant_wishes(world.library, own, exchange("a"), {}) == ("Q-a@BBB", "Q-b@BBB")
    assert disagreements.find_variant_wishes(world.library, own, exchange("b"), {}) == ("Q-b@BBB",)


def test_an_answer_that_fills_the_gap_itself_is_brought_along(made: Any) -> None:
    world = made({"AAA": {"a": 1}, "BBB": {"a": 2, "c": 5}}, {"c": "a == 2"})
    found = disagreements.find_variant_wishes(world.library, ruled("AAA", {"a": 1}), exchange("a"), {})
    assert found == ("Q-a@BBB", "Q-c@BBB")


def test_a_wish_that_cannot_be_granted_makes_no_game(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    world = made({"AAA": {"a": 1}, "BBB": {"a": 2}})

    def refused(library: Library, siglum: str, *wishes: str) -> Ruleset:
        if wishes:
            raise BadChoice("not together")
        return ruled(siglum, world.answers[siglum])

    monkeypatch.setattr(disagreements, "rules", refused)
    assert disagreements.find_variant_wishes(world.library, ruled("AAA", {"a": 1}), exchange("a"), {}) == ()


def test_a_gap_is_a_question_that_makes_sense_only_now_and_has_no_answer(made: Any) -> None:
    depends = {"b": "a == 2", "c": "a == 2", "d": "a != 3", "e": "a == 1", "session.f": "a == 2"}
    world = made({"AAA": {"a": 1}, "BBB": {"a": 2, "b": 1}}, depends)
    answer_gaps = disagreements.find_answer_gaps(world.library, ruled("AAA", {"a": 1}), ruled("AAA", {"a": 2, "b": 1}))
    assert [gap.slug for gap in answer_gaps] == ["c"]


def test_only_a_rule_that_asks_both_what_is_exchanged_and_what_is_missing_is_tried(
    made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = made({"AAA": {"a": 1}, "BBB": {"a": 2, "b": 1, "c": 1}})
    tried: list[str] = []

    def in_vain(place: str, _: Ruleset) -> set[str]:
        tried.append(place)
        return {"b", "x"}

    monkeypatch.setattr(disagreements, "collect_vain_questions", in_vain)
    asked: Any = {"one": {"a"}, "other": {"b"}, "neither": {"x"}, "both": {"a", "b"}}
    mixed, theirs = ruled("AAA", {"a": 2}), ruled("BBB", world.answers["BBB"])
    found = disagreements.find_unanswered_asks(world.library, mixed, theirs, exchange("a"), asked)
    assert [one.slug for one in found] == ["b"] and tried == ["both"]


def test_every_rival_interpretation_stands_with_what_it_answers_otherwise(made: Any) -> None:
    world = made({"RIV": {"a": 1, "b": 1, "c": 1}})
    world.rivals |= {"RIV.i01": {"c": 2, "a": 2}, "RIV.i02": {"b": 3}}
    found = disagreements.generate_rival_readings(world.library, ruled("RIV", world.answers["RIV"]))
    assert [*found] == [
        SurveyVariant(VARIANT_INTERPRETATION, ("a", "c"), alternative="RIV.i01"),
        SurveyVariant(VARIANT_INTERPRETATION, ("b",), alternative="RIV.i02"),
    ]


@pytest.mark.parametrize(
    ("questions", "because"),
    [
        ((), "same-game"),
        (("a",), ""),
        (("table.x", "session.y"), "table"),
        (("session.y", "table.x"), "session"),
        (("a", "session.y"), ""),
        (("session.y", "a"), ""),
    ],
)
def test_a_thing_cannot_be_shown_by_the_reason_of_its_first_question_if_none_of_them_can_be(
    made: Any, questions: tuple[str, ...], because: str
) -> None:
    world = made({"AAA": {"a": 1, "table.x": 1, "session.y": 1}})
    assert (
        disagreements.explain_unsurveyed_variant(world.library, SurveyVariant(VARIANT_QUESTION, questions, "BBB"))
        == because
    )


def test_a_game_is_known_by_the_answers_that_a_single_deal_can_ask_for(made: Any) -> None:
    """Asked without a condition, or with one that holds; not what makes no sense, nor what has no answer."""
    depends = {"b": "a == 1", "c": "a == 2", "silent": "", "table.x": ""}
    world = made({"AAA": {"a": 1, "b": 5, "c": 6, "table.x": 7}}, depends)
    game_key = disagreements.make_game_key(world.library, ruled("AAA", world.answers["AAA"]))
    assert game_key == {("a", "1"), ("b", "5")}


# ---- distances
def test_two_sources_part_on_a_third_of_the_questions_that_both_answer() -> None:
    assert distances.compute_disagreement_share([["x", "y", "z", ""], ["x", "y", "w", "v"]], range(4)) == pytest.approx(
        1 / 3
    )


def test_only_questions_that_are_played_are_compared_and_no_answer_is_an_empty_one(
    made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = made({"AAA": {"a": 1, "b": 2, "c": 3}, "BBB": {"a": 4, "b": 5}})
    monkeypatch.setattr(distances, "rules", world.rules)
    questions = {slug: question(slug, not_played="nobody can" if slug == "b" else "") for slug in "abc"}
    assert distances.collect_answers_by_source(Library(questions, world.library.sources)) == {
        "AAA": ["1", "3"],
        "BBB": ["4", ""],
    }


# ---- what is reckoned exactly


def test_four_aces_in_one_hand_and_three_with_the_quinola_as_reckoned_by_hand() -> None:
    """Of 194580 ways to lay four cards, three times 330 lie in a hand of eleven, and 495 in the dealer's."""
    assert exact.EXACT["four-aces"] == Fraction(3 * 330 + 495, 194580)
    assert exact.EXACT["three-aces-and-quinola"] == 4 * Fraction(3 * 330 * 37 + 495 * 36, 194580 * 44)
