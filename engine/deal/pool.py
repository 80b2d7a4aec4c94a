"""The pool: the stake now played for, and what waits beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Pool:
    """The current stake, the sums that wait beside it, oldest first, and whether a supplement was paid."""

    stake: int = 0
    waiting: tuple[int, ...] = ()
    supplements_paid: bool = False
    others: tuple[tuple[str, Pool], ...] = ()  #: the pools of further privileged cards, by card

    @property
    def total(self) -> int:
        """All that lies there."""
        return self.stake + sum(self.waiting) + sum(pool.total for _, pool in self.others)

    def of(self, card: str) -> Pool:
        """The pool of a privileged card; with an empty name this one, the first card's."""
        return dict(self.others).get(card, NO_POOL) if card else self

    def with_pools(self, cards: Iterable[str]) -> Pool:
        """This pool with those of the cards beside it, and no others; empty where nothing is known of one."""
        return replace(self, others=tuple((card, self.of(card)) for card in cards))

    def record(self, full: bool = False) -> dict[str, object]:
        """The pool as records and results write it."""
        plain: dict[str, object] = {"stake": self.stake, "waiting": list(self.waiting)}
        others = {card: pool.record(full) for card, pool in self.others}
        supplements = {"supplements_paid": True} if full and self.supplements_paid else {}
        return plain | supplements | ({"others": others} if others else {})


NO_POOL = Pool()


def _draw(pool: Pool, amount: int, doubles: bool) -> Pool:
    return replace(pool, stake=pool.stake - amount)


def _add(pool: Pool, amount: int, doubles: bool) -> Pool:
    return replace(pool, stake=pool.stake + amount)


def _wait(pool: Pool, amount: int, doubles: bool) -> Pool:
    """A sum of its own beside the stake; to match an empty stake is to put in nothing."""
    return replace(pool, waiting=(*pool.waiting, amount)) if amount else pool


def _supplement(pool: Pool, amount: int, doubles: bool) -> Pool:
    """The first supplement doubles the only pool there is; a later one is a new pool, and the newest is played for."""
    if doubles and not pool.waiting:
        return _add(pool, amount, doubles)
    return replace(_wait(pool, pool.stake, doubles), stake=amount) if amount else pool


#: What can be done to the pool; the amount passes between the pool and a player.
OPERATIONS: Mapping[str, Callable[[Pool, int, bool], Pool]] = {
    "draw": _draw,
    "draw-all": lambda pool, amount, doubles: replace(pool, stake=pool.stake + sum(pool.waiting) - amount, waiting=()),
    "add": _add,
    "wait": _wait,
    "supplement": _supplement,
}


def apply_operations_to_pool(pool: Pool, operations: Iterable[tuple[str, int]], doubles: bool, moves_up: bool) -> Pool:
    """Apply to the pool what a deal does to it, in order.

    Then the newest waiting pool may move up.
    """
    for operation, amount in operations:
        pool = OPERATIONS[operation](pool, amount, doubles)
    if moves_up and pool.stake == 0 and pool.waiting:
        pool = replace(pool, stake=pool.waiting[-1], waiting=pool.waiting[:-1])
    return pool
