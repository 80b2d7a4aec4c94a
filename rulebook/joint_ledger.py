"""The joint ledger of one case by several rulesets: one ledger whose columns are the sources.

`join_ledgers(ledgers, name_event)` returns its events in order: before, step by step, at the end.

- `event.step` is "before", a number, or "end"; `words` say what happened, without the payment. An event stands once for
  all sources whose ledgers have it: a line tells by its `key` of which event it is, and `name_event` names it.
- `event.rows`: a `JointRow` for each pair of accounts between which any source lets counters pass: `payer`, `payee` and
  `cells`, one for each column. Where no source lets anybody pay (`event.paid` is False), there is one row with both of
  them empty.
- A `JointCell` has `state` and `amount`. `state`:
    "paid"     the source pays this: `amount` is the sum of every posting between the two;
    "nothing"  its ledger has the event, and nothing passes between these two;
    "absent"   its ledger does not have the event at all: under its rules there is nothing to pay for it;
    "refused"  it refuses the case; "silent": it does not say how to go on. So in every row of such a column.
- `event.lines`: the lines of each column that tell of the event, for whoever prints reasons beside the sums.

`list_joint_balances(view)` yields the totals. Amounts are in the unit of their column, and comparable only in
smallest units one to one. `row.differs` is true where the settled columns do not all say the same sum ("nothing" and
"absent" are the same sum). Every posting of every settled ledger stands in exactly one cell, and the sum of a column
over all rows is that source's balance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

EventKey = tuple[Any, ...]  #: first the step


class JointPosting(Protocol):
    """Counters that pass from one account to another."""

    @property
    def payer(self) -> str:
        """Account that pays."""

    @property
    def payee(self) -> str:
        """Account that is paid."""

    @property
    def amount(self) -> int:
        """Number of counters."""


class JointLine(Protocol):
    """Line of a ledger that is joined with others."""

    @property
    def key(self) -> EventKey:
        """Key that lines about the same event share; its step comes first."""

    @property
    def postings(self) -> Sequence[JointPosting]:
        """Payments of the line."""


class JointColumn(Protocol):
    """Ledger of one source that is joined with others."""

    @property
    def state(self) -> str:
        """State: settled, refused or silent."""

    @property
    def unit(self) -> str:
        """Counter of its sums."""

    @property
    def entries(self) -> Sequence[Any]:
        """Its lines, each a `JointLine`, in order."""

    @property
    def net(self) -> Sequence[tuple[str, int]]:
        """Gain or loss of each account."""


class JointView(Protocol):
    """Case with the ledgers of several sources."""

    @property
    def seats(self) -> Sequence[str]:
        """Accounts besides the pool."""

    @property
    def ledgers(self) -> Sequence[JointColumn]:
        """The ledgers."""


class JointCell(NamedTuple):
    """Counters that pass between two accounts under one source."""

    state: str  #: paid | nothing | absent | refused | silent
    amount: int


@dataclass(frozen=True, slots=True)
class JointRow:
    """One pair of accounts in one event, with a cell for each source."""

    payer: str  #: empty, as the payee is, where nobody pays
    payee: str
    cells: tuple[JointCell, ...]

    @property
    def differs(self) -> bool:
        """True if the sources do not all pay the same."""
        return len({cell.amount for cell in self.cells if cell.state in ("paid", "nothing", "absent")}) > 1


@dataclass(frozen=True, slots=True)
class JointEvent:
    """Something that happened, with all that is paid for it."""

    step: str  #: before | a number | end
    words: str
    rows: tuple[JointRow, ...]
    lines: tuple[tuple[Any, ...], ...]  #: of each column

    @property
    def paid(self) -> bool:
        """True if any source lets anybody pay for it."""
        return bool(self.rows[0].payer)


def join_ledgers(ledgers: Sequence[JointColumn], name_event: Callable[[Sequence[Any]], str]) -> tuple[JointEvent, ...]:
    """Join the ledgers of a case; the module's docstring describes what comes of it."""
    return tuple(_build_event(ledgers, key, name_event) for key in _order_events(ledgers))


def list_joint_balances(view: JointView) -> Iterator[tuple[str, tuple[int | None, ...]]]:
    """Yield what each account gains or loses under each source; None where that settles nothing."""
    nets = [dict(ledger.net) for ledger in view.ledgers]
    yield from ((who, tuple(net.get(who) for net in nets)) for who in (*view.seats, "pool"))


def _order_events(ledgers: Sequence[JointColumn]) -> list[EventKey]:
    """Merge the events of all ledgers: in order of time, and within it as the ledgers have them."""
    merged: list[EventKey] = []
    for ledger in ledgers:
        after = 0
        for key in dict.fromkeys(line.key for line in ledger.entries):
            if key not in merged:
                merged.insert(after, key)
            after = max(after, merged.index(key) + 1)
    ranks = {"before": 0, "end": 1_000}
    return sorted(merged, key=lambda key: ranks[key[0]] if key[0] in ranks else int(key[0]))


def _build_event(
    ledgers: Sequence[JointColumn], key: EventKey, name_event: Callable[[Sequence[Any]], str]
) -> JointEvent:
    lines = tuple(tuple(line for line in ledger.entries if line.key == key) for ledger in ledgers)
    whole = [line for column in lines for line in column]
    pairs = dict.fromkeys((str(p.payer), str(p.payee)) for line in whole for p in line.postings) or {("", ""): None}
    rows = (JointRow(*pair, tuple(_build_cells(ledgers, lines, pair))) for pair in pairs)
    return JointEvent(key[0], name_event(whole), tuple(rows), lines)


def _build_cells(
    ledgers: Sequence[JointColumn], lines: Iterable[Sequence[JointLine]], pair: tuple[str, str]
) -> Iterator[JointCell]:
    for ledger, own in zip(ledgers, lines, strict=True):
        amounts = [p.amount for line in own for p in line.postings if (p.payer, p.payee) == pair]
        known = "paid" if amounts else "nothing" if own else "absent"
        yield JointCell(known if ledger.state == "settled" else ledger.state, sum(amounts))
