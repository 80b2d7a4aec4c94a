"""Building again: the pages that still say the same are taken over from the last good edition.

Sphinx remembers what it has read, and writes a page only if it was read anew or is not there. So the new edition begins
as a copy of the old, if that is the very one of which Sphinx remembers, made by this very program.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from edition.release import find_release

HERE = Path(__file__).parent
WARNED = "warned"  #: there where pages were made in spite of warnings, which would not be given again
NOTE = "laid"  #: in the folder beside the edition: which edition is remembered there
ANEW = frozenset({"cite", "downloads", "play", "survey"})  #: folders that are filled anew whenever pages are made


def take_over(out: Path, fresh: Path, work: Path) -> None:
    """Begin a new edition with what is in the old one, as far as pages are still wanted."""
    note = work / NOTE
    if not (out / "index.html").is_file() or not note.is_file() or note.read_text(encoding="utf-8") != mark(out):
        return
    pages = work / "src"

    def unwanted(folder: str, names: list[str]) -> set[str]:
        within = Path(folder).relative_to(out)
        gone = {name for name in names if name.endswith(".html") and of_a_page(within / name, pages)}
        return gone if within.parts else gone | ANEW

    shutil.copytree(out, fresh, ignore=unwanted, dirs_exist_ok=True)


def trust(work: Path, strictly: bool) -> None:
    """Whoever wants every warning forgets the pages that were made in spite of some."""
    if strictly and (work / WARNED).exists():
        shutil.rmtree(work / "doctrees", ignore_errors=True)
        (work / WARNED).unlink()


def distrust(work: Path) -> None:
    """Some page gave a warning, and was made nonetheless."""
    (work / WARNED).touch()


def of_a_page(path: Path, pages: Path) -> bool:
    """Whether a file was made of a page that is no more."""
    return not (pages / path).with_suffix(".md").is_file()


def remember(out: Path, work: Path) -> None:
    """Note of which edition all that lies in the folder speaks."""
    (work / NOTE).write_text(mark(out), encoding="utf-8", newline="\n")


def mark(out: Path) -> str:
    """What tells this edition from any other, and this program from a changed one."""
    first = (out / "index.html").stat()
    return f"{first.st_ino} {first.st_mtime_ns} {program()}\n"


def program() -> str:
    """A fingerprint of all that gives pages their look, besides what is shown on them."""
    folders = ((HERE, "*.py"), (HERE / "templates", "**/*"), (HERE / "static", "**/*"))
    paths = [path for folder, pattern in folders for path in sorted(folder.glob(pattern)) if path.is_file()]
    return hashlib.sha256(b"".join(path.read_bytes() for path in (*paths, find_release()))).hexdigest()
