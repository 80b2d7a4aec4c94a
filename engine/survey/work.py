"""One piece of a survey, and any single deal of it as a record."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.dealing import Shape, random_deal
from engine.deals import Deal
from engine.settle import Settled, settle
from engine.survey import readable
from engine.survey.order import ACCOUNTS, UNSETTLED, Order, Table
from engine.survey.tally import Tally
from rulebook.model import Library

Nets: TypeAlias = npt.NDArray[np.int32]  #: [deals of the piece, tables, ACCOUNTS]


def piece(order: Order, library: Library, chunk: int) -> Tally:
    """What one piece of an order comes to; it depends on nothing but the order, the sources and its number."""
    return readable.tally(
        order, library, lambda table, number: deal_of(order, library, table, number), order.numbers(chunk)
    )


def nets(order: Order, library: Library, chunk: int) -> Nets:
    """What every account wins or loses, deal by deal and table by table, under the table's own rules.

    The deals of the piece in their order, `order.tables` in theirs; the eldest first, the dealer, then the pool. A deal
    on which the table's own rules are silent has UNSETTLED in all five places.
    """
    rows = [[net_of(order, library, table, number) for table in order.tables] for number in order.numbers(chunk)]
    return np.array(rows, dtype=np.int32).reshape(len(rows), len(order.tables), ACCOUNTS)


def net_of(order: Order, library: Library, table: Table, number: int) -> tuple[int, ...]:
    """The sums of one deal at one table."""
    found = settle(deal_of(order, library, table, number), readable.bound(library, table.rules))
    return readable.sums(found.net) if isinstance(found, Settled) else (UNSETTLED,) * ACCOUNTS


def deal_of(order: Order, library: Library, table: Table, number: int) -> Deal:
    """The deal of that number as it was dealt, exchanged and played at that table."""
    own = readable.bound(library, table.rules)
    deal = random_deal(own, f"{order.seed}-{number}", Shape(4, 48, 11, 4))  # PLACEHOLDER: the compiled path comes here
    return replace(deal, pools={"": readable.opening(own, deal.seats)})
