"""Payments in play: aces, the quinola, led cards, doublings; one test for each sentence or decision."""

from __future__ import annotations

from functools import cache

import pytest

from engine.deal.model import Deal
from tests.support.deals import entries, held_past, lay_deal, mixed, natural, net, paid, revoke, revoked
from tests.support.settling import Settle


@cache
def forced(trick: int, holder: str, leader: str = "south") -> Deal:
    """The quinola played on a heart led by another, by a holder who has no other heart."""
    without = {holder: "H"}
    plays = {trick: f"{leader}:5H! {holder}:JH"}
    return lay_deal(tricks=plays, without=without, where=mixed)


@cache
def thrown(card: str, trick: int, player: str, leader: str = "south", low: str = "9S", seed: int = 1) -> Deal:
    """A card thrown on a spade that its leader takes."""
    return lay_deal(tricks={trick: f"{leader}:{low}! {player}:{card}"}, takers={trick: leader}, where=mixed, seed=seed)


@cache
def led(card: str, trick: int, player: str, winner: str, claims: bool = True) -> Deal:
    told = {"claims": {} if claims else {card: False}}
    return lay_deal(
        tricks={trick: f"{player}:{card}!"}, where=lambda d: mixed(d) and natural(d)[0] == winner, told=told
    )


# ---- the quinola forced
@pytest.mark.parametrize(
    ("source", "trick", "payer", "sums"),
    [
        ("PAM", 11, "north", (40, 10, 10)),  # s0074: from opposite in the last trick eight, two and two
        ("PAM", 11, "east", (20, 20, 10)),  # s0075: from the side four, four and two
        ("PAM", 6, "east", (10, 10, 5)),  # s0071: all pay
        ("PAM", 1, "east", (20, 20, 10)),  # s0074: the first trick doubles,
        ("PAM", 10, "east", (10, 10, 5)),  # and the tenth does not
        ("PAR", 1, "east", (10, 10, 5)),  # n20: the first does not double,
        ("PAR", 10, "east", (20, 20, 10)),  # and the last two do
        ("PAR", 11, "east", (20, 20, 10)),
        ("PAR", 11, "north", (40, 10, 10)),  # n21: forty from opposite
    ],
)
def test_what_the_forced_quinola_costs(
    settles: Settle, source: str, trick: int, payer: str, sums: tuple[int, int, int]
) -> None:
    """The holder pays first, then north or east, then west."""
    payers = (payer, "north" if payer == "east" else "east", "west")
    expected = {(one, "south"): n for one, n in zip(payers, sums, strict=True)}
    assert paid(settles(forced(trick, payer), source), "forced", of="JH") == expected


@cache
def sole_quinola() -> Deal:
    tricks = {1: "south:6H! east:2H", 6: "south:5H! east:JH"}
    return lay_deal(tricks=tricks, without={"east": "H"}, heart_first=True, where=mixed)


def test_aca_s0008_the_forcer_wins_four_and_one_of_each(settles: Settle) -> None:
    expected = {("east", "south"): 4, ("north", "south"): 1, ("west", "south"): 1}
    assert paid(settles(sole_quinola(), "ACA"), "forced", of="JH") == expected
    with_holder = expected | {("east", "south"): 5}
    assert paid(settles(sole_quinola(), "ACA", "quinola.forced.amount=5"), "forced", of="JH") == with_holder
    wishes = ("quinola.forced.others-pay=0", "quinola.forced.to-every-other=1")
    fine = {("east", "south"): 5, ("east", "north"): 1, ("east", "west"): 1}
    assert paid(settles(sole_quinola(), "ACA", *wishes), "forced", "forced-fine", of="JH") == fine


def test_ger_s0032_four_marken_and_s0033_two_to_every_fellow_player(settles: Settle) -> None:
    assert paid(settles(sole_quinola(), "GER"), "forced", "forced-fine", of="JH") == {("east", "south"): 4}
    fine = {("east", "south"): 6, ("east", "north"): 2, ("east", "west"): 2}
    wish = "quinola.forced.to-every-other=2"
    assert paid(settles(sole_quinola(), "GER", wish), "forced", "forced-fine", of="JH") == fine


