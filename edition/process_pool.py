"""Work shared out among forked processes, which have all that was read before they began."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any

from rulebook.io.locks import begin_worker
from rulebook.reads import ClauseWord, note_reads, record_reads

_begun: Sequence[Callable[[], Any]] = ()  #: the pieces that the processes do, while they do them


@dataclass(frozen=True, slots=True)
class SharedTask:
    """Work in pieces, each of which any process may do, and what becomes of all that they make."""

    pieces: Sequence[Callable[[], Any]]
    #: Is given what the pieces made, in their order, and the words that were read for all of it.
    keep: Callable[[Sequence[Any], Set[ClauseWord]], object]


def do_shared_tasks(tasks: Iterable[SharedTask], processes: int) -> None:
    """Do several tasks at once, piece by piece; in this process if there is to be one only."""
    tasks = tuple(tasks)
    results = iter(_do_pieces([piece for task in tasks for piece in task.pieces], processes))
    for task in tasks:
        done = [next(results) for _ in task.pieces]
        words = frozenset(word for _, read in done for word in read)
        note_reads(words)
        task.keep([result for result, _ in done], words)


def _do_pieces(pieces: Sequence[Callable[[], Any]], processes: int) -> list[tuple[Any, Set[ClauseWord]]]:
    global _begun
    if processes == 1 or len(pieces) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        return list(map(_do_piece, pieces))
    _begun = pieces
    try:
        with multiprocessing.get_context("fork").Pool(processes, begin_worker, (os.getpid(),)) as pool:
            return pool.map(_do_begun_piece, range(len(pieces)), chunksize=1)
    finally:
        _begun = ()


def _do_begun_piece(at: int) -> tuple[Any, Set[ClauseWord]]:
    return _do_piece(_begun[at])


def _do_piece(piece: Callable[[], Any]) -> tuple[Any, Set[ClauseWord]]:
    with record_reads() as words:
        return piece(), words
