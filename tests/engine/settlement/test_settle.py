"""Whole settlements: reversis, espagnolette, the pool after the deal, fragments, silence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from engine.deal.events import Announcement
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.play.table import Refusal
from engine.settlement.result_json import result
from engine.settlement.settle import Refused, Settled, Unanswered, settle
from rulebook.model import Library
from rulebook.resolve import drop_answer
from tests.support.deals import (
    FOUR,
    Laid,
    entries,
    held_past,
    laid,
    lay_deal,
    mixed,
    natural,
    net,
    paid,
    read,
    record,
    revoke,
    revoked,
)
from tests.support.settling import Refuse, Rules, Settle

SPADES = "AS KS QS JS 9S 8S 7S 6S 5S"  # nine of them led from the top take nine tricks


def plays(first: list[str], then: dict[int, str]) -> dict[int, str]:
    """South leads these cards one after another; what else happens is added trick by trick."""
    tricks = {n: f"south:{c}!" for n, c in enumerate(first, 1)}
    for n, text in then.items():
        tricks[n] = f"{tricks.get(n, '')} {text}".strip()
    return tricks


@cache
def made(quinola_by: str = "talon", trick: int = 4) -> Deal:
    """South takes all eleven tricks with spades."""
    cards = [*SPADES.split(), "4S", "3S"]
    then = {} if quinola_by == "talon" else {trick: f"{quinola_by}:JH"}
    talon = "JH" if quinola_by == "talon" else ""
    return lay_deal(talon=talon, tricks=plays(cards, then))


@cache
def made_with_hearts(quinola_at: int, dealer: str = "west") -> Deal:
    """South takes all with hearts and spades, and leads the quinola in one of them."""
    cards = ["AH", "KH", "QH", "9H", "8H", "AS", "KS", "QS", "JS", "9S"]
    cards.insert(quinola_at - 1, "JH")
    return lay_deal(tricks=plays(cards, {}), takers=dict.fromkeys(range(1, 12), "south"))


@cache
def broken(tenth: str, eleventh: str = "", first: str = SPADES, hands: str = "") -> Deal:
    """South takes nine, then leads a low club and a low diamond."""
    then = {10: tenth} | ({11: eleventh} if eleventh else {})
    return lay_deal(hands={"south": "2C 2D"}, tricks=plays(first.split(), then))


ROYAL = "AH KH QH JH 9H AS KS QS JS"


# ---- reversis: PAM and PAR
def test_pam_s0079_sixteen_of_each_and_thirty_two_of_opposite(settles: Settle) -> None:
    for source in ("PAM", "PAR"):
        settled = settles(made(), source)
        assert net(settled) == {"south": 64, "east": -16, "north": -32, "west": -16, "pool": 0}
        assert settled.pool.stake == 60 and settled.outcome.partie is None
        assert settled.outcome.reversis == (0, True, ())


def test_pam_s0078_all_is_given_back_whoever_paid_it(settles: Settle) -> None:
    for source in ("PAM", "PAR"):
        settled = settles(made("east"), source)
        assert paid(settled, "draws-stake") == {("pool", "east"): 60}
        assert net(settled) == {"south": 64, "east": -16, "north": -32, "west": -16, "pool": 0}
        assert settled.pool.stake == 60


def test_pam_s0056_the_quinola_led_early_draws_the_remise(settles: Settle) -> None:
    for source in ("PAM", "PAR"):
        settled = settles(made_with_hearts(4), source)
        assert net(settled) == {"south": 124, "east": -16, "north": -32, "west": -16, "pool": -60}
        assert settled.pool.stake == 0


def test_pam_s0058_the_quinola_in_the_last_two_draws_nothing(settles: Settle) -> None:
    for source in ("PAM", "PAR"):
        for trick in (10, 11):
            settled = settles(made_with_hearts(trick), source)
            assert net(settled)["south"] == 64 and settled.pool.stake == 60


def test_pam_s0057_broken_with_the_quinola_led_early_costs_the_remise_too(settles: Settle) -> None:
    deal = broken("south:2C! east:KC", first=ROYAL)
    settled = settles(deal, "PAM")
    assert net(settled) == {"south": -124, "east": 64, "north": 0, "west": 0, "pool": 60}
    assert settled.pool == Pool(120)
    assert settled.outcome.partie is None and settled.outcome.reversis == (0, False, (1,))
    assert settles(deal, "PAR").pool == Pool(120)  # PAR.A8: one supplement, as large as the pool before trick 1


def test_pam_s0080_broken_without_the_quinola_costs_sixty_four(settles: Settle) -> None:
    deal = broken("south:2C! north:KC")
    for source in ("PAM", "PAR"):  # PAR.A9: flat, though he sits opposite
        settled = settles(deal, source)
        assert net(settled) == {"south": -64, "east": 0, "north": 64, "west": 0, "pool": 0}


def test_pam_n6_only_the_first_breaks_or_each(settles: Settle) -> None:
    deal = broken("south:2C! east:AC", "east:3D! west:AD")
    settled = settles(deal, "PAM")
    assert net(settled) == {"south": -64, "east": 64, "north": 0, "west": 0, "pool": 0}
    rival = settles(deal, "PAM", "reversis.broken.breaker=each")
    assert net(rival) == {"south": -128, "east": 64, "north": 0, "west": 64, "pool": 0}


@cache
def quinola_forced_from_the_undertaker() -> Deal:
    """East leads a low heart to trick 1; south takes it with the quinola, and all that follows."""
    rest = ["AS", "KS", "QS", "JS", "9S", "8S", "7S", "6S", "5S", "4S"]
    tricks = {n: f"south:{c}!" for n, c in enumerate(rest, 2)} | {1: "east:5H! north:4H west:3H south:JH"}
    return lay_deal(tricks=tricks, dealer="south", without={"west": "H"})


def test_pam_n7_edge_2_the_undertakers_quinola_forced_in_trick_one_counts(settles: Settle) -> None:
    deal = quinola_forced_from_the_undertaker()
    for source in ("PAM", "PAR"):  # PAR.A10: in whatever way
        assert net(settles(deal, source))["south"] == 124
    rival = settles(deal, "PAM", "reversis.stake.whose-quinola=his-own-unless-forced")
    assert net(rival)["south"] == 64 and rival.pool.stake == 60
    free = ("quinola.forced.when=sole-card", "quinola.put.stake=nothing", "play.quinola-alone=free")
    put = settles(deal, "PAM", "reversis.stake.whose-quinola=his-own-unless-forced", *free)
    assert net(put)["south"] == 124  # put by choice, and so not forced


def test_pam_n7_edge_1_another_players_quinola_does_not_count(settles: Settle) -> None:
    assert net(settles(made("north"), "PAM"))["south"] == 64
    rival = settles(made("north"), "PAM", "reversis.stake.whose-quinola=any-he-takes")
    assert net(rival)["south"] == 124 and rival.pool.stake == 0


def test_pam_n7_anothers_quinola_is_never_his_own(settles: Settle) -> None:
    rival = settles(made("north"), "PAM", "reversis.stake.whose-quinola=his-own-unless-forced")
    assert net(rival)["south"] == 64 and rival.pool.stake == 60


@cache
def broken_by_quinola(holder: str = "east", trick: int = 10) -> Deal:
    """South leads a low heart, and the quinola takes it."""
    cards = "2H 2D" if trick == 10 else "2H"
    first = SPADES if trick == 10 else f"{SPADES} 4S"
    tricks = plays(first.split(), {trick: f"south:2H! {holder}:JH"})
    return lay_deal(hands={"south": cards}, tricks=tricks, takers={trick: holder})


def test_par_a10b_the_quinola_that_breaks_is_paid_as_forced(settles: Settle) -> None:
    settled = settles(broken_by_quinola("east"), "PAR")
    assert net(settled) == {"south": -64 + 20 + 20 + 10, "east": 64 - 20, "north": -20, "west": -10, "pool": 0}
    opposite = settles(broken_by_quinola("north", 11), "PAR")
    assert net(opposite) == {"south": -64 + 40 + 20, "east": -10, "north": 64 - 40, "west": -10, "pool": 0}
    alone = settles(broken_by_quinola("east"), "PAR", "reversis.breaking-quinola=holder-pays")
    assert net(alone) == {"south": -44, "east": 44, "north": 0, "west": 0, "pool": 0}
    assert net(settles(broken_by_quinola("east"), "PAM"))["south"] == -64


def test_par_a10b_the_quinola_that_falls_without_taking_is_paid_nothing(settles: Settle) -> None:
    tricks = plays(SPADES.split(), {10: "south:2H! east:JH north:KH"})
    deal = lay_deal(hands={"south": "2D"}, tricks=tricks, takers={10: "north"})
    assert net(settles(deal, "PAR")) == {"south": -64, "east": 0, "north": 64, "west": 0, "pool": 0}


def test_par_a16_an_announced_reversis_that_fails_early_costs_nothing(settles: Settle) -> None:
    plain = lay_deal(where=mixed)
    said = settles(replace(plain, announced=(Announcement("reversis", 0),)), "PAR")
    assert said.net == settles(plain, "PAR").net and said.outcome.reversis is None


# ---- reversis: ACA and GER
def test_aca_x_a16_two_of_each_the_pool_and_all_he_has_paid(settles: Settle) -> None:
    settled = settles(made("east"), "ACA")
    assert paid(settled, "thrown-off", of="JH") == {("south", "east"): 2}
    assert net(settled) == {"south": 66, "east": -2, "north": -2, "west": -2, "pool": -60}
    assert settled.pool == Pool(0) and settled.outcome.partie is None


@cache
def made_with_a_fine() -> Deal:
    fault = {"kind": "out-of-turn", "seat": "south", "trick": 2}
    return lay_deal(tricks=plays([*SPADES.split(), "4S", "3S"], {}), talon="JH", told={"faults": [fault]})


def test_aca_x_a16_fines_come_back_too_or_stay(settles: Settle) -> None:
    deal = made_with_a_fine()
    assert net(settles(deal, "ACA"))["south"] == 66
    assert net(settles(deal, "ACA", "reversis.returns-fines=no"))["south"] == 63
    assert net(settles(deal, "GER"))["south"] == 63 - 2  # X-G15: not fines; X-G16: the quinola lies in the talon
    assert net(settles(deal, "PAM"))["south"] == 64 - 5


@cache
def all_hearts() -> Deal:
    """South takes all with hearts, leading the quinola freely."""
    hearts = ["AH", "KH", "QH", "JH", "9H", "8H", "7H", "6H", "5H", "4H", "3H"]
    return lay_deal(tricks=plays(hearts, {}))


def test_aca_x_a16_his_own_bete_is_taken_back(settles: Settle) -> None:
    for source in ("ACA", "GER"):
        settled = settles(all_hearts(), source)
        assert paid(settled, "matches-stake") == {("south", "pool"): 60}
        assert settled.pool == Pool(0) and net(settled)["south"] == 66


def test_ger_x_g15_only_what_went_into_the_basket_comes_back(settles: Settle) -> None:
    wish = "reversis.returns=makers-own-to-pool-and-thrown-quinola"
    tricks = plays([*SPADES.split(), "4S", "3S"], {3: "east:JH", 5: "north:AD", 6: "west:AH"})
    deal = lay_deal(tricks=tricks, hands={"east": "AC"})
    assert net(settles(deal, "GER"))["south"] == 66
    rival = settles(deal, "GER", wish)
    aces = sum(paid(rival, "thrown-off").values()) - 2
    assert aces == 1 + 2 + 1 and net(rival)["south"] == 66 - aces
    assert net(settles(all_hearts(), "GER", wish))["south"] == net(settles(all_hearts(), "GER"))["south"] - sum(
        paid(settles(all_hearts(), "GER"), "thrown-off").values()
    )


def test_ger_x_g14_the_reversis_draws_the_satz_or_not(settles: Settle) -> None:
    assert net(settles(made("east"), "GER"))["south"] == 66
    rival = settles(made("east"), "GER", "reversis.stake=nothing")
    assert net(rival)["south"] == 6 and rival.pool.stake == 60
    assert rival.outcome.next_dealer == 0  # nobody gets the deal in a reversis


def test_ger_x_g16_and_aca_x_a8_the_refreshing_in_a_reversis(settles: Settle) -> None:
    assert settles(made("talon"), "GER").pool.stake == 8
    assert settles(made("talon"), "ACA").pool.stake == 0


def test_aca_x_a20_the_others_may_settle_the_talon(settles: Settle) -> None:
    deal = lay_deal(talon="AC", tricks=plays([*SPADES.split(), "4S", "3S"], {}))
    assert paid(settles(deal, "ACA"), "partie") == {}
    rival = settles(deal, "ACA", "partie.in-reversis=settled-by-the-others")
    ((payer, winner),) = paid(rival, "partie")
    assert (payer, winner) == ("east", "west")  # nobody else has a point: place decides


# ---- the refreshing
def test_aca_x_a8_forced_or_laid_away_and_nobody_wins(settles: Settle) -> None:
    tricks = {1: "south:6H! east:2H", 6: "south:5H! east:JH"}
    forced = lay_deal(tricks=tricks, without={"east": "H"}, heart_first=True, where=mixed)
    for source in ("ACA", "GER"):
        if source == "ACA":
            assert paid(settles(forced, source), "refreshed") == {(s, "pool"): 2 for s in FOUR}
            assert settles(forced, source).pool == Pool(68, (60,))
    laid_away = lay_deal(talon="JH", heart_first=True, where=mixed)
    assert settles(laid_away, "ACA").pool == Pool(68)
    led = lay_deal(tricks={5: "south:JH!"}, heart_first=True, where=mixed)
    assert settles(led, "ACA").pool == Pool(60, (60,))
    wish = "stake.refreshed.when=[forced, laid-away, led, put]"
    assert settles(led, "ACA", wish).pool == Pool(68, (60,))


# ---- the pool after the deal
def test_pools_of_par_a6_the_first_supplement_doubles_later_ones_are_new(settles: Settle) -> None:
    deal = lay_deal(tricks={5: "south:JH!"}, where=mixed)

    def after(pool: Pool, *wishes: str) -> Pool:
        return settles(replace(deal, pools={"": pool}), "PAR", *wishes).pool

    assert after(Pool(25)) == Pool(50)
    assert after(Pool(65, (50,))) == Pool(65, (50, 65))
    assert after(Pool(50, (), True)) == Pool(50, (50,), True)
    assert after(Pool(50, (), True), "stake.only-pool=always") == Pool(100, (), True)


def test_pools_of_par_when_the_latest_is_won_the_newest_moves_up(settles: Settle) -> None:
    deal = lay_deal(tricks={5: "south:9S! east:JH"}, takers={5: "south"}, heart_first=True, where=mixed)
    several = replace(deal, pools={"": Pool(65, (25, 50))})
    assert settles(several, "PAR").pool == Pool(50, (25,))
    assert settles(several, "ACA").pool == Pool(0, (25, 50))  # waiting betes stay waiting
    assert net(settles(several, "ACA"))["pool"] == -65
    assert settles(replace(deal, pools={"": Pool(25)}), "PAR").pool == Pool(0)


def test_pool_by_source(settles: Settle) -> None:
    pools = {"PAM": {"stake": 45}, "ACA": {"stake": 8, "waiting": [3]}}
    deal = lay_deal(tricks={5: "south:JH!"}, heart_first=True, where=mixed, told={"pool": pools})
    assert settles(deal, "PAM").pool == Pool(90)
    assert settles(deal, "ACA").pool == Pool(8, (3, 8))
    assert settles(deal, "ACA", "stake.match-base=stake-and-waiting").pool == Pool(8, (3, 11))
    assert settles(deal, "PAR").pool == Pool(0)


def test_to_match_an_empty_stake_is_to_put_in_nothing(settles: Settle) -> None:
    led = lay_deal(tricks={5: "south:JH!"}, heart_first=True, where=mixed)
    wrong = lay_deal(
        tricks={5: "south:9S! east:2C"},
        hands={"east": "3S"},
        revokes=((5, "east"),),
        heart_first=True,
        told={"faults": [revoke(5)]},
    )

    def after(deal: Deal, source: str, *wishes: str) -> Pool:
        return settles(replace(deal, pools={"": Pool(0, (17,), True)}), source, *wishes).pool

    for source in ("ACA", "GER"):
        assert after(led, source).waiting == (17,)
    assert after(led, "PAR") == Pool(17, (), True)
    whole = ("stake.match-base=stake-and-waiting", "stake.after-winning=stays-empty")
    assert after(led, "PAR", *whole) == Pool(17, (17,), True)
    assert after(wrong, "ACA", "revoke.fine-joined=separate").waiting == (17,)


def test_a_supplement_of_nothing_leaves_a_fine_that_has_just_been_laid_down_in_play(settles: Settle) -> None:
    tricks = {2: "south:9S! east:2C", 5: "south:JH!"}
    told = {"pool": {"stake": 0, "supplements_paid": True}, "faults": [revoke(2)]}
    deal = lay_deal(tricks=tricks, hands={"east": "3S"}, revokes=((2, "east"),), heart_first=True, told=told)
    wishes = ("stake.matched-into=supplement", "stake.only-pool=unless-supplement-paid")
    assert settles(deal, "PAM", *wishes).pool == Pool(10, (), True)


def test_aca_x_a22_fines_fall_into_the_pool_after_it_was_won(settles: Settle) -> None:
    deal = lay_deal(
        tricks={5: "south:9S! east:JH", 7: "south:8S! north:7C"},
        hands={"north": "6S"},
        revokes=[(7, "north")],
        heart_first=True,
        where=held_past("6S", 7),
        told={"faults": [revoke(7, "north")]},
    )
    assert settles(deal, "ACA").pool == Pool(60)
    assert settles(deal, "PAM").pool == Pool(10)


# ---- the espagnolette
ACES = "AS AH AD AC"


def privilege(then: dict[int, str], where: Callable[[Laid], bool], hand: str = ACES) -> Deal:
    """East holds the privileged hand; in trick 1 south leads the king of diamonds and east renounces."""
    return lay_deal(hands={"east": hand}, tricks=then, revokes=[(n, "east") for n in range(1, 10)], where=where)


def unentered(d: Laid) -> bool:
    return mixed(d) and "east" not in d.takers


@cache
def won() -> Deal:
    """Three aces and the quinola; the quinola and all aces go on other suits, and east takes nothing."""
    then = {1: "south:KD! east:JH", 3: "east:AS", 4: "east:AH", 5: "east:AD"}

    def free(d: Laid) -> bool:
        return unentered(d) and d.takers[0] == "south" and all(d.tricks[t][0][1] != "SHD"[t - 2] for t in (2, 3, 4))

    return privilege(then, free, "AS AH AD JH")


def test_pam_s0088_he_places_quinola_and_aces_and_wins_the_partie(settles: Settle) -> None:
    for source in ("PAM", "PAR"):
        settled = settles(won(), source)
        assert settled.outcome.espagnolette == (1, True)
        assert paid(settled, "draws-stake") == {("pool", "east"): 60}
        assert settled.outcome.partie is not None and settled.outcome.partie.winner == 1
        assert settled.pool.stake == 0
        assert entries(settled, "espagnolette-returns") == []
        quinola = {("south", "east"): 10 if source == "PAM" else 5}
        assert paid(settled, "thrown-off", of="JH") == quinola


@cache
def lost_late(last: str = "11") -> Deal:
    """The same hand, the aces and the quinola placed; the fourth ace goes between others; east takes trick 11."""
    then = {1: "south:KD! east:JH", 3: "east:AS", 4: "east:AH", 5: "east:AD"}

    def entered(d: Laid) -> bool:
        out = [(t, row) for t, row in enumerate(d.tricks, 1) if "AC" in row and row[0][1] != "C"]
        return (
            mixed(d)
            and [t for t, s in enumerate(d.takers, 1) if s == "east"] == [11]
            and d.takers[0] == "south"
            and all(d.tricks[t][0][1] != "SHD"[t - 2] for t in (2, 3, 4))
            and bool(out)
            and out[0][0] < 11
            and natural(d, [s for s in FOUR if s != "east"])[0] != natural(d)[1]
        )

    return privilege(then, entered, "AS AH AD JH")


def test_pam_s0091_n23_a_losing_espagnolette_pays_the_natural_winner_of_the_others(settles: Settle) -> None:
    d = lost_late()
    for source in ("PAM", "PAR"):
        settled = settles(d, source)
        assert settled.outcome.espagnolette == (1, False)
        assert settled.outcome.partie is not None and settled.outcome.partie.losers == (1,)
        assert settled.outcome.partie.winner != 1
    rival = settles(d, "PAM", "espagnolette.lost.partie=natural-order")
    assert rival.outcome.partie is not None


def test_pam_n11_the_remise_he_drew_goes_back_and_once_more(settles: Settle) -> None:
    def pool(*wishes: str, source: str = "PAM") -> tuple[int, int]:
        settled = settles(lost_late(), source, *wishes)
        return settled.pool.stake, net(settled)["pool"]

    assert pool() == (120, 60)
    assert pool("espagnolette.lost.stake=1") == (60, 0)
    assert pool("espagnolette.lost.stake=0") == (0, -60)
    assert pool(source="PAR") == (120, 60)


def test_par_a12_the_double_into_the_same_pool_or_a_new_one(settles: Settle, rules: Rules) -> None:
    deal = replace(lost_late(), pools={"": Pool(60, (30,))})
    assert settles(deal, "PAR").pool == Pool(120, (30,))
    new = settles(deal, "PAR", "espagnolette.lost.stake-into=new-pool")
    assert new.pool == Pool(60, (30, 60)) and net(new)["pool"] == 60
    only = settles(lost_late(), "PAR", "espagnolette.lost.stake-into=new-pool")
    assert only.pool == Pool(120)  # with a single first pool both readings agree


def test_pam_n12_he_gives_back_double_what_he_was_paid(settles: Settle) -> None:
    settled = settles(lost_late(), "PAM")
    own = {k: v for k, v in paid(settled, "thrown-off").items() if k[1] == "east"}
    given = {(a, b): v for (a, b), v in paid(settled, "espagnolette-returns").items()}
    assert own and all(given[b, a] >= 2 * v for (a, b), v in own.items())
    thrice = settles(lost_late(), "PAM", "espagnolette.lost.returns-own=3")
    more = paid(thrice, "espagnolette-returns")
    assert all(more[b, a] - given[b, a] == v for (a, b), v in own.items())


def others_ace(settled: Settled) -> tuple[str, str, int]:
    (((payer, payee), sum_),) = paid(settled, "thrown-off", of="AC").items()
    return payer, payee, sum_


def test_pam_n13_for_the_others_ace_he_pays_double_to_him_who_paid(settles: Settle) -> None:
    settled = settles(lost_late(), "PAM")
    payer, payee, sum_ = others_ace(settled)
    assert "east" not in (payer, payee)

    def given(*wishes: str) -> dict[tuple[str, str], int]:
        return paid(settles(lost_late(), "PAM", *wishes), "espagnolette-returns", of="AC")

    assert given() == {("east", payer): 2 * sum_}
    to = "espagnolette.lost.returns-others-to=who-was-paid"
    assert given(to) == {("east", payee): 2 * sum_}
    assert given("espagnolette.lost.returns-others=1", to) == {("east", payee): sum_}
    assert given("espagnolette.lost.returns-others=1") == {("east", payer): sum_}
    assert paid(settles(lost_late(), "PAR"), "espagnolette-returns", of="AC") == {}  # PAR.A11


@cache
def kept_a_trick() -> Deal:
    """East renounces in trick 1, is left with a trick before the tenth, and takes neither of the last two."""
    then = {1: "south:KD! east:AS"}

    def kept(d: Laid) -> bool:
        mine = [t for t, s in enumerate(d.takers, 1) if s == "east"]
        return mixed(d) and bool(mine) and max(mine) < 10 and natural(d)[0] != "east" and d.takers[0] == "south"

    return privilege(then, kept)


def test_pam_n9_a_kept_trick_costs_the_right_the_partie_or_all(settles: Settle) -> None:
    wins = settles(kept_a_trick(), "PAM")
    assert wins.outcome.espagnolette == (1, True)
    assert wins.outcome.partie is not None and wins.outcome.partie.winner == 1
    order = settles(kept_a_trick(), "PAM", "espagnolette.kept-trick=natural-order")
    assert order.outcome.partie is not None and order.outcome.partie.winner != 1
    assert entries(order, "espagnolette-returns") == []
    lost = settles(kept_a_trick(), "PAM", "espagnolette.lost-by=any-trick")
    assert lost.outcome.espagnolette == (1, False)
    assert lost.outcome.partie is not None and lost.outcome.partie.losers == (1,)
    assert entries(lost, "espagnolette-returns") != []


def test_par_s_n51_any_trick_loses(settles: Settle) -> None:
    assert settles(kept_a_trick(), "PAR").outcome.espagnolette == (1, False)


@cache
def unused() -> Deal:
    """East holds four aces, follows suit throughout, and others have fewer points."""
    return lay_deal(
        hands={"east": ACES}, where=lambda d: mixed(d) and natural(d)[0] != "east" and "east" not in d.takers[9:]
    )


def test_pam_n15_who_does_not_use_the_privilege_plays_an_ordinary_game(settles: Settle) -> None:
    settled = settles(unused(), "PAM")
    assert settled.outcome.espagnolette is None
    assert settled.outcome.partie is not None and settled.outcome.partie.winner != 1
    rival = settles(unused(), "PAM", "espagnolette.undertaken=by-holding")
    assert rival.outcome.partie is not None and rival.outcome.partie.winner == 1


def test_par_a17_announcing_is_enough(settles: Settle) -> None:
    said = replace(unused(), announced=(Announcement("espagnolette", 1),))
    assert settles(said, "PAR").outcome.espagnolette == (1, False)
    assert settles(said, "PAM").outcome.espagnolette is None
    assert settles(unused(), "PAR").outcome.espagnolette is None


def test_par_a17_announced_and_then_a_reversis_of_his_own(settles: Settle, refuses: Refuse) -> None:
    cards = ["AS", "AH", "AD", "AC", "KS", "QS", "JS", "9S", "KC", "QC", "JC"]
    deal = lay_deal(tricks=plays(cards, {}), takers=dict.fromkeys(range(1, 12), "south"))
    own, others = (replace(deal, announced=(Announcement("espagnolette", seat),)) for seat in (0, 3))
    settled = settles(own, "PAR")
    assert settled.outcome.espagnolette == (0, False) and settled.outcome.reversis == (0, True, ())
    assert net(settled) == net(settles(deal, "PAR"))
    assert settles(own, "PAM").outcome.espagnolette is None
    assert refuses(others, "PAR").refusals


KINGS = ["KH", "KS", "QS", "JS", "9S", "8S", "7S", "6S", "5S"]  # nine tricks for south while east holds the aces


@cache
def against(
    last: list[str] | tuple[str, ...], then: tuple[tuple[int, str], ...], first: tuple[str, ...] = tuple(KINGS)
) -> Deal:
    """South goes for the reversis; east, with four aces, renounces and lets them go on other suits."""
    tricks = plays([*first], {1: "east:AS", 2: "east:AH", 3: "east:AD", 4: "east:AC"} | dict(then))
    return lay_deal(
        hands={"south": " ".join(last), "east": ACES},
        tricks=tricks,
        takers=dict.fromkeys(range(1, 10), "south"),
        revokes=[(n, "east") for n in range(1, 10)],
    )


def test_pam_s0103_he_pays_the_reversis_for_the_whole_company(settles: Settle) -> None:
    deal = against(("4S", "3S"), ())
    for source in ("PAM", "PAR"):
        settled = settles(deal, source)
        assert net(settled) == {"south": 64, "east": -64, "north": 0, "west": 0, "pool": 0}
        assert settled.outcome.espagnolette == (1, False)
    each = settles(deal, "PAM", "espagnolette.pays-reversis-made=each-his-own")
    assert net(each) == {"south": 64, "east": -16, "north": -32, "west": -16, "pool": 0}


def test_pam_n8_he_pays_the_breaker_and_par_a14_the_undertaker_does(settles: Settle) -> None:
    deal = against(("2C", "2D"), ((10, "south:2C! west:KC"),))
    assert net(settles(deal, "PAM")) == {"south": 0, "east": -64, "north": 0, "west": 64, "pool": 0}
    for source, wish in (("PAR", ()), ("PAM", ("espagnolette.pays-reversis-broken=undertaker",))):
        settled = settles(deal, source, *wish)
        assert net(settled) == {"south": -64, "east": 0, "north": 0, "west": 64, "pool": 0}


def test_par_a14_without_a_trick_he_has_fulfilled_his_contract(settles: Settle) -> None:
    deal = against(("2C", "2D"), ((10, "south:2C! west:KC"), (11, "west:KD!")))
    settled = settles(deal, "PAR")
    assert settled.outcome.espagnolette == (1, True) and settled.outcome.partie is None
    stands = settles(deal, "PAR", "espagnolette.third-breaks=stands")
    assert stands.outcome.partie is not None and stands.outcome.partie.winner == 1
    assert net(stands)["east"] == sum(paid(stands, "partie").values()) + sum(
        v for (_, to), v in paid(stands, "thrown-off", "draws-stake").items() if to == "east"
    )


def test_pam_n8_the_undertaker_himself_makes_the_remise(settles: Settle) -> None:
    first = ("KH", "QH", "JH", "KS", "QS", "JS", "9S", "8S", "7S")
    then = ((2, "east:AD"), (3, "east:AC"), (4, "east:AH"), (10, "south:2C! west:KC"))
    deal = against(("2C", "2D"), then, first)
    settled = settles(deal, "PAM")
    assert net(settled) == {"south": -60, "east": -64, "north": 0, "west": 64, "pool": 60}


def test_pam_n16_par_a15_he_may_break_it_himself(settles: Settle) -> None:
    deal = against(("2C", "2D"), ((10, "south:2C! east:KC"),))
    for source in ("PAM", "PAR"):
        assert net(settles(deal, source)) == {"south": -64, "east": 64, "north": 0, "west": 0, "pool": 0}
    rival = settles(deal, "PAR", "espagnolette.breaks.paid=nothing")
    assert net(rival) == dict.fromkeys((*FOUR, "pool"), 0)


@cache
def broken_with_his_own_quinola() -> Deal:
    """The espagnolette takes trick 10 with the quinola."""
    first = ("KC", "KS", "QS", "JS", "9S", "8S", "7S", "6S", "5S")
    tricks = plays([*first], {1: "east:AS", 2: "east:AH", 3: "east:AD", 4: "east:AC", 10: "south:2H! east:JH"})
    return lay_deal(
        hands={"south": "2H 2D", "east": f"{ACES} JH 3C"},
        tricks=tricks,
        takers=dict.fromkeys(range(1, 10), "south") | {10: "east"},
        revokes=[(n, "east") for n in range(1, 10)],
        without={"east": "S"},
    )


def test_par_a15_his_own_quinola_is_waived_when_he_breaks_with_it(settles: Settle) -> None:
    deal = broken_with_his_own_quinola()
    settled = settles(deal, "PAR")
    assert net(settled) == {"south": -64 + 20 + 10, "east": 64, "north": -20, "west": -10, "pool": 0}
    pays = settles(deal, "PAR", "espagnolette.breaks.own-quinola=pays")
    assert net(pays)["east"] == 64 - 20


# ---- fragments
def test_a_fragment_settles_what_its_tricks_decide_and_says_what_is_open(settles: Settle) -> None:
    deal = lay_deal(tricks={2: "south:9S! east:AC"}, takers={2: "south", 3: "south", 4: "west"}, where=mixed)
    one, four, six = (replace(deal, tricks=deal.tricks[:n], fragment=True) for n in (1, 4, 6))
    settled = settles(four, "PAM")
    assert paid(settled, "thrown-off", of="AC") == {("south", "east"): 1}
    assert "partie" in settled.open and len(settled.open) == len(set(settled.open))
    assert settled.outcome.partie is None and settled.outcome.next_dealer is None
    # two players have taken tricks: there can be no reversis any more, and nothing can be given back
    assert not any("returned" in o or o.startswith("reversis") for o in settled.open)
    assert any(o.startswith("reversis") for o in settles(one, "PAM").open)
    # where the last twelve do not count, no trick of eleven does: two takers decide nothing
    assert any(o.startswith("reversis") for o in settles(six, "PAM", "reversis.undertaken=12").open)


# ---- silence and receipts
def test_par_a18_a_revoke_on_record_finds_the_source_silent(rules: Rules) -> None:
    found = settle(revoked(), rules("PAR"))
    assert isinstance(found, Unanswered) and found.silent.question.startswith("revoke.")


def test_an_answer_taken_away_is_asked_for_by_name(rules: Rules) -> None:
    bare = drop_answer(rules("PAM"), "reversis.undertaken")
    found = settle(lay_deal(), bare)
    assert isinstance(found, Unanswered) and found.silent.question == "reversis.undertaken"
    said = result(found)
    assert said["silent"] == {
        "question": "reversis.undertaken",
        "reason": "its answer was taken away",
        "message": "Silent: PAM is silent on reversis.undertaken: its answer was taken away",
    }


def test_the_result_names_seats_clauses_and_what_it_rests_on(settles: Settle) -> None:
    settled = settles(lay_deal(tricks={5: "south:JH!"}, where=mixed), "PAM", "quinola.led.others-pay=0")
    out = result(settled, "sha256:0")
    assert out["schema"] == 1 and out["source"] == "PAM" and str(out["ruleset"]).startswith("PAM + Q043=0")
    rows = out["entries"]
    assert isinstance(rows, list)
    row = next(r for r in rows if r["fact"] == "quinola-led" and r["rule"] == "led")
    assert row["trick"] == 5 and "Q041" in row["questions"] and "PAM.c041" in row["clauses"]
    assert row["interpretations"] and all(p["from"] == "south" and p["amount"] > 0 for p in row["postings"])
    assert sum(out["net"].values()) == 0  # type: ignore[attr-defined]
    assert set(out["outcome"]) == {"reversis", "espagnolette", "partie", "next_dealer"}  # type: ignore[call-overload]


def test_what_nobody_paid_is_not_given_back(settles: Settle) -> None:
    settled = settles(lost_late(), "PAM", "ace.thrown-off.payer=nobody", "quinola.thrown-off.payer=nobody")
    assert paid(settled, "thrown-off", "espagnolette-returns") == {}


def test_par_a15_a_third_breaks_and_he_takes_the_last_so_nothing_stands(settles: Settle) -> None:
    deal = against(("2C", "2D"), ((10, "south:2C! west:KC"), (11, "west:3D! east:KD")))
    for wish in ((), ("espagnolette.third-breaks=stands",)):
        settled = settles(deal, "PAR", *wish)
        assert net(settled) == {"south": -64, "east": 0, "north": 0, "west": 64, "pool": 0}
        assert settled.outcome.espagnolette == (1, False) and settled.outcome.partie is None


def test_par_a14_what_stands_is_his_own_alone(settles: Settle) -> None:
    then = ((5, "north:JH"), (10, "south:2C! west:KC"), (11, "west:KD!"))
    settled = settles(against(("2C", "2D"), then), "PAR", "espagnolette.third-breaks=stands")
    assert paid(settled, "thrown-off", of="JH") == {("south", "north"): 10}
    assert net(settled)["north"] == 0 and settled.pool.stake == 60


def test_aca_x_a8_put_on_a_heart_renews_only_where_that_is_the_answer(settles: Settle) -> None:
    deal = lay_deal(tricks={5: "south:5H! east:JH", 9: "east:2H"}, heart_first=True, where=mixed)
    assert settles(deal, "ACA", "stake.refreshed.when=[put]").pool == Pool(68, (60,))
    for fates in ("[led]", "[forced]", "[laid-away]"):
        assert settles(deal, "ACA", f"stake.refreshed.when={fates}").pool == Pool(60, (60,))


def test_entries_fall_in_the_order_of_the_tricks_and_the_reckoning_comes_last(settles: Settle) -> None:
    settled = settles(lost_late(), "PAM")
    tricks = [e.fact.trick for e in settled.entries if not e.rule.startswith(("espagnolette", "partie"))]
    assert tricks == sorted(tricks, key=lambda t: t or 99)
    rules_ = [e.rule for e in settled.entries]
    assert rules_.index("espagnolette-returns") > max(i for i, r in enumerate(rules_) if r == "thrown-off")


# ---- which pools a reversis draws, and what an espagnolette pays
def test_par_a10_the_reversis_draws_the_newest_pool_or_all(settles: Settle) -> None:
    deal = replace(made_with_hearts(4), pools={"": Pool(25, (10, 20))})
    newest = settles(deal, "PAR")
    assert net(newest)["pool"] == -25 and newest.pool == Pool(20, (10,))
    every = settles(deal, "PAR", "PAR.i12")
    assert net(every)["pool"] == -55 and every.pool == Pool(0)
    assert net(every)["south"] == 64 + 55


def test_aca_x_a17_the_reversis_leaves_the_waiting_betes(settles: Settle) -> None:
    deal = replace(made("east"), pools={"": Pool(25, (10, 20))})
    for source in ("ACA", "GER"):
        settled = settles(deal, source)
        assert net(settled)["pool"] == -25 and settled.pool == Pool(0, (10, 20))
        every = settles(deal, source, "reversis.stake-pools=stake-and-waiting")
        assert net(every)["pool"] == -55 and every.pool == Pool(0)


def test_pam_n8_the_espagnolette_pays_sixty_four_or_the_four_of_the_page(settles: Settle) -> None:
    deal = against(("2C", "2D"), ((10, "south:2C! west:KC"),))
    whole, printed = settles(deal, "PAM"), settles(deal, "PAM", "PAM.i30")
    assert paid(whole, "reversis-broken") == {("east", "west"): 64}
    assert paid(printed, "reversis-broken") == {("east", "west"): 4}
    entry = entries(whole, "reversis-broken")[0]
    assert {"espagnolette.pays-reversis-broken.amount", "reversis.broken.amount"} <= set(entry.asked)


def test_pam_n8_without_an_espagnolette_the_undertaker_pays_his_own_sum(settles: Settle) -> None:
    settled = settles(broken("south:2C! east:KC"), "PAM", "PAM.i30")
    assert paid(settled, "reversis-broken") == {("south", "east"): 64}
    assert "espagnolette.pays-reversis-broken.amount" not in settled.asked


# ---- the quinola of an espagnolette, and the remise by the letter
@cache
def on_a_heart(led: str, renounces: bool = True) -> Deal:
    """East holds the hand; in trick 4 south leads a heart, and the quinola falls on it."""
    tricks = {4: f"south:{led}! east:JH"} | ({2: "south:KC! east:AS"} if renounces else {})
    revokes = [(2, "east")] if renounces else []
    hands = {"east": "AS AD AC JH 4H"}
    return lay_deal(hands=hands, tricks=tricks, takers={4: "north"}, never=("east",), revokes=revokes, where=mixed)


@pytest.mark.release
def test_pam_n14_a_low_heart_forces_the_espagnolette_or_only_a_court_heart_does(settles: Settle) -> None:
    low, court = on_a_heart("5H"), on_a_heart("QH")
    for deal in (low, court):
        settled = settles(deal, "PAM")
        assert paid(settled, "forced", of="JH") == {("east", "south"): 10, ("north", "south"): 10, ("west", "south"): 5}
        assert paid(settled, "matches-stake") == {("east", "pool"): 60}
    spared = settles(low, "PAM", "PAM.i24")
    assert paid(spared, "forced", of="JH") == {} and paid(spared, "matches-stake") == {}
    assert [e.name for e in entries(spared, "matches-stake")] == ["quinola-put"]
    assert settles(court, "PAM", "PAM.i24").net == settles(court, "PAM").net
    assert net(settles(court, "PAM", "espagnolette.forced=nothing"))["pool"] == 0


@pytest.mark.slow
def test_pam_n15_who_has_not_used_his_privilege_is_forced_like_anyone(settles: Settle) -> None:
    deal = on_a_heart("5H", renounces=False)
    assert settles(deal, "PAM", "PAM.i24").net == settles(deal, "PAM").net
    assert "espagnolette.forced" not in settles(made(), "PAM").asked


@pytest.mark.slow
def test_pam_n24_s0053_the_remise_moves_in_deals_without_a_reversis_too(settles: Settle, library: Library) -> None:
    assert net(settles(on_a_heart("5H"), "PAM"))["pool"] == 60
    assert net(settles(made_with_hearts(4), "PAM"))["pool"] == -60
    cell = library.cell("PAM", "reversis.stake-reach")
    assert cell is not None and (cell.value, cell.status) == ("deals-with-reversis", "implied")
    assert [(clause.cert, clause.rivals) for clause in cell.clauses] == [("high", ())]


@pytest.mark.parametrize("source", ("PAM", "HOY", "PIE", "MEY"))
def test_sums_that_wait_where_every_sum_lies_in_the_stake_are_said_to_play_no_part(
    settles: Settle, source: str
) -> None:
    deal = replace(lay_deal(heart_first=True), pools={"": Pool(26, (26, 26))})
    (remark,) = settles(deal, source).remarks
    assert "what waits beside the stake (26, 26)" in remark and result(settles(deal, source))["passed_over"] == [remark]
    for other in ("ACA", "GER", "PAR"):
        assert settles(deal, other).remarks == ()
    assert settles(replace(deal, pools={"": Pool(78)}), source).remarks == ()


# ---- the partie in few words
def level(d: Laid) -> bool:
    tops = sorted(FOUR, key=d.points)[-2:]
    return mixed(d) and d.points(tops[0]) == d.points(tops[1])


def test_who_has_lost_is_named_though_nothing_was_owed(settles: Settle) -> None:
    d = laid(where=mixed)
    winner, loser = natural(d)
    partie = settles(read(record(d)), "PAM", "partie.amount=agreed-sum", "partie.agreed-sum=0").outcome.partie
    assert partie is not None
    assert (partie.winner, partie.losers, partie.value) == (FOUR.index(winner), (FOUR.index(loser),), 0)


@pytest.mark.parametrize("seed", range(1, 7))
def test_by_the_payers_points_the_partie_is_worth_what_the_loser_owes(settles: Settle, seed: int) -> None:
    d = laid(where=mixed, seed=seed)
    _, loser = natural(d)
    partie = settles(read(record(d)), "PAM", "partie.amount=payers-points", "partie.per-point=1").outcome.partie
    assert partie is not None and partie.value == d.points(loser)


def test_where_nobody_has_lost_it_is_worth_what_the_winner_would_owe(settles: Settle) -> None:
    d = laid(where=level)
    wishes = ("partie.amount=payers-points", "partie.per-point=1", "partie.loser=[most-points, alone]")
    found = settles(read(record(d)), "PAM", *wishes).outcome.partie
    assert found is not None and found.losers == ()
    assert found.value == d.points(FOUR[found.winner])


# ---- shown in one line
def test_a_settled_deal_shows_who_has_won_and_lost_and_who_has_not(settles: Settle) -> None:
    done = settles(lay_deal(where=mixed), "PAM")
    shown = replace(done, net={0: -20, 1: 20, 2: 0, 3: 0, "pool": 0})
    assert "by PAM: south -20, east +20, north 0, west 0, pool 0," in repr(shown)


def test_a_refused_deal_shows_the_first_thing_that_is_forbidden(rules: Rules) -> None:
    forbidden = tuple(Refusal(f"south may not play {card}", ()) for card in ("5H", "AS", "KD"))
    refused = Refused(lay_deal(where=mixed), rules("PAM"), None, forbidden)  # type: ignore[arg-type]
    assert "by PAM: south may not play 5♥," in repr(refused)
    assert "by PAM: ," in repr(replace(refused, refusals=()))
