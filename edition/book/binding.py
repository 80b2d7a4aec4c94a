"""The book as files: where they lie, and how they get there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from edition.book.epub import epub
from edition.book.leaves import Book
from edition.book.matter import book
from edition.book.pdf import EXTRA, Unbound, pdf
from edition.shelf import Shelf

MAKERS: Mapping[str, Callable[[Book], bytes]] = {"pdf": pdf, "epub": epub}


#: what a form needs that need not be installed -> what to do about it
NEEDS: Mapping[str, tuple[str, str]] = {"pdf": ("typst", EXTRA)}


def lacking(form: str) -> str:
    """What is missing to make a form, and how to get it; nothing if all is there."""
    package, way_out = NEEDS.get(form, ("", ""))
    return way_out if package and find_spec(package) is None else ""


def bind(shelf: Shelf, form: str, folder: Path) -> Path:
    """Make the book in one form and put it into a folder. Raises Unbound; then what lay there is still there."""
    made = MAKERS[form](book(shelf))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"reversis.{form}"
    replace(path, made)
    return path


def replace(path: Path, made: bytes) -> None:
    """A new file in the place of the old; never half of one."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(made)
        fresh.chmod(0o644)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


__all__ = ["MAKERS", "Unbound", "bind", "lacking"]
