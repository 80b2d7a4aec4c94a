"""Several privileged cards: each with the sums that it has for itself, all by the same rules."""

from __future__ import annotations

from functools import cache

import pytest

from engine.deal.model import Deal
from engine.play.replay import replay_deal
from engine.readings.ask import Ask
from engine.settlement.settle import Unanswered, settle
from engine.survey.encode_rules import Unsurveyed, encode_play_rules
from rulebook.answers.game_measures import PRIVILEGED_CARD_SUMS
from rulebook.model import Library
from tests.support.deals import entries, lay_deal, natural, net, paid
from tests.support.settling import Rules, Settle

LITTLE = "quinola.others=[{card: QH, name: little quinola, thrown-off: 3, forced: 7, others-pay: 1}]"
BARE = "quinola.others=[{card: QH, name: little quinola}]"


@cache
def both_thrown() -> Deal:
    """East throws the quinola off on a spade in the third trick, and west the queen of hearts in the fifth."""
    return lay_deal(tricks={3: "south:KS! east:JH", 5: "north:KC! west:QH"}, takers={4: "north", 6: "west"})


def test_a_ruleset_that_names_no_other_card_settles_as_before(settles: Settle) -> None:
    plain, none = settles(both_thrown(), "PAM"), settles(both_thrown(), "PAM", "quinola.others=[]")
    assert (plain.entries, plain.net, plain.pool) == (none.entries, none.net, none.pool)
    assert "quinola.others" not in none.asked


def test_each_card_is_paid_by_its_own_sum(settles: Settle) -> None:
    settled = settles(both_thrown(), "PAM", LITTLE)
    assert paid(settled, "thrown-off", of="JH") == {("south", "east"): 5}
    assert paid(settled, "thrown-off", of="QH") == {("north", "west"): 3}
    cards = [e for e in entries(settled, "thrown-off") if e.fact.kind == "quinola"]
    assert ["quinola.others" in e.asked for e in cards] == [False, True]


def test_what_a_card_leaves_out_follows_the_first_and_cites_both(settles: Settle) -> None:
    settled = settles(both_thrown(), "PAM", BARE)
    assert paid(settled, "thrown-off", of="QH") == {("north", "west"): 5}
    (little,) = (e for e in entries(settled, "thrown-off") if "quinola.others" in e.asked)
    assert "quinola.thrown-off.amount" in little.asked


def test_a_sum_that_points_to_another_points_to_that_of_the_same_card(settles: Settle) -> None:
    led = lay_deal(tricks={4: "east:QH!"}, takers={5: "north", 6: "west"}, where=lambda d: natural(d)[0] != "east")
    settled = settles(led, "PAM", LITTLE, "quinola.led.amount=as quinola.forced.amount", "payments.opposite=1")
    assert {sum_ for (payer, _), sum_ in paid(settled, "led", of="QH").items() if payer == "east"} == {7}


def test_other_cards_are_quinolas_in_play_too(rules: Rules) -> None:
    alone = lay_deal(tricks={1: "south:KH! east:QH"})
    facts = replay_deal(alone, Ask(rules("PAM", BARE))).facts
    assert [(f.kind, f.called) for f in facts if f.trick == 1] == [("quinola", "little quinola")]
    assert not [f for f in replay_deal(alone, Ask(rules("PAM"))).facts if f.trick == 1]


def test_three_aces_and_any_quinola_make_the_espagnolette(rules: Rules) -> None:
    deal = lay_deal(hands={"east": "AS AC AD QH"})
    hands = "espagnolette.hands=[{aces: 3, quinola: true}]"
    assert replay_deal(deal, Ask(rules("PAM", hands))).measures.holder is None
    assert replay_deal(deal, Ask(rules("PAM", hands, BARE))).measures.holder == 1


def test_a_thrown_quinola_takes_the_trick_whichever_it_is(rules: Rules) -> None:
    takes = "play.trick-taker=thrown-quinola-takes"
    deal = lay_deal(tricks={3: "south:KS! west:QH"}, takers={4: "north", 5: "west"})
    taker = [replay_deal(deal, Ask(rules("PAM", takes, *more))).measures.takers[2] for more in ((), (BARE,))]
    assert taker[0] != 3 and taker[1] == 3


def test_a_card_of_the_talon_is_laid_away_whichever_it_is(settles: Settle) -> None:
    settled = settles(lay_deal(talon="JH QH"), "PAM", BARE)
    assert net(settled) == net(settles(lay_deal(talon="JH QH"), "PAM"))
    assert [f.called for f in replay_deal(settled.deal, Ask(settled.ruleset)).facts if f.manner == "laid-away"] == [
        "", "little quinola",
    ]  # fmt: skip


def test_the_quinola_is_not_named_twice(rules: Rules) -> None:
    found = settle(both_thrown(), rules("PAM", "quinola.others=[{card: JH, name: great quinola}]"))
    assert isinstance(found, Unanswered)
    assert (found.silent.kind, "JH, and JH is the quinola" in str(found.silent)) == ("Not played", True)


def test_a_survey_says_that_it_leaves_other_privileged_cards_out(rules: Rules) -> None:
    with pytest.raises(Unsurveyed, match="other privileged cards"):
        encode_play_rules(rules("PAM", BARE))
    assert encode_play_rules(rules("PAM", "quinola.others=[]")) == encode_play_rules(rules("PAM"))


def test_every_sum_of_a_card_is_asked_of_the_first_by_a_question(library: Library) -> None:
    for key, slug in PRIVILEGED_CARD_SUMS.items():
        assert library.questions[slug].measure["unit"] == "smallest", key
    coding = library.questions["quinola.others"].coding
    assert not [
        key for key, slug in PRIVILEGED_CARD_SUMS.items() if f"{key} ({library.questions[slug].id})" not in coding
    ]
