"""A deal of which only a part is known, and what is wished of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.generation.wishes import Wish


@dataclass(frozen=True)
class Sketch:
    """A partial deal, and what is wished of it: seats are numbers, None is unknown."""

    wishes: tuple[Wish, ...] = ()
    seats: tuple[str, ...] = ()
    players: int | None = None
    pack: int | None = None
    dealer: int | None = None
    hands: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    talon: tuple[int, ...] = ()
    tricks: tuple[tuple[int | None, ...], ...] = ()
    claims: Mapping[int, bool] = field(default_factory=dict)
    id: str = "filled"
    rest: Mapping[str, object] = field(default_factory=dict)  #: fields of a Deal that are taken over as they stand
