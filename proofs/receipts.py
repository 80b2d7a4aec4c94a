"""What a proof leaves behind: its figures, its seed, and the version and sources it holds for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from rulebook import __version__
from rulebook.load import find_sources
from rulebook.model import Library


def receipt(library: Library, proof: str, command: str, figures: Mapping[str, object]) -> dict[str, object]:
    """A receipt: the proof, the command that repeats it, version and fingerprint of the sources, the figures."""
    head = {"schema": 1, "proof": proof, "command": command, "version": __version__, "sources": library.digest}
    return head | dict(figures)


def store(made: Mapping[str, object], folder: Path | None = None) -> Path:
    """Write a receipt where the edition finds it."""
    path = (folder or find_sources() / "receipts") / f"{made['proof']}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(made, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")
    return path
