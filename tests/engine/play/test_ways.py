"""A deal is played once for each way in which answers have it played; what comes of it is as if it were played anew."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from engine.deal.model import Deal
from engine.play.replay import replay_deal
from engine.readings.ask import Ask
from engine.settlement.settle import settle
from reversis.files.deals import readable_deals
from rulebook.model import Library, Ruleset, Silent
from rulebook.resolve import Choice, iter_clause_alternatives, resolve


def list_rulesets(library: Library) -> list[Ruleset]:
    """The rules of every source, and with each of its alternatives."""
    clauses = [(siglum, source.clauses) for siglum, source in library.sources.items()]
    chosen = ((siglum, one.id) for siglum, some in clauses for _, one in iter_clause_alternatives(some))
    wishes = [resolve(library, siglum, [Choice(id, named=id)]) for siglum, id in chosen]
    return [*(resolve(library, siglum) for siglum in library.sources), *wishes[::5]]


def play(deal: Deal, ruleset: Ruleset) -> object:
    """How a deal is played, and all that was asked."""
    ask = Ask(ruleset)
    try:
        return replay_deal(deal, ask), ask.raised, ask.asked
    except Silent as silent:
        return str(silent), ask.raised, ask.asked


@pytest.mark.slow
def test_a_deal_played_before_comes_out_as_one_that_was_not(library: Library) -> None:
    rulesets = list_rulesets(library)
    for deal in [*readable_deals(library)][::12]:
        for ruleset in (*rulesets, *rulesets[: len(library.sources)]):
            assert play(deal, ruleset) == play(replace(deal), ruleset), (deal.id, ruleset.name)
            assert str(settle(deal, ruleset)) == str(settle(replace(deal), ruleset))


def test_a_deal_is_played_once_where_the_answers_are_the_same(library: Library) -> None:
    deal = replace(next(readable_deals(library)))
    for _ in range(3):
        for siglum in library.sources:
            settle(deal, resolve(library, siglum))
    assert len(deal.ways) <= len(library.sources) == len(deal.results)
    assert settle(deal, resolve(library, "PAM")) is settle(deal, resolve(library, "PAM"))


def test_what_was_played_is_not_sent_with_a_deal(library: Library) -> None:
    deal = replace(next(readable_deals(library)))
    settle(deal, resolve(library, "PAM"))
    again = pickle.loads(pickle.dumps(deal))
    assert again == deal and not again.ways and not again.results
