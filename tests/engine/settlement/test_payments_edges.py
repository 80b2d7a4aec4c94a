"""The edges of the payments: who is not there pays nothing, what is nothing asks nothing, and what is told of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from engine.deal.events import Fact, Fault
from engine.readings.ask import Ask
from engine.readings.meanings.cards import OWED_BY_CLAIM
from engine.settlement.ledger import NO_MONEY, ONE_STAKE, Money, Posting
from engine.settlement.nonpayment import NONPAYMENT_REASONS, Not, pick_decisive_reason
from engine.settlement.payments.amounts import card_worth, post_payment, price_card, trick_factor
from engine.settlement.payments.cards import (
    draw_stake,
    explain_nobody_owed,
    match_stake,
    pay_forced,
    pay_led,
    pay_thrown_off,
)
from engine.settlement.payments.fate import classify_card_fate, unforced_by
from engine.settlement.payments.fines import give_back_fines, pay_fine
from engine.settlement.payments.partie import pay_debt, pay_partie, shares_loser_debt
from engine.settlement.payments.returns import keeps_payment, pay_back_stake, pay_back_thrown_off
from engine.settlement.payments.reversis import (
    pay_breaking_quinola,
    pay_reversis_broken,
    pay_reversis_by_quinola,
    pay_reversis_made,
    pay_reversis_stake,
)
from engine.settlement.payments.rules import RULES
from engine.settlement.payments.stake import explain_stake_unwon, pay_stake_by_tricks, refresh_stake
from engine.settlement.settle import CLOSING
from tests.support.settling import Rules

SOUTH, EAST, NORTH, WEST = range(4)


def fact(kind: str = "quinola", **told: object) -> Fact:
    plain: dict[str, object] = {"seats": 4, "dealer": WEST, "eldest": SOUTH, "last": 11, "player": EAST, "suit": "H"}
    return Fact(kind, **(plain | told))  # type: ignore[arg-type]


def seen(**told: object) -> Any:
    """An outcome in which nothing has come about but what is told."""
    nobody = dict.fromkeys(("hero", "winner", "loser", "twin", "espagnolette", "kept", "broken_in"))
    no = dict.fromkeys(("made", "espagnolette_lost", "forfeited", "stake_won"), False)
    return SimpleNamespace(**(nobody | no | {"breakers": (), "stake_winners": (), "talon_value": 7} | told))


# ---- nothing and nobody
def test_who_is_not_there_neither_pays_nor_is_paid() -> None:
    for payer, payee in ((None, EAST), (EAST, None), (None, None)):
        assert list(post_payment(payer, payee, Money(3))) == []
    assert list(post_payment(SOUTH, EAST, Money(3))) == [Posting(SOUTH, EAST, Money(3))]
    assert list(post_payment(EAST, EAST, Money(3))) == [Not("own")]
    assert list(post_payment(SOUTH, EAST, NO_MONEY, by="x")) == [Not("nobody-pays", "x")]


def test_for_nothing_nobody_asks_where_the_others_sit(rules: Rules) -> None:
    ask = Ask(rules("PAM"))
    assert price_card(fact(trick=3), "led", SOUTH, NORTH, 0, ask) == NO_MONEY and ask.asked == ()
    assert price_card(fact(trick=3), "led", SOUTH, NORTH, 2, ask).plain == 4 and "payments.opposite" in ask.asked


@pytest.mark.parametrize(("favoured", "worth"), [("{times: 3}", 15), ("{times: 1}", 5), ("{sum: 7}", 7)])
def test_the_favoured_ace_is_worth_a_multiple_or_a_sum_of_its_own(rules: Rules, favoured: str, worth: int) -> None:
    ask = Ask(rules("PAM", "ace.favoured-suit=D", f"ace.favoured-amount={favoured}"))
    assert card_worth(fact("ace", suit="D"), 5, ask) == worth
    assert card_worth(fact("ace", suit="S"), 5, ask) == card_worth(fact("quinola", suit="D"), 5, ask) == 5
    assert card_worth(fact("ace", suit="D"), 0, ask) == 0


def test_tricks_that_count_more_are_counted_from_the_first_or_from_the_last(rules: Rules) -> None:
    for tricks, doubled in (("[1]", {1}), ("[-1]", {11}), ("[-2, 1]", {10, 1})):
        ask = Ask(rules("PAM", f"payments.doubled-tricks={tricks}", "payments.trick-factor=3"))
        assert {trick for trick in range(1, 12) if trick_factor(fact(trick=trick), "led", ask) == 3} == doubled


def test_why_nothing_is_paid_for_a_card_is_told_where_one_might_look_for_it(rules: Rules) -> None:
    ask = Ask(rules("PAM", "quinola.thrown-off.payer=nobody"))
    told = list(pay_thrown_off(fact(manner="thrown-off", leader=SOUTH, taker=SOUTH), seen(), ask))
    assert told == [Not("nobody-pays", "quinola.thrown-off.payer", said=True)]
    spared = Ask(rules("PAM", "espagnolette.forced=nothing", "quinola.forced.when=own-suit"))
    lone = fact(manner="followed", leader=SOUTH, taker=SOUTH, privileged=True)
    assert list(match_stake(lone, seen(espagnolette=EAST), spared)) == [
        Not("not-forced", "espagnolette.forced", said=True)
    ]


def test_for_a_led_card_nobody_is_owed_by_the_rules_or_in_a_reversis_or_because_nobody_has_won() -> None:
    assert explain_nobody_owed("nobody", "ace.led.payee", seen()) == Not("nobody-pays", "ace.led.payee", said=True)
    for reading in (OWED_BY_CLAIM, "another"):
        assert explain_nobody_owed(reading, "ace.led.payee", seen()) == Not("no-payee", "ace.led.payee", said=True)
    assert explain_nobody_owed("another", "ace.led.payee", seen(hero=EAST)).reason == "no-payee"
    in_reversis = explain_nobody_owed(OWED_BY_CLAIM, "ace.led.payee", seen(hero=EAST))
    assert in_reversis == Not("reversis", "partie.in-reversis", said=True)


def test_what_says_that_a_card_which_fell_to_its_own_suit_was_not_forced(rules: Rules) -> None:
    fell = fact(manner="followed", leader=SOUTH, taker=SOUTH, alone=False)
    assert unforced_by(fell, seen(), Ask(rules("PAM", "quinola.forced.when=own-suit"))) == "espagnolette.forced"
    assert unforced_by(fell, seen(), Ask(rules("PAM", "quinola.forced.when=sole-card"))) == "quinola.forced.when"


@pytest.mark.parametrize(
    ("claimer", "pays", "payer"),
    [
        (None, "[pays-for-thrown-cards]", SOUTH),
        (NORTH, "[pays-for-thrown-cards]", NORTH),
        (EAST, "[pays-for-thrown-cards]", SOUTH),
        (NORTH, "[played-out]", SOUTH),
        (NORTH, "[pays-for-all-thrown-cards]", NORTH),
    ],
)
def test_who_has_thrown_down_a_hand_may_pay_for_the_cards_that_others_throw_off(
    rules: Rules, claimer: int | None, pays: str, payer: int
) -> None:
    """East, who throws the quinola off, does not pay for it, though it was east who threw the hand down."""
    ask = Ask(rules("PAM", f"play.thrown-down={pays}", "payments.opposite=1", "payments.doubled-tricks=[]"))
    thrown = fact(manner="thrown-off", leader=SOUTH, taker=SOUTH, trick=3, claimer=claimer, throws_down=claimer)
    (one,) = pay_thrown_off(thrown, seen(), ask)
    assert isinstance(one, Posting) and (one.payer, one.payee) == (payer, EAST)


@pytest.mark.parametrize(
    ("kind", "payee", "told", "why"),
    [
        ("ace", "nobody", {}, "nobody-pays"),
        ("quinola", "nobody", {}, "nobody-pays"),
        ("quinola", "highest-heart-before", {}, "no-payee"),
        ("quinola", "taker", {"taker": EAST}, "own"),
        ("ace", "taker", {"taker": EAST}, "own"),
    ],
)
def test_why_nobody_is_paid_for_a_forced_card_is_told(
    rules: Rules, kind: str, payee: str, told: dict[str, object], why: str
) -> None:
    ask = Ask(rules("PAM", f"{kind}.forced.payee={payee}", f"{kind}.forced.when=own-suit"))
    fell = fact(kind, **({"manner": "followed", "leader": SOUTH, "taker": SOUTH, "trick": 3} | told))
    assert list(pay_forced(fell, seen(), ask)) == [Not(why, f"{kind}.forced.payee", said=True)]


def test_what_is_not_paid_in_the_play_though_the_source_speaks_of_it_is_told(rules: Rules) -> None:
    put = fact(manner="followed", leader=SOUTH, taker=SOUTH, trick=3)
    sole = Ask(rules("PAM", "quinola.forced.when=sole-card"))
    assert list(pay_forced(put, seen(), sole)) == [Not("not-forced", "quinola.forced.when", said=True)]
    unasked = fact(manner="led", leader=EAST, taker=SOUTH, trick=3, claimed=False)
    claims = Ask(rules("PAM", f"quinola.led.payee={OWED_BY_CLAIM}", "payments.led-claimed=must-be-claimed"))
    assert list(pay_led(unasked, seen(winner=NORTH), claims)) == [Not("unclaimed", "payments.led-claimed", said=True)]
    bound = Ask(rules("PAM", "quinola.led.when=free-lead"))
    assert list(match_stake(unasked, seen(), bound)) == [Not("led-otherwise", "quinola.led.when", said=True)]


def test_only_a_forced_quinola_of_an_espagnolette_is_put_instead(rules: Rules) -> None:
    ask = Ask(rules("PAM", "espagnolette.forced=nothing", "quinola.forced.when=own-suit"))
    for manner, fate in (("followed", "put"), ("led", "led"), ("thrown-off", "thrown-off")):
        own = fact(manner=manner, leader=SOUTH, taker=SOUTH, privileged=True)
        assert classify_card_fate(own, seen(espagnolette=EAST), ask) == fate
    other = fact(manner="followed", leader=SOUTH, taker=SOUTH, privileged=True)
    assert classify_card_fate(other, seen(espagnolette=NORTH), ask) == "forced"


# ---- the stake
@pytest.mark.parametrize(
    ("times", "into", "paid"),
    [
        (0, "new-pool", []),
        (1, "new-pool", [("add", 1)]),
        (2, "new-pool", [("add", 1), ("supplement", 1)]),
        (3, "new-pool", [("add", 1), ("supplement", 2)]),
        (2, "same-pool", [("add", 2)]),
    ],
)
def test_a_losing_espagnolette_pays_the_stake_back_manifold(
    rules: Rules, times: int, into: str, paid: list[tuple[str, int]]
) -> None:
    wishes = (f"espagnolette.lost.stake={times}", f"espagnolette.lost.stake-into={into}")
    ask = Ask(rules("PAM", "quinola.thrown-off.stake=draws", *wishes))
    lost = seen(espagnolette=EAST, espagnolette_lost=True)
    told = list(pay_back_stake(fact(manner="thrown-off"), lost, ask))
    postings = [one for one in told if isinstance(one, Posting)]
    assert [(one.operation, one.money.stakes) for one in postings] == paid
    if not times:
        assert told == [Not("nobody-pays", "espagnolette.lost.stake", said=True)]
    assert list(draw_stake(fact(manner="thrown-off"), lost, ask)) == [Posting("pool", EAST, ONE_STAKE, "draw")]


def test_that_no_tricks_have_won_the_stake_is_told_once_at_the_dealers(rules: Rules) -> None:
    ask = Ask(rules("GER"))
    assert list(pay_stake_by_tricks(fact("seat", player=EAST), seen(), ask)) == []
    assert len(list(pay_stake_by_tricks(fact("seat", player=WEST), seen(), ask))) == 1
    assert list(pay_stake_by_tricks(fact("seat", player=WEST), seen(stake_winners=(EAST,)), ask)) == []
    (won,) = pay_stake_by_tricks(fact("seat", player=EAST), seen(stake_winners=(EAST, WEST)), ask)
    assert won == Posting("pool", EAST, Money(0, 1, 0, 2), "draw")


def test_why_no_tricks_have_won_the_stake(rules: Rules) -> None:
    draws = Ask(rules("GER", "reversis.stake=draws", "stake.by-tricks=[fewest-tricks]"))
    nothing = Ask(rules("GER", "reversis.stake=nothing", "stake.by-tricks=[fewest-tricks]"))
    made, broken = seen(hero=EAST, made=True), seen(hero=EAST)
    assert explain_stake_unwon(made, draws) == Not("won-otherwise", "reversis.stake")
    assert (
        explain_stake_unwon(broken, draws) == explain_stake_unwon(made, nothing) == Not("reversis", "stake.by-tricks")
    )
    assert explain_stake_unwon(seen(stake_won=True), draws) == Not("won-otherwise", "quinola.thrown-off.stake")
    assert explain_stake_unwon(seen(), draws) == Not("no-payee", "stake.by-tricks")


def test_that_the_stake_is_not_renewed_after_a_quinola_is_told_where_the_source_speaks_of_it(rules: Rules) -> None:
    wishes = ("stake.refreshed.when=[led]", "stake.refreshed.unless-won=only-if-not-won", "stake.refreshed.amount=2")
    led, thrown = (fact(manner=manner, leader=EAST, taker=SOUTH) for manner in ("led", "thrown-off"))
    ask = Ask(rules("PAM", *wishes))
    assert list(refresh_stake(thrown, seen(), ask)) == [Not("not-then", "stake.refreshed.when", said=True)]
    won = list(refresh_stake(led, seen(stake_won=True), ask))
    assert won == [Not("won-otherwise", "stake.refreshed.unless-won", said=True)]
    assert list(refresh_stake(led, seen(), ask)) == [Posting(seat, "pool", Money(2), "add") for seat in range(4)]


@pytest.mark.parametrize(
    ("fault", "joined", "laid"),
    [("revoke", "joined", "add"), ("revoke", "separate", "wait"), ("out-of-turn", "separate", "add")],
)
def test_only_the_fine_for_a_revoke_may_lie_beside_the_stake(rules: Rules, fault: str, joined: str, laid: str) -> None:
    ask = Ask(rules("PAM", f"{fault}.fine=5", f"{fault}.payee=pool", f"revoke.fine-joined={joined}"))
    due = fact("fault", manner=fault, trick=2, fault=Fault(fault, EAST, 2))
    assert list(pay_fine(due, seen(), ask)) == [Posting(EAST, "pool", Money(5), laid)]


# ---- the partie
def test_the_partie_is_told_once_where_nobody_has_won_it(rules: Rules) -> None:
    ask = Ask(rules("PAM"))
    assert list(pay_partie(fact("seat", player=EAST), seen(), ask)) == []
    assert list(pay_partie(fact("seat", player=WEST), seen(), ask)) == [Not("no-payee", "partie.winner")]
    assert list(pay_partie(fact("seat", player=WEST), seen(forfeited=True), ask)) == [
        Not("barred", "barred.partie", True)
    ]
    assert list(pay_partie(fact("seat", player=EAST), seen(hero=EAST), ask)) == [
        Not("reversis", "partie.in-reversis", True)
    ]
    assert list(pay_partie(fact("seat", player=WEST), seen(hero=EAST), ask)) == []
    idle = list(pay_partie(fact("seat", player=WEST), seen(winner=SOUTH, loser=EAST), ask))
    assert idle == [Not("another-pays", "partie.paid-by")]


def test_the_loser_pays_the_partie_and_the_winner_pays_nothing(rules: Rules) -> None:
    ask, over = Ask(rules("PAM", "partie.opposite=2")), seen(winner=SOUTH, loser=NORTH)
    (paid,) = pay_partie(fact("seat", player=NORTH), over, ask)
    assert isinstance(paid, Posting) and (paid.payer, paid.payee, paid.money.plain % 2) == (NORTH, SOUTH, 0)
    assert list(pay_partie(fact("seat", player=SOUTH), over, ask)) == []


@pytest.mark.parametrize(("debt", "first", "second"), [(8, 4, 4), (7, 4, 3), (1, 1, 0)])
def test_of_two_who_bear_a_debt_the_first_pays_the_odd_unit(rules: Rules, debt: int, first: int, second: int) -> None:
    ask, over = Ask(rules("PAM", "partie.opposite=1")), seen(winner=SOUTH)
    told = list(pay_debt(debt, (EAST, WEST), fact("seat"), over, ask))
    nothing = Not("nothing-owed", "partie.amount")
    assert told == [Posting(EAST, SOUTH, Money(first)), Posting(WEST, SOUTH, Money(second)) if second else nothing]
    assert list(pay_debt(0, (None,), fact("seat"), over, ask)) == []  # of nobody it is not told that nothing is owed


@pytest.mark.parametrize(
    ("share", "paid"),
    [
        ("none", {EAST: [(EAST, 7)], SOUTH: []}),
        ("debt-shared", {EAST: [(EAST, 4), (SOUTH, 3)], SOUTH: []}),
        ("own-points-halved", {EAST: [(EAST, 7)], SOUTH: [(EAST, 3), (SOUTH, 2)]}),
    ],
)
def test_who_led_first_may_bear_a_part_of_the_partie(
    rules: Rules, share: str, paid: dict[int, list[tuple[int, int]]]
) -> None:
    """West wins, east loses, and south, with five points, led first; the talon is worth seven."""
    wishes = ("partie.amount=talon-cards", "partie.paid-by=loser", "partie.opposite=1", "partie.per-point=1")
    ask = Ask(rules("PAM", *wishes, f"partie.eldest-share={share}"))
    for seat, sums in paid.items():
        told = list(pay_partie(fact("seat", player=seat, points=5), seen(winner=WEST, loser=EAST), ask))
        assert [(p.payer, p.money.plain) for p in told if isinstance(p, Posting)] == sums
        idle = not sums and share == "none"
        assert [n.reason for n in told if isinstance(n, Not)] == ["another-pays"] * idle


def test_who_bears_a_part_pays_it_together_with_the_loser() -> None:
    at = seen(winner=WEST, loser=NORTH)
    assert shares_loser_debt(fact("seat", player=SOUTH), at, "debt-shared")
    assert not shares_loser_debt(fact("seat", player=SOUTH), at, "none")
    assert not shares_loser_debt(fact("seat", player=EAST), at, "debt-shared")
    assert not shares_loser_debt(fact("seat", player=NORTH), at, "debt-shared")
    assert not shares_loser_debt(fact("seat", player=SOUTH), seen(winner=WEST), "debt-shared")


# ---- the reversis
def test_without_a_reversis_nobody_pays_for_one(rules: Rules) -> None:
    ask = Ask(rules("PAM"))
    assert list(pay_reversis_made(fact("seat"), seen(), ask)) == []
    took = fact(manner="followed", trick=3, taker=EAST, leader=SOUTH)
    assert list(pay_breaking_quinola(took, seen(), ask)) == []
    assert list(pay_breaking_quinola(took, seen(hero=SOUTH, made=True), ask)) == []
    assert list(pay_breaking_quinola(took, seen(hero=SOUTH), ask)) == [Not("nobody-pays", "reversis.broken.breaker")]


def test_whether_the_reversis_draws_the_stake_is_told_at_the_quinola_or_not_at_all(rules: Rules) -> None:
    made, hero = seen(hero=EAST, made=True), fact("seat", player=EAST)
    for reading, why in (("own-quinola-early", "told-at-quinola"), ("nothing", "nobody-pays")):
        told = list(pay_reversis_stake(hero, made, Ask(rules("PAM", f"reversis.stake={reading}"))))
        assert told == [Not(why, "reversis.stake")]


def test_whoever_has_made_his_reversis_pays_nobody_for_a_broken_one(rules: Rules) -> None:
    ask, hero = Ask(rules("PAM")), fact("seat", player=EAST)
    assert list(pay_reversis_broken(hero, seen(hero=EAST, made=True), ask)) == [Not("made", "reversis.undertaken")]
    assert list(pay_reversis_broken(hero, seen(hero=EAST), ask)) == [Not("nobody-pays", "reversis.broken.breaker")]
    assert list(pay_reversis_broken(fact("seat", player=SOUTH), seen(hero=EAST), ask)) == []


def test_a_quinola_that_another_has_taken_has_not_broken_the_reversis(rules: Rules) -> None:
    ask = Ask(rules("PAM"))
    lost = fact(manner="followed", trick=3, taker=SOUTH, leader=SOUTH)
    assert list(pay_breaking_quinola(lost, seen(hero=SOUTH), ask)) == []
    own = fact(manner="followed", trick=3, player=SOUTH, taker=SOUTH, leader=EAST)
    assert list(pay_breaking_quinola(own, seen(hero=SOUTH), ask)) == []


@pytest.mark.parametrize("payers", ["all-pay", "holder-pays"])
def test_where_nobody_is_paid_for_a_forced_quinola_nobody_is_for_one_that_breaks(rules: Rules, payers: str) -> None:
    ask = Ask(rules("PAM", f"reversis.breaking-quinola={payers}", "quinola.forced.payee=nobody"))
    took = fact(manner="followed", trick=3, taker=EAST, leader=SOUTH)
    broken = seen(hero=SOUTH, breakers=(EAST,), broken_in=3)
    assert list(pay_breaking_quinola(took, broken, ask)) == [Not("nobody-pays", "quinola.forced.payee")]


def test_an_espagnolette_that_is_not_paid_for_breaking_is_told(rules: Rules) -> None:
    ask = Ask(rules("PAM", "espagnolette.breaks.paid=nothing"))
    broken = seen(hero=EAST, breakers=(NORTH,), espagnolette=NORTH)
    told = list(pay_reversis_broken(fact("seat", player=EAST), broken, ask))
    assert told == [Not("nobody-pays", "espagnolette.breaks.paid", said=True)]


@pytest.mark.parametrize(("trick", "early"), [(8, True), (9, True), (10, False), (11, False)])
def test_the_quinola_draws_the_stake_for_a_reversis_before_the_last_tricks_only(
    rules: Rules, trick: int, early: bool
) -> None:
    wishes = ("reversis.stake=own-quinola-early", "reversis.undertaken=2", "reversis.stake.whose-quinola=his-own")
    ask = Ask(rules("PAM", *wishes))
    told = list(pay_reversis_by_quinola(fact(manner="led", trick=trick), seen(hero=EAST, made=True), ask))
    if early:
        assert [(one.payer, one.payee) for one in told if isinstance(one, Posting)] == [("pool", EAST)]
    else:
        assert told == [Not("too-late", "reversis.stake", said=True)]


# ---- the espagnolette
@pytest.mark.parametrize("player", [EAST, SOUTH])
def test_a_lost_espagnolette_that_gives_nothing_back_is_told(rules: Rules, player: int) -> None:
    question = f"espagnolette.lost.returns-{'own' if player == EAST else 'others'}"
    thrown = fact(manner="thrown-off", player=player, leader=NORTH, taker=NORTH)
    told = list(
        pay_back_thrown_off(thrown, seen(espagnolette=EAST, espagnolette_lost=True), Ask(rules("PAM", f"{question}=0")))
    )
    assert told == [Not("nobody-pays", question, said=True)]


@pytest.mark.parametrize(("lost", "player"), [(True, SOUTH), (False, EAST), (False, SOUTH)])
def test_only_a_lost_espagnolette_pays_back_the_stake_for_the_own_quinola(
    rules: Rules, lost: bool, player: int
) -> None:
    ask = Ask(rules("PAM", "espagnolette.lost.stake=2"))
    at = seen(espagnolette=EAST, espagnolette_lost=lost)
    assert list(pay_back_stake(fact(manner="thrown-off", player=player), at, ask)) == []


@pytest.mark.parametrize(
    ("manner", "player", "payee", "keeps"),
    [
        ("thrown-off", EAST, EAST, True),
        ("thrown-off", EAST, SOUTH, False),
        ("thrown-off", SOUTH, EAST, False),
        ("led", EAST, EAST, False),
    ],
)
def test_an_espagnolette_keeps_what_was_paid_for_the_own_cards_thrown_off(
    manner: str, player: int, payee: int, keeps: bool
) -> None:
    posting = Posting(NORTH, payee, Money(5))
    assert keeps_payment(posting, fact(manner=manner, player=player), seen(kept=EAST)) is keeps


def test_fines_go_back_only_to_him_who_has_made_the_reversis(rules: Rules) -> None:
    ask = Ask(rules("PAM", "reversis.returns-fines=yes", "out-of-turn.fine=5", "out-of-turn.payee=pool"))
    early = fact("fault", manner="out-of-turn", trick=2, fault=Fault("out-of-turn", EAST, 2))
    assert list(give_back_fines(early, seen(hero=EAST), ask)) == []
    assert list(give_back_fines(early, seen(hero=SOUTH, made=True), ask)) == []
    (back,) = give_back_fines(early, seen(hero=EAST, made=True), ask)
    assert isinstance(back, Posting) and (back.payer, back.payee, back.undoes) == ("pool", EAST, True)


# ---- the table of contents
def test_what_undoes_and_what_hangs_on_the_end_closes_the_deal() -> None:
    back = {rule.name for rule in RULES if rule.name.endswith("-returned")}
    more = {"espagnolette-returns", "espagnolette-returns-stake", "reversis-by-quinola", "breaking-quinola"}
    assert back | more | {"reversis-made", "reversis-broken", "reversis-stake", "refreshed"} == CLOSING
    assert {"thrown-off-returned", "forced-returned", "led-returned", "fine-returned"} <= back
    in_reversis = {rule.name for rule in RULES if rule.in_reversis}
    made = {"reversis-by-quinola", "breaking-quinola", "reversis-made", "reversis-broken", "reversis-stake"}
    assert in_reversis == back | made


def test_of_several_pools_a_reversis_and_tricks_may_win_each() -> None:
    assert {rule.name for rule in RULES if rule.each_pool} == {"reversis-stake", "stake-by-tricks"}


def test_of_several_reasons_one_that_is_told_comes_first_and_then_the_foremost() -> None:
    first, second = list(NONPAYMENT_REASONS)[:2]
    quiet, told = Not(first), Not(second, said=True)
    assert pick_decisive_reason([quiet, told]) == pick_decisive_reason([told, quiet]) == told
    assert pick_decisive_reason([Not(second), quiet]) == quiet
