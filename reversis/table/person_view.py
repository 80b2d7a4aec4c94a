"""What a person sees of a game, as plain data: nothing that another holds, and nothing that rests on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.cards import CARD_SUITS, ENGLISH_SUITS, format_card, rank_of, sort_cards, suit_of
from engine.deal.model import Deal
from engine.generation.turn import PlayerTurn
from engine.play import trick as play
from engine.play.table import PlayTable, can_renounce
from engine.settlement.ledger import Posting, compute_balances
from reversis.table.decisions import describe_offer, list_choices_besides, list_notes
from reversis.table.game import TableGame, find_session, find_turn, list_offers
from reversis.table.known_payments import KnownPayments, find_known_payments
from reversis.table.moves import list_moves
from reversis.table.offers import ExchangeQuestion
from reversis.table.payments import count_pools, describe_debt, list_debts, name_pools
from reversis.table.standing import view_standing
from reversis.table.table_words import (
    TableNames,
    describe_lead,
    describe_trick,
    list_choices,
    name_card,
)
from reversis.words.ledgers import pool_words
from rulebook.phrases import capitalise, format_count, pluralize_counter

_PHASES = {False: "exchange", True: "give"}


@dataclass(frozen=True)
class PersonSight:
    """A game as the first of its persons sees it: whose turn it is, the table, the payments so far."""

    game: TableGame
    offer: ExchangeQuestion | None
    table: PlayTable
    turn: PlayerTurn | None

    @property
    def deal(self) -> Deal:
        """The last deal."""
        return self.game.deal

    @property
    def seat(self) -> int:
        """The seat of the person."""
        return self.game.persons[0]

    @property
    def phase(self) -> str:
        """The time of the deal: exchange, give, play or over."""
        if self.offer:
            return _PHASES[self.offer.to is not None]
        return "play" if self.deal.fragment else "over"

    @cached_property
    def names(self) -> TableNames:
        """The players by name."""
        return TableNames(self.game.seats, self.seat)

    @cached_property
    def paid(self) -> KnownPayments:
        """The payments that the person can know of."""
        return find_known_payments(self.deal, self.game.ruleset, self.seat)

    @property
    def postings(self) -> list[Posting]:
        """The counters that have passed, as far as the person can know."""
        return [posting for line in self.paid.lines for posting in line.entry.postings]

    @property
    def hand(self) -> list[int]:
        """The cards that the person still holds, as one holds them."""
        return sort_cards(self.deal.hands[self.seat] - {card for row in self.deal.tricks for card in row})

    @property
    def legal(self) -> Sequence[int]:
        """The cards that the person may take now."""
        if self.offer:
            return self.offer.legal
        return self.turn.legal if self.turn and self.turn.seat == self.seat else ()


def look_at_game(game: TableGame) -> PersonSight:
    """Look at a game as its person does."""
    offer = next((offer for offer in list_offers(game) if offer.seat in game.persons), None)
    table, turn = find_turn(game)
    return PersonSight(game, offer, table, None if offer else turn)


def view_game(game: TableGame) -> dict[str, Any]:
    """View a game as plain data, with what has happened since the person's last decision."""
    sight = look_at_game(game)
    deal, ruleset, source = sight.deal, game.ruleset, game.library.sources[game.ruleset.source]
    moves = list_moves(game, sight.names, sight.table, sight.paid.lines)
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
        "stake": pool_words(deal.pool(ruleset.source)),
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
    return [
        {
            "card": format_card(card),
            "words": name_card(card, {}),
            "name": name_card(card, quinolas),
            "suit": ENGLISH_SUITS[CARD_SUITS[suit_of(card)]],
            "legal": card in legal,
            "quinola": card in quinolas,
            "privilege": follows is not None and suit_of(card) != follows,
        }
        for card in sight.hand
    ]


def find_following_suit(sight: PersonSight) -> int | None:
    """Find the suit that the person would follow, who need not by the privilege of his hand; None without it."""
    turn = sight.turn
    if turn is None or turn.seat != sight.seat or not turn.row:
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
    debts = [*list_debts(sight.paid.settled)]
    led = {(debt.card, debt.trick) for debt in debts}
    held_back = [describe_debt(fact) for fact in sight.paid.held_back if (fact.card, fact.trick) not in led]
    owed = "{who} the winner of the partie for the {card}, led in trick {trick}."
    hangs = "What the {card} of trick {trick} brings hangs on cards that you have not seen."
    return [
        {
            "seat": sight.deal.seats[debt.seat],
            "card": format_card(debt.card),
            "trick": debt.trick,
            "words": form.format(who=names.do(debt.seat, "owe"), card=debt.words, trick=debt.trick),
        }
        for form, group in ((owed, debts), (hangs, held_back))
        for debt in group
    ]


# ---- in words
def say_turn(sight: PersonSight) -> str:
    """Say in a line what the person is to do."""
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
    happened = [*_tell_moves(sight, moves)]
    turn = say_turn(sight)
    if sight.phase == "over":
        return [*happened, turn]
    may = "play" if sight.phase == "play" else "give" if sight.phase == "give" else "lay away"
    cards = [card for card in sight.hand if card in sight.legal]
    return [*happened, f"{turn} You may {may}: {list_choices(cards, sight.table.quinolas)}."]


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
