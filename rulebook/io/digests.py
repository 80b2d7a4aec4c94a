"""Digest over a file that a program writes, which the file carries itself: an edit by hand is noticed.

The digest covers every letter of the file behind it, and so also what the file says of its inputs: the command, the
seed, the fingerprints of the sources and of nets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulebook.problems import Problem

DIGEST_KEY = "digest"
_BEGINNING = f'{{"{DIGEST_KEY}":'


def add_digest(letters: str) -> str:
    """Return the letters of a JSON object with their digest as first entry."""
    rest = letters.removeprefix("{")
    return f'{_BEGINNING}"{_compute_digest(rest)}",{rest}'


def find_broken_digests(paths: Iterable[Path], root: Path, hint: str) -> Iterator[Problem]:
    """Find files that do not carry the digest of what they say."""
    for path in sorted(paths):
        letters = path.read_bytes().decode("utf-8", errors="replace")
        own, _, rest = letters.removeprefix(_BEGINNING).partition(",")
        if own != f'"{_compute_digest(rest)}"' or not letters.startswith(_BEGINNING):
            what = "is not as the program wrote it" if letters.startswith(_BEGINNING) else "carries no digest"
            yield Problem(f"{root.name}/{path.relative_to(root).as_posix()}", 1, 1, what, hint)


def _compute_digest(letters: str) -> str:
    return f"sha256:{hashlib.sha256(letters.encode()).hexdigest()}"
