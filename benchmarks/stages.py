"""Benchmark of the stages of a survey, and of the parts of the engine in settling with citations: the share of each.

    python -m benchmarks.stages

Of the survey the processor time of every stage is taken, over the tables of all sources, once everything is compiled.
Of the readable path a profile is taken, and the time of each function is put down to the part of the engine it lies in;
a profile slows all it sees down, so that these shares say where to look, and how fast it is `benchmarks/test_speed.py`
says.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from engine.deal.model import Deal
from engine.generation.deal import random_deal
from engine.settlement.settle import settle
from lab.players.endgame import CARDS_PER_DEAL
from lab.survey import chunk as piece
from lab.survey.request import CHUNK, Rules, SurveyOrder, SurveyTable
from rulebook.load import library
from rulebook.model import Library, Ruleset
from rulebook.resolve import rules

_ROOT = Path(__file__).resolve().parents[1]
_WARM_UP = 20_000  #: so many deals compile, and teach the pricer its tables
#: What is timed: the stage, and the function in which it is done; the outcome is told within the pricing of one's own.
_STAGES: Mapping[str, tuple[object, str]] = {
    "dealing, exchange and play": (piece, "play_piece_deals"),
    "payments": (piece.DealPricer, "as_own"),
}
_FEWEST_IN_A_HUNDRED = 2.0  #: smaller parts of a profile are told together


def measure_survey_stages(own: Library, policy: str, deals: int) -> tuple[float, dict[str, float]]:
    """Measure a survey on one core: million cards a second, and of each stage how much in a hundred."""
    order = SurveyOrder(1, policy, deals, tuple(SurveyTable(Rules(one)) for one in own.sources), CHUNK)
    spent = Counter[str]()
    _count_all_tables(order, own, _WARM_UP)
    stages = [
        patch.object(place, name, _time(getattr(place, name), spent, stage)) for stage, (place, name) in _STAGES.items()
    ]
    for one in stages:
        one.start()
    try:
        began = time.process_time()
        _count_all_tables(order, own, deals)
        total = time.process_time() - began
    finally:
        for one in stages:
            one.stop()
    cards = deals * len(order.tables) * CARDS_PER_DEAL
    shares = {stage: 100 * seconds / total for stage, seconds in spent.items()}
    return cards / total / 1e6, {**shares, "counting": 100 - sum(shares.values())}


def _count_all_tables(order: SurveyOrder, own: Library, deals: int) -> None:
    for table in order.tables:
        piece.count_table_deals(order, table, own, range(deals))


def _time(work: Callable[..., Any], spent: Counter[str], stage: str) -> Callable[..., Any]:
    """Return the same function, which puts its processor time down to a stage."""

    def timed(*given: Any, **named: Any) -> Any:
        began = time.process_time()
        try:
            return work(*given, **named)
        finally:
            spent[stage] += time.process_time() - began  # type: ignore[assignment]

    return timed


def measure_readable_parts(ruleset: Ruleset, deals: Sequence[Deal]) -> dict[str, float]:
    """Measure settling with citations: of each package or module of the engine how much in a hundred."""
    for deal in deals[:50]:
        settle(replace(deal), ruleset)
    fresh = [replace(deal) for deal in deals]  # a deal keeps what came of it
    profile = cProfile.Profile()
    profile.enable()
    for deal in fresh:
        settle(deal, ruleset)
    profile.disable()
    spent = Counter[str]()
    for (file, _, _), (_, _, own_time, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        spent[_name_part(file)] += own_time
    total = sum(spent.values())
    return {part: 100 * seconds / total for part, seconds in spent.most_common()}


def _name_part(file: str) -> str:
    """Name the part of the program in which a file lies, three names deep; Python's own functions are one part."""
    path = Path(file)
    if not path.is_relative_to(_ROOT):
        return "Python's own functions"
    return "/".join(path.relative_to(_ROOT).with_suffix("").parts[:3])


def tell_stages(own: Library, deals: int, readable: int) -> Iterator[str]:
    """Tell all of it, line by line."""
    for policy, number in (("random", deals), ("cautious", deals // 8)):
        pace, shares = measure_survey_stages(own, policy, number)
        yield f"survey, {policy}: {pace:.1f} million cards a second"
        yield from (f"  {share:5.1f} %  {stage}" for stage, share in shares.items())
    ruleset = rules(own, next(iter(own.sources)))
    parts = measure_readable_parts(ruleset, [random_deal(ruleset, seed) for seed in range(readable)])
    shown = {part: share for part, share in parts.items() if share >= _FEWEST_IN_A_HUNDRED}
    yield f"settling with citations, by {ruleset.source}"
    yield from (f"  {share:5.1f} %  {part}" for part, share in shown.items())
    yield f"  {100 - sum(shown.values()):5.1f} %  in parts of less than {_FEWEST_IN_A_HUNDRED:.0f} % each"


def main(words: list[str] | None = None) -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stages", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int, default=400_000, help="at each table of the survey (400000)")
    parser.add_argument("--readable", type=int, default=400, help="settled with citations (400)")
    given = parser.parse_args(words)
    for line in tell_stages(library(), given.deals, given.readable):
        sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
