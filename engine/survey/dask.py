"""A survey on many machines: the same pieces, handed out by a Dask scheduler.

A piece depends on nothing but the order, the sources and its number. So it does no harm if one is done twice, and if a
worker is lost Dask has its pieces repeated by another. Every worker opens its own copy of the sources; before the first
piece, and again with every piece, it is asked whether sources and program are the same as ours, since otherwise the
sums would be of two different books.

Workers need `pip install "reversis[survey,cluster]"` in the same version; nothing else is sent to them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import rulebook
from engine.survey.request import Order
from engine.survey.runner import GLANCE, Piece
from rulebook.load import library as opened
from rulebook.model import Library
from rulebook.program_fingerprint import code_fingerprint

if TYPE_CHECKING:
    from distributed import Client, Future

PATIENCE = 15.0  #: seconds to wait for a scheduler, and then for its first worker
FORSAKEN = 120.0  #: seconds without any worker after which a run is given up

T = TypeVar("T")


class NoCluster(Exception):
    """Why there is no working with this cluster, in words."""


@dataclass(frozen=True, slots=True)
class Edition:
    """Which edition somebody works with: who agrees in this comes to the same sums."""

    version: str
    sources: str  #: fingerprint of the sources
    program: str  #: fingerprint of the modules that reckon

    def differs(self, other: Edition) -> Iterator[str]:
        """In what another differs from this one, in words."""
        if other.version != self.version:
            yield f"has version {other.version}, we have {self.version}"
        if other.sources != self.sources:
            yield f"has other sources ({short(other.sources)}, ours are {short(self.sources)})"
        if other.program != self.program and other.version == self.version:
            yield f"has another program of the same version ({short(other.program)}, ours is {short(self.program)})"


def short(digest: str) -> str:
    """The beginning of a fingerprint."""
    return digest[:19]


def edition_of(library: Library) -> Edition:
    """The edition at hand in this process."""
    return Edition(rulebook.__version__, library.digest, program())


def program() -> str:
    """A fingerprint of the modules that deal, play and settle."""
    return code_fingerprint("engine", "rulebook")


# ---- on a worker
@cache
def at_hand() -> Library:
    """The sources of this worker, opened once."""
    return opened()


def own_edition() -> Edition:
    """What this worker works with."""
    return edition_of(at_hand())


def there(piece: Piece[T], order: Order, chunk: int, agreed: Edition) -> T:
    """One piece, by a worker who works with the same edition; one who came late is asked too."""
    differences = list(agreed.differs(own_edition()))
    if differences:
        raise NoCluster(f"a worker {' and '.join(differences)}")
    return piece(order, at_hand(), chunk)


# ---- here
@dataclass
class Cluster:
    """The workers of a Dask scheduler as a crew."""

    client: Client
    agreed: Edition
    hands: int
    alone: float = 0.0  #: seconds since a worker was last seen

    def begin(self, piece: Piece[Any], order: Order, chunk: int) -> Future:
        """Hand a piece to the scheduler, who repeats it if its worker is lost."""
        return self.client.submit(there, piece, order, chunk, self.agreed, pure=False)

    def done(self, under_way: Sequence[Future]) -> Sequence[Future]:
        """Those that are done after a glance's time."""
        from distributed import wait

        try:
            with self.client.as_current():
                done = wait(under_way, timeout=GLANCE, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            self.look_round()
            return ()
        self.alone = 0.0
        return [future for future in under_way if future in done]

    def look_round(self) -> None:
        """Whether anybody is still there. Raises NoCluster."""
        self.alone = 0.0 if workers(self.client) else self.alone + GLANCE
        if self.alone >= FORSAKEN:
            raise NoCluster(f"the cluster has had no worker for {FORSAKEN:.0f} seconds")

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *how: object) -> None:
        """What is still under way is given up, the workers stay where they are."""
        self.client.close()


