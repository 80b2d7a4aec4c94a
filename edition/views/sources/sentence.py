"""Layout of one sentence of a source: its words, its questions, and the notes in the margin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from docutils import nodes

from edition.nodes.builders import (
    Content,
    add_anchor,
    add_page_id,
    block,
    bullet_list,
    details,
    emphasis,
    heading,
    labelled_span,
    link,
    para,
    same_page_link,
    screen_reader_text,
    span,
    strong,
)
from edition.text import answers as words
from edition.views.common import NoteView
from edition.views.layout import (
    CITE_ROLE_NOTES,
    Nodes,
    cell_ref,
    clause_ref,
    join_content,
    question_ref,
    render_answer_value,
    render_prose,
    render_status_badges,
    render_translation,
)
from edition.views.sources.emendations import EmendationView
from edition.views.sources.source import AnsweredQuestion, Chip, Other, SourceLine, page_address
from edition.views.sources.source_overview import SENTENCE_STATES, Letter, summarise_question_kinds
from rulebook.text import TextPart


def render_sentence(one: SourceLine, total: int, what: str) -> nodes.container:
    """A sentence: its place, its words, its translation, its questions, and in the margin what is to be noted."""
    opens = " rv-opens" if one.opens else ""
    under = [*questions_answered(one), *_render_chips(one), *_deals_line(one)]
    hanging = [block(*under, cls="rv-hanging")] if under else []
    row = block(place_line(one, total, what), *both_sides(one), *hanging, cls="rv-row")
    made = block(row, *render_margin(one), cls=f"rv-line rv-line-{one.kind}{opens}")
    return add_anchor(made, "sentence", one.id, one.id)


def letter_class(one: Letter) -> str:
    """Return the classes of a letter."""
    return f"rv-letter rv-letter-{one.state}" + (" rv-letter-both" if one.counsel else "")


def place_line(one: SourceLine, total: int, what: str) -> nodes.paragraph:
    """The number of a sentence, which is its address; its letter, and the pages that begin with it or in it."""
    siglum, _, number = one.id.partition(".")
    pages: list[Content] = [piece for page in one.pages for piece in (_page_anchor(siglum, page), " ")]
    sign, name = one.letter.sign, one.letter.name
    mark = span(sign, screen_reader_text(f", {name}"), cls=letter_class(one.letter), title=name)
    label = f"{number}: {what} {one.number} of {total}, {one.id}"
    return para(
        *pages,
        same_page_link(one.id, number, aria_label=label, title="§, the address of this sentence"),
        " ",
        mark,
        cls="rv-place",
    )


def _page_anchor(siglum: str, page: str) -> nodes.inline:
    return add_page_id(span(f"p. {page}", cls="rv-page-number"), page_address(siglum, page))


# --- the words ---------------------------------------------------------------------------------


def both_sides(one: SourceLine) -> Nodes:
    """The words and their translation; for a statement our words and the few of the source."""
    if one.kind == "statement":
        quote = [para("“", span(one.quote, lang=one.lang), "”", cls="rv-exact")] if one.quote else []
        return [block(para(one.paraphrase), *quote, cls="rv-side rv-statement")]
    return [
        block(*_original_words(one), cls="rv-side rv-original", lang=one.lang),
        block(words_or_heading(one, render_translation(one.translation)), cls="rv-side rv-english"),
    ]


def _original_words(one: SourceLine) -> Nodes:
    printed = [piece for part in one.parts for piece in _render_part(part)]
    if not one.reading:
        return [words_or_heading(one, printed, level=3)]
    return [
        words_or_heading(one, printed, level=3, cls="rv-printed"),
        words_or_heading(one, [one.reading], cls="rv-reading", level=3),
    ]


def words_or_heading(one: SourceLine, pieces: Iterable[Content], cls: str = "", level: int = 0) -> nodes.Node:
    """Words as a paragraph, or as a heading where the source has one."""
    if one.kind in ("heading", "title") and level:
        return heading(level, *pieces, cls=cls)
    return para(*pieces, cls=cls)


def emended_part(part: TextPart) -> list[Content]:
    """A misprint as the page has it, marked, with the way to its emendation."""
    number = part.id.partition(".")[2]
    said = f"read: {part.corr or '(nothing)'}"
    mark_ = link("emendation", part.id, number, title=said, cls="rv-emendation-mark")
    page = page_part(part) if part.n else []
    return [span(part.text or "‸", cls="rv-sic", title=said), mark_, *page]


def _unclear_part(part: TextPart) -> list[Content]:
    reason = part.reason or "not read with certainty"
    return [span(part.text, cls="rv-unclear", title=reason), screen_reader_text(f" ({reason})")]


def page_part(part: TextPart) -> list[Content]:
    """A new page begins."""
    return [span(f"|{part.n}|", cls="rv-break", title=f"page {part.n} begins", lang="en")]


def _render_part(part: TextPart) -> list[Content]:
    return _PART_RENDERERS[part.kind](part) if part.kind in _PART_RENDERERS else [part.text]


_PART_RENDERERS: Mapping[str, Callable[[TextPart], list[Content]]] = {
    "choice": emended_part,
    "reg": lambda part: [part.sic],  # today's spelling stands in the reading view
    "unclear": _unclear_part,
    "gap": lambda part: [span("[…]", cls="rv-gap", title=part.reason or "lost")],
    "pb": page_part,
    "hi": lambda part: [emphasis(part.text)],
    "foreign": lambda part: [emphasis(part.text, lang=part.lang)],
}


# --- the questions that a sentence answers -----------------------------------------------------


def questions_answered(one: SourceLine) -> Nodes:
    """The questions that a sentence answers, with the answers in words; folded away, for the text comes first."""
    if not (one.asked or one.about):
        return []
    siglum = one.id.partition(".")[0]
    said = (
        f"Answers {summarise_question_kinds(each.company.kind for each in one.asked)}"
        if one.asked
        else "Gives a reason"
    )
    doubts = len({other.id for each in one.asked for other in each.others if other.kind == "interpretation"})
    rivals = f"; {words.format_count(doubts, 'rival interpretation')}" if doubts else ""
    rows = [_question_answered(siglum, each) for each in one.asked]
    rows += [[question_ref(each), f" {each.asks} Only a reason is given."] for each in one.about]
    return [details(f"{said}{rivals}", bullet_list(rows, cls="rv-asked-list"), cls="rv-asked")]


def _question_answered(siglum: str, one: AnsweredQuestion) -> list[Content]:
    asks, said = one.answered.question, one.answered.answer
    shown: list[Content] = [said.full] if said.full else render_answer_value(said, one.answered.unit)
    return [
        *_standing_letter(one.company.kind),
        question_ref(asks),
        " ",
        cell_ref(asks, siglum, asks.asks),
        " ",
        strong(*shown, cls="rv-said"),
        " ",
        *(render_status_badges(one.status, one.cert) if one.status != "stated" else []),
        " ",
        span(f"{one.company.words}. " if one.company.words else "", CITE_ROLE_NOTES[one.role], cls="rv-company"),
        " ",
        clause_ref(one.clause),
        *_other_readings(one.others),
    ]


def _deals_line(one: SourceLine) -> Nodes:
    named = join_content(link("deal", each) for each in one.deals)
    return [para(span("In play", cls="rv-label"), " ", *named, cls="rv-deals-here")] if named else []


def _render_chips(one: SourceLine) -> Nodes:
    return [bullet_list(map(chip_line, one.chips), cls="rv-chips")] if one.chips else []


def chip_line(one: Chip) -> list[Content]:
    """A clause, with the letter that tells how it stands to the other sources."""
    number = one.clause.partition(".")[2]
    sign: list[Content] = []
    if one.state:
        sign = [" ", span(SENTENCE_STATES[one.state][0], cls=f"rv-letter rv-letter-{one.state}")]
    name = f"; {SENTENCE_STATES[one.state][1]}" if one.state else ""
    aside = [span(f" {CITE_ROLE_NOTES[one.role]}", cls="rv-small")] if CITE_ROLE_NOTES[one.role] else []
    return [link("clause", one.clause, number, *sign, title=f"{one.clause}: {one.words}{name}", cls="rv-chip"), *aside]


def _standing_letter(kind: str) -> list[Content]:
    if not kind:
        return []
    sign, name, _ = SENTENCE_STATES[kind]
    return [labelled_span(f"{sign}, {name}", sign, cls=f"rv-letter rv-letter-{kind}"), " "]


_OTHER_READING_LABELS: Mapping[str, str] = {
    "interpretation": "It can also be taken so",
    "option": "The source also offers",
}


def _other_readings(found: tuple[Other, ...]) -> Iterator[Content]:
    for kind, label in _OTHER_READING_LABELS.items():
        those = [
            span(link("alternative", one.id, one.id.partition(".")[2], title=one.id), f" {one.label}")
            for one in found
            if one.kind == kind
        ]
        if those:
            yield span(f" {label}: ", *join_content(those, "; "), cls=f"rv-others rv-others-{kind}")


# --- the margin --------------------------------------------------------------------------------


def render_margin(one: SourceLine) -> Nodes:
    """Render the notes on a sentence, under its number.

    A long note above may push them down a little.
    """
    remarks = [*map(_emendation_note, one.mended), *_print_facts(one), *map(render_note, one.notes)]
    if not remarks:
        return []
    on = para(one.id.partition(".")[2], cls="rv-on")
    return [block(on, details(_notes_summary(one, len(remarks)), *remarks, cls="rv-remarks"), cls="rv-margin")]


def _notes_summary(one: SourceLine, all_: int) -> str:
    told = [words.format_count(len(one.mended), "emendation")] if one.mended else []
    rest = all_ - len(one.mended)
    return ", ".join([*told, words.format_count(rest, "note")] if rest else told)


def _emendation_note(one: EmendationView) -> nodes.Node:
    number = one.id.partition(".")[2]
    head = para(
        span("Emendation", cls="rv-label"),
        " ",
        link("emendation", one.id, number),
        " The page has ",
        _render_quoted_words(one.sic, one.lang, "rv-has"),
        ", we read ",
        _render_quoted_words(one.corr, one.lang, "rv-read"),
        f" (certainty {one.cert}, evidence {one.evidence}).",
    )
    why = [details("why", *map(_emendation_reason, one.notes), cls="rv-more")] if one.notes else []
    return block(head, *why, cls="rv-note rv-note-emendation")


def _render_quoted_words(text: str, lang: str, cls: str) -> nodes.inline:
    return span("“", span(text, cls=cls, lang=lang), "”") if text else span("nothing", cls=cls)


def _emendation_reason(one: NoteView) -> nodes.container:
    return add_anchor(block(para(*render_prose(one.first), " ", *render_prose(one.rest))), "note", one.id, one.id)


_NOTE_LABELS: Mapping[str, str] = {"transcription": "On the print"}


def render_note(one: NoteView) -> nodes.container:
    """A note; of a long one the first sentence is seen, and the rest unfolds."""
    label = span(_NOTE_LABELS.get(one.kind, "Note"), cls="rv-label")
    rest = [details("more", para(*render_prose(one.rest)), cls="rv-more")] if one.rest else []
    made = block(para(label, " ", *render_prose(one.first)), *rest, cls=f"rv-note rv-note-{one.kind}")
    return add_anchor(made, "note", one.id, one.id)


def _print_facts(one: SourceLine) -> Iterator[nodes.Node]:
    for part in one.parts:
        if part.kind in FACTS:
            quoted: list[Content] = (
                [_render_quoted_words(part.text, one.lang, "rv-unclear"), " "] if part.kind == "unclear" else []
            )
            said = f"{FACTS[part.kind]}: {part.reason or 'the reason is not known'}."
            yield block(para(span("On the print", cls="rv-label"), " ", *quoted, said), cls="rv-note rv-note-print")


FACTS: Mapping[str, str] = {"unclear": "is not read with certainty", "gap": "Something is lost here"}
