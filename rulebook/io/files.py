"""Where programs keep what they can make again, and how a file is put in its place. The standard library is enough."""

from __future__ import annotations

import glob
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, wraps
from pathlib import Path
from stat import S_IMODE
from typing import TypeAlias, TypeVar, TypeVarTuple

Ts = TypeVarTuple("Ts")
R = TypeVar("R")

READABLE = 0o644  #: what a new file is: ours to write, everybody's to read
LEFT = ".unfinished"  #: ends the name of a file that is being written
A_DAY = 24 * 60 * 60  #: seconds
LONGEST = 100  #: so many letters of a name the name beside it begins with; no system takes more than 255

#: Names that Windows keeps for devices, whatever stands behind a point in them, and in capitals or not.
DEVICES = frozenset(
    {
        "con",
        "prn",
        "aux",
        "nul",
        "conin$",
        "conout$",
        *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"),
    }
)


def is_device(name: str) -> bool:
    """Whether Windows takes a file of this name for a device."""
    return name.partition(".")[0].rstrip().casefold() in DEVICES


#: Folders beside those of the sources; where capitals do not count a source of such a name would lie in one of them.
BESIDE = frozenset({"deals", "questions", "receipts", "releases", "schema", "sessions", "survey"})


def cache_folder() -> Path:
    """The folder where the user's programs keep what they can make again."""
    home = Path.home()
    places = {
        "win32": ("LOCALAPPDATA", home / "AppData" / "Local"),
        "darwin": ("", home / "Library" / "Caches"),
    }
    variable, otherwise = places.get(sys.platform, ("XDG_CACHE_HOME", home / ".cache"))
    return Path(os.environ.get(variable) or otherwise) / "reversis"


@contextmanager
def whole(path: Path, mode: int = 0o600) -> Iterator[str]:
    """A name to write to, beside a file; what is written takes the file's place only when nothing went wrong."""
    sweep_unfinished(path)
    handle, name = tempfile.mkstemp(LEFT, f".{path.name[:LONGEST]}-", path.parent)
    os.close(handle)
    try:
        yield name
        settle(name)
        os.chmod(name, mode)
        os.replace(name, path)
        sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def settle(name: str) -> None:
    """Have a file on the disk before another gives way to it; else a power cut may leave neither."""
    with open(name, "rb+") as opened:
        os.fsync(opened.fileno())


def sync_folder(path: Path) -> None:
    """Have the names in a folder on the disk, where the system can; do nothing for a file."""
    if os.name == "posix" and path.is_dir():
        handle = os.open(path, os.O_RDONLY)
        try:
            with suppress(OSError):  # some file systems do not know this of folders
                os.fsync(handle)
        finally:
            os.close(handle)


def sync_tree(folder: Path) -> None:
    """Have all that lies under a folder on the disk."""
    if sys.platform == "linux":  # where one call waits for everything; elsewhere it would return at once
        os.sync()
        return
    for path in (*folder.rglob("*"), folder):
        if path.is_file():
            settle(str(path))
        sync_folder(path)


def sweep_unfinished(path: Path) -> None:
    """Remove what processes that were killed left while they wrote this file; one that is alive is given a day."""
    for left in path.parent.glob(f"{glob.escape(f'.{path.name[:LONGEST]}-')}????????{LEFT}"):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - A_DAY:
                left.unlink()


def replaced(path: Path, letters: str | bytes) -> Path:
    """A file in the place of the old one, all of it or nothing: UTF-8, and line feeds on every machine."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = S_IMODE(path.stat().st_mode) if path.exists() else READABLE
    with whole(path, mode) as name:
        Path(name).write_bytes(letters if isinstance(letters, bytes) else letters.encode("utf-8"))
    return path


FileReader: TypeAlias = Callable[[Path, *Ts], R]


def read_once(most: int) -> Callable[[FileReader[*Ts, R]], FileReader[*Ts, R]]:
    """Cache what is read from so many files until their time, size or mode changes."""

    def cached(read: FileReader[*Ts, R]) -> FileReader[*Ts, R]:
        @lru_cache(maxsize=most)
        def as_it_stands(_: tuple[int, ...] | None, path: Path, *args: *Ts) -> R:
            return read(path, *args)

        @wraps(read)
        def looked_at(path: Path, /, *args: *Ts) -> R:
            return as_it_stands(state_of(path), path, *args)

        return looked_at

    return cached


def state_of(path: Path) -> tuple[int, ...] | None:
    """Time of the last change, size, and who may read it; None if unknown: reading says why."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_mode
