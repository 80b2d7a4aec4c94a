"""Folds of a page that are fetched when they are opened."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path


def read_folds(page: Path) -> Mapping[str, str]:
    """Return what a page has left out, by its place, from the script file beside it."""
    words = page.with_suffix(".folds.js").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(words.removeprefix("editionFolds(").removesuffix(");\n"))
    return found
