"""The seats of an outcome that a meaning may look at."""

from __future__ import annotations

from typing import Protocol, TypeAlias

SeatOrNone: TypeAlias = "int | None"


class OutcomeSeats(Protocol):
    """The seats of the outcome that a meaning may look at."""

    @property
    def hero(self) -> SeatOrNone:
        """The seat that has undertaken the reversis."""

    @property
    def made(self) -> bool:
        """True if the reversis is made."""

    @property
    def winner(self) -> SeatOrNone:
        """The seat that wins the partie."""

    @property
    def loser(self) -> SeatOrNone:
        """The seat that loses the partie."""

    @property
    def twin(self) -> SeatOrNone:
        """The seat with as many points as the loser."""
