"""Where a reader changes a deal: below a worked deal, and on a page of its own.

Here only the place is made, with the record in it; the script `anew.js` puts the editor there, and without a script
nothing is seen of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.data.drafts import playable
from edition.nodes.builders import block
from edition.views.layout import Nodes
from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.generation import requests as by_lot
from engine.generation.turn import SEATS
from rulebook.model import Library
from rulebook.resolve import resolve

SEED = 1  #: the deal that lies on the table when the page is opened
PLAYERS, CARDS = 4, 48
EMPTY: dict[str, object] = {
    "deal": "my-deal",
    "pack": CARDS,
    "seats": list(SEATS[PLAYERS]),
    "dealer": SEATS[PLAYERS][-1],
    "hands": dict.fromkeys(SEATS[PLAYERS], ""),
    "talon": "",
    "tricks": [],
}


@dataclass(frozen=True, slots=True)
class Changing:
    """A record that can be changed, and by whose rules it is looked at first."""

    record: str
    source: str
    own: bool  #: it is the reader's, and not one of the edition


def place_of(changing: Changing) -> nodes.container:
    """Where the editor will stand."""
    mine = {"data_own": ""} if changing.own else {}
    marks = {"data_record": changing.record, "data_source": changing.source, **mine}
    return block(cls="rv-anew", hidden="hidden", **marks)


def record_of(deal: Deal) -> str:
    """The record of a deal, without what it expects: of a changed deal nobody knows that."""
    written = by_lot.drop_blanks(write_deal(replace(deal, expect={})))
    return json.dumps(written, ensure_ascii=False, separators=(",", ":"))


def changing_deal(deal: Deal) -> Changing:
    """A worked deal, to be changed."""
    return Changing(record_of(deal), deal.cites[0].partition(".")[0] if deal.cites else "", own=False)


def own_view(corpus: Corpus, _: str = "") -> Changing:
    """A deal to begin with, lawful by every source; an empty table where no deal of that size is."""
    library = corpus.library
    try:
        record = by_lot.drop_blanks(lawful_everywhere(library))
    except LookupError:  # no such table, or a source that is silent on its tables
        record = EMPTY
    written = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return Changing(written, next(iter(library.sources), ""), own=True)


def lawful_everywhere(library: Library) -> dict[str, object]:
    """The record of `reversis deal random --seed 1 --players 4 --pack 48`. Raises LookupError."""
    rulesets = [resolve(library, siglum) for siglum in playable(library)]
    command = "reversis deal random" + by_lot.format_options(seed=SEED, players=PLAYERS, pack=CARDS)
    return by_lot.make_random_record(rulesets, by_lot.find_tables(rulesets, PLAYERS, CARDS), SEED, 1, 1, command)


def own(view: Changing) -> Nodes:
    """The place on the page of its own."""
    return [place_of(view)]


VIEWS: Mapping[str, Callable[[Corpus, str], Any]] = {"own-deal": own_view}
RENDER: Mapping[str, Callable[[Any], Nodes]] = {"own-deal": own}
