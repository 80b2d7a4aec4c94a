"""Layout shared by several pages: answers, quotations, clauses, links, badges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from docutils import nodes

from edition.nodes.builders import (
    Content,
    labelled_span,
    link,
    para,
    span,
)
from edition.nodes.components import render_translation
from edition.text import answers as words
from edition.views.common import (
    AnswerMark,
    QuestionLink,
    QuotationView,
)

Nodes = list[nodes.Node]


# --- words ------------------------------------------------------------------------------------------


def render_labelled_line(label: str, *content: Content) -> nodes.paragraph:
    """Render content under a label."""
    return para(span(label, cls="rv-label"), " ", *content)


def render_extent(partial: str) -> list[Content]:
    """Badge of a source that is not consulted whole, behind its name; nothing of one that is."""
    return [" ", span(partial, cls="rv-badge rv-partial")] if partial else []


def render_extent_line(partial: str) -> Nodes:
    """Badge of a source that is not consulted whole, on a line of its own."""
    return [para(span(partial, cls="rv-badge rv-partial"), cls="rv-small")] if partial else []


def cell_ref(question: QuestionLink, siglum: str, words_: str) -> nodes.Node:
    """A way to what one source says on a question."""
    return link("cell", f"{question.id}@{siglum}", words_, title=question.asks)


def clause_ref(id: str) -> nodes.Node:
    """A way to a clause, by its number within its source."""
    return link("clause", id, id.partition(".")[2], title=f"Clause {id}: the answer with all its evidence", cls="rv-id")


def render_matrix_mark(mark: AnswerMark) -> nodes.inline:
    """Render a letter of the matrix, with its meaning for screen readers."""
    return labelled_span(mark.words, mark.letter, cls=f"rv-mark rv-mark-{mark.kind}")


def render_quotation_place(quote: QuotationView) -> list[Content]:
    """Place of a quotation: its sentence or sentences, and the page."""
    title = f"The sentence in the text{'; a page in brackets has no printed number' if '[' in quote.page else ''}"
    place: list[Content] = [link("sentence", quote.locus, title=title)]
    place += [" to ", link("sentence", quote.to, title=title)] if quote.to else []
    return [*place, f", p. {quote.page}"] if quote.page else place


def render_quotation_english(quote: QuotationView) -> list[Content]:
    """Render the translation, named as that of the whole sentence where less is quoted, or our summary."""
    if quote.paraphrase:
        return [span(words.SUMMARY, cls="rv-label"), f" {quote.paraphrase}"]
    if quote.whole or not quote.exact or not quote.translation:
        return render_translation(quote.translation)
    return [span("The whole sentence:", cls="rv-label"), " ", *render_translation(strip_item_number(quote.translation))]


def strip_item_number(translation: Sequence[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Strip the number at the head of a sentence, which is no part of what is quoted."""
    (first, lang, term), *rest = translation
    return [(re.sub(r"^\d+\)\s+", "", first), lang, term), *rest]


# --- clauses ----------------------------------------------------------------------------------------


def render_passage(quote: QuotationView) -> Nodes:
    """Render quoted words, or our summary, and the sentence in English."""
    lines: Nodes = [para("“", span(quote.exact, lang=quote.lang), "”", cls="rv-exact")] if quote.exact else []
    if quote.paraphrase:
        lines.append(para(span(words.SUMMARY, cls="rv-label"), f" {quote.paraphrase}", cls="rv-paraphrase"))
    if quote.translation:
        lines.append(para(*render_translation(quote.translation), cls="rv-translation"))
    return lines


LANGUAGE_NAMES: Mapping[str, str] = {
    "fr": "French",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "la": "Latin",
    "it": "Italian",
}


def join_content(pieces: Iterable[Content], between: str = ", ") -> list[Content]:
    """Join pieces with a separator."""
    return [part for piece in pieces for part in (piece, between)][:-1]
