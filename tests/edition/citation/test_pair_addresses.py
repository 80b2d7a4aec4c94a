"""Addresses of pairs go on however many sources there are."""

from __future__ import annotations

from dataclasses import replace

from edition.citation.places import find_places, source_pairs
from edition.corpus.corpus import Corpus
from edition.corpus.limits import MAX_PAIRED_SOURCES
from edition.site.moved import follow_move, list_moved_pages


def test_no_address_of_two_sources_vanishes_when_there_are_nine(corpus: Corpus) -> None:
    sources = {**corpus.library.sources}
    for siglum in ("XXA", "XXB"):
        sources[siglum] = replace(sources["PAM"], siglum=siglum)
    assert len(sources) > MAX_PAIRED_SOURCES
    more = replace(corpus, library=replace(corpus.library, sources=sources))
    assert source_pairs(corpus) and not source_pairs(more)
    before, after = list_moved_pages(corpus), list_moved_pages(more)
    assert before.items() <= after.items() and sum(page.startswith("pairs/") for page in after) == 21
    pairs = {place: where for place, where in find_places(corpus).items() if place[0] == "pair"}
    assert pairs and pairs.items() <= find_places(more).items()
    assert follow_move("pairs/ACA-GER", "", after, {}) == ("answers", "sources=ACA,GER&agreement=differ")
