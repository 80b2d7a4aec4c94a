"""Results that many pages show, as the edition computes them before its pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from edition.corpus.corpus import Corpus
from edition.process_pool import SharedTask
from reversis.findings.effects import compute_effects, plan_effects
from reversis.findings.results import compute_results, plan_results
from reversis.findings.situation_table import collect_situation_payments, plan_situation_payments

TASKS: Mapping[Callable[[Corpus], Any], Callable[[Corpus], SharedTask]] = {
    compute_results: plan_results,
    compute_effects: plan_effects,
    collect_situation_payments: plan_situation_payments,
}
