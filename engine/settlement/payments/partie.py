"""Payments for the partie, or talon: what is owed, and who bears it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.deal.events import Fact
from engine.readings.ask import Ask
from engine.readings.meanings.outcome import SeatOrNone
from engine.readings.meanings.partie import ALSO_OWES, BEARERS, BY_AGREEMENT, BY_PAYER, DEBT, DEBTORS
from engine.settlement.ledger import Money
from engine.settlement.nonpayment import Not
from engine.settlement.outcome import OutcomeView
from engine.settlement.payments.amounts import Postings, post_payment, sit_opposite


def pay_partie(fact: Fact, outcome: OutcomeView, ask: Ask) -> Postings:
    """Pay the partie, or talon, to its winner."""
    if outcome.winner is None and fact.player == outcome.hero:
        yield Not("reversis", "partie.in-reversis", said=True)
    elif outcome.winner is None and outcome.hero is None and fact.player == fact.dealer:
        yield Not("barred", "barred.partie", said=True) if outcome.forfeited else Not("no-payee", "partie.winner")
    if outcome.winner in (None, fact.player) or fact.player is None:
        return
    share = ask.word("partie.eldest-share") if outcome.hero is None else "none"
    due = tuple(list_debts(fact, outcome, share, ask))
    if not due and not shares_loser_debt(fact, outcome, share):
        yield Not("another-pays", "partie.paid-by")
    for debt, bearers in due:
        yield from pay_debt(debt, bearers, fact, outcome, ask)


def list_debts(fact: Fact, outcome: OutcomeView, share: str, ask: Ask) -> Iterator[tuple[int, tuple[SeatOrNone, ...]]]:
    """List what a player owes for the partie and who bears it; who led first may owe their own points instead."""
    debtor, also = DEBTORS[ask.word("partie.paid-by")](fact, outcome), ALSO_OWES[share](fact, outcome)
    if debtor:
        yield amount_owed(fact, outcome, ask), (fact.player,) if also else BEARERS[share](fact, outcome)
    elif also:
        yield price_points(fact.points, ask), BEARERS[share](fact, outcome)


def pay_debt(debt: int, bearers: tuple[SeatOrNone, ...], fact: Fact, outcome: OutcomeView, ask: Ask) -> Postings:
    """Pay one debt, in equal parts if two bear it; the first pays the odd unit."""
    for i, seat in enumerate(bearers):
        part = (debt + len(bearers) - 1 - i) // len(bearers)
        if seat is not None and outcome.winner is not None:
            opposite = ask.number("partie.opposite") if sit_opposite(fact, seat, outcome.winner) else 1
            nothing = Not("nothing-owed", "partie.amount")
            yield from post_payment(seat, outcome.winner, Money(part * opposite)) if part else (nothing,)


def shares_loser_debt(fact: Fact, outcome: OutcomeView, share: str) -> bool:
    """Return whether a player bears a part of the loser's debt, and pays it together with the loser."""
    if share == "none" or outcome.loser in (None, fact.player):
        return False
    return fact.player in BEARERS[share](replace(fact, player=outcome.loser), outcome)


def amount_owed(fact: Fact, outcome: OutcomeView, ask: Ask) -> int:
    """Return what is owed for the partie, or talon, before it is doubled or shared."""
    by = DEBT[ask.word("partie.amount")]
    if by == BY_AGREEMENT:
        return ask.number("partie.agreed-sum")
    return price_points(fact.points if by == BY_PAYER else outcome.talon_value, ask)


def price_points(points: int, ask: Ask) -> int:
    """Return the price of a number of points."""
    ask("cards.points")
    return ask.number("partie.per-point") * points
