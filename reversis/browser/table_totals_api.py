"""What the table shows beside the game in the browser: totals by every book, and where the books part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reversis.browser.table_api import read_game
from reversis.files.drafts import list_playable_sources
from reversis.table.game import TableGame
from reversis.table.partings import find_parting
from reversis.table.totals import BookSettlements, list_totals, settle_by_books
from rulebook.model import Library
from rulebook.resolve import resolve

_Request = Mapping[str, Any]
_Response = dict[str, Any]


def settle_game_by_books(game: TableGame) -> list[BookSettlements]:
    """Settle the last deal of a game by every book: by its own as it is played, by the others as they stand."""
    own = game.ruleset
    sigla = list_playable_sources(game.library)
    rulesets = [own if siglum == own.source else resolve(game.library, siglum) for siglum in sigla]
    return settle_by_books(rulesets, own, game.deals, game.persons[0])


def _total_game(library: Library, request: _Request) -> _Response:
    game = read_game(library, request["game"])
    books, seat = settle_game_by_books(game), game.persons[0]
    return {"totals": list_totals(library, books, seat), "parting": find_parting(library, books, seat)}


TABLE_TOTALS_ACTIONS: Mapping[str, Callable[[Library, _Request], _Response]] = {"table.totals": _total_game}
