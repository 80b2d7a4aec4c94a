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
from engine.generation import requests as by_lot
from engine.generation.turn import SEAT_NAMES
from reversis.files.drafts import list_playable_sources
from reversis.files.json_records import dump_json_line
from rulebook.phrases import pluralize_counter
from rulebook.resolve import resolve

_RANDOM_DEAL_SEED = 1  #: of the starting deal
_PLAYER_COUNT, _PACK_SIZE = 4, 48
_EMPTY_DEAL: dict[str, object] = {
    "deal": "my-deal",
    "pack": _PACK_SIZE,
    "seats": list(SEAT_NAMES[_PLAYER_COUNT]),
    "dealer": SEAT_NAMES[_PLAYER_COUNT][-1],
    "hands": dict.fromkeys(SEAT_NAMES[_PLAYER_COUNT], ""),
    "talon": "",
    "tricks": [],
}


#: Starting deal as JSON, and the books that settle it, each with the counters it pays in.
DealEditor: TypeAlias = tuple[str, tuple[tuple[SourceMark, str], ...]]


def view_deal_editor(corpus: Corpus, _: str = "") -> DealEditor:
    """Starting deal, legal by every book; an empty table where no deal of that size is legal by all."""
    library = corpus.library
    try:
        rulesets = [resolve(library, siglum) for siglum in list_playable_sources(library)]
        command = "reversis deal random" + by_lot.format_options(
            seed=_RANDOM_DEAL_SEED, players=_PLAYER_COUNT, pack=_PACK_SIZE
        )
        record = by_lot.drop_blanks(
            by_lot.make_random_record(
                rulesets, by_lot.find_tables(rulesets, _PLAYER_COUNT, _PACK_SIZE), _RANDOM_DEAL_SEED, 1, 1, command
            )
        )
    except LookupError:  # no such table, or a book that is silent on its tables
        record = _EMPTY_DEAL
    marks = source_marks(corpus)
    books = (
        (marks[siglum], pluralize_counter(library.sources[siglum].unit)) for siglum in list_playable_sources(library)
    )
    return dump_json_line(record), tuple(books)


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
