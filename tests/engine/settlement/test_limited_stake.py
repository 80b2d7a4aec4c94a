"""A stake that has grown to a certain sum: a fixed part of it is won or owed, and the quinola may be laid aside."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from engine.deal.model import Deal, Exchange
from engine.deal.pool import Pool
from tests.support.deals import lay_deal, paid
from tests.support.settling import Refuse, Settle

LIMIT = ("stake.limit-from=100", "stake.limit=90")
DRAWS = (*LIMIT, "quinola.thrown-off.stake=draws-up-to-limit")
MATCHES = (*LIMIT, *(f"quinola.{how}.stake=matches-up-to-limit" for how in ("forced", "led")))
LAID_AWAY = (*LIMIT, "exchange.hearts=quinola-from-limit")


@cache
def thrown() -> Deal:
    """East throws the quinola off in the third trick, and nobody takes all the tricks."""
    return lay_deal(tricks={3: "south:KC! east:JH"}, takers={4: "north", 5: "west"})


@cache
def led() -> Deal:
    """East leads the quinola."""
    return lay_deal(tricks={4: "east:JH!"}, takers={5: "north", 6: "west"})


def holding(deal: Deal, stake: int) -> Deal:
    return replace(deal, pools={"": Pool(stake)})


@pytest.mark.parametrize(("stake", "drawn", "left"), [(99, 99, 0), (100, 90, 10), (130, 90, 40)])
def test_the_quinola_draws_no_more_than_the_limit(settles: Settle, stake: int, drawn: int, left: int) -> None:
    settled = settles(holding(thrown(), stake), "PAM", *DRAWS)
    assert paid(settled, "draws-stake") == {("pool", "east"): drawn}
    assert settled.pool.stake == left


@pytest.mark.parametrize(("stake", "owed"), [(99, 99), (100, 90), (130, 90)])
def test_what_is_owed_is_limited_in_the_same_proportion(settles: Settle, stake: int, owed: int) -> None:
    settled = settles(holding(led(), stake), "PAM", *MATCHES)
    assert paid(settled, "matches-stake") == {("east", "pool"): owed}
    assert settled.pool.stake == stake + owed


def test_a_ledger_entry_cites_the_limit_only_where_there_is_one(settles: Settle) -> None:
    asked = settles(holding(thrown(), 130), "PAM", *DRAWS).asked
    assert {"stake.limit-from", "stake.limit"} <= asked
    assert not {"stake.limit-from", "stake.limit"} & settles(holding(thrown(), 130), "PAM").asked


@cache
def laid() -> Deal:
    deal = lay_deal(talon="JH")
    return replace(deal, exchange=(Exchange(0, next(c for c in deal.talon if c == 16 + 9), min(deal.hands[0])),))


def test_the_quinola_may_be_laid_aside_once_enough_is_in_the_pool(settles: Settle, refuses: Refuse) -> None:
    assert settles(holding(laid(), 100), "PAM", *LAID_AWAY)
    (refusal,) = refuses(holding(laid(), 99), "PAM", *LAID_AWAY).refusals
    assert refusal.message == "south may not discard the quinola: the stake is 99, and not yet 100"
    assert refusal.asked == ("exchange.hearts", "stake.limit-from")


def test_a_reversis_draws_up_to_the_limit_too(settles: Settle) -> None:
    spades = [f"{rank}S" for rank in "AKQJ9876543"]
    deal = holding(lay_deal(tricks={n: f"south:{card}!" for n, card in enumerate(spades, 1)}), 130)
    wishes = (*LIMIT, "reversis.stake=draws")
    assert paid(settles(deal, "PAM", *wishes, "reversis.stake-pools=stake-up-to-limit"), "reversis-stake") == {
        ("pool", "south"): 90
    }
    assert paid(settles(deal, "PAM", *wishes, "reversis.stake-pools=stake"), "reversis-stake") == {
        ("pool", "south"): 130
    }
