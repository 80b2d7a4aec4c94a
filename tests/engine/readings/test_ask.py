"""Asking a ruleset: which answers there are, what is noted of it, and what cannot be played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.readings.ask import Ask
from rulebook.ask import UnplayedAnswer
from rulebook.model import FrozenMap, Silent
from tests.support.settling import Rules

LITTLE = "quinola.others=[{card: QH, name: little quinola, limit: 50}]"


def test_of_a_further_card_a_source_answers_what_the_card_has_for_itself_and_what_the_quinola_has(rules: Rules) -> None:
    ask = Ask(rules("PAM", LITTLE))
    great, little = (
        [ask.about(card).answers(question) for question in ("stake.limit", "stake.limit-from", "quinola.card")]
        for card in ("", "QH")
    )
    assert (great, little) == ([False, False, True], [True, False, True])
    assert ask.about("QH")("stake.limit") == 50
    with pytest.raises(Silent):
        ask.about("")("stake.limit")


def test_an_answer_that_cannot_be_played_is_refused_however_often_one_asks(rules: Rules) -> None:
    plain = rules("PAM")
    strange = replace(plain.rulings["play.follow"], value="nobody-knows-what")
    ask = Ask(replace(plain, rulings=FrozenMap({**plain.rulings, "play.follow": strange})))
    for _ in range(2):
        with pytest.raises(UnplayedAnswer, match="nobody-knows-what"):
            ask.word("play.follow")
    assert ask.raised == frozenset()
