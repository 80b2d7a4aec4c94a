"""The cached copy of the library in the user's cache directory."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

from rulebook.io.files import atomic_write, cache_folder
from rulebook.model import Library


def read_cached_library(key: str) -> Library | None:
    """Return the copy made from just these files; None if there is none, or none that can be read."""
    try:
        with (cache_folder() / "library.pickle").open("rb") as opened:
            if opened.read(len(key)) != key.encode():
                return None
            library = pickle.load(opened)
    except Exception:  # whatever is wrong with a copy, the files are still there
        return None
    return library if isinstance(library, Library) else None


def write_cached_library(key: str, library: Library) -> None:
    """Write the cached copy, all of it or nothing."""
    cache_folder().mkdir(parents=True, exist_ok=True, mode=0o700)
    with atomic_write(cache_folder() / "library.pickle") as name:
        Path(name).write_bytes(key.encode() + pickle.dumps(replace(library, root="")))
