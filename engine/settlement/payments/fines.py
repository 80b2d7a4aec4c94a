"""Payments for irregularities: fines, the price of a misdeal, fines given back."""

from __future__ import annotations

from engine.deal.events import Fact
from engine.readings.ask import Ask
from engine.readings.meanings.faults import FINE_LAID, FINE_TO_POOL, IN_TIME, REDEEMABLE
from engine.readings.meanings.reversis import FINES_RETURNED
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.ledger import NO_MONEY, Money
from engine.settlement.nonpayment import Not
from engine.settlement.outcome import OutcomeView
from engine.settlement.payments.amounts import Postings, matching_amount, post_payment, rule_postings


def pay_fine(fact: Fact, outcome: OutcomeView, ask: Ask) -> Postings:
    """Fine a fault, to the pool or to every other player."""
    money = fine_amount(f"{fact.manner}.fine", ask)
    if money == NO_MONEY:
        yield Not("nobody-pays", f"{fact.manner}.fine")
        return
    to_pool = FINE_TO_POOL[ask.word(f"{fact.manner}.payee")]
    laid = FINE_LAID[ask.word("revoke.fine-joined")] if to_pool and fact.manner == "revoke" else "add"
    yield from post_fine(fact, money, to_pool, f"{fact.manner}.fine", laid)


def post_fine(fact: Fact, money: Money, to_pool: bool, by: str, laid: str = "add") -> Postings:
    """Post a fine into the pool, or to every other player."""
    for payee in (POOL_ACCOUNT,) if to_pool else [seat for seat in range(fact.seats) if seat != fact.player]:
        yield from post_payment(fact.player, payee, money, laid if to_pool else "", by=by)


def fine_amount(question: str, ask: Ask) -> Money:
    """Return what a fault costs: a sum, or a multiple of the stake."""
    answer = ask(question)
    return Money(answer) if isinstance(answer, int) else matching_amount(ask).times(ask.table(question)["stakes"])


def pay_misdeal(fact: Fact, outcome: OutcomeView, ask: Ask) -> Postings:
    """Fine a misdeal that comes out too late; if in time, the dealer may have to buy back the deal."""
    fault = fact.fault
    if fault is None:
        return
    ask("deal.again")
    if not IN_TIME[ask.word("misdeal.until")](fault):
        money = fine_amount("misdeal.late-fine", ask)
        yield from post_fine(fact, money, FINE_TO_POOL[ask.word("misdeal.payee")], "misdeal.late-fine")
    elif fault.redeemed and REDEEMABLE[ask.word("misdeal.cost")]:
        money = Money(ask.number("misdeal.redemption"))
        yield from post_fine(fact, money, FINE_TO_POOL[ask.word("misdeal.payee")], "misdeal.redemption")
    else:
        ask("misdeal.cost")
        yield Not("nobody-pays", "misdeal.cost", said=True)


def pay_nothing_for_new_deal(fact: Fact, outcome: OutcomeView, ask: Ask) -> Postings:
    """Charge nothing for whatever else has the cards dealt again."""
    ask("deal.again")
    if fact.manner == "card-turned-up":
        ask("deal.card-turned-up")
    yield Not("nobody-pays", "deal.again", said=True)


def give_back_fines(fact: Fact, outcome: OutcomeView, ask: Ask) -> Postings:
    """Give the maker of a reversis the fines back, where the source says so."""
    if not outcome.made or fact.player != outcome.hero:
        return
    back = FINES_RETURNED[ask.word("reversis.returns-fines")]
    for posting in rule_postings((pay_misdeal if fact.manner == "misdeal" else pay_fine), fact, outcome, ask):
        yield posting.back() if back else Not("stands", "reversis.returns-fines")