# ---- N1, N2, X-A11, X-A14, X-G6: what is forced, and by whom
@cache
def guarded(card: str, other: str) -> Deal:
    """A card put on a lead of its suit by a player who has another of that suit and plays it later."""
    lead = "5" + card[1]
    return lay_deal(tricks={5: f"south:{lead}! east:{card}", 9: f"east:{other}"}, heart_first=True, where=mixed)


def test_pam_n1_guarded_quinola_is_forced_or_nothing_at_all(settles: Settle) -> None:
    expected = {("east", "south"): 10, ("north", "south"): 10, ("west", "south"): 5}
    deal = guarded("JH", "2H")
    assert paid(settles(deal, "PAM"), "forced", of="JH") == expected
    assert paid(settles(deal, "PAM"), "matches-stake") == {("east", "pool"): 60}
    rival = settles(deal, "PAM", "quinola.forced.when=sole-card")
    assert paid(rival, "forced", "matches-stake", of="JH") == {}


def test_pam_n1_guarded_ace(settles: Settle) -> None:
    deal = guarded("AD", "2D")
    assert paid(settles(deal, "PAM"), "forced", of="AD") == {("east", "south"): 2}
    assert paid(settles(deal, "PAM", "ace.forced.when=sole-card"), "forced", of="AD") == {}


def test_aca_x_a11_guarded_quinola_makes_the_bete_but_forces_nothing(settles: Settle) -> None:
    deal = guarded("JH", "2H")
    settled = settles(deal, "ACA")
    assert paid(settled, "forced", of="JH") == {}
    assert paid(settled, "matches-stake") == {("east", "pool"): 60}
    assert (settled.pool.stake, settled.pool.waiting) == (60, (60,))
    assert paid(settled, "refreshed") == {}
    rival = settles(deal, "ACA", "quinola.forced.when=own-suit")
    assert paid(rival, "forced", of="JH") == {("east", "south"): 4, ("north", "south"): 1, ("west", "south"): 1}


NOT_FORCED = {"ACA": ("ACA.o03", "ACA.i17", "ACA.i18", "ACA.i36"), "GER": ("GER.o01", "GER.i03", "GER.i04")}


@pytest.mark.parametrize(("source", "way"), [(source, way) for source, ways in NOT_FORCED.items() for way in ways])
def test_aca_s0026_ger_s0055_a_quinola_that_is_free_is_put_and_not_forced(
    settles: Settle, source: str, way: str
) -> None:
    tricks = {1: "south:AH! east:4H", 2: "south:KH! east:6H", 6: "south:5H! east:JH"}
    deal = lay_deal(tricks=tricks, without={"east": "H"}, heart_first=True, where=mixed)
    bound, free = settles(deal, source), settles(deal, source, way)
    assert paid(bound, "forced", of="JH")[("east", "south")] == 4 and paid(bound, "refreshed")
    assert paid(free, "forced", "forced-fine", "refreshed") == {}
    assert paid(free, "matches-stake") == ({("east", "pool"): 60} if source == "ACA" else {})
    (put,) = entries(free, "matches-stake")
    assert put.name == "quinola-put" and "play.quinola-alone" in put.asked
    for own_suit in ("PAM", "PAR"):  # whatever falls to its own suit is forced there, free or not
        before, after = settles(deal, own_suit), settles(deal, own_suit, "play.quinola-alone=free")
        assert before.net == after.net and paid(after, "forced", of="JH")


