"""Page *A seat at the table*: the place of the table, and the books to play by.

The scripts `table*.js` set the table there; without scripts the page says what it needs.
"""

from __future__ import annotations

from dataclasses import dataclass

from edition.corpus.corpus import Corpus
from edition.nodes.builders import block
from edition.nodes.components import SourceMark
from edition.palette import format_slot_classes
from edition.views.layout import Nodes
from edition.views.plain_answers import source_marks
from reversis.browser.begun_deals import list_source_tables
from reversis.files.json_records import dump_json_line
from reversis.findings.share_of_own_answers import measure_own_share
from rulebook.phrases import pluralize_counter

TODAY = "day"  #: address of today's deal on the page


@dataclass(frozen=True, slots=True)
class TableBook:
    """A book to play by: its counters, and the tables that it plays at, as players and cards in the pack."""

    source: SourceMark
    counters: str
    tables: tuple[tuple[int, int], ...]
    own: int  #: questions of its deals that it answers by itself


def view_table(corpus: Corpus, _: str = "") -> tuple[TableBook, ...]:
    """Books to play by, in the order of the sources."""
    library, marks = corpus.library, source_marks(corpus)
    return tuple(
        TableBook(
            marks[siglum],
            pluralize_counter(library.sources[siglum].unit),
            tuple((shape.players, shape.pack) for shape in tables),
            share.own if (share := measure_own_share(library, siglum)) else 0,
        )
        for siglum, tables in list_source_tables(library).items()
    )


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
        }
        for book in view
    ]
    place = block(cls="pl", data_books=dump_json_line(books), data_book=fullest.source.siglum if fullest else "")
    place["ids"] = [TODAY]
    return [place]
