"""Entries of a ledger in few letters, as `print` shows them: who pays whom for what."""

from __future__ import annotations

from collections.abc import Iterator

from engine.cards import spell_card
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.settlement.ledger import Entry, name_ledger_account


def format_entry(entry: Entry, deal: Deal, before: Pool) -> str:
    """Format an entry: trick, event, the rule where it is another, and who pays whom, or why nothing is paid."""
    when = "End" if entry.fact.trick is None else f"Trick {entry.fact.trick}"
    card = "" if entry.fact.card is None else f" {spell_card(entry.fact.card)}"
    rule = "" if entry.name.endswith(entry.rule) else f" ({entry.rule.replace('-', ' ')})"
    paid = ", ".join(format_postings(entry, deal, before))
    why = f"nothing ({entry.reason.replace('-', ' ')})" if entry.reason else "nothing"
    return f"{when}, {entry.name.replace('-', ' ')}{card}{rule}: {paid or why}"


def format_postings(entry: Entry, deal: Deal, before: Pool) -> Iterator[str]:
    """Format each payment of an entry: east to west 40."""
    for posting in entry.postings:
        if amount := posting.money.counted(before):
            payer, payee = (name_ledger_account(deal, who) for who in (posting.payer, posting.payee))
            yield f"{payer} to {payee} {amount}"
