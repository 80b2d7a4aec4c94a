"""The book that one would print: what the sources say and where they differ, with page numbers and indices."""

from __future__ import annotations

from edition.book.contents import assemble_book
from edition.book.nodes import BookContent
from edition.corpus.corpus import Corpus


def assemble_short_book(corpus: Corpus) -> BookContent:
    """Assemble the book that one would print."""
    return assemble_book(corpus)
