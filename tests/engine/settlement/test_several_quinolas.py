"""Several privileged cards: each with the sums that it has for itself, all by the same rules."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from engine.cards import parse_card_name
from engine.deal.model import Deal, Exchange
from engine.deal.pool import Pool
from engine.deal.reader import read_deal
from engine.deal.writer import long_form, write_deal
from engine.generation.deal import (
    Found,
    fill,
    list_card_names,
    make_sketch,
    random_deal,
)
from engine.generation.turn import TableShape
from engine.play.replay import replay_deal
from engine.readings.ask import Ask, name_other_quinolas, name_quinola, read_for_card
from engine.settlement.result_json import result
from engine.settlement.settle import Unanswered, settle
from tests.support.deals import entries, lay_deal, natural, net, paid
from tests.support.schemas import validator
from tests.support.settling import Refuse, Rules, Settle

LITTLE = "quinola.others=[{card: QH, name: little quinola, thrown-off: 3, forced: 7, others-pay: 1}]"
BARE = "quinola.others=[{card: QH, name: little quinola}]"


@cache
def both_thrown() -> Deal:
    """East throws the quinola off on a spade in the third trick, and west the queen of hearts in the fifth."""
    return lay_deal(tricks={3: "south:KS! east:JH", 5: "north:KC! west:QH"}, takers={4: "north", 6: "west"})


def test_a_ruleset_that_names_no_other_card_settles_as_before(settles: Settle) -> None:
    plain, none = settles(both_thrown(), "PAM"), settles(both_thrown(), "PAM", "quinola.others=[]")
    assert (plain.entries, plain.net, plain.pool) == (none.entries, none.net, none.pool)
    assert not any("quinola.others" in entry.asked for entry in none.entries)


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


def test_the_sums_of_the_quinola_are_not_given_twice(rules: Rules) -> None:
    found = settle(both_thrown(), rules("PAM", "quinola.others=[{card: JH, name: great quinola, led: 3}]"))
    assert isinstance(found, Unanswered)
    assert (found.silent.kind, "JH, and JH is the quinola" in str(found.silent)) == ("Not played", True)


# ---- the name of the quinola
NAMED = "quinola.others=[{card: JH, name: great quinola}, {card: QH, name: little quinola, thrown-off: 3}]"


# ---- deals by lot
@pytest.mark.parametrize(
    ("wish", "card", "told"),
    [
        ("quinola thrown off in trick 5", "JH", "quinola thrown off at trick 5"),
        ("great quinola thrown off in trick 5", "JH", "great quinola thrown off at trick 5"),
        ("the Little-Quinola thrown off in trick 5", "QH", "little quinola thrown off at trick 5"),
    ],
)
def test_a_wish_may_name_each_quinola(rules: Rules, wish: str, card: str, told: str) -> None:
    ruleset = rules("PAM", NAMED)
    found = fill(ruleset, wish=wish)
    assert isinstance(found, Found)
    fell = [(e.fact.card, e.fact.trick) for e in entries(found.settled, "draws-stake")]
    assert (parse_card_name(card), 5) in fell
    sketch = make_sketch(None, wish, list_card_names(ruleset))
    assert [str(one) for one in sketch.wishes] == [told]


def test_a_random_deal_is_played_for_what_is_put_into_further_pools_at_first(rules: Rules) -> None:
    ruleset = rules("PAM", "quinola.others=[{card: QH, name: little quinola, first-each: 3, first-dealer: 4}]")
    found = fill(ruleset, wish="quinola led")
    assert isinstance(found, Found)
    for deal in (random_deal(ruleset, 3, TableShape(4, 48, 11, 4)), found.deal):
        pool = deal.pool("PAM")
        assert (pool.stake, pool.of("QH").stake, pool.waiting) == (60, 3 * 3 + 4, ())
    assert random_deal(rules("PAM"), 3).pool("PAM") == Pool(60)
    assert random_deal(ruleset, 3, pool=Pool(7)).pool("PAM") == Pool(7)
    assert random_deal(ruleset, 3, pool=Pool(0)).pool("PAM") == Pool(0)


def test_a_ruleset_is_read_for_a_card_by_its_own_sums(rules: Rules) -> None:
    ruleset = rules("PAM", NAMED)
    assert name_quinola(ruleset) == "great quinola" and dict(name_other_quinolas(ruleset)) == {"QH": "little quinola"}
    assert name_quinola(rules("PAM")) == "" and not name_other_quinolas(rules("PAM"))
    little = read_for_card(ruleset, "QH")
    own, first = (one.rulings["quinola.thrown-off.amount"] for one in (little, ruleset))
    assert (own.value, own.id, first.value) == (3, first.id, 5) and own.question == "quinola.thrown-off.amount"
    changed = {slug for slug in ruleset.rulings if little.rulings[slug] != ruleset.rulings[slug]}
    assert changed == {"quinola.thrown-off.amount"}
    limited = read_for_card(rules("PAM", "quinola.others=[{card: QH, name: little quinola, limit: 50}]"), "QH")
    assert (limited.rulings["stake.limit"].value, limited.rulings["stake.limit"].id) == (50, "Q224")


def test_a_sum_that_an_entry_leaves_out_follows_the_other_readings_of_the_first_card(rules: Rules) -> None:
    """Hoyle's little quinola, led, is paid for by the others as it would be if forced, or (HOY.i06) by none of them."""
    question = "quinola.led.others-pay"
    asked = [[Ask(rules("HOY", *how)).about(card)(question) for card in ("", "QH")] for how in ((), ("HOY.i06",))]
    assert asked == [[6, 3], [0, 0]]
    fixed = "quinola.others=[{card: QH, name: little quinola, led-others-pay: 3}]"
    assert Ask(rules("HOY", "HOY.i06", fixed)).about("QH")(question) == 3


