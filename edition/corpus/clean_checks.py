"""Results of checks that found nothing wrong, kept until a file of the library, the game or the program changes."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rulebook.io.cache import read_cached_copy, write_cached_copy
from rulebook.load import cache_key
from rulebook.program_fingerprint import PROGRAM_LAYERS, program_fingerprint
from rulebook.sources.paths import digest_folder, find_own_sources

if TYPE_CHECKING:
    from edition.corpus.corpus import Corpus  # slow to import, and a check that is remembered needs none

_SUMMARY_FILE = "checked.pickle"


def fingerprint_check(root: Path) -> str:
    """Return a fingerprint of everything that a check reads; empty if part of it cannot be read."""
    with suppress(OSError):
        schemas = digest_folder(find_own_sources() / "schema")  # to which texts are held, whatever folder is read
        parts = (cache_key(root), digest_folder(root), schemas, program_fingerprint())
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return ""


def read_clean_summary(fingerprint: str) -> str:
    """Return what the last check said if it read just this and found nothing wrong; empty otherwise."""
    summary = read_cached_copy(_SUMMARY_FILE, fingerprint) if fingerprint else None
    return summary if isinstance(summary, str) else ""


def write_clean_summary(fingerprint: str, corpus: Corpus, summary: str) -> None:
    """Keep what a check says that found nothing wrong, unless it read more than is in the fingerprint."""
    modules = {place.partition(".")[0] for place in corpus.game.parts.values()}
    if fingerprint and modules <= {*PROGRAM_LAYERS} and fingerprint == fingerprint_check(Path(corpus.library.root)):
        with suppress(OSError):  # a full or locked disk costs time, not the answer
            write_cached_copy(_SUMMARY_FILE, fingerprint, summary)
