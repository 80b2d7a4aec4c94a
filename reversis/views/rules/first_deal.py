"""A deal that is simple enough to begin with, explained payment by payment."""

from __future__ import annotations

from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.text.typography import curl_quotes
from edition.views.play.lines import capitalize_players, capitalize_seats
from engine.deal.model import Deal
from engine.settlement.settle import Settled, settle
from reversis.files.deals import iter_source_deals
from reversis.words.deal_views import view_deal
from reversis.words.ledgers import LedgerLine, LedgerView
from rulebook.model import Source
from rulebook.phrases import format_counters
from rulebook.resolve import resolve

TOLD_OF_A_DEAL = 8  #: payments told of the first deal; the rest stands on its page


@dataclass(frozen=True, slots=True)
class FirstDeal:
    """A deal that is simple enough to begin with, and what is paid in it."""

    id: str
    title: str
    unit: str
    payments: tuple[str, ...]  #: each as a sentence with its sums
    more: int  #: payments that are not told here
    outcome: tuple[str, ...]
    net: tuple[tuple[str, int], ...]


def choose_first_deal(corpus: Corpus, source: Source) -> FirstDeal | None:
    """The simplest of the source's own worked deals: whole, without faults, with few payments and few doubts."""
    library = corpus.library
    rules = resolve(library, source.siglum)
    whole = (deal for deal in iter_source_deals(library, source.siglum) if _is_plain_deal(deal))
    settled = [result for deal in whole if isinstance(result := settle(deal, rules), Settled)]
    views = [(settlement.deal, view_deal(library, settlement.deal, [rules]).ledgers[0]) for settlement in settled]
    ordinary = [(deal, ledger) for deal, ledger in views if has_payments_throughout(ledger)]
    return _deal_in_short(*min(ordinary, key=lambda pair: _compute_simplicity_key(*pair))) if ordinary else None


def _is_plain_deal(deal: Deal) -> bool:
    whole = not deal.fragment and len(deal.tricks) == deal.hand_size
    return whole and not (deal.faults or deal.announced)


def has_payments_throughout(ledger: LedgerView) -> bool:
    """Test for payments during the play, and of the partie, or talon, at its end."""
    paid = [line for line in ledger.entries if line.postings]
    return any(line.entry.fact.trick for line in paid) and any(line.entry.name == "partie" for line in paid)


def _compute_simplicity_key(deal: Deal, ledger: LedgerView) -> tuple[int, int, int, str]:
    paid = [entry for entry in ledger.entries if entry.postings]
    rules_ = {ruling.id for entry in paid for ruling in entry.rulings}
    doubts = {ruling.interpretation for entry in paid for ruling in entry.rulings if ruling.interpretation}
    return len(rules_) + len(doubts), len(paid), len(deal.seats), deal.id


def _deal_in_short(deal: Deal, ledger: LedgerView) -> FirstDeal:
    seats = deal.seats
    paid = [
        capitalize_seats(_payment_sentence(entry, ledger.unit), seats) for entry in ledger.entries if entry.postings
    ]
    title = deal.title or deal.id
    more = max(0, len(paid) - TOLD_OF_A_DEAL)
    outcome = tuple(capitalize_players(words_, seats) for words_ in ledger.outcome)
    return FirstDeal(deal.id, title, ledger.unit, tuple(paid[:TOLD_OF_A_DEAL]), more, outcome, ledger.net)


def _payment_sentence(entry: LedgerLine, unit: str) -> str:
    sums = (
        (format_counters(paid.amount, unit), _name_account(str(paid.payer)), _name_account(str(paid.payee)))
        for paid in entry.postings
    )
    paid_sums = "; ".join(f"{amount} from {payer} to {payee}" for amount, payer, payee in sums)
    return curl_quotes(f"{entry.sentence}: {paid_sums}.")[0]


def _name_account(account: str) -> str:
    return f"the {account}" if account.startswith("pool") else account
