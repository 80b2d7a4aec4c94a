"""Meanings of the readings on the stake, in a deal and from one deal to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.deal.pool import Pool
from engine.readings.meanings.outcome import SeatOrNone

POOL_ACCOUNT = "pool"  #: who pays, or is paid, where it is not a seat

# ---- in a deal
MATCH_BASE: Mapping[str, int] = {"stake": 0, "stake-and-waiting": 1}  # how often what waits is matched too
#: how the sum that matches the stake is laid: a name of engine.deal.pool.OPERATIONS
MATCH_OPERATION: Mapping[str, str] = {"stake": "add", "waiting": "wait", "supplement": "supplement"}
MATCHED_INTO = "stake.matched-into"
#: the answers by which no sum waits beside the stake, by question
NOTHING_WAITS: Mapping[str, str] = {MATCHED_INTO: "stake", "revoke.fine-joined": "joined"}
MOVES_UP: Mapping[str, bool] = {"newest-moves-up": True, "stays-empty": False}
DOUBLES_ONLY_POOL: Mapping[str, Callable[[bool], bool]] = {  # was a supplement paid before?
    "unless-supplement-paid": lambda paid: not paid,
    "always": lambda paid: True,
}
TIED_STAKE_SHARED: Mapping[str, bool] = {"one": False, "shared": True}
REFRESHED: Mapping[str, Callable[[str], bool]] = {
    "forced": lambda manner: manner == "forced",
    "laid-away": lambda manner: manner == "laid-away",
    "led": lambda manner: manner == "led",
    "put": lambda manner: manner == "put",
}
REFRESHED_WHEN_WON: Mapping[str, bool] = {"only-if-not-won": False, "always": True}

# ---- from one deal to the next
#: at which states of the stake everybody puts in again: is nothing left at all, the pool, the first stake if asked for
RENEWED_WHEN: Mapping[str, Callable[[bool, Pool, Callable[[], int]], bool]] = {
    "empty": lambda empty, pool, first: empty,
    "below-first": lambda empty, pool, first: pool.stake < first(),
}
RENEWED_SUM: Mapping[str, Callable[[int, Callable[[], int]], int]] = {  # a full stake, what is wanting if asked for
    "full": lambda full, wanting: full,
    "topped-up": lambda full, wanting: wanting(),
}
RENEWED_BY: Mapping[str, Callable[[SeatOrNone, int], SeatOrNone]] = {  # who dealt, who will deal
    "next-deal": lambda last, following: following,
    "at-once": lambda last, following: last,
}
DEALER_ADDS_BESIDES: Mapping[str, bool] = {"part-of-it": False, "in-addition": True}
ADDS_AGAIN: Mapping[str, bool] = {"once": False, "each-deal": True}
INCLUDED: Mapping[str, bool] = {"included": True, "not-included": False}
#: which of the waiting sums, oldest first, is put up
WAITING_ORDER: Mapping[str, Callable[[Sequence[int]], int]] = {
    "largest-first": lambda waiting: waiting.index(max(waiting)),
    "oldest-first": lambda waiting: 0,
    "newest-first": lambda waiting: len(waiting) - 1,
}
TOGETHER: Mapping[str, bool] = {"one-at-a-time": False, "together": True}
#: who pays what a player has not put in: the player, the dealer, the player who leads first if asked for
SHORTFALL: Mapping[str, Callable[[int, int, Callable[[], int]], SeatOrNone]] = {
    "who-failed": lambda seat, dealer, eldest: seat,
    "eldest-hand": lambda seat, dealer, eldest: eldest(),
    "dealer": lambda seat, dealer, eldest: dealer,
    "nobody": lambda seat, dealer, eldest: None,
}
MATCHED_SUM_NOTED: Mapping[str, bool] = {"at-once": False, "in-its-turn": True}
#: whether what is left is divided; who wins it later, or draws the highest card, no record of a session tells
SHARED_OUT: Mapping[str, bool] = {"shared": True, "played-out": False, "highest-card": False}