@contextmanager
def cluster(address: str, library: Library, patience: float = PATIENCE) -> Iterator[Cluster]:
    """The workers of the scheduler at this address. Raises NoCluster, in words, for whatever goes amiss with them."""
    with quietly(), plainly(address), connected(address, patience) as client:
        agreed = edition_of(library)
        agree(client, agreed, patience)
        hands = sum(worker["nthreads"] for worker in workers(client).values())
        with Cluster(client, agreed, max(hands, 1)) as crew:
            yield crew


def connected(address: str, patience: float) -> Client:
    """A scheduler that answers. Raises NoCluster."""
    from distributed import Client

    try:
        # a client would linger, and wait for ever for who is no scheduler; in a notebook this thread has a loop already
        with ThreadPoolExecutor(1) as messenger:
            messenger.submit(asyncio.run, greeted(address, patience)).result()
        return Client(address, timeout=patience, set_as_default=False)
    except (OSError, ValueError, RuntimeError) as fault:
        raise NoCluster(
            f"no Dask scheduler answers at {address} within {patience:g} seconds ({first_line(fault)}); an address "
            "looks like tcp://192.0.2.7:8786, and `dask scheduler` prints its own"
        ) from fault


async def greeted(address: str, patience: float) -> None:
    """Knock at an address. Raises OSError or ValueError where nobody answers in time."""
    from distributed.comm import connect

    comm = await asyncio.wait_for(connect(address, timeout=patience), patience)
    await comm.close()


def agree(client: Client, agreed: Edition, patience: float) -> None:
    """Every worker must work with the same edition. Raises NoCluster, which tells of each that does not."""
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError:
        raise NoCluster(f"the scheduler has no worker, and none came within {patience:g} seconds") from None
    found = client.run(own_edition, on_error="return")
    wrong = [f"{worker}: {words}" for worker, words in sorted(disagreeing(found, agreed).items())]
    if wrong:
        raise NoCluster("\n  ".join(("not every worker works with this edition:", *wrong)))


def disagreeing(found: Mapping[str, object], agreed: Edition) -> dict[str, str]:
    """Who differs, and in what."""
    return {worker: words for worker, one in found.items() if (words := " and ".join(wrong_with(one, agreed)))}


def wrong_with(one: object, agreed: Edition) -> Iterator[str]:
    """What a worker's answer says against it."""
    if isinstance(one, Edition):
        yield from agreed.differs(one)
    else:
        yield f'cannot do a survey ({first_line(one)}); it needs pip install "reversis[survey,cluster]"'


@contextmanager
def quietly() -> Iterator[None]:
    """What goes amiss is told by us in a sentence, and not besides by the library in a hundred lines."""
    import distributed  # which sets the levels of its own loggers

    loggers = [logging.getLogger(name) for name in (distributed.__name__, f"{distributed.__name__}.client")]
    before = [one.level for one in loggers]
    try:
        for one in loggers:
            one.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for one, level in zip(loggers, before, strict=True):
            one.setLevel(level)


@contextmanager
def plainly(address: str) -> Iterator[None]:
    """What goes amiss with a cluster in the middle, said in one sentence."""
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    try:
        yield
    except KilledWorker as fault:
        raise NoCluster(f"a piece was given up because its workers died over and over ({first_line(fault)})") from fault
    except ImportError as fault:
        raise NoCluster(f"a worker {next(wrong_with(fault, Edition('', '', '')))}") from fault
    except (CancelledError, CommClosedError) as fault:
        raise NoCluster(f"the scheduler at {address} was lost ({first_line(fault)})") from fault


def workers(client: Client) -> Mapping[str, Any]:
    """The workers that the scheduler knows of now."""
    found: Mapping[str, Any] = client.scheduler_info(n_workers=-1)["workers"]
    return found


def first_line(fault: object) -> str:
    """What is said of a fault, in a line."""
    words = str(fault).strip().splitlines()
    return f"{type(fault).__name__}: {words[0]}" if words else type(fault).__name__
