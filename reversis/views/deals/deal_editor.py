"""Page *Settle your own deal*: the place of the editor, with the starting deal and the books to settle it by.

The scripts `settle*.js` build the editor there; without scripts nothing of it is seen.
"""

from __future__ import annotations

from typing import TypeAlias

from edition.corpus.corpus import Corpus
from edition.nodes.builders import block
from edition.nodes.components import SourceMark
from edition.palette import format_slot_classes
from edition.views.layout import Nodes
from edition.views.plain_answers import source_marks
from reversis.browser.stored_results import make_starting_record
from reversis.files.drafts import list_playable_sources
from reversis.files.json_records import dump_json_line
from rulebook.phrases import pluralize_counter

#: Starting deal as JSON, and the books that settle it, each with the counters it pays in.
DealEditor: TypeAlias = tuple[str, tuple[tuple[SourceMark, str], ...]]


def view_deal_editor(corpus: Corpus, _: str = "") -> DealEditor:
    """Starting deal, and the books that settle it."""
    library = corpus.library
    marks = source_marks(corpus)
    books = (
        (marks[siglum], pluralize_counter(library.sources[siglum].unit)) for siglum in list_playable_sources(library)
    )
    return dump_json_line(make_starting_record(library)), tuple(books)


def render_deal_editor(view: DealEditor) -> Nodes:
    """Render the place in which the scripts build the editor."""
    record, settling = view
    books = [
        {
            "id": mark.siglum,
            "name": mark.name,
            "date": mark.date,
            "classes": format_slot_classes(mark.slot),
            "counters": counters,
        }
        for mark, counters in settling
    ]
    return [block(cls="rv-settle", data_record=record, data_books=dump_json_line(books))]