def test_aca_s0026_a_quinola_is_forced_in_the_first_two_tours_and_as_the_last_card(settles: Settle) -> None:
    last = lay_deal(tricks={11: "south:5H! east:JH"}, heart_first=True, where=mixed)
    for way in (way for ways in NOT_FORCED.values() for way in ways):
        source = way[:3]
        assert paid(settles(forced(1, "east"), source, way), "forced", of="JH") == (
            {} if way in ("ACA.i18", "ACA.i36", "GER.i04") else paid(settles(forced(1, "east"), source), "forced")
        )
        assert paid(settles(last, source, way), "forced", of="JH") == paid(settles(last, source), "forced", of="JH")
    need_not = settles(forced(1, "east"), "ACA", "play.follow=need-not")
    assert paid(need_not, "forced", of="JH") == {}


def test_pam_n1_the_espagnolettes_only_heart_is_forced_though_he_need_not_follow(settles: Settle) -> None:
    d = lay_deal(hands={"east": "AS AD AC"}, tricks={4: "south:5H! east:JH"}, without={"east": "H"}, where=mixed)
    assert paid(settles(d, "PAM", "PAM.i01"), "forced", of="JH")[("east", "south")] == 10


def test_aca_x_a14_only_a_sole_ace_is_forced(settles: Settle) -> None:
    deal = guarded("AD", "2D")
    assert paid(settles(deal, "ACA"), "forced", of="AD") == {}
    assert paid(settles(deal, "ACA", "ace.forced.when=own-suit"), "forced", of="AD") == {("east", "south"): 1}
    alone = lay_deal(tricks={5: "south:5D! east:AD"}, without={"east": "D"}, heart_first=True, where=mixed)
    assert paid(settles(alone, "ACA"), "forced", of="AD") == {("east", "south"): 1}


def test_aca_s0021_the_forced_ace_of_hearts_costs_double(settles: Settle) -> None:
    deal = lay_deal(tricks={1: "south:5H! east:AH"}, without={"east": "H"}, heart_first=True, where=mixed)
    assert paid(settles(deal, "ACA"), "forced", of="AH") == {("east", "south"): 2}
    assert paid(settles(deal, "GER"), "forced", of="AH") == {}


def test_ger_x_g6_quinola_put_on_a_heart_costs_nothing(settles: Settle) -> None:
    deal = guarded("JH", "2H")
    assert paid(settles(deal, "GER"), "forced", "matches-stake", "refreshed") == {}
    rival = settles(deal, "GER", "quinola.put.stake=matches")
    assert paid(rival, "matches-stake") == {("east", "pool"): 60}
    assert rival.pool.waiting == (60,)


def test_pam_n2_the_leader_forces_not_the_taker_nor_the_highest_before(settles: Settle) -> None:
    deal = lay_deal(tricks={5: "south:5H! east:KH north:JH west:AH"}, where=mixed)

    def payee(*wishes: str) -> set[str]:
        return {to for _, to in paid(settles(deal, "PAM", *wishes), "forced", of="JH")}

    assert payee() == {"south"}
    assert payee("quinola.forced.payee=taker") == {"west"}
    assert payee("quinola.forced.payee=highest-heart-before") == {"east"}


def test_pam_n2_nobody_forces_where_no_court_card_came_before_or_the_quinola_takes(settles: Settle) -> None:
    deal = lay_deal(tricks={5: "south:5H! east:2H north:JH west:3H"}, where=mixed)
    assert paid(settles(deal, "PAM"), "forced", of="JH")[("north", "south")] == 20
    for reading in ("highest-heart-before", "taker"):
        rival = settles(deal, "PAM", f"quinola.forced.payee={reading}")
        assert paid(rival, "forced", of="JH") == {}
        assert paid(rival, "matches-stake") == {("north", "pool"): 60}


def test_par_a4_forced_though_guarded_and_paid_to_the_leader_whoever_takes(settles: Settle) -> None:
    deal = lay_deal(tricks={5: "south:5H! east:KH north:JH west:AH", 8: "north:2H"}, where=mixed)
    expected = {("north", "south"): 20, ("east", "south"): 5, ("west", "south"): 5}
    assert paid(settles(deal, "PAR"), "forced", of="JH") == expected


