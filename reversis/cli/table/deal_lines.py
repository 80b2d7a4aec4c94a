"""Lines on a deal at the terminal: the deal, each move, payments with clauses and sums, how everybody stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.cards import format_card, rank_of
from engine.deal.model import Deal, Exchange
from engine.session.session import Session
from engine.settlement.ledger import compute_balances
from engine.settlement.settle import settle
from reversis.cli.ledger_tables import print_deal_view
from reversis.cli.reckonings import Reckonings, list_reckonings
from reversis.cli.table.persons import describe_row
from reversis.cli.table.terminal_io import Talk
from reversis.table.game import TableGame, find_table_turn
from reversis.table.known_payments import KnownPayments, find_known_payments, name_line
from reversis.table.payments import keep_tricks, list_paid_lines, list_table_debts, settle_so_far
from reversis.words.deal_views import DealView, view_settlements
from reversis.words.ledgers import LedgerLine, pool_words
from rulebook.phrases import describe_sum_unit, format_count, format_signed_sum


def describe_deal(game: TableGame) -> str:
    """Describe a deal before it is played: its number, who deals, what is played for."""
    deal, number = game.deal, game.options.deals
    of = f" of {number}" if number > 1 else ""
    sums = f"{pool_words(deal.pool(''))}, {describe_sum_unit(game.ruleset.unit)}"
    return f"deal {len(game.deals)}{of} by {game.ruleset.name}: {game.seats[deal.dealer]} deals, {sums}"


# ---- moves
def list_past_lines(game: TableGame) -> Iterator[str]:
    """List what has happened in a deal that is gone on with: exchanges, whole tricks with what was paid."""
    deal = game.deal
    yield from (describe_exchange_line(game, exchange) for exchange in deal.exchange)
    yield from describe_gifts(game)
    table, paid = find_table_turn(game)[0], list[str]()
    for number, (row, taker) in enumerate(zip(deal.tricks, table.takers, strict=False), 1):
        yield f"trick {number}: {describe_row(game.seats, table, row)}; it goes to {game.seats[taker]}"
        lines = list_payment_lines(game, keep_tricks(deal, number))
        yield from (f"  {line}" for line in lines if line not in paid)
        paid = lines


def list_move_lines(before: TableGame, after: TableGame) -> Iterator[str]:
    """List the lines of a move: an exchange, the gifts, or a card, with who takes the trick that it ends."""
    deal, seats = after.deal, after.seats
    yield from (describe_exchange_line(after, exchange) for exchange in deal.exchange[len(before.deal.exchange) :])
    yield from () if before.deal.gifts else describe_gifts(after)
    if deal.tricks != before.deal.tricks:
        card, number = deal.tricks[-1][-1], len(deal.tricks)
        yield f"trick {number}: {seats[deal.holder(card) or 0]} plays {format_card(card)}"
        if len(deal.tricks[-1]) == len(seats):
            yield f"trick {number} goes to {seats[find_table_turn(after)[0].takers[-1]]}"


def describe_gifts(game: TableGame) -> Iterator[str]:
    """Describe what was given across the table: to or by a person the card, else none."""
    for gift in game.deal.gifts:
        shown = format_card(gift.card) if {gift.seat, gift.to} & {*game.persons} else "a card"
        yield f"exchange: {game.seats[gift.seat]} gives {shown} to {game.seats[gift.to]}"


def describe_exchange_line(game: TableGame, exchange: Exchange) -> str:
    """Describe an exchange: of a person's the cards, of another's none."""
    own, who = exchange.seat in game.persons, game.seats[exchange.seat]
    if exchange.out is None:
        return f"exchange: {who} keeps the hand"
    out = format_card(exchange.out) if own else "a card"
    if exchange.taken is None:
        return f"exchange: {who} lays {out} away"
    return f"exchange: {who} lays {out} away and takes {format_card(exchange.taken) if own else 'another'}"


# ---- how everybody stands
def list_standings(game: TableGame, session: Session) -> Iterator[str]:
    """List what all have after the last whole trick, with what they have put in, and which debts wait.

    `session`: as it was before the deal.
    """
    table, known = find_table_turn(game)[0], find_shown_payments(game, game.deal)
    postings = [posting for line in known.lines for posting in line.entry.postings]
    net = compute_balances(postings, game.deal.pool(game.ruleset.source), len(game.seats))
    for seat, name in enumerate(game.seats):
        points = sum(table.values[rank_of(card)] for card in table.taken[seat])
        counts = f"{format_count(table.takers.count(seat), 'trick')}, {format_count(points, 'point')}"
        yield f"{name} so far: {counts}, balance {format_signed_sum(session.accounts[seat] + net[seat])}"
    for debt in list_table_debts(known.settled):
        yield f"waits: {game.seats[debt.seat]} owes for the {debt.words}, led in trick {debt.trick}"


# ---- the money
def find_shown_payments(game: TableGame, deal: Deal) -> KnownPayments:
    """Find the payments that may be shown: where one person plays, only those that he can know of."""
    if len(game.persons) == 1:
        return find_known_payments(deal, game.ruleset, game.persons[0])
    settled = settle_so_far(deal, game.ruleset)
    return KnownPayments(settled, tuple(list_paid_lines(settled)))


def list_new_payment_lines(game: TableGame) -> Iterator[str]:
    """List what the trick just ended has brought, a line for each entry of the ledger, with its clauses."""
    known = list_payment_lines(game, keep_tricks(game.deal, len(game.deal.tricks) - 1))
    return (line for line in list_payment_lines(game, game.deal) if line not in known)


def list_payment_lines(game: TableGame, deal: Deal) -> list[str]:
    """List what is paid so far; what is paid at the end is told at the end."""
    if not deal.tricks:
        return []
    view, sums = settle_game_deal(game, deal)
    shown = {*map(name_line, find_shown_payments(game, deal).lines)}
    entries = zip(view.ledgers[0].entries, sums, strict=True)
    return [format_payment_line(entry, amounts) for entry, amounts in entries if name_line(entry) in shown]


def settle_game_deal(game: TableGame, deal: Deal) -> tuple[DealView, Reckonings]:
    """Settle a deal as far as it is played: the ledger, and how its sums come about."""
    settlement = settle(deal, game.ruleset)
    view = view_settlements(game.library, deal, [settlement])
    return view, list_reckonings(game.library, view.ledgers[0], settlement)


def format_payment_line(entry: LedgerLine, sums: Sequence[str]) -> str:
    """Describe a payment and its clauses in one line; `sums`: how each of its sums comes about."""
    notes = (note if note[:1] in ("", "=") else f"({note})" for note in sums)
    postings = zip(entry.postings, notes, strict=True)
    paid = "; ".join(f"{each.payer} to {each.payee}: {each.amount} {how}".strip() for each, how in postings)
    return f"{entry.sentence}: {paid} ({', '.join(entry.clauses)})"


def print_settlement(talk: Talk, game: TableGame, deal: Deal) -> None:
    """Print the whole ledger; where nobody looks at a screen, after a line with the result."""
    view, sums = settle_game_deal(game, deal)
    talk.space()
    if not talk.is_terminal:
        print_deal_view(talk.screen, view, True, False)
    print_deal_view(talk.screen, view, False, False, [sums])
