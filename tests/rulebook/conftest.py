"""The invented library, for every test of the rulebook that changes something in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.library import write_library


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_library(tmp_path)
