"""A game at the table in the browser: requests and answers in plain data; the game itself is all the state there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.cards import parse_card_name
from engine.deal.fields import locate_without_file
from engine.deal.model import Deal
from engine.players.nets import hand_in_net
from reversis.files.deals import sigla_of
from reversis.files.positions import read_position, restore_deal
from reversis.files.saved_games import GAME_VERSION
from reversis.table.decisions import announce_espagnolette, may_look, waive_espagnolette
from reversis.table.faults import TableFault
from reversis.table.game import (
    TableGame,
    deal_next,
    find_session,
    let_others_move,
    make_offers,
    open_table,
    play_next_card,
    take_back,
)
from reversis.table.game_records import write_game_records
from reversis.table.offers import KEPT_HAND
from reversis.table.options import TableOptions, read_table_options
from reversis.table.person_view import view_game
from reversis.table.players import PERSON
from reversis.table.refusals import build_refusal_slip, find_refusal
from reversis.table.saved_faults import find_deal_faults
from reversis.table.sight import PersonSight, look_at_game
from rulebook.model import Library

_Request = Mapping[str, Any]
_Response = dict[str, Any]
_SHAPE: Mapping[str, type] = {"form": int, "options": str, "deals": list, "marks": dict}  #: of a game that is kept
_MARKS: Mapping[str, object] = {"hints": 0, "backs": 0}


# ---- games in plain data
def read_kept_game(library: Library, data: _Request) -> TableGame:
    """Read a game as a page keeps it. Raises TableFault."""
    if isinstance(data, Mapping) and isinstance(form := data.get("form"), int) and form > GAME_VERSION:
        raise TableFault("The game was kept by a newer edition, and this one cannot read it.")
    if not isinstance(data, Mapping) or any(not isinstance(data.get(key), of) for key, of in _SHAPE.items()):
        raise TableFault("What was kept of the game is damaged and cannot be read.")
    deals = tuple(_read_deal(library, record) for record in data["deals"])
    game = open_table(library, read_table_options(data["options"]), deals)
    if not deals or not game.persons:
        raise TableFault("The game has no deal, or no person plays in it.")
    return game


def _read_deal(library: Library, record: object) -> Deal:
    position = read_position(record, locate_without_file, "the game", sigla_of(library))
    if position.problems:
        raise TableFault(f"A deal of the game cannot be read: {position.problems[0].what}.")
    return restore_deal(position)


def write_game(game: TableGame, marks: Mapping[str, object]) -> _Response:
    """Write a game: each record has the note by which `reversis play --resume` goes on with it."""
    options = str(game.options)
    records = write_game_records(game.deals, options)
    return {"form": GAME_VERSION, "options": options, "deals": records, "marks": {**_MARKS, **marks}}


def _answer_game(game: TableGame, request: _Request, marks: Mapping[str, object] | None = None) -> _Response:
    """Answer with the game after the others have moved."""
    game = let_others_move(game)
    known = request["game"].get("marks", {}) if "game" in request else {}
    return {"game": write_game(game, {**known, **(marks or {})}), "view": view_game(game)}


# ---- requests
def _begin_game(library: Library, request: _Request) -> _Response:
    """Begin a game, with the cards of `reversis play` of the same seed."""
    wishes = tuple(request.get("wishes", ()))
    options = TableOptions(
        request["source"],
        request["seed"],
        (),
        wishes,
        request.get("deals") or 1,
        request.get("players"),
        request.get("pack"),
    )
    game = open_table(library, options)
    kinds = (PERSON, *[request.get("others") or "net"] * (game.shape.players - 1))
    game = replace(game, options=replace(game.options, kinds=kinds))
    return _answer_game(deal_next(game, find_session(game, 0)), request)


def _view_game(library: Library, request: _Request) -> _Response:
    """View a game that comes from a store or a file, after a look at its deals."""
    game = read_kept_game(library, request["game"])
    for deal in game.deals:
        for problem in find_deal_faults(deal, game.ask, locate_without_file):
            raise TableFault(f"{deal.id} cannot go on: {problem.what}.")
    return _answer_game(game, request)


def _exchange_card(library: Library, request: _Request) -> _Response:
    """Lay a card away, keep the hand with null, or give a card across the table."""
    sight = look_at_game(let_others_move(read_kept_game(library, request["game"])))
    if sight.offer is None:
        raise TableFault("The exchange is over.")
    card = _read_own_card(sight, request["card"])
    if refused := _refuse(sight, request, card):
        return refused
    looks = bool(request.get("look")) and may_look(sight.game)
    return _answer_game(make_offers(sight.game, {sight.seat: card}, looks), request)


def _play_card(library: Library, request: _Request) -> _Response:
    sight = look_at_game(let_others_move(read_kept_game(library, request["game"])))
    if sight.phase != "play":
        raise TableFault("It is not your turn to play a card.")
    card = _read_own_card(sight, request["card"])
    if refused := _refuse(sight, request, card):
        return refused
    return _answer_game(play_next_card(sight.game, card), request)


def _read_own_card(sight: PersonSight, name: str | None) -> int:
    """Read the name of a card that the person holds; none keeps the hand."""
    try:
        card = KEPT_HAND if name is None else parse_card_name(name)
    except ValueError as fault:
        raise TableFault(f"{fault}.") from None
    if card not in sight.hand and not (sight.offer and card == KEPT_HAND):
        raise TableFault(f"{name} is not in your hand.")
    return card


def _refuse(sight: PersonSight, request: _Request, card: int) -> _Response | None:
    """Answer with the clause that forbids a card; None if it may be taken."""
    refusal = None if card in sight.legal else find_refusal(sight.game, card)
    if refusal is None:
        return None
    return {"refused": build_refusal_slip(sight.game, sight.names, refusal), **_answer_game(sight.game, request)}


def _take_back(library: Library, request: _Request) -> _Response:
    game = take_back(read_kept_game(library, request["game"]))
    if game is None:
        raise TableFault("There is nothing to take back.")
    backs = request["game"].get("marks", {}).get("backs", 0)
    return _answer_game(game, request, {"backs": backs + 1})


def _deal_next(library: Library, request: _Request) -> _Response:
    """Deal the next deal of the session: dealer and pool go on by the book."""
    game = read_kept_game(library, request["game"])
    if game.deal.fragment:
        raise TableFault("The deal is not over.")
    count = len(game.deals)
    game = replace(game, options=replace(game.options, deals=max(game.options.deals, count + 1)))
    return _answer_game(deal_next(game, find_session(game, count)), request)


def _choose_besides(library: Library, request: _Request) -> _Response:
    """Make a choice besides a card, as the view names it."""
    game, value = let_others_move(read_kept_game(library, request["game"])), bool(request["value"])
    if request["name"] not in {choice["name"] for choice in view_game(game)["choices"]}:
        raise TableFault(f"There is nothing to choose about {request['name']} now.")
    return _answer_game(_CHOICES[request["name"]](game, value), request)


def _choose_claims(game: TableGame, value: bool) -> TableGame:
    return replace(game, options=replace(game.options, unclaimed=not value))


#: What choices besides a card do, by their names.
_CHOICES: Mapping[str, Callable[[TableGame, bool], TableGame]] = {
    "claims": _choose_claims,
    "announce": lambda game, value: announce_espagnolette(game, game.persons[0], value),
    "waive": lambda game, value: waive_espagnolette(game) if value else game,
}


def _hand_in_weights(library: Library, request: _Request) -> _Response:
    """Hand in the weights of a source's net, which a page has fetched."""
    hand_in_net(request["source"], request["text"])
    return {"source": request["source"]}


TABLE_ACTIONS: Mapping[str, Callable[[Library, _Request], _Response]] = {
    "table.begin": _begin_game,
    "table.view": _view_game,
    "table.exchange": _exchange_card,
    "table.card": _play_card,
    "table.back": _take_back,
    "table.next": _deal_next,
    "table.choose": _choose_besides,
    "table.weights": _hand_in_weights,
}
