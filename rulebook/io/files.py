"""Cache directory, and atomic replacement of files; standard library only."""

from __future__ import annotations

import errno
import glob
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, wraps
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISLNK, S_IWGRP, S_IWOTH
from typing import TypeAlias, TypeVar, TypeVarTuple

Ts = TypeVarTuple("Ts")
_R = TypeVar("_R")

_NEW_FILE_MODE = 0o644  #: what a new file is: ours to write, everybody's to read
_UNFINISHED_SUFFIX = ".unfinished"  #: ends the name of a file that is being written
_JUNCTION = 0xA0000003  #: how Windows marks a folder that leads elsewhere
SECONDS_PER_DAY = 24 * 60 * 60  #: seconds
MAX_NAME_PREFIX = 100  #: so many letters of a name the name beside it begins with; no system takes more than 255

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
    """Return whether Windows takes a file of this name for a device."""
    return name.partition(".")[0].rstrip().casefold() in DEVICES


BUILD_FOLDER = "build"  #: where pages and books go; in a library it is no part of it
#: Folders beside those of the sources; where capitals do not count a source of such a name would lie in one of them.
RESERVED_FOLDERS = frozenset(
    {BUILD_FOLDER, "deals", "questions", "receipts", "releases", "schema", "sessions", "survey"}
)


def cache_folder() -> Path:
    """Return the per-user cache directory; a relative one would lie in whatever folder one happens to be in."""
    home = Path.home()
    places = {"win32": ("LOCALAPPDATA", home / "AppData" / "Local"), "darwin": ("", home / "Library" / "Caches")}
    variable, otherwise = places.get(sys.platform, ("XDG_CACHE_HOME", home / ".cache"))
    named = os.environ.get(variable, "")
    return (Path(named) if os.path.isabs(named) else otherwise) / "reversis"


def make_private_folder(folder: Path) -> Path:
    """Make a folder for what is run or unpickled, and return it. Raises OSError if others can write there."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
    return require_private_folder(folder)


def require_private_folder(folder: Path) -> Path:
    """Return a folder of the user's own in which nobody else can write; raise OSError if it is another.

    On Windows the folder is in the user's profile, which is closed to others; there it only must not lead elsewhere.
    """
    status = folder.lstat()
    is_own = os.name != "posix" or (status.st_uid == os.geteuid() and not status.st_mode & (S_IWGRP | S_IWOTH))
    if not (folder.is_absolute() and S_ISDIR(status.st_mode) and is_own) or is_link(folder):
        raise PermissionError(errno.EACCES, "is not yours alone", str(folder))
    return folder


# ---- links
def is_link(path: str | Path) -> bool:
    """Return whether a name leads elsewhere: a symbolic link, or a junction on Windows."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION


def refuse_links(folder: Path, path: str) -> None:
    """Raise OSError if a path below a folder leads through a link: what is written there would lie elsewhere."""
    for part in (folder / path, *(folder / path).parents):
        if part == folder:
            return
        if is_link(part):
            raise OSError(
                errno.ELOOP, "is a link, and nothing is written through it: put the file itself there", str(part)
            )


def discard(path: Path) -> None:
    """Remove a file, a link or a folder with all that is in it, as far as that can be done."""
    if path.is_dir() and not is_link(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        with suppress(OSError):
            path.unlink()


# ---- writing
@contextmanager
def atomic_write(path: Path, mode: int = 0o600) -> Iterator[str]:
    """Yield a name beside *path* to write to; it replaces *path* only on success."""
    sweep_unfinished(path)
    handle, name = tempfile.mkstemp(_UNFINISHED_SUFFIX, f".{path.name[:MAX_NAME_PREFIX]}-", path.parent)
    os.close(handle)
    try:
        yield name
        sync_file(name)
        os.chmod(name, mode)
        os.replace(name, path)
        sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def sync_file(name: str) -> None:
    """Flush a file to the disk before another gives way to it: a power cut may leave neither."""
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
            sync_file(str(path))
        sync_folder(path)


def sweep_unfinished(path: Path) -> None:
    """Remove what processes that were killed left while they wrote this file; one that is alive is given a day."""
    for left in path.parent.glob(f"{glob.escape(f'.{path.name[:MAX_NAME_PREFIX]}-')}????????{_UNFINISHED_SUFFIX}"):
        with suppress(OSError):
            if left.stat().st_mtime < time.time() - SECONDS_PER_DAY:
                left.unlink()


def replace_file(path: Path, letters: str | bytes) -> Path:
    """Replace a file, all of it or nothing, in UTF-8 with line feeds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = S_IMODE(path.stat().st_mode) if path.exists() else _NEW_FILE_MODE
    with atomic_write(path, mode) as name:
        Path(name).write_bytes(letters if isinstance(letters, bytes) else letters.encode("utf-8"))
    return path


FileReader: TypeAlias = Callable[[Path, *Ts], _R]


def read_once(most: int) -> Callable[[FileReader[*Ts, _R]], FileReader[*Ts, _R]]:
    """Cache what is read from files until their time, size or mode changes."""

    def cached(read: FileReader[*Ts, _R]) -> FileReader[*Ts, _R]:
        @lru_cache(maxsize=most)
        def as_it_stands(_: tuple[int, ...] | None, path: Path, *args: *Ts) -> _R:
            return read(path, *args)

        @wraps(read)
        def looked_at(path: Path, /, *args: *Ts) -> _R:
            return as_it_stands(_file_state(path), path, *args)

        return looked_at

    return cached


def _file_state(path: Path) -> tuple[int, ...] | None:
    """Time of the last change, size, and who may read it; None if unknown: reading says why."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_mode
