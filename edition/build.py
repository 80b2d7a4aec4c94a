"""Building the edition: beside the last good one, and in its place only when all has gone well."""

from __future__ import annotations

import gc
import glob
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import MappingProxyType

from edition import again, records
from edition.pages import HAND, lay_out
from edition.records import read_all
from edition.settings import SETTINGS
from edition.shelf import Shelf
from rulebook.model import Problem

NO_ADDRESSES: Mapping[str, str] = MappingProxyType({})
NO_GATE: AbstractContextManager[object] = nullcontext()


def build_html(
    out: Path,
    warnings_as_errors: bool = True,
    jobs: str = "auto",
    sources: Path | None = None,
    by_hand: Path = HAND,
    addresses: Mapping[str, str] = NO_ADDRESSES,
    shelf: Shelf | None = None,
    gate: AbstractContextManager[object] = NO_GATE,
) -> int:
    """Build the edition into a folder; 0 when it is there, 1 when the last good one was left in place.

    `addresses` may name the base address of the edition on the net, and where corrections go, by the names of Sphinx's
    settings (`html_baseurl`, `reversis_corrections`); what is not named comes from the environment. A shelf that is
    given need not be read, and while the gate is held nobody reads in the folder, which then changes.

    Pages and what Sphinx remembers of them lie beside it, in `.html-work` for `html`. The last line printed is
    the address of the first page.
    """
    shelf, problems = (shelf, []) if shelf else read_all(sources)
    if problems or shelf is None:
        return refused(problems)
    out = out.resolve()
    work = out.parent / f".{out.name}-work"  # the reader's own folders beside it are not ours
    pages, memory = work / "src", work / "doctrees"
    out.parent.mkdir(parents=True, exist_ok=True)
    put_back(out)
    lay_out(shelf, made(pages), by_hand)
    again.trust(work, warnings_as_errors)
    fresh = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    failed = True
    once = records.handed.set(shelf)
    try:
        again.take_over(out, fresh, work)
        failed = sphinx(pages, fresh, memory, warnings_as_errors, jobs, sources, addresses)
        if not failed:
            with gate:
                put_in_place(fresh, out)
            again.remember(out, work)
    finally:
        records.handed.reset(once)
        shutil.rmtree(fresh, ignore_errors=True)
        if failed:
            shutil.rmtree(memory, ignore_errors=True)  # a page once read would not give its warning again
    said = (
        f"{out / 'index.html'}" if not failed else "The edition was not built; the last good one, if any, is in place."
    )
    print(said, file=sys.stderr if failed else sys.stdout)
    return int(failed)


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
        gc.unfreeze()  # see `edition.haste.set_apart`
        gc.set_threshold(*before)


def processes(jobs: str) -> int:
    """How many processes: a number, or as many as there are cores."""
    return max(os.cpu_count() or 1, 1) if jobs == "auto" else int(jobs)


def old_of(out: Path) -> str:
    """How the folder is called in which the last good edition lies for a moment."""
    return f".{out.name}-old"


def put_back(out: Path) -> None:
    """Where a build was killed in just that moment, the last good edition comes back to its place."""
    for old in [] if out.exists() else sorted(out.parent.glob(f"{glob.escape(old_of(out))}-*/{glob.escape(out.name)}")):
        old.rename(out)
        old.parent.rmdir()
        return


def put_in_place(fresh: Path, out: Path) -> None:
    """The new edition takes the place of the old; for a moment both are there, never neither half."""
    fresh.chmod(0o755)
    old = Path(tempfile.mkdtemp(prefix=f"{old_of(out)}-", dir=out.parent)) / out.name
    try:
        if out.exists():
            out.rename(old)
        fresh.rename(out)
    except BaseException:  # Ctrl-C too
        if old.exists() and not out.exists():
            old.rename(out)
        raise
    finally:
        if out.exists():
            shutil.rmtree(old.parent, ignore_errors=True)
