"""Layout of one sentence of a source: its words, their translation, and a fold with what hangs on it.

The notes of the fold stand in the page; the answers that rest on the sentence are fetched when it is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from docutils import nodes

from edition.game import render_panels
from edition.nodes.builders import (
    Content,
    add_anchor,
    add_page_id,
    block,
    bullet_list,
    emphasis,
    heading,
    link,
    markup_of,
    para,
    same_page_link,
    screen_reader_text,
    span,
)
from edition.nodes.components import agreement_strip, answer_with_status, render_prose, render_translation
from edition.nodes.deferred import defer_content
from edition.text.answers import CITE_ROLE_NOTES
from edition.views.common import NoteView
from edition.views.layout import Nodes, cell_ref, clause_ref, join_content, render_labelled_line
from edition.views.sources.collated import render_collated_words, render_page_break
from edition.views.sources.emendations import EmendationView, name_evidence
from edition.views.sources.source import PRINT_FACTS, OtherReading, RestingAnswer, SourceLine, page_address
from rulebook.phrases import format_count
from rulebook.text import TextPart


def render_sentence(one: SourceLine) -> nodes.container:
    """A sentence: its place, its words, its translation, and the fold."""
    made = block(
        _render_place(one),
        *_render_words(one),
        *_render_fold(one),
        cls=f"rv-line rv-line-{one.kind}{' rv-opens' if one.opens else ''}",
    )
    return add_anchor(made, "sentence", one.id, one.id)


def _render_place(one: SourceLine) -> nodes.paragraph:
    """Pages that begin with the sentence or in it, and its number, which is its address."""
    siglum, _, number = one.id.partition(".")
    pages = [add_page_id(span(f"p. {page}", cls="rv-page-number"), page_address(siglum, page)) for page in one.pages]
    address = same_page_link(one.id, number, cls="rv-sentence-id", title=f"{one.id}: the address of this sentence")
    return para(*join_content([*pages, address], " "), cls="rv-place")


# --- the words ---------------------------------------------------------------------------------


def _render_words(one: SourceLine) -> Nodes:
    """The words and their translation; for a statement our words and the few of the source."""
    if one.kind == "statement":
        quote = [para("“", span(one.quote, lang=one.lang), "”", cls="rv-exact")] if one.quote else []
        return [para(one.paraphrase, cls="rv-statement"), *quote]
    parts = one.parts[1:] if one.pages and one.parts[0].kind == "pb" else one.parts  # the margin says it already
    printed = [piece for part in parts for piece in _render_part(part)]
    found = [_words_or_heading(one, printed, "rv-original rv-printed" if one.reading else "rv-original")]
    found += [_words_or_heading(one, [one.reading], "rv-original rv-modern")] if one.reading else []
    collated = render_collated_words(one.collated)
    found += [_words_or_heading(one, collated, "rv-original rv-collated")] if one.collated else []
    english = render_translation(one.translation)
    return [*found, para(*english, cls="rv-english")] if english else found


def _words_or_heading(one: SourceLine, pieces: Iterable[Content], cls: str) -> nodes.Node:
    """Words as a paragraph, or as a heading where the source has one."""
    if one.kind in ("heading", "title"):
        return heading(2, *pieces, cls=cls, lang=one.lang)
    return para(*pieces, cls=cls, lang=one.lang)


def _emended_part(part: TextPart) -> list[Content]:
    """A misprint as the page has it, which leads to its emendation."""
    said = f"Misprint, corrected to: {part.corr or '(nothing)'}"
    return [
        link("emendation", part.id, part.text or "‸", title=said, cls="rv-sic"),
        *([render_page_break(part.n)] if part.n else []),
    ]


def _doubtful_part(part: TextPart) -> list[Content]:
    """Words that are not read with certainty, or are supplied, with the reason."""
    reason = f"{'supplied: ' if part.kind == 'supplied' else ''}{part.reason or 'not read with certainty'}"
    return [span(part.text, cls="rv-unclear", title=reason), screen_reader_text(f" ({reason})")]


def _render_part(part: TextPart) -> list[Content]:
    return _PART_RENDERERS[part.kind](part) if part.kind in _PART_RENDERERS else [part.text]


_PART_RENDERERS: Mapping[str, Callable[[TextPart], list[Content]]] = {
    "choice": _emended_part,
    "reg": lambda part: [part.sic],  # the modern spelling stands in the other view
    "unclear": _doubtful_part,
    "supplied": _doubtful_part,
    "gap": lambda part: [span("[…]", cls="rv-gap", title=part.reason or "missing")],
    "pb": lambda part: [render_page_break(part.n)],
    "hi": lambda part: [emphasis(part.text)],
    "foreign": lambda part: [emphasis(part.text, lang=part.lang)],
}


# --- what hangs on it --------------------------------------------------------------------------


def _render_fold(one: SourceLine) -> Nodes:
    """The fold: notes first, then what is fetched; nothing where nothing hangs on the sentence."""
    inside: Nodes = [*_render_notes(one), *_render_resting(one)]
    if not inside:
        return []
    number = str(len(one.asked)) if one.asked else ""
    sign = " ".join(filter(None, (number, "*" if one.number_of_notes or not number else "")))
    said = describe_fold(one)
    return [markup_of("details", markup_of("summary", sign, aria_label=said, title=said), *inside, cls="rv-fold")]


def describe_fold(one: SourceLine) -> str:
    """Contents of the fold of a sentence, in words."""
    told = [f"{format_count(len(one.asked), 'answer')} from this sentence"] if one.asked else []
    told += [f"{format_count(one.number_of_notes, 'note')} (*)"] if one.number_of_notes else []
    return "; ".join(told) or "cited beside other sentences"


def _render_resting(one: SourceLine) -> Nodes:
    """Answers that rest on a sentence, reasons, other clauses that cite it, what shows it in the game."""
    found = [
        *([bullet_list(map(_resting_answer, one.asked), cls="rv-resting")] if one.asked else []),
        *(_labelled("Only a reason", [[_question_words(asks, id), " ", clause_ref(id)] for asks, id in one.about])),
        *(_labelled("Also cited by", [[clause_ref(id), f" ({CITE_ROLE_NOTES[role]})"] for id, role in one.beside])),
        *render_panels(one.panels),
    ]
    clauses = [*(each.clause for each in one.asked), *(id for _, id in one.about), *(id for id, _ in one.beside)]
    if not found:
        return []
    instead = (
        link("clause", clauses[0], f"{format_count(len(one.asked), 'answer')}: see the clauses")
        if clauses
        else one.panels[0].name
    )
    return [defer_content(one.id, [instead], *found)]


def _labelled(label: str, items: Iterable[list[Content]]) -> Nodes:
    pieces = join_content((span(*item) for item in items), "; ")
    return [render_labelled_line(label, *pieces)] if pieces else []


def _question_words(asks: object, clause: str) -> nodes.Node:
    return cell_ref(asks, clause.partition(".")[0], asks.asks)  # type: ignore[arg-type,attr-defined]


def _resting_answer(one: RestingAnswer) -> list[Content]:
    role = CITE_ROLE_NOTES[one.role]
    return [
        cell_ref(one.question, one.clause.partition(".")[0], one.question.asks),
        " ",
        answer_with_status(one.says, one.status),
        " ",
        agreement_strip(one.voices),
        " ",
        clause_ref(one.clause),
        *([span(f" {role}", cls="rv-small")] if role else []),
        *_other_readings(one.others),
    ]


_OTHER_READING_LABELS: Mapping[str, str] = {
    "interpretation": "could also mean",
    "option": "the source also offers",
}


def _other_readings(found: tuple[OtherReading, ...]) -> Iterator[Content]:
    for kind, label in _OTHER_READING_LABELS.items():
        those = [link("alternative", one.id, one.label, title=one.id) for one in found if one.kind == kind]
        if those:
            yield span(f" {label}: ", *join_content(those, "; "), cls="rv-small")


# --- notes -------------------------------------------------------------------------------------


def _render_notes(one: SourceLine) -> Nodes:
    ours = [*map(_render_note, one.notes), *render_panels(one.note_panels)]
    return [*map(_emendation_note, one.mended), *_print_facts(one), *ours]


def _emendation_note(one: EmendationView) -> nodes.Node:
    line = render_labelled_line(
        "Corrected misprint",
        link("emendation", one.id, one.id.partition(".")[2]),
        " Our copy has ",
        _quoted(one.sic, one.lang),
        ", we read ",
        _quoted(one.corr, one.lang),
        f" (certainty {one.cert}: {name_evidence(one)}).",
    )
    return block(line, *map(_note_words, one.notes), cls="rv-note")


def _quoted(text: str, lang: str) -> nodes.inline:
    return span("“", span(text, lang=lang), "”") if text else span("nothing")


def _note_words(one: NoteView, label: str = "") -> nodes.Element:
    said = [*render_prose(one.first), " ", *render_prose(one.rest)]
    return add_anchor(render_labelled_line(label, *said) if label else para(*said), "note", one.id, one.id)


def _render_note(one: NoteView) -> nodes.Element:
    made = _note_words(one, "On the print" if one.kind == "transcription" else "Note")
    made["classes"] += ["rv-note"]
    return made


def _print_facts(one: SourceLine) -> Iterator[nodes.Node]:
    for part in one.parts:
        if part.kind in PRINT_FACTS:
            quoted: list[Content] = [_quoted(part.text, one.lang), " "] if part.kind != "gap" else []
            said = f"{PRINT_FACTS[part.kind]}: {part.reason or 'the reason is not known'}."
            made = render_labelled_line("On the print", *quoted, said)
            made["classes"] += ["rv-note"]
            yield made
