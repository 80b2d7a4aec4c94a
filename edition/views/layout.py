"""Layout shared by several pages: answers, quotations, clauses, links, badges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from docutils import nodes

from edition.corpus.references import Run
from edition.nodes.builders import (
    Content,
    block,
    bullet_list,
    labelled_span,
    link,
    para,
    span,
    strong,
)
from edition.nodes.components import render_answer_value, render_prose, render_translation
from edition.text import answers as words
from edition.views.common import (
    AlternativeView,
    AnswerMark,
    ClauseAnswer,
    ClauseView,
    QuestionLink,
    QuotationView,
    SourceLink,
    describe_search,
)
from rulebook.answers.wording import NOT_CONSULTED

Nodes = list[nodes.Node]


# --- words ------------------------------------------------------------------------------------------


def render_labelled_note(label: str, runs: Iterable[Run]) -> Nodes:
    """Render a labelled remark; nothing where there are no words."""
    pieces = render_prose(runs)
    return [render_labelled_line(label, *pieces)] if pieces else []


def render_labelled_line(label: str, *content: Content) -> nodes.paragraph:
    """Render content under a label."""
    return para(span(label, cls="rv-label"), " ", *content)


def render_badge(text: str, cls: str = "") -> nodes.inline:
    """Badge with a status or a certainty."""
    return span(text, cls=f"rv-badge {cls}")


def render_extent(partial: str) -> list[Content]:
    """Badge of a source that is not consulted whole, behind its name; nothing of one that is."""
    return [" ", render_badge(partial, "rv-partial")] if partial else []


def render_extent_line(partial: str) -> Nodes:
    """Badge of a source that is not consulted whole, on a line of its own."""
    return [para(render_badge(partial, "rv-partial"), cls="rv-small")] if partial else []


def render_status_badges(status: str, cert: str, partial: bool = False) -> list[Content]:
    """Badges of status and certainty; of a text that is not consulted whole nobody can tell that it is silent."""
    shown: list[Content] = [render_badge(NOT_CONSULTED if partial and status == "silent" else status, f"rv-{status}")]
    return [*shown, " ", render_badge(f"certainty {cert}", f"rv-cert-{cert}")] if cert else shown


def question_ref(question: QuestionLink) -> nodes.Node:
    """A way to a question, by its id."""
    return link("question", question.id, question.id, title=question.asks, cls="rv-id")


def cell_ref(question: QuestionLink, siglum: str, words_: str) -> nodes.Node:
    """A way to what one source says on a question."""
    return link("cell", f"{question.id}@{siglum}", words_, title=question.asks)


def source_ref(source: SourceLink, words_: str = "") -> nodes.Node:
    """A way to a source."""
    return link("source", source.siglum, words_ or source.siglum, title=source.title)


def clause_ref(id: str) -> nodes.Node:
    """A way to a clause, by its number within its source."""
    return link("clause", id, id.partition(".")[2], title=f"Clause {id}: the answer with all its evidence", cls="rv-id")


def render_matrix_mark(one: AnswerMark) -> nodes.inline:
    """Render a letter of the matrix, with its meaning for screen readers."""
    return labelled_span(one.words, one.letter, cls=f"rv-mark rv-mark-{one.kind}")


def render_quotation_place(quote: QuotationView) -> list[Content]:
    """Place of a quotation: its sentence or sentences, and the page."""
    said = f"The sentence in the text{'; a page in brackets has no printed number' if '[' in quote.page else ''}"
    place: list[Content] = [link("sentence", quote.locus, title=said)]
    place += [" to ", link("sentence", quote.to, title=said)] if quote.to else []
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


def render_quotation(quote: QuotationView) -> nodes.container:
    """Render quoted words with their place, and the sentence in English."""
    asides = [aside for aside in (words.CITE_ROLE_NOTES[quote.role], words.TEXT_VIEWS[quote.view]) if aside]
    place = para(*render_quotation_place(quote), *(f"; {aside}" for aside in asides), cls="rv-locus")
    return block(*render_passage(quote), place, cls=f"rv-quote rv-role-{quote.role}")


def render_passage(quote: QuotationView) -> Nodes:
    """Render quoted words, or our summary, and the sentence in English."""
    lines: Nodes = [para("“", span(quote.exact, lang=quote.lang), "”", cls="rv-exact")] if quote.exact else []
    if quote.paraphrase:
        lines.append(para(span(words.SUMMARY, cls="rv-label"), f" {quote.paraphrase}", cls="rv-paraphrase"))
    if quote.translation:
        lines.append(para(*render_translation(quote.translation), cls="rv-translation"))
    return lines


def render_answers(given: Iterable[ClauseAnswer]) -> nodes.bullet_list:
    """Render questions with their answers."""
    return bullet_list(
        (
            [
                question_ref(one.question),
                " ",
                span(one.question.asks, cls="rv-asks"),
                " ",
                *render_answer_value(one.answer, one.unit),
            ]
            for one in given
        ),
        cls="rv-answers",
    )


def _clause_reasons(clause: ClauseView) -> Nodes:
    found: Nodes = []
    if clause.computation:
        found.append(para(span("Reckoning", cls="rv-label"), f" {clause.computation}"))
    if clause.taken_from:
        found.append(para(span("Supplied from", cls="rv-label"), f" {clause.taken_from}"))
    found += render_labelled_note("Searched", describe_search(clause.searched, clause.partial))
    if clause.emendations:
        refs = join_content(link("emendation", one) for one in clause.emendations)
        found.append(render_labelled_line("Quotes the text as emended", *refs))
    if clause.label:
        found.append(para(span("Taken as", cls="rv-label"), f" {clause.label}"))
    return [*found, *render_labelled_note("Because", clause.because), *render_labelled_note("Note", clause.note)]


def render_clause_alternatives(clause: ClauseView) -> Nodes:
    """Render the other ways to take a clause."""
    return [_render_alternative(one) for one in clause.others]


_ALTERNATIVE_LABELS: Mapping[str, str] = {
    "interpretation": "Rival interpretation",
    "option": "Option that the source offers",
}


def _render_alternative(one: AlternativeView) -> nodes.container:
    name = link("alternative", one.id)
    head = para(span(_ALTERNATIVE_LABELS[one.kind], cls="rv-label"), " ", name, f": {one.label} " if one.label else " ")
    head += render_badge(f"certainty {one.cert}", f"rv-cert-{one.cert}")
    words_: Nodes = [para("“", span(one.exact, lang=one.lang), "”", cls="rv-exact")] if one.exact else []
    sums: Nodes = [para(span("Reckoning", cls="rv-label"), f" {one.computation}")] if one.computation else []
    reasons = render_labelled_note("Because", one.because)
    return block(head, *words_, render_answers(one.answers), *sums, *reasons, cls=f"rv-other rv-{one.kind}")


def clause_block(clause: ClauseView) -> nodes.container:
    """A clause: words, answers, reasons, rivals."""
    name, badges = link("clause", clause.id), render_status_badges(clause.status, clause.cert, clause.partial)
    return block(
        para(strong(name), " ", *badges, cls="rv-clause-head"),
        *map(render_quotation, clause.quotations),
        *([render_answers(clause.answers)] if clause.answers else []),
        *([_question_line(clause.about)] if clause.about else []),
        *_clause_reasons(clause),
        *render_clause_alternatives(clause),
        para(clause.read_by, cls="rv-small"),
        cls=f"rv-clause rv-clause-{clause.status}",
    )


def _question_line(questions: Iterable[QuestionLink]) -> nodes.bullet_list:
    return bullet_list(([question_ref(one), " ", span(one.asks, cls="rv-asks")] for one in questions), cls="rv-answers")


def render_unplayed_badge(played: bool) -> list[Content]:
    """Badge for questions that the engine does not ask."""
    return [] if played else [" ", render_badge("not simulated")]


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
    return [part for one in pieces for part in (one, between)][:-1]
