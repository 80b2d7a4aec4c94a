"""A person's turn in words: the line that says what to do, and what a screen reader is to say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reversis.table.decisions import describe_dealers_hand
from reversis.table.sight import PersonSight
from reversis.table.standing import describe_pools
from reversis.table.table_words import describe_lead, describe_trick, list_choices
from rulebook.phrases import format_count


def say_turn(sight: PersonSight) -> str:
    """Say in a line what the person is to do, and at the first turn of a deal what lies in the pools."""
    return f"{_say_move(sight)} {describe_pools(sight.game)}" if _is_first_turn(sight) else _say_move(sight)


def _is_first_turn(sight: PersonSight) -> bool:
    exchanged = any(exchange.seat == sight.seat for exchange in sight.deal.exchange)
    return not (exchanged or sight.deal.gifts or sight.table.takers or sight.phase == "over")


def _say_move(sight: PersonSight) -> str:
    offer, turn = sight.offer, sight.turn
    if offer:
        if offer.to is not None:
            return f"Give a card to {sight.names.name(offer.to)}; you get one in return."
        return "Lay one card away, or keep your hand." if offer.may_keep else "Lay one card away."
    if turn is None:
        return "The deal is over."
    return describe_lead(sight.names, sight.deal, turn.row[0] if turn.row else None, sight.hand, turn.legal)


def list_live_sentences(sight: PersonSight, moves: Sequence[dict[str, Any]]) -> list[str]:
    """List what a screen reader is to say: what has happened, then whose turn it is and what may be played."""
    happened = [*_tell_moves(sight, moves), *_tell_dealers_hand(sight)]
    turn = say_turn(sight)
    if sight.phase == "over":
        return [*happened, turn]
    may = "play" if sight.phase == "play" else "give" if sight.phase == "give" else "lay away"
    cards = [card for card in sight.hand if card in sight.legal]
    return [*happened, f"{turn} You may {may}: {list_choices(cards, sight.table.quinolas)}."]


def _tell_dealers_hand(sight: PersonSight) -> list[str]:
    return describe_dealers_hand(sight.deal, sight.names) if sight.phase == "exchange" else []


def _tell_moves(sight: PersonSight, moves: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Tell the moves: exchanges and payments in their words, cards trick by trick."""
    numbers = sorted({move["trick"] for move in moves if move["kind"] == "card"})
    yield from (move["words"] for move in moves if move["kind"] in ("exchange", "give"))
    for number in numbers:
        row = sight.deal.tricks[number - 1]
        taker = sight.table.takers[number - 1] if number <= len(sight.table.takers) else None
        yield describe_trick(sight.names, number, [(sight.table.held[card], card) for card in row], taker)
        paid = [move["words"] for move in moves if move["kind"] == "payment" and move["trick"] == number]
        points = next((move["points"] for move in moves if move["kind"] == "trick" and move["trick"] == number), 0)
        yield from ([f"{format_count(points, 'point')}."] if points else [])
        yield from paid
