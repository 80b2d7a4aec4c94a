"""Payments given back, because of a reversis or by an espagnolette that is lost.

What undoes a payment always asks the payment itself, never the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.deal.events import Fact
from engine.readings.ask import Ask
from engine.readings.meanings.espagnolette import ALL_COSTS, BACK_TO_PAYER, HE_PAYS, INTO_SAME_POOL
from engine.readings.meanings.reversis import RETURNED
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.nonpayment import Not
from engine.settlement.outcome import OutcomeView
from engine.settlement.payments.amounts import Pays, Postings, post_payment, rule_postings
from engine.settlement.payments.cards import (
    draw_stake,
    match_stake,
    pay_forced,
    pay_forced_fine,
    pay_led,
    pay_thrown_off,
)


def give_back(pays: Pays) -> Pays:
    """Return the rule that gives the same payments back because of a reversis."""

    def given_back(fact: Fact, outcome: OutcomeView, ask: Ask) -> Postings:
        if outcome.hero is None:
            return
        undone = RETURNED[ask.word("reversis.returns")]
        for posting in rule_postings(pays, fact, outcome, ask):
            if undone(fact, outcome, posting.payer, posting.payee) and not (
                fact.manner == "thrown-off" and fact.player == outcome.kept and (posting.payee == outcome.kept)
            ):
                yield posting.back()
            else:
                yield Not("stands", "reversis.returns")

    return given_back


#: What may have been paid for a card that a losing espagnolette bears once, where all costs are theirs.
_COSTS: Mapping[tuple[str, str], tuple[Pays, ...]] = {
    ("ace", "led"): (pay_led,),
    ("ace", "followed"): (pay_forced,),
    ("quinola", "led"): (pay_led, match_stake),
    ("quinola", "followed"): (pay_forced, pay_forced_fine, match_stake),
}


def pay_back_for_card(fact: Fact, outcome: OutcomeView, ask: Ask) -> Postings:
    """Have a losing espagnolette give back what was paid for a card, as far as the source says so."""
    if not outcome.espagnolette_lost:
        return
    if fact.manner == "thrown-off":
        yield from pay_back_thrown_off(fact, outcome, ask)
    elif HE_PAYS[ask.word("espagnolette.lost.partie")] == ALL_COSTS:
        yield Not("nothing-paid")  # unless something was
        for pays in _COSTS[fact.kind, fact.manner]:
            for posting in rule_postings(pays, fact, outcome, ask):
                if posting.payer == outcome.espagnolette:
                    yield Not("own")
                else:
                    yield from post_payment(outcome.espagnolette, posting.payer, posting.money)


def pay_back_thrown_off(fact: Fact, outcome: OutcomeView, ask: Ask) -> Postings:
    """Have a losing espagnolette give back, manifold, what was paid for cards thrown off, whosever."""
    lost = outcome.espagnolette
    own = fact.player == lost
    question = "espagnolette.lost.returns-own" if own else "espagnolette.lost.returns-others"
    times = ask.number(question)
    if times == 0:
        yield Not("nobody-pays", question, said=True)
        return
    yield Not("nothing-paid")  # unless something was
    to_payer = own or BACK_TO_PAYER[ask.word("espagnolette.lost.returns-others-to")]
    for posting in rule_postings(pay_thrown_off, fact, outcome, ask):
        if posting.payer == lost:
            yield Not("own", "espagnolette.lost.returns-others-to")
        else:
            yield from post_payment(lost, posting.payer if to_payer else posting.payee, posting.money.times(times))


def pay_back_stake(fact: Fact, outcome: OutcomeView, ask: Ask) -> Postings:
    """Have a losing espagnolette who has thrown off the quinola pay the stake back, manifold."""
    if not outcome.espagnolette_lost or fact.player != outcome.espagnolette:
        return
    times = ask.number("espagnolette.lost.stake")
    if times == 0:
        yield Not("nobody-pays", "espagnolette.lost.stake", said=True)
        return
    yield Not("nothing-paid", "quinola.thrown-off.stake")  # unless it has drawn
    whole = INTO_SAME_POOL[ask.word("espagnolette.lost.stake-into")]
    for posting in rule_postings(draw_stake, fact, outcome, ask):
        again, besides = (times, 0) if whole else (1, times - 1)
        yield from post_payment(fact.player, POOL_ACCOUNT, posting.money.times(again), "add")
        yield from post_payment(fact.player, POOL_ACCOUNT, posting.money.times(besides), "supplement")
