"""History of the texts and of the game, as the files beside the library have it."""

from __future__ import annotations

from pathlib import Path

from edition.corpus.corpus import Corpus, cached_on_corpus
from rulebook.history.attestations import read_attestations
from rulebook.history.stemma import EMPTY_STEMMA, Stemma, read_stemma
from rulebook.schema.history_records import AttestationRecord


@cached_on_corpus
def get_stemma(corpus: Corpus) -> Stemma:
    """Return who copied whom; nothing for a library without a folder."""
    root = corpus.library.root
    return read_stemma(Path(root), corpus.library)[0] if root else EMPTY_STEMMA


@cached_on_corpus
def get_attestations(corpus: Corpus) -> tuple[AttestationRecord, ...]:
    """Return dated mentions of the game, the earliest first; none for a library without a folder."""
    root = corpus.library.root
    return read_attestations(Path(root), corpus.library)[0] if root else ()
