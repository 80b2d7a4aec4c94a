"""A survey carried out: the same sums by however many hands, in pieces of whatever size, and nobody left behind."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from lab.survey import chunk as work
from lab.survey import runner as runs
from lab.survey.request import CHUNK, Rules, SurveyOrder, SurveyTable
from lab.survey.runner import (
    AHEAD,
    ProcessCrew,
    SingleProcessCrew,
    deliver_pieces,
    make_crew,
    run_survey_order,
)
from lab.survey.tally import MOVED_STEPS, Count, SurveyTally, Versus
from rulebook.model import Library


def invented(order: SurveyOrder, library: object, chunk: int) -> SurveyTally:
    """A tally as a piece might come to, made from the numbers of its deals alone."""
    numbers = order.numbers(chunk)
    lots = [(number * 7919) % 101 for number in numbers]
    worst = max(lots)
    versus = Versus(
        settled=len(lots),
        changed=sum(map(bool, lots)),
        moved=sum(lots),
        squares=sum(lot * lot for lot in lots),
        worst=worst,
        worst_deal=numbers[lots.index(worst)] if worst else -1,
        steps=(len(lots), *(0,) * (len(MOVED_STEPS) - 1)),
    )
    return SurveyTally((Count(len(lots), len(lots), others=(versus,)),))


def crashing(order: SurveyOrder, library: object, chunk: int) -> int:
    os._exit(3)


def slow(order: SurveyOrder, library: object, chunk: int) -> int:
    time.sleep(60 if chunk else 0)
    return chunk


def number(order: SurveyOrder, library: object, chunk: int) -> int:
    return chunk


class Watched(SingleProcessCrew):
    """A crew of three who finish in an order of their own, and who are counted."""

    hands = 3

    def __init__(self) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self.most = self.begun = 0

    def begin(self, piece: Any, order: SurveyOrder, chunk: int) -> Future[Any]:
        self.begun += 1
        return super().begin(piece, order, chunk)

    def done(self, under_way: Sequence[Future[Any]]) -> Sequence[Future[Any]]:
        self.most = max(self.most, len(under_way))
        return under_way[-2:][::-1]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "tally_piece", invented)


@pytest.fixture
def small(library: Library) -> SurveyOrder:
    """Two tables, a dozen deals, in pieces of five."""
    pam, aca = Rules("PAM"), Rules("ACA")
    return SurveyOrder(3, "random", 12, (SurveyTable(pam, (aca, Rules("GER"))), SurveyTable(aca, (pam,))), size=5)


def of(deals: int, size: int) -> SurveyOrder:
    return SurveyOrder(1, "random", deals, (), size)


# ---- the same sums
def test_an_order_falls_into_whole_pieces_and_a_rest() -> None:
    order = of(12, 5)
    assert [list(order.numbers(chunk)) for chunk in range(order.chunks)] == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11]]
    assert of(CHUNK + 1, CHUNK).chunks == 2 == SurveyOrder(1, "random", CHUNK + 1, ()).chunks


@pytest.mark.parametrize("size", [1, 7, 100, 333, 4096])
def test_the_sum_does_not_depend_on_the_size_of_the_pieces(quick: None, size: int) -> None:
    assert run_survey_order(of(1000, size), Watched()) == invented(of(1000, 1000), None, 0)


@pytest.mark.release
def test_two_processes_come_to_the_same_sum_as_one(library: Library, small: SurveyOrder) -> None:
    one = run_survey_order(small, SingleProcessCrew(library))
    with make_crew(library, small, 2) as crew:
        assert isinstance(crew, ProcessCrew)
        assert (
            run_survey_order(small, crew)
            == one
            == run_survey_order(replace(small, size=100), SingleProcessCrew(library))
        )
    assert one.tables[0].deals == 12 and one.tables[1].others[0].changed > 0


def test_where_one_piece_suffices_no_process_is_begun(library: Library, small: SurveyOrder) -> None:
    assert isinstance(make_crew(library, replace(small, size=12), 8), SingleProcessCrew)
    assert isinstance(make_crew(library, small, 1), SingleProcessCrew)


def test_every_deal_that_is_done_is_told(quick: None) -> None:
    told: list[int] = []
    run_survey_order(of(12, 5), Watched(), told.append)
    assert sorted(told) == [2, 5, 5]


def test_an_order_of_no_deals_is_refused() -> None:
    with pytest.raises(ValueError, match="no deals"):
        run_survey_order(of(0, 5), Watched())


# ---- no more than a few at once
def test_few_pieces_are_under_way_at_any_time() -> None:
    crew = Watched()
    found = [chunk for chunk, _ in deliver_pieces(of(1000, 1), crew, number)]
    assert sorted(found) == list(range(1000)) == sorted(set(found)) and found != sorted(found)
    assert crew.begun == 1000 and crew.most == AHEAD * 3


def test_pieces_come_in_their_own_order_when_that_is_wanted() -> None:
    crew = Watched()
    assert list(deliver_pieces(of(50, 1), crew, number, in_turn=True)) == [(n, n) for n in range(50)]


def test_nothing_is_begun_before_it_is_asked_for() -> None:
    crew = Watched()
    pieces = deliver_pieces(of(1000, 1), crew, number)
    assert crew.begun == 0
    next(pieces)
    assert crew.begun == AHEAD * 3


# ---- what goes amiss
def children_of_mine() -> int:
    return len(multiprocessing.active_children())


@pytest.fixture
def nobody_left() -> Iterator[None]:
    before = children_of_mine()
    yield
    assert children_of_mine() == before


@pytest.mark.slow
def test_an_interruption_sends_all_home_at_once(library: Library, nobody_left: None) -> None:
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), ProcessCrew(library, 2) as crew:
        for _ in deliver_pieces(of(20, 1), crew, slow):
            raise KeyboardInterrupt
    assert time.monotonic() - began < 20


@pytest.mark.slow
def test_a_process_that_dies_is_told_and_nobody_waits_for_it(library: Library, nobody_left: None) -> None:
    with pytest.raises(BrokenProcessPool), ProcessCrew(library, 2) as crew:
        list(deliver_pieces(of(20, 1), crew, crashing))


@pytest.mark.parametrize("fault", [OSError("no such pipe"), ValueError("bad value(s) in fds_to_keep")])
def test_a_process_that_dies_while_the_next_is_started_is_told_in_the_same_way(
    library: Library, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def shut(*given: object) -> object:
        raise fault

    with (
        pytest.raises(BrokenProcessPool, match="while another was being started") as told,
        ProcessCrew(library, 2) as crew,
    ):
        monkeypatch.setattr(crew.pool, "submit", shut)
        list(deliver_pieces(of(20, 1), crew, number))
    assert told.value.__cause__ is fault


def test_the_cores_that_are_ours_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert runs.count_cores() >= 1
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert runs.count_cores() == 1


def test_a_process_leaves_when_its_caller_has_died_and_stays_where_nobody_called_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[object] = []
    monkeypatch.setattr(os, "_exit", lambda code: told.append(code))
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: None)
    runs.exit_with_caller()
    assert told == []
    caller = SimpleNamespace(join=lambda: told.append("the caller has died"))
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: caller)
    runs.exit_with_caller()
    assert told == ["the caller has died", 1]