# ---- pools
TWO_POOLS = {"stake": 60, "waiting": [], "others": {"QH": {"stake": 39, "waiting": []}}}


def with_pools(deal: Deal, little: int = 39, great: int = 60) -> Deal:
    return replace(deal, pools={"": Pool(great, others=(("QH", Pool(little)),))})


def test_each_card_draws_its_own_pool(settles: Settle) -> None:
    settled = settles(with_pools(both_thrown()), "PAM", BARE)
    assert paid(settled, "draws-stake", of="JH") == {("pool", "east"): 60}
    assert paid(settled, "draws-stake", of="QH") == {("pool", "west"): 39}
    assert settled.pool == Pool(0, others=(("QH", Pool(0)),))
    assert sum(settled.net.values()) == 0 and settled.net["pool"] == -99


def test_a_limit_is_that_of_the_card(settles: Settle) -> None:
    limits = ("quinola.thrown-off.stake=draws-up-to-limit", "stake.limit-from=100", "stake.limit=90")
    little = "quinola.others=[{card: QH, name: little quinola, limit-from: 50, limit: 45}]"
    settled = settles(with_pools(both_thrown(), 50, 99), "PAM", little, *limits)
    assert [paid(settled, "draws-stake", of=card) for card in ("JH", "QH")] == [
        {("pool", "east"): 99}, {("pool", "west"): 45},
    ]  # fmt: skip
    assert (settled.pool.stake, settled.pool.of("QH").stake) == (0, 5)


def test_what_is_matched_goes_into_the_pool_of_the_card(settles: Settle) -> None:
    led = with_pools(lay_deal(tricks={4: "east:QH!"}, takers={5: "north", 6: "west"}))
    settled = settles(led, "PAM", BARE)
    assert paid(settled, "matches-stake", of="QH") == {("east", "pool"): 39}
    assert settled.pool.of("QH") == Pool(78)


def test_a_reversis_that_draws_the_stake_draws_every_pool(settles: Settle) -> None:
    spades = [f"{rank}S" for rank in "AKQJ9876543"]
    deal = with_pools(lay_deal(tricks={n: f"south:{card}!" for n, card in enumerate(spades, 1)}))
    settled = settles(deal, "PAM", BARE, "reversis.stake=draws", "reversis.stake-pools=stake")
    drawn = [(e.fact.card, p.counted(settled.before)) for e in entries(settled, "reversis-stake") for p in e.postings]
    assert drawn == [(None, 60), (parse_card_name("QH"), 39)]
    assert settled.pool == Pool(0, others=(("QH", Pool(0)),))


