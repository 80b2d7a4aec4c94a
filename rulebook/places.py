"""Where programs keep on a machine what they can make again. The standard library is enough for it."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def shelf() -> Path:
    """The folder where the user's programs keep what they can make again."""
    home = Path.home()
    places = {
        "win32": ("LOCALAPPDATA", home / "AppData" / "Local"),
        "darwin": ("", home / "Library" / "Caches"),
    }
    variable, otherwise = places.get(sys.platform, ("XDG_CACHE_HOME", home / ".cache"))
    return Path(os.environ.get(variable) or otherwise) / "reversis"
