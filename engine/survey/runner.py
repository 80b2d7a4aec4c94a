"""Carrying out an order: piece by piece, by one process, by many, or by whoever else lends a hand.

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
from contextlib import AbstractContextManager
from itertools import islice
from threading import Thread
from types import TracebackType
from typing import Any, Protocol, TypeAlias, TypeVar

from engine.survey import piece as work
from engine.survey.request import Order
from engine.survey.tally import Tally
from rulebook.model import Library

AHEAD = 3  #: pieces begun for every pair of hands, so that nobody waits for the next
GLANCE = 1.0  #: seconds between two glances whether anybody has interrupted

T = TypeVar("T")
Piece: TypeAlias = Callable[[Order, Library, int], T]  #: what is done with one piece; a function of a module
Told: TypeAlias = Callable[[int], object]  #: is told of so many deals more that are done
Keep: TypeAlias = Callable[[range, work.Nets], object]  #: is handed the numbers of some deals, and their sums


class Crew(Protocol):
    """Who does the work; a context, so that all of them go home in the end."""

    @property
    def hands(self) -> int:
        """How many pieces they can work on at once."""

    def begin(self, piece: Piece[Any], order: Order, chunk: int) -> Any:
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
def run(order: Order, crew: Crew, told: Told = lambda deals: None, keep: Keep | None = None) -> Tally:
    """What an order comes to. The tallies of the pieces are added as they come, in whatever order.

    Whoever wants to keep the sums of every deal is handed them piece by piece, in the order of the deals.
    """
    total: Tally | None = None
    for chunk, tally in delivered(order, crew, work.piece) if keep is None else kept(order, crew, keep):
        total = tally if total is None else total + tally
        told(len(order.numbers(chunk)))
    if total is None:
        raise ValueError("an order of no deals")
    return total


def kept(order: Order, crew: Crew, keep: Keep) -> Iterator[tuple[int, Tally]]:
    """Every piece in turn, the sums of its deals given away."""
    for chunk, (tally, nets) in delivered(order, crew, with_nets, in_turn=True):
        keep(order.numbers(chunk), nets)
        yield chunk, tally


def with_nets(order: Order, library: Library, chunk: int) -> tuple[Tally, work.Nets]:
    """A piece with the sums of its deals."""
    return work.piece(order, library, chunk), work.nets(order, library, chunk)


def delivered(order: Order, crew: Crew, piece: Piece[T], in_turn: bool = False) -> Iterator[tuple[int, T]]:
    """Every piece with its number, as they come or in their own order; few are under way at any time."""
    under_way: dict[Any, int] = {}
    chunks = iter(range(order.chunks))
    while True:
        for chunk in islice(chunks, AHEAD * crew.hands - len(under_way)):
            under_way[crew.begin(piece, order, chunk)] = chunk
        if not under_way:
            return
        for future in crew.done(list(islice(under_way, 1 if in_turn else None))):
            yield under_way.pop(future), future.result()


def crew_of(library: Library, order: Order, jobs: int = 1) -> AbstractContextManager[Crew]:
    """So many processes, but no more than there are pieces; where one suffices it is this one."""
    jobs = min(jobs, order.chunks)
    return Pool(library, jobs) if jobs > 1 else Alone(library)


def cores() -> int:
    """How many processes this machine lets us have at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# ---- one process
class Alone:
    """This process, one piece after another."""

    hands = 1

    def __init__(self, library: Library) -> None:
        self.library = library

    def begin(self, piece: Piece[T], order: Order, chunk: int) -> Future[T]:
        """Nothing is begun ahead of time: the piece is done when it is waited for."""
        return Later(lambda: piece(order, self.library, chunk))

    def done(self, under_way: Sequence[Future[Any]]) -> Sequence[Future[Any]]:
        """The first of them, done here and now."""
        return under_way[:1]

    def __enter__(self) -> Alone:
        return self

    def __exit__(self, *how: object) -> None:
        """Nobody need be sent home."""


class Later(Future[T]):
    """A result that is reckoned when it is asked for."""

    def __init__(self, make: Callable[[], T]) -> None:
        super().__init__()
        self.make = make

    def result(self, timeout: float | None = None) -> T:
        """What it comes to."""
        return self.make()


# ---- several processes
class Pool:
    """Some processes of this machine, each with a copy of the library."""

    def __init__(self, library: Library, jobs: int) -> None:
        self.hands = jobs
        self.others = set(multiprocessing.active_children())
        self.pool = ProcessPoolExecutor(
            jobs, multiprocessing.get_context("spawn"), initializer=prepared, initargs=(library,)
        )

    def begin(self, piece: Piece[T], order: Order, chunk: int) -> Future[T]:
        """Hand a piece to whoever is free next. BrokenProcessPool if one of them has died."""
        try:
            return self.pool.submit(there, piece, order, chunk)
        except (OSError, ValueError) as fault:  # the pipes were shut while the next process was on its way
            raise BrokenProcessPool("a process died while another was being started") from fault

    def done(self, under_way: Sequence[Future[Any]]) -> Sequence[Future[Any]]:
        """Those that are done after a glance's time."""
        done = wait(under_way, GLANCE, FIRST_COMPLETED).done
        return [future for future in under_way if future in done]

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *how: object) -> None:
        """Wait for the last; but whoever interrupts need not wait."""
        if kind is not None:
            for process in set(multiprocessing.active_children()) - self.others:
                process.terminate()
        self.pool.shutdown(wait=True, cancel_futures=kind is not None)


LIBRARY: list[Library] = []  #: in a process of a pool: the library it works with


def prepared(library: Library) -> None:
    """What a new process does first: it keeps the library, and leaves interruptions to the one that called it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=leave_with_caller, daemon=True).start()
    LIBRARY[:] = [library]


def leave_with_caller() -> None:
    """Nobody stays behind when the calling process has died."""
    caller = multiprocessing.parent_process()
    if caller is not None:
        caller.join()
        os._exit(1)


def there(piece: Piece[T], order: Order, chunk: int) -> T:
    """One piece, in a process of a pool."""
    return piece(order, LIBRARY[0], chunk)