def test_tricks_win_the_pool_that_no_quinola_has_drawn(settles: Settle) -> None:
    deal = with_pools(lay_deal(tricks={3: "south:KS! east:JH"}, takers={4: "north", 6: "west"}, talon="QH"))
    settled = settles(deal, "PAM", BARE, "stake.by-tricks=[fewest-tricks, fewest-points]", "stake.tied=one")
    assert paid(settled, "draws-stake", of="JH") == {("pool", "east"): 60}
    (won,) = entries(settled, "stake-by-tricks")
    assert [p.counted(settled.before) for p in won.postings] == [39] and won.fact.called == "little quinola"
    assert won.fact.further and won.postings[0].pool == "QH"


def test_a_reversis_gives_back_to_each_pool_what_came_from_it(settles: Settle) -> None:
    deal = with_pools(
        lay_deal(tricks={3: "south:KS! east:JH", 5: "south:KC! west:QH"}, takers=dict.fromkeys(range(1, 12), "south"))
    )
    settled = settles(deal, "PAM", BARE, "reversis.stake=nothing")
    assert settled.outcome.reversis is not None
    assert settled.pool == Pool(60, others=(("QH", Pool(39)),)) and settled.net["pool"] == 0


def test_a_source_with_one_quinola_leaves_other_pools_aside(settles: Settle) -> None:
    deal, plain = with_pools(both_thrown()), replace(both_thrown(), pools={"": Pool(60)})
    one, two = result(settles(deal, "PAM")), result(settles(plain, "PAM"))
    receipts = one.pop("receipt"), two.pop("receipt")
    assert one == two and one["schema"] == 1 and receipts[0] != receipts[1]


def test_a_result_with_several_pools_has_a_schema_of_its_own(settles: Settle) -> None:
    told: Any = json.loads(json.dumps(result(settles(with_pools(both_thrown()), "PAM", BARE))))
    assert (told["schema"], told["pool"]) == (
        2,
        {"stake": 0, "waiting": [], "others": {"QH": {"stake": 0, "waiting": []}}},
    )
    assert list(validator("result").iter_errors(told)) == []
    assert list(validator("result").iter_errors({**told, "schema": 1})) != []
    plain: Any = json.loads(json.dumps(result(settles(both_thrown(), "PAM"))))
    assert list(validator("result").iter_errors({**plain, "schema": 2})) != []


def test_a_record_tells_of_several_pools_and_is_written_so(settles: Settle) -> None:
    raw = {**write_deal(both_thrown()), "pool": TWO_POOLS}
    deal, problems = read_deal(raw)
    assert deal is not None and problems == [] and deal.pool("PAM") == Pool(60, others=(("QH", Pool(39)),))
    assert write_deal(deal)["pool"] == TWO_POOLS and read_deal(long_form(write_deal(deal)))[0] == deal
    assert list(validator("deal").iter_errors(json.loads(json.dumps(raw)))) == []


def test_one_card_has_one_pool() -> None:
    raw = {**write_deal(both_thrown()), "pool": {"others": {"QH": {}, "D♥": {}}}}
    assert [(p.what, p.way_out) for p in read_deal(raw)[1]] == [("a second pool of QH", "keep one")]


def test_the_little_quinola_is_laid_away_once_its_own_pool_has_grown(settles: Settle, refuses: Refuse) -> None:
    little = "quinola.others=[{card: QH, name: little quinola, limit-from: 50, limit: 50}]"
    wishes = ("exchange.hearts=quinola-from-limit", "stake.limit-from=100", "stake.limit=100", little)
    deal = lay_deal(talon="QH")
    deal = replace(deal, exchange=(Exchange(0, parse_card_name("QH"), min(deal.hands[0])),))
    assert settles(with_pools(deal, 50), "PAM", *wishes)
    (refusal,) = refuses(with_pools(deal, 49, 200), "PAM", *wishes).refusals
    assert refusal.message == "south may not discard the little quinola: the stake is 49, and not yet 50"
    assert refusal.asked == ("exchange.hearts", "quinola.others")
