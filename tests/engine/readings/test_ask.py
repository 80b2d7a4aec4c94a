"""Asking a ruleset: which answers there are, what is noted of it, and what cannot be played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.readings.ask import Ask, UnknownReading, name_other_quinolas, name_quinola
from rulebook.model import FrozenMap, Silent
from rulebook.resolve import drop_answer
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


def test_everybody_who_asks_in_a_deal_writes_into_one_list(rules: Rules) -> None:
    ask = Ask(rules("PAM", LITTLE))
    assert ask.about("").word("quinola.card") == "JH" and ask.raised == {"quinola.card"}
    ask.about("QH")
    assert ask.raised == {"quinola.card", "quinola.others"} and ask.asked == ()
    ask.fresh().word("play.follow")
    assert "play.follow" in ask.raised


def test_an_answer_that_cannot_be_played_is_refused_however_often_one_asks(rules: Rules) -> None:
    plain = rules("PAM")
    strange = replace(plain.rulings["play.follow"], value="nobody-knows-what")
    ask = Ask(replace(plain, rulings=FrozenMap({**plain.rulings, "play.follow": strange})))
    for _ in range(2):
        with pytest.raises(UnknownReading, match="nobody-knows-what"):
            ask.word("play.follow")
    assert ask.raised == frozenset()


def test_where_no_card_is_the_quinola_all_that_are_named_are_others(rules: Rules) -> None:
    ruleset = rules("PAM", LITTLE)
    assert (name_quinola(ruleset), dict(name_other_quinolas(ruleset))) == ("", {"QH": "little quinola"})
    named = rules("PAM", "quinola.others=[{card: JH, name: great quinola}]")
    without = drop_answer(named, "quinola.card")
    assert (name_quinola(named), dict(name_other_quinolas(named))) == ("great quinola", {})
    assert (name_quinola(without), dict(name_other_quinolas(without))) == ("", {"JH": "great quinola"})
