"""Several privileged cards: each with the sums that it has for itself, all by the same rules."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from engine.answers import PRIVILEGED_CARD_SUMS
from engine.cards import parse_card_name
from engine.comparison.attribution import attribute_difference
from engine.deal.model import Deal, Exchange
from engine.deal.pool import Pool
from engine.deal.reader import read_deal
from engine.deal.writer import long_form, write_deal
from engine.generation.deal import (
    BadSketch,
    Found,
    NotFound,
    fill,
    list_card_names,
    make_sketch,
    random_deal,
)
from engine.generation.turn import TableShape
from engine.play.replay import replay_deal
from engine.readings.ask import Ask, name_other_quinolas, name_quinola, read_for_card
from engine.settlement.result_json import result
from engine.settlement.settle import Settled, Unanswered, settle
from reversis.words.events import describe_entry
from reversis.words.ledgers import pool_words
from rulebook.model import Library
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
    assert not any("quinola.others" in one.asked for one in none.entries)


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


def said(settled: Settled) -> list[str]:
    return [describe_entry(entry, settled.deal.seats) for entry in settled.entries]


def test_a_name_of_the_quinola_changes_no_sum_and_no_pool(settles: Settle) -> None:
    named, plain = (settles(with_pools(both_thrown()), "PAM", one) for one in (NAMED, LITTLE))
    assert (named.net, named.pool) == (plain.net, plain.pool)
    alone = settles(both_thrown(), "PAM", "quinola.others=[{card: JH, name: great quinola}]")
    assert alone.net == settles(both_thrown(), "PAM").net and result(alone)["schema"] == 1


def test_the_ledger_calls_each_card_by_its_name(settles: Settle) -> None:
    words = said(settles(with_pools(both_thrown()), "PAM", NAMED))
    assert "Trick 3: east throws off the great quinola, and south pays for it" in words
    assert "Trick 3: east's great quinola is thrown off and draws its own stake" in words
    assert "Trick 5: west throws off the little quinola, and north pays for it" in words


def test_a_pool_that_a_reversis_or_tricks_win_has_the_name_of_its_card(settles: Settle) -> None:
    spades = [f"{rank}S" for rank in "AKQJ9876543"]
    deal = with_pools(lay_deal(tricks={n: f"south:{card}!" for n, card in enumerate(spades, 1)}))
    words = said(settles(deal, "PAM", NAMED, "reversis.stake=draws", "reversis.stake-pools=stake"))
    assert [one for one in words if "the stake of the" in one] == [
        f"At the end: south has made the reversis and draws the stake of the {size} quinola"
        for size in ("great", "little")
    ]
    plain = said(settles(deal, "PAM", LITTLE, "reversis.stake=draws", "reversis.stake-pools=stake"))
    assert "At the end: south has made the reversis and draws the stake" in plain


def test_only_the_cards_besides_the_quinola_are_further(rules: Rules) -> None:
    facts = replay_deal(both_thrown(), Ask(rules("PAM", NAMED))).facts
    assert [(f.called, f.further) for f in facts if f.kind == "quinola"] == [
        ("great quinola", False), ("little quinola", True),
    ]  # fmt: skip
    aside = replay_deal(lay_deal(talon="JH QH"), Ask(rules("PAM", NAMED)))
    assert [(f.called, f.further) for f in aside.facts if f.kind == "quinola"] == [
        ("great quinola", False), ("little quinola", True),
    ]  # fmt: skip
    assert not any(f.further for f in facts if f.kind == "ace")


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


def test_wishes_for_two_quinolas_do_not_contradict_each_other(rules: Rules) -> None:
    found = fill(rules("PAM", NAMED), wish="great quinola led, little quinola thrown off")
    assert isinstance(found, Found)
    befell = {f.card: f.manner for f in replay_deal(found.deal, Ask(rules("PAM", NAMED))).facts if f.kind == "quinola"}
    assert befell == {parse_card_name("JH"): "led", parse_card_name("QH"): "thrown-off"}
    never = fill(rules("PAM", NAMED), wish="little quinola led, little quinola thrown off")
    assert isinstance(never, NotFound) and never.never == (
        "“little quinola led” and “little quinola thrown off” cannot both be had"
    )


def test_a_name_that_a_source_does_not_have_is_no_word_of_a_wish(rules: Rules) -> None:
    with pytest.raises(BadSketch, match="'little' is no word of a wish"):
        fill(rules("PAM"), wish="little quinola led")


def test_a_name_of_many_words_is_a_name_all_the_same(rules: Rules) -> None:
    ruleset = rules("PAM", "quinola.others=[{card: QH, name: queen of all the little hearts}]")
    found = fill(ruleset, wish="queen of all the little hearts thrown off")
    assert isinstance(found, Found)
    assert parse_card_name("QH") in [e.fact.card for e in entries(found.settled, "draws-stake")]


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


def test_every_sum_of_a_card_is_asked_of_the_first_by_a_question(library: Library) -> None:
    for key, slug in PRIVILEGED_CARD_SUMS.items():
        assert library.questions[slug].measure["unit"] == "smallest", key
    coding = library.questions["quinola.others"].coding
    assert not [
        key for key, slug in PRIVILEGED_CARD_SUMS.items() if f"{key} ({library.questions[slug].id})" not in coding
    ]


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


@pytest.mark.parametrize(
    ("pool", "told"),
    [
        ({"others": {"QX": {"stake": 1}}}, "'QX' is no card"),
        ({"others": {"QH": 39}}, "the pool must be a table"),
        ({"others": [39]}, "others must be a table"),
        ({"others": {"QH": {"others": {}}}}, "unknown key 'others'"),
        ({"others": {"QH": {"stake": -1}}}, "the stake is -1"),
    ],
)
def test_a_faulty_pool_is_refused_by_reader_and_schema(pool: dict[str, object], told: str) -> None:
    raw = {**write_deal(both_thrown()), "pool": pool}
    assert [problem.what for problem in read_deal(raw)[1]] == [told]
    assert list(validator("deal").iter_errors(json.loads(json.dumps(raw)))) != []


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


def test_two_books_with_and_without_a_second_quinola_differ_by_that_answer(library: Library, rules: Rules) -> None:
    found = attribute_difference(library, with_pools(both_thrown()), rules("PAM"), rules("PAM", BARE))
    causes = {part.bundle.questions for affair in found.affairs for part in affair.parts}
    assert causes == {("quinola.others",)}
    assert {turned.what: turned.enough for turned in found.turned}["pool"][0][0].questions == ("quinola.others",)


def test_several_pools_in_words() -> None:
    assert pool_words(Pool(60, (5,), others=(("QH", Pool(39)),))) == "stake 60; waiting 5 (Q♥: stake 39)"
