"""Moves since a person's last decision, as plain data: exchanges, cards, tricks, payments with their clauses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.cards import format_card, rank_of
from engine.readings.meanings.stake import POOL_ACCOUNT
from engine.settlement.ledger import Posting
from reversis.table.game import TableGame, deal_anew, find_turn, take_back
from reversis.table.payments import choose_telling_ruling, list_new_lines, name_pools
from reversis.table.slips import build_slip
from reversis.table.table_words import TableNames, describe_exchange, describe_gift, describe_payments
from reversis.words.ledgers import LedgerLine

_Move = dict[str, Any]


def list_moves(game: TableGame, names: TableNames) -> list[_Move]:
    """List what has happened since the person's last decision, beginning with it; else since the cards were dealt."""
    before = (take_back(game) or deal_anew(game)).deal
    return [
        *_list_offers(game, names, len(before.exchange), bool(before.gifts)),
        *_list_cards(game, names, sum(map(len, before.tricks))),
    ]


def _list_offers(game: TableGame, names: TableNames, exchanges: int, given: bool) -> Iterator[_Move]:
    deal = game.deal
    for exchange in deal.exchange[exchanges:]:
        words = describe_exchange(names, deal, exchange)
        yield {"kind": "exchange", "seat": deal.seats[exchange.seat], "words": words}
    for gift in () if given else deal.gifts:
        yield {"kind": "give", "seat": deal.seats[gift.seat], "words": describe_gift(names, gift)}


def _list_cards(game: TableGame, names: TableNames, known: int) -> Iterator[_Move]:
    """List cards, and at the end of each trick who takes it and what is paid."""
    deal, table, seats = game.deal, find_turn(game)[0], len(game.seats)
    cards = [card for row in deal.tricks for card in row]
    for at in range(known, len(cards)):
        number, card = at // seats + 1, cards[at]
        yield {"kind": "card", "trick": number, "seat": deal.seats[table.held[card]], "card": format_card(card)}
        if at % seats == seats - 1:
            taker, row = table.takers[number - 1], deal.tricks[number - 1]
            points = sum(table.values[rank_of(card)] for card in row)
            yield {"kind": "trick", "trick": number, "taker": deal.seats[taker], "points": points}
            yield from (describe_line(game, names, line, number) for line in list_new_lines(deal, game.ruleset, number))


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
