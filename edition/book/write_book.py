"""The book as a file: what is needed to make it, where it lies, and how it gets there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from edition.book.epub import render_epub
from edition.book.nodes import BookContent
from edition.book.pdf import PDF_EXTRA_HINT, PDF_PACKAGES, render_pdf
from edition.book.printed_book import assemble_short_book
from edition.book.whole_book import assemble_book
from edition.corpus.corpus import Corpus
from rulebook.io.files import replace_file

#: Form of the book -> what assembles its content, and what renders it.
BOOK_FORMS: Mapping[str, tuple[Callable[[Corpus], BookContent], Callable[[BookContent], bytes]]] = {
    "pdf": (assemble_short_book, render_pdf),
    "epub": (assemble_book, render_epub),
}


def explain_missing_extra(form: str) -> str:
    """Missing extra of a format, and how to install it; empty if nothing is missing."""
    missing = form == "pdf" and not all(map(find_spec, PDF_PACKAGES))
    return PDF_EXTRA_HINT if missing else ""


def bind_book(corpus: Corpus, form: str, folder: Path) -> Path:
    """Render the book in one form and write it into a folder.

    Raises Unbound; then what lay there is still there.
    """
    assemble, render = BOOK_FORMS[form]
    return replace_file(folder / f"{corpus.file_stem}.{form}", render(assemble(corpus)))
