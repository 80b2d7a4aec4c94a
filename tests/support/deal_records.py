"""The records of the worked deals as plain data, each read once; nothing here knows the engine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rulebook.io.strict_yaml import read_yaml
from rulebook.sources.paths import DEAL_FILE_PATTERNS, find_files, find_sources

ROOT = find_sources()
PATHS = find_files(ROOT, DEAL_FILE_PATTERNS)


@cache
def record(path: Path) -> Mapping[str, Any]:
    """The record of a deal as plain data."""
    raw, _, problems = read_yaml(path, path.relative_to(ROOT).as_posix())
    assert not problems, "\n".join(map(str, problems))
    assert isinstance(raw, dict)
    return raw
