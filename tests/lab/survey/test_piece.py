"""The workshop of a survey at its edges: what is done and what is left undone, who is called, how rows and files read.

Most of what is asked for here changes no sum where it is done amiss; so what is called is watched instead.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from stat import S_IMODE
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from pyarrow import parquet as files

from engine.players import preferences as policies
from lab.survey import buffers as played
from lab.survey import chunk as work
from lab.survey import runner as runs
from lab.survey.encode_rules import PLAY_RULES_WIDTH
from lab.survey.encode_rules import PlayRuleColumn as Column
from lab.survey.outcomes import batch
from lab.survey.parquet import write_survey_parquet
from lab.survey.pricing import PRICED_SETTLED, PRICED_SILENT, Priced
from lab.survey.request import Rules, SurveyOrder, SurveyTable
from lab.survey.runner import ProcessCrew, SingleProcessCrew
from lab.survey.table import (
    SurveyRun,
)
from lab.survey.tally import Count, SurveyTally, Versus
from rulebook.model import Library

PAM, ACA = Rules("PAM"), Rules("ACA")
#: what rules say of the play and the outcome; nobody plays by these, with one privileged card and no gifts
ROW = tuple(0 if at in (Column.ACROSS, Column.FURTHER) else at for at in range(PLAY_RULES_WIDTH))
OF = (1, 2, 3)
TWO = 2  #: deals on the desk
Monkey = pytest.MonkeyPatch


def but(row: tuple[int, ...], at: Column, value: int) -> tuple[int, ...]:
    """The row, and one thing in it otherwise."""
    return (*row[:at], value, *row[at + 1 :])


def order_of(deals: int, size: int, policy: str = policies.RANDOM) -> SurveyOrder:
    return SurveyOrder(1, policy, deals, (), size)


def nothing_done(*given: object) -> None:
    """Stands where deals would be played, or gone through."""


# ---- the price
ALL_ROOTS, FEW = ("all of them",), ("those that may differ",)
COMES_TO = {("own", ALL_ROOTS): 100, ("own", FEW): 30, ("new", FEW): 7, ("third", FEW): 9, ("new", ALL_ROOTS): 50}


class Till:
    """Stands where deals are priced, and remembers what it was asked."""

    def __init__(self, became: int) -> None:
        self.became, self.asked = became, list[tuple[str, object]]()

    def price(self, ruleset: str, tariff: object, deals: object, outcome: object, quinola: int, *more: Any) -> Priced:
        """So much for everybody, in both deals; the own rules say what became of the second."""
        self.asked.append((ruleset, more[0]))
        became = np.array([PRICED_SETTLED, self.became if ruleset == "own" else PRICED_SETTLED], np.int64)
        return Priced(np.full((TWO, 4), COMES_TO[ruleset, more[0]], np.int64), became)


@pytest.fixture
def priced(monkeypatch: Monkey, library: Library) -> Callable[..., tuple[list[tuple[str, object]], list[int]]]:
    """What is asked of the till, and what comes of it, where another ruleset has such a row."""

    def asked(row: tuple[int, ...], became: int = PRICED_SETTLED, *, names: Sequence[str] = ("new",)) -> Any:
        till, priser, pool = Till(became), work.DealPricer(library), cast(Any, "a pool")
        monkeypatch.setattr(work, "price_deals", till.price)
        monkeypatch.setattr(work, "make_fact_tables", nothing_done)
        monkeypatch.setattr(work, "all_roots", lambda tariff: ALL_ROOTS)
        monkeypatch.setattr(work, "find_affected_roots", lambda tariff, one, other: FEW)
        monkeypatch.setattr(batch, "compute_outcomes", nothing_done)
        priser.bound[PAM], priser.coded[PAM, pool] = cast(Any, ("own", pool)), cast(Any, ("own", ROW, OF))
        deals = played.allocate_deals(TWO)
        desk, nets = work.TableDeals(deals, ROW, replayed={row: deals}), []
        for name in names:
            priser.bound[Rules(name)] = cast(Any, (name, pool))
            priser.coded[Rules(name), pool] = cast(Any, (name, row, OF))
            nets.append(int(priser.other(desk, PAM, Rules(name), pool).net[1, 3]))
        return till.asked, nets

    return asked


def test_under_other_rules_only_what_may_differ_is_paid_anew(priced: Any) -> None:
    assert priced(ROW, names=("new", "third")) == (
        [("own", ALL_ROOTS), ("own", FEW), ("new", FEW), ("third", FEW)],
        [100 - 30 + 7, 100 - 30 + 9],
    )


@pytest.mark.parametrize("at", [Column.ELDEST, Column.QUINOLA])
def test_with_another_quinola_or_first_leader_everything_is_paid_anew(priced: Any, at: Column) -> None:
    assert priced(but(ROW, at, 40)) == ([("new", ALL_ROOTS)], [50])


def test_where_the_own_rules_are_silent_everything_is_paid_anew(priced: Any) -> None:
    assert priced(ROW, PRICED_SILENT) == ([("own", ALL_ROOTS), ("new", ALL_ROOTS)], [50])


# ---- who does the work
def number_of(order: SurveyOrder, library: object, chunk: int) -> int:
    return chunk


def library_of(order: SurveyOrder, library: object, chunk: int) -> object:
    return library


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


def test_a_new_process_keeps_the_library_and_is_not_held_back_by_waiting_for_its_caller(
    monkeypatch: Monkey, library: Library
) -> None:
    begun: list[dict[str, object]] = []
    kept: list[Library] = []
    monkeypatch.setattr(runs, "LIBRARY", kept)
    monkeypatch.setattr(signal, "signal", nothing_done)
    monkeypatch.setattr(runs, "Thread", lambda **how: SimpleNamespace(start=lambda: begun.append(how)))
    runs.prepare_process(library)
    assert begun == [{"target": runs.exit_with_caller, "daemon": True}]
    assert kept == [library] and runs.run_pool_piece(library_of, order_of(1, 1), 0) is library


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
