"""The sources of the edition with a fifth beside them, invented, that contradicts them all."""

from __future__ import annotations

import shutil
from pathlib import Path

from rulebook.load import find_sources

HERE = Path(__file__).resolve().parent / "data" / "fifth"
SIGLUM = "FIF"
#: what is reckoned from all sources, and what only a larger library would need
RECKONED = ("survey", "receipts", "attributions.json", "separating.json")


def with_fifth(folder: Path) -> Path:
    """A copy of all sources, and the fifth among them; the folder of sources."""
    root = folder / "sources"
    shutil.copytree(find_sources(), root, ignore=shutil.ignore_patterns(*RECKONED))
    shutil.copytree(HERE / SIGLUM, root / SIGLUM)
    return root


def small(folder: Path) -> Path:
    """The fifth beside one other source: enough for its pages."""
    root, ours = folder / "sources", find_sources()
    shutil.copytree(ours / "questions", root / "questions")
    shutil.copytree(ours / "PAR", root / "PAR", ignore=shutil.ignore_patterns("deals", "coding*", "settled*"))
    shutil.copytree(HERE / SIGLUM, root / SIGLUM)
    for name in ("spelling.yaml", "bibliography.bib"):
        shutil.copy(ours / name, root / name)
    return root
