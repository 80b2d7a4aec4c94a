"""Opening the book: all of `sources/` at once, or a checked copy from the shelf."""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from rulebook.io.files import shelf, whole
from rulebook.model import Library
from rulebook.problems import Problem
from rulebook.program_fingerprint import code_fingerprint

HERE = Path(__file__).resolve().parent

#: The files of a folder of sources that are read, in this order; worked deals are only listed.
READ = (
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
)
DEALS = ("deals/*.yaml", "*/deals/*.yaml")
TEI_SCHEMA = "schema/reversis-tei.rng"  #: to which texts are held; the one of the program, whatever folder is read
SESSIONS = ("sessions/*.yaml",)  #: worked sessions are listed like worked deals


#: Files by which editors, and the programs that write ours, do their work; they come and go.
EDITORS_OWN = (".*", "*~", "#*#", "*.swp", "*.tmp", "__pycache__")


def editors_own(name: str) -> bool:
    """Whether a file or folder of this name is an editor's own business."""
    return any(fnmatch(name, pattern) for pattern in EDITORS_OWN)


def find_sources() -> Path:
    """The folder of sources: beside the program in a clone, within it once installed."""
    clone = HERE.parent / "sources"
    return clone if (clone / "questions").is_dir() else HERE / "_sources"


def load(root: Path | None = None) -> tuple[Library | None, list[Problem]]:
    """Read and check everything; all problems at once. No library if part of it could not be read."""
    from rulebook.checks import problems_of
    from rulebook.checks.coverage import unaccounted
    from rulebook.sources.reader import (
        assembled,  # the readers take a moment to import, and a copy on the shelf needs none
    )

    root = root or find_sources()
    case, unread = assembled(root)
    if case is None:
        return None, unread
    problems = sorted({*unread, *problems_of(case), *unaccounted(case)})
    if case.lost or any(given.wrong for given in case.givens):
        return None, problems
    return replace(case.library, digest=digest(root), deals=deals(root), sessions=sessions(root)), problems


def files(root: Path, patterns: Iterable[str]) -> list[Path]:
    """The files of these patterns, in one order on every machine."""
    found = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    return sorted(found, key=lambda path: path.relative_to(root).as_posix())


def deals(root: Path) -> tuple[str, ...]:
    """The worked deals, as paths below the root."""
    return tuple(path.relative_to(root).as_posix() for path in files(root, DEALS))


def sessions(root: Path) -> tuple[str, ...]:
    """The worked sessions, as paths below the root."""
    return tuple(path.relative_to(root).as_posix() for path in files(root, SESSIONS))


def digest(root: Path) -> str:
    """A fingerprint of every file that is read: its path and its bytes."""
    total = hashlib.sha256()
    for path in files(root, READ):
        total.update(f"{path.relative_to(root).as_posix()}\0{path.stat().st_size}\0".encode())
        total.update(path.read_bytes())
    return f"sha256:{total.hexdigest()}"


# --- the shelf ------------------------------------------------------------------------------------------


def quick_load(root: Path | None = None) -> tuple[Library | None, list[Problem]]:
    """The same as `load`, from the shelf if nothing has changed since it was put there."""
    root = root or find_sources()
    try:
        key = mark(root)
    except OSError:  # `load` says which file cannot be read
        return load(root)
    library = taken(key)
    if library is not None:
        return replace(library, root=str(root)), []
    library, problems = load(root)
    if library is not None and not problems:
        with suppress(OSError):  # a full or locked disk costs time, not the answer
            put(key, library)
    return library, problems


class NotInOrder(Exception):
    """The sources cannot be read, or something in them is wrong."""


def library(root: Path | None = None) -> Library:
    """The sources, all of them in order. Raises NotInOrder, which tells every problem with its place and way out."""
    found, problems = quick_load(root)
    if found is None or problems:
        raise NotInOrder("\n".join(map(str, problems)))
    return found


def record(library: Library, name: str) -> dict[str, object]:
    """The record of a worked deal by its id, as plain data. KeyError if there is none."""
    from rulebook.io.strict_yaml import read_yaml

    path = next((path for path in library.deals if Path(path).stem == name), None)
    if path is None:
        raise KeyError(name)
    data, _, problems = read_yaml(Path(library.root) / path, path)
    if problems or not isinstance(data, dict):
        raise NotInOrder("\n".join(map(str, problems)))
    return dict(data)


def mark(root: Path) -> str:
    """What must be the same for a copy to be good: the files, their schema, the lists, the program, the Python."""
    schema = find_sources() / TEI_SCHEMA
    held_to = hashlib.sha256(schema.read_bytes()).hexdigest() if schema.is_file() else ""
    parts = (digest(root), held_to, *deals(root), *sessions(root), code_fingerprint("rulebook"), sys.version)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def taken(key: str) -> Library | None:
    """The copy made from just these files; None if there is none, or none that can be read."""
    try:
        with (shelf() / "library.pickle").open("rb") as opened:
            if opened.read(len(key)) != key.encode():
                return None
            library = pickle.load(opened)
    except Exception:  # whatever is wrong with a copy, the files are still there
        return None
    return library if isinstance(library, Library) else None


def put(key: str, library: Library) -> None:
    """Lay a copy on the shelf, all of it or nothing."""
    shelf().mkdir(parents=True, exist_ok=True, mode=0o700)
    with whole(shelf() / "library.pickle") as name:
        Path(name).write_bytes(key.encode() + pickle.dumps(replace(library, root="")))
