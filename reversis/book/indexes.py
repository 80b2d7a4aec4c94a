"""Indices of cards and amounts in the printed book."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from docutils import nodes

from edition.book.nodes import build_book_chapter, build_index, build_page_numbers
from edition.corpus.corpus import Corpus
from edition.nodes.builders import block, heading, para, span, strong
from reversis.views.indexes import (
    AmountsView,
    CardView,
    QuotedAmount,
    amounts_view,
    cards_view,
    in_languages,
)


def build_card_index(corpus: Corpus, deals: Collection[str]) -> Iterator[nodes.section]:
    """Every card with the pages of the sentences, questions and deals of the book that name it."""
    if view := cards_view(corpus):
        made = build_index(block(*_format_card(one, deals)) for one in view)
        yield build_book_chapter("index-cards", "Index of cards", made)


def _format_card(one: CardView, deals: Collection[str]) -> Iterator[nodes.paragraph]:
    called = in_languages(one.called)
    yield para(strong(one.name), *([" (", *called, ")"] if called else []))
    for kind, label, found in (
        ("sentence", "In the sources", [locus for _, loci in one.sentences for locus in loci]),
        ("question", "Questions", [asked.id for asked in one.questions]),
        ("deal", "Deals", [each for each in one.deals if each in deals]),
    ):
        if found:
            yield para(f"{label} ", build_page_numbers((kind, each) for each in found))


def build_amount_index(corpus: Corpus) -> Iterator[nodes.section]:
    """Every number that a source gives, with what it is for and its page."""
    content = [piece for view in amounts_view(corpus) for piece in (heading(3, view.title), *_format_amounts(view))]
    if content:
        yield build_book_chapter("index-amounts", "Index of amounts", para(_AMOUNTS_INTRODUCTION), build_index(content))


_AMOUNTS_INTRODUCTION = (
    "Behind a number stand what it is for, the books that have it, and the page of the question that it answers, of "
    "the note in which an option has it, or of the sentence that names it."
)


def _format_amounts(view: AmountsView) -> Iterator[nodes.paragraph]:
    for number, cells in view.rows:
        places: dict[str, list[QuotedAmount]] = {}
        for one in (one for cell in cells for one in cell):
            places.setdefault(one.what, []).append(one)
        for what, found in places.items():
            sigla = " ".join(dict.fromkeys(one.siglum for one in found))
            refs = build_page_numbers(_find_place(one) for one in found)
            yield para(
                strong(str(number)), f" {what.removeprefix('printed: ')} ", span(sigla, cls="rv-siglum"), " ", refs
            )


def _find_place(one: QuotedAmount) -> tuple[str, str]:
    """The place of a number: for that of an option the note in which it stands, for the question has another answer."""
    return ("alternative", one.option) if one.option else (one.kind_of_ref, one.ref)
