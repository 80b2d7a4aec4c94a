"""Results that many pages show, computed once before them, in several processes where there are.

They are the payments of all situations by topic, and what other readings change in the worked deals and sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import Any

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.process_pool import SharedTask, do_shared_tasks
from engine.interpretation.effects import Effect, try_alternatives
from reversis.files.deals import readable_deals
from reversis.files.drafts import select_settling_sources
from reversis.files.sessions import read_playable_sessions
from reversis.findings.results import compute_results, plan_results
from reversis.findings.situation_deals import examine_worked_deals
from reversis.findings.situation_payments import SituationPayments, compute_situation_payments
from reversis.findings.situations import PaymentSituation, list_situations
from rulebook.grouping import group_pairs
from rulebook.reads import ClauseWord

_SituationTable = Mapping[str, "tuple[SituationRow, ...]"]


# ---- records
@dataclass(frozen=True, slots=True)
class SituationRow:
    """A situation with its payments by every source."""

    situation: PaymentSituation
    sources: tuple[SituationPayments, ...]

    @property
    def shown(self) -> bool:
        """True if a deal shows it by any source."""
        return any(source.state != "unshown" for source in self.sources)


# ---- computing


_SITUATIONS_AT_A_TIME = 8  #: in one process, before it takes up others


def plan_situation_payments(corpus: Corpus) -> SharedTask:
    """Plan to compute what every source pays in every situation."""
    library, situations = corpus.library, list_situations(corpus.library)
    worked = examine_worked_deals(library) if situations else None

    def compute_rows(some: Iterable[PaymentSituation]) -> list[SituationRow]:
        return [SituationRow(situation, compute_situation_payments(library, situation, worked)) for situation in some]

    def keep(batches: Iterable[list[SituationRow]], words: Set[ClauseWord]) -> None:
        rows_of = group_pairs((row.situation.topic, row) for some in batches for row in some)
        corpus.remember(collect_situation_payments, rows_of, words)

    starts = range(0, len(situations), _SITUATIONS_AT_A_TIME)
    return SharedTask([partial(compute_rows, situations[at : at + _SITUATIONS_AT_A_TIME]) for at in starts], keep)


@cached_on_corpus
def collect_situation_payments(corpus: Corpus) -> _SituationTable:
    """Collect the payments of every situation by topic, for the pages."""
    do_shared_tasks([plan_situation_payments(corpus)], processes=1)
    return corpus.memo[collect_situation_payments]  # type: ignore[no-any-return]


def plan_effects(corpus: Corpus) -> SharedTask:
    """Plan to try every alternative in the worked deals and sessions, source by source."""
    library, sessions = corpus.library, tuple(read_playable_sessions(corpus.library))
    deals = [(deal, select_settling_sources(library, deal)) for deal in readable_deals(library)]

    def try_source(siglum: str) -> Sequence[Effect]:
        return try_alternatives(library, (deal for deal, by in deals if siglum in by), [siglum], sessions)

    def keep(tried: Iterable[Sequence[Effect]], words: Set[ClauseWord]) -> None:
        corpus.remember(compute_effects, {effect.alternative: effect for some in tried for effect in some}, words)

    return SharedTask([partial(try_source, siglum) for siglum in library.sources], keep)


@cached_on_corpus
def compute_effects(corpus: Corpus) -> Mapping[str, Effect]:
    """Return what every alternative changes in the worked deals and sessions, by its id."""
    do_shared_tasks([plan_effects(corpus)], processes=1)
    return corpus.memo[compute_effects]  # type: ignore[no-any-return]


TASKS: Mapping[Callable[[Corpus], Any], Callable[[Corpus], SharedTask]] = {
    compute_results: plan_results,
    compute_effects: plan_effects,
    collect_situation_payments: plan_situation_payments,
}
