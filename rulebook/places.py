"""Where programs keep what they can make again, and how a file is put in its place. The standard library is enough."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE

READABLE = 0o644  #: what a new file is: ours to write, everybody's to read
LONGEST = 100  #: so many letters of a name the name beside it begins with; no system takes more than 255


def shelf() -> Path:
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
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:LONGEST]}-")
    os.close(handle)
    try:
        yield name
        settle(name)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def settle(name: str) -> None:
    """Have a file on the disk before another gives way to it; else a power cut may leave neither."""
    with open(name, "rb+") as opened:
        os.fsync(opened.fileno())


def replaced(path: Path, letters: str | bytes) -> Path:
    """A file in the place of the old one, all of it or nothing: UTF-8, and line feeds on every machine."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = S_IMODE(path.stat().st_mode) if path.exists() else READABLE
    with whole(path, mode) as name:
        Path(name).write_bytes(letters if isinstance(letters, bytes) else letters.encode("utf-8"))
    return path
