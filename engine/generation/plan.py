"""A plan for a deal that is wished: who holds which cards, who may take which trick, which card falls when.

It is only a way to get there: whether the deal has what is wished is seen when it has been played.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.cards import parse_card_name

ACE_CARDS = tuple(parse_card_name(f"A{suit}") for suit in "SHDC")


class Lost(Exception):
    """The lot fell so that it cannot be as wished; lay out another deal."""


class Impossible(Lost):
    """It cannot be as wished at such a table, however the lot falls."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A card that is to be played in a certain trick by a certain player, and how."""

    card: int
    seat: int
    trick: int
    manner: str = ""  #: led | followed | thrown-off; empty: anyhow


@dataclass
class Plan:
    """One way in which it may come about; the lot fills it in step by step."""

    players: int
    last: int
    eldest: int
    held: dict[int, int] = field(default_factory=dict)  #: card -> who holds it, or ASIDE
    without: dict[int, set[int]] = field(default_factory=dict)  #: seat -> suits of which he has no other card
    takers: dict[int, frozenset[int]] = field(default_factory=dict)  #: trick -> who may take it
    aims: list[Aim] = field(default_factory=list)
    claims: dict[int, bool] = field(default_factory=dict)
    holder: int | None = None  #: who is to use the privilege of his hand
    winner: int | None = None  #: who is to win the partie, and keeps out of the tricks as far as he may

    def may_take(self, number: int) -> frozenset[int]:
        """Return the seats that may take a trick."""
        return self.takers.get(number) or frozenset(range(self.players))

    def takes(self, number: int, seats: Iterable[int]) -> None:
        """Only these may take a trick. Raises Lost where that leaves nobody."""
        left = self.may_take(number) & frozenset(seats)
        if not left:
            raise Lost("the trick would have to be taken by two players")
        self.takers[number] = left

    def never(self, seat: int, numbers: Iterable[int]) -> None:
        """He takes none of these tricks."""
        for number in numbers:
            self.takes(number, set(range(self.players)) - {seat})

    def hold(self, number: int, place: int) -> None:
        """A card is to be in a hand, or aside. Raises Lost where it has another place already."""
        if self.held.setdefault(number, place) != place:
            raise Lost("a card would have to be in two places")

    def aim(self, number: int, seat: int, trick: int, manner: str = "") -> None:
        """A card is to be played then and there. Raises Lost where that cannot be."""
        for other in self.aims:
            if (other.card == number and (other.trick, other.seat) != (trick, seat)) or (
                other.card != number and (other.trick, other.seat) == (trick, seat)
            ):
                raise Lost("two cards would have to be played at once")
        self.hold(number, seat)
        self.aims.append(Aim(number, seat, trick, manner))

    def leads(self, number: int, seats: Iterable[int]) -> None:
        """One of these leads to a trick. Raises Lost."""
        if number > 1:
            self.takes(number - 1, seats)
        elif self.eldest not in seats:
            raise Lost("another has the first lead")