# ---- cards thrown off
@pytest.mark.parametrize(
    ("card", "trick", "player", "pam", "par"),
    [
        ("AC", 6, "east", 1, 1),
        ("AD", 6, "east", 2, 2),
        ("AC", 6, "north", 2, 2),
        ("AC", 10, "east", 1, 2),
        ("AC", 11, "north", 4, 4),
        ("JH", 6, "east", 5, 5),
        ("JH", 11, "north", 20, 20),
    ],
)
def test_pam_s0067_par_n13_the_taker_pays_for_what_is_thrown_off(
    settles: Settle, card: str, trick: int, player: str, pam: int, par: int
) -> None:
    deal = thrown(card, trick, player)
    assert paid(settles(deal, "PAM"), "thrown-off", of=card) == {("south", player): pam}
    assert paid(settles(deal, "PAR"), "thrown-off", of=card) == {("south", player): par}


def test_pam_s0053_the_quinola_thrown_off_draws_the_remise(settles: Settle) -> None:
    for source in ("PAM", "PAR"):
        settled = settles(thrown("JH", 6, "east"), source)
        assert paid(settled, "draws-stake") == {("pool", "east"): 60}
        assert settled.pool.stake == 0 and net(settled)["pool"] == -60


@cache
def thrown_between() -> Deal:
    """South leads a spade, west takes the trick, and east throws the quinola and (later) an ace of hearts."""
    plays = {5: "south:5S! east:JH west:KS", 8: "south:6S! west:QS east:AH"}
    return lay_deal(tricks=plays, takers={5: "west", 8: "west"}, heart_first=True, where=mixed)


def test_ger_x_g4_the_leader_pays_for_the_placed_quinola_not_the_taker(settles: Settle) -> None:
    assert paid(settles(thrown_between(), "GER"), "thrown-off", of="JH") == {("south", "east"): 2}
    rival = settles(thrown_between(), "GER", "quinola.thrown-off.payer=taker")
    assert paid(rival, "thrown-off", of="JH") == {("west", "east"): 2}
    four = settles(thrown_between(), "GER", "quinola.thrown-off.amount=4")
    assert paid(four, "thrown-off", of="JH") == {("south", "east"): 4}


def test_aca_s0009_the_taker_pays_two_for_the_placed_quinola(settles: Settle) -> None:
    assert paid(settles(thrown_between(), "ACA"), "thrown-off", of="JH") == {("west", "east"): 2}


def test_ger_s0049_the_taker_pays_an_ace_and_x_g10_the_ace_of_hearts_twice(settles: Settle) -> None:
    def sums(*wishes: str) -> dict[tuple[str, str], int]:
        return paid(settles(thrown_between(), "GER", *wishes), "thrown-off", of="AH")

    assert sums() == {("west", "east"): 2}
    assert sums("ace.thrown-off.amount=2") == {("west", "east"): 4}
    assert sums("ace.favoured-amount=4") == {("west", "east"): 4}


def test_ger_x_g3_the_thrown_quinola_may_take_the_trick(settles: Settle) -> None:
    plays = {11: "south:5S! east:JH"}
    deal = lay_deal(tricks=plays, heart_first=True, where=mixed)
    plain, rival = settles(deal, "GER"), settles(deal, "GER", "play.trick-taker=thrown-quinola-takes")
    assert [e.fact.taker for e in entries(plain, "draws-stake")] != [1]
    assert [e.fact.taker for e in entries(rival, "draws-stake")] == [1]


