"""Run a survey on many machines: a Dask scheduler hands out the same pieces.

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
from lab.survey.request import SurveyOrder
from lab.survey.runner import GLANCE, PieceFunction
from rulebook.installing import format_install_command
from rulebook.load import library as opened
from rulebook.model import Library
from rulebook.program_fingerprint import code_fingerprint

if TYPE_CHECKING:
    from distributed import Client, Future

_SCHEDULER_TIMEOUT = 15.0  #: seconds to wait for a scheduler, and then for its first worker
FORSAKEN = 120.0  #: seconds without any worker after which a run is given up

_T = TypeVar("_T")


class NoCluster(Exception):
    """This cluster cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Edition:
    """Version, sources and program; the same in all three give the same sums."""

    version: str
    sources: str  #: fingerprint of the sources
    program: str  #: fingerprint of the modules that reckon

    def differs(self, other: Edition) -> Iterator[str]:
        """Describe in what another edition differs from this one."""
        if other.version != self.version:
            yield f"has version {other.version}, we have {self.version}"
        if other.sources != self.sources:
            yield f"has other sources ({abbreviate_digest(other.sources)}, ours are {abbreviate_digest(self.sources)})"
        if other.program != self.program and other.version == self.version:
            theirs, ours = abbreviate_digest(other.program), abbreviate_digest(self.program)
            yield f"has another program of the same version ({theirs}, ours is {ours})"


def abbreviate_digest(digest: str) -> str:
    """Abbreviate a fingerprint to its beginning."""
    return digest[:19]


def describe_edition(library: Library) -> Edition:
    """Describe the edition used in this process."""
    return Edition(rulebook.__version__, library.digest, fingerprint_survey_program())


def fingerprint_survey_program() -> str:
    """Fingerprint the modules that deal, play and settle."""
    return code_fingerprint("engine", "rulebook")


# ---- on a worker
@cache
def load_worker_library() -> Library:
    """Load the sources of this worker, once."""
    return opened()


def describe_worker_edition() -> Edition:
    """Describe the edition of this worker."""
    return describe_edition(load_worker_library())


def run_cluster_piece(piece: PieceFunction[_T], order: SurveyOrder, chunk: int, agreed: Edition) -> _T:
    """Run one piece on a worker, which may have joined late. Raises NoCluster for another edition."""
    differences = list(agreed.differs(describe_worker_edition()))
    if differences:
        raise NoCluster(f"a worker {' and '.join(differences)}")
    return piece(order, load_worker_library(), chunk)


# ---- here
@dataclass
class Cluster:
    """The workers of a Dask scheduler as a crew."""

    client: Client
    agreed: Edition
    hands: int
    alone: float = 0.0  #: seconds since a worker was last seen

    def begin(self, piece: PieceFunction[Any], order: SurveyOrder, chunk: int) -> Future:
        """Hand a piece to the scheduler, who repeats it if its worker is lost."""
        return self.client.submit(run_cluster_piece, piece, order, chunk, self.agreed, pure=False)

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
        """Check that the cluster still has a worker. Raises NoCluster."""
        self.alone = 0.0 if list_cluster_workers(self.client) else self.alone + GLANCE
        if self.alone >= FORSAKEN:
            raise NoCluster(f"the cluster has had no worker for {FORSAKEN:.0f} seconds")

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *how: object) -> None:
        """Give up what is still under way; the workers stay."""
        self.client.close()


@contextmanager
def open_cluster(address: str, library: Library, patience: float = _SCHEDULER_TIMEOUT) -> Iterator[Cluster]:
    """Open the workers of a scheduler as a crew. Raises NoCluster for any failure."""
    with silence_dask_logs(), translate_cluster_faults(address), connect_client(address, patience) as client:
        agreed = describe_edition(library)
        check_worker_editions(client, agreed, patience)
        hands = sum(worker["nthreads"] for worker in list_cluster_workers(client).values())
        with Cluster(client, agreed, max(hands, 1)) as crew:
            yield crew


def connect_client(address: str, patience: float) -> Client:
    """Connect to a scheduler that answers. Raises NoCluster."""
    from distributed import Client

    try:
        # a client would linger, and wait for ever for who is no scheduler; in a notebook this thread has a loop already
        with ThreadPoolExecutor(1) as messenger:
            messenger.submit(asyncio.run, probe_scheduler(address, patience)).result()
        return Client(address, timeout=patience, set_as_default=False)
    except (OSError, ValueError, RuntimeError) as fault:
        raise NoCluster(
            f"no Dask scheduler answers at {address} within {patience:g} seconds ({format_fault_line(fault)}); "
            "an address looks like tcp://192.0.2.7:8786, and `dask scheduler` prints its own"
        ) from fault


async def probe_scheduler(address: str, patience: float) -> None:
    """Probe an address. Raises OSError or ValueError where nobody answers in time."""
    from distributed.comm import connect

    comm = await asyncio.wait_for(connect(address, timeout=patience), patience)
    await comm.close()


def check_worker_editions(client: Client, agreed: Edition, patience: float) -> None:
    """Check that every worker has the same edition. Raises NoCluster, which names those that differ."""
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError:
        raise NoCluster(f"the scheduler has no worker, and none came within {patience:g} seconds") from None
    replies = client.run(describe_worker_edition, on_error="return")
    wrong = [f"{worker}: {words}" for worker, words in sorted(list_edition_mismatches(replies, agreed).items())]
    if wrong:
        raise NoCluster("\n  ".join(("not every worker works with this edition:", *wrong)))


def list_edition_mismatches(replies: Mapping[str, object], agreed: Edition) -> dict[str, str]:
    """List the workers that differ, and in what."""
    return {
        worker: words
        for worker, reply in replies.items()
        if (words := " and ".join(describe_edition_mismatch(reply, agreed)))
    }


def describe_edition_mismatch(reply: object, agreed: Edition) -> Iterator[str]:
    """Describe what speaks against a worker's answer."""
    if isinstance(reply, Edition):
        yield from agreed.differs(reply)
    else:
        yield f"cannot do a survey ({format_fault_line(reply)}); it needs {format_install_command('survey', 'cluster')}"


@contextmanager
def silence_dask_logs() -> Iterator[None]:
    """Silence Dask's own loggers: failures are reported by us in one sentence."""
    import distributed  # which sets the levels of its own loggers

    loggers = [logging.getLogger(name) for name in (distributed.__name__, f"{distributed.__name__}.client")]
    before = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


@contextmanager
def translate_cluster_faults(address: str) -> Iterator[None]:
    """Turn failures of a running cluster into NoCluster, in one sentence."""
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    try:
        yield
    except KilledWorker as fault:
        raise NoCluster(
            f"a piece was given up because its workers died over and over ({format_fault_line(fault)})"
        ) from fault
    except ImportError as fault:
        raise NoCluster(f"a worker {next(describe_edition_mismatch(fault, Edition('', '', '')))}") from fault
    except (CancelledError, CommClosedError) as fault:
        raise NoCluster(f"the scheduler at {address} was lost ({format_fault_line(fault)})") from fault


def list_cluster_workers(client: Client) -> Mapping[str, Any]:
    """List the workers that the scheduler knows of now."""
    workers: Mapping[str, Any] = client.scheduler_info(n_workers=-1)["workers"]
    return workers


def format_fault_line(fault: object) -> str:
    """Format a fault as its type and first line."""
    words = str(fault).strip().splitlines()
    return f"{type(fault).__name__}: {words[0]}" if words else type(fault).__name__
