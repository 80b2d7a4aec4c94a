"""Lists and indices of the printed book: questions and words, each with its pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docutils import nodes

from edition.book.nodes import (
    BOOK_NAMED_PAGES_CLASS,
    build_book_chapter,
    build_index,
    build_page_list,
    build_page_numbers,
    set_in_small_type,
)
from edition.corpus.corpus import Corpus
from edition.game import build_game_chapters
from edition.nodes import builders
from edition.nodes.components import render_prose
from edition.views.common import group_questions
from edition.views.layout import LANGUAGE_NAMES, join_content
from edition.views.sources.glossary import TermView, glossary_view
from edition.views.sources.word_index import WordEntry, list_word_languages, words_view
from rulebook.model import Question
from rulebook.strings import slugify_text

# --- lists ------------------------------------------------------------------------------------------


def build_lists(corpus: Corpus) -> nodes.section:
    """All that the game lists, and all questions, under their groups, with their pages."""
    listed = build_game_chapters(corpus, "printed book: lists")
    questions = (
        builders.section(f"list-{slugify_text(group)}", group, _list_questions(asked))
        for group, asked in group_questions(corpus).items()
    )
    return build_book_chapter("lists", "Lists of deals and questions", *listed, *questions)


def _list_questions(asked: Iterable[Question]) -> nodes.container:
    return build_page_list(
        ("question", question.id, [builders.span(question.id, cls="rv-siglum"), " ", question.asks])
        for question in asked
    )


# --- glossary ---------------------------------------------------------------------------------------


def build_short_glossary(corpus: Corpus) -> Iterator[nodes.section]:
    """The words of the game, with the pages on which they stand."""
    if view := glossary_view(corpus):
        terms = (builders.para(*_format_term(term), " ", *_format_term_body(term), cls="bk-hang") for term in view)
        yield build_book_chapter("glossary", "Glossary", set_in_small_type(*terms))


def _format_term(term: TermView) -> list[builders.Content]:
    language = builders.span(LANGUAGE_NAMES.get(term.term.lang, term.term.lang), cls="rv-small")
    return [
        builders.add_anchor(builders.strong(builders.span(term.term.term, lang=term.term.lang)), "term", term.term.id),
        " ",
        language,
    ]


def _format_term_body(term: TermView) -> list[builders.Content]:
    english: list[builders.Content] = [builders.emphasis(term.term.english), ". "] if term.term.english else []
    see = join_content((builders.link("term", id, word) for id, word in term.see), ", ")
    places = [("sentence", locus) for _, loci in term.attested for locus in loci]
    also: list[builders.Content] = [" See ", *see, "."] if see else []
    pages: list[builders.Content] = (
        [" ", builders.span(builders.add_classes(build_page_numbers(places), BOOK_NAMED_PAGES_CLASS), ".", cls="rv-id")]
        if places
        else []
    )
    return [*english, *render_prose(term.gloss), *also, *pages]


# --- words ------------------------------------------------------------------------------------------


def build_word_index(corpus: Corpus, numbers: str) -> Iterator[nodes.section]:
    """Every word of the sources that is not among the commonest, with its places; `numbers` says what these are."""
    content = [
        piece
        for lang in list_word_languages(corpus)
        for piece in (
            builders.heading(3, LANGUAGE_NAMES.get(lang, lang)),
            *(_format_word(lang, word) for word in _list_words(corpus, lang)),
        )
    ]
    if content:
        yield build_book_chapter(
            "index-words", "Index of words", builders.para(f"{_WORDS_INTRODUCTION} {numbers}"), build_index(content)
        )


_MIN_WORD = 3  #: letters; shorter ones are mostly what an apostrophe cut off


def _list_words(corpus: Corpus, lang: str) -> Iterator[WordEntry]:
    """The words of a language, the short ones only where the glossary explains them."""
    explained = {term.term.lower() for term in corpus.terms}
    entries = (entry for _, some in words_view(corpus, lang).letters for entry in some)
    return (entry for entry in entries if len(entry.word) >= _MIN_WORD or entry.word.lower() in explained)


_WORDS_INTRODUCTION = (
    "Words stand under today’s spelling, that of the page in brackets; the commonest and the shortest are left out."
)


def _format_word(lang: str, entry: WordEntry) -> nodes.paragraph:
    asides = ["misprint"] * entry.misprint + list(entry.old)
    old: list[builders.Content] = [" (", builders.emphasis(", ".join(asides), lang=lang), ")"] if asides else []
    places = [("sentence", occurrence.locus) for _, occurrences in entry.places for occurrence in occurrences]
    return builders.para(builders.span(entry.word, lang=lang), *old, " ", build_page_numbers(places))
