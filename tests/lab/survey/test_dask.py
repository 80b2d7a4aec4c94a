"""A survey on a cluster: the sums of one machine, also when a worker is lost; and what is said when it cannot be."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from lab.survey import chunk as work
from lab.survey import dask as clusters
from lab.survey.dask import Edition, NoCluster, describe_edition_mismatch, open_cluster
from lab.survey.request import Rules, SurveyOrder, SurveyTable
from lab.survey.runner import SingleProcessCrew, deliver_pieces, run_survey_order
from lab.survey.tally import SurveyTally
from reversis.cli import survey as command
from rulebook.model import Library
from tests.support.commands import run as typed

FELL, AGAIN = "fell", "again"  #: notes that a doomed worker and the one after it leave
FATAL = 7  #: the piece at which one worker dies
NOTES = "REVERSIS_TEST_NOTES"


def fatal(order: SurveyOrder, library: Library, chunk: int) -> SurveyTally:
    """A piece like any other, but the first worker who takes number FATAL is killed in the midst of it."""
    if chunk == FATAL:
        notes = Path(os.environ[NOTES])
        if not (notes / FELL).exists():
            (notes / FELL).write_text(str(os.getpid()))
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        (notes / AGAIN).write_text(str(os.getpid()))
    return work.tally_piece(order, library, chunk)


@pytest.fixture
def order(library: Library) -> SurveyOrder:
    """All four tables, each under all others, in twenty pieces."""
    sources = tuple(map(Rules, library.sources))
    tables = tuple(SurveyTable(own, tuple(source for source in sources if source != own)) for own in sources)
    return SurveyOrder(5, "random", 38, tables, size=2)


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("notes")


@pytest.fixture(scope="module")
def address(notes: Path) -> Iterator[str]:
    """A scheduler and two workers, each a process of its own."""
    from distributed import LocalCluster

    before = os.environ.get(NOTES)
    os.environ[NOTES] = str(notes)
    try:
        with LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
        ) as two:
            yield two.scheduler_address
    finally:
        os.environ.pop(NOTES) if before is None else os.environ.__setitem__(NOTES, before)


# ---- the same sums
@pytest.mark.release
def test_a_worker_is_killed_and_the_sum_is_that_of_one_machine(
    library: Library, order: SurveyOrder, address: str, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = run_survey_order(order, SingleProcessCrew(library))
    monkeypatch.setattr(work, "tally_piece", fatal)
    told: list[int] = []
    with open_cluster(address, library) as crew:
        assert run_survey_order(order, crew, told.append) == plain
    assert sum(told) == 38 and len(told) == order.chunks
    assert (notes / FELL).read_text() != (notes / AGAIN).read_text()


@pytest.mark.release
def test_pieces_come_in_their_own_order_from_a_cluster_too(library: Library, order: SurveyOrder, address: str) -> None:
    with open_cluster(address, library) as crew:
        found = list(deliver_pieces(order, crew, work.compute_piece_nets, in_turn=True))
    assert [chunk for chunk, _ in found] == list(range(order.chunks))
    assert all((nets == work.compute_piece_nets(order, library, chunk)).all() for chunk, nets in found)


@pytest.mark.release
def test_the_command_keeps_the_same_bytes_whoever_did_the_work(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = command.order_of
    monkeypatch.setattr(command, "order_of", lambda *asked: replace(whole(*asked), size=3))  # pieces to hand out
    for name, words in {"one": ["--jobs", "1"], "two": ["--jobs", "2"], "many": ["--cluster", address]}.items():
        files = ["--out", str(tmp_path / name), "--per-deal", str(tmp_path / f"{name}-deals")]
        assert typed("survey", "--deals", "10", "-q", *words, *files).exit_code == 0
    for suffix in ("", "-deals"):
        assert len({(tmp_path / f"{name}{suffix}").read_bytes() for name in ("one", "two", "many")}) == 1


# ---- what is said when it cannot be
@pytest.mark.release
def test_workers_with_other_sources_are_refused_before_the_first_piece(library: Library, address: str) -> None:
    with (
        pytest.raises(NoCluster, match="not every worker works with this edition") as told,
        open_cluster(address, replace(library, digest="sha256:" + "0" * 64)),
    ):
        pytest.fail("it was let in")
    lines = str(told.value).splitlines()
    assert len(lines) == 3 and all(line.startswith("  tcp://") for line in lines[1:])
    assert all("has other sources (sha256:" in line and "ours are sha256:000000000000" in line for line in lines[1:])


@pytest.mark.release
def test_a_worker_who_comes_late_is_asked_with_every_piece(library: Library, order: SurveyOrder, address: str) -> None:
    with pytest.raises(NoCluster, match="a worker has version"), open_cluster(address, library) as crew:
        crew.agreed = replace(crew.agreed, version="0.0.1")
        run_survey_order(order, crew)


@pytest.mark.release
def test_a_fault_in_a_piece_is_told_as_it_is(library: Library, order: SurveyOrder, address: str) -> None:
    with pytest.raises(Exception, match="NOSUCH"), open_cluster(address, library) as crew:
        run_survey_order(replace(order, tables=(SurveyTable(Rules("NOSUCH")),)), crew)


@pytest.mark.slow
@pytest.mark.parametrize("words", ["nonsense", "http://127.0.0.1:1", "127.0.0.1:no"])
def test_what_is_no_address_is_told_at_once(library: Library, words: str) -> None:
    with pytest.raises(NoCluster, match=f"no Dask scheduler answers at {words}"), open_cluster(words, library):
        pytest.fail("somebody answered")


@pytest.mark.release
def test_in_a_notebook_too_where_a_loop_is_running_already(library: Library) -> None:
    async def cell() -> None:
        with open_cluster("nonsense", library):
            pytest.fail("somebody answered")

    # a browser of other tests may have a loop in this thread
    with pytest.raises(NoCluster, match="at nonsense") as told, ThreadPoolExecutor(1) as in_a_thread:
        in_a_thread.submit(asyncio.run, cell()).result()
    assert "event loop" not in str(told.value)


@pytest.mark.release
@pytest.mark.parametrize("listens", [False, True])
def test_where_no_scheduler_answers_one_does_not_wait_for_ever(library: Library, listens: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        if not listens:
            taken.close()
        with pytest.raises(NoCluster, match=r"within 0\.5 seconds"), open_cluster(address, library, 0.5):
            pytest.fail("somebody answered")


@pytest.mark.release
def test_a_scheduler_without_workers_is_told(library: Library) -> None:
    from distributed import LocalCluster

    with (
        LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=logging.CRITICAL) as nobody,
        pytest.raises(NoCluster, match="has no worker"),
        open_cluster(nobody.scheduler_address, library, 0.5),
    ):
        pytest.fail("somebody worked")


@pytest.mark.release
def test_a_cluster_that_loses_all_its_workers_is_given_up(
    library: Library, order: SurveyOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(clusters, "FORSAKEN", 2.0)
    monkeypatch.setattr(clusters, "GLANCE", 0.2)
    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=":0", silence_logs=logging.CRITICAL) as one,
        pytest.raises(NoCluster, match="no worker for 2 seconds"),
        open_cluster(one.scheduler_address, library) as crew,
    ):
        one.scale(0)
        run_survey_order(order, crew)


SCHEDULER = """
import asyncio
from distributed import Scheduler, Worker

