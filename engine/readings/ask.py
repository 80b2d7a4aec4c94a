"""Asking a ruleset, and remembering what was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from engine.readings.meanings.by_question import list_unknown_readings, locate_meaning_table
from rulebook.model import Like, Ruleset, Silent, Value


class UnknownReading(Silent):
    """A question was asked to which the ruleset gives an answer that the engine cannot play."""

    kind = "Not played"

    def __init__(self, question: str, ruleset: str, words: tuple[str, ...]) -> None:
        named, place = ", ".join(words), locate_meaning_table(question)
        super().__init__(question, ruleset, f"the engine does not know what {named} means; say it in {place}")
        self.args = (f"{ruleset} answers {question} with {named}, and {self.reason}",)


class Ask:
    """Answers questions from one ruleset and writes down, in order, every question it has answered."""

    __slots__ = ("_direct", "_log", "_rulings", "_through", "ruleset")

    def __init__(self, ruleset: Ruleset, log: set[str] | None = None) -> None:
        self.ruleset = ruleset
        self._rulings = ruleset.rulings
        self._log: set[str] = set() if log is None else log
        self._direct: dict[str, None] = {}
        self._through: dict[str, None] = {}

    @property
    def asked(self) -> tuple[str, ...]:
        """The questions asked, first by the rule itself, then on the way to its outcome."""
        return tuple(self._direct | self._through)

    def answers(self, question: str) -> bool:
        """Return whether there is an answer, without asking for it."""
        return question in self._rulings

    def fresh(self) -> Ask:
        """Another asker of the same ruleset, who has asked nothing yet."""
        return Ask(self.ruleset, self._log)

    @property
    def raised(self) -> frozenset[str]:
        """Every question that he, or anyone made from him, has asked."""
        return frozenset(self._log)

    def through(self, questions: Iterable[str]) -> None:
        """Take over the questions that an outcome rests on."""
        for question in questions:
            self._through[question] = None

    def __call__(self, question: str) -> Value:
        """The answer; a reference ("as if forced") is followed, and both questions are noted. Raises Silent."""
        ruling = self._rulings.get(question)
        if ruling is None:
            raise Silent(question, self.ruleset.name, self.ruleset.reasons.get(question, ""))
        value = ruling.value
        if question not in self._log:  # so that each answer is looked at once in a deal
            if unknown := list_unknown_readings(question, value):
                raise UnknownReading(question, self.ruleset.name, unknown)
            self._log.add(question)
        self._direct[question] = None
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
