"""Meanings of the readings on the reversis."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.deal.events import Fact
from engine.readings.meanings.outcome import OutcomeSeats
from engine.readings.meanings.stake import POOL_ACCOUNT


def _thrown_quinola(fact: Fact) -> bool:
    return fact.kind == "quinola" and fact.manner == "thrown-off"


#: which payments in the play a reversis undoes: fact, outcome, payer, payee
RETURNED: Mapping[str, Callable[[Fact, OutcomeSeats, object, object], bool]] = {
    "everything": lambda fact, outcome, payer, payee: True,
    "makers-own-and-thrown-quinola": lambda fact, outcome, payer, payee: payer == outcome.hero or _thrown_quinola(fact),
    "makers-own-to-pool-and-thrown-quinola": lambda fact, outcome, payer, payee: (
        (payer == outcome.hero and payee == POOL_ACCOUNT) or _thrown_quinola(fact)
    ),
    "stakes-and-makers-own-if-made": lambda fact, outcome, payer, payee: (
        POOL_ACCOUNT in (payer, payee) or (outcome.made and payer == outcome.hero)
    ),
    "between-players-and-stakes-if-made": lambda fact, outcome, payer, payee: (
        outcome.made or POOL_ACCOUNT not in (payer, payee)
    ),
}
FINES_RETURNED: Mapping[str, bool] = {"yes": True, "no": False}
NEVER_DRAWS, ALWAYS_DRAWS, BY_QUINOLA = range(3)
REVERSIS_DRAWS: Mapping[str, int] = {"own-quinola-early": BY_QUINOLA, "draws": ALWAYS_DRAWS, "nothing": NEVER_DRAWS}
#: what a reversis draws: how often what waits is drawn too, a name of engine.deal.pool.OPERATIONS, and up to a limit
REVERSIS_POOLS: Mapping[str, tuple[int, str, bool]] = {
    "stake": (0, "draw", False),
    "stake-and-waiting": (1, "draw-all", False),
    "stake-up-to-limit": (0, "draw", True),
}
WHOSE_QUINOLA: Mapping[
    str, Callable[[Fact, OutcomeSeats, Callable[[], bool]], bool]
] = {  # ..., was it forced, if asked
    "his-own": lambda fact, outcome, forced: fact.player == outcome.hero,
    "his-own-unless-forced": lambda fact, outcome, forced: fact.player == outcome.hero and not forced(),
    "any-he-takes": lambda fact, outcome, forced: fact.taker == outcome.hero,
}
BREAKERS: Mapping[str, Callable[[Sequence[int]], tuple[int, ...]]] = {
    "first": lambda against: tuple(against[:1]),
    "each": lambda against: tuple(dict.fromkeys(against)),
    "nobody": lambda against: (),
}
#: who pays when the quinola itself breaks the reversis: is the payer its holder?
BREAKING_PAYERS: Mapping[str, Callable[[bool], bool]] = {
    "nothing": lambda holder: False,
    "all-pay": lambda holder: True,
    "holder-pays": lambda holder: holder,
}