async def main():
    async with Scheduler(port=0, host="127.0.0.1", dashboard_address=":0") as scheduler:
        async with Worker(scheduler.address, nthreads=1, dashboard_address=":0"):
            print(scheduler.address, flush=True)
            await scheduler.finished()

asyncio.run(main())
"""


@pytest.mark.release
def test_a_scheduler_that_is_lost_in_the_middle_is_told(library: Library, order: SurveyOrder) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as lost:
        assert lost.stdout is not None
        address = lost.stdout.readline().strip()
        with (
            pytest.raises(NoCluster, match=f"the scheduler at {address} was lost"),
            open_cluster(address, library) as crew,
        ):
            run_survey_order(order, crew, lambda deals: lost.kill())


@pytest.mark.slow
def test_nothing_of_the_cluster_is_fetched_before_it_is_wanted() -> None:
    words = "import sys, lab.survey.dask; print([m for m in ('distributed', 'dask') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# ---- what is said where no cluster has to be there
def test_editions_differ_in_words() -> None:
    ours = Edition("1.0", "sha256:aa", "sha256:bb")
    assert list(ours.differs(ours)) == []
    assert list(ours.differs(Edition("1.1", "sha256:aa", "sha256:cc"))) == ["has version 1.1, we have 1.0"]
    assert list(ours.differs(Edition("1.0", "sha256:ab", "sha256:cc"))) == [
        "has other sources (sha256:ab, ours are sha256:aa)",
        "has another program of the same version (sha256:cc, ours is sha256:bb)",
    ]


def test_a_worker_without_the_program_is_told_what_it_needs() -> None:
    words = list(describe_edition_mismatch(ModuleNotFoundError("No module named 'edition'"), Edition("1.0", "", "")))
    assert words == [
        "cannot do a survey (ModuleNotFoundError: No module named 'edition'); "
        'it needs pip install -e ".[survey,cluster]"'
    ]


@pytest.mark.parametrize("fault", [OSError("refused"), ValueError("no address"), RuntimeError("a loop")], ids=repr)
def test_whatever_comes_of_asking_a_scheduler_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    async def probe(address: str, patience: float) -> None:
        raise fault

    monkeypatch.setattr(clusters, "probe_scheduler", probe)
    words = rf"no Dask scheduler answers at tcp://x:1 within 2 seconds \({type(fault).__name__}: {fault}\); an address"
    with pytest.raises(NoCluster, match=words):
        clusters.connect_client("tcp://x:1", 2)


def test_faults_of_a_running_cluster_are_told_in_a_sentence() -> None:
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    killed = KilledWorker("piece", SimpleNamespace(address="tcp://y:2"), 3)
    told = {
        "a piece was given up because its workers died over and over \\(KilledWorker: Attempted": killed,
        "a worker cannot do a survey": ImportError("no program"),
        "the scheduler at tcp://x:1 was lost \\(CancelledError: gone\\)": CancelledError("gone"),
        "the scheduler at tcp://x:1 was lost \\(CommClosedError: closed\\)": CommClosedError("closed"),
    }
    for words, fault in told.items():
        with pytest.raises(NoCluster, match=words), clusters.translate_cluster_faults("tcp://x:1"):
            raise fault
