"""The book as a file: what is needed to make it, where it lies, and how it gets there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from edition.book.contents import assemble_book
from edition.book.epub import render_epub
from edition.book.nodes import BookContent
from edition.book.pdf import PDF_EXTRA_HINT, render_pdf
from edition.corpus.corpus import Corpus
from rulebook.io.files import replace_file

BOOK_RENDERERS: Mapping[str, Callable[[BookContent], bytes]] = {"pdf": render_pdf, "epub": render_epub}


def explain_missing_extra(form: str) -> str:
    """Missing extra of a format, and how to install it; empty if nothing is missing."""
    return PDF_EXTRA_HINT if form == "pdf" and find_spec("typst") is None else ""


def bind_book(corpus: Corpus, form: str, folder: Path) -> Path:
    """Render the book in one format and write it into a folder.

    Raises Unbound; then what lay there is still there.
    """
    made = BOOK_RENDERERS[form](assemble_book(corpus))
    return replace_file(folder / f"reversis.{form}", made)
