"""One piece of a survey, and any single deal of it as a record."""

from __future__ import annotations

from engine.dealing import Shape, random_deal
from engine.deals import Deal
from engine.survey import readable
from engine.survey.order import Order, Table
from engine.survey.tally import Tally
from rulebook.model import Library


def piece(order: Order, library: Library, chunk: int) -> Tally:
    """What one piece of an order comes to; it depends on nothing but the order, the sources and its number."""
    return readable.tally(
        order, library, lambda table, number: deal_of(order, library, table, number), order.numbers(chunk)
    )


def deal_of(order: Order, library: Library, table: Table, number: int) -> Deal:
    """The deal of that number as it was dealt, exchanged and played at that table."""
    own = readable.bound(library, table.rules)
    return random_deal(own, f"{order.seed}-{number}", Shape(4, 48, 11, 4))  # PLACEHOLDER: the compiled path comes here
