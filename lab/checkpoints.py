"""Checkpoints of long runs, read when a run goes on; and fingerprints of the nets that a result rests on."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from engine.players.nets import WEIGHTS_FOLDER
from lab.survey.jit import ENGINE, fingerprint_engine_files
from rulebook.io.files import replace_file
from rulebook.receipts import fingerprint_file

BUILD = ENGINE.parent / "build"


def measure_once(folder: Path, key: str, measure: Callable[[], Any]) -> Any:
    """Measure, or read what was measured before under the same key by the same engine."""
    place = folder / f"{sha256(f'{fingerprint_engine_files()} {key}'.encode()).hexdigest()[:16]}.json"
    if not place.is_file():
        replace_file(place, json.dumps(measure()))
    return json.loads(place.read_text(encoding="utf-8"))


def split_deals(deals: range, size: int, what: str) -> Iterator[range]:
    """Split deals into pieces, and write after each how many of *what* are done."""
    for first in range(deals.start, deals.stop, size):
        piece = range(first, min(first + size, deals.stop))
        yield piece
        sys.stderr.write(f"\r{what}: {piece.stop} of {deals.stop} deals")
    sys.stderr.write("\n")


def fingerprint_nets(sources: Iterable[str]) -> dict[str, str]:
    """Return the fingerprints of the nets by which these sources are played; a source without one is left out."""
    fingerprints = {source: fingerprint_file(WEIGHTS_FOLDER / f"{source}.json") for source in sources}
    return {source: fingerprint for source, fingerprint in fingerprints.items() if fingerprint}
