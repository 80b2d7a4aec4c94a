"""The sources in the book: what is known of each, its text with the translation facing, and notes at the foot.

In the text stands what we read; where the page has something else, that is said at the foot, keyed to the word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from docutils import nodes

from edition.book.nodes import (
    BOOK_OURS_CLASS,
    build_book_chapter,
    build_book_footnote,
    build_facing_row,
    build_facing_side,
    build_facing_text,
    set_in_small_type,
)
from edition.corpus.corpus import Corpus
from edition.nodes import builders
from edition.nodes.components import render_prose, render_translation
from edition.views import common as views
from edition.views.layout import join_content
from edition.views.sources import source as texts
from edition.views.sources.emendations import EmendationView
from rulebook.phrases import capitalise
from rulebook.text import TextPart

_Nodes = list[nodes.Node]


def source_chapter(corpus: Corpus, siglum: str, hands: bool = True) -> nodes.section:
    """A source as a chapter of the book; `hands` are told here, if a later chapter does not tell them."""
    view = texts.source_view(corpus, siglum)
    title = f"{siglum}: {view.mark.book}"
    about: _Nodes = [builders.para(*render_prose(paragraph)) for paragraph in view.introduction]
    pairs = (pair for pair in view.record if hands or not pair[0].startswith("Hand "))
    facts = [(label, render_prose(text)) for label, text in pairs]
    record = set_in_small_type(builders.definition_list(facts, cls="rv-facts"))
    book_chapter = build_book_chapter(
        f"source-{siglum}",
        title,
        builders.para(builders.emphasis(view.full_title, lang=view.mark.lang), cls="bk-own-title"),
        *about,
        builders.section(f"exemplar-{siglum}", "What is known of it", record),
        _build_text_section(view),
        *_build_practice_section(view),
    )
    return builders.add_anchor(book_chapter, "source", siglum, title)


def _build_text_section(view: texts.SourceView) -> nodes.section:
    siglum = view.mark.siglum
    if view.quoted:
        matters = [
            piece
            for chapter in view.chapters
            for piece in (
                builders.heading(4, chapter.title),
                build_facing_text(map(_build_statement_row, chapter.lines)),
            )
        ]
        grades = [builders.para(*_GRADES_INTRODUCTION)] if any(map(_has_grade, view.chapters)) else []
        return builders.section(f"text-{siglum}", "Statements", builders.para(IN_COPYRIGHT), *grades, *matters)
    chapters = [build_facing_text(map(_build_sentence_row, chapter.lines)) for chapter in view.chapters]
    translated = any(line.translation for chapter in view.chapters for line in chapter.lines)
    return builders.section(f"text-{siglum}", "Text and translation" if translated else "Text", *chapters)


_GRADES = ("Clear.", "Choice.", "Contested.")
_GRADES_INTRODUCTION: tuple[builders.Content, ...] = (
    "A note begins with the certainty of its rule. ",
    builders.emphasis("Clear"),
    ": odd at first sight, but the source decides it. ",
    builders.emphasis("Choice"),
    ": it can be read in two ways, of which we take one. ",
    builders.emphasis("Contested"),
    ": the other reading is nearly as good, and the edition offers both.",
)


def _has_grade(chapter: texts.SourceChapter) -> bool:
    """Check whether a note to the chapter begins with its certainty."""
    return any(note.text and note.text[0].words.startswith(_GRADES) for line in chapter.lines for note in line.notes)


IN_COPYRIGHT = (
    "This source is in copyright, and its text is not printed here. What stands below are its rules in our own words, "
    "one point to a statement; words of the source stand in quotation marks, and only where the wording is the point."
)


def _build_practice_section(view: texts.SourceView) -> _Nodes:
    if not view.mended:
        return []
    named = [("Corrected silently", view.mended), *((_PRACTICES.get(name, name), text) for name, text in view.practice)]
    pairs = [(name, render_prose(text)) for name, text in named]
    facts = set_in_small_type(builders.definition_list(pairs, cls="rv-facts"))
    return [builders.section(f"practice-{view.mark.siglum}", "How this text was made", facts)]


#: a declaration of the transcription -> what it is about, for readers of a book
_PRACTICES: Mapping[str, str] = {
    "normalization": "Spelling",
    "hyphenation": "Line ends",
    "segmentation": "Sentences, pages",
    "interpretation": "Marks",
}


# --- a sentence -------------------------------------------------------------------------------------


def _build_sentence_row(line: texts.SourceLine) -> nodes.container:
    title = line.kind in ("heading", "title")
    mended = {emendation.emendation.id: emendation for emendation in line.mended}
    words = [piece for part in line.parts for piece in _format_part(part, mended)]
    kind = "title" if title else "text"
    original = [*_page_mark(line), *words, *(_format_note(note) for note in line.notes)]
    asked = [*_format_answered_questions(line)]
    sides = (
        (
            build_facing_side(*original, lang=line.lang, kind=kind),
            build_facing_side(*render_translation(line.translation), *asked, kind=kind),
        )
        if line.translation
        else (build_facing_side(*original, *asked, lang=line.lang, kind=kind),)
    )
    return _anchor_row(build_facing_row([line.id.partition(".")[2]], *sides), line)


def _build_statement_row(line: texts.SourceLine) -> nodes.container:
    quote: list[builders.Content] = [" “", builders.span(line.quote, lang=line.lang), "”"] if line.quote else []
    words = build_facing_side(
        line.paraphrase, *quote, *(_format_note(note) for note in line.notes), *_format_answered_questions(line)
    )
    return _anchor_row(build_facing_row([line.id.partition(".")[2]], words), line)


def _anchor_row(row: nodes.container, line: texts.SourceLine) -> nodes.container:
    return builders.add_anchor(row, "sentence", line.id)


def _page_mark(line: texts.SourceLine) -> list[builders.Content]:
    within = {part.n for part in line.parts if part.kind == "pb"}
    return [_format_page_break(page) for page in line.pages if page not in within]


def _format_page_break(page: str, joins: bool = False) -> nodes.inline:
    """Mark of a new page; brackets of its own say that the number is only counted."""
    number = page.strip("[]").replace(" ", "\N{NO-BREAK SPACE}")
    return builders.span(f"[p.\N{NO-BREAK SPACE}{number}]{'' if joins else ' '}", cls="rv-break", lang="en")


def _format_answered_questions(line: texts.SourceLine) -> list[builders.Content]:
    siglum = line.id.partition(".")[0]
    asked = dict.fromkeys(answer.question.id for answer in line.asked)
    refs = (builders.link("cell", f"{name}@{siglum}", name) for name in asked)
    return [" ", builders.span(*join_content(refs, " "), cls="rv-grounds")] if asked else []


def _format_note(note: views.NoteView) -> nodes.inline:
    book_footnote = build_book_footnote(builders.span(*render_prose(note.text), cls=BOOK_OURS_CLASS, lang="en"))
    return builders.add_anchor(book_footnote, "note", note.note.id)


# --- words ------------------------------------------------------------------------------------------


def _format_part(part: TextPart, mended: Mapping[str, EmendationView]) -> list[builders.Content]:
    if part.kind == "choice":
        return _format_emendation(part, mended.get(part.id))
    return _PART_FORMATTERS[part.kind](part) if part.kind in _PART_FORMATTERS else [part.text]


def _format_emendation(part: TextPart, emendation: EmendationView | None) -> list[builders.Content]:
    """Emended words; a footnote gives the page's words, our certainty, and the reason."""
    lemma: list[builders.Content] = [builders.strong(part.id.partition(".")[2]), " ", part.corr or "(nothing)", "] "]
    page: list[builders.Content] = [builders.emphasis(part.sic or "(nothing)"), builders.span(" the page", lang="en")]
    record = emendation.emendation if emendation else None
    sure = f"; certainty {record.cert}, evidence {record.evidence}, {record.resp.removeprefix('#')}." if record else "."
    notes = emendation.notes if emendation else ()
    because = [piece for each in notes for piece in (" ", *render_prose(each.text))]
    book_footnote = build_book_footnote(*lemma, *page, builders.span(sure, *because, cls=BOOK_OURS_CLASS, lang="en"))
    builders.add_anchor(book_footnote, "emendation", part.id)
    for each in notes:
        builders.add_anchor(book_footnote, "note", each.note.id)
    words: list[builders.Content] = [builders.span(part.corr, cls="bk-corr")] if part.corr else []
    return [*words, book_footnote]


def _format_doubtful_words(part: TextPart) -> list[builders.Content]:
    """Words that are not read with certainty, or are supplied; a footnote gives the reason."""
    status = "Supplied by the editors" if part.kind == "supplied" else "Not read with certainty"
    reason = f"{status}: {part.reason}." if part.reason else f"{status}."
    return [builders.span(part.text, cls="rv-unclear"), build_book_footnote(builders.span(reason, lang="en"))]


_PART_FORMATTERS: Mapping[str, Callable[[TextPart], list[builders.Content]]] = {
    "unclear": _format_doubtful_words,
    "supplied": _format_doubtful_words,
    "gap": lambda part: [
        "[…]",
        build_book_footnote(builders.span(f"{capitalise(part.reason or 'missing')}.", lang="en")),
    ],
    "pb": lambda part: [_format_page_break(part.n, part.joins)],
    "hi": lambda part: [builders.emphasis(part.text)],
    "foreign": lambda part: [builders.emphasis(part.text, lang=part.lang)],
}
