"""Results that many pages show, computed before the pages are shared out among processes."""

from __future__ import annotations

from edition.analysis.effects import compute_effects, plan_effects
from edition.analysis.forked import do_shared_tasks
from edition.analysis.results import compute_results, settle_worked_deals
from edition.analysis.situation_table import collect_situation_payments, plan_situation_payments
from edition.corpus.corpus import Corpus
from edition.export.downloads import collect_downloads, plan_downloads

_PLANS = {
    collect_downloads: plan_downloads,
    compute_effects: plan_effects,
    collect_situation_payments: plan_situation_payments,
}


def compute_shared_results(corpus: Corpus, processes: int) -> None:
    """Compute what is not known yet: the worked deals, what other readings change, all payments, all downloads."""
    if compute_results not in corpus.memo:
        settle_worked_deals(corpus)
    do_shared_tasks((plan(corpus) for found, plan in _PLANS.items() if found not in corpus.memo), processes)
