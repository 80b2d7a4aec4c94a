"""Moves since a person's last decision, as plain data: exchanges, cards, tricks, payments with their clauses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.cards import format_card, rank_of
from engine.play.table import PlayTable
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.ledger import Posting
from engine.settlement.settle import Settled
from reversis.table.game import TableGame, deal_anew, take_back
from reversis.table.payments import (
    choose_telling_ruling,
    keep_tricks,
    list_new_lines,
    name_pools,
    settle_so_far,
    subtract_lines,
)
from reversis.table.slips import build_slip
from reversis.table.table_words import TableNames, describe_exchange, describe_gift, describe_payments
from reversis.words.ledgers import LedgerLine

_Move = dict[str, Any]


def list_moves(game: TableGame, names: TableNames, table: PlayTable, settled: Settled | None) -> list[_Move]:
    """List what has happened since the person's last decision, beginning with it; else since the cards were dealt.

    `table`, `settled`: as the game stands now.
    """
    before = (take_back(game) or deal_anew(game)).deal
    moves = [*_list_offers(game, names, len(before.exchange), bool(before.gifts))]
    for number, row in enumerate(game.deal.tricks, 1):
        known = len(before.tricks[number - 1]) if number <= len(before.tricks) else 0
        moves += [_describe_card(game, number, card) for card in row[known:]]
        if number <= len(table.takers) and known < len(row):
            lines = _list_new_lines(game, number, settled if number == len(table.takers) else None)
            moves += [
                _describe_trick(game, table, number),
                *(describe_line(game, names, line, number) for line in lines),
            ]
    return moves


def _list_new_lines(game: TableGame, number: int, settled: Settled | None) -> list[LedgerLine]:
    deal, ruleset = game.deal, game.ruleset
    if settled is None:
        return list_new_lines(deal, ruleset, number)
    return subtract_lines(settled, settle_so_far(keep_tricks(deal, number - 1), ruleset))


def _describe_card(game: TableGame, number: int, card: int) -> _Move:
    seat = game.seats[game.deal.holder(card) or 0]
    return {"kind": "card", "trick": number, "seat": seat, "card": format_card(card)}


def _describe_trick(game: TableGame, table: PlayTable, number: int) -> _Move:
    points = sum(table.values[rank_of(card)] for card in game.deal.tricks[number - 1])
    return {"kind": "trick", "trick": number, "taker": game.seats[table.takers[number - 1]], "points": points}


def _list_offers(game: TableGame, names: TableNames, exchanges: int, given: bool) -> Iterator[_Move]:
    deal = game.deal
    for exchange in deal.exchange[exchanges:]:
        words = describe_exchange(names, deal, exchange)
        yield {"kind": "exchange", "seat": deal.seats[exchange.seat], "words": words}
    for gift in () if given else deal.gifts:
        yield {"kind": "give", "seat": deal.seats[gift.seat], "words": describe_gift(names, gift)}


def describe_line(game: TableGame, names: TableNames, line: LedgerLine, number: int) -> _Move:
    """Describe a payment with its slip, in the trick that brought it; what the end of a deal brings is marked."""
    pools, pool, unit = name_pools(game.ruleset), game.deal.pool(game.ruleset.source), game.ruleset.unit

    def name(posting: Posting, account: int | str) -> int | str:
        return pools[posting.pool] if account == POOL_ACCOUNT else account

    paid = [
        (name(posting, posting.payer), name(posting, posting.payee), amount)
        for posting in line.entry.postings
        if (amount := posting.counted(pool))
    ]
    ruling = choose_telling_ruling(line)
    title = describe_payments(names, paid, unit)
    slip = build_slip(game.library, [ruling] if ruling else [], title, names.describe_entry(line.entry))
    postings = [
        {"payer": _name(game, payer), "payee": _name(game, payee), "amount": amount} for payer, payee, amount in paid
    ]
    words = describe_payments(names, paid)
    return {
        **{"kind": "payment", "trick": number, "end": line.step == "end", "slip": slip, "postings": postings},
        "words": f"{words}.",
    }


def _name(game: TableGame, account: int | str) -> str:
    return game.seats[account] if isinstance(account, int) else account
