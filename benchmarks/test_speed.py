"""Speed of settling with full citations: deals a second, and the wait for one.

    python -m pytest benchmarks --benchmark-only

Needs the extra `bench`. The figures are for looking at: no test fails for being slow. A reader's wait is measured
against `python -c pass` on the same machine, since what it costs to start Python is not ours.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from engine.deal.model import Deal
from engine.generation.deal import random_deal
from engine.settlement.settle import Settled, settle
from rulebook.load import library
from rulebook.model import Ruleset
from rulebook.resolve import rules

SIGLA = tuple(library().sources)
DEALS = 200
A_DEAL = "pam-quinola-forced-opposite-last"
Benchmark = Callable[..., Any]


@cache
def at_hand(siglum: str) -> tuple[Ruleset, tuple[Deal, ...]]:
    """The rules of a source, and lawful deals by lot to settle under them."""
    ruleset = rules(library(), siglum)
    return ruleset, tuple(random_deal(ruleset, seed) for seed in range(DEALS))


def settle_all(ruleset: Ruleset, deals: tuple[Deal, ...]) -> int:
    """Settle the deals anew and count them."""
    return sum(isinstance(settle(replace(deal), ruleset), Settled) for deal in deals)


@pytest.mark.parametrize("siglum", SIGLA)
def test_deals_settled_with_full_citations(benchmark: Any, siglum: str) -> None:
    benchmark.group = f"{DEALS} deals settled, on one core"
    assert benchmark(settle_all, *at_hand(siglum)) == DEALS
    benchmark.extra_info["deals a second"] = round(DEALS / benchmark.stats.stats.min)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["-c", "pass"], id="python -c pass"),
        pytest.param(["-m", "reversis.cli", "run", A_DEAL, "--source", "PAM"], id="reversis run"),
        pytest.param(["-m", "reversis.cli", "explain", A_DEAL, "--source", "PAM"], id="reversis explain"),
    ],
)
def test_a_reader_waits(benchmark: Any, words: list[str]) -> None:
    benchmark.group = "one command, start-up included"
    waited = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    done = benchmark.pedantic(
        lambda: subprocess.run([sys.executable, *words], env=waited, capture_output=True, check=True),
        rounds=7,
        warmup_rounds=1,
    )
    assert done.returncode == 0
