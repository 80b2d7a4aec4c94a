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
from engine.play.table import PlayTable, Refusal, legal_cards, seat_players
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
            return ExchangeTurn(seat, legal, find_exchange_refusal(deal, ask, seat, None) is None)
    legal = tuple(_list_lawful_exchanges(deal, ask, dealer))
    return ExchangeTurn(dealer, legal or tuple(sort_cards(deal.hands[dealer])), False)


def exchange_card(deal: Deal, seat: int, out: int | None, looked: bool = False) -> Deal:
    """Have a player lay away a card and take his card of the talon; or keep his hand, with no card to lay away.

    `looked`: who keeps his hand sees the card that he leaves.
    """
    if out is None:  # the card left goes behind the others that were left from the deal, but above the discards
        first, *others = deal.talon
        below = len(others) - _count_discards(deal)
        talon = (*others[:below], first, *others[below:])
        return replace(deal, talon=talon, exchange=(*deal.exchange, Exchange(seat, looked=looked)))
    if seat == deal.dealer:
        kept = _change_hand(deal, seat, deal.hands[seat] - {out})
        return replace(kept, talon=(*deal.talon, out), exchange=(*deal.exchange, Exchange(seat, out)))
    taken, *others = deal.talon
    changed = _change_hand(deal, seat, deal.hands[seat] - {out} | {taken})
    return replace(changed, talon=(*others, out), exchange=(*deal.exchange, Exchange(seat, out, taken)))


def _count_discards(deal: Deal) -> int:
    return sum(exchange.out is not None for exchange in deal.exchange)


def _list_lawful_exchanges(deal: Deal, ask: Ask, seat: int) -> Iterator[int]:
    return (out for out in sort_cards(deal.hands[seat]) if not find_exchange_refusal(deal, ask, seat, out))


def find_exchange_refusal(deal: Deal, ask: Ask, seat: int, out: int | None) -> Refusal | None:
    """Find why a player may not lay away a card, or keep his hand; None if he may."""
    if out is None:
        return _refuse_exchange(_lay_away_anyhow(deal), ask, Exchange(seat))
    after = exchange_card(deal, seat, out)
    return _refuse_exchange(after if seat == deal.dealer else _lay_away_anyhow(after), ask, after.exchange[-1])


def _lay_away_anyhow(deal: Deal) -> Deal:
    """The deal as if the dealer had laid any card away: then hands and talon have their sizes."""
    return exchange_card(deal, deal.dealer, min(deal.hands[deal.dealer]))


def _refuse_exchange(deal: Deal, ask: Ask, exchange: Exchange) -> Refusal | None:
    before = tuple(other for other in deal.exchange if other.seat != exchange.seat)
    table = seat_players(replace(deal, exchange=(*before, exchange)), ask)
    check_exchange(table)
    return next((refusal for refusal in table.refusals if refusal.seat == exchange.seat), None)


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


def find_card_refusal(deal: Deal, ask: Ask, card: int) -> Refusal | None:
    """Find why whoever is to play may not play a card that he holds; None if he may."""
    table, turn = set_up_turn(deal, ask)
    if turn is None or card in turn.legal:
        return None
    play_card(table, turn.number, turn.seat, card, turn.row[0] if turn.row else None)
    return table.refusals[-1]


# ---- taken back
def undo_last_move(deal: Deal) -> Deal | None:
    """Take back the last card, or else all gifts, or else the last exchange; None if nothing has happened yet."""
    if deal.tricks:
        *done, row = deal.tricks
        tricks = (*done, row[:-1]) if row[:-1] else tuple(done)
        later = len(tricks) + (not row[:-1])
        announced = tuple(entry for entry in deal.announced if entry.before <= later)
        return replace(deal, tricks=tricks, announced=announced, claims={}, fragment=True)
    if deal.gifts:
        return replace(deal, hands=tuple(map(deal.before_gifts, range(len(deal.seats)))), gifts=())
    return _undo_exchange(deal) if deal.exchange else None


def _undo_exchange(deal: Deal) -> Deal:
    *before, last = deal.exchange
    deal = replace(deal, exchange=tuple(before))
    if last.out is None:
        left = len(deal.talon) - 1 - _count_discards(deal)
        return replace(deal, talon=(deal.talon[left], *deal.talon[:left], *deal.talon[left + 1 :]))
    back = set[int]() if last.taken is None else {last.taken}
    return replace(
        _change_hand(deal, last.seat, deal.hands[last.seat] - back | {last.out}), talon=(*back, *deal.talon[:-1])
    )
