"""A deal in progress: who exchanges, gives or plays next, and what they may do.

The deal is all the state there is: its exchanges and gifts, and its tricks, of which the last may be broken off. What
is lawful is asked of the same mechanics that replay a record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from engine.cards import cards_of, sort_cards
from engine.deal.model import Deal, Exchange, Gift
from engine.deal.pool import Pool
from engine.generation.deal import lay_out_cards, make_unplayed_deal
from engine.generation.turn import PlayerTurn, TableShape
from engine.play.replay import check_exchange, finish_trick, play_card
from engine.play.table import PlayTable, legal_cards, seat_players
from engine.readings.ask import Ask
from engine.readings.meanings.deal import GIVES_ACROSS


@dataclass(frozen=True, slots=True)
class ExchangeTurn:
    """One player's turn before play: the cards that may be laid away, and whether the hand may be kept."""

    seat: int
    legal: tuple[int, ...]
    may_keep: bool


def begin_deal(rng: Random, shape: TableShape, dealer: int, id: str, pool: Pool) -> Deal:
    """Deal the cards at random; the dealer has one more than the others, until one is laid away."""
    deal = make_unplayed_deal(shape, dealer, lay_out_cards(rng, shape, {}, {}), id, pool)
    last, *talon = deal.talon
    return replace(_change_hand(deal, dealer, deal.hands[dealer] | {last}), talon=tuple(talon), fragment=True)


def _change_hand(deal: Deal, seat: int, hand: frozenset[int]) -> Deal:
    return replace(deal, hands=(*deal.hands[:seat], hand, *deal.hands[seat + 1 :]))


# ---- the exchange
def is_dealt_out(deal: Deal) -> bool:
    """Return whether the dealer has laid a card away, so that all hold as many."""
    return len(deal.hands[deal.dealer]) == min(map(len, deal.hands))


def find_exchange_turn(deal: Deal, ask: Ask) -> ExchangeTurn | None:
    """Find who is next to exchange a card, if anybody may; the dealer, who must lay one away, comes last."""
    if is_dealt_out(deal):
        return None
    decided, dealer = {exchange.seat for exchange in deal.exchange}, deal.dealer
    eldest = seat_players(_lay_away_anyhow(deal), ask).eldest
    for seat in ((eldest + turn) % len(deal.seats) for turn in range(len(deal.seats))):
        if seat != dealer and seat not in decided and (legal := tuple(_list_lawful_exchanges(deal, ask, seat))):
            return ExchangeTurn(seat, legal, _is_lawful_exchange(_lay_away_anyhow(deal), ask, Exchange(seat)))
    legal = tuple(_list_lawful_exchanges(deal, ask, dealer))
    return ExchangeTurn(dealer, legal or tuple(sort_cards(deal.hands[dealer])), False)


def exchange_card(deal: Deal, seat: int, out: int | None) -> Deal:
    """Have a player lay away a card and take his card of the talon; or keep his hand, with no card to lay away."""
    if out is None:  # the card left goes behind the others that were left from the deal, but above the discards
        first, *others = deal.talon
        below = len(others) - sum(exchange.out is not None for exchange in deal.exchange)
        return replace(deal, talon=(*others[:below], first, *others[below:]), exchange=(*deal.exchange, Exchange(seat)))
    if seat == deal.dealer:
        kept = _change_hand(deal, seat, deal.hands[seat] - {out})
        return replace(kept, talon=(*deal.talon, out), exchange=(*deal.exchange, Exchange(seat, out)))
    taken, *others = deal.talon
    changed = _change_hand(deal, seat, deal.hands[seat] - {out} | {taken})
    return replace(changed, talon=(*others, out), exchange=(*deal.exchange, Exchange(seat, out, taken)))


def _list_lawful_exchanges(deal: Deal, ask: Ask, seat: int) -> Iterator[int]:
    for out in sort_cards(deal.hands[seat]):
        after = exchange_card(deal, seat, out)
        if _is_lawful_exchange(after if seat == deal.dealer else _lay_away_anyhow(after), ask, after.exchange[-1]):
            yield out


def _lay_away_anyhow(deal: Deal) -> Deal:
    """The deal as if the dealer had laid any card away: then hands and talon have their sizes."""
    return exchange_card(deal, deal.dealer, min(deal.hands[deal.dealer]))


def _is_lawful_exchange(deal: Deal, ask: Ask, exchange: Exchange) -> bool:
    before = tuple(other for other in deal.exchange if other.seat != exchange.seat)
    table = seat_players(replace(deal, exchange=(*before, exchange)), ask)
    check_exchange(table)
    return not any(refusal.seat == exchange.seat for refusal in table.refusals)


def list_givers(deal: Deal, ask: Ask) -> tuple[tuple[int, int], ...]:
    """List who has still to give a card to whom across the table; nobody where the source is silent on it."""
    if deal.gifts or deal.tricks or not ask.answers("exchange.across"):
        return ()
    gives, seats = GIVES_ACROSS[ask.word("exchange.across")], range(len(deal.seats))
    return tuple((seat, to) for seat in seats for to in seats if seat != to and gives(seat, to, len(seats)))


def give_cards(deal: Deal, given: Mapping[tuple[int, int], int]) -> Deal:
    """Have players give each other cards, all at once: giver and receiver -> card."""
    gifts = tuple(Gift(seat, card, to) for (seat, to), card in given.items())
    for gift in gifts:
        deal = _change_hand(deal, gift.seat, deal.hands[gift.seat] - {gift.card})
        deal = _change_hand(deal, gift.to, deal.hands[gift.to] | {gift.card})
    return replace(deal, gifts=gifts)


# ---- the play
def set_up_turn(deal: Deal, ask: Ask) -> tuple[PlayTable, PlayerTurn | None]:
    """Set up the table as it stands, and find whose turn it is; nobody's when every card is played."""
    table = seat_players(deal, ask)
    row = tuple[int, ...]()
    for number, row in enumerate(deal.tricks, 1):
        turns = enumerate(zip(table.turns[table.leader], row, strict=False))  # the last trick may be broken off
        played = [play_card(table, number, seat, card, row[0] if at else None) for at, (seat, card) in turns]
        if len(row) == table.seats:
            finish_trick(table, number, played)
    number = len(table.takers) + 1
    if number > table.last:
        return table, None
    row = row if len(row) < table.seats else ()
    seat = table.turns[table.leader][len(row)]
    legal = legal_cards(table, number, seat, row[0] if row else None, ask)
    return table, PlayerTurn(table, number, seat, row, tuple(cards_of(legal)))


def add_card(deal: Deal, card: int) -> Deal:
    """Add the next card to the trick on the table; with the last one the deal is whole."""
    *done, row = deal.tricks or ((),)
    if len(row) == len(deal.seats):
        done, row = [*deal.tricks], ()
    tricks = (*done, (*row, card))
    whole = len(tricks) == len(deal.hands[0]) and len(tricks[-1]) == len(deal.seats)
    return replace(deal, tricks=tricks, fragment=not whole)
