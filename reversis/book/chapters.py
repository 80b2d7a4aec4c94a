"""Chapters of Reversis in the book: rules, deals, what differences cost, indices of cards and amounts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from docutils import nodes

from edition.book.nodes import (
    build_book_chapter,
    build_book_part,
    build_index,
    build_page_list,
    build_page_numbers,
    drop_screen_nodes,
)
from edition.corpus.corpus import Corpus
from edition.nodes.builders import add_anchor, block, heading, link, para, section, span, strong, table
from edition.views.common import classify_agreement
from reversis.book.deals import build_short_deal, choose_deals, deal_chapters
from reversis.book.rules import build_rules_chapter
from reversis.files.extras import get_deals
from reversis.findings.costs import find_costs, summarise_question_cost
from reversis.findings.leading import sort_surveys
from reversis.views.indexes import (
    AmountsView,
    CardView,
    QuotedAmount,
    amounts_view,
    cards_view,
    in_languages,
)
from reversis.views.rules.rules import howto_view, render_rules_chapter
from rulebook.grouping import group_pairs

# --- the whole book


def _build_play_parts(corpus: Corpus) -> Iterator[nodes.section]:
    chapters = (_build_howto_chapter(corpus, siglum) for siglum in corpus.library.sources)
    yield build_book_part("part-howto", "Rules", *chapters)
    yield build_book_part("part-deals", "The worked deals", *deal_chapters(corpus))


def _build_howto_chapter(corpus: Corpus, siglum: str) -> nodes.section:
    view = howto_view(corpus, siglum)
    title = f"Rules: {view.short.source.name}"
    content = drop_screen_nodes(render_rules_chapter(view))
    chapter = build_book_chapter(f"howto-{siglum}", title, *content, short=f"Rules: {siglum}")
    return add_anchor(chapter, "howto", siglum)


def _build_costs_chapter(corpus: Corpus) -> Iterator[nodes.section]:
    """Costs of the disagreements, by question; nothing where no survey was made."""
    lines = [
        (question, summarise_question_cost(corpus.library, sort_surveys(corpus), find_costs(corpus), question))
        for question in corpus.library.questions.values()
    ]
    rows = [
        ([link("question", question.id, question.id), " ", question.asks], line.words.partition(": ")[2])
        for question, line in lines
        if line and line.weighed
    ]
    if rows:
        title = "How much differences matter"
        head = ("Question", "Another book's answer moves at most, as a share of the opening pool per deal")
        yield build_book_chapter("costs", title, para(_COSTS_INTRODUCTION), table(title, head, rows))


_COSTS_INTRODUCTION = (
    "We simulate random deals under each source's rules and settle the same cards, as they were played, once more "
    "with one answer of another book. What is measured is the money that changes hands between the two results, as a "
    "share of what lies in the pool before the deal. Every figure is an estimate from a sample; the edition for the "
    "screen says how sure each is, who plays, and what no such deal can show."
)

# --- the book that one prints


def _list_chosen_deals(corpus: Corpus) -> Mapping[str, str]:
    """The deals of the printed book in their order, with their titles."""
    best = choose_deals(corpus)
    return {deal.id: deal.title for deal in get_deals(corpus) if deal.id in best}


def _build_deal_list(corpus: Corpus) -> Iterator[nodes.section]:
    if chosen := _list_chosen_deals(corpus):
        rows = (("deal", name, [title]) for name, title in chosen.items())
        yield section("list-deals", "Deals", build_page_list(rows))


def _build_rules_part(corpus: Corpus) -> Iterator[nodes.section]:
    yield build_book_part("part-rules", "The rules", *build_rules_chapter(corpus))


def _build_deals_part(corpus: Corpus) -> Iterator[nodes.section]:
    if chosen := _list_chosen_deals(corpus):
        questions = corpus.library.questions.values()
        differing = frozenset(question.id for question in questions if classify_agreement(corpus, question) == "differ")
        deals = (build_short_deal(corpus, name, differing) for name in chosen)
        chapter = build_book_chapter("deals", "Deals that set the books apart", para(_DEALS_INTRODUCTION), *deals)
        yield build_book_part("part-deals", "Deals", chapter)


_DEALS_INTRODUCTION = (
    "Of the example deals these show between them most of the questions on which the books differ. Each has one "
    "ledger for all books: a line says who pays whom, and under every book how much, in its smallest counter. A "
    "dash says that under its rules there is nothing to pay for the event. The last column names the differing "
    "questions on which the payment rests. In a trick the leader’s card is underlined, and that of the player who "
    "takes it is bold."
)


def _build_printed_indices(corpus: Corpus) -> Iterator[nodes.section]:
    yield from _build_indices(corpus, _list_chosen_deals(corpus), "page")


def _build_whole_indices(corpus: Corpus) -> Iterator[nodes.section]:
    yield from _build_indices(corpus, [deal.id for deal in get_deals(corpus)], "number")


def _build_indices(corpus: Corpus, deals: Collection[str], place: str) -> Iterator[nodes.section]:
    """Indices of cards and amounts, with these deals; `place` is what a reference shows."""
    if view := cards_view(corpus):
        index = build_index(block(*_format_card(card, deals)) for card in view)
        yield build_book_chapter("index-cards", "Index of cards", index)
    content = [piece for view in amounts_view(corpus) for piece in (heading(3, view.title), *_format_amounts(view))]
    if content:
        yield build_book_chapter(
            "index-amounts", "Index of amounts", para(_AMOUNTS_INTRODUCTION.format(place)), build_index(content)
        )


GAME_CHAPTERS: Mapping[str, Callable[[Corpus], Iterable[nodes.section]]] = {
    "whole book: after the silences": _build_play_parts,
    "whole book: before the essay on descent": _build_costs_chapter,
    "printed book: lists": _build_deal_list,
    "printed book: before the sources": _build_rules_part,
    "printed book: after the questions": _build_deals_part,
    "whole book: after the index of words": _build_whole_indices,
    "printed book: after the index of words": _build_printed_indices,
}


def _format_card(card: CardView, deals: Collection[str]) -> Iterator[nodes.paragraph]:
    called = in_languages(card.called)
    yield para(strong(card.name), *([" (", *called, ")"] if called else []))
    for kind, label, names in (
        ("sentence", "In the sources", [locus for _, loci in card.sentences for locus in loci]),
        ("question", "Questions", [asked.id for asked in card.questions]),
        ("deal", "Deals", [each for each in card.deals if each in deals]),
    ):
        if names:
            yield para(f"{label} ", build_page_numbers((kind, each) for each in names))


_AMOUNTS_INTRODUCTION = (
    "Behind a number stand what it is for, the books that have it, and the {} of the question that it answers, of "
    "the note in which an option has it, or of the sentence that names it."
)


def _format_amounts(view: AmountsView) -> Iterator[nodes.paragraph]:
    for number, cells in view.rows:
        for what, amounts in group_pairs((amount.what, amount) for cell in cells for amount in cell).items():
            sigla = " ".join(dict.fromkeys(amount.siglum for amount in amounts))
            refs = build_page_numbers(_find_place(amount) for amount in amounts)
            yield para(
                strong(str(number)), f" {what.removeprefix('printed: ')} ", span(sigla, cls="rv-siglum"), " ", refs
            )


def _find_place(amount: QuotedAmount) -> tuple[str, str]:
    """The place of a number: for that of an option the note in which it stands, for the question has another answer."""
    return ("alternative", amount.option) if amount.option else (amount.kind_of_ref, amount.ref)
