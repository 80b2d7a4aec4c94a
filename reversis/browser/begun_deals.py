"""Deals that have only been dealt: what the page of the table shows before Python has started.

The cards of a seed depend on the table alone, not on the book; so one short list serves every book that plays at it.
What a hand may do is asked of Python, as soon as it is there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from random import Random

from engine.cards import format_cards
from engine.deal.pool import NO_POOL
from engine.generation.at_table import begin_deal
from engine.generation.turn import SEAT_NAMES, TableShape, list_table_shapes
from reversis.files.drafts import list_playable_sources
from reversis.table.days import read_days
from rulebook.model import Library, Silent
from rulebook.resolve import resolve


def list_source_tables(library: Library) -> dict[str, tuple[TableShape, ...]]:
    """List the tables of every source that is played; one that does not say has none and is left out."""
    tables: dict[str, tuple[TableShape, ...]] = {}
    for siglum in list_playable_sources(library):
        with suppress(Silent):
            tables[siglum] = list_table_shapes(resolve(library, siglum))
    return tables


def find_common_shape(library: Library) -> TableShape | None:
    """Find the table at which one sits down without asking for another: the same by most books."""
    first = [tables[0] for tables in list_source_tables(library).values()]
    return max(first, key=first.count, default=None)


def dump_begun_deals(shape: TableShape, seeds: Iterable[int] | None = None) -> str:
    """Deals as a script, so that it can be read from a folder too: a line each, with seed, dealer and South's hand.

    Without seeds they are the deals of the days, from the first of January on.
    """
    seeds = read_days() if seeds is None else seeds
    deals = "\n".join(_format_deal(shape, seed) for seed in seeds)
    begun = {"players": shape.players, "pack": shape.pack, "seats": SEAT_NAMES[shape.players], "deals": deals}
    text = json.dumps(begun, separators=(",", ":"))
    return f"globalThis.reversis ??= {{}};\nglobalThis.reversis.begunDeals = {text};\n"


def _format_deal(shape: TableShape, seed: int) -> str:
    seats = SEAT_NAMES[shape.players]
    dealer = Random(f"play:{seed}").randrange(len(seats))
    deal = begin_deal(Random(f"play:{seed}:1"), shape, dealer, "", NO_POOL)
    return f"{seed} {seats[dealer]} {''.join(format_cards(deal.hands[0]))}"
