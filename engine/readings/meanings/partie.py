"""Meanings of the readings on paying for the partie, or talon."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.deal.events import Fact
from engine.readings.meanings.outcome import OutcomeSeats, SeatOrNone

DEBTORS: Mapping[str, Callable[[Fact, OutcomeSeats], bool]] = {
    "loser": lambda fact, outcome: fact.player == outcome.loser,
    "every-other": lambda fact, outcome: fact.player != outcome.winner,
    "every-other-with-points": lambda fact, outcome: fact.player != outcome.winner and fact.points > 0,
}
BY_TALON, BY_PAYER, BY_AGREEMENT = range(3)
DEBT: Mapping[str, int] = {"talon-cards": BY_TALON, "payers-points": BY_PAYER, "agreed-sum": BY_AGREEMENT}


#: who bears a debt: one seat, or two that halve it, the first paying the odd unit
BEARERS: Mapping[str, Callable[[Fact, OutcomeSeats], tuple[SeatOrNone, ...]]] = {
    "none": lambda fact, outcome: (fact.player,),
    "own-points-halved": lambda fact, outcome: (
        (outcome.loser, fact.eldest) if fact.player == fact.eldest != outcome.loser else (fact.player,)
    ),
    "debt-shared": lambda fact, outcome: (
        (outcome.loser, fact.eldest)
        if fact.player == outcome.loser and fact.eldest not in (outcome.winner, outcome.loser)
        else (fact.player,)
    ),
    "only-equals": lambda fact, outcome: (
        (outcome.twin, fact.eldest)
        if fact.player == fact.eldest == outcome.loser and outcome.twin is not None
        else (fact.player,)
    ),
}
#: who owes besides the loser
ALSO_OWES: Mapping[str, Callable[[Fact, OutcomeSeats], bool]] = {
    "none": lambda fact, outcome: False,
    "own-points-halved": lambda fact, outcome: fact.player == fact.eldest != outcome.winner,
    "debt-shared": lambda fact, outcome: False,
    "only-equals": lambda fact, outcome: False,
}
SETTLED_IN_REVERSIS: Mapping[str, bool] = {"not-settled": False, "settled-by-the-others": True}
