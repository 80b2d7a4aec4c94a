"""From a TEI file to sentences, each in three views.

The page as printed (diplomatic), the page mended (emended), the page in today's spelling (reading).
A file is never trusted: no network, no entities, no DTD, no endless depth; what is wrong with it
comes back as problems, all at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from lxml import etree

from rulebook.problems import Problem
from rulebook.spelling import Spelling
from rulebook.tei import document as tei
from rulebook.tei import views
from rulebook.tei.checks import COMMON_DOCUMENT_CHECKS, TEXT_CHECKS, TRANSLATION_CHECKS
from rulebook.tei.document import Document
from rulebook.tei.validation import TEI_SCHEMA_PATH, merge_problems
from rulebook.text import Emendation, Header, Sentence, Text, TextBlock, TextPart, Translated, Translation

_T = TypeVar("_T")


def gather_sentences(text: etree._Element) -> list[tuple[etree._Element, list[TextPart]]]:
    """Gather every sentence element with its parts; a page break between two goes to the second."""
    sentences: list[tuple[etree._Element, list[TextPart]]] = []
    waiting: list[TextPart] = []
    for element in text.iter(f"{tei.TEI_PREFIX}s", f"{tei.TEI_PREFIX}pb"):
        if tei.tag_of(element) == "s":
            parts = views.parts_within(element, TextPart("text", lang=tei.language_of(element)))
            sentences.append((element, [*waiting, *parts]))
            waiting = []
        elif not tei.stands_within(element, "s"):
            waiting += views.parts_of_page_break(element, TextPart("pb", lang=tei.language_of(element)))
    if sentences:  # what comes after the last sentence stays with it
        sentences[-1][1].extend(waiting)
    return sentences


def find_pages(parts: Iterable[TextPart], page: str | None) -> tuple[tuple[str, ...], str | None]:
    """Find the pages on which a sentence has words, and the page on which it leaves us."""
    pages: list[str | None] = []
    for part in parts:
        before, page = page, part.n or page
        if views.has_words(part):
            pages += [before, page]
    return tuple(number for number in dict.fromkeys(pages) if number), page


def kind_of_sentence(element: etree._Element) -> str:
    """Return whether a sentence is of the title page, of a heading, or of the text itself."""
    if tei.stands_within(element, "front"):
        return "title"
    return "heading" if tei.stands_within(element, "head", "label") else "text"


def iter_sentences(text: etree._Element, spelling: Spelling) -> Iterator[tuple[etree._Element, Sentence]]:
    """Yield every sentence in the order of the text."""
    page: str | None = None
    for element, raw_parts in gather_sentences(text):
        parts = views.trim_parts(raw_parts)
        pages, after = find_pages(parts, page)
        yield (
            element,
            Sentence(
                id=tei.get_attribute(element, tei.XML_ID),
                kind=kind_of_sentence(element),
                lang=tei.language_of(element),
                page=pages[0] if pages else page,
                pages=pages,
                line=tei.line_of_element(element),
                diplomatic=views.show_view(parts, views.printed_words),
                emended=views.show_view(parts, views.mended_words),
                reading=views.reading_view(parts, spelling),
                parts=parts,
                emendations=tuple(part.id for part in parts if views.is_emendation(part)),
            ),
        )
        page = after


def emendations_in(sentence: Sentence) -> Iterator[Emendation]:
    """The emendations of one sentence."""
    for part in sentence.parts:
        if views.is_emendation(part):
            said_by = (part.resp, part.cert, part.evidence)
            yield Emendation(part.id, sentence.id, part.sic, part.corr, *said_by, line=part.line)


def build_block(element: etree._Element, sentences: Mapping[etree._Element, Sentence]) -> TextBlock:
    """Build a block with what it holds, down to the sentences."""
    return TextBlock(
        kind=tei.tag_of(element),
        children=tuple(
            sentences[child] if child in sentences else build_block(child, sentences)
            for child in element
            if tei.tag_of(child) != "pb"
        ),
        n=tei.get_attribute(element, "n"),
        id=tei.get_attribute(element, tei.XML_ID),
        type=tei.get_attribute(element, "type"),
        line=tei.line_of_element(element),
    )


def header_of(document: Document) -> Header:
    """Build the record of the header."""
    declared = [child for part in document.all("editorialDecl") for child in part]
    named = {tei.tag_of(child): tei.words_within(child) for child in declared}
    main = [
        tei.words_within(title)
        for stmt in document.all("titleStmt")
        for title in stmt.iterfind(f"{tei.TEI_PREFIX}title")
    ]
    return Header(
        title=": ".join(main),
        responsible={
            tei.get_attribute(stmt, tei.XML_ID): ", ".join(
                tei.words_within(name) for name in stmt.iterfind(f"{tei.TEI_PREFIX}name")
            )
            for stmt in document.all("respStmt")
            if tei.get_attribute(stmt, tei.XML_ID)
        },
        licences=tuple(tei.words_within(licence) for licence in document.all("licence")),
        source=" ".join(tei.words_within(source) for source in document.all("sourceDesc")),
        languages={tei.get_attribute(lang, "ident"): tei.words_within(lang) for lang in document.all("language")},
        mended=named.pop("correction", ""),
        practice=named,
    )


def _build_text(document: Document, spelling: Spelling) -> Text | None:
    """Build the text of a document; none when there is no body or no siglum."""
    text = document.root.find(f"{tei.TEI_PREFIX}text")
    siglum = tei.get_attribute(document.root, tei.XML_ID)
    if not tei.is_tei(document) or text is None or not siglum:
        return None
    by_element = dict(iter_sentences(text, spelling))
    sentences = [sentence for sentence in by_element.values() if sentence.id]
    return Text(
        siglum=siglum,
        lang=tei.get_attribute(document.root, tei.XML_LANG),
        sentences=first_of_each((sentence.id, sentence) for sentence in sentences),
        emendations=first_of_each(
            (emendation.id, emendation) for sentence in sentences for emendation in emendations_in(sentence)
        ),
        body=build_block(text, by_element),
        header=header_of(document),
    )


def first_of_each(pairs: Iterable[tuple[str, _T]]) -> dict[str, _T]:
    """A table in which the first bearer of a name keeps it."""
    table: dict[str, _T] = {}
    for key, value in pairs:
        table.setdefault(key, value)
    return table


def translation_of(document: Document, siglum: str) -> Translation:
    """The translation that a document holds."""
    sentences = ((tei.get_target_id(element), element) for element in document.all("s"))
    return Translation(
        siglum=siglum,
        lang=tei.get_attribute(document.root, tei.XML_LANG),
        sentences=first_of_each((target, build_translated(target, element)) for target, element in sentences if target),
        header=header_of(document),
    )


def build_translated(target: str, element: etree._Element) -> Translated:
    """Build one sentence in translation."""
    parts = views.trim_parts(views.parts_within(element, TextPart("text", lang=tei.language_of(element))))
    return Translated(target, views.show_view(parts, views.mended_words), parts, tei.line_of_element(element))


def read_text(path: Path, spelling: Spelling) -> tuple[Text | None, list[Problem]]:
    """Read a transcription: the text as far as it can be had, and everything that is wrong with it."""
    document, problems = tei.open_document(path)
    if document is None:
        return None, problems
    own = [problem for check in TEXT_CHECKS for problem in check(document)]
    return _build_text(document, spelling), merge_problems(document, own, TEI_SCHEMA_PATH)


def read_translation(path: Path, text: Text) -> tuple[Translation | None, list[Problem]]:
    """Read a translation beside the text that it translates."""
    document, problems = tei.open_document(path)
    if document is None:
        return None, problems
    own = [problem for check in COMMON_DOCUMENT_CHECKS for problem in check(document)]
    beside = [problem for check in TRANSLATION_CHECKS for problem in check(document, text)]
    return translation_of(document, text.siglum), merge_problems(document, own + beside, TEI_SCHEMA_PATH)
