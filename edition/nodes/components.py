"""Components of the pages: source chip, answer, agreement, quotation, payments, running totals, card, bar.

A component takes records in which everything has been chosen and returns nodes; its CSS is in `components.css`. Names,
dates and colours come from `source.yaml`, and no component has a style of its own in the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from docutils import nodes

from edition.corpus.references import Run
from edition.nodes.builders import (
    SUIT_SYMBOLS,
    Content,
    ContentLike,
    add_classes,
    as_content_list,
    block_quote,
    card_sign,
    emphasis,
    labelled_span,
    link,
    para,
    span,
    suit_sign,
    suit_symbol,
)
from edition.palette import format_slot_classes
from edition.text.answers import SILENT_OR_UNCONSULTED, name_within
from edition.text.typography import curl_quotes
from rulebook.answers.wording import NOT_CONSULTED
from rulebook.colours import assign_colour_slots
from rulebook.model import Source
from rulebook.phrases import AnswerText, format_counters

#: Status of an answer -> its mark, and what the mark says; an answer that is simply stated has none. An answer of any
#: status may be agreed besides: it then has two, with a space between them ("ours agreed").
ANSWER_STATUS_MARKS: Mapping[str, tuple[str, str]] = {
    "doubtful": ("?", "can be read in more than one way"),
    "ours": ("our assumption", SILENT_OR_UNCONSULTED),
    "follows": ("follows", "not stated outright"),
    "agreed": ("or as agreed", "the source leaves it to the players, or offers another answer besides"),
}


# --- sources ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourceMark:
    """A source as it is shown everywhere: its name, its date and its place in the palette."""

    siglum: str
    name: str
    date: str
    slot: int
    spoken: str = ""  #: its name within a sentence, if that is another
    book: str = ""  #: its short title
    lang: str = ""  #: of its text

    @property
    def within(self) -> str:
        """Its name as it stands within a sentence, with its article."""
        return self.spoken or self.name

    @property
    def title(self) -> str:
        """Its name with its date."""
        return f"{self.name} ({self.date})" if self.date else self.name


@dataclass(frozen=True, slots=True)
class SourceVoice:
    """A source in an agreement strip; *assumed* where not the source speaks, but we for it."""

    source: SourceMark
    assumed: bool = False


def list_source_marks(sources: Iterable[Source]) -> Mapping[str, SourceMark]:
    """Mark of every source, by siglum."""
    every_source = tuple(sources)
    slots = assign_colour_slots(every_source)
    return {
        source.siglum: SourceMark(
            source.siglum,
            source.short_name,
            source.short_date,
            slots[source.siglum],
            name_within(source),
            source.title,
            source.language,
        )
        for source in every_source
    }


def source_shape(source: SourceMark, pale: bool = False) -> nodes.inline:
    """Coloured shape of a source, without words; hollow where the source itself does not speak."""
    return span(cls=f"rv-sign {format_slot_classes(source.slot)}{' rv-pale' if pale else ''}", aria_hidden="true")


def named_source(source: SourceMark, pale: bool = False) -> nodes.inline:
    """Shape and short name of a source in a line of text; hollow where the source itself does not speak."""
    name = span(source.name, cls="rv-book-name")
    return span(
        source_shape(source, pale), "\N{NO-BREAK SPACE}", name, cls=f"rv-book {format_slot_classes(source.slot)}"
    )


def source_chip(source: SourceMark, siglum: bool = True) -> nodes.inline:
    """Shape, short name and date of a source, if wanted with the siglum small; a link to the source."""
    words = link("source", source.siglum, source.name, title=source.title, cls="rv-chip-name")
    notes: list[Content] = [span(source.date, cls="rv-chip-date")] if source.date else []
    notes += [*([" "] if notes else []), span(source.siglum, cls="rv-chip-siglum")] if siglum else []
    return span(
        *(source_shape(source), words, " ", span(*notes, cls="rv-chip-notes")),
        cls=f"rv-source-chip {format_slot_classes(source.slot)}",
    )


def agreement_strip(groups: Sequence[Sequence[SourceVoice]]) -> nodes.inline:
    """Marks of the sources: those that say the same stand together, a line parts the groups."""
    shapes: list[Content] = []
    for group in groups:
        shapes += [span(cls="rv-parting", aria_hidden="true")] if shapes else []
        shapes.append(span(*(source_shape(voice.source, voice.assumed) for voice in group), cls="rv-voices"))
    return labelled_span("; ".join(map(_describe_group, groups)), *shapes, cls="rv-agreement-strip")


def _describe_group(group: Sequence[SourceVoice]) -> str:
    names = (f"{voice.source.name}{' (our assumption)' if voice.assumed else ''}" for voice in group)
    return f"the same answer: {', '.join(names)}" if len(group) > 1 else f"alone: {next(names)}"


# --- words ------------------------------------------------------------------------------------------


def render_prose(runs: Iterable[Run]) -> list[Content]:
    """Render our own words with their references, and with typographic quotation marks."""
    content: list[Content] = []
    quoting = False
    for run in runs:
        if run.kind:
            content.append(link(run.kind, run.target, run.words))
        elif run.lang:
            content.append(span(run.words, lang=run.lang))
        else:
            text, quoting = curl_quotes(run.words, quoting)
            content.append(text)
    return content


def render_translation(runs: Iterable[tuple[str, str, str]]) -> list[Content]:
    """Render a translation; words left in their own language carry it, and lead to the glossary."""
    return [_render_untranslated(*run) if run[1] else run[0] for run in runs]


def _render_untranslated(text: str, lang: str, term: str) -> Content:
    words = emphasis(text, lang=lang)
    return link("term", term, words, cls="rv-term") if term else words


# --- cards within words -----------------------------------------------------------------------------

_SUITS = {sign: name for name, (sign, _, _) in SUIT_SYMBOLS.items()}


def color_suits(words: str) -> list[Content]:
    """Words in which the signs of suits are red or black."""
    pieces = re.split(f"([{''.join(_SUITS)}])", words)
    return [suit_symbol(_SUITS[piece]) if piece in _SUITS else piece for piece in pieces if piece]


# --- answers and quotations -------------------------------------------------------------------------


#: What the mark of our assumption says of one book that is not consulted whole (True) and of one that is.
_REASONS_FOR_ASSUMPTION = {True: NOT_CONSULTED, False: "the source is silent"}


def describe_status_mark(status: str, partial: bool | None = None) -> str:
    """Meaning of a mark; of a *partial* text nobody can tell that it is silent, None if of any text."""
    return ANSWER_STATUS_MARKS[status][1] if partial is None or status != "ours" else _REASONS_FOR_ASSUMPTION[partial]


def status_mark(status: str, other: str = "", partial: bool | None = None) -> nodes.inline:
    """One of the marks that an answer can have, in brackets; doubt says on pointing what the *other* reading is."""
    mark, says = ANSWER_STATUS_MARKS[status][0], describe_status_mark(status, partial)
    if mark.isalpha() or " " in mark:
        return span(f"({mark})", cls=f"rv-status rv-status-{status}", title=says)
    return labelled_span(f"{says}; {other}" if other else says, f"({mark})", cls=f"rv-status rv-status-{status}")


def status_marks(statuses: str, other: str = "", partial: bool | None = None) -> list[Content]:
    """Marks behind words, each of which stays on the line of the last word; none where an answer is simply stated."""
    return [part for status in statuses.split() for part in ("\N{NO-BREAK SPACE}", status_mark(status, other, partial))]


def answer_with_status(
    words: ContentLike, status: str = "", other: str = "", partial: bool | None = None
) -> nodes.inline:
    """Answer in plain words, with its marks where it has any."""
    content = color_suits(words) if isinstance(words, str) else as_content_list(words)
    return span(*content, *status_marks(status, other, partial), cls="rv-plain-answer")


def render_answer_value(answer: AnswerText, unit: str = "") -> list[Content]:
    """Render an answer: its data, and its words."""
    signs = [part for name, worth in answer.cards or () for part in (", ", _card_or_suit(name, worth))][1:]
    pieces: list[Content] = [span(*(signs or [answer.short]), cls="rv-value")]
    if unit:
        pieces.append(span(f" {format_counters(int(answer.short), unit).partition(' ')[2]}", cls="rv-unit"))
    return [*pieces, ": ", span(answer.full, cls="rv-gloss")] if answer.full else pieces


def _card_or_suit(name: str, worth: str) -> nodes.inline:
    sign = card_sign(name) if len(name) > 1 else suit_sign(name)
    return span(sign, f" {worth}") if worth else sign


def source_quotation(
    source: SourceMark, exact: str, lang: str, translation: ContentLike, place: ContentLike
) -> nodes.block_quote:
    """Quotation in the colour of its source, with the English under it and its place."""
    lines: list[Content] = [para(f"“{exact}”", cls="rv-quoted", lang=lang)] if exact else []
    english = as_content_list(translation)
    lines += [para(*english, cls="rv-english")] if english else []
    place_line = para(span(*as_content_list(place), cls="rv-locus"), cls="rv-quoted-place")
    return block_quote(*lines, place_line, cls=f"rv-quotation {format_slot_classes(source.slot)}")


# --- cards and charts -------------------------------------------------------------------------------


def card_tile(name: str) -> nodes.inline:
    """Playing card as a tile: its rank over its suit."""
    return add_classes(card_sign(name), f"rv-tile rv-tile-{'red' if name[-1] in 'HD' else 'black'}")
