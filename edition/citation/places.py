"""The page of everything that can be cited, known before any page is built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from edition.corpus.corpus import Corpus
from edition.data.limits import PAIRED


class Place(NamedTuple):
    """Where something is shown, and what it is called."""

    page: str
    anchor: str
    title: str


def source_pairs(corpus: Corpus) -> tuple[tuple[str, str], ...]:
    """Return every two sources that have a page of their own: none where there are too many sources for that."""
    sigla = tuple(corpus.library.sources)
    return tuple(combinations(sigla, 2)) if len(sigla) <= PAIRED else ()


def find_places(corpus: Corpus) -> Mapping[tuple[str, str], Place]:
    """Return the place of all that is cited, by kind and id."""
    return dict(each_place(corpus))


def each_place(corpus: Corpus) -> Iterator[tuple[tuple[str, str], Place]]:
    """Yield each thing with its place, as `edition.site.stubs` lays the pages out."""
    library = corpus.library
    for siglum, source in library.sources.items():
        for kind, folder in (("source", "sources"), ("howto", "howto"), ("clauses", "clauses")):
            yield (kind, siglum), Place(f"{folder}/{siglum}", "", source.title)
        for clause in source.clauses:
            yield ("clause", clause.id), Place(f"clauses/{siglum}", clause.id, clause.id)
    for question in library.questions.values():
        yield ("question", question.id), Place(f"questions/{question.id}", question.id, question.asks)
        for siglum in library.sources:
            yield ("cell", f"{question.id}@{siglum}"), Place(f"questions/{question.id}", siglum, question.asks)
    for first, second in source_pairs(corpus):
        yield ("pair", f"{first}-{second}"), Place(f"pairs/{first}-{second}", "", f"{first} and {second}")
    for deal in corpus.deals:
        yield ("deal", deal.id), Place(f"deals/{deal.id}", "", deal.title)
