"""Programs that prove things about the edition, and the receipts they leave."""

from __future__ import annotations

import sys
from types import TracebackType

from rulebook.installing import format_install_command

_SURVEY_MODULES = frozenset({"numpy", "numba", "llvmlite", "pyarrow"})


def report_missing_survey(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
    """Report in one line that the survey's extra is not installed; anything else as Python does."""
    if isinstance(fault, ModuleNotFoundError) and fault.name in _SURVEY_MODULES:
        install = format_install_command("survey")
        sys.stderr.write(f"Error: This proof needs {fault.name}, which is not installed: {install}\n")
    else:
        sys.__excepthook__(kind, fault, trace)


if sys.argv[:1] == ["-m"]:  # run as a program, of which the imports may fail before it can say anything itself
    sys.excepthook = report_missing_survey
