"""Methods that `dataclasses` writes for our records, compiled beforehand: a browser's Python needs long for them.

They are written as text, class by class, and compiled at each import. The bundle has the code of every such text
(`vendor/pyodide/compile.mjs`); of another text it is made as ever.
"""

from __future__ import annotations

import dataclasses
import marshal
from collections.abc import Mapping
from contextlib import suppress
from types import CodeType
from typing import Any
from zipimport import zipimporter

_FOLDER, _FILE = "reversis/browser", "dataclass_methods.marshal"


def use_compiled_methods(archive: str) -> None:
    """Let `dataclasses` take from an archive what it has compiled; without such a file all stays as it is."""
    with suppress(OSError):
        codes: Mapping[str, CodeType] = marshal.loads(zipimporter(archive).get_data(f"{_FOLDER}/{_FILE}"))
        vars(dataclasses)["exec"] = lambda text, *names: _run_code(codes.get(text, text), *names)


def _run_code(code: str | CodeType, *names: Any) -> None:
    exec(code, *names)
