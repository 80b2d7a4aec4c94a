"""Proof that two builds under different conditions are identical, byte by byte.

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

from rulebook.receipts import build_receipt, write_receipt
from rulebook.sources.paths import digest_sources, find_sources

_REPO_ROOT = Path(__file__).resolve().parent.parent
_COMMAND = "python -m proofs.twice"
_CLAIM = "Two builds that differ in every circumstance that could leave a trace are the same to the last byte."
_BUILD_FORMS = ("html", "epub", "pdf")
_MAX_LISTED_FILES = 40  #: differing files that are told; the rest is counted


@dataclass(frozen=True, slots=True)
class BuildConditions:
    """Conditions that differ between the two builds and must not affect the output."""

    folder: str
    jobs: int
    environment: Mapping[str, str]
    backwards: bool = False  #: whether folders are read from behind


BUILD_CONDITIONS = (
    BuildConditions(
        "one", 1, {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8", "LANGUAGE": "en", "COLUMNS": "80"}
    ),
    BuildConditions(
        "the other, déjà",
        2,
        {"PYTHONHASHSEED": "4711", "TZ": "NZST-12NZDT", "LC_ALL": "C", "LANGUAGE": "fr", "COLUMNS": "200"},
        backwards=True,
    ),
)
_IGNORE_PATTERNS = shutil.ignore_patterns(".*", "build", "__pycache__", "*.pyc", "*.egg-info")


# --- one build ----------------------------------------------------------------------------------------------


def _copy_program(at: BuildConditions, sources: Path | None, beneath: Path) -> Path:
    home = beneath / at.folder
    shutil.copytree(_REPO_ROOT, home / "program", ignore=_IGNORE_PATTERNS)
    if sources:
        shutil.copytree(sources, home / "sources")
    return home


def run_build_process(at: BuildConditions, forms: Sequence[str], home: Path) -> Path:
    """Build in a process of its own; return the output folder."""
    words = [f"--jobs={at.jobs}", f"--make={home / 'out'}", *(["--backwards"] if at.backwards else [])]
    words += [f"--sources={home / 'sources'}"] if (home / "sources").exists() else []
    cache = str(home / "cache")
    places = {"PYTHONPATH": str(home / "program"), "XDG_CACHE_HOME": cache, "LOCALAPPDATA": cache, "HOME": str(home)}
    kept = {name: value for name, value in os.environ.items() if name not in ("LANG", "LC_ALL", "PYTHONHASHSEED")}
    subprocess.run(
        [sys.executable, "-m", "proofs.twice", *words, *forms],
        cwd=home / "program",
        env={**kept, **at.environment, **places},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return home / "out"


def build_forms(forms: Iterable[str], sources: Path | None, out: Path, jobs: int) -> int:
    """Build the requested forms in this process; 0 if all succeed."""
    from edition.site.build import build_html

    strict = sources is None  # an invented library lacks what pages written by hand point to
    for form in forms:
        if form == "html":
            failed = build_html(out / form, strict, str(jobs), sources)
        else:
            failed = _bind_book_form(form, out / form, sources)
        if failed:
            return failed
    return 0


def _bind_book_form(form: str, folder: Path, sources: Path | None) -> int:
    from edition.book.write_book import bind_book
    from edition.corpus.load import read_corpus_checked

    corpus, problems = read_corpus_checked(sources)
    if corpus is None:
        sys.stderr.write("".join(f"{problem}\n" for problem in problems))
        return 1
    bind_book(corpus, form, folder)
    return 0


class ReversedScandir:
    """Directory listing in reverse: no file system promises an order."""

    def __init__(self, entries: Iterable[Any]) -> None:
        self.found = iter([*entries][::-1])

    def __enter__(self) -> Iterator[Any]:
        return self.found

    def __exit__(self, *_: object) -> None:
        """Do nothing: nothing is left open."""

    def __iter__(self) -> Iterator[Any]:
        return self.found

    def __next__(self) -> Any:
        return next(self.found)

    def close(self) -> None:
        """Do nothing: nothing is left open."""


def reverse_directory_listings() -> None:
    """Reverse all directory listings in this process from now on."""
    scan, listed = os.scandir, os.listdir

    def scandir(*where: Any) -> ReversedScandir:
        with scan(*where) as entries:
            return ReversedScandir(entries)

    os.scandir = scandir  # type: ignore[assignment]
    os.listdir = lambda *where: listed(*where)[::-1]  # type: ignore[assignment]


# --- comparing ----------------------------------------------------------------------------------------------


def find_built_files(folder: Path) -> dict[str, Path]:
    """Return every file of a folder, hidden ones too, without the caches of a build."""
    every = (path for path in folder.rglob("*") if path.is_file())
    named = {path.relative_to(folder).as_posix(): path for path in every}
    return {name: path for name, path in sorted(named.items()) if "-work/" not in name}


def compare_builds(first: Path, second: Path) -> list[str]:
    """Return a line for every file that differs, or that only one build has."""
    first_files, second_files = find_built_files(first), find_built_files(second)
    lines = []
    for name in sorted(first_files.keys() | second_files.keys()):
        if name not in first_files or name not in second_files:
            lines.append(f"{name}: is only in the {'first' if name in first_files else 'second'} build")
        elif (a := first_files[name].read_bytes()) != (b := second_files[name].read_bytes()):
            lines.append(f"{name}: {describe_byte_difference(a, b)}")
    return lines


def describe_byte_difference(a: bytes, b: bytes) -> str:
    """Describe the first byte at which two files differ, with the text around it."""
    at = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    line, begin = a[:at].count(b"\n") + 1, max(at - 30, 0)
    return f"differs from byte {at} (line {line}): {a[begin : at + 50]!a} and {b[begin : at + 50]!a}"


# --- all of it ----------------------------------------------------------------------------------------------


def build_twice(
    forms: Sequence[str], sources: Path | None, beneath: Path
) -> tuple[list[str], Mapping[str, Mapping[str, int]]]:
    """Build twice; return the differences, and what was compared, form by form."""
    # both copies before either build: somebody may be at work here
    homes = [_copy_program(at, sources, beneath) for at in BUILD_CONDITIONS]
    first, second = (run_build_process(at, forms, home) for at, home in zip(BUILD_CONDITIONS, homes, strict=True))
    sizes = {form: [path.stat().st_size for path in find_built_files(first / form).values()] for form in forms}
    weights = {form: {"files": len(each), "bytes": sum(each)} for form, each in sizes.items()}
    return compare_builds(first, second), weights


def prove_same_builds(forms: Sequence[str]) -> int:
    """Build twice, report differences, and write a receipt if there are none and all forms were built."""
    with tempfile.TemporaryDirectory() as folder:
        wrong, weights = build_twice(forms, None, Path(folder))
    for line in wrong[:_MAX_LISTED_FILES]:
        sys.stdout.write(f"{line}\n")
    if len(wrong) > _MAX_LISTED_FILES:
        sys.stdout.write(f"and {len(wrong) - _MAX_LISTED_FILES} files more\n")
    compared = sum(weight["files"] for weight in weights.values())
    sys.stdout.write(f"{compared} files built twice, {len(wrong)} differ\n")
    if not wrong and tuple(forms) == _BUILD_FORMS:
        root = find_sources()
        figures = {"files that differ": 0, "by form": weights}
        path = write_receipt(root, build_receipt("twice", _CLAIM, _COMMAND, 1, digest_sources(root), figures))
        sys.stdout.write(f"the receipt is in {path.name}\n")
    return int(bool(wrong))


def main(words: Sequence[str] | None = None) -> int:
    """Run the proof, or one of the two builds that it starts."""
    parser = argparse.ArgumentParser(prog=_COMMAND, description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "forms", nargs="*", metavar="FORM", help=f"{', '.join(_BUILD_FORMS)}; all of them if none is named"
    )
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)  # what follows is for the two builds themselves
    parser.add_argument("--sources", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--backwards", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    forms = tuple(given.forms) or _BUILD_FORMS
    if unknown := [form for form in forms if form not in _BUILD_FORMS]:
        parser.error(f"there is no form {unknown[0]}; there are {', '.join(_BUILD_FORMS)}")
    if given.backwards:
        reverse_directory_listings()
    return build_forms(forms, given.sources, given.make, given.jobs) if given.make else prove_same_builds(forms)


if __name__ == "__main__":
    sys.exit(main())
