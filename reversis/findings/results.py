"""Results of the worked deals, in figures alone: who wins how much, who pays whom, and whether it was expected.

No word of a clause is in it, but where the reason is told why nothing is settled. So it stands when only words change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.process_pool import SharedTask
from engine.settlement.settle import Settled, Unanswered
from reversis.files.deals import readable_deals
from reversis.words import ledgers
from reversis.words.deal_views import DealView, settle_by_each, worked_deal_view
from rulebook.cited_clauses import group_clauses
from rulebook.model import Library

ResultRow: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class WorkedResult:
    """Outcome of one worked deal by one source."""

    deal: str
    source: str
    state: str  #: settled | refused | silent
    unit: str
    net: tuple[tuple[str, int], ...]  #: of each account; empty where nothing is settled
    why: str  #: nothing is settled

    @property
    def said(self) -> str:
        """Outcome of the deal, in one line."""
        return ledgers.describe_result(self.state, self.net, self.why)


@dataclass(frozen=True, slots=True)
class Results:
    """Outcomes and payments of all worked deals, and how many expectations there are and are met."""

    results: tuple[WorkedResult, ...]
    payments: tuple[ResultRow, ...]  #: deal, source, trick, fact, payer, payee, amount, unit, questions, clauses
    expected: int
    met: int

    @property
    def by_deal(self) -> Mapping[str, tuple[WorkedResult, ...]]:
        """The results by deal, in the order of the sources."""
        return {deal: tuple(results) for deal, results in groupby(self.results, lambda result: result.deal)}


@cached_on_corpus
def settle_worked_deal(corpus: Corpus, name: str) -> DealView:
    """Settle one worked deal under every source."""
    return worked_deal_view(corpus.library, name)


@cached_on_corpus
def compute_results(corpus: Corpus) -> Results:
    """Compute the figures of all worked deals."""
    library = corpus.library
    settlements = [done for deal in readable_deals(library) for done in settle_by_each(library, deal)]
    expectations = [expected for done in settlements if (expected := ledgers.compare_expectation(done))]
    due = [expected.met for expected in expectations if not expected.pending]
    results = tuple(_describe_settlement(library, done) for done in settlements)
    return Results(results, tuple(list_payments(settlements)), len(due), sum(due))


def plan_results(corpus: Corpus) -> SharedTask:
    """Settle all worked deals at once, since other tasks rest on them."""
    compute_results(corpus)
    return SharedTask((), lambda *_: None)


def _describe_settlement(library: Library, settlement: ledgers.AnySettlement) -> WorkedResult:
    net: tuple[tuple[str, int], ...] = ()
    why = ""
    if isinstance(settlement, Settled):
        net = ledgers.name_net_sums(settlement)
    elif isinstance(settlement, Unanswered):
        why = ledgers.explain_silence_of_deal(library, settlement)
    else:
        why = "; ".join(refusal.message for refusal in settlement.refusals)
    rules = settlement.ruleset
    return WorkedResult(settlement.deal.id, rules.source, ledgers.STATE_NAMES[type(settlement)], rules.unit, net, why)


def list_result_rows(results: Results) -> Iterator[ResultRow]:
    """Yield every deal by every source: what each account wins or loses, or why nothing is settled."""
    for result in results.results:
        if result.state != "settled":
            yield result.deal, result.source, result.state, "", None, result.unit, result.said
        for who, amount in result.net:
            yield result.deal, result.source, result.state, who, amount, result.unit, ""


def list_payments(settlements: Iterable[ledgers.AnySettlement]) -> Iterator[ResultRow]:
    """Yield every payment in every deal, with the clauses that order it."""
    for settled in (settlement for settlement in settlements if isinstance(settlement, Settled)):
        named = (settled.deal.id, settled.ruleset.source)
        for entry in settled.entries:
            rulings = settled.rulings(entry)
            clauses = tuple(group_clauses(rulings))
            event = (entry.fact.trick or None, entry.name)
            for each in ledgers.name_payments(settled, entry):
                paid = (each.payer, each.payee, each.amount, settled.ruleset.unit)
                yield (*named, *event, *paid, tuple(ruling.id for ruling in rulings), clauses)
