"""What a rule does to play: nought for the same rules, and something where a payment that one plays for is changed."""

from __future__ import annotations

import numpy as np
import pytest

from engine.players.arena import PlayingCompany
from engine.players.regret import measure_play_effects
from engine.survey import piece
from engine.survey.jit import INTERPRETED
from engine.survey.request import Rules
from rulebook.model import Library

pytestmark = pytest.mark.skipif(INTERPRETED, reason="a search goes through thousands of deals: only compiled")


def test_the_same_rules_cost_nothing_and_other_rules_change_cards(library: Library) -> None:
    prices, own = piece.get_deal_pricer(library), Rules("PAM")
    company = PlayingCompany(prices, own, prices.bind(own)[1], 1785)
    same, other = measure_play_effects(company, [own, Rules("PAR")], range(8), 16)
    assert same.choices.sum() > 100
    assert same.changed.sum() == 0
    assert not same.regret.any()
    assert not same.moved.any()
    assert other.changed.sum() > 0
    assert other.moved.sum() > 0
    assert np.isfinite(other.regret).all()
