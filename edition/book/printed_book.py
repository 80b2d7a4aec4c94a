"""The book that one would print: what the sources say and where they differ, with page numbers and indices."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes

from edition.book.contents import (
    build_bibliography_chapter,
    build_essay_chapter,
    build_people_chapter,
    compose_book,
)
from edition.book.essays import ESSAYS
from edition.book.indexes import (
    build_amount_index,
    build_card_index,
    build_lists,
    build_short_glossary,
    build_word_index,
)
from edition.book.nodes import BookContent, build_book_chapter, build_book_part
from edition.book.questions import build_differing_chapter, build_rest_chapter
from edition.book.readers import drop_lost_references, word_for_readers
from edition.book.sources import source_chapter
from edition.corpus.corpus import Corpus
from edition.nodes.builders import para
from edition.settings import PAGES
from edition.views.questions.matrix_views import matrix_view
from reversis.book.deals import build_short_deal, choose_deals
from reversis.book.rules import build_rules_chapter


def assemble_short_book(corpus: Corpus) -> BookContent:
    """Assemble the book that one would print."""
    parts = [word_for_readers(one) for one in _build_parts(corpus)]
    drop_lost_references(parts)
    return compose_book(corpus, parts, whole=False)


def _build_parts(corpus: Corpus) -> Iterator[nodes.section]:
    best = choose_deals(corpus)
    chosen = [one.id for one in corpus.deals if one.id in best]
    yield build_book_part(
        "part-reading",
        "Before reading",
        *build_essay_chapter(corpus, ESSAYS / "history.md"),
        *build_essay_chapter(corpus, ESSAYS / "use.md", always=True),
        build_lists(corpus, chosen),
    )
    yield build_book_part("part-rules", "The rules", *build_rules_chapter(corpus))
    yield build_book_part(
        "part-sources",
        "The sources",
        *(source_chapter(corpus, siglum, hands=False) for siglum in corpus.library.sources),
    )
    yield build_book_part(
        "part-questions", "The questions", *build_differing_chapter(corpus), *build_rest_chapter(corpus)
    )
    yield build_book_part("part-deals", "Deals", *_build_deal_chapter(corpus, chosen))
    yield build_book_part("part-descent", "Descent", *build_essay_chapter(corpus, PAGES / "descent.md"))
    yield build_book_part(
        "part-helps",
        "Words and indices",
        *build_short_glossary(corpus),
        *build_word_index(corpus),
        *build_card_index(corpus, chosen),
        *build_amount_index(corpus),
        *build_bibliography_chapter(corpus),
        build_people_chapter(corpus),
    )


def _build_deal_chapter(corpus: Corpus, chosen: list[str]) -> Iterator[nodes.section]:
    if chosen:
        differing = frozenset(row.question.id for row in matrix_view(corpus).rows if row.kind == "differ")
        made = (build_short_deal(corpus, name, differing) for name in chosen)
        yield build_book_chapter("deals", "Deals that set the books apart", para(_DEALS_INTRODUCTION), *made)


_DEALS_INTRODUCTION = (
    "Of the example deals these show between them most of the questions on which the books differ. Each has one "
    "ledger for all books: a line says who pays whom, and under every book how much, in its smallest counter. A "
    "dash says that under its rules there is nothing to pay for the event. The last column names the differing "
    "questions on which the payment rests. In a trick the leader’s card is underlined, and that of the player who "
    "takes it is bold."
)
