"""The edition built twice, each time under other circumstances, must be the same to the last byte.

`python -m proofs.twice` copies the program and its sources into two folders and builds in each what it is asked for:
the pages, the EPUB, the PDF. The two builds have other folders, another number of processes, other lots in Python's
tables (PYTHONHASHSEED), other time zones, languages and caches, and the second is shown every folder backwards. Every
file is compared; those that differ are named, and where. If none does, there is a receipt.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulebook.receipts import receipt, write_receipt
from rulebook.sources.paths import digest_sources, find_sources

HERE = Path(__file__).resolve().parent.parent
COMMAND = "python -m proofs.twice"
SAYS = "Two builds, under other circumstances in everything that could leave a trace, are the same to the last byte."
FORMS = ("html", "epub", "pdf")
SHOWN = 40  #: differing files that are told; the rest is counted


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is not the same for the two builds, and must not show in them."""

    folder: str
    jobs: int
    environment: Mapping[str, str]
    backwards: bool = False  #: whether folders are read from behind


CIRCUMSTANCES = (
    Circumstances(
        "one", 1, {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8", "LANGUAGE": "en", "COLUMNS": "80"}
    ),
    Circumstances(
        "the other, déjà",
        2,
        {"PYTHONHASHSEED": "4711", "TZ": "NZST-12NZDT", "LC_ALL": "C", "LANGUAGE": "fr", "COLUMNS": "200"},
        backwards=True,
    ),
)
NOT_COPIED = shutil.ignore_patterns(".*", "build", "__pycache__", "*.pyc", "*.egg-info")


@dataclass(frozen=True, slots=True)
class Task:
    """What is built, and of what: by default the edition of this clone."""

    forms: tuple[str, ...] = FORMS
    sources: Path | None = None
    by_hand: Path | None = None


# --- one build ----------------------------------------------------------------------------------------------


def copied(at: Circumstances, task: Task, beneath: Path) -> Path:
    """A folder with a copy of the program, and of what else it is to build from."""
    home = beneath / at.folder
    shutil.copytree(HERE, home / "program", ignore=NOT_COPIED)
    for name, path in given(task).items():
        shutil.copytree(path, home / name)
    return home


def given(task: Task) -> Mapping[str, Path]:
    """What is built of, where that is not the edition's own."""
    return {name: path for name, path in (("sources", task.sources), ("hand", task.by_hand)) if path}


def built(at: Circumstances, task: Task, home: Path) -> Path:
    """One build, in a process of its own; the folder in which it lies."""
    words = [f"--{name}={home / name}" for name in given(task)]
    words += [f"--jobs={at.jobs}", f"--make={home / 'out'}", *(["--backwards"] if at.backwards else [])]
    cache = str(home / "cache")
    places = {"PYTHONPATH": str(home / "program"), "XDG_CACHE_HOME": cache, "LOCALAPPDATA": cache, "HOME": str(home)}
    kept = {name: value for name, value in os.environ.items() if name not in ("LANG", "LC_ALL", "PYTHONHASHSEED")}
    subprocess.run(
        [sys.executable, "-m", "proofs.twice", *words, *task.forms],
        cwd=home / "program",
        env={**kept, **at.environment, **places},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return home / "out"


def make(task: Task, out: Path, jobs: int) -> int:
    """Build in this process what is asked for; 0 when all of it is there."""
    from edition.settings import PAGES
    from edition.site.build import build_html

    strict = task.sources is None  # an invented library lacks what pages written by hand point to
    for form in task.forms:
        if form == "html":
            hand = task.by_hand or PAGES
            failed = build_html(out / form, strict, str(jobs), task.sources, hand)
        else:
            failed = bound(form, out / form, task.sources)
        if failed:
            return failed
    return 0


def bound(form: str, folder: Path, sources: Path | None) -> int:
    """The book in one form."""
    from edition.book.bind import bind
    from edition.corpus.load import read_all

    corpus, problems = read_all(sources)
    if corpus is None:
        sys.stderr.write("".join(f"{one}\n" for one in problems))
        return 1
    bind(corpus, form, folder)
    return 0


class Backwards:
    """What a folder holds, from behind: no file system promises an order."""

    def __init__(self, found: Iterable[Any]) -> None:
        self.found = iter([*found][::-1])

    def __enter__(self) -> Iterator[Any]:
        return self.found

    def __exit__(self, *_: object) -> None:
        """Nothing is left open."""

    def __iter__(self) -> Iterator[Any]:
        return self.found

    def __next__(self) -> Any:
        return next(self.found)

    def close(self) -> None:
        """Nothing is left open."""


def turn_folders() -> None:
    """From now on this process is shown every folder from behind."""
    scan, listed = os.scandir, os.listdir

    def scandir(*where: Any) -> Backwards:
        with scan(*where) as found:
            return Backwards(found)

    os.scandir = scandir  # type: ignore[assignment]
    os.listdir = lambda *where: listed(*where)[::-1]  # type: ignore[assignment]


# --- comparing ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Differs:
    """A file that is not the same in both builds."""

    name: str
    why: str

    def __str__(self) -> str:
        """As it is told."""
        return f"{self.name}: {self.why}"


def files(folder: Path) -> dict[str, Path]:
    """Every file of a folder, hidden ones too, except what a build remembers for the next one."""
    every = (path for path in folder.rglob("*") if path.is_file())
    named = {path.relative_to(folder).as_posix(): path for path in every}
    return {name: path for name, path in sorted(named.items()) if "-work/" not in name}


def compared(first: Path, second: Path) -> list[Differs]:
    """Every file that differs, or that only one of them has."""
    one, other = files(first), files(second)
    alone = [Differs(name, "is only in the first build") for name in one.keys() - other.keys()]
    alone += [Differs(name, "is only in the second build") for name in other.keys() - one.keys()]
    both = ((name, one[name].read_bytes(), other[name].read_bytes()) for name in one.keys() & other.keys())
    return sorted([*alone, *(Differs(name, parting(a, b)) for name, a, b in both if a != b)])


def parting(a: bytes, b: bytes) -> str:
    """Where two files part, and what stands there in each."""
    at = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    line, begin = a[:at].count(b"\n") + 1, max(at - 30, 0)
    return f"differs from byte {at} (line {line}): {a[begin : at + 50]!a} and {b[begin : at + 50]!a}"


# --- all of it ----------------------------------------------------------------------------------------------


def twice(task: Task, beneath: Path) -> tuple[list[Differs], Mapping[str, Mapping[str, int]]]:
    """Both builds: what differs, and how much was compared, form by form."""
    homes = [copied(at, task, beneath) for at in CIRCUMSTANCES]  # both before either: somebody may be at work here
    first, second = (built(at, task, home) for at, home in zip(CIRCUMSTANCES, homes, strict=True))
    return compared(first, second), {form: weighed(first / form) for form in task.forms}


def weighed(folder: Path) -> Mapping[str, int]:
    """How many files, and how many bytes."""
    sizes = [path.stat().st_size for path in files(folder).values()]
    return {"files": len(sizes), "bytes": sum(sizes)}


def run(task: Task) -> int:
    """Build twice, tell what differs, and leave a receipt if nothing does."""
    with tempfile.TemporaryDirectory() as folder:
        wrong, weights = twice(task, Path(folder))
    for one in wrong[:SHOWN]:
        sys.stdout.write(f"{one}\n")
    if len(wrong) > SHOWN:
        sys.stdout.write(f"and {len(wrong) - SHOWN} files more\n")
    compared_ = sum(one["files"] for one in weights.values())
    sys.stdout.write(f"{compared_} files built twice, {len(wrong)} differ\n")
    if not wrong and task == Task():
        root = find_sources()
        told = {"files that differ": 0, "by form": weights}
        path = write_receipt(root, receipt("twice", SAYS, COMMAND, 1, digest_sources(root), told))
        sys.stdout.write(f"the receipt is in {path.name}\n")
    return int(bool(wrong))


def main(words: Sequence[str] | None = None) -> int:
    """Where the program begins."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("forms", nargs="*", metavar="FORM", help=f"{', '.join(FORMS)}; all of them if none is named")
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)  # what follows is for the two builds themselves
    parser.add_argument("--sources", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--hand", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--backwards", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    task = Task(tuple(given.forms) or FORMS, given.sources, given.hand)
    if unknown := [one for one in task.forms if one not in FORMS]:
        parser.error(f"there is no form {unknown[0]}; there are {', '.join(FORMS)}")
    if given.backwards:
        turn_folders()
    return make(task, given.make, given.jobs) if given.make else run(task)


if __name__ == "__main__":
    sys.exit(main())
