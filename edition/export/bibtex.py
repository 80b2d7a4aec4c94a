"""Export references in BibTeX: the edition, all that is cited of it, literature."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from edition.citation.formats import format_bibtex
from edition.citation.model import CitationContext, EditionCitation, all_cited
from edition.citation.places import find_places
from edition.citation.urls import Addresses
from edition.corpus.corpus import Corpus
from edition.export.file import QUOTES_NONE, ExportFile
from rulebook.phrases import join_names

_LITERATURE_FILE = "bibliography.bib"
_UNCITED_KINDS = frozenset({"cell"})  #: a question is cited as a whole; each answer by itself would be as many again


def make_bibtex_files(corpus: Corpus, base: str = "") -> Iterator[ExportFile]:
    """Yield the file of references, and the bibliography as it is kept."""
    letters = format_bibtex(list_citations(corpus, base)).encode()
    of_game = (kind for kind, lookup in corpus.game.lookups.items() if lookup.heading)
    says = f"the edition, and each {join_names(['source', 'question', 'clause', *of_game])} in it, as a reference"
    yield ExportFile(f"{corpus.file_stem}.bib", letters, says)
    kept = Path(corpus.library.root) / _LITERATURE_FILE
    if corpus.library.root and kept.is_file():
        yield ExportFile(_LITERATURE_FILE, kept.read_bytes(), "the sources and the literature about them", QUOTES_NONE)


def list_citations(corpus: Corpus, base: str = "") -> Iterator[EditionCitation]:
    """Yield everything that has a citation of its own, each once."""
    desk = CitationContext(corpus, corpus.release, Addresses(find_places(corpus), base))
    seen: set[str] = set()
    for _, citations in all_cited(desk):
        for citation in citations:
            if citation.kind not in _UNCITED_KINDS and citation.key not in seen:
                seen.add(citation.key)
                yield citation
