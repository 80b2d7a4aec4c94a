"""Sources against themselves: every number that a source prints about its own game, beside what its rules come to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.nodes.builders import Content, add_page_id, details, link, para, span, table
from edition.nodes.components import SourceMark, named_source, render_prose
from edition.views.common import Prose, QuestionLink, question_link
from edition.views.layout import Nodes, join_content, question_ref
from edition.views.plain_answers import source_marks
from engine.comparison.printed_figures import Held, check_source_figures
from reversis.files.deals import read_worked_records
from reversis.files.extras import get_deals
from rulebook.model import Source
from rulebook.phrases import format_count, format_counters


@dataclass(frozen=True, slots=True)
class PrintedFigureRow:
    """One printed figure, and the figure by the source's rules."""

    locus: str
    words: str  #: the source's own; empty where they are not ours to print
    lang: str
    what: str
    printed: str
    found: str
    agrees: bool
    how: str  #: the sum, or the rule
    deal: str  #: id of the worked deal in which it is paid; empty for a sum
    title: str  #: of that deal
    asked: tuple[QuestionLink, ...]  #: questions in the sum
    remark: Prose
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceFigures:
    """The printed figures of one source."""

    source: SourceMark
    numbers: tuple[PrintedFigureRow, ...]

    @property
    def kept(self) -> int:
        """Number of figures that agree with the source's rules."""
        return sum(one.agrees for one in self.numbers)


def itself_view(corpus: Corpus, _: str = "") -> tuple[SourceFigures, ...]:
    """Printed figures of every source, compared with its own rules."""
    library = corpus.library
    deals = {record.deal.id: record.deal for record in read_worked_records(library) if record.deal}
    return tuple(
        SourceFigures(
            source_marks(corpus)[siglum],
            tuple(
                _build_printed_figure_row(corpus, source, one) for one in check_source_figures(library, siglum, deals)
            ),
        )
        for siglum, source in library.sources.items()
        if source.printed
    )


def _build_printed_figure_row(corpus: Corpus, source: Source, one: Held) -> PrintedFigureRow:
    printed, cite = one.printed, one.printed.cite
    rulings = {slug: clause.id for clause in source.clauses for slug in clause.answers}
    found = one.fault if one.found is None else format_printed_amount(source, one.found, printed.unit)
    return PrintedFigureRow(
        cite.locus,
        cite.exact,
        source.language,
        printed.what,
        format_printed_amount(source, one.expected, printed.unit),
        found,
        one.agrees,
        printed.rule if printed.deal else printed.reckon,
        printed.deal,
        next((deal.title for deal in get_deals(corpus) if deal.id == printed.deal), printed.deal),
        tuple(question_link(corpus.library.question(id)) for id in dict.fromkeys(re.findall(r"Q\d+", printed.reckon))),
        corpus.prose(printed.remark),
        tuple(dict.fromkeys(rulings[slug] for slug in one.asked if slug in rulings)),
    )


def format_printed_amount(source: Source, amount: int, unit: str) -> str:
    """Format a number, with its counter if it is an amount.

    The counter is always the smallest, whatever was printed.
    """
    return format_counters(amount, source.unit) if unit else str(amount)


# --- how it is laid out ---------------------------------------------------------------------------------


def render_printed_figures(view: tuple[SourceFigures, ...]) -> Nodes:
    """Render how many printed figures agree, those that do not, and all of them folded under their books."""
    if not view:
        return [para("No book prints such a number.")]
    total, kept = sum(len(own.numbers) for own in view), sum(own.kept for own in view)
    lede = para(f"{kept} of {total} numbers that the books print follow from their own rules.", cls="rv-lede")
    odd = [(own, one) for own in view for one in own.numbers if not one.agrees]
    rows = [([named_source(own.source)], *_format_printed_figure_row(one)) for own, one in odd]
    odd_table = [table("Those that do not", ("Book", *_HEAD), rows, cls="rv-stack rv-itself")] if rows else []
    return [lede, *odd_table, *(_render_source_figures(own) for own in view)]


_HEAD = ("Where", "The number of", "Printed", "By its rules", "How", "Rests on")


def _render_source_figures(own: SourceFigures) -> nodes.Element:
    says = f": {own.kept} of {format_count(len(own.numbers), 'number')} agree"
    rows = map(_format_printed_figure_row, (one for one in own.numbers if one.agrees))
    made = table(f"Numbers of {own.source.name} that agree", _HEAD, rows, cls="rv-stack rv-itself")
    return add_page_id(details([named_source(own.source), says], made, cls="rv-fold"), f"figures-{own.source.siglum}")


#: A part of a sum -> what it says in words.
_SUM_WORDS: tuple[tuple[str, str], ...] = (
    (r"hand\((\d+), (\d+)\)", r"the cards in a hand (\1 play, \2 cards)"),
    (r"talon\((\d+), (\d+)\)", r"the talon (\1 play, \2 cards)"),
    (r"points\((\d+)\)", r"the points of \1 cards"),
    (r" \* ", " × "),
    (r" - ", " − "),
)


def format_reckoning(how: str) -> str:
    """Sum in words; the answers in it stand as the ids of their questions."""
    for pattern, words in _SUM_WORDS:
        how = re.sub(pattern, words, how)
    return how


def _render_sum(one: PrintedFigureRow) -> list[Content]:
    asked = {each.id: each for each in one.asked}
    pieces = re.split(r"(Q\d+)", format_reckoning(one.how))
    return [question_ref(asked[piece]) if piece in asked else piece for piece in pieces if piece]


def _format_printed_figure_row(one: PrintedFigureRow) -> tuple[Any, ...]:
    words: list[Content] = [span("“", span(one.words, lang=one.lang), "”", cls="rv-small")] if one.words else []
    verdict: list[Content] = [
        one.found,
        " ",
        span("agrees" if one.agrees else "does not agree", cls="rv-verdict"),
    ]
    return (
        [link("sentence", one.locus), *([para(*words)] if words else [])],
        one.what,
        one.printed,
        [para(*verdict), *([para(*render_prose(one.remark))] if one.remark else [])],
        [link("deal", one.deal, one.title)] if one.deal else [span(*_render_sum(one), cls="rv-small")],
        join_content(link("clause", id, id.partition(".")[2]) for id in one.clauses) or "–",
    )
