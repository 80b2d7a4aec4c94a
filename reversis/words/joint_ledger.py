"""The joint ledger of a deal: one ledger whose columns are the sources.

`build_joint_ledger(view)` takes a settled deal (`DealView`) and returns a `JointLedger`. Its parts, in the order of
printing them:

- `columns`: a `JointColumn` for each source, in the order of `view.ledgers`. `source` (siglum), `ruleset` (differs from
  it where the reader wished another answer), `title`, `unit` of its sums, `state` ("settled", "refused" or "silent").
  Settled: `pool_before`, `pool_after` ("stake 60; waiting 20") and `outcome` (sentences). Refused or silent: `why`, in
  one or several sentences, and `clauses`, ids on which the refusal rests.
- `accounts` and `balances`: the totals. `balances[i]` is a `JointBalance`: its `account` (a seat, or "pool" last) and
  `amounts`, one for each column: gain or loss, None where the column settles nothing.
- `events`: a `JointEvent` for each thing that happened, in the order of the play: before it, trick by trick, at the
  end. `step` is "before", the number of a trick, or "end"; `words` say what happened, without the payment ("east's
  quinola is forced"), in the first column's term, and in all terms where the sources name it differently; `card` is the
  card's short name or empty. An event stands once for all sources whose ledgers have it.
- `event.rows`: a `JointRow` for each pair of accounts between which any source lets counters pass: `payer`, `payee` and
  `cells`, one for each column. Where no source lets anybody pay (`event.paid` is False), there is one row with both of
  them empty.
- A `JointCell` has `state` and `amounts`. `state`:
    "paid"     the source pays this: `amounts` holds every posting between the two (mostly one), `amount` is their sum;
    "nothing"  its ledger has the event, and nothing passes between these two;
    "absent"   its ledger does not have the event at all: under its rules there is nothing to pay for it;
    "refused"  it refuses the deal; "silent": it does not say how to go on. So in every row of such a column.
- `event.entries`: the entries of each column that tell of the event (`EntryView`s with sentence and clauses, mostly one
  or none), for whoever prints reasons beside the sums.

Amounts are in the unit of their column, and comparable only in smallest units one to one. `row.differs` and
`balance.differs` are true where the settled columns do not all say the same sum ("nothing" and "absent" are the same
sum).

Every posting of every settled ledger stands in exactly one cell, and the sum of a column over all rows is that source's
balance. The record holds words and sums only, with the sources' sigla; names and colours are found by whoever shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from reversis.words.deal_views import DealView
from reversis.words.events import CARD_EVENT_PHRASES
from reversis.words.ledgers import EntryView, LedgerView
from rulebook.phrases import join_names

_EventKey: TypeAlias = tuple[str, str, int | None, str]


@dataclass(frozen=True, slots=True)
class JointColumn:
    """One source, and what it makes of the deal as a whole."""

    source: str
    ruleset: str
    title: str
    unit: str
    state: str  #: settled | refused | silent
    why: str = ""  #: why it settles nothing
    clauses: tuple[str, ...] = ()  #: on which a refusal rests
    pool_before: str = ""
    pool_after: str = ""
    outcome: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JointCell:
    """Counters that pass between two accounts under one source."""

    state: str  #: paid | nothing | absent | refused | silent
    amounts: tuple[int, ...] = ()

    @property
    def amount(self) -> int:
        """Sum of the postings."""
        return sum(self.amounts)

    @property
    def settled(self) -> bool:
        """True if the source settles the deal."""
        return self.state in ("paid", "nothing", "absent")


@dataclass(frozen=True, slots=True)
class JointRow:
    """One pair of accounts in one event, with a cell for each source."""

    payer: str  #: empty, as the payee is, where nobody pays
    payee: str
    cells: tuple[JointCell, ...]

    @property
    def differs(self) -> bool:
        """True if the sources do not all pay the same."""
        return len({cell.amount for cell in self.cells if cell.settled}) > 1


@dataclass(frozen=True, slots=True)
class JointEvent:
    """Something that happened, with all that is paid for it."""

    step: str  #: before | number of a trick | end
    words: str
    card: str
    rows: tuple[JointRow, ...]
    entries: tuple[tuple[EntryView, ...], ...]  #: of each column

    @property
    def paid(self) -> bool:
        """True if any source lets anybody pay for it."""
        return bool(self.rows[0].payer)


@dataclass(frozen=True, slots=True)
class JointBalance:
    """Gain or loss of one account under each source; None where it settles nothing."""

    account: str
    amounts: tuple[int | None, ...]

    @property
    def differs(self) -> bool:
        """True if the sources do not all come to the same."""
        return len({one for one in self.amounts if one is not None}) > 1


@dataclass(frozen=True, slots=True)
class JointLedger:
    """One ledger for all sources."""

    deal: str
    columns: tuple[JointColumn, ...]
    events: tuple[JointEvent, ...]
    balances: tuple[JointBalance, ...]

    @property
    def accounts(self) -> tuple[str, ...]:
        """The seats in order of play, and the pool."""
        return tuple(one.account for one in self.balances)


def build_joint_ledger(view: DealView) -> JointLedger:
    """Build the joint ledger of a deal; the module's docstring describes the record."""
    nets = [dict(one.net) for one in view.ledgers]
    return JointLedger(
        view.id,
        tuple(map(_build_column, view.ledgers)),
        tuple(_build_event(view.ledgers, key) for key in _order_events(view.ledgers)),
        tuple(JointBalance(who, tuple(net.get(who) for net in nets)) for who in (*view.seats, "pool")),
    )


