"""Meanings of the readings on the espagnolette."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.deal.events import Measures

RIGHT_LOST: Mapping[str, bool] = {"lost": True, "kept": False}


UNDERTAKEN: Mapping[str, Callable[[Measures], bool]] = {
    "by-renouncing": lambda m: m.renounced,
    "by-renouncing-or-announcing": lambda m: (
        m.renounced or any(a.what == "espagnolette" and a.seat == m.holder for a in m.announced)
    ),
    "by-holding": lambda m: True,
}
LOST_BY: Mapping[str, Callable[[Measures, int, int], bool]] = {  # measures, seat, number of last tricks
    "last-tricks": lambda m, seat, n: seat in m.takers[max(0, m.last - n) :],
    "any-trick": lambda m, seat, n: seat in m.takers,
}
WINS: Mapping[str, bool] = {"wins": True, "natural-order": False}
ALL_COSTS = 2  #: the partie, and all that the others owe in the deal besides
HE_PAYS: Mapping[str, int] = {
    "he-pays-the-natural-winner": True,
    "natural-order": False,
    "he-pays-all-costs": ALL_COSTS,
}
BACK_TO_PAYER: Mapping[str, bool] = {"who-paid": True, "who-was-paid": False}
INTO_SAME_POOL: Mapping[str, bool] = {"same-pool": True, "new-pool": False}
PAYS_FOR_ALL: Mapping[str, bool] = {"he-pays-for-all": True, "each-his-own": False}
PAYS_BREAKER: Mapping[str, bool] = {"he-pays": True, "undertaker": False}
STAKE_INSTEAD = 2  #: not paid, and the stake that the undertaker owes falls on the espagnolette
PAID: Mapping[str, int] = {"paid": True, "nothing": False, "puts-in-the-stake": STAKE_INSTEAD}
WAIVED: Mapping[str, bool] = {"waived": True, "pays": False}
FORCED_STAKE_TO_POOL: Mapping[str, bool] = {"pool": True, "forcer": False}
BREAKING_LOSES: Mapping[str, bool] = {"lost": True, "not-lost": False}
STANDS: Mapping[str, bool] = {"stands": True, "annulled": False}
