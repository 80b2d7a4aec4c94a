"""The book that one would print: what the sources say and where they differ, with page numbers and indices."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes

from edition.book.contents import (
    build_bibliography_chapter,
    build_descent_chapter,
    build_essay_chapter,
    build_people_chapter,
    compose_book,
)
from edition.book.essays import ESSAYS
from edition.book.indexes import (
    build_lists,
    build_short_glossary,
    build_word_index,
)
from edition.book.nodes import BookContent, build_book_part
from edition.book.questions import build_differing_chapter, build_rest_chapter
from edition.book.readers import drop_lost_references, word_for_readers
from edition.book.sources import source_chapter
from edition.corpus.corpus import Corpus
from edition.game import build_game_chapters


def assemble_short_book(corpus: Corpus) -> BookContent:
    """Assemble the book that one would print."""
    parts = [word_for_readers(one) for one in _build_parts(corpus)]
    drop_lost_references(parts)
    return compose_book(corpus, parts)


def _build_parts(corpus: Corpus) -> Iterator[nodes.section]:
    yield build_book_part(
        "part-reading",
        "Before reading",
        *build_essay_chapter(corpus, ESSAYS / "history.md"),
        *build_essay_chapter(corpus, ESSAYS / "use.md", always=True),
        build_lists(corpus),
    )
    yield from build_game_chapters(corpus, "printed book: before the sources")
    yield build_book_part(
        "part-sources",
        "The sources",
        *(source_chapter(corpus, siglum, hands=False) for siglum in corpus.library.sources),
    )
    yield build_book_part(
        "part-questions", "The questions", *build_differing_chapter(corpus), *build_rest_chapter(corpus)
    )
    yield from build_game_chapters(corpus, "printed book: after the questions")
    yield build_book_part("part-descent", "Descent", *build_descent_chapter(corpus))
    yield build_book_part(
        "part-helps",
        "Words and indices",
        *build_short_glossary(corpus),
        *build_word_index(corpus),
        *build_game_chapters(corpus, "printed book: after the index of words"),
        *build_bibliography_chapter(corpus),
        build_people_chapter(corpus),
    )
