"""The joint ledger of a deal: one ledger whose columns are the sources.

`build_joint_ledger(view)` takes a settled deal (`DealView`) and returns its events, in the order of the play: before
it, trick by trick, at the end. The columns are those of `view.ledgers`.

- `event.step` is "before", the number of a trick, or "end"; `words` say what happened, without the payment ("east's
  quinola is forced"), in the first column's term, and in all terms where the sources name it differently. An event
  stands once for all sources whose ledgers have it.
- `event.rows`: a `JointRow` for each pair of accounts between which any source lets counters pass: `payer`, `payee` and
  `cells`, one for each column. Where no source lets anybody pay (`event.paid` is False), there is one row with both of
  them empty.
- A `JointCell` has `state` and `amount`. `state`:
    "paid"     the source pays this: `amount` is the sum of every posting between the two;
    "nothing"  its ledger has the event, and nothing passes between these two;
    "absent"   its ledger does not have the event at all: under its rules there is nothing to pay for it;
    "refused"  it refuses the deal; "silent": it does not say how to go on. So in every row of such a column.
- `event.lines`: the lines of each column that tell of the event, for whoever prints reasons beside the sums.

`list_joint_balances(view)` yields the totals. Amounts are in the unit of their column, and comparable only in
smallest units one to one. `row.differs` is true where the settled columns do not all say the same sum ("nothing" and
"absent" are the same sum). Every posting of every settled ledger stands in exactly one cell, and the sum of a column
over all rows is that source's balance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from reversis.words.deal_views import DealView
from reversis.words.events import CARD_EVENT_PHRASES
from reversis.words.ledgers import LedgerLine, LedgerView
from rulebook.phrases import join_names

_EventKey: TypeAlias = tuple[str, str, int | None, str]


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

    step: str  #: before | number of a trick | end
    words: str
    rows: tuple[JointRow, ...]
    lines: tuple[tuple[LedgerLine, ...], ...]  #: of each column

    @property
    def paid(self) -> bool:
        """True if any source lets anybody pay for it."""
        return bool(self.rows[0].payer)


def build_joint_ledger(view: DealView) -> tuple[JointEvent, ...]:
    """Build the joint ledger of a deal; the module's docstring describes it."""
    return tuple(_build_event(view.ledgers, key) for key in _order_events(view.ledgers))


def list_joint_balances(view: DealView) -> Iterator[tuple[str, tuple[int | None, ...]]]:
    """Yield what each account gains or loses under each source; None where that settles nothing."""
    nets = [dict(ledger.net) for ledger in view.ledgers]
    yield from ((who, tuple(net.get(who) for net in nets)) for who in (*view.seats, "pool"))


# ---- events
def _key_event(line: LedgerLine) -> _EventKey:
    """Key that lines about the same event share: by the card where it is about one, else by what happened."""
    return line.step, line.entry.rule, line.entry.fact.trick, line.card or line.headline


def _order_events(ledgers: Sequence[LedgerView]) -> list[_EventKey]:
    """Merge the events of all ledgers: in order of time, and within it as the ledgers have them."""
    merged: list[_EventKey] = []
    for ledger in ledgers:
        after = 0
        for key in dict.fromkeys(map(_key_event, ledger.entries)):
            if key not in merged:
                merged.insert(after, key)
            after = max(after, merged.index(key) + 1)
    ranks = {"before": 0, "end": 1_000}
    return sorted(merged, key=lambda key: ranks[key[0]] if key[0] in ranks else int(key[0]))


def _build_event(ledgers: Sequence[LedgerView], key: _EventKey) -> JointEvent:
    lines = tuple(tuple(line for line in ledger.entries if _key_event(line) == key) for ledger in ledgers)
    whole = [line for column in lines for line in column]
    pairs = dict.fromkeys((str(p.payer), str(p.payee)) for line in whole for p in line.postings) or {("", ""): None}
    rows = (JointRow(*pair, tuple(_build_cells(ledgers, lines, pair))) for pair in pairs)
    return JointEvent(key[0], _join_headlines(whole), tuple(rows), lines)


def _join_headlines(lines: Sequence[LedgerLine]) -> str:
    """Event in words; the terms of all sources where they name differently what befell the card."""
    first = min(lines, key=lambda line: len(line.headline))  # a source with two quinolas has longer names for them
    terms = list(dict.fromkeys(line.card_event for line in lines if line.card_event))
    if len(terms) < 2:
        return first.headline
    alike = dict.fromkeys(_PLAYED_PHRASE if term in _OWN_SUIT_PHRASES else term for term in terms)
    return first.headline.replace(first.card_event, join_names(list(alike)).replace(" and ", " or "))


#: what differs here is whether the player was free to do so, which the sources' own ledgers say
_PLAYED_PHRASE = CARD_EVENT_PHRASES["followed"]
_OWN_SUIT_PHRASES = (CARD_EVENT_PHRASES["put"], _PLAYED_PHRASE)


def _build_cells(
    ledgers: Sequence[LedgerView], lines: Iterable[Sequence[LedgerLine]], pair: tuple[str, str]
) -> Iterator[JointCell]:
    for ledger, own in zip(ledgers, lines, strict=True):
        amounts = [p.amount for line in own for p in line.postings if (p.payer, p.payee) == pair]
        known = "paid" if amounts else "nothing" if own else "absent"
        yield JointCell(known if ledger.state == "settled" else ledger.state, sum(amounts))
