"""Build the edition beside the last good one, and replace that only on success."""

from __future__ import annotations

import gc
import multiprocessing
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import MappingProxyType

from edition.corpus import load as records
from edition.corpus.corpus import Corpus
from edition.corpus.load import read_corpus_checked
from edition.game import fingerprint_program
from edition.settings import SPHINX_SETTINGS
from edition.site import reuse as again
from edition.site.stubs import write_page_sources
from rulebook.io.files import discard, is_link, refuse_links, sync_folder, sync_tree
from rulebook.io.locks import hold_lock
from rulebook.io.yaml_cache import reuse_parsed_yaml
from rulebook.problems import Problem
from rulebook.program_fingerprint import PROGRAM_LAYERS, code_fingerprint

NO_ADDRESSES: Mapping[str, str] = MappingProxyType({})
NO_GATE: AbstractContextManager[object] = nullcontext()


def build_html(
    out: Path,
    warnings_as_errors: bool = True,
    jobs: str = "auto",
    sources: Path | None = None,
    by_hand: Path | None = None,
    addresses: Mapping[str, str] = NO_ADDRESSES,
    corpus: Corpus | None = None,
    gate: AbstractContextManager[object] = NO_GATE,
) -> int:
    """Build the edition into a folder; 0 when it is there, 1 when the last good one was left in place.

    `addresses` may name the base address of the edition on the net, and where corrections go, by the names of Sphinx's
    settings (`html_baseurl`, `edition_corrections`); what is not named comes from the environment. A corpus that is
    given need not be read, and while the gate is held nobody reads in the folder, which then changes.

    Pages and what Sphinx remembers of them lie beside it, in `.html-work` for `html`, and so does the new edition until
    it is whole. Two builds of the same folder wait for each other; who has waited reads the sources then, lest older
    pages replace newer ones. The last line printed is the address of the first page.
    """
    out = out.resolve()
    with exclusive_build(out) as work:
        with reuse_parsed_yaml():
            corpus, problems = (corpus, []) if corpus else read_corpus_checked(sources)
        if problems or corpus is None:
            return _report_source_problems(problems)
        program = fingerprint_program(corpus.game)
        again.discard_stale_doctrees(work, warnings_as_errors, program)
        pages = _ensure_folder(work / again.PAGES_READ)
        write_page_sources(corpus, pages, by_hand)
        fresh, failed = _ensure_folder(work / _NEW_EDITION), True
        made_of = f"{corpus.frame.replace(' ', '-') or 'unknown'} {program}"
        once = records.handed.set(corpus)  # Sphinx need not read it again
        try:
            again.copy_last_edition(out, fresh, work, made_of)
            failed = run_sphinx(pages, fresh, work / again.MEMORY, warnings_as_errors, jobs, sources, addresses)
            if not failed:
                sync_tree(fresh)
                with gate:
                    put_in_place(fresh, out, work / _OLD_EDITION)
                again.note_edition(out, work, made_of)
        finally:
            records.handed.reset(once)
            shutil.rmtree(fresh, ignore_errors=True)
            again.finish_build(work, failed)
    return _report_build(out, failed)


def _report_build(out: Path, failed: bool) -> int:
    if failed:
        print("The edition was not built; the last good one, if any, is in place.", file=sys.stderr)
    else:
        print(out / "index.html")
    return int(failed)


def _report_source_problems(problems: Iterable[Problem]) -> int:
    for problem in problems:
        print(problem, file=sys.stderr)
    print("Nothing was built.", file=sys.stderr)
    return 1


def _ensure_folder(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def run_sphinx(
    pages: Path,
    fresh: Path,
    memory: Path,
    warnings_as_errors: bool,
    jobs: str,
    sources: Path | None,
    addresses: Mapping[str, str],
) -> bool:
    """Run Sphinx on the page sources; return True if it failed."""
    from sphinx.application import Sphinx
    from sphinx.errors import SphinxError
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    overrides = {**SPHINX_SETTINGS, **addresses, **({"edition_sources": str(sources)} if sources else {})}
    try:
        with relaxed_gc(), patch_docutils(str(pages)), docutils_namespace():  # or else the current folder is asked
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
                parallel=count_processes(jobs),
            )
            app.build()
    except (SphinxError, OSError) as fault:
        print(f"{type(fault).__name__}: {fault}", file=sys.stderr)
        return True
    except KeyboardInterrupt:  # Sphinx would wait at its end for processes that wait for it
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    return bool(app.statuscode) or not (fresh / "index.html").is_file()


@contextmanager
def relaxed_gc() -> Iterator[None]:
    """Run the garbage collector for pages only, and seldom (`edition.site.html_builder.free_pages`).

    Pages are trees of many small objects, some ten thousand for each: were the collector to come while one is read, it
    would look at every part of it and find nothing to free. This saves a third of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        (gc.enable if was_on else gc.disable)()


def count_processes(jobs: str) -> int:
    """Number of processes; "auto" means the CPU cores."""
    return max(os.cpu_count() or 1, 1) if jobs == "auto" else int(jobs)


# ---- the folder, and the one beside it
#: In the folder beside: the edition that comes, the one that goes, the lock.
_NEW_EDITION, _OLD_EDITION, BUILD_LOCK = "new", "old", "lock"
_WAITING_MESSAGE = (
    "Another process is making the pages of {out}{holder}; waiting until it has done so. If it hangs, end that process."
)


def work_of(out: Path) -> Path:
    """Return the folder beside an edition in which it is made; a reader's own folders there are not ours."""
    return out.parent / f".{out.name}-work"


@contextmanager
def exclusive_build(out: Path) -> Iterator[Path]:
    """Hold the lock of an edition, clear away what a killed build left, and yield the folder beside it."""
    refuse_links(out.parent, work_of(out).name)
    work = _ensure_folder(work_of(out))
    # It is remembered: if modules are edited while this waits, they are not those it has loaded.
    code_fingerprint(*PROGRAM_LAYERS)
    with hold_lock(work / BUILD_LOCK, lambda holder: _report_waiting(out, holder)):
        discard_foreign_files(work)
        if not out.exists() and (work / _OLD_EDITION).is_dir():
            (work / _OLD_EDITION).rename(out)
        for left in (_NEW_EDITION, _OLD_EDITION):  # whoever holds the lock is the only one alive
            shutil.rmtree(work / left, ignore_errors=True)
        yield work


def discard_foreign_files(work: Path) -> None:
    """Discard all of a folder beside an edition if anything in it is neither file nor folder: no build made that."""
    paths = (Path(folder) / name for folder, inside, names in os.walk(work) for name in (*inside, *names))
    if any(is_link(path) or not (path.is_file() or path.is_dir()) for path in paths):
        for path in work.iterdir():
            if path.name != BUILD_LOCK:
                discard(path)


def _report_waiting(out: Path, holder: str) -> None:
    named = f" ({holder})" if holder else ""
    print(_WAITING_MESSAGE.format(out=out, holder=named), file=sys.stderr)


def put_in_place(fresh: Path, out: Path, old: Path) -> None:
    """Replace an old folder by a new one.

    For a moment both are there, never half of either; on failure the old one is restored.
    """
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


def recover_edition(out: Path) -> None:
    """Bring the last good edition back to its place, where a build was killed in just the moment between the two."""
    if not out.exists() and (work_of(out) / _OLD_EDITION).is_dir():
        with exclusive_build(out):
            pass  # which does it
