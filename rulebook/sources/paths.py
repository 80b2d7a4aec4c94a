"""Paths of the folder of sources: where it is, which files of it are read, and their digest."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

from rulebook.io.files import BUILD_FOLDER, is_link
from rulebook.library_settings import SETTINGS_FILE

SOURCES_VARIABLE = "REVERSIS_SOURCES"  #: an environment variable, which child processes inherit
RULEBOOK_FOLDER = Path(__file__).resolve().parents[1]  #: the folder of the package `rulebook`

#: The files of a folder of sources that are read, in this order; worked deals are only listed.
SOURCE_FILE_PATTERNS = (
    "spelling.yaml",
    "registry.yaml",
    "tombstones.yaml",
    "glossary.yaml",
    "questions/*.yaml",
    "*/source.yaml",
    "*/text.xml",
    "*/en.xml",
    "*/statements.yaml",
    "*/notes.yaml",
    "*/printed.yaml",
    "*/clauses.yaml",
    "*/proposed.yaml",
    "*/coverage.yaml",
    "*/witnesses/*.xml",
    "*/witnesses/*.txt",
)
CLAUSES_FILE = "clauses.yaml"  #: in the folder of each source
BACKUPS_FOLDER = "backups"  #: in the folder of each source, for what was there before; no part of the library
DEAL_FILE_PATTERNS = ("*/deals/*.yaml", "deals/*.yaml")
TEI_SCHEMA = "schema/reversis-tei.rng"  #: to which texts are held; the one of the program, whatever folder is read
#: How a worked deal or session is called: its name is an address, and stands in the pages that Sphinx reads.
RECORD_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SESSION_FILE_PATTERNS = ("sessions/*.yaml",)  #: worked sessions are listed like worked deals


#: Files by which editors, and the programs that write ours, do their work; they come and go.
EDITORS_OWN = (".*", "*~", "#*#", "*.swp", "*.tmp", "__pycache__")


def is_editors_own(name: str) -> bool:
    """Return whether a file or folder of this name is an editor's own business."""
    return any(fnmatch(name, pattern) for pattern in EDITORS_OWN)


def find_sources() -> Path:
    """The folder of sources: the one that the environment names, or else the program's own."""
    named = os.environ.get(SOURCES_VARIABLE)
    return Path(named).resolve() if named else find_own_sources()


def find_library(folder: Path) -> Path | None:
    """Return the library in a folder, or in its `sources`, or in the nearest folder above it that has one."""
    places = (place for above in (folder, *folder.parents) for place in (above, above / "sources"))
    return next((one for one in places if (one / SETTINGS_FILE).is_file() and (one / "questions").is_dir()), None)


def find_working_library() -> Path:
    """The library that the environment names, or that of the folder in which one is, or the program's own."""
    inside = None if os.environ.get(SOURCES_VARIABLE) else find_library(Path.cwd())
    return inside or find_sources()


def find_own_sources() -> Path:
    """The program's own folder of sources: beside it in a clone, within it once installed."""
    clone = RULEBOOK_FOLDER.parent / "sources"
    return clone if (clone / "questions").is_dir() else RULEBOOK_FOLDER / "_sources"


def find_files(root: Path, patterns: Iterable[str]) -> list[Path]:
    """Return the files of these patterns, in one order on every machine."""
    paths = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    return sorted(paths, key=lambda path: path.relative_to(root).as_posix())


def find_links(root: Path) -> Iterator[str]:
    """Yield the links below the root: a folder from elsewhere could have them lead to any file of its reader."""
    for folder, inside, names in os.walk(root):
        links = [name for name in (*inside, *names) if is_link(os.path.join(folder, name))]
        yield from ((Path(folder) / name).relative_to(root).as_posix() for name in links if not is_editors_own(name))
        left_out = {*links, *_list_built(root, folder)}
        inside[:] = [name for name in inside if name not in left_out and not is_editors_own(name)]


def _list_built(root: Path, folder: str) -> Iterator[str]:
    """List what of a folder below the root was built, and is no part of the library."""
    yield from (BUILD_FOLDER,) if folder == str(root) else ()


def list_deal_paths(root: Path) -> tuple[str, ...]:
    """Return the worked deals, as paths below the root."""
    return tuple(path.relative_to(root).as_posix() for path in find_files(root, DEAL_FILE_PATTERNS))


def list_session_paths(root: Path) -> tuple[str, ...]:
    """Return the worked sessions, as paths below the root."""
    return tuple(path.relative_to(root).as_posix() for path in find_files(root, SESSION_FILE_PATTERNS))


def digest_sources(root: Path) -> str:
    """Return a fingerprint of every file that is read: its path and its bytes."""
    total = hashlib.sha256()
    for path in find_files(root, SOURCE_FILE_PATTERNS):
        total.update(f"{path.relative_to(root).as_posix()}\0{path.stat().st_size}\0".encode())
        total.update(path.read_bytes())
    return f"sha256:{total.hexdigest()}"


def every_file(root: Path) -> Iterator[str]:
    """Yield the files below a folder, without what was built there, and without hidden files of programs."""
    for folder, inside, names in os.walk(root):
        built = {*_list_built(root, folder)}
        inside[:] = [name for name in inside if name not in built and not is_editors_own(name)]
        yield from ((Path(folder) / name).relative_to(root).as_posix() for name in names if not is_editors_own(name))


def digest_folder(root: Path, without: str = "") -> str:
    """Return a fingerprint of every file of a folder of sources but those of one name: its path and its bytes."""
    total = hashlib.sha256()
    for name in sorted(every_file(root)):
        if without and name.endswith(f"/{without}"):
            continue
        with suppress(OSError):  # it has gone since; or whoever reads it says why it cannot be read
            octets = (root / name).read_bytes()
            total.update(f"{name}\0{len(octets)}\0".encode())
            total.update(octets)
    return total.hexdigest()
