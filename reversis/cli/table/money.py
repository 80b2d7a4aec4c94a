"""Money at the table besides the ledger of a deal: contributions, balances, the pool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from engine.cards import rank_of
from engine.deal.model import Deal
from engine.play.table import PlayTable
from engine.session.session import Session, Step
from engine.settlement.ledger import Account, compute_balances
from engine.settlement.settle import Settled, settle
from reversis.words.account_book import generate_account_lines
from reversis.words.events import AT_THE_TABLE, BEFORE_THE_PLAY
from rulebook.phrases import format_count, format_signed_sum


def list_contributions(step: Step) -> Iterator[str]:
    """List what passes besides the ledger of a deal: what all put in before it, and what is shared out in the end."""
    for line in generate_account_lines(step):
        if line.kind == "between":
            sums = [f"{seat} {sum}" for seat, sum in zip(step.after.seats, line.sums, strict=True) if sum]
            rests = ", ".join(id for id, _ in line.clauses) or line.beside
            yield f"{line.words}: {', '.join([*sums, f'pool {line.table}'])}{f' ({rests})' * bool(rests)}"


def describe_deal_with_stake(session: Session) -> str:
    """Describe how all stand after one deal: its net leaves out what they had put in before."""
    sums = zip(session.seats, map(format_signed_sum, session.accounts), strict=True)
    return f"with what was put in before the deal, which net leaves out: {', '.join(map(' '.join, sums))}"


def describe_rest(session: Session) -> str:
    """Describe what lies in the pool when a game ends."""
    return f"left in the pool: {session.laid or 'nothing'}"


def sum_payments(settled: Settled) -> Mapping[Account, int]:
    """Sum what was paid in the tricks so far; what is paid at the end may rest on cards that nobody sees yet."""
    paid = [
        entry
        for entry in settled.entries
        if entry.rule in BEFORE_THE_PLAY or (entry.rule in AT_THE_TABLE and entry.fact.trick)
    ]
    postings = [posting for entry in paid for posting in entry.postings]
    return compute_balances(postings, settled.before, len(settled.deal.seats))


def list_standings(session: Session, deal: Deal, table: PlayTable, seats: Iterable[int]) -> Iterator[str]:
    """List what some players have after the last whole trick: tricks, points, and their balance with what they put in.

    `session`: as it was before the deal.
    """
    whole = tuple(row for row in deal.tricks if len(row) == len(deal.seats))
    settled = settle(replace(deal, tricks=whole, fragment=True), session.ruleset)
    net = sum_payments(settled) if isinstance(settled, Settled) else {}
    for seat in seats:
        points = sum(table.values[rank_of(card)] for card in table.taken[seat])
        counts = f"{format_count(table.takers.count(seat), 'trick')}, {format_count(points, 'point')}"
        yield (
            f"{session.seats[seat]} so far: {counts}, balance "
            f"{format_signed_sum(session.accounts[seat] + net.get(seat, 0))}"
        )
