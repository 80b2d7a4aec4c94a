"""Every payment rule by its name, with what it looks at: the table of contents of this package."""

from __future__ import annotations

from dataclasses import dataclass

from engine.settlement.payments.amounts import Pays
from engine.settlement.payments.cards import (
    draw_stake,
    match_stake,
    pay_forced,
    pay_forced_fine,
    pay_led,
    pay_thrown_off,
)
from engine.settlement.payments.fines import give_back_fines, pay_fine, pay_misdeal, pay_nothing_for_new_deal
from engine.settlement.payments.partie import pay_partie
from engine.settlement.payments.returns import give_back, pay_back_stake, pay_back_thrown_off
from engine.settlement.payments.reversis import (
    pay_breaking_quinola,
    pay_reversis_broken,
    pay_reversis_by_quinola,
    pay_reversis_made,
    pay_reversis_stake,
)
from engine.settlement.payments.stake import pay_stake_by_tricks, refresh_stake

#: The faults in the play that cost a fine.
FINED = ("revoke", "out-of-turn")


@dataclass(frozen=True, slots=True)
class Rule:
    """A payment rule: its name, the facts it looks at, and what it makes of one."""

    name: str
    kinds: tuple[str, ...]
    manners: tuple[str, ...]  #: of a card; empty: of whatever manner
    pays: Pays
    closing: bool = False  #: it is settled when the deal is over, also where it looks at a card
    in_reversis: bool = False  #: it has nothing to say where no reversis was undertaken


IN_PLAY = (
    Rule("thrown-off", ("ace", "quinola"), ("thrown-off",), pay_thrown_off),
    Rule("forced", ("ace", "quinola"), ("followed",), pay_forced),
    Rule("led", ("ace", "quinola"), ("led",), pay_led),
    Rule("forced-fine", ("quinola",), ("followed",), pay_forced_fine),
    Rule("draws-stake", ("quinola",), ("thrown-off",), draw_stake),
    Rule("matches-stake", ("quinola",), ("led", "followed"), match_stake),
)
RULES = (
    *IN_PLAY,
    *(Rule(f"{r.name}-returned", r.kinds, r.manners, give_back(r.pays), True, True) for r in IN_PLAY),
    Rule("espagnolette-returns", ("ace", "quinola"), ("thrown-off",), pay_back_thrown_off, closing=True),
    Rule("espagnolette-returns-stake", ("quinola",), ("thrown-off",), pay_back_stake, closing=True),
    Rule("reversis-by-quinola", ("quinola",), (), pay_reversis_by_quinola, True, True),
    Rule("breaking-quinola", ("quinola",), ("followed",), pay_breaking_quinola, True, True),
    Rule("reversis-made", ("seat",), (), pay_reversis_made, True, True),
    Rule("reversis-broken", ("seat",), (), pay_reversis_broken, True, True),
    Rule("reversis-stake", ("seat",), (), pay_reversis_stake, True, True),
    Rule("partie", ("seat",), (), pay_partie),
    Rule("stake-by-tricks", ("seat",), (), pay_stake_by_tricks),
    Rule("refreshed", ("quinola",), (), refresh_stake, closing=True),
    Rule("misdeal", ("fault",), ("misdeal",), pay_misdeal),
    Rule("dealt-again", ("fault",), ("card-turned-up", "badly-shuffled", "incomplete-pack"), pay_nothing_for_new_deal),
    Rule("fine", ("fault",), FINED, pay_fine),
    Rule("fine-returned", ("fault",), (*FINED, "misdeal"), give_back_fines, True, True),
)
