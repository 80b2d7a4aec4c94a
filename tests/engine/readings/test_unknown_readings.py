"""A reading without its line of code: named at its place, and refused with a sentence wherever a deal is played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.readings.meanings.by_question import MEANINGS
from engine.readings.unsupported import find_misjudged_readings
from engine.session.session import begin, steps
from engine.settlement.explain import reckon
from engine.settlement.result_json import result
from engine.settlement.settle import Unanswered, settle
from rulebook.model import FrozenMap, Library, Proposal, Ruleset, Ruling
from rulebook.problems import Where
from rulebook.resolve import rules
from tests.engine.readings.test_meanings import situations
from tests.support.tiers import sample

pytestmark = pytest.mark.slow

STRANGE = "nobody-knows-what"
WHERE = Where("sources/questions/40-aces.yaml", 98, 5)
SEATS = ("south", "east", "north", "west")


def with_reading(library: Library, slug: str, reading: str) -> Library:
    """The library, one question of which has a reading more, without a line of code."""
    old = library.questions[slug]
    readings = FrozenMap({**old.readings, reading: "Whoever takes the trick."})
    new = replace(old, readings=readings, places=FrozenMap({**old.places, reading: WHERE}))
    return replace(library, questions=FrozenMap({**library.questions, slug: new}))


def answering_strangely(library: Library, siglum: str, slug: str) -> Ruleset:
    """The rules of a source with an answer that nobody has taught the engine."""
    own, question = rules(library, siglum), library.questions[slug]
    strange = Ruling(slug, question.id, STRANGE if question.closed else (STRANGE,), (), "given")
    return replace(own, rulings={**own.rulings, slug: strange})


def test_all_readings_of_the_edition_have_their_code_and_their_place(library: Library) -> None:
    assert [*find_misjudged_readings(library)] == []
    questions = [question for question in library.questions.values() if question.slug in MEANINGS]
    assert all(
        set(question.places) == set(question.readings or question.measure["of"])
        for question in questions
        if "like" not in question.measure
    )  # type: ignore[arg-type]
    assert library.questions["ace.led.payee"].places["nobody"].line > library.questions["ace.led.payee"].where.line


def test_a_reading_without_code_is_named_with_its_place_and_where_its_code_belongs(library: Library) -> None:
    (found,) = find_misjudged_readings(with_reading(library, "ace.led.payee", "taker"))
    assert (found.file, found.line, found.column) == (WHERE.file, WHERE.line, WHERE.column)
    assert found.what == "Q024: the engine does not know what taker means"
    assert "ACE_LED_PAYEE in engine/readings/meanings/cards.py" in found.way_out and "not_played" in found.way_out


def test_a_reading_that_a_form_explains_and_one_declared_not_played_are_in_order(library: Library) -> None:
    formed = with_reading(library, "play.quinola-alone", "free-after-three-tricks")
    assert [*find_misjudged_readings(formed)] == []
    question = library.questions["ace.led.payee"]
    trial = Proposal("PAM", "Whoever takes it.", "it cannot be played yet", "nobody", WHERE)
    declared = replace(
        question,
        readings=FrozenMap({**question.readings, "taker": trial.says}),
        proposed=FrozenMap({"taker": trial}),
    )
    on_trial = replace(library, questions=FrozenMap({**library.questions, question.slug: declared}))
    assert [*find_misjudged_readings(on_trial)] == []


def test_the_engine_refuses_with_a_sentence(library: Library) -> None:
    ruleset = rules(with_reading(library, "ace.led.payee", "taker"), "PAM", "Q024=taker")
    refused = [found for deal in situations() if isinstance(found := settle(deal, ruleset), Unanswered)]
    assert any(one.silent.question == "ace.led.payee" for one in refused)
    told = result(next(one for one in refused if one.silent.question == "ace.led.payee"))["silent"]
    assert told == {
        "question": "ace.led.payee",
        "reason": "the engine does not know what taker means; say it in ACE_LED_PAYEE in "
        "engine/readings/meanings/cards.py",
        "message": "Not played: PAM + Q024=taker answers ace.led.payee with taker, and the engine does not know what "
        "taker means; say it in ACE_LED_PAYEE in engine/readings/meanings/cards.py",
    }


#: so many deals raise every question there is; `situations` has one for each thing that seldom happens
@pytest.mark.parametrize("slug", sample(sorted(MEANINGS), 3))
def test_no_question_ends_in_a_key_error(library: Library, slug: str) -> None:
    ruleset = answering_strangely(library, "PAM", slug)
    named = [one for deal in situations()[:12] if isinstance(one := settle(deal, ruleset), Unanswered)]
    for deal in situations()[12:]:
        if any(one.silent.question == slug for one in named):
            break
        named += [found] if isinstance(found := reckon(deal, ruleset), Unanswered) else []
    between = [s for step in steps(begin(ruleset, SEATS, 0), (), turn=True) for s in getattr(step, "silent", ())]
    assert all(STRANGE in str(one.silent) for one in named if one.silent.question == slug)
    assert all(STRANGE in str(one) and one.kind == "Not played" for one in between if one.question == slug)
