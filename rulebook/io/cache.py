"""Cached copies in the user's cache directory of what takes long to make, each under a key that says from what.

To unpickle is to run: a directory in which others can write is not used.
"""

from __future__ import annotations

import hmac
import pickle
import secrets
from dataclasses import replace
from pathlib import Path

from rulebook.io.files import atomic_write, cache_folder, make_private_folder, require_private_folder
from rulebook.model import Library

_LIBRARY_FILE = "library.pickle"
_KEY_FILE, _KEY_BYTES = "key", 32  #: made once for each user, and known to nobody else


def read_cached_copy(file: str, key: str) -> object:
    """Return the copy that was made from just this; None if there is none, or none that can be read."""
    try:
        with (require_private_folder(cache_folder()) / file).open("rb") as opened:
            return pickle.load(opened) if opened.read(len(key)) == key.encode() else None
    except Exception:  # whatever is wrong with a copy, it is made again
        return None


def write_cached_copy(file: str, key: str, value: object) -> None:
    """Write the cached copy, all of it or nothing. Raises OSError."""
    with atomic_write(make_private_folder(cache_folder()) / file) as name:
        Path(name).write_bytes(key.encode() + pickle.dumps(value))


def sign(letters: bytes) -> str:
    """Return what nobody else can write of these letters. Raises OSError."""
    path = make_private_folder(cache_folder()) / _KEY_FILE
    if not path.is_file() or path.stat().st_size != _KEY_BYTES:
        with atomic_write(path) as name:
            Path(name).write_bytes(secrets.token_bytes(_KEY_BYTES))
    return hmac.digest(path.read_bytes(), letters, "sha256").hex()


def read_cached_library(key: str) -> Library | None:
    """Return the library made from just these files; None if there is none, or none that can be read."""
    library = read_cached_copy(_LIBRARY_FILE, key)
    return library if isinstance(library, Library) else None


def write_cached_library(key: str, library: Library) -> None:
    """Write the cached library. Raises OSError."""
    write_cached_copy(_LIBRARY_FILE, key, replace(library, root=""))
