"""What a rule does to play: nought for the same rules, and something where a payment that one plays for is changed."""

from __future__ import annotations

import numpy as np
import pytest

from engine.settlement.settle import Settled, settle
from lab.players.arena import PlayingCompany
from lab.players.regret import (
    ChoiceExample,
    PlayedEffects,
    add_changed_choice,
    choose_example,
    list_candidates,
    make_empty_effect,
    measure_play_effects,
)
from lab.survey import chunk as piece
from lab.survey.reference import resolve_table_rules
from lab.survey.request import Rules
from rulebook.estimates import Estimate
from rulebook.model import Library

OWN, OTHER = Rules("ACA"), Rules("GER")


@pytest.fixture(scope="module")
def company(library: Library) -> PlayingCompany:
    prices = piece.get_deal_pricer(library)
    return PlayingCompany.at_table(prices, OWN, 1785)


@pytest.fixture(scope="module")
def measured(company: PlayingCompany) -> PlayedEffects:
    return measure_play_effects(company, [OWN, OTHER], range(8), 16, example_worlds=128)


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_the_same_rules_cost_nothing_and_other_rules_change_cards(measured: PlayedEffects) -> None:
    same, other = measured.effects
    assert same.choices.sum() > 100
    assert same.changed.sum() == 0
    assert not same.regret.any()
    assert not same.moved.any()
    assert other.changed.sum() > 0
    assert np.isfinite(other.regret).all()


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_an_example_is_a_decision_in_which_either_ruleset_surely_prefers_its_own_card(measured: PlayedEffects) -> None:
    same, other = measured.examples
    assert same is None
    assert other is not None and other.is_sure
    assert other.cards[0] != other.cards[1]
    assert other.worth[0].value > other.worth[1].value
    assert other.believed[0].value < other.believed[1].value


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_the_deal_of_an_example_is_a_record_in_which_the_player_held_both_cards_and_played_one(
    library: Library, company: PlayingCompany, measured: PlayedEffects
) -> None:
    example = measured.examples[1]
    assert example is not None
    deal = piece.build_survey_deal("example", measured.played, example.deal, company.pool)
    assert isinstance(settle(deal, resolve_table_rules(library, OWN)), Settled)
    cards = [card for trick in deal.tricks for card in trick]
    assert cards[example.step] == example.cards[0]
    assert example.cards[1] in cards[example.step + 1 :]
    assert {deal.holder(card) for card in example.cards} == {example.seat}


@pytest.mark.release  # a search goes through thousands of deals: only compiled
def test_a_deal_is_played_alike_alone_and_among_others(company: PlayingCompany, measured: PlayedEffects) -> None:
    alone = measure_play_effects(company, (), range(5, 6), 16)
    assert (alone.played.cards[:, 0] == measured.played.cards[:, 5]).all()


# ---- examples
def test_the_costliest_choice_of_a_deal_is_noted_and_only_one_that_costs_something() -> None:
    effect = make_empty_effect(2)
    for deal, step, loss in ((0, 3, 1.0), (0, 9, 4.0), (0, 12, 2.0), (1, 5, -3.0)):
        add_changed_choice(effect, deal, step, loss)
    assert effect.changed.tolist() == [3, 1]
    assert effect.regret.tolist() == [7.0, -3.0]
    assert list_candidates([effect]) == {(0, 9): (0,)}


def example(loss: tuple[float, float], gain: tuple[float, float]) -> ChoiceExample:
    mean = Estimate(0, 0, 0)
    lost, gained = (Estimate(sum(ends) / 2, *ends) for ends in (loss, gain))
    return ChoiceExample(0, 0, 0, (0, 1), (mean, mean), lost, (mean, mean), gained)


def test_of_several_examples_the_one_that_surely_costs_most_is_chosen() -> None:
    sure, surer = example((1, 9), (1, 2)), example((2, 3), (1, 2))
    assert choose_example([None, sure, surer, example((5, 9), (-1, 2)), example((-1, 90), (1, 2))]) is surer
    assert choose_example([None, example((1, 2), (0, 1))]) is None
