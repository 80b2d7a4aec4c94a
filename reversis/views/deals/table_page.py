"""Page *A seat at the table*: the place of the table, and the books to play by.

The scripts `table*.js` set the table there; without scripts the page says what it needs.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.builders import block
from edition.nodes.components import SourceMark
from edition.palette import format_slot_classes
from edition.views.layout import Nodes
from edition.views.plain_answers import source_marks
from engine.readings.ask import Ask
from reversis.browser.begun_deals import list_source_tables
from reversis.files.json_records import dump_json_line
from reversis.findings.agreed_sums import AgreedSum, list_agreed_sums
from reversis.findings.share_of_own_answers import measure_own_share
from reversis.table.table_words import list_points
from rulebook.model import Library
from rulebook.phrases import join_names, pluralize_counter, spell_ordinal
from rulebook.resolve import resolve

TODAY = "day"  #: address of today's deal on the page


@dataclass(frozen=True, slots=True)
class TableBook:
    """A book to play by: its counters, and the tables that it plays at, as players and cards in the pack."""

    source: SourceMark
    counters: str
    tables: tuple[tuple[int, int], ...]
    own: int  #: questions of its deals that it answers by itself
    agreed: tuple[AgreedSum, ...]
    points: str  #: ace 4, king 3 ...; empty where it does not say
    aim: str  #: by what the partie is won in the first place; empty where it does not say
    doubling: str  #: when payments double, in a sentence; empty where none do


def view_table(corpus: Corpus, _: str = "") -> tuple[TableBook, ...]:
    """Books to play by, in the order of the sources."""
    library, marks, agreed = corpus.library, source_marks(corpus), corpus.telling.agreed
    return tuple(
        TableBook(
            marks[siglum],
            pluralize_counter(library.sources[siglum].unit),
            tuple((shape.players, shape.pack) for shape in tables),
            share.own if (share := measure_own_share(library, siglum)) else 0,
            tuple(list_agreed_sums(library, siglum, agreed.by, agreed.sums)),
            _describe_points(library, siglum),
            _describe_aim(library, siglum),
            _describe_doubling(Ask(resolve(library, siglum))),
        )
        for siglum, tables in list_source_tables(library).items()
    )


def _describe_points(library: Library, siglum: str) -> str:
    ask = Ask(resolve(library, siglum))
    return list_points(ask.table("cards.points")) if ask.answers("cards.points") else ""


def _describe_aim(library: Library, siglum: str) -> str:
    ask, question = Ask(resolve(library, siglum)), "partie.winner"
    return library.questions[question].short.get(ask.words(question)[0], "") if ask.answers(question) else ""


def _describe_doubling(ask: Ask) -> str:
    def is_doubled(question: str) -> bool:
        return ask.answers(question) and ask.number(question) != 1

    tricks = ask.numbers("payments.doubled-tricks") if ask.answers("payments.doubled-tricks") else ()
    in_tricks = f"in the {join_names([*map(spell_ordinal, tricks)])} trick" if tricks else ""
    like_partie = "like the partie, " if is_doubled("partie.opposite") else ""
    between = f"{like_partie}between opposite players" if is_doubled("payments.opposite") else ""
    when = ", and, ".join(filter(None, (in_tricks, between)))
    return f"Payments for cards double {when}." if when else ""


def render_table(view: tuple[TableBook, ...]) -> Nodes:
    """Render the place in which the scripts set the table; the fullest book is chosen first."""
    fullest = max(view, key=lambda book: book.own, default=None)
    books = [
        {
            "id": book.source.siglum,
            "name": book.source.name,
            "within": book.source.within,
            "classes": format_slot_classes(book.source.slot),
            "counters": book.counters,
            "tables": book.tables,
            "points": book.points,
            "aim": book.aim,
            "doubling": book.doubling,
            "agreed": [asdict(sum_) for sum_ in book.agreed],
        }
        for book in view
    ]
    place = block(cls="pl", data_books=dump_json_line(books), data_book=fullest.source.siglum if fullest else "")
    place["ids"] = [TODAY]
    return [place]
