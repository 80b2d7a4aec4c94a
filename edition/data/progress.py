"""Progress of a source: its sentences read, quoted and left.

Apart from drafts.py, which runs in the browser too, where nothing is checked.
"""

from __future__ import annotations

from rulebook.checks.coverage import compute_coverage
from rulebook.model import Library


def format_progress(library: Library, siglum: str) -> str:
    """Describe how far the sentences of a source are: read, quoted, left."""
    account = compute_coverage(library, siglum)
    read = f"{account.total - account.left} read, {account.quoted} of them quoted, {account.left} left"
    what = "sentence" if library.sources[siglum].text else "statement"
    return f"{account.total} {what}{'' if account.total == 1 else 's'}: {read}"
