"""Where the clone lies, and the files that tests compare with."""

from __future__ import annotations

from pathlib import Path

CLONE = Path(__file__).resolve().parents[2]
DATA = CLONE / "tests" / "data"
#: Libraries of something else, by the names of their folders; the second is large.
OTHER_LIBRARIES = {"recipes": CLONE / "tests" / "data" / "recipes", "hearts": CLONE / "examples" / "hearts"}
