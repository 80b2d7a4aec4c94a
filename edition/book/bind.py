"""The book as a file: what is needed to make it, where it lies, and how it gets there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from edition.book.contents import book
from edition.book.epub import epub
from edition.book.nodes import Book
from edition.book.pdf import EXTRA, pdf
from edition.corpus.corpus import Corpus
from rulebook.io.files import replaced

MAKERS: Mapping[str, Callable[[Book], bytes]] = {"pdf": pdf, "epub": epub}

#: what a form needs that need not be installed -> what to do about it
NEEDS: Mapping[str, tuple[str, str]] = {"pdf": ("typst", EXTRA)}


def lacking(form: str) -> str:
    """What is missing to make a form, and how to get it; nothing if all is there."""
    package, way_out = NEEDS.get(form, ("", ""))
    return way_out if package and find_spec(package) is None else ""


def bind(corpus: Corpus, form: str, folder: Path) -> Path:
    """Make the book in one form and put it into a folder. Raises Unbound; then what lay there is still there."""
    made = MAKERS[form](book(corpus))
    return replaced(folder / f"reversis.{form}", made)
