"""Moves since a person's last decision, as plain data: exchanges, cards, tricks, payments with their clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.cards import format_card, rank_of
from engine.deal.model import Deal
from engine.play.table import PlayTable
from engine.settlement.settle import Settled
from reversis.table.game import TableGame, deal_anew, take_back
from reversis.table.known_payments import KnownPayments, find_known_payments, name_line
from reversis.table.partie_words import explain_sums
from reversis.table.payments import choose_telling_ruling, keep_tricks, list_paid_sums
from reversis.table.slips import build_slip
from reversis.table.table_words import TableNames, describe_exchange, describe_gift, describe_payments
from reversis.words.ledgers import LedgerLine

_Move = dict[str, Any]


def list_moves(
    game: TableGame, names: TableNames, table: PlayTable, paid: KnownPayments, since: Deal | None = None
) -> list[_Move]:
    """List what has happened since the person's last decision, beginning with it; else since the cards were dealt.

    `table`, `paid`: as the game stands now; `since`: the deal as it stood at another decision.
    """
    before = since or (take_back(game) or deal_anew(game)).deal
    moves = [*_list_offers(game, names, len(before.exchange), bool(before.gifts))]
    for number, row in enumerate(game.deal.tricks, 1):
        done = len(before.tricks[number - 1]) if number <= len(before.tricks) else 0
        moves += [_describe_card(game, number, card) for card in row[done:]]
        if number <= len(table.takers) and done < len(row):
            now = paid.lines if number == len(table.takers) else _list_lines(game, names, number)
            known = {*map(name_line, _list_lines(game, names, number - 1))}
            lines = [line for line in now if name_line(line) not in known]
            moves += [
                _describe_trick(game, table, number),
                *(describe_line(game, names, paid.settled, line, number) for line in lines),
            ]
    return moves


def _list_lines(game: TableGame, names: TableNames, count: int) -> Sequence[LedgerLine]:
    return find_known_payments(keep_tricks(game.deal, count), game.ruleset, names.you).lines if count else ()


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


def describe_line(
    game: TableGame, names: TableNames, settled: Settled | None, line: LedgerLine, number: int | None
) -> _Move:
    """Describe a payment with its slip, in the trick that brought it, if any; that of the end is marked."""
    unit, paid = game.ruleset.unit, list_paid_sums(line.entry, game.ruleset, game.deal.pool(game.ruleset.source))
    ruling = choose_telling_ruling(line)
    title = describe_payments(names, paid, unit)
    words = " ".join(
        [names.describe_entry(line.entry), *(explain_sums(game.library, settled, line.entry, names) if settled else [])]
    )
    slip = build_slip(game.library, [ruling] if ruling else [], title, words)
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
