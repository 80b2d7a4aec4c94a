"""Payments from and into the stake at the end of a deal: won by tricks, renewed."""

from __future__ import annotations

from dataclasses import replace

from engine.deal.events import Fact
from engine.readings.ask import Ask
from engine.readings.meanings.reversis import ALWAYS_DRAWS, REVERSIS_DRAWS
from engine.readings.meanings.stake import POOL_ACCOUNT, REFRESHED, REFRESHED_WHEN_WON
from engine.settlement.ledger import ONE_STAKE, Money
from engine.settlement.nonpayment import Not
from engine.settlement.outcome import OutcomeView
from engine.settlement.payments.amounts import Postings, post_payment
from engine.settlement.payments.fate import classify_card_fate


def pay_stake_by_tricks(fact: Fact, outcome: OutcomeView, ask: Ask) -> Postings:
    """Pay the stake to whose tricks win it; where equals share it, what cannot be divided stays in it."""
    won = outcome.stake_winners
    if fact.player in won:
        yield from post_payment(POOL_ACCOUNT, fact.player, replace(ONE_STAKE, among=len(won)), "draw")
    elif not won and fact.player == fact.dealer:  # told once, at the dealer's
        yield explain_stake_unwon(outcome, ask)


def explain_stake_unwon(outcome: OutcomeView, ask: Ask) -> Not:
    """Explain why nobody has won the stake by their tricks."""
    if not ask.words("stake.by-tricks"):
        return Not("nobody-pays", "stake.by-tricks")
    if outcome.hero is not None:
        drawn = outcome.made and REVERSIS_DRAWS[ask.word("reversis.stake")] == ALWAYS_DRAWS
        return Not("won-otherwise", "reversis.stake") if drawn else Not("reversis", "stake.by-tricks")
    if outcome.stake_won:  # by no reversis and by no tricks: so by the quinola
        return Not("won-otherwise", "quinola.thrown-off.stake")
    return Not("no-payee", "stake.by-tricks")


def refresh_stake(fact: Fact, outcome: OutcomeView, ask: Ask) -> Postings:
    """Have everybody put in again after certain fates of the quinola."""
    when = ask.words("stake.refreshed.when")
    if not when:
        yield Not("nobody-pays", "stake.refreshed.when")
        return
    if not any(REFRESHED[w](classify_card_fate(fact, outcome, ask)) for w in when):
        yield Not("not-then", "stake.refreshed.when", said=True)
        return
    if not REFRESHED_WHEN_WON[ask.word("stake.refreshed.unless-won")] and outcome.stake_won:
        yield Not("won-otherwise", "stake.refreshed.unless-won", said=True)
        return
    for seat in range(fact.seats):
        money = Money(ask.number("stake.refreshed.amount"))
        yield from post_payment(seat, POOL_ACCOUNT, money, "add", by="stake.refreshed.amount")
