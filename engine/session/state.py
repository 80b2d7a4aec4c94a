"""The state of a company between two movements of counters: accounts, pools, and what is remembered of each pool."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.deal.pool import Pool
from engine.readings.meanings.outcome import SeatOrNone
from rulebook.display import format_repr
from rulebook.model import Ruleset


@dataclass(frozen=True, slots=True)
class PoolMemory:
    """A session's memory of the pool of a further privileged card; `Session` has that of the first."""

    owed: tuple[SeatOrNone, ...] = ()
    aside: int = 0
    drawn: bool = False
    put_up: str = ""


@dataclass(frozen=True)
class Session:
    """The state of a session: players, accounts and pool between two payments."""

    ruleset: Ruleset
    seats: tuple[str, ...]  #: in order of play
    dealer: int  #: whose deal it is
    accounts: tuple[int, ...]  #: what each player has won or lost so far, all contributions counted
    pool: Pool
    owed: tuple[SeatOrNone, ...] = ()  #: for each waiting sum, who has still to lay it down; nobody where it lies there
    aside: int = 0  #: what was contributed for this deal and counts from the next one
    last_dealer: SeatOrNone = None  #: who dealt before; nobody before the first deal
    drawn: bool = False  #: the stake was won in the last deal
    put_up: str = ""  #: whether everybody has put in for the coming deal: first, renewed, or not
    again: bool = False  #: the last deal was void, and its dealer deals again
    ready: bool = False  #: the contributions for the coming deal have been made
    deals: int = 0  #: how many deals have been played
    unpaid: tuple[tuple[int, int], ...] = ()  #: for which deal, counted from 1, which seat does not put in what is due
    memories: tuple[PoolMemory, ...] = ()  #: of the further pools, in their order

    def __repr__(self) -> str:
        sums = ", ".join(f"{seat} {sum_}" for seat, sum_ in zip(self.seats, self.accounts, strict=False))
        return format_repr(self, f"by {self.ruleset.name}: {self.deals} deals, {sums}, stake {self.pool.stake}")

    @property
    def laid(self) -> int:
        """All the counters that lie on the table."""
        waiting = sum(w for w, who in zip(self.pool.waiting, self.owed, strict=True) if who is None)
        return self.pool.stake + waiting + self.aside + sum(self.about(card).laid for card in self.cards[1:])

    @property
    def balance(self) -> int:
        """All accounts with the pool; anything but zero would be a counter lost or found."""
        return sum(self.accounts) + self.laid

    @property
    def cards(self) -> tuple[str, ...]:
        """The privileged cards that have a pool; the first is empty, as elsewhere."""
        return ("", *(card for card, _ in self.pool.others))

    def about(self, card: str) -> Session:
        """The same company, as if there were the pool of one privileged card alone."""
        if not card:
            return replace(self, pool=self.pool.with_pools(()), memories=())
        memory = self.memories[self.cards.index(card) - 1]
        pool = self.pool.of(card)
        return replace(
            self, pool=pool, owed=memory.owed, aside=memory.aside, drawn=memory.drawn, put_up=memory.put_up, memories=()
        )

    def with_changes(self, card: str, seen: Session) -> Session:
        """The company when something has been done to the pool of one card; `seen` is what came of `about`."""
        if not card:
            return replace(seen, pool=replace(seen.pool, others=self.pool.others), memories=self.memories)
        others = tuple((name, seen.pool if name == card else pool) for name, pool in self.pool.others)
        memory = PoolMemory(seen.owed, seen.aside, seen.drawn, seen.put_up)
        at = self.cards.index(card) - 1
        memories = (*self.memories[:at], memory, *self.memories[at + 1 :])
        return replace(self, pool=replace(self.pool, others=others), memories=memories)
