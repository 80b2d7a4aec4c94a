"""The view that a person has of a game, as plain data: nothing that another holds, and nothing that rests on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.cards import CARD_SUITS, ENGLISH_SUITS, format_card, rank_of, suit_of
from engine.deal.model import Deal
from engine.play import trick as play
from engine.play.table import PlayTable, can_renounce
from engine.settlement.ledger import compute_balances
from reversis.table.decisions import describe_offer, list_choices_besides, list_notes
from reversis.table.game import TableGame, find_session
from reversis.table.moves import list_moves
from reversis.table.payments import count_pools, describe_debt, list_table_debts, name_pools
from reversis.table.sight import PersonSight, look_at_game
from reversis.table.standing import describe_pools, view_standing
from reversis.table.table_words import (
    name_shown_card,
)
from reversis.table.turn_words import list_live_sentences, say_turn
from rulebook.phrases import capitalise, pluralize_counter


def view_game(game: TableGame, since: Deal | None = None) -> dict[str, Any]:
    """View a game as plain data, with what has happened since the person's last decision, or another."""
    sight = look_at_game(game)
    deal, ruleset, source = sight.deal, game.ruleset, game.library.sources[game.ruleset.source]
    moves = list_moves(game, sight.names, sight.table, sight.paid, since)
    return {
        "deal": {
            "number": len(game.deals),
            "of": game.options.deals,
            "name": deal.id,
            "dealer": deal.seats[deal.dealer],
            "you": deal.seats[sight.seat],
            "source": source.siglum,
            "ruleset": ruleset.name,
            "title": source.short_name,
            "unit": ruleset.unit,
            "counters": pluralize_counter(ruleset.unit),
            "cards": sight.table.last if deal.tricks else game.shape.hand,
        },
        "phase": sight.phase,
        "seats": list_seats(sight),
        "pools": list_pools(sight),
        "stake": describe_pools(game),
        "hand": list_hand(sight),
        "keep": sight.offer is not None and sight.offer.may_keep,
        "offer": describe_offer(game, sight.names, sight.offer) if sight.offer else None,
        "trick": view_trick(sight),
        "last": view_last_trick(sight),
        "own": list_own_tricks(sight),
        "debts": list_waiting_debts(sight),
        "standing": None if deal.fragment else view_standing(game),
        "moves": moves,
        "say": say_turn(sight),
        "live": list_live_sentences(sight, moves),
        "notes": list_notes(game, sight.table, sight.seat),
        "choices": list_choices_besides(game, sight.table, sight.seat),
    }


# ---- the table
def list_seats(sight: PersonSight) -> list[dict[str, Any]]:
    """List the players: cards in hand, tricks, points, what passed in this deal, and how all stand in the game."""
    game, deal, table = sight.game, sight.deal, sight.table
    sums = compute_balances(sight.postings, deal.pool(game.ruleset.source), len(deal.seats))
    played = {card for row in deal.tricks for card in row}
    before = find_session(game, len(game.deals) - 1).accounts
    return [
        {
            "seat": name,
            "title": capitalise(sight.names.name(seat)),
            "kind": game.options.kinds[seat],
            "cards": len(deal.hands[seat] - played),
            "tricks": table.takers.count(seat),
            "points": sum(table.values[rank_of(card)] for card in table.taken[seat]),
            "account": sums[seat],
            "standing": before[seat] + sums[seat],
            "dealer": seat == deal.dealer,
            "leads": seat == table.leader,
        }
        for seat, name in enumerate(game.seats)
    ]


def list_pools(sight: PersonSight) -> list[dict[str, Any]]:
    """List the pools with what lies in each now."""
    ruleset = sight.game.ruleset
    names, sums = name_pools(ruleset), count_pools(sight.deal, ruleset, sight.postings)
    return [{"name": names[card], "card": card, "amount": sums[card]} for card in names]


def list_hand(sight: PersonSight) -> list[dict[str, Any]]:
    """List the cards in hand: which may be taken, and which only by the privilege of the espagnolette."""
    quinolas, legal, follows = sight.table.quinolas, {*sight.legal}, find_following_suit(sight)
    drawn = find_drawn_cards(sight)
    return [
        {
            "card": format_card(card),
            "words": name_shown_card(card, {}),
            "name": name_shown_card(card, quinolas),
            "suit": ENGLISH_SUITS[CARD_SUITS[suit_of(card)]],
            "legal": card in legal,
            "quinola": card in quinolas,
            "privilege": follows is not None and suit_of(card) != follows,
            "drawn": card in drawn,
        }
        for card in sight.hand
    ]


