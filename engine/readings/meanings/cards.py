"""Meanings of the readings on cards that pay, or are paid."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.deal.events import Fact
from engine.readings.meanings.outcome import OutcomeSeats, SeatOrNone

OWED_BY_CLAIM = "winner-of-partie"  #: who wins it is known long after, and may have to claim
SEAT: Mapping[str, Callable[[Fact, OutcomeSeats], SeatOrNone]] = {
    "taker": lambda fact, outcome: fact.taker,
    "leader": lambda fact, outcome: fact.leader,
    "highest-heart-before": lambda fact, outcome: fact.highest_before,
    OWED_BY_CLAIM: lambda fact, outcome: outcome.winner,
    "nobody": lambda fact, outcome: None,
}


def _seats(*names: str) -> Mapping[str, Callable[[Fact, OutcomeSeats], SeatOrNone]]:
    return {n: SEAT[n] for n in names}


PAYER = _seats("taker", "leader", "nobody")
FORCER = _seats("leader", "taker", "nobody")
QUINOLA_FORCER = _seats("leader", "taker", "highest-heart-before", "nobody")
ACE_LED_PAYEE = _seats(OWED_BY_CLAIM, "nobody")
QUINOLA_LED_PAYEE = _seats(OWED_BY_CLAIM, "nobody")
FORCED: Mapping[str, Callable[[Fact], bool]] = {
    "own-suit": lambda fact: True,
    "sole-card": lambda fact: fact.alone and not fact.free,
}
#: which hearts force the quinola of an espagnolette: the card, and whether there is a reversis, if asked for
FORCES_HIM: Mapping[str, Callable[[Fact, Callable[[], bool]], bool]] = {
    "as-any-holder": lambda fact, reversis: True,
    "as-any-holder-unless-reversis": lambda fact, reversis: not reversis(),
    "only-by-court-heart": lambda fact, reversis: fact.court_led,
    "only-by-ace-or-king": lambda fact, reversis: fact.court_led and not fact.queen_led,
    "ace-or-king-unless-reversis": lambda fact, reversis: fact.court_led and not fact.queen_led and not reversis(),
    "nothing": lambda fact, reversis: False,
}
GORGED: Mapping[str, Callable[[Fact], bool]] = {
    "any-lead": lambda fact: True,
    "free-lead": lambda fact: fact.free,
    "free-lead-of-eldest": lambda fact: fact.free and fact.player == fact.eldest,
}
UP_TO_LIMIT = 2  #: the stake, but a fixed part of it where it has grown to a certain sum
THROWN_QUINOLA_DRAWS: Mapping[str, int] = {"draws": True, "nothing": False, "draws-up-to-limit": UP_TO_LIMIT}
MATCHES: Mapping[str, int] = {"matches": True, "nothing": False, "matches-up-to-limit": UP_TO_LIMIT}
#: whether a payment for a card that was played so counts for more in certain tricks
MULTIPLIED: Mapping[str, Callable[[str], bool]] = {
    "thrown-off": lambda manner: manner == "thrown-off",
    "forced": lambda manner: manner == "forced",
    "led": lambda manner: manner == "led",
}
OWED_TO_HIMSELF: Mapping[str, bool] = {"nothing": False, "others-pay": True}
OWED: Mapping[str, Callable[[Fact], bool]] = {
    "must-be-claimed": lambda fact: fact.claimed,
    "unasked": lambda fact: True,
}
