"""Meanings of the readings on irregularities: fines, what a fault denies its author, dealing again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.deal.events import Fact, Fault, Measures

FINE_TO_POOL: Mapping[str, bool] = {"pool": True, "every-other": False}
FINE_LAID: Mapping[str, str] = {"joined": "add", "separate": "wait"}  # a name of engine.deal.pool.OPERATIONS
REVOKE_STANDS: Mapping[str, bool] = {"stands": True, "taken-back": False}
THROWN_IN_REVOKE: Mapping[str, bool] = {"as-usual": True, "nothing": False}

# ---- what a fault denies its author
THROWN_QUINOLA, EVERY_OTHER, MAKING = "thrown-quinola", "other-receipts", "making-reversis"
_REVERSIS_MADE_RULES = ("reversis-made", "reversis-stake", "reversis-by-quinola")
NAMED_RECEIPTS: Mapping[str, Callable[[str, Fact], bool]] = {  # the rule that would pay him, and for what
    "partie": lambda rule, fact: rule == "partie",
    "reversis": lambda rule, fact: rule in _REVERSIS_MADE_RULES,
    "breaking": lambda rule, fact: rule == "reversis-broken",
    "forcing": lambda rule, fact: fact.kind == "quinola" and rule in ("forced", "breaking-quinola"),
}


RECEIPTS: Mapping[str, Callable[[str, Fact], bool]] = {
    **NAMED_RECEIPTS,
    MAKING: NAMED_RECEIPTS["reversis"],  # engine.settlement.outcome knows of no reversis then
    THROWN_QUINOLA: lambda rule, fact: fact.kind == "quinola" and rule in ("thrown-off", "draws-stake"),
    EVERY_OTHER: lambda rule, fact: (
        rule != "draws-stake" and (not any(named(rule, fact) for named in NAMED_RECEIPTS.values()))
    ),
}
#: what he loses who has revoked, in the words of the other faults; of the stake it is asked by itself
BARRED: Mapping[str, tuple[str, ...]] = {"every-receipt": (*NAMED_RECEIPTS, EVERY_OTHER), "nothing": ()}
BARRED_STAKE: Mapping[str, bool] = {"not-drawn": True, "drawn": False}
NEXT_BEST: Mapping[str, bool] = {"next-best": True, "nobody": False}
FORCED_BY_BARRED: Mapping[str, bool] = {"matches": False, "nothing": True}  # is the forced player let off?
TALON_COUNTED: Mapping[str, Callable[[Measures], tuple[int, ...]]] = {
    "all-there": lambda m: m.talon,
    "as-due": lambda m: m.talon[: m.talon_due],
}

# ---- a hand thrown down
#: who threw it down pays from then on, or for the whole deal; another may direct it; the cards are played
PAYS_THROWN, PAYS_ALL_THROWN, DIRECTS, PLAYED_OUT = range(4)
THROWN_DOWN: Mapping[str, int] = {
    "pays-for-thrown-cards": PAYS_THROWN,
    "pays-for-all-thrown-cards": PAYS_ALL_THROWN,
    "breaker-directs": DIRECTS,
    "played-out": PLAYED_OUT,
}

# ---- what a fault in dealing does to the deal
DEALT_AGAIN_FAULTS: Mapping[str, str] = {  # a cause for dealing again, and the fault that gives it
    "incomplete-pack": "incomplete-pack",
    "badly-shuffled": "badly-shuffled",
    "card-turned-up": "card-turned-up",
    "misdeal": "misdeal",
    "undiscarded": "undiscarded",
    "two-discarded": "ten-cards",
}
TURNED_UP: Mapping[str, Callable[[Fault], bool]] = {  # are the cards dealt again?
    "again-unless-all-agree": lambda fault: not fault.accepted,
    "always-again": lambda fault: True,
    "stands": lambda fault: False,
}
IN_TIME: Mapping[str, Callable[[Fault], bool]] = {
    "before-discards": lambda fault: fault.noticed == "before-discard",
    "before-first-lead": lambda fault: fault.noticed in ("before-discard", "before-lead"),
}
#: does the dealer keep the deal?
MISDEAL_COST: Mapping[str, Callable[[Fault], bool]] = {
    "deal-unless-redeemed": lambda fault: fault.redeemed,
    "deal": lambda fault: False,
    "nothing": lambda fault: True,
}
REDEEMABLE: Mapping[str, bool] = {"deal-unless-redeemed": True, "deal": False, "nothing": False}
LATE_MISDEAL: Mapping[str, tuple[bool, bool]] = {  # is the deal void, and does the dealer then keep it?
    "void-turn-lost": (True, False),
    "void": (True, True),
    "stands": (False, False),
}
