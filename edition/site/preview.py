"""Live preview: rebuild pages when the sources change; show problems on them.

A file is read again whenever its modification time has changed, which works on any disk. Where a file has a problem,
its last valid state is used until it is mended: so the page reports the problem, and a change in another file is
shown all the same.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import threading
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from edition.corpus.corpus import Corpus
from edition.corpus.load import find_stray_files, read_corpus_checked
from edition.corpus.problems import find_problems_in_results
from edition.game import fingerprint_program, read_game
from edition.site.build import build_html, exclusive_build, work_of
from edition.site.reuse import EDITION_NOTE, is_sealed, mark_warned, program_of
from edition.text.handwritten_pages import list_page_folders
from rulebook.io.files import BUILD_FOLDER, atomic_write
from rulebook.problems import Problem
from rulebook.sources.paths import is_editors_own

_POLL_INTERVAL = 0.4  #: seconds between two looks at the files
PAUSE = 60.0  #: seconds without an answer of the form after which pages are rebuilt, if nobody asks for one sooner
_LAST_GOOD = "good"  #: in the folder beside the edition: every file of the sources as it last was in order
_ANSI_COLOUR = re.compile("\x1b\\[[0-9;]*m")

_FileTimes = Mapping[str, tuple[int, int]]  #: file -> when it was last changed, and its size


def read_file_times(*folders: Path) -> _FileTimes:
    """Time of the last change and size of every file in some folders; what a build left in them is none of theirs."""
    walks = (_walk_files(str(folder), (BUILD_FOLDER,)) for folder in folders)
    return {path: (stat.st_mtime_ns, stat.st_size) for walk in walks for path, stat in walk}


def _walk_files(folder: str, without: Iterable[str] = ()) -> Iterator[tuple[str, os.stat_result]]:
    """Files of a folder and its subfolders, without those of some names.

    Files that vanish meanwhile, what an editor or a program hides, and links are left out.
    """
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        try:
            if entry.name in without or is_editors_own(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _walk_files(entry.path)
            elif not entry.is_symlink():
                yield entry.path, entry.stat()
        except OSError:
            continue


@dataclass
class Preview:
    """Edition that is rebuilt when its sources change."""

    out: Path
    sources: Path
    by_hand: Path | None = None  #: the only folder of pages written by hand, if not the library's and its game's
    gate: threading.RLock = field(default_factory=threading.RLock)  #: held while pages are read, or exchanged
    problems: tuple[Problem, ...] = ()  #: what is wrong with the sources, as `check` tells it
    warnings: tuple[str, ...] = ()  #: what is wrong with the pages
    at_work: bool = False
    began: float = 0.0  #: when the work began, by the clock that only runs on
    last: _FileTimes = field(default_factory=dict)
    held_until: float = 0.0  #: by the clock that only runs on

    @property
    def work(self) -> Path:
        """The folder beside the edition in which it is made."""
        return work_of(self.out.resolve())

    def now(self) -> _FileTimes:
        """The files that are followed, as they stand."""
        by_hand = [self.by_hand] if self.by_hand else list_page_folders(read_game(self.sources)[0], self.sources)
        return read_file_times(self.sources, *by_hand)

    @property
    def seconds(self) -> int:
        """Seconds for which pages have been made; 0 if none are."""
        return int(time.monotonic() - self.began) if self.at_work else 0

    def begin(self) -> bool:
        """Build the edition if it is missing, another's, or older than the program or a file; return True if it was."""
        self.last, note = self.now(), self.work / EDITION_NOTE
        is_ours = (self.out / "index.html").is_file() and is_sealed(self.work) and note.is_file()
        if not is_ours or program_of(self.work) != fingerprint_program(read_game(self.sources)[0]):
            self.make("auto")
        elif any(changed > note.stat().st_mtime_ns for changed, _ in self.last.values()):
            self.make()
        else:
            return False
        return True

    def follow(self, ended: threading.Event) -> None:
        """Watch the files and rebuild what has changed, until *ended* is set."""
        while not ended.wait(_POLL_INTERVAL):
            self.look()

    def hold(self) -> None:
        """Put off rebuilding: somebody codes answer after answer, and the check should not wait for pages."""
        self.held_until = time.monotonic() + PAUSE

    def release(self) -> None:
        """Rebuild at the next look: somebody asks for a page."""
        self.held_until = 0.0

    def look(self) -> bool:
        """Rebuild what has changed since the last look, unless that is put off; return True if anything was."""
        if time.monotonic() < self.held_until:
            return False
        times = self.now()
        if times == self.last:
            return False
        self.last = times  # before it is read: what changes meanwhile is seen the next time
        self.make()
        return True

    def make(self, jobs: str = "1") -> None:
        """Read the sources and rebuild the pages that changed; store the problems found."""
        self.at_work, self.began = True, time.monotonic()
        try:
            with exclusive_build(self.out.resolve()):
                corpus, problems = self.read()
                if corpus is not None:
                    self.warnings = self.built(corpus, jobs)
            self.problems = problems or self.unexpected(corpus)
        finally:
            self.at_work = False

    def read(self) -> tuple[Corpus | None, tuple[Problem, ...]]:
        """Read the sources.

        With problems, the files in question are taken as they were when they were last valid; the corpus is None if
        there is no such copy.
        """
        corpus, problems = read_corpus_checked(self.sources)
        if corpus is not None:
            self.keep(())
            return corpus, ()
        reported = tuple(sorted({*problems, *find_stray_files(self.sources)}))
        if not (self.work / _LAST_GOOD).is_dir():
            return None, reported
        self.keep({problem.file for problem in problems})
        return read_corpus_checked(self.good)[0], reported

    def unexpected(self, corpus: Corpus | None) -> tuple[Problem, ...]:
        """Problems of sources that can be read: results that are not as expected."""
        return tuple(find_problems_in_results(corpus)) if corpus else ()

    def built(self, corpus: Corpus, jobs: str) -> tuple[str, ...]:
        """Build the pages and return the warnings."""
        output = StringIO()
        try:
            with redirect_stderr(output), redirect_stdout(StringIO()):
                build_html(self.out, False, jobs, self.sources, self.by_hand, corpus=corpus, gate=self.gate)
        except Exception as fault:  # of the program: the form goes on being served
            traceback.print_exc()
            return (f"the pages could not be made, by a fault of the program: {type(fault).__name__}: {fault}",)
        printed = _ANSI_COLOUR.sub("", output.getvalue()).replace(f"{self.work / 'src'}{os.sep}", "")
        warnings = tuple(dict.fromkeys(line for line in printed.splitlines() if line.strip()))
        if warnings:
            mark_warned(self.work)
        return warnings

    # ---- every file as it last was in order
    @property
    def good(self) -> Path:
        """A copy of the sources, under the same name."""
        return self.work / _LAST_GOOD / self.sources.name

    def keep(self, wrong: Iterable[str]) -> None:
        """Copy every file that has changed, except those with problems."""
        folder = self.sources.name
        passed_over = {Path(name).relative_to(folder) for name in wrong if name.startswith(f"{folder}/")}
        now, then = read_relative_file_times(self.sources), read_relative_file_times(self.good)
        for path in then.keys() - now.keys() - passed_over:
            (self.good / path).unlink()
        for path, stat in now.items():
            if then.get(path) != stat and path not in passed_over:
                (self.good / path).parent.mkdir(parents=True, exist_ok=True)
                with atomic_write(self.good / path) as name:
                    shutil.copyfile(self.sources / path, name)  # not its mode: it may be read-only
                    os.utime(name, ns=(stat[0], stat[0]))


def read_relative_file_times(folder: Path) -> Mapping[Path, tuple[int, int]]:
    """Times and sizes of the files of a folder, by relative path."""
    return {Path(path).relative_to(folder): stat for path, stat in read_file_times(folder).items()}


def describe_preview(preview: Preview, path: Path) -> dict[str, object]:
    """State of the preview that the browser polls.

    Problems and warnings, and a token that changes when the page says or shows something else.
    """
    return {
        "state": hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
        "working": preview.at_work,
        "seconds": preview.seconds,
        "problems": [
            {"place": f"{p.file}:{p.line}:{p.column}", "what": p.what, "out": p.way_out} for p in preview.problems
        ],
        "warnings": list(preview.warnings),
    }