def _build_column(one: LedgerView) -> JointColumn:
    why = "; ".join(r.message for r in one.refusals) or (one.silence.message if one.silence else "")
    clauses = tuple(dict.fromkeys(id for r in one.refusals for id in r.clauses))
    return JointColumn(
        one.source,
        one.ruleset,
        one.title,
        one.unit,
        one.state,
        why,
        clauses,
        one.pool_before,
        one.pool_after,
        one.outcome,
    )


# ---- events
def _key_event(entry: EntryView) -> _EventKey:
    """Key that entries about the same event share: by the card where it is about one, else by what happened."""
    return entry.step, entry.rule, entry.trick, entry.card or entry.headline


def _order_events(ledgers: Sequence[LedgerView]) -> list[_EventKey]:
    """Merge the events of all ledgers: in order of time, and within it as the ledgers have them."""
    merged: list[_EventKey] = []
    for ledger in ledgers:
        after = 0
        for key in dict.fromkeys(map(_key_event, ledger.entries)):
            if key not in merged:
                merged.insert(after, key)
            after = max(after, merged.index(key) + 1)
    return sorted(merged, key=_rank_step)


def _rank_step(key: _EventKey) -> int:
    step = key[0]
    return int(step) if step.isdigit() else {"before": 0}.get(step, 1_000)


def _build_event(ledgers: Sequence[LedgerView], key: _EventKey) -> JointEvent:
    entries = tuple(tuple(e for e in one.entries if _key_event(e) == key) for one in ledgers)
    found = [entry for column in entries for entry in column]
    pairs = dict.fromkeys((p.payer, p.payee) for entry in found for p in entry.postings) or {("", ""): None}
    rows = (JointRow(*pair, tuple(_build_cells(ledgers, entries, *pair))) for pair in pairs)
    return JointEvent(key[0], _join_headlines(found), found[0].card, tuple(rows), entries)


def _join_headlines(entries: Sequence[EntryView]) -> str:
    """Event in words; the terms of all sources where they name differently what befell the card."""
    first = min(entries, key=lambda one: len(one.headline))  # a source with two quinolas has longer names for them
    terms = list(dict.fromkeys(e.card_event for e in entries if e.card_event))
    if len(terms) < 2:
        return first.headline
    alike = dict.fromkeys(_PLAYED_PHRASE if term in _OWN_SUIT_PHRASES else term for term in terms)
    return first.headline.replace(first.card_event, join_names(list(alike)).replace(" and ", " or "))


#: what differs here is whether the player was free to do so, which the sources' own ledgers say
_PLAYED_PHRASE = CARD_EVENT_PHRASES["followed"]
_OWN_SUIT_PHRASES = (CARD_EVENT_PHRASES["put"], _PLAYED_PHRASE)


def _build_cells(
    ledgers: Sequence[LedgerView], entries: Iterable[Sequence[EntryView]], payer: str, payee: str
) -> Iterator[JointCell]:
    for ledger, told in zip(ledgers, entries, strict=True):
        amounts = tuple(p.amount for e in told for p in e.postings if (p.payer, p.payee) == (payer, payee))
        known = "nothing" if told else "absent"
        yield JointCell(ledger.state if ledger.state != "settled" else "paid" if amounts else known, amounts)
