"""Totals by every book, hints and the review of a deal, as the browser asks for them beside the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reversis.browser.table_api import read_kept_game
from reversis.files.drafts import list_playable_sources
from reversis.table.faults import TableFault
from reversis.table.game import TableGame, find_table_turn, is_persons_turn, list_offers
from reversis.table.hints import hint_card, hint_offer
from reversis.table.partings import find_trick_parting
from reversis.table.review import review_deal
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
    game = read_kept_game(library, request["game"])
    books, seat = settle_game_by_books(game), game.persons[0]
    return {"totals": list_totals(library, books, seat), "parting": find_trick_parting(library, books, seat)}


def _hint_turn(library: Library, request: _Request) -> _Response:
    game = read_kept_game(library, request["game"])
    offer = next((offer for offer in list_offers(game) if offer.seat == game.persons[0]), None)
    if offer is not None:
        return {"hint": hint_offer(offer, game.options.seed)}
    turn = find_table_turn(game)[1]
    if turn is None or not is_persons_turn(game):
        raise TableFault("It is not your turn.")
    return {"hint": hint_card(game.deal, game.ruleset, game.options.seed, turn.legal)}


def _review_game(library: Library, request: _Request) -> _Response:
    game = read_kept_game(library, request["game"])
    if game.deal.fragment:
        raise TableFault("The deal is not over.")
    totals = list_totals(library, settle_game_by_books(game), game.persons[0])
    return {"review": {**review_deal(game), "totals": totals}}


TABLE_TOTALS_ACTIONS: Mapping[str, Callable[[Library, _Request], _Response]] = {
    "table.totals": _total_game,
    "table.hint": _hint_turn,
    "table.end": _review_game,
}
