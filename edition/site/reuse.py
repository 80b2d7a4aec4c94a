"""Incremental builds: reuse unchanged pages of the last good edition.

Sphinx remembers what it has read, and writes a page only if it was read again or is missing. So the new edition
begins as a copy of the old, if that is the very one of which Sphinx remembers, made by this very program of sources
that differ in words of clauses at most: whatever page such a word changes is read again (`edition.site.outdated`).
After any other edit of the sources every page is written again.

What Sphinx remembers is unpickled, so it must be the user's own: a seal with the user's key lies beside it. Without
one, or with another's, it is discarded, as after a build that was killed.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import shutil
from contextlib import suppress
from pathlib import Path

from edition.citation.urls import SITEMAP
from edition.site.deferred import FOLDS_ENDING
from rulebook.io.cache import sign
from rulebook.io.files import discard

WARNED = "warned"  #: there where pages were made in spite of warnings, which would not be given again
EDITION_NOTE = "laid"  #: in the folder beside the edition: which edition is remembered there
MEMORY = "doctrees"  #: in that folder: what Sphinx remembers of the pages it has read
PAGES_READ = "src"  #: in that folder: the pages that Sphinx reads
SEAL = "seal"  #: in that folder: a signature of these three; not there while pages are made
_SEALED = (MEMORY, PAGES_READ, EDITION_NOTE)
#: Filled anew whenever pages are made.
_REBUILT = frozenset({"_static", "cite", "downloads", "linked", "play", "survey", SITEMAP})
_PAGE_SOURCES = "_sources"  #: where Sphinx lays what each page was made from


def copy_last_edition(out: Path, fresh: Path, work: Path, made_of: str) -> None:
    """Start a new edition as a copy of the last one, if that was made of the same, without pages that are gone."""
    note = work / EDITION_NOTE
    if (
        not (out / "index.html").is_file()
        or not note.is_file()
        or note.read_text("utf-8") != _identify_edition(out, made_of)
    ):
        return
    pages = work / PAGES_READ

    def unwanted(folder: str, names: list[str]) -> set[str]:
        within = Path(folder).relative_to(out)
        page_names = {
            name: name.partition(".")[0] for name in names if name.endswith((".html", FOLDS_ENDING, ".md.txt"))
        }
        home = within.relative_to(_PAGE_SOURCES) if within.parts[:1] == (_PAGE_SOURCES,) else within
        gone = {name for name, page in page_names.items() if not (pages / home / f"{page}.md").is_file()}
        return gone if within.parts else gone | _REBUILT

    shutil.copytree(out, fresh, ignore=unwanted, dirs_exist_ok=True)


def discard_stale_doctrees(work: Path, strictly: bool, program: str) -> None:
    """Discard Sphinx's doctrees, and its pages, unless this program of this user has read them all.

    With *strictly*, pages that gave warnings are discarded too, so that every warning is given again.
    """
    if not is_sealed(work) or program_of(work) not in ("", program) or (strictly and (work / WARNED).exists()):
        for name in (*_SEALED, WARNED):
            discard(work / name)
    discard(work / SEAL)


def finish_build(work: Path, failed: bool) -> None:
    """Note that Sphinx has finished.

    After a failure its doctrees are discarded: a page that has been read would not give its warning again.
    """
    if failed:
        discard(work / MEMORY)
        return
    with suppress(OSError, RuntimeError):  # without a cache of the user's own, or a home, all is made again next time
        (work / SEAL).write_text(_sign_work(work), encoding="ascii")


def is_sealed(work: Path) -> bool:
    """Return whether what lies beside an edition is as a build of this user left it."""
    try:
        return hmac.compare_digest((work / SEAL).read_bytes(), _sign_work(work).encode())
    except (OSError, RuntimeError):
        return False


def _sign_work(work: Path) -> str:
    total = hashlib.sha256()
    for folder, _, names in sorted(os.walk(work)):
        for path in (Path(folder) / name for name in sorted(names)):
            if path.relative_to(work).parts[0] in _SEALED:
                octets = path.read_bytes()
                total.update(f"{path.relative_to(work).as_posix()}\0{len(octets)}\0".encode() + octets)
    return sign(total.digest())


def mark_warned(work: Path) -> None:
    """Note that some page gave a warning and was built nonetheless."""
    (work / WARNED).touch()


def note_edition(out: Path, work: Path, made_of: str) -> None:
    """Record which edition the doctrees belong to."""
    (work / EDITION_NOTE).write_text(_identify_edition(out, made_of), encoding="utf-8", newline="\n")


def _identify_edition(out: Path, made_of: str) -> str:
    """Return what tells this edition from any other: fingerprints of its sources and, last, of the program."""
    first = (out / "index.html").stat()
    return f"{first.st_ino} {first.st_mtime_ns} {made_of}\n"


def program_of(work: Path) -> str:
    """Return the fingerprint of the program that made the edition; empty if none is noted."""
    note = work / EDITION_NOTE
    return next(iter(note.read_text(encoding="utf-8").split()[-1:]), "") if note.is_file() else ""
