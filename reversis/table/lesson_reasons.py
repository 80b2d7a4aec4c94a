"""Reasons of a lesson: what makes the most of the difference between the best card and another, from both ledgers."""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import card_words
from engine.settlement.ledger import Entry
from engine.settlement.settle import Settled
from reversis.table.payments import list_factors
from reversis.table.review import Matter, group_by_matter, name_manner, sum_entries
from reversis.table.table_words import TableNames
from rulebook.model import Library

_MANY = ("aces", "led aces", "fines", "they")  #: subjects in the plural


@dataclass(frozen=True)
class MatterOutcome:
    """Sum that a matter of a deal has brought a player, after a card."""

    card: int
    settled: Settled
    matter: Matter
    seat: int

    @property
    def entries(self) -> list[Entry]:
        """The entries about the matter."""
        return group_by_matter(self.settled).get(self.matter, [])

    @property
    def sum(self) -> int:
        """The counters that it has brought, or cost if below nought."""
        return sum_entries(self.settled, self.entries, self.seat)

    @property
    def manner(self) -> str:
        """Fate of the privileged card that it is about; empty where it is about none."""
        return name_manner(self.entries[0]) if self.matter[1] is not None and self.entries else ""

    def describe(self, subject: str) -> str:
        """Describe it: "with the 2 of clubs it is thrown off in trick 11 and brings you 65"."""
        fate = f"is {self.manner} in trick {self.entries[0].fact.trick} and " if self.manner else ""
        verb = f"{'cost' if self.sum < 0 else 'bring'}{'' if subject in _MANY else 's'}"
        card = f"the {card_words(self.card)}"
        played = "" if subject == card else f"with {card} "
        return f"{played}{subject} {fate}{verb} you {abs(self.sum) or 'nothing'}"


def explain_better_card(
    library: Library, better: tuple[int, Settled], other: tuple[int, Settled], you: TableNames
) -> str:
    """Explain by the deals that come of two cards why one is better: the matter that differs the most, and its sums."""
    matters = group_by_matter(better[1]) | group_by_matter(other[1])
    pairs = [[MatterOutcome(*way, matter, you.you) for way in (better, other)] for matter in matters]
    one, two = max(pairs, key=lambda pair: pair[0].sum - pair[1].sum)
    label, card = one.matter
    subject = label.split(",")[0] if card is None else f"the {card_words(card)}"
    again = "they" if subject in _MANY else "it"
    factors = [
        [words for entry in way.entries for words in list_factors(library, way.settled, entry, you)]
        for way in (one, two)
    ]
    more = [words for words in factors[0] if words not in factors[1]] if one.manner and one.manner == two.manner else []
    told = f"{one.describe(subject)}; {two.describe(again)}."
    return " ".join([f"{told[:1].upper()}{told[1:]}", *more])
