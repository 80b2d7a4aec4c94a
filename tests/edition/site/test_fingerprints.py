"""Traces of settlements are kept for every source of which no word has changed, and made again for the others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from edition.corpus.corpus import Corpus
from edition.export.execution_trace import export_traces, known_traces
from edition.site.fingerprints import cache_results, fingerprint_edition, restore_results
from rulebook.model import Library


@pytest.fixture(scope="module")
def kept(corpus: Corpus) -> dict[str, Any]:
    first, found = replace(corpus), dict[str, Any]()
    list(export_traces(first))
    cache_results(first, fingerprint_edition(first), found)
    return found


def restore(corpus: Corpus, kept: dict[str, Any]) -> Corpus:
    later = replace(corpus)
    restore_results(later, fingerprint_edition(later), kept)
    return later


def reword(library: Library, siglum: str, letters: bytes) -> tuple[Library, str]:
    """A library in which one reason of a source, which stands in these letters, has a word more; its clause's id."""
    source = library.sources[siglum]
    told = next(one for one in source.clauses if one.because and f'"{one.id}"'.encode() in letters)
    clauses = tuple(replace(one, because=f"{one.because} indeed") if one is told else one for one in source.clauses)
    sources = {**library.sources, siglum: replace(source, clauses=clauses)}
    return replace(library, sources=sources), told.id


def test_nothing_is_made_again_where_nothing_has_changed(corpus: Corpus, kept: dict[str, Any]) -> None:
    assert set(known_traces(restore(corpus, kept))) == {*corpus.library.sources}


@pytest.mark.parametrize("siglum", ["ACA", "GER"])
def test_the_traces_of_a_source_are_made_again_with_its_words(
    corpus: Corpus, kept: dict[str, Any], siglum: str
) -> None:
    before = {one.path: one.letters for one in export_traces(corpus)}
    library, clause = reword(corpus.library, siglum, b"".join(before.values()))
    reworded = replace(corpus, library=library)
    later = restore(reworded, kept)
    assert siglum not in known_traces(later) and len(known_traces(later)) > 2
    found = {one.path: one.letters for one in export_traces(later)}
    assert found == {one.path: one.letters for one in export_traces(replace(reworded))}
    changed = {path for path in found if found[path] != before[path]}
    assert changed and all(clause.encode() in found[path] for path in changed)


def test_no_trace_is_kept_when_a_deal_changes(corpus: Corpus, kept: dict[str, Any]) -> None:
    state = fingerprint_edition(corpus)
    later = replace(corpus)
    restore_results(later, replace(state, parts={**state.parts, "deals": "another"}), kept)
    assert not known_traces(later)
