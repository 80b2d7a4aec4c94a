"""The same count by the readable path, slowly, every deal with its whole ledger: the compiled path must agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.session.session import begin
from engine.settlement.ledger import Account
from engine.settlement.settle import Settled, Unanswered, settle
from lab.survey import tally
from lab.survey.request import EVENTS, SURVEY_SEATS, Rules, SurveyOrder, SurveyTable
from rulebook.model import Library, Ruleset
from rulebook.resolve import rules

Dealt: TypeAlias = Callable[[SurveyTable, int], Deal]  #: the deal of that number as that table plays it


def resolve_table_rules(library: Library, these: Rules) -> Ruleset:
    """Resolve a table's rules into a ruleset. Raises BadChoice."""
    return rules(library, these.source, *these.wishes)


def compute_opening_pool(ruleset: Ruleset, seats: tuple[str, ...]) -> Pool:
    """Compute the pool before an evening's first deal, in the source's smallest units."""
    return begin(ruleset, seats, SURVEY_SEATS - 1).after.pool


def tally_by_ledger(order: SurveyOrder, library: Library, dealt: Dealt, numbers: Iterable[int]) -> tally.SurveyTally:
    """Tally some deals of an order, one after another."""
    these = tuple(numbers)
    return tally.SurveyTally(tuple(count_table_by_ledger(table, library, dealt, these) for table in order.tables))


def count_table_by_ledger(table: SurveyTable, library: Library, dealt: Dealt, numbers: Iterable[int]) -> tally.Count:
    """Count some deals at one table."""
    own, others = (
        resolve_table_rules(library, table.rules),
        [resolve_table_rules(library, other) for other in table.others],
    )
    count = tally.Count(others=(tally.Versus(),) * len(others))
    for number in numbers:
        deal = dealt(table, number)
        deal = replace(deal, pools={"": compute_opening_pool(own, deal.seats)})
        count += count_deal_by_ledger(number, deal, own, others)
    return count


def count_deal_by_ledger(number: int, deal: Deal, own: Ruleset, others: Iterable[Ruleset]) -> tally.Count:
    """Count one deal.

    The events that tell of the cards as first dealt are counted from the exchange.
    """
    result = settle(deal, own)
    net = list_account_nets(result.net) if isinstance(result, Settled) else (0,) * (SURVEY_SEATS + 1)
    versus = tuple(compare_deal_ledgers(number, result, settle(deal, other)) for other in others)
    squares = tuple(n * n for n in net)
    return tally.Count(1, int(isinstance(result, Settled)), net, squares, (0,) * len(EVENTS), versus)


def compare_deal_ledgers(number: int, own: object, other: object) -> tally.Versus:
    """Compare one deal under two rulesets."""
    if isinstance(own, Unanswered) or isinstance(other, Unanswered):
        return tally.Versus(silent=1)
    if not isinstance(own, Settled) or not isinstance(other, Settled):
        return tally.Versus(forbidden=1)
    moved = sum(abs(a - b) for a, b in zip(list_account_nets(own.net), list_account_nets(other.net), strict=True)) // 2
    steps = tuple(int(at == tally.find_moved_step(moved)) for at in range(len(tally.MOVED_STEPS)))
    return tally.Versus(1, 0, 0, int(moved > 0), moved, moved * moved, moved, number if moved else -1, steps)


def list_account_nets(net: Mapping[Account, int]) -> tuple[int, ...]:
    """List each account's net: the eldest hand first, the dealer last, then the pool."""
    return tuple(net[account] for account in (*range(SURVEY_SEATS), POOL_ACCOUNT))
