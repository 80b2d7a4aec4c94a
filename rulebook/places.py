"""Where programs keep what they can make again, and how a file is put in its place. The standard library is enough."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


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
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    os.close(handle)
    try:
        yield name
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
