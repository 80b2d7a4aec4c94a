"""Results of deals that a page opens by itself: there at once, until Python has started and answers.

They are the answers of `reversis.browser.api`, and hold for the deal as it is stored, not for a changed one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine.generation import requests as by_lot
from engine.generation.turn import SEAT_NAMES
from reversis.browser.api import answer_request
from reversis.files.drafts import list_playable_sources
from rulebook.model import Library
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


def make_starting_record(library: Library) -> dict[str, object]:
    """Starting deal, legal by every book; an empty table where no deal of that size is legal by all."""
    try:
        rulesets = [resolve(library, siglum) for siglum in list_playable_sources(library)]
        command = "reversis deal random" + by_lot.format_options(
            seed=_RANDOM_DEAL_SEED, players=_PLAYER_COUNT, pack=_PACK_SIZE
        )
        tables = by_lot.find_tables(rulesets, _PLAYER_COUNT, _PACK_SIZE)
        return by_lot.drop_blanks(by_lot.make_random_record(rulesets, tables, _RANDOM_DEAL_SEED, 1, 1, command))
    except LookupError:  # no such table, or a book that is silent on its tables
        return _EMPTY_DEAL


def dump_stored_result(library: Library, record: Mapping[str, object]) -> str:
    """Engine's answer on a record as a script, without the results as data; empty where it does not settle it."""
    request = {"do": "run", "record": json.dumps(record), "sources": list_playable_sources(library)}
    ledgers = [_write_once(ledger) for ledger in answer_request(library, request).get("ledgers", ())]
    if not ledgers:
        return ""
    name, text = (json.dumps(part, ensure_ascii=False, separators=(",", ":")) for part in (record["deal"], ledgers))
    return f"globalThis.reversis ??= {{}};\n(globalThis.reversis.storedResults ??= {{}})[{name}] = {text};\n"


def _write_once(ledger: Mapping[str, Any]) -> dict[str, Any]:
    """Ledger with each ruling written once, its place in that list in every entry; and no words twice in a clause."""
    places: dict[str, int] = {}
    entries = [
        {**entry, "rulings": [places.setdefault(json.dumps(ruling), len(places)) for ruling in entry["rulings"]]}
        for entry in ledger["entries"]
    ]
    clauses = [
        {key: value for key, value in clause.items() if key != "short" or value != clause["words"]}
        for clause in ledger["clauses"]
    ]
    return {**ledger, "entries": entries, "clauses": clauses, "rulings": list(map(json.loads, places))}
