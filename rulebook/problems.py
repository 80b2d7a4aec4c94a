"""Faults of files: where something stands, what is wrong with it, and how to correct it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True, order=True, slots=True)
class Problem:
    """A problem in a file: where it is, what is wrong, and what to do."""

    file: str
    line: int
    column: int
    what: str
    way_out: str
    reason: str = field(default="", compare=False)  #: of a record that its schema accepts: `engine.deal.fields.BEYOND`
    waits: bool = field(default=False, compare=False)  #: whether it is work to be done, told behind what is wrong

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.what}\n    {self.way_out}"


class NotInOrder(Exception):
    """The sources cannot be read, or something in them is wrong."""


class HintedError(ValueError):
    """Something that cannot be taken or done, and the way out."""

    def __init__(self, what: str, way_out: str) -> None:
        self.what, self.way_out = what, way_out
        super().__init__(f"{what}; {way_out}")


class SpoiltFile(ValueError):
    """A file that a program has written, and that is not as it wrote it."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(f"{problem.file}: {problem.what}; {problem.way_out}")


class Stored:
    """Frozen record of which a cached library has thousands: made anew as it was made, faster than field by field."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, stored.name) for stored in fields(self))  # type: ignore[arg-type]


@dataclass(frozen=True, order=True, slots=True)
class Where(Stored):
    """A place in a file of the repository, for messages."""

    file: str
    line: int = 1
    column: int = 1

    def problem(self, what: str, way_out: str, reason: str = "") -> Problem:
        """Say that something is wrong here, and how to correct it."""
        return Problem(self.file, self.line, self.column, what, way_out, reason)


NOWHERE = Where("<given>")
