"""The edition and all that is cited of it as references, and the literature that it names: BibTeX."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from edition.citation.formats import bibtex
from edition.citation.model import Cited, Desk, all_cited
from edition.citation.places import find_places
from edition.citation.urls import Addresses
from edition.corpus.corpus import Corpus
from edition.export.file import NOBODY, Made

LITERATURE = "bibliography.bib"
APART = frozenset({"cell"})  #: a question is cited as a whole; each answer by itself would be as many again


def made(corpus: Corpus, base: str = "") -> Iterator[Made]:
    """The file of references, and the bibliography as it is kept."""
    letters = bibtex(cited(corpus, base)).encode()
    yield Made("reversis.bib", letters, "the edition, and each source, question, clause and deal in it, as a reference")
    kept = Path(corpus.library.root) / LITERATURE
    if corpus.library.root and kept.is_file():
        yield Made(LITERATURE, kept.read_bytes(), "the sources and the literature about them", NOBODY)


def cited(corpus: Corpus, base: str = "") -> Iterator[Cited]:
    """Everything that has a citation of its own, each once."""
    desk = Desk(corpus, corpus.release, Addresses(find_places(corpus), base))
    seen: set[str] = set()
    for _, found in all_cited(desk):
        for one in found:
            if one.kind not in APART and one.key not in seen:
                seen.add(one.key)
                yield one
