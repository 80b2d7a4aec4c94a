"""Reasons for nonpayment: a closed list; each unpaid sum has exactly one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

#: Every reason, as one would give it at the table. Where a rule gives several, the one that stands first here decides.
NONPAYMENT_REASONS: Mapping[str, str] = {
    "no-question": "these rules know no such payment",
    "supplied": "the source is silent, and by what the edition supplies nothing is paid",
    "open": "the tricks that are known do not decide it",
    "barred": "the player to whom it would be due has committed a fault that forfeits it",
    "returned": "it was paid, and given back because of the reversis",
    "empty-pool": "there was nothing in the pool",
    "made": "the reversis was made",
    "broken": "the reversis was undertaken, but broken",
    "reversis": "there was a reversis, and then this is not settled",
    "told-at-quinola": "it depends on the quinola, and is explained there",
    "quinola-aside": "these rules give the stake in a reversis without regard to the quinola",
    "not-his": "the quinola was not in the hand, or among the tricks, on which it depends",
    "too-late": "the quinola came only in the last tricks",
    "broken-before": "another card had broken the reversis before",
    "absolved": "an espagnolette does not pay for the quinola with which it breaks a reversis",
    "own": "payer and payee would be the same player",
    "nothing-owed": "the cards that it is counted from are worth nothing",
    "nothing-paid": "nothing had been paid that could be given back",
    "not-forced": "these rules do not call the card forced",
    "led-otherwise": "it was led, but not in the way that costs the stake",
    "unclaimed": "nobody claimed it in time",
    "not-then": "what happened to the quinola does not require it",
    "won-otherwise": "the stake was won in another way",
    "stands": "the reversis does not undo this payment",
    "another-pays": "by these rules another player pays it",
    "no-payee": "nobody is entitled to it",
    "nobody-pays": "by these rules nothing is paid for it",
}
NONPAYMENT_RANKS: Mapping[str, int] = {reason: at for at, reason in enumerate(NONPAYMENT_REASONS)}


@dataclass(frozen=True, slots=True)
class Not:
    """A payment withheld, and why; `said` where the ledger shows it, since the source itself speaks of the case."""

    reason: str
    by: str = ""  #: the question whose answer decides it; empty where no single one does
    said: bool = False


def pick_decisive_reason(nonpayments: Iterable[Not]) -> Not:
    """Pick the decisive one of several reasons for nonpayment.

    First comes what the source itself speaks of, then the order of NONPAYMENT_REASONS.
    """
    return min(nonpayments, key=lambda nonpayment: (not nonpayment.said, NONPAYMENT_RANKS[nonpayment.reason]))