def find_drawn_cards(sight: PersonSight) -> set[int]:
    """Find the cards that the person has got since the deal, until the first one is played."""
    deal, seat = sight.deal, sight.seat
    if len(sight.hand) < len(deal.hands[seat]):
        return set()
    got = {exchange.taken for exchange in deal.exchange if exchange.seat == seat}
    return {card for card in (*got, *(gift.card for gift in deal.gifts if gift.to == seat)) if card is not None}


def find_following_suit(sight: PersonSight) -> int | None:
    """Find the suit that the person would follow, who need not by the privilege of his hand; None without it."""
    turn = sight.turn
    if turn is None or turn.seat != sight.seat or not turn.row or sight.game.waived:
        return None
    suit = suit_of(turn.row[0])
    held = any(suit_of(card) == suit for card in sight.hand)
    return suit if held and can_renounce(sight.table, turn.number, turn.seat, sight.game.ask) else None


def view_trick(sight: PersonSight) -> dict[str, Any] | None:
    """View the trick on the table; None when all are played."""
    turn, deal, table = sight.turn, sight.deal, sight.table
    if not deal.fragment:
        return None
    row = turn.row if turn else ()
    wins = _find_winning_place(table, row)
    return {
        "number": turn.number if turn else 1,
        "of": sight.table.last if deal.tricks else sight.game.shape.hand,
        "led": ENGLISH_SUITS[CARD_SUITS[suit_of(row[0])]] if row else None,
        "cards": [{**cell, "wins": at == wins} for at, cell in enumerate(_name_row(sight, row))],
        "turn": deal.seats[turn.seat if turn else sight.seat],
    }


def _find_winning_place(table: PlayTable, row: Sequence[int]) -> int:
    trump = next((card for card in row[1:] if card in table.trumps and suit_of(card) != suit_of(row[0])), -1)
    return play.find_taking_card(tuple(row), table.strength, trump) if row else -1


def _name_row(sight: PersonSight, row: Sequence[int]) -> list[dict[str, Any]]:
    return [{"seat": sight.deal.seats[sight.table.held[card]], "card": format_card(card)} for card in row]


def view_last_trick(sight: PersonSight) -> dict[str, Any] | None:
    """View the last whole trick; None where there is none."""
    done = len(sight.table.takers)
    if not done:
        return None
    taker, row = sight.table.takers[-1], sight.deal.tricks[done - 1]
    return {"number": done, "taker": sight.deal.seats[taker], "cards": _name_row(sight, row)}


def list_own_tricks(sight: PersonSight) -> list[list[str]] | None:
    """List the person's own tricks; None where the book does not let players look at them."""
    ask, takers = sight.game.ask, sight.table.takers
    if not ask.answers("tricks.own") or ask("tricks.own") != "allowed":
        return None
    rows = zip(sight.deal.tricks, takers, strict=False)
    return [[format_card(card) for card in row] for row, taker in rows if taker == sight.seat]


def list_waiting_debts(sight: PersonSight) -> list[dict[str, Any]]:
    """List the cards that have still to be paid for: led ones, and those of which nobody can know yet what is paid."""
    names = sight.names
    debts = [*list_table_debts(sight.paid.settled)]
    led = {(debt.card, debt.trick) for debt in debts}
    held_back = [describe_debt(fact) for fact in sight.paid.held_back if (fact.card, fact.trick) not in led]
    owed = "{who} the winner of the partie for the {card}, led in trick {trick}."
    waits = "What the {card} of trick {trick} brings depends on cards that you have not seen."
    return [
        {
            "seat": sight.deal.seats[debt.seat],
            "card": format_card(debt.card),
            "trick": debt.trick,
            "words": form.format(who=names.do(debt.seat, "owe"), card=debt.words, trick=debt.trick),
        }
        for form, group in ((owed, debts), (waits, held_back))
        for debt in group
    ]
