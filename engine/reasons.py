"""Why a payment that one might look for is not made: a closed list, and each unpaid sum has just one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: Every reason, as one would give it at the table.
REASONS: Mapping[str, str] = {
    "nobody-pays": "by these rules nothing is paid for it",
    "not-forced": "these rules do not call the card forced",
    "led-otherwise": "it was led, but not in the way that costs the stake",
    "no-payee": "there is nobody to whom it would be due",
    "own": "he who would be paid would have to pay it himself",
    "unclaimed": "nobody asked for it in time",
    "reversis": "there was a reversis, and then it is not settled",
    "made": "the reversis was made",
    "broken": "the reversis was undertaken, but broken",
    "not-his": "the quinola was not in the hand, or among the tricks, on which it depends",
    "too-late": "the quinola came only in the last tricks",
    "not-then": "what befell the quinola is not among what calls for it",
    "won-otherwise": "the stake was won, or lost, in another way",
    "stands": "the reversis does not undo this payment",
    "barred": "he to whom it would be due has committed a fault that bars him from it",
    "nothing-owed": "the cards on which it is reckoned come to nothing",
    "empty-pool": "there was nothing in the pool",
    "open": "the tricks that are known do not decide it",
}


@dataclass(frozen=True, slots=True)
class Not:
    """A payment withheld, and why; `said` where the ledger shows it, since the source itself speaks of the case."""

    reason: str
    said: bool = False
