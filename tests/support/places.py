"""Where the clone lies, and the files that tests compare with."""

from __future__ import annotations

from pathlib import Path

CLONE = Path(__file__).resolve().parents[2]
DATA = CLONE / "tests" / "data"
