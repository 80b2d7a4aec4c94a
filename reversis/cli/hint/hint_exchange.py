"""A hint before play: which card to lay away, or to give across the table.

No search looks ahead from there: a net answers, and where there is none, caution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import click
from rich.table import Table
from rich.text import Text

from edition.cli import output
from engine.cards import format_card, format_cards
from engine.deal.model import Deal
from engine.generation.at_table import find_exchange_turn
from engine.generation.turn import list_table_shapes
from engine.generation.wishes import Sketch
from engine.play.table import find_quinolas
from engine.players.cautious import choose_cautious_discard
from engine.players.nets import NetWorth, find_net
from engine.readings.ask import Ask
from reversis.cli.net_limits import NET_GUESS, describe_behind, describe_net_limits, dump_net_worth
from reversis.files.positions import PositionRecord, restore_deal
from reversis.table.offers import KEPT_HAND, ExchangeQuestion, list_gift_questions, weigh_exchange
from reversis.words.ledgers import pool_words
from rulebook.model import Ruleset
from rulebook.phrases import describe_sum_unit

BY_CAUTION = "as a cautious player would; there is no net for this table"


def find_exchange_question(ruleset: Ruleset, position: PositionRecord, seat: str) -> ExchangeQuestion | None:
    """Find whose turn it is before play; None where the exchange is over. Raises click.ClickException, Silent."""
    if not is_before_play(ruleset, position.record):
        return None
    deal, ask = restore_deal(position), Ask(ruleset)
    if turn := find_exchange_turn(deal, ask):
        name = deal.seats[turn.seat]
        if seat and seat != name:
            raise click.ClickException(f"The cards are being exchanged, and it is {name}'s turn: leave out --seat.")
        return ExchangeQuestion(ruleset, deal, turn.seat, turn.legal, turn.may_keep)
    if deal.dealer not in {exchange.seat for exchange in deal.exchange}:
        return None  # of a record that lists no exchange nobody can tell whether its gifts are made
    gifts = list_gift_questions(ruleset, deal)
    return next((gift for gift in gifts if seat in ("", deal.seats[gift.seat])), None)


def is_before_play(ruleset: Ruleset, record: Deal | Sketch | None) -> bool:
    """Check that all cards are dealt at a table of these rules, and none is played."""
    if not isinstance(record, Sketch) or record.dealer is None or any(filter(None, record.tricks)):
        return False
    sizes = [len(record.hands.get(seat, ())) for seat in range(len(record.seats))]
    hand = min(sizes, default=0)
    known = {(shape.players, shape.pack, shape.hand) for shape in list_table_shapes(ruleset)}
    others = sizes[: record.dealer] + sizes[record.dealer + 1 :]
    whole = {*others} == {hand} and sizes[record.dealer] - hand in (0, 1)
    return whole and (len(sizes), record.pack or 48, hand) in known


def show_exchange_hint(asked: ExchangeQuestion, seed: int, form: str) -> None:
    """Print what to lay away or to give, and what each card is worth by a net; without a net, what caution says."""
    worths = weigh_exchange(asked)
    cautious = choose_cautious_discard(Random(seed), asked.legal, find_quinolas(Ask(asked.ruleset)))
    card = worths[0].card if worths else cautious
    if form == "json":
        output.print_json(dump_exchange_hint(asked, worths, card))
    else:
        print_exchange_hint(asked, worths, card)


def dump_exchange_hint(asked: ExchangeQuestion, worths: Sequence[NetWorth], card: int) -> dict[str, object]:
    """Return a hint before play as plain data; a card that is null keeps the hand."""
    return {
        "deal": asked.deal.id,
        "source": asked.ruleset.source,
        "ruleset": asked.ruleset.name,
        "seat": asked.deal.seats[asked.seat],
        "before_play": "lay away" if asked.to is None else "give",
        "card": None if card == KEPT_HAND else format_card(card),
        "unit": asked.ruleset.unit,
        "pool": asked.pool.record(),
        "by": "net" if worths else "caution",
        "limits": list_offer_limits(asked) if worths else [],
        "cards": [
            {"card": None if worth.card == KEPT_HAND else format_card(worth.card), **dump_net_worth(worth)}
            for worth in worths
        ],
    }


def print_exchange_hint(asked: ExchangeQuestion, worths: Sequence[NetWorth], card: int) -> None:
    """Print what to lay away or to give, and why."""
    screen = output.make_console()
    head = f"{asked.ruleset.name}  {asked.deal.id}: {asked.words}, {pool_words(asked.pool)}"
    output.print_lines(screen, [head], "bold")
    output.print_lines(screen, [f"hand: {' '.join(format_cards(asked.deal.hands[asked.seat]))}"])
    does = "Keep the hand" if card == KEPT_HAND else f"{'Lay away' if asked.to is None else 'Give'} {format_card(card)}"
    if not worths:
        output.print_lines(screen, [f"{does}.  ({BY_CAUTION})"])
        return
    screen.print(build_net_table(worths, format_offer))
    sums = describe_sum_unit(asked.ruleset.unit)
    output.print_lines(screen, [f"{does}.  ({sums}; guessed by a net)", *list_offer_limits(asked)])


def list_offer_limits(asked: ExchangeQuestion) -> list[str]:
    """List what the net cannot tell, and for what else it was made."""
    net = find_net(asked.ruleset, len(asked.deal.seats), asked.deal.pack)
    limits = describe_net_limits(asked.ruleset, asked.pool.stake, net) if net else ()
    return [NET_GUESS, *limits]


def build_net_table(worths: Sequence[NetWorth], name: Callable[[int], str] = format_card) -> Table:
    """Build the table of what a net chooses among, the best first."""
    table = output.make_table("card", f"beside {name(worths[0].card)}")
    for worth in worths:
        table.add_row(*map(Text, (name(worth.card), describe_behind(worth, worths[0]))))
    return table


def format_offer(card: int) -> str:
    """Format a card that may be laid away, or the word for none."""
    return "nothing" if card == KEPT_HAND else format_card(card)
