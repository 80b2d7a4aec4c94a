"""The ledger: entries with the questions they rest on, postings between seats and the pool, balances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.cards import spell_card
from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.readings.meanings.stake import POOL_ACCOUNT
from rulebook.display import format_repr
from rulebook.strings import quote_value

Account: TypeAlias = "int | str"  #: a seat's number, or "pool"


@dataclass(frozen=True, slots=True)
class Money:
    """A sum in counters: plain ones, multiples of the stake before play, multiples of all that waited."""

    plain: int = 0
    stakes: int = 0
    waiting: int = 0
    among: int = 1  #: it is one of so many equal parts; what cannot be divided is left over
    limit_from: int = 0  #: a stake of so much or more counts as `limit`; 0: never
    limit: int = 0

    def times(self, n: int) -> Money:
        """The same n times; no limit is left on nothing."""
        if n == 0:
            return NO_MONEY
        return replace(self, plain=self.plain * n, stakes=self.stakes * n, waiting=self.waiting * n)

    def counted(self, pool: Pool) -> int:
        """The sum in smallest units, the pool being what it is."""
        stake = min(self.limit, pool.stake) if 0 < self.limit_from <= pool.stake else pool.stake
        return (self.plain + self.stakes * stake + self.waiting * sum(pool.waiting)) // self.among


ONE_STAKE = Money(0, 1)
NO_MONEY = Money()


@dataclass(frozen=True, slots=True)
class Posting:
    """Counters that pass from one account to another; `operation` says what that does to the pool."""

    payer: Account
    payee: Account
    money: Money
    operation: str = ""
    undoes: bool = False  #: it gives back a payment of the same deal
    pool: str = ""  #: the privileged card whose pool it means; empty: the first card's

    def counted(self, pool: Pool) -> int:
        """The sum in smallest units, the pools being what they are."""
        return self.money.counted(pool.of(self.pool))

    def back(self) -> Posting:
        """The same counters given back."""
        return replace(self, payer=self.payee, payee=self.payer, undoes=True)


@dataclass(frozen=True, slots=True)
class Entry:
    """Ledger entry: one rule applied to one fact.

    Its postings, or none where nobody pays, and the questions that decided it.
    """

    rule: str
    fact: Fact
    name: str  #: the fact as the source calls it: quinola-forced, partie ...
    postings: tuple[Posting, ...]
    asked: tuple[str, ...]
    reason: str = (
        ""  #: why nothing is paid, one of engine.settlement.nonpayment.NONPAYMENT_REASONS; empty where something is
    )
    by: str = ""  #: the question whose answer decides that nothing is paid; empty where no single one does
    rule_reason: str = ""  #: in a reckoning, where the reason is that the answer was supplied: what the rule gave

    def __repr__(self) -> str:
        when = f", trick {self.fact.trick}" if self.fact.trick else ""
        card = f", {spell_card(self.fact.card)}" if self.fact.card is not None else ""
        return format_repr(self, f"{self.name}{when}{card}: {self.reason or f'paid by {len(self.postings)}'}")


def name_ledger_account(deal: Deal, number: Account) -> str:
    """Name an account: a seat, or the pool."""
    return deal.seats[number] if isinstance(number, int) else number


def format_entry(entry: Entry, deal: Deal, before: Pool) -> str:
    """Format an entry: trick, event, the rule where it is another, and who pays whom, or why nothing is paid."""
    when = "End" if entry.fact.trick is None else f"Trick {entry.fact.trick}"
    card = "" if entry.fact.card is None else f" {spell_card(entry.fact.card)}"
    rule = "" if entry.name.endswith(entry.rule) else f" ({entry.rule.replace('-', ' ')})"
    paid = ", ".join(format_postings(entry, deal, before))
    why = f"nothing ({entry.reason.replace('-', ' ')})" if entry.reason else "nothing"
    return f"{when}, {entry.name.replace('-', ' ')}{card}{rule}: {paid or why}"


def format_postings(entry: Entry, deal: Deal, before: Pool) -> Iterator[str]:
    """Format each payment of an entry: east to west 40."""
    for posting in entry.postings:
        if amount := posting.counted(before):
            payer, payee = (name_ledger_account(deal, who) for who in (posting.payer, posting.payee))
            yield f"{payer} to {payee} {amount}"


def list_pool_operations(postings: Iterable[Posting], pool: Pool, card: str = "") -> list[tuple[str, int]]:
    """List the net operations on the pool of a privileged card: draws first, then what is put in.

    What was given back counts as not having happened.
    """
    done: Counter[tuple[str, int]] = Counter()
    for posting in postings:
        if posting.operation and posting.pool == card:
            done[posting.operation, posting.counted(pool)] += -1 if posting.undoes else 1
    net = (operation for operation, n in done.items() for _ in range(n))
    return sorted(net, key=lambda operation: operation[0] not in ("draw", "draw-all"))


class Balances(dict[Account, int]):
    """Gains and losses of the seats and the pool: by a seat's number, and as well by its name."""

    def __init__(self, seats: Sequence[str], sums: Mapping[Account, int]) -> None:
        super().__init__(sums)
        self.seats = tuple(seats)

    @property
    def by_name(self) -> dict[str, int]:
        """The same under the names of the seats."""
        return {self.seats[who] if isinstance(who, int) else who: amount for who, amount in self.items()}

    def __missing__(self, name: Account) -> int:
        """Return the sum of a seat by its name. Raises KeyError, a hint with it."""
        if name in self.seats:
            return self[self.seats.index(str(name))]
        raise KeyError(f"no account {quote_value(name)}: {', '.join(self.by_name)}, or a seat's number")

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self.seats

    def get(self, name, default=None):  # type: ignore[no-untyped-def]
        """Return a sum by number or name, or the default."""
        return self[name] if name in self else default  # noqa: SIM401 (this is `get`)


def compute_balances(postings: Iterable[Posting], pool: Pool, seats: int) -> Mapping[Account, int]:
    """Compute what each seat and the pool have gained or lost; the sum is zero."""
    net: dict[Account, int] = dict.fromkeys([*range(seats), POOL_ACCOUNT], 0)
    for posting in postings:
        amount = posting.counted(pool)
        net[posting.payer] -= amount
        net[posting.payee] += amount
    return net
