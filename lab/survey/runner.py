"""Run an order piece by piece, in one process, several, or on other workers.

However many hands there are, and in whatever order they finish, the sum is the same. No more than a few pieces are
under way at any time and each is forgotten as soon as it is counted, so that a hundred million deals need no more
room than one million.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from threading import Thread
from types import TracebackType
from typing import Any, Protocol, TypeAlias, TypeVar

from lab.survey import chunk as work
from lab.survey.request import SurveyOrder
from lab.survey.tally import SurveyTally
from rulebook.model import Library

AHEAD = 3  #: pieces begun for every pair of hands, so that nobody waits for the next
_SAFE_PATH = "PYTHONSAFEPATH"  #: an environment variable that Python reads as it starts
GLANCE = 1.0  #: seconds between two glances whether anybody has interrupted

_T = TypeVar("_T")
PieceFunction: TypeAlias = Callable[[SurveyOrder, Library, int], _T]  #: is done with a piece; a function of a module
ProgressCallback: TypeAlias = Callable[[int], object]  #: is told of so many deals more that are done
NetsCallback: TypeAlias = Callable[[range, work.Nets], object]  #: is handed the numbers of some deals, and their sums


class Crew(Protocol):
    """Workers of a survey; a context, so that all of them are released in the end."""

    @property
    def hands(self) -> int:
        """Number of pieces that can be worked on at once."""

    def begin(self, piece: PieceFunction[Any], order: SurveyOrder, chunk: int) -> Any:
        """Hand out one piece; the future of what it comes to."""

    def done(self, under_way: Sequence[Any]) -> Sequence[Any]:
        """Those that are done, after a short wait; perhaps none yet."""

    def __enter__(self) -> Crew:
        """Call them together."""

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> bool | None:
        """Send them home; at once, if something went wrong."""


# ---- an order carried out
def run_survey_order(
    order: SurveyOrder, crew: Crew, report: ProgressCallback = lambda deals: None, keep: NetsCallback | None = None
) -> SurveyTally:
    """Run an order and add up the tallies of its pieces, in whatever order they come.

    Raises ValueError for an order of no deals.

    Whoever wants to keep the sums of every deal is handed them piece by piece, in the order of the deals.
    """
    total: SurveyTally | None = None
    for chunk, tally in (
        deliver_pieces(order, crew, work.tally_piece) if keep is None else deliver_with_nets(order, crew, keep)
    ):
        total = tally if total is None else total + tally
        report(len(order.numbers(chunk)))
    if total is None:
        raise ValueError("an order of no deals")
    return total


def deliver_with_nets(order: SurveyOrder, crew: Crew, keep: NetsCallback) -> Iterator[tuple[int, SurveyTally]]:
    """Yield every piece in turn, handing the nets of its deals to `keep`."""
    for chunk, (tally, nets) in deliver_pieces(order, crew, tally_piece_with_nets, in_turn=True):
        keep(order.numbers(chunk), nets)
        yield chunk, tally


def tally_piece_with_nets(order: SurveyOrder, library: Library, chunk: int) -> tuple[SurveyTally, work.Nets]:
    """Tally a piece, with the nets of its deals."""
    return work.tally_piece(order, library, chunk), work.compute_piece_nets(order, library, chunk)


def deliver_pieces(
    order: SurveyOrder, crew: Crew, piece: PieceFunction[_T], in_turn: bool = False
) -> Iterator[tuple[int, _T]]:
    """Yield every piece with its number, few under way at a time, as they come or in order."""
    under_way: dict[Any, int] = {}
    chunks = iter(range(order.chunks))
    while True:
        for chunk in islice(chunks, AHEAD * crew.hands - len(under_way)):
            under_way[crew.begin(piece, order, chunk)] = chunk
        if not under_way:
            return
        for future in crew.done(list(islice(under_way, 1 if in_turn else None))):
            yield under_way.pop(future), future.result()


def make_crew(library: Library, order: SurveyOrder, jobs: int = 1) -> AbstractContextManager[Crew]:
    """Make a crew of no more processes than pieces; of one, it is this process."""
    jobs = min(jobs, order.chunks)
    return ProcessCrew(library, jobs) if jobs > 1 else SingleProcessCrew(library)


def count_cores() -> int:
    """Count the processes that this machine lets us have at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# ---- one process
class SingleProcessCrew:
    """This process, one piece after another."""

    hands = 1

    def __init__(self, library: Library) -> None:
        self.library = library

    def begin(self, piece: PieceFunction[_T], order: SurveyOrder, chunk: int) -> Future[_T]:
        """Nothing is begun ahead of time: the piece is done when it is waited for."""
        return DeferredResult(lambda: piece(order, self.library, chunk))

    def done(self, under_way: Sequence[Future[Any]]) -> Sequence[Future[Any]]:
        """The first of them, done here and now."""
        return under_way[:1]

    def __enter__(self) -> SingleProcessCrew:
        return self

    def __exit__(self, *how: object) -> None:
        """Nobody need be sent home."""


class DeferredResult(Future[_T]):
    """Result that is computed when it is asked for."""

    def __init__(self, make: Callable[[], _T]) -> None:
        super().__init__()
        self.make = make

    def result(self, timeout: float | None = None) -> _T:
        """Compute the result."""
        return self.make()


# ---- several processes
class ProcessCrew:
    """Processes of this machine, each with a copy of the library."""

    def __init__(self, library: Library, jobs: int) -> None:
        self.hands = jobs
        self.others = set(multiprocessing.active_children())
        with importing_safely():
            self.pool = ProcessPoolExecutor(
                jobs, multiprocessing.get_context("spawn"), initializer=prepare_process, initargs=(library,)
            )

    def begin(self, piece: PieceFunction[_T], order: SurveyOrder, chunk: int) -> Future[_T]:
        """Hand a piece to whoever is free next. BrokenProcessPool if one of them has died."""
        try:
            with importing_safely():
                return self.pool.submit(run_pool_piece, piece, order, chunk)
        except (OSError, ValueError) as fault:  # the pipes were shut while the next process was on its way
            raise BrokenProcessPool("a process died while another was being started") from fault

    def done(self, under_way: Sequence[Future[Any]]) -> Sequence[Future[Any]]:
        """Those that are done after a glance's time."""
        done = wait(under_way, GLANCE, FIRST_COMPLETED).done
        return [future for future in under_way if future in done]

    def __enter__(self) -> ProcessCrew:
        return self

    def __exit__(self, kind: type[BaseException] | None, *how: object) -> None:
        """Wait for the last; but whoever interrupts need not wait."""
        if kind is not None:
            for process in set(multiprocessing.active_children()) - self.others:
                process.terminate()
        self.pool.shutdown(wait=True, cancel_futures=kind is not None)


@contextmanager
def importing_safely() -> Iterator[None]:
    """Have Python processes that are started meanwhile import nothing from the current folder, perhaps a stranger's."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        os.environ.pop(_SAFE_PATH)
        if before is not None:
            os.environ[_SAFE_PATH] = before


LIBRARY: list[Library] = []  #: in a process of a pool: the library it works with


def prepare_process(library: Library) -> None:
    """Prepare a new process: store the library, leave interrupts to the caller."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=exit_with_caller, daemon=True).start()
    LIBRARY[:] = [library]


def exit_with_caller() -> None:
    """Exit when the calling process has died."""
    caller = multiprocessing.parent_process()
    if caller is not None:
        caller.join()
        os._exit(1)


def run_pool_piece(piece: PieceFunction[_T], order: SurveyOrder, chunk: int) -> _T:
    """Run one piece in a process of a pool."""
    return piece(order, LIBRARY[0], chunk)
