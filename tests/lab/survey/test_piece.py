"""Who does the work of a survey, and what is left of it in a file.

Most of what is asked for here changes no sum where it is done amiss; so what is called is watched instead.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from stat import S_IMODE
from types import SimpleNamespace
from typing import Any

import pytest
from pyarrow import parquet as files

from engine.players import preferences as policies
from lab.survey import chunk as work
from lab.survey import runner as runs
from lab.survey.parquet import write_survey_parquet
from lab.survey.request import Rules, SurveyOrder, SurveyTable
from lab.survey.runner import ProcessCrew, SingleProcessCrew
from lab.survey.table import (
    SurveyRun,
)
from lab.survey.tally import Count, SurveyTally, Versus
from rulebook.model import Library

PAM, ACA = Rules("PAM"), Rules("ACA")
Monkey = pytest.MonkeyPatch


def order_of(deals: int, size: int, policy: str = policies.RANDOM) -> SurveyOrder:
    return SurveyOrder(1, policy, deals, (), size)


# ---- who does the work
def number_of(order: SurveyOrder, library: object, chunk: int) -> int:
    return chunk


class Backwards(SingleProcessCrew):
    """Three at once, of whom the last is done first."""

    hands = 3

    def done(self, under_way: Sequence[Future[Any]]) -> Sequence[Future[Any]]:
        return under_way[::-1]


def test_sums_are_given_away_in_the_order_of_the_deals_whoever_is_done_first(
    monkeypatch: Monkey, library: Library
) -> None:
    given: list[tuple[range, object]] = []
    monkeypatch.setattr(
        work, "tally_piece", lambda order, library, chunk: SurveyTally((Count(len(order.numbers(chunk))),))
    )
    monkeypatch.setattr(work, "compute_piece_nets", number_of)
    total = runs.run_survey_order(
        order_of(12, 5), Backwards(library), keep=lambda numbers, nets: given.append((numbers, nets))
    )
    assert given == [(range(5), 0), (range(5, 10), 1), (range(10, 12), 2)]
    assert total == SurveyTally((Count(12),))


class Hired:
    """Stands where processes would be begun; tells how they are sent home."""

    sent_home: list[dict[str, bool]]

    def __init__(self, *given: object, **more: object) -> None:
        Hired.sent_home = []

    def shutdown(self, **how: bool) -> None:
        self.sent_home.append(how)


def test_who_has_work_in_hand_ends_it_unless_something_went_wrong(monkeypatch: Monkey, library: Library) -> None:
    monkeypatch.setattr(runs, "ProcessPoolExecutor", Hired)
    with ProcessCrew(library, 2) as crew:
        assert crew.hands == 2
    assert Hired.sent_home == [{"wait": True, "cancel_futures": False}]
    with pytest.raises(KeyboardInterrupt), ProcessCrew(library, 2):
        raise KeyboardInterrupt
    assert Hired.sent_home == [{"wait": True, "cancel_futures": True}]


def test_a_process_leaves_when_its_caller_has_died_and_stays_where_nobody_called_it(monkeypatch: Monkey) -> None:
    told: list[object] = []
    monkeypatch.setattr(os, "_exit", lambda code: told.append(code))
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: None)
    runs.exit_with_caller()
    assert told == []
    caller = SimpleNamespace(join=lambda: told.append("the caller has died"))
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: caller)
    runs.exit_with_caller()
    assert told == ["the caller has died", 1]


# ---- how it is kept
@pytest.fixture
def survey() -> SurveyRun:
    """One table, one other ruleset."""
    order = SurveyOrder(7, "random", 10, (SurveyTable(PAM, (ACA,)),))
    return SurveyRun(
        order, SurveyTally((Count(10, 9, others=(Versus(9),)),)), "reversis survey «été»", "0.1.0", "sha256:0"
    )


# ---- in a file
def test_a_file_is_everybodys_to_read_and_tells_the_least_and_the_most_of_each_column(
    tmp_path: Path, survey: SurveyRun
) -> None:
    path = tmp_path / "one.parquet"
    write_survey_parquet(path, survey)
    assert sys.platform == "win32" or S_IMODE(path.stat().st_mode) == 0o644  # Windows knows no such modes
    group = files.read_metadata(path).row_group(0)
    columns = {group.column(at).path_in_schema: group.column(at) for at in range(group.num_columns)}
    settled = columns["settled"].statistics
    assert columns["settled"].is_stats_set and (settled.min, settled.max) == (9, 9)
    assert (columns["table"].statistics.min, columns["rules"].statistics.min) == ("PAM", "ACA")
