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
from engine.settlement.payments.returns import give_back, pay_back_for_card, pay_back_stake
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
#: The faults, besides a misdeal, that may have the cards dealt again.
VOIDING = ("card-turned-up", "badly-shuffled", "incomplete-pack", "undiscarded", "ten-cards")


@dataclass(frozen=True, slots=True)
class PaymentRule:
    """A payment rule: its name, the facts it looks at, and what it makes of one."""

    name: str
    kinds: tuple[str, ...]
    manners: tuple[str, ...]  #: of a card; empty: of whatever manner
    pays: Pays
    closing: bool = False  #: it is settled when the deal is over, also where it looks at a card
    in_reversis: bool = False  #: it has nothing to say where no reversis was undertaken
    each_pool: bool = False  #: of several pools it is applied to each


_IN_PLAY_RULES = (
    PaymentRule("thrown-off", ("ace", "quinola"), ("thrown-off",), pay_thrown_off),
    PaymentRule("forced", ("ace", "quinola"), ("followed",), pay_forced),
    PaymentRule("led", ("ace", "quinola"), ("led",), pay_led),
    PaymentRule("forced-fine", ("quinola",), ("followed",), pay_forced_fine),
    PaymentRule("draws-stake", ("quinola",), ("thrown-off",), draw_stake),
    PaymentRule("matches-stake", ("quinola",), ("led", "followed"), match_stake),
)
RULES = (
    *_IN_PLAY_RULES,
    *(PaymentRule(f"{r.name}-returned", r.kinds, r.manners, give_back(r.pays), True, True) for r in _IN_PLAY_RULES),
    PaymentRule(
        "espagnolette-returns", ("ace", "quinola"), ("thrown-off", "led", "followed"), pay_back_for_card, closing=True
    ),
    PaymentRule("espagnolette-returns-stake", ("quinola",), ("thrown-off",), pay_back_stake, closing=True),
    PaymentRule("reversis-by-quinola", ("quinola",), (), pay_reversis_by_quinola, True, True),
    PaymentRule("breaking-quinola", ("quinola",), ("followed",), pay_breaking_quinola, True, True),
    PaymentRule("reversis-made", ("seat",), (), pay_reversis_made, True, True),
    PaymentRule("reversis-broken", ("seat",), (), pay_reversis_broken, True, True),
    PaymentRule("reversis-stake", ("seat",), (), pay_reversis_stake, True, True, each_pool=True),
    PaymentRule("partie", ("seat",), (), pay_partie),
    PaymentRule("stake-by-tricks", ("seat",), (), pay_stake_by_tricks, each_pool=True),
    PaymentRule("refreshed", ("quinola",), (), refresh_stake, closing=True),
    PaymentRule("misdeal", ("fault",), ("misdeal",), pay_misdeal),
    PaymentRule("dealt-again", ("fault",), VOIDING, pay_nothing_for_new_deal),
    PaymentRule("fine", ("fault",), FINED, pay_fine),
    PaymentRule("fine-returned", ("fault",), (*FINED, "misdeal"), give_back_fines, True, True),
)
