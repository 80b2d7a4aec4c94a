"""A reading by which the source says nothing on a question that makes sense with it alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.deal.model import Deal
from engine.interpretation.effects import try_alternatives
from engine.interpretation.worlds import possible_worlds
from engine.settlement.explain import reckon
from engine.settlement.settle import Settled, Unanswered, settle
from reversis.words.explanation import build_explanation
from rulebook.model import Library
from rulebook.resolve import Choice, resolve

READING, QUESTION = "HOY.i02", "quinola.put.stake"


@pytest.fixture(scope="module")
def silent(library: Library) -> Library:
    """The library, had Hoyle been called silent on a quinola that is put on a heart by choice."""
    hoyle = library.sources["HOY"]
    clauses = []
    for clause in hoyle.clauses:
        others = [
            replace(
                alternative,
                answers={"quinola.forced.when": "sole-card"},
                silent=(QUESTION,),
                searched="HOY.s0001-HOY.s0042",
            )
            if alternative.id == READING
            else alternative
            for alternative in clause.alternatives
        ]
        clauses.append(replace(clause, alternatives=tuple(others)))
    return replace(library, sources={**library.sources, "HOY": replace(hoyle, clauses=tuple(clauses))})


def test_its_rules_are_silent_and_give_the_range_that_was_searched(silent: Library) -> None:
    for wish in (Choice(READING, named=READING), Choice("", "quinola.forced.when", "sole-card")):
        ruleset = resolve(silent, "HOY", [wish])
        assert QUESTION not in ruleset.rulings
        assert ruleset.reasons[QUESTION] == "nothing is said in HOY.s0001-HOY.s0042"
    assert resolve(silent, "HOY").reasons[QUESTION].startswith("inapplicable")


def test_a_deal_that_asks_is_not_settled_and_one_that_does_not_is(silent: Library, deals: dict[str, Deal]) -> None:
    ruleset = resolve(silent, "HOY", [Choice(READING, named=READING)])
    found = {name: settle(deal, ruleset) for name, deal in deals.items()}
    asking = {
        name: one for name, one in found.items() if isinstance(one, Unanswered) and one.silent.question == QUESTION
    }
    assert asking and any(isinstance(one, Settled) for one in found.values())
    name, one = next(iter(asking.items()))
    assert "nothing is said in HOY.s0001-HOY.s0042" in str(one.silent)
    assert isinstance(settle(deals[name], resolve(silent, "HOY")), Settled), "the reading that we prefer settles it"
    states = {state.value: state.worlds for state in possible_worlds(deals[name], silent, "HOY").states}
    assert {*states} == {"settled", "silent"} and "HOY.i02" in str(states["silent"])
    effect = next(
        alternative
        for alternative in try_alternatives(silent, [deals[name]], ["HOY"])
        if alternative.alternative == READING
    )
    assert [difference.deal for difference in effect.differences] == [name]
    explained = build_explanation(silent, reckon(deals[name], ruleset)).silence
    assert explained is not None
    ground = next(each for one in explained.because if one.question == "Q038" for each in one.grounds)
    assert (ground.id, ground.status) == (READING, "silent") and "HOY.s0001-HOY.s0042" in ground.remark
