"""Parsed YAML files in the per-user cache directory, found again by their content.

Only files with no fault are cached, so a fault is always found by reading. Nothing is cached unless asked for with
`reuse_parsed_yaml`.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

import yaml

from rulebook.io.cache import read_cached_copy, write_cached_copy
from rulebook.program_fingerprint import code_fingerprint

PARSED_YAML_FILE = "parsed-yaml.pickle"
MAX_CACHED_BYTES = 30_000_000  #: bytes; the sources of the edition take a tenth of it


class ParsedYaml:
    """Parsed files, each a pickle of its own under the fingerprint of its letters."""

    def __init__(self, stored: dict[bytes, bytes]) -> None:
        self.stored = stored
        self.used: dict[bytes, bytes] = {}  #: by this process; what it did not need is the first to go

    def find(self, letters: str) -> Any:
        """Return what was cached for these letters; None if there is nothing."""
        key = _fingerprint_letters(letters)
        entry = self.used.get(key) or self.stored.get(key)
        try:
            parsed = pickle.loads(entry) if entry else None
        except Exception:  # a spoilt entry is as good as none
            return None
        if entry:
            self.used[key] = entry
        return parsed

    def add(self, letters: str, parsed: tuple[object, ...]) -> None:
        """Cache what the letters were parsed to."""
        self.used[_fingerprint_letters(letters)] = pickle.dumps(parsed)

    def select_entries(self) -> dict[bytes, bytes]:
        """Return the entries to write: those used, then the others as far as there is room."""
        left, kept = MAX_CACHED_BYTES, dict[bytes, bytes]()
        for key, entry in {**self.used, **self.stored}.items():
            left -= len(entry)
            if left >= 0:
                kept[key] = entry
        return kept


def _fingerprint_letters(letters: str) -> bytes:
    return hashlib.sha256(letters.encode("utf-8", "surrogatepass")).digest()


#: Where `read_yaml` looks; None: it parses every time.
active_cache: ContextVar[ParsedYaml | None] = ContextVar("active_cache", default=None)


@contextmanager
def reuse_parsed_yaml() -> Iterator[None]:
    """Read YAML files from the cache where their content was parsed before, by this program on this Python."""
    key = _describe_parser()
    cache = ParsedYaml(_read_entries(key))
    token = active_cache.set(cache)
    try:
        yield
    finally:
        active_cache.reset(token)
    if not cache.used.keys() <= cache.stored.keys():
        with suppress(OSError, RuntimeError):  # a full or locked disk, or no home at all, costs time, not the answer
            write_cached_copy(PARSED_YAML_FILE, key, cache.select_entries())


def _describe_parser() -> str:
    """Return a key of the parser: the code that reads, PyYAML, Python. Entries of another are not used."""
    parts = (code_fingerprint("rulebook/io"), yaml.__version__, str(yaml.__with_libyaml__), sys.version)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _read_entries(key: str) -> dict[bytes, bytes]:
    """Return the entries of the file; none where it was written by another program, or cannot be read."""
    entries = read_cached_copy(PARSED_YAML_FILE, key)
    return entries if isinstance(entries, dict) else {}
