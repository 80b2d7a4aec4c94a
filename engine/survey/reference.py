"""The same count by the readable path, slowly, every deal with its whole ledger: the compiled path must agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.readings.meanings.stake import POOL
from engine.session.session import begin
from engine.settlement.ledger import Account
from engine.settlement.settle import Settled, Unanswered, settle
from engine.survey.request import EVENTS, SEATS, Order, Rules, Table
from engine.survey.tally import STEPS, Count, Tally, Versus, step_of
from rulebook.model import Library, Ruleset
from rulebook.resolve import rules

Dealt: TypeAlias = Callable[[Table, int], Deal]  #: the deal of that number as that table plays it


def bound(library: Library, these: Rules) -> Ruleset:
    """A ruleset, resolved. Raises BadChoice."""
    return rules(library, these.source, *these.wishes)


def opening(ruleset: Ruleset, seats: tuple[str, ...]) -> Pool:
    """The pool as it lies before the first deal of an evening, in the smallest units of the source."""
    return begin(ruleset, seats, SEATS - 1).after.pool


def tally(order: Order, library: Library, dealt: Dealt, numbers: Iterable[int]) -> Tally:
    """Some deals of an order, one after another."""
    these = tuple(numbers)
    return Tally(tuple(counted(table, library, dealt, these) for table in order.tables))


def counted(table: Table, library: Library, dealt: Dealt, numbers: Iterable[int]) -> Count:
    """Some deals at one table."""
    own, others = bound(library, table.rules), [bound(library, one) for one in table.others]
    count = Count(others=(Versus(),) * len(others))
    for number in numbers:
        deal = dealt(table, number)
        deal = replace(deal, pools={"": opening(own, deal.seats)})
        count += one_deal(number, deal, own, others)
    return count


def one_deal(number: int, deal: Deal, own: Ruleset, others: Iterable[Ruleset]) -> Count:
    """The count of one deal. The events that tell of the cards as first dealt are counted from the exchange."""
    found = settle(deal, own)
    net = sums(found.net) if isinstance(found, Settled) else (0,) * (SEATS + 1)
    versus = tuple(against(number, found, settle(deal, other)) for other in others)
    squares = tuple(n * n for n in net)
    return Count(1, int(isinstance(found, Settled)), net, squares, (0,) * len(EVENTS), versus)


def against(number: int, own: object, other: object) -> Versus:
    """One deal under two rulesets."""
    if isinstance(own, Unanswered) or isinstance(other, Unanswered):
        return Versus(silent=1)
    if not isinstance(own, Settled) or not isinstance(other, Settled):
        return Versus(forbidden=1)
    moved = sum(abs(a - b) for a, b in zip(sums(own.net), sums(other.net), strict=True)) // 2
    steps = tuple(int(at == step_of(moved)) for at in range(len(STEPS)))
    return Versus(1, 0, 0, int(moved > 0), moved, moved * moved, moved, number if moved else -1, steps)


def sums(net: Mapping[Account, int]) -> tuple[int, ...]:
    """What every account has won or lost: the eldest hand first, the dealer last, then the pool."""
    return tuple(net[account] for account in (*range(SEATS), POOL))
