"""The live preview: a change in the sources is on the page a moment later, and what is wrong stands above it.

What is written is read again whenever a file has changed; it is the time of its last change that is looked at, which
works on any disk. Where something is wrong in a file, its last good state is used until it is mended: so the page tells
what is wrong, and a change in another file is shown all the same.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from edition.corpus.corpus import Corpus
from edition.settings import PAGES
from edition.site.build import exclusive_build, work_of
from rulebook.io.files import whole
from rulebook.problems import Problem
from rulebook.program_fingerprint import program_fingerprint
from rulebook.sources.paths import is_editors_own

PAUSE = 0.4  #: seconds between two looks at the files
GOOD = "good"  #: in the folder beside the edition: every file of the sources as it last was in order
COLOUR = re.compile("\x1b\\[[0-9;]*m")

Seen = Mapping[str, tuple[int, int]]  #: file -> when it was last changed, and its size


def seen(*folders: Path) -> Seen:
    """When every file of some folders was last changed."""
    return {path: (stat.st_mtime_ns, stat.st_size) for folder in folders for path, stat in entries(str(folder))}


def entries(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """The files of a folder and of those in it; what goes while one looks was never there, nor what an editor hides."""
    try:
        found = list(os.scandir(folder))
    except OSError:
        return
    for one in found:
        try:
            if one.is_dir():
                yield from entries(one.path)
            elif not is_editors_own(one.name):
                yield one.path, one.stat()
        except OSError:
            continue


@dataclass
class Preview:
    """An edition that follows its sources."""

    out: Path
    sources: Path
    by_hand: Path = PAGES
    gate: threading.RLock = field(default_factory=threading.RLock)  #: held while pages are read, or exchanged
    problems: tuple[Problem, ...] = ()  #: what is wrong with the sources, as `reversis check` tells it
    warnings: tuple[str, ...] = ()  #: what is wrong with the pages
    at_work: bool = False
    last: Seen = field(default_factory=dict)

    @property
    def work(self) -> Path:
        """The folder beside the edition in which it is made."""
        return work_of(self.out.resolve())

    def now(self) -> Seen:
        """The files that are followed, as they stand."""
        return seen(self.sources, self.by_hand)

    def begin(self) -> None:
        """Make the edition if it is not there, or older than a file of which it was made here, or the program."""
        from edition.site.reuse import NOTE, program_of

        self.last, note = self.now(), self.work / NOTE
        made = note.stat().st_mtime_ns if note.is_file() else 0
        if not (self.out / "index.html").is_file() or (made and program_of(self.work) != program_fingerprint()):
            self.make("auto")
        elif made and any(changed > made for changed, _ in self.last.values()):
            self.make()

    def follow(self, ended: threading.Event) -> None:
        """Look, and make anew what has changed, until it is ended."""
        while not ended.wait(PAUSE):
            self.look()

    def look(self) -> bool:
        """Make anew what has changed since one last looked; whether anything had."""
        found = self.now()
        if found == self.last:
            return False
        self.last = found  # before it is read: what changes meanwhile is seen the next time
        self.make()
        return True

    def make(self, jobs: str = "1") -> None:
        """Read all, and make the pages that say something else; what is wrong is kept, to be shown."""
        self.at_work = True
        try:
            with exclusive_build(self.out.resolve()):
                corpus, problems = self.read()
                if corpus is not None:
                    self.warnings = self.built(corpus, jobs)
            self.problems = problems or self.unexpected(corpus)
        finally:
            self.at_work = False

    def read(self) -> tuple[Corpus | None, tuple[Problem, ...]]:
        """The sources; with problems, what they were when the files in question were last in order."""
        from edition.corpus.load import read_all, strays

        corpus, problems = read_all(self.sources)
        if corpus is not None:
            self.keep(())
            return corpus, ()
        told = tuple(sorted({*problems, *strays(self.sources)}))
        if not (self.work / GOOD).is_dir():
            return None, told
        self.keep({one.file for one in problems})
        return read_all(self.good)[0], told

    def unexpected(self, corpus: Corpus | None) -> tuple[Problem, ...]:
        """What is wrong though all can be read: a deal of which a source makes something else than is expected."""
        from edition.analysis.problems import find_problems_in_results

        return tuple(find_problems_in_results(corpus.library)) if corpus else ()

    def built(self, corpus: Corpus, jobs: str) -> tuple[str, ...]:
        """Make the pages; the warnings that were given."""
        from edition.site.build import build_html
        from edition.site.reuse import distrust

        said = StringIO()
        with redirect_stderr(said), redirect_stdout(StringIO()):
            build_html(self.out, False, jobs, self.sources, self.by_hand, corpus=corpus, gate=self.gate)
        lines = plain(said.getvalue(), self.work / "src").splitlines()
        warnings = tuple(dict.fromkeys(line for line in lines if line.strip()))
        if warnings:
            distrust(self.work)
        return warnings

    # ---- every file as it last was in order
    @property
    def good(self) -> Path:
        """A copy of the sources, under the same name."""
        return self.work / GOOD / self.sources.name

    def keep(self, wrong: Iterable[str]) -> None:
        """Take over every file that has changed, but for those in which something is wrong."""
        passed_over = {Path(name).relative_to(self.sources.name) for name in wrong if within(name, self.sources.name)}
        now, then = located(self.sources), located(self.good)
        for path in then.keys() - now.keys() - passed_over:
            (self.good / path).unlink()
        for path, stat in now.items():
            if then.get(path) != stat and path not in passed_over:
                (self.good / path).parent.mkdir(parents=True, exist_ok=True)
                with whole(self.good / path) as name:
                    shutil.copyfile(self.sources / path, name)  # not its mode: it may be read-only
                    os.utime(name, ns=(stat[0], stat[0]))


def plain(said: str, pages: Path) -> str:
    """What was said to a screen, without its colours, and without the folder that only this machine has."""
    return COLOUR.sub("", said).replace(f"{pages}{os.sep}", "")


def within(name: str, folder: str) -> bool:
    """Whether a problem is one of a file of the sources."""
    return name.startswith(f"{folder}/")


def located(folder: Path) -> Mapping[Path, tuple[int, int]]:
    """The files of a folder by their way within it."""
    return {Path(path).relative_to(folder): stat for path, stat in seen(folder).items()}


def told(preview: Preview, path: Path) -> dict[str, object]:
    """What a page in a browser asks for: what is wrong, and whether it is itself another than it was."""
    stat = path.stat() if path.is_file() else None
    return {
        "state": f"{stat.st_mtime_ns}-{stat.st_size}" if stat else "",
        "working": preview.at_work,
        "problems": [
            {"place": f"{p.file}:{p.line}:{p.column}", "what": p.what, "out": p.way_out} for p in preview.problems
        ],
        "warnings": list(preview.warnings),
    }
