"""Placeholders of the deal editor: below a worked deal, and on its own page.

Here only the place is made, with the record in it; the script `anew.js` puts the editor there, and without a script
nothing is seen of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.data.drafts import list_playable_sources
from edition.nodes.builders import block
from edition.views.layout import Nodes
from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.generation import requests as by_lot
from engine.generation.turn import SEAT_NAMES
from rulebook.model import Library
from rulebook.resolve import resolve

_RANDOM_DEAL_SEED = 1  #: the deal that lies on the table when the page is opened
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


@dataclass(frozen=True, slots=True)
class Changing:
    """A record that can be changed, and by whose rules it is looked at first."""

    record: str
    source: str
    own: bool  #: it is the reader's, and not one of the edition


def render_editor_placeholder(changing: Changing) -> nodes.container:
    """Placeholder into which the script puts the deal editor."""
    mine = {"data_own": ""} if changing.own else {}
    marks = {"data_record": changing.record, "data_source": changing.source, **mine}
    return block(cls="rv-anew", hidden="hidden", **marks)


def dump_editable_record(deal: Deal) -> str:
    """Deal record as compact JSON, without its expected results.

    Nobody knows the expected results of a changed deal.
    """
    written = by_lot.drop_blanks(write_deal(replace(deal, expect={})))
    return json.dumps(written, ensure_ascii=False, separators=(",", ":"))


def changing_deal(deal: Deal) -> Changing:
    """A worked deal, to be changed."""
    return Changing(dump_editable_record(deal), deal.cites[0].partition(".")[0] if deal.cites else "", own=False)


def own_view(corpus: Corpus, _: str = "") -> Changing:
    """Starting deal, legal by every source; an empty table if there is none.

    There is none where no deal of that size is legal by all.
    """
    library = corpus.library
    try:
        record = by_lot.drop_blanks(lawful_everywhere(library))
    except LookupError:  # no such table, or a source that is silent on its tables
        record = _EMPTY_DEAL
    written = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return Changing(written, next(iter(library.sources), ""), own=True)


def lawful_everywhere(library: Library) -> dict[str, object]:
    """The record of `reversis deal random --seed 1 --players 4 --pack 48`. Raises LookupError."""
    rulesets = [resolve(library, siglum) for siglum in list_playable_sources(library)]
    command = "reversis deal random" + by_lot.format_options(
        seed=_RANDOM_DEAL_SEED, players=_PLAYER_COUNT, pack=_PACK_SIZE
    )
    return by_lot.make_random_record(
        rulesets, by_lot.find_tables(rulesets, _PLAYER_COUNT, _PACK_SIZE), _RANDOM_DEAL_SEED, 1, 1, command
    )


def render_own_deal(view: Changing) -> Nodes:
    """Render the placeholder on the page of its own."""
    return [render_editor_placeholder(view)]
