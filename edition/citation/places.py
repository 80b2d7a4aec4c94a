"""The page of everything that can be cited, known before any page is built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from edition.corpus.corpus import Corpus
from edition.corpus.limits import MAX_PAIRED_SOURCES
from rulebook.strings import slugify_text


class EditionPlace(NamedTuple):
    """Page and anchor at which something is shown, and its title."""

    page: str
    anchor: str
    title: str


#: Any two of these have had an address, which goes on however many sources there are.
_ONCE_PAIRED = ("ACA", "GER", "HOY", "MEY", "PAM", "PAR", "PIE")


def source_pairs(corpus: Corpus) -> tuple[tuple[str, str], ...]:
    """Return every two sources that are counted against each other: none where there are too many sources for that."""
    sigla = tuple(corpus.library.sources)
    return tuple(combinations(sigla, 2)) if len(sigla) <= MAX_PAIRED_SOURCES else ()


def addressed_pairs(corpus: Corpus) -> tuple[tuple[str, str], ...]:
    """Return every two sources that have an address together: those counted against each other, or once counted."""
    once = combinations([siglum for siglum in _ONCE_PAIRED if siglum in corpus.library.sources], 2)
    return tuple(sorted({*source_pairs(corpus), *once}))


def topic_slug(group: str) -> str:
    """Return the part of an address that names the topic of a group of questions."""
    return slugify_text(group)


def topic_page(group: str) -> str:
    """Return the page of the topic of a group of questions; `link("group", group)` leads there."""
    return f"topics/{topic_slug(group)}"


def format_pair_fragment(first: str, second: str) -> str:
    """Return the fragment by which the page of all answers shows where two sources differ."""
    return f"sources={first},{second}&agreement=differ"


def find_places(corpus: Corpus) -> Mapping[tuple[str, str], EditionPlace]:
    """Return the place of all that is cited, by kind and id."""
    return dict(each_place(corpus))


def each_place(corpus: Corpus) -> Iterator[tuple[tuple[str, str], EditionPlace]]:
    """Yield each thing with its place, as `edition.site.stubs` lays the pages out."""
    library = corpus.library
    for siglum, source in library.sources.items():
        for kind, folder in (("source", "sources"), ("clauses", "clauses")):
            yield (kind, siglum), EditionPlace(f"{folder}/{siglum}", "", source.title)
        for clause in source.clauses:
            yield ("clause", clause.id), EditionPlace(f"clauses/{siglum}", clause.id, clause.id)
    for question in library.questions.values():
        yield ("question", question.id), EditionPlace(f"questions/{question.id}", question.id, question.asks)
        for siglum in library.sources:
            yield ("cell", f"{question.id}@{siglum}"), EditionPlace(f"questions/{question.id}", siglum, question.asks)
    for group in dict.fromkeys(question.group for question in library.questions.values()):
        topic = corpus.telling.topics.get(group)
        yield ("group", group), EditionPlace(topic_page(group), "", topic.title if topic else group)
    for first, second in addressed_pairs(corpus):
        fragment = format_pair_fragment(first, second)
        yield ("pair", f"{first}-{second}"), EditionPlace("answers", fragment, f"{first} and {second}")
    for lookup in corpus.game.lookups.values():
        yield from ((thing, EditionPlace(*place)) for thing, place in lookup.places(corpus))
