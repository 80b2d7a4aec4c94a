"""Read-only files refused to root as well, whom the system refuses nothing."""

from __future__ import annotations

import builtins
import errno
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def refuse_read_only_files(patch: pytest.MonkeyPatch) -> None:
    """Have whatever opens a read-only file for writing fail as it does for anybody but root."""
    opened: Callable[..., Any] = io.open

    def refusing(file: Any, mode: str = "r", *words: Any, **more: Any) -> Any:
        writes = set(mode) & set("wax+") and isinstance(file, str | Path) and Path(file).is_file()
        if writes and not Path(file).stat().st_mode & 0o200:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
        return opened(file, mode, *words, **more)

    for module in (io, builtins):
        patch.setattr(module, "open", refusing)
