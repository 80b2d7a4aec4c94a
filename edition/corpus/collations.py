"""Collations of the edition's texts with their witnesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from edition.corpus.corpus import Corpus, cached_on_corpus
from rulebook.witnesses.checks import open_witnesses
from rulebook.witnesses.collate import BORNE_OUT, REFUTED
from rulebook.witnesses.model import Collation


@cached_on_corpus
def read_collations(corpus: Corpus) -> Mapping[str, tuple[Collation, ...]]:
    """Collate every witness: source -> its collations; none for a library without a folder."""
    if not corpus.library.root:
        return {}
    opened, _ = open_witnesses(Path(corpus.library.root), corpus.library)
    collations = [witness.collation for witness in opened]
    return {siglum: tuple(c for c in collations if c.witness.source == siglum) for siglum in corpus.library.sources}


def list_collations(corpus: Corpus) -> Iterator[Collation]:
    """Yield every collation, in the order of the sources."""
    for collations in read_collations(corpus).values():
        yield from collations


def list_refuted(corpus: Corpus) -> tuple[str, ...]:
    """Return the emendations that a witness refutes, since it has what our copy has."""
    ids = (
        id for collation in list_collations(corpus) for id, verdict in collation.verdicts.items() if verdict == REFUTED
    )
    return tuple(dict.fromkeys(ids))


def list_supporters(corpus: Corpus, emendation: str) -> tuple[str, ...]:
    """Return the witnesses that bear out an emendation."""
    return tuple(
        collation.witness.siglum
        for collation in list_collations(corpus)
        if collation.verdicts.get(emendation) == BORNE_OUT
    )
