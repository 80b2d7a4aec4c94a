"""The book that one would print: what the sources say and where they differ, with page numbers and indices.

The records are the same for the site, where a mark of the transcription or the number of a decision leads to its
place. On paper it leads nowhere; so it is left out, or said in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from docutils import nodes
from sphinx.addnodes import pending_xref

from edition.book import whole_book
from edition.book.indexes import (
    build_lists,
    build_short_glossary,
    build_word_index,
)
from edition.book.nodes import (
    BOOK_PAGES_CLASS,
    BookContent,
    build_book_part,
    find_target_homes,
    get_node_classes,
    is_ours,
)
from edition.book.questions import build_differing_chapter, build_rest_chapter
from edition.book.sources import source_chapter
from edition.corpus.corpus import Corpus
from edition.game import build_game_chapters

#: Words of the records -> what stands for them in print.
_IN_PRINT: Final = tuple(
    (re.compile(pattern.replace(" ", r"\s+")), replacement)
    for pattern, replacement in (
        (r"; they stand in choice with sic and corr, and each has a note", "; each has a note"),
        (r", stands? in choice with sic and corr, and has a note", " and has a note"),
        (r" and is not in this repository\.", "."),
        (
            r"They are kept under a cap which the build enforces, are excluded from the edition.s licence, and carry "
            r"a hash, so that whoever has the page can prove them\.",
            "They are few, and are excluded from the edition’s licence.",
        ),
        (r" A page that ends within a word is marked by break=.no.\.", ""),
        (r"The s element is", "The numbered sentence is"),
        (
            r"hi with rend=.antiqua. stands where the machine reading marks",
            "Italics stand where the machine reading marks",
        ),
        (r", as the table of all answers shows at a glance", ""),
        (r"^(?:unclear|supplied) marks", "A dotted line marks"),
        (r"; gap marks ", "; […] stands for "),
        (r"(?<=[\d)]) x (?=[\d(])", "\N{NO-BREAK SPACE}\N{MULTIPLICATION SIGN}\N{NO-BREAK SPACE}"),
        (r"(?<=[\d)]) x(?=\d)", "\N{NO-BREAK SPACE}\N{MULTIPLICATION SIGN}\N{NO-BREAK SPACE}"),
        (r"(?<=[\d)]) - (?=[\d(])", "\N{NO-BREAK SPACE}\N{MINUS SIGN}\N{NO-BREAK SPACE}"),
        (r"(?<![\w-])cells(?![\w-])", "answers"),
        (r"^-$", "\N{WORD JOINER}\N{EN DASH}"),
        (r" \((?:X-[A-Z]\d+|decision [A-Z]\d+(?:, \w+)?)\)", ""),
    )
)


def word_for_readers(part: nodes.section) -> nodes.section:
    """Put our words in a part of the book as a reader of paper needs them; what the sources say stays."""
    for text in list(part.findall(nodes.Text)):
        if is_ours(text) and (wording := word_in_print(str(text))) != str(text):
            text.parent.replace(text, nodes.Text(wording))
    return part


def word_in_print(words: str) -> str:
    """Words of ours as they are printed."""
    for pattern, replacement in _IN_PRINT:
        words = pattern.sub(replacement, words)
    return words


def drop_lost_references(parts: Sequence[nodes.section]) -> None:
    """Leave out what stands in brackets and leads to nothing in the book; elsewhere say that the site has it."""
    homes = find_target_homes(parts)
    for part in parts:
        for reference in list(part.findall(pending_xref)):
            if reference["reftype"] == "alternative" and (reference["reftype"], reference["reftarget"]) not in homes:
                _drop_entry(reference) if BOOK_PAGES_CLASS in get_node_classes(reference.parent) else _drop_bracketed(
                    reference
                )


def _drop_entry(element: nodes.Element) -> None:
    """Drop a number without a page from an index, and its entry if it has no other."""
    pages = element.parent
    pages.remove(element)
    if not pages.children:
        pages.parent.parent.remove(pages.parent)


ON_SITE: Final = " (on the site)"


def _drop_bracketed(element: nodes.Element) -> None:
    siblings, at = element.parent.children, element.parent.index(element)
    before, after = siblings[at - 1] if at else None, siblings[at + 1] if at + 1 < len(siblings) else None
    bracketed = isinstance(before, nodes.Text) and before.endswith(" (")
    if bracketed and isinstance(after, nodes.Text) and after.startswith(")"):
        element.parent[at - 1 : at + 2] = [nodes.Text(str(before).removesuffix(" (") + after.removeprefix(")"))]
    else:
        element.parent.insert(at + 1, nodes.Text(ON_SITE))


def assemble_short_book(corpus: Corpus) -> BookContent:
    """Assemble the book that one would print."""
    parts = [word_for_readers(part) for part in _build_parts(corpus)]
    drop_lost_references(parts)
    return whole_book.compose_book(corpus, parts)


def _build_parts(corpus: Corpus) -> Iterator[nodes.section]:
    yield build_book_part(
        "part-reading",
        "Before reading",
        *whole_book.build_own_essay_chapter(corpus, "history.md"),
        *whole_book.build_own_essay_chapter(corpus, "use.md", always=True),
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
    yield build_book_part("part-descent", "Descent", *whole_book.build_descent_chapter(corpus))
    yield build_book_part(
        "part-helps",
        "Words and indices",
        *build_short_glossary(corpus),
        *build_word_index(corpus, "The numbers are those of the pages of this book."),
        *build_game_chapters(corpus, "printed book: after the index of words"),
        *whole_book.build_bibliography_chapter(corpus),
        whole_book.build_people_chapter(corpus),
    )
