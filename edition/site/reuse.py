"""Building again: the pages that still say the same are taken over from the last good edition.

Sphinx remembers what it has read, and writes a page only if it was read anew or is not there. So the new edition begins
as a copy of the old, if that is the very one of which Sphinx remembers, made by this very program.
"""

from __future__ import annotations

import shutil
from pathlib import Path

WARNED = "warned"  #: there where pages were made in spite of warnings, which would not be given again
UNFINISHED = "unfinished"  #: there while pages are made, and after a build that was killed
NOTE = "laid"  #: in the folder beside the edition: which edition is remembered there
MEMORY = "doctrees"  #: in that folder: what Sphinx remembers of the pages it has read
ANEW = frozenset({"cite", "downloads", "play", "survey"})  #: folders that are filled anew whenever pages are made


def take_over(out: Path, fresh: Path, work: Path, program: str) -> None:
    """Begin a new edition with what is in the old one, as far as pages are still wanted."""
    note = work / NOTE
    if not (out / "index.html").is_file() or not note.is_file() or note.read_text("utf-8") != mark(out, program):
        return
    pages = work / "src"

    def unwanted(folder: str, names: list[str]) -> set[str]:
        within = Path(folder).relative_to(out)
        gone = {name for name in names if name.endswith(".html") and of_a_page(within / name, pages)}
        return gone if within.parts else gone | ANEW

    shutil.copytree(out, fresh, ignore=unwanted, dirs_exist_ok=True)


def trust(work: Path, strictly: bool, program: str) -> None:
    """Forget the pages that Sphinx has read unless it would read the same: by the same program, and to the end.

    Whoever wants every warning also forgets the pages that were made in spite of some.
    """
    other = program_of(work) not in ("", program)
    if other or (work / UNFINISHED).exists() or (strictly and (work / WARNED).exists()):
        shutil.rmtree(work / MEMORY, ignore_errors=True)
        (work / WARNED).unlink(missing_ok=True)
    (work / UNFINISHED).touch()


def finish_build(work: Path, failed: bool) -> None:
    """Sphinx has come to an end. A page once read would not give its warning again, so a failure forgets them all."""
    if failed:
        shutil.rmtree(work / MEMORY, ignore_errors=True)
    (work / UNFINISHED).unlink(missing_ok=True)


def distrust(work: Path) -> None:
    """Some page gave a warning, and was made nonetheless."""
    (work / WARNED).touch()


def of_a_page(path: Path, pages: Path) -> bool:
    """Whether a file was made of a page that is no more."""
    return not (pages / path).with_suffix(".md").is_file()


def remember(out: Path, work: Path, program: str) -> None:
    """Note of which edition all that lies in the folder speaks."""
    (work / NOTE).write_text(mark(out, program), encoding="utf-8", newline="\n")


def mark(out: Path, program: str) -> str:
    """Return what tells this edition, made by the program of this fingerprint, from any other."""
    first = (out / "index.html").stat()
    return f"{first.st_ino} {first.st_mtime_ns} {program}\n"


def program_of(work: Path) -> str:
    """Return the fingerprint of the program that made the edition; empty if none is noted."""
    note = work / NOTE
    return next(iter(note.read_text(encoding="utf-8").split()[-1:]), "") if note.is_file() else ""
