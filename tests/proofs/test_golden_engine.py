"""No room of the engine brings out anything else unseen: what is withheld and why, dealt, read, varied, told apart."""

from __future__ import annotations

import json

import pytest

from proofs.golden_engine import GOLDEN_ENGINE_FILE, GOLDEN_GENERATORS, fingerprint_golden_outputs
from rulebook.model import Library


@pytest.mark.release
@pytest.mark.parametrize("room", GOLDEN_GENERATORS)
def test_every_room_brings_out_what_it_did(library: Library, room: str) -> None:
    kept, found = json.loads(GOLDEN_ENGINE_FILE.read_text("utf-8"))[room], fingerprint_golden_outputs(library, room)
    changed = sorted(name for name in {*kept, *found} if kept.get(name) != found.get(name))
    assert changed == [], "look at what has changed; if it is meant, run python -m proofs.golden_engine"


def test_every_room_is_kept() -> None:
    kept = json.loads(GOLDEN_ENGINE_FILE.read_text("utf-8"))
    assert set(kept) == set(GOLDEN_GENERATORS) and all(kept.values())
