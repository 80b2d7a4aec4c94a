"""Results of the worked deals, in figures alone: who wins how much, who pays whom, and whether it was expected.

No word of a clause is in it, but where the reason is told why nothing is settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.process_pool import SharedTask
from reversis.files.deals import readable_deals
from reversis.words.deal_views import DealView, worked_deal_view

ResultRow: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """The rows of two tables, and how many expectations there are and how many are met."""

    #: deal, source, state, who, amount, unit, and the reason where nothing is settled
    results: tuple[ResultRow, ...]
    payments: tuple[ResultRow, ...]  #: deal, source, trick, fact, payer, payee, amount, unit, questions, clauses
    expected: int
    met: int


@cached_on_corpus
def settle_worked_deal(corpus: Corpus, name: str) -> DealView:
    """Settle one worked deal under every source."""
    return worked_deal_view(corpus.library, name)


@cached_on_corpus
def settle_worked_deals(corpus: Corpus) -> tuple[DealView, ...]:
    """Settle every worked deal that can be read under every source."""
    return tuple(settle_worked_deal(corpus, deal.id) for deal in readable_deals(corpus.library))


@cached_on_corpus
def compute_results(corpus: Corpus) -> Results:
    """Compute the figures of all worked deals."""
    deals = settle_worked_deals(corpus)
    held = [
        one.expectation for deal in deals for one in deal.ledgers if one.expectation and not one.expectation.pending
    ]
    return Results(tuple(list_results(deals)), tuple(list_payments(deals)), len(held), sum(one.met for one in held))


def plan_results(corpus: Corpus) -> SharedTask:
    """Settle all worked deals at once, since other tasks rest on them; the figures follow."""
    settle_worked_deals(corpus)
    return SharedTask((), lambda *_: compute_results(corpus))


def list_results(deals: Iterable[DealView]) -> Iterator[ResultRow]:
    """Every deal by every source: what each player wins or loses, or why nothing is settled."""
    for view in deals:
        for one in view.ledgers:
            if one.state != "settled":
                yield (view.id, one.source, one.state, "", None, one.unit, one.said)
            for who, amount in one.net if one.state == "settled" else ():
                yield (view.id, one.source, one.state, who, amount, one.unit, "")


def list_payments(deals: Iterable[DealView]) -> Iterator[ResultRow]:
    """Every payment in every deal, with the clauses that order it."""
    for view in deals:
        for one in view.ledgers:
            for entry in one.entries:
                asked = tuple(ruling.id for ruling in entry.rulings)
                for each in entry.postings:
                    paid = (each.payer, each.payee, each.amount, one.unit)
                    yield (
                        view.id,
                        one.source,
                        entry.entry.fact.trick or None,
                        entry.entry.name,
                        *paid,
                        asked,
                        entry.clauses,
                    )