# ---- cards led
@pytest.mark.parametrize(
    "source",
    [
        pytest.param("PAM", id="pam_n4_the_led_quinola_is_paid_by_all_three_or_by_its_player"),
        pytest.param("PAR", id="par_a2_the_two_others_pay_five_when_quinola_is_led"),
    ],
)
def test_the_led_quinola_is_paid_by_all(settles: Settle, source: str) -> None:
    deal = led("JH", 5, "south", "north")
    expected = {("south", "north"): 20, ("east", "north"): 5, ("west", "north"): 5}
    assert paid(settles(deal, source), "led", of="JH") == expected
    assert paid(settles(deal, source, "quinola.led.others-pay=0"), "led", of="JH") == {("south", "north"): 20}
    assert paid(settles(deal, "PAM"), "matches-stake") == {("south", "pool"): 60}


def test_pam_n4_doubled_by_the_trick_in_which_it_was_led(settles: Settle) -> None:
    deal = led("JH", 1, "south", "east")
    expected = {("south", "east"): 20, ("north", "east"): 10, ("west", "east"): 20}
    assert paid(settles(deal, "PAM"), "led", of="JH") == expected
    plain = {("south", "east"): 10, ("north", "east"): 5, ("west", "east"): 10}
    assert paid(settles(deal, "PAR"), "led", of="JH") == plain


def test_pam_s0072_a_led_ace_is_paid_to_the_winner_of_the_partie(settles: Settle) -> None:
    for source in ("PAM", "PAR"):
        assert paid(settles(led("AD", 5, "south", "north"), source), "led", of="AD") == {("south", "north"): 4}
        assert paid(settles(led("AC", 5, "south", "east"), source), "led", of="AC") == {("south", "east"): 1}


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("PAM", id="pam_n5_the_winner_who_has_led_the_quinola_is_paid_nothing"),
        pytest.param("PAR", id="par_a3_the_supplement_is_due_though_the_winner_led_the_quinola"),
    ],
)
def test_the_winner_who_has_led_the_quinola_matches_the_stake_and_is_paid_nothing(settles: Settle, source: str) -> None:
    deal = led("JH", 5, "south", "south")
    settled = settles(deal, source)
    assert paid(settled, "led", of="JH") == {}
    assert next(e for e in entries(settled, "led") if e.name == "quinola-led").postings == ()
    assert paid(settled, "matches-stake") == {("south", "pool"): 60}
    rival = settles(deal, source, "quinola.led.by-winner=others-pay")  # PAR.A3 (b)
    assert paid(rival, "led", of="JH") == {("east", "south"): 5, ("west", "south"): 5, ("north", "south"): 10}


def test_pam_s0072_led_cards_must_be_asked_for(settles: Settle) -> None:
    deal = led("JH", 5, "south", "north", claims=False)
    for source in ("PAM", "PAR"):
        assert paid(settles(deal, source), "led", of="JH") == {}
        assert paid(settles(deal, source, "payments.led-claimed=unasked"), "led", of="JH") != {}


def test_aca_s0018_a_led_ace_gains_and_loses_nothing(settles: Settle) -> None:
    deal = lay_deal(tricks={5: "south:AD!", 7: "east:JH!"}, heart_first=True, where=mixed)
    for source in ("ACA", "GER"):
        settled = settles(deal, source)
        assert paid(settled, "led") == {}
        assert paid(settled, "matches-stake") == {("east", "pool"): 60}
        assert settled.pool.waiting == (60,)


# ---- X-G5, X-A18: leading the quinola by need
@cache
def led_by_need() -> Deal:
    """The eldest's only heart is the quinola, and a heart must be led."""
    return lay_deal(tricks={1: "south:JH!"}, without={"south": "H"}, heart_first=True, where=mixed)


def test_aca_x_a18_and_ger_x_g5_the_quinola_led_by_need(settles: Settle) -> None:
    assert paid(settles(led_by_need(), "ACA"), "matches-stake") == {("south", "pool"): 60}
    assert paid(settles(led_by_need(), "GER"), "matches-stake") == {}
    rival = settles(led_by_need(), "GER", "quinola.led.when=any-lead")
    assert paid(rival, "matches-stake") == {("south", "pool"): 60}
    eldest = settles(led_by_need(), "GER", "quinola.led.when=free-lead-of-eldest")
    assert paid(eldest, "matches-stake") == {}


