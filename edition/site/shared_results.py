"""Results that many pages show, computed before the pages are shared out among processes."""

from __future__ import annotations

from collections.abc import Iterator

from edition.corpus.corpus import Corpus
from edition.export.downloads import collect_downloads, plan_downloads
from edition.process_pool import SharedTask, do_shared_tasks

#: Kinds of views that tell which downloads there are.
DOWNLOAD_VIEWS = frozenset({"downloads", "downloads-counted"})


def compute_shared_results(corpus: Corpus, processes: int) -> None:
    """Compute what is not known yet: the results that the game names, and all downloads."""
    do_shared_tasks([*plan_missing_results(corpus), *plan_missing_downloads(corpus)], processes)


def plan_missing_downloads(corpus: Corpus) -> tuple[SharedTask, ...]:
    """Plan to collect the downloads, unless they have been collected."""
    return () if collect_downloads in corpus.memo else (plan_downloads(corpus),)


def plan_missing_results(corpus: Corpus) -> Iterator[SharedTask]:
    """Plan to compute the results that views rest on and that are not known yet."""
    return (plan(corpus) for result, plan in corpus.game.tasks.items() if result not in corpus.memo)
