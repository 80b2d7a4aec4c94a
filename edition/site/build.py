"""Building the edition: beside the last good one, and in its place only when all has gone well."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import MappingProxyType

from edition.corpus import load as records
from edition.corpus.corpus import Corpus
from edition.corpus.load import read_all
from edition.settings import PAGES, SETTINGS
from edition.site import reuse as again
from edition.site.stubs import lay_out
from rulebook.io.files import sync_folder, sync_tree
from rulebook.io.locks import hold_lock
from rulebook.problems import Problem
from rulebook.program_fingerprint import LAYERS, code_fingerprint, program_fingerprint

NO_ADDRESSES: Mapping[str, str] = MappingProxyType({})
NO_GATE: AbstractContextManager[object] = nullcontext()


def build_html(
    out: Path,
    warnings_as_errors: bool = True,
    jobs: str = "auto",
    sources: Path | None = None,
    by_hand: Path = PAGES,
    addresses: Mapping[str, str] = NO_ADDRESSES,
    corpus: Corpus | None = None,
    gate: AbstractContextManager[object] = NO_GATE,
) -> int:
    """Build the edition into a folder; 0 when it is there, 1 when the last good one was left in place.

    `addresses` may name the base address of the edition on the net, and where corrections go, by the names of Sphinx's
    settings (`html_baseurl`, `reversis_corrections`); what is not named comes from the environment. A corpus that is
    given need not be read, and while the gate is held nobody reads in the folder, which then changes.

    Pages and what Sphinx remembers of them lie beside it, in `.html-work` for `html`, and so does the new edition until
    it is whole. Two builds of the same folder wait for each other; who has waited reads the sources then, lest older
    pages replace newer ones. The last line printed is the address of the first page.
    """
    out = out.resolve()
    with exclusive_build(out) as work:
        program = program_fingerprint()
        corpus, problems = (corpus, []) if corpus else read_all(sources)
        if problems or corpus is None:
            return refused(problems)
        lay_out(corpus, made(work / "src"), by_hand)
        again.trust(work, warnings_as_errors, program)
        fresh, failed = made(work / FRESH), True
        try:
            again.take_over(out, fresh, work, program)
            with hand_over(corpus):
                failed = sphinx(work / "src", fresh, work / again.MEMORY, warnings_as_errors, jobs, sources, addresses)
            if not failed:
                sync_tree(fresh)
                with gate:
                    put_in_place(fresh, out, work / OLD)
                again.remember(out, work, program)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
            again.finish_build(work, failed)
    said = (
        f"{out / 'index.html'}" if not failed else "The edition was not built; the last good one, if any, is in place."
    )
    print(said, file=sys.stderr if failed else sys.stdout)
    return int(failed)


@contextmanager
def hand_over(corpus: Corpus) -> Iterator[None]:
    """Hand Sphinx the sources as they have been read, so that it need not read them once more."""
    once = records.handed.set(corpus)
    try:
        yield
    finally:
        records.handed.reset(once)


def refused(problems: Iterable[Problem]) -> int:
    """Say what is wrong with the sources; nothing is built."""
    for problem in problems:
        print(problem, file=sys.stderr)
    print("Nothing was built.", file=sys.stderr)
    return 1


def made(folder: Path) -> Path:
    """A folder that is there."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def sphinx(
    pages: Path,
    fresh: Path,
    memory: Path,
    warnings_as_errors: bool,
    jobs: str,
    sources: Path | None,
    addresses: Mapping[str, str],
) -> bool:
    """Let Sphinx make the pages; True if it failed."""
    from sphinx.application import Sphinx
    from sphinx.errors import SphinxError
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    overrides = {**SETTINGS, **addresses, **({"reversis_sources": str(sources)} if sources else {})}
    try:
        with unhurried_collector(), patch_docutils(), docutils_namespace():
            app = Sphinx(
                pages,
                None,
                fresh,
                memory,
                "html",
                confoverrides=overrides,
                status=None,
                warning=sys.stderr,
                warningiserror=warnings_as_errors,
                parallel=processes(jobs),
            )
            app.build()
    except (SphinxError, OSError) as fault:
        print(f"{type(fault).__name__}: {fault}", file=sys.stderr)
        return True
    return bool(app.statuscode) or not (fresh / "index.html").is_file()


@contextmanager
def unhurried_collector() -> Iterator[None]:
    """Pages are trees of many small things; looking for rubbish among them less often saves a quarter of the time."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 20, 20)
    try:
        yield
    finally:
        gc.unfreeze()  # see `edition.site.performance.set_apart`
        gc.set_threshold(*before)


def processes(jobs: str) -> int:
    """How many processes: a number, or as many as there are cores."""
    return max(os.cpu_count() or 1, 1) if jobs == "auto" else int(jobs)


# ---- the folder, and the one beside it
FRESH, OLD, LOCK = "new", "old", "lock"  #: in the folder beside: the edition that comes, the one that goes, the lock
WAITING = "Another process is making the pages of {out}; waiting until it has done so."


def work_of(out: Path) -> Path:
    """Return the folder beside an edition in which it is made; a reader's own folders there are not ours."""
    return out.parent / f".{out.name}-work"


@contextmanager
def exclusive_build(out: Path) -> Iterator[Path]:
    """Hold the lock of an edition, clear away what a killed build left, and yield the folder beside it."""
    work = made(work_of(out))
    code_fingerprint(*LAYERS)  # remembered; if modules are edited while this waits, they are not those it has loaded
    with hold_lock(work / LOCK, lambda: print(WAITING.format(out=out), file=sys.stderr)):
        put_back(out)
        sweep_leftovers(out)
        yield work


def recover_edition(out: Path) -> None:
    """Bring the last good edition back to its place, where a build was killed in just the moment between the two."""
    if not out.exists() and (work_of(out) / OLD).is_dir():
        with exclusive_build(out):
            pass  # which does it


def put_back(out: Path) -> None:
    """Put the last good edition back in its place, if none is there."""
    if not out.exists() and (old := work_of(out) / OLD).is_dir():
        old.rename(out)


def sweep_leftovers(out: Path) -> None:
    """Remove what killed builds left; whoever holds the lock is the only one alive."""
    for left in (FRESH, OLD):
        shutil.rmtree(work_of(out) / left, ignore_errors=True)


def put_in_place(fresh: Path, out: Path, old: Path) -> None:
    """The new edition takes the place of the old; for a moment both are there, never neither half."""
    try:
        if out.exists():
            out.rename(old)
        fresh.rename(out)
        sync_folder(out.parent)
    except BaseException:  # Ctrl-C too
        if old.exists() and not out.exists():
            old.rename(out)
        raise
    finally:
        if out.exists():
            shutil.rmtree(old, ignore_errors=True)
