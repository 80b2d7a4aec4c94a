"""Asking a ruleset, and remembering what was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from engine.answers import PRIVILEGED_CARD_SUMS
from engine.readings.meanings.by_question import list_unknown_readings, locate_meaning_table
from rulebook.ask import Asker, UnplayedAnswer
from rulebook.model import FrozenMap, Like, Ruleset, Silent, Value

OTHER_QUINOLAS = "quinola.others"


class Ask(Asker):
    """Asker of a game with a log that all who are made from it share, and with what is taken over.

    Where a ruleset has several privileged cards, one asker answers for the quinola, and `about` makes those for the
    others: the questions are the same, and the sums that a card has for itself are its own.
    """

    __slots__ = ("_log", "_own", "_through", "card")

    def __init__(self, ruleset: Ruleset, log: set[str] | None = None, card: str = "") -> None:
        super().__init__(ruleset)
        self.card = card  #: the privileged card for which it answers; empty: the quinola
        self._own = find_own_sums(ruleset, card) if card else {}
        self._log: set[str] = set() if log is None else log
        self._through: dict[str, None] = {}

    @property
    def asked(self) -> tuple[str, ...]:
        """The questions asked, first by the rule itself, then on the way to its outcome."""
        return tuple(self._direct | self._through)

    def answers(self, question: str) -> bool:
        """Return whether there is an answer, without asking for it."""
        return question in self._rulings or self._own.get(question) is not None

    def fresh(self) -> Ask:
        """Another asker of the same ruleset, who has asked nothing yet."""
        return Ask(self.ruleset, self._log, self.card)

    def about(self, card: str) -> Ask:
        """Another asker, who answers for a privileged card: empty for the quinola, or one of the others."""
        if card:
            self._log.add(OTHER_QUINOLAS)
        return Ask(self.ruleset, self._log, card)

    @property
    def raised(self) -> frozenset[str]:
        """Every question that he, or anyone made from him, has asked."""
        return frozenset(self._log)

    def take_over(self, other: Ask) -> None:
        """Ask all that another has asked, for what is not played again."""
        self._log |= other._log
        self._direct |= other._direct
        self._through |= other._through

    def note_raised(self, questions: Iterable[str]) -> None:
        """Note questions that were asked before, for something that is not computed again."""
        self._log.update(questions)

    def through(self, questions: Iterable[str]) -> None:
        """Take over the questions that an outcome rests on."""
        for question in questions:
            self._through[question] = None

    def __call__(self, question: str) -> Value:
        """The answer; a reference ("as if forced") is followed, and both questions are noted. Raises Silent."""
        if question in self._own:
            self(OTHER_QUINOLAS)
            if (own := self._own[question]) is not None:
                return own
        ruling = self._rulings.get(question)
        if ruling is None:
            raise Silent(question, self.ruleset.name, self.ruleset.reasons.get(question, ""))
        value = ruling.value
        if question not in self._log:  # so that each answer is looked at once in a deal
            if unknown := list_unknown_readings(question, value):
                named, place = ", ".join(unknown), locate_meaning_table(question)
                reason = f"the engine does not know what {named} means; say it in {place}"
                raise UnplayedAnswer(question, self.ruleset.name, named, reason)
            self._log.add(question)
        self._direct[question] = None
        return cast(int, self(value.question)) * value.times if isinstance(value, Like) else value

    if not TYPE_CHECKING:
        word = number = words = numbers = table = tables = __call__


# ---- several privileged cards
def list_other_quinolas(ask: Ask) -> tuple[Mapping[str, Value], ...]:
    """List the privileged cards besides the quinola; none, and nothing is asked, where there is no other."""
    if not ask.answers(OTHER_QUINOLAS):
        return ()
    quinola, named = ask.word("quinola.card"), cast("tuple[Mapping[str, Value], ...]", ask(OTHER_QUINOLAS))
    if any(entry["card"] == quinola and {*entry} > {"card", "name"} for entry in named):
        reason = f"{quinola} is the quinola; give it a name and no sums"
        raise UnplayedAnswer(OTHER_QUINOLAS, ask.ruleset.name, str(quinola), reason)
    return tuple(entry for entry in named if entry["card"] != quinola)


def name_quinola(ruleset: Ruleset) -> str:
    """Name the quinola, without asking; empty where the source has no name to tell it from other privileged cards."""
    return _name_privileged_cards(ruleset).get(_find_quinola(ruleset), "")


def name_other_quinolas(ruleset: Ruleset) -> Mapping[str, str]:
    """Name the privileged cards besides the quinola, without asking: card -> what the source calls it."""
    privileged_cards = _name_privileged_cards(ruleset)
    return {card: privileged_cards[card] for card in privileged_cards if card != _find_quinola(ruleset)}


def _name_privileged_cards(ruleset: Ruleset) -> Mapping[str, str]:
    ruling = ruleset.rulings.get(OTHER_QUINOLAS)
    entries = cast("tuple[Mapping[str, str], ...]", ruling.value if ruling else ())
    return {entry["card"]: entry["name"] for entry in entries}


def _find_quinola(ruleset: Ruleset) -> str:
    ruling = ruleset.rulings.get("quinola.card")
    return str(ruling.value) if ruling else ""


def find_own_sums(ruleset: Ruleset, card: str) -> Mapping[str, int | None]:
    """Return what a privileged card has for itself, by question; None where it follows the quinola.

    Who looks at what could befall a card by other rules may ask of one that these do not know: it has nothing.
    """
    entries = cast("tuple[Mapping[str, int], ...]", ruleset.rulings[OTHER_QUINOLAS].value)
    entry: Mapping[str, int] = next((candidate for candidate in entries if str(candidate["card"]) == card), {})
    return {question: entry.get(key) for key, question in PRIVILEGED_CARD_SUMS.items()}


def read_for_card(ruleset: Ruleset, card: str) -> Ruleset:
    """Read a ruleset as if a further privileged card were its quinola: with the sums that the card has for itself."""
    others, rulings = ruleset.rulings[OTHER_QUINOLAS], dict(ruleset.rulings)
    for question, own in find_own_sums(ruleset, card).items():
        if own is not None:
            known = ruleset.rulings.get(question)
            rulings[question] = replace(others, question=question, id=known.id if known else others.id, value=own)
    return replace(ruleset, rulings=FrozenMap(rulings))
