"""Asking a ruleset: every answer is noted, so that each result can name the clauses on which it rests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from rulebook.model import Like, Ruleset, Silent, Value


class UnplayedAnswer(Silent):
    """A question was asked to which the ruleset gives an answer that the game cannot play."""

    kind = "Not played"

    def __init__(self, question: str, ruleset: str, answer: str, reason: str) -> None:
        super().__init__(question, ruleset, reason)
        self.args = (f"{ruleset} answers {question} with {answer}, and {reason}",)


class Asker:
    """Answers questions from one ruleset, and writes down, in order, every question that it has answered."""

    __slots__ = ("_direct", "_rulings", "ruleset")

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._rulings = ruleset.rulings
        self._direct: dict[str, None] = {}

    @property
    def asked(self) -> tuple[str, ...]:
        """The questions asked."""
        return tuple(self._direct)

    def answers(self, question: str) -> bool:
        """Return whether there is an answer, without asking for it."""
        return question in self._rulings

    def look_up(self, question: str) -> Value | None:
        """The answer as it stands, without asking for it; None where there is none."""
        ruling = self._rulings.get(question)
        return None if ruling is None else ruling.value

    def __call__(self, question: str) -> Value:
        """The answer; a reference ("as if forced") is followed, and both questions are noted. Raises Silent."""
        ruling = self._rulings.get(question)
        if ruling is None:
            raise Silent(question, self.ruleset.name, self.ruleset.reasons.get(question, ""))
        self._direct[question] = None
        value = ruling.value
        return cast(int, self(value.question)) * value.times if isinstance(value, Like) else value

    if TYPE_CHECKING:  # one and the same question, with the kind of answer that its measure promises

        def word(self, question: str) -> str:
            """The answer to a question that is answered by one of a closed list of readings."""

        def number(self, question: str) -> int:
            """The answer to a question that is answered by a number."""

        def words(self, question: str) -> tuple[str, ...]:
            """The answer to a question that is answered by a list or a set of words."""

        def numbers(self, question: str) -> tuple[int, ...]:
            """The answer to a question that is answered by a list of numbers."""

        def table(self, question: str) -> Mapping[str, int]:
            """The answer to a question that is answered by a table of numbers."""

        def tables(self, question: str) -> tuple[Mapping[str, int], ...]:
            """The answer to a question that is answered by several tables of numbers."""

    else:
        word = number = words = numbers = table = tables = __call__
