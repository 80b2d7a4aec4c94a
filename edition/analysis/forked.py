"""Work shared out among forked processes, which have all that was read before they began."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

_ThingT = TypeVar("_ThingT")
_MadeT = TypeVar("_MadeT")

_begun: tuple[Callable[[Any], Any], Sequence[Any]] | None = None  #: what the processes do, and with what, while they do


def map_in_processes(
    work: Callable[[_ThingT], _MadeT], things: Sequence[_ThingT], processes: int, at_a_time: int = 1
) -> list[_MadeT]:
    """Return what the work makes of each thing, in their order; in this process if there is to be one only."""
    global _begun
    if processes == 1 or "fork" not in multiprocessing.get_all_start_methods():
        return list(map(work, things))
    _begun = work, things
    try:
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            return pool.map(_do_one, range(len(things)), chunksize=at_a_time)
    finally:
        _begun = None


def _do_one(at: int) -> Any:
    assert _begun is not None
    work, things = _begun
    return work(things[at])
