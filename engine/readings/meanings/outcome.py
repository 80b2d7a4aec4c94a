"""The seats of an outcome that a meaning may look at."""

from __future__ import annotations

from typing import Protocol, TypeAlias

Seat: TypeAlias = "int | None"


class Outcome(Protocol):
    """The seats of the outcome that a meaning may look at."""

    @property
    def hero(self) -> Seat:
        """Who has undertaken the reversis."""

    @property
    def winner(self) -> Seat:
        """Who wins the partie."""

    @property
    def loser(self) -> Seat:
        """Who loses it."""

    @property
    def twin(self) -> Seat:
        """Who has as many points as the loser."""
