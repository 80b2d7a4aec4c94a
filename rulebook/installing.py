"""The command that installs an extra: one for a clone, another for an installed copy."""

from __future__ import annotations

from pathlib import Path
from typing import Final

DISTRIBUTION: Final = "reversis"  #: which one installs
_ROOT: Final = Path(__file__).resolve().parents[1]


def format_install_command(*extras: str, root: Path = _ROOT) -> str:
    """Return the command that installs extras where this runs; no package index need know the edition for a clone."""
    named = ",".join(extras)
    is_clone = (root / "pyproject.toml").is_file()
    return f'pip install -e ".[{named}]"' if is_clone else f'pip install "{DISTRIBUTION}[{named}]"'
