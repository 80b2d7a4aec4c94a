"""Payments of all situations by topic: computed once, in several processes where there are, and kept for later builds.

What is kept is found under a fingerprint of all that it is computed from; a copy that cannot be read is made again.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from edition.corpus.corpus import Corpus, cached_on_corpus
from edition.process_pool import SharedTask, do_shared_tasks
from reversis.files.deals import readable_deals
from reversis.findings.situation_payments import (
    SituationPayments,
    compute_situation_payments,
    examine_worked_deals,
)
from reversis.findings.situations import PaymentSituation, list_situations
from rulebook.display import format_whole
from rulebook.io.cache import read_cached_copy, write_cached_copy
from rulebook.model import Library
from rulebook.program_fingerprint import program_fingerprint

_CACHE_FILE = "situations.pickle"
_SituationTable = Mapping[str, "tuple[SituationRow, ...]"]


# ---- records
@dataclass(frozen=True, slots=True)
class SituationRow:
    """A situation with its payments by every source."""

    situation: PaymentSituation
    sources: tuple[SituationPayments, ...]

    @property
    def shown(self) -> bool:
        """True if a deal shows it by any source."""
        return any(one.state != "unshown" for one in self.sources)


# ---- computing


_SITUATIONS_AT_A_TIME = 8  #: in one process, before it takes up others


def plan_situation_payments(corpus: Corpus) -> SharedTask:
    """Plan to compute what every source pays in every situation; nothing is to be done where it is in the cache."""
    library = corpus.library
    key, situations = fingerprint_situations(library), list_situations(library)
    known = read_cached_rows(key) if situations else ()
    worked = examine_worked_deals(library) if known is None else None

    def compute_rows(some: Iterable[PaymentSituation]) -> list[SituationRow]:
        return [SituationRow(one, compute_situation_payments(library, one, worked)) for one in some]

    def keep(made: Iterable[list[SituationRow]]) -> None:
        rows = known if known is not None else tuple(row for some in made for row in some)
        if known is None:
            write_cached_rows(key, rows)
        found: dict[str, list[SituationRow]] = defaultdict(list)
        for row in rows:
            found[row.situation.topic].append(row)
        corpus.memo[collect_situation_payments] = {topic: tuple(rows) for topic, rows in found.items()}

    left = situations if known is None else ()
    starts = range(0, len(left), _SITUATIONS_AT_A_TIME)
    return SharedTask([partial(compute_rows, left[at : at + _SITUATIONS_AT_A_TIME]) for at in starts], keep)


@cached_on_corpus
def collect_situation_payments(corpus: Corpus) -> _SituationTable:
    """Collect the payments of every situation by topic, for the pages."""
    do_shared_tasks([plan_situation_payments(corpus)], processes=1)
    return corpus.memo[collect_situation_payments]  # type: ignore[no-any-return]


# ---- keeping
def fingerprint_situations(library: Library) -> str:
    """Fingerprint of the program, the answers and the deals from which the payments are computed."""
    total = hashlib.sha256(program_fingerprint().encode())
    for part in (library.questions, library.sources, list(readable_deals(library))):
        total.update(format_whole(part).encode())
    return total.hexdigest()


def read_cached_rows(key: str) -> tuple[SituationRow, ...] | None:
    """Return the rows that were computed from just this; None if there are none that can be read."""
    found = read_cached_copy(_CACHE_FILE, key)
    return found if isinstance(found, tuple) else None


def write_cached_rows(key: str, rows: tuple[SituationRow, ...]) -> None:
    """Write the cached copy; where that is not possible there is none."""
    with suppress(OSError):
        write_cached_copy(_CACHE_FILE, key, rows)
