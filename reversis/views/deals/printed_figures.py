"""Sources against themselves: every number that a source prints about its own game, beside what its rules come to."""

from __future__ import annotations

import re
from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.components import SourceMark
from edition.views.common import Prose, QuestionLink, question_link
from edition.views.plain_answers import source_marks
from engine.comparison.printed_figures import Held, check_source_figures
from reversis.files.deals import read_worked_records
from reversis.files.extras import get_deals
from reversis.views.page_template import page_renderer
from rulebook.model import Source
from rulebook.phrases import format_counters


@dataclass(frozen=True, slots=True)
class PrintedFigureRow:
    """One printed figure, and the figure by the source's rules."""

    held: Held
    lang: str
    printed: str
    found: str
    title: str  #: of the worked deal in which it is paid
    asked: tuple[QuestionLink, ...]  #: questions in the sum
    remark: Prose
    clauses: tuple[str, ...]

    @property
    def sum(self) -> list[tuple[str, QuestionLink | None]]:
        """Pieces of the sum; the answers in it with their questions."""
        asked = {question.id: question for question in self.asked}
        return [
            (piece, asked.get(piece))
            for piece in re.split(r"(Q\d+)", format_reckoning(self.held.printed.reckon))
            if piece
        ]


def itself_view(corpus: Corpus, _: str = "") -> tuple[tuple[SourceMark, tuple[PrintedFigureRow, ...]], ...]:
    """Printed figures of every source, compared with its own rules."""
    library = corpus.library
    deals = {record.deal.id: record.deal for record in read_worked_records(library) if record.deal}
    return tuple(
        (
            source_marks(corpus)[siglum],
            tuple(
                _build_printed_figure_row(corpus, source, figure)
                for figure in check_source_figures(library, siglum, deals)
            ),
        )
        for siglum, source in library.sources.items()
        if source.printed
    )


def _build_printed_figure_row(corpus: Corpus, source: Source, holding: Held) -> PrintedFigureRow:
    printed, unit = holding.printed, holding.printed.unit
    rulings = {slug: clause.id for clause in source.clauses for slug in clause.answers}
    return PrintedFigureRow(
        holding,
        source.language,
        format_printed_amount(source, holding.expected, unit),
        holding.fault if holding.found is None else format_printed_amount(source, holding.found, unit),
        next((deal.title for deal in get_deals(corpus) if deal.id == printed.deal), printed.deal),
        tuple(question_link(corpus.library.question(id)) for id in dict.fromkeys(re.findall(r"Q\d+", printed.reckon))),
        corpus.prose(printed.remark),
        tuple(dict.fromkeys(rulings[slug] for slug in holding.asked if slug in rulings)),
    )


def format_printed_amount(source: Source, amount: int, unit: str) -> str:
    """Format a number, with its counter if it is an amount.

    The counter is always the smallest, whatever was printed.
    """
    return format_counters(amount, source.unit) if unit else str(amount)


# --- in words ---
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


render_printed_figures = page_renderer("printed-figures")