def test_ger_x_g5_the_last_card_of_all_is_led_by_need(settles: Settle) -> None:
    deal = lay_deal(tricks={11: "east:JH!"}, heart_first=True, where=mixed)
    assert paid(settles(deal, "GER"), "matches-stake") == {}
    assert paid(settles(deal, "PAM"), "matches-stake") == {("east", "pool"): 60}


def test_ger_x_g5_a_free_lead_by_another_than_the_eldest(settles: Settle) -> None:
    deal = lay_deal(tricks={5: "east:JH!"}, heart_first=True, where=mixed)
    assert paid(settles(deal, "GER"), "matches-stake") == {("east", "pool"): 60}
    assert paid(settles(deal, "GER", "quinola.led.when=free-lead-of-eldest"), "matches-stake") == {}


# ---- fines


def test_pam_s0128_two_jettons_to_the_panier(settles: Settle) -> None:
    settled = settles(revoked(), "PAM")
    assert paid(settled, "fine") == {("east", "pool"): 10}
    assert all(to != "east" for _, to in paid(settled, *{e.rule for e in settled.entries}))


def test_pam_n27_a_barred_player_is_passed_over_for_the_partie(settles: Settle) -> None:
    deal = revoked(lambda d: held_past("6S", 5)(d) and natural(d)[0] == "east")
    settled, free = settles(deal, "PAM"), settles(deal, "PAM", "revoke.bars=nothing")
    assert settled.outcome.partie is not None and settled.outcome.partie.winner != 1
    assert free.outcome.partie is not None and free.outcome.partie.winner == 1


def test_aca_x_a22_a_revoke_is_a_bete_that_joins_the_pool(settles: Settle) -> None:
    assert paid(settles(revoked(), "ACA"), "fine") == {("east", "pool"): 60}
    assert paid(settles(revoked(), "ACA", "revoke.fine=2"), "fine") == {("east", "pool"): 2}


def test_aca_x_a7_all_betes_may_be_reckoned_with_what_waits(settles: Settle) -> None:
    deal = revoked(pool={"stake": 60, "waiting": [25, 15]})
    assert paid(settles(deal, "ACA"), "fine") == {("east", "pool"): 60}
    assert paid(settles(deal, "ACA", "stake.match-base=stake-and-waiting"), "fine") == {("east", "pool"): 100}


def test_ger_s0040_two_marken_to_every_fellow_player(settles: Settle) -> None:
    assert paid(settles(revoked(), "GER"), "fine") == {("east", s): 2 for s in ("south", "north", "west")}


def test_out_of_turn_costs_pam_s0122_aca_s0015_ger_s0041(settles: Settle) -> None:
    fault = {"kind": "out-of-turn", "seat": "north", "trick": 3}
    deal = lay_deal(heart_first=True, where=mixed, told={"faults": [fault]})
    each = {("north", s): 1 for s in ("south", "east", "west")}
    for source, fine in (("PAM", {("north", "pool"): 5}), ("ACA", each), ("GER", each)):
        assert paid(settles(deal, source), "fine") == fine


def test_a_revoke_that_is_none_is_passed_over_and_said(settles: Settle) -> None:
    settled = settles(lay_deal(heart_first=True, where=mixed, told={"faults": [revoke(3, "north")]}), "PAM")
    assert paid(settled, "fine") == {}
    assert "north" in settled.passed_over[0] and "trick 3" in settled.passed_over[0]


def test_pam_n2_of_two_court_cards_before_it_the_higher_counts(settles: Settle) -> None:
    deal = lay_deal(tricks={5: "south:KH! east:QH north:JH west:9H"}, where=mixed)
    rival = settles(deal, "PAM", "quinola.forced.payee=highest-heart-before")
    assert {to for _, to in paid(rival, "forced", of="JH")} == {"south"}
