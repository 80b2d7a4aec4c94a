"""Pieces of long runs, measured once and read when the run goes on; and the nets that a receipt rests on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from engine.players.policy import WEIGHTS_FOLDER
from lab.survey.jit import ENGINE, fingerprint_engine_files
from rulebook.io.files import replace_file
from rulebook.receipts import fingerprint_file

BUILD = ENGINE.parent / "build"


def keep_measured(folder: Path, key: str, measure: Callable[[], Any]) -> Any:
    """Measure, or read what was measured before under the same key by the same engine."""
    place = folder / f"{sha256(f'{fingerprint_engine_files()} {key}'.encode()).hexdigest()[:16]}.json"
    if not place.is_file():
        replace_file(place, json.dumps(measure()))
    return json.loads(place.read_text(encoding="utf-8"))


def fingerprint_nets(sources: Iterable[str]) -> dict[str, str]:
    """Return the fingerprints of the nets by which these sources are played; a source without one is left out."""
    found = {one: fingerprint_file(WEIGHTS_FOLDER / f"{one}.json") for one in sources}
    return {one: mark for one, mark in found.items() if mark}
