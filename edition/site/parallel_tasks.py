"""Results that many pages show, computed before the pages are shared out among processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from edition.corpus.corpus import Corpus
from edition.export.downloads import collect_downloads, plan_downloads
from edition.process_pool import SharedTask, do_shared_tasks
from reversis.findings.effects import compute_effects, plan_effects
from reversis.findings.results import compute_results, settle_worked_deals
from reversis.findings.situation_table import collect_situation_payments, plan_situation_payments

_Plans: TypeAlias = Mapping[Callable[[Corpus], Any], Callable[[Corpus], SharedTask]]

#: Each result on which views rest, and how it is planned.
_VIEW_PLANS: _Plans = {
    compute_effects: plan_effects,
    collect_situation_payments: plan_situation_payments,
}
_PLANS: _Plans = {collect_downloads: plan_downloads, **_VIEW_PLANS}
#: Kinds of views that tell which downloads there are.
DOWNLOAD_VIEWS = frozenset({"downloads", "downloads-counted"})


def compute_shared_results(corpus: Corpus, processes: int) -> None:
    """Compute what is not known yet: the worked deals, what other readings change, all payments, all downloads."""
    _compute_missing_results(corpus, _PLANS, processes)


def compute_view_inputs(corpus: Corpus, processes: int) -> None:
    """Compute what views rest on and is not known yet: all but the downloads, which few of them name."""
    _compute_missing_results(corpus, _VIEW_PLANS, processes)


def plan_missing_downloads(corpus: Corpus) -> tuple[SharedTask, ...]:
    """Plan to collect the downloads, unless they have been collected."""
    return () if collect_downloads in corpus.memo else (plan_downloads(corpus),)


def _compute_missing_results(corpus: Corpus, plans: _Plans, processes: int) -> None:
    if compute_results not in corpus.memo:
        settle_worked_deals(corpus)
    do_shared_tasks((plan(corpus) for found, plan in plans.items() if found not in corpus.memo), processes)
