"""Request of a survey: number of deals, seed, policy, and the rulesets that price them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

CHUNK = 1 << 16  #: deals in one piece of work; a survey is whole pieces, and a rest
SURVEY_SEATS = 4
ACCOUNTS = SURVEY_SEATS + 1  #: the players in order of play, the eldest first and the dealer last; then the pool
UNSETTLED_NET = -(1 << 31)  #: stands for every sum of a deal on which the table's own rules are silent

#: What is counted besides money, deal by deal, under the rules by which the cards are played.
EVENTS: Mapping[str, str] = {
    "four-aces": "all four aces were dealt to one player, before any exchange",
    "three-aces-and-quinola": "just three aces and the quinola were dealt to one player, before any exchange",
    "quinola-turned": "the quinola lay in the talon when the cards were dealt",
    "quinola-aside": "the quinola lay in the talon when play began",
    "quinola-thrown-off": "the quinola was thrown on another suit",
    "quinola-followed": "the quinola fell to a lead of its own suit",
    "quinola-led": "the quinola was led",
    "aces-thrown-off": "aces thrown on another suit, each counted",
    "privileged": "a player held a hand of the espagnolette when play began, where the rules know one",
    "renounced": "the holder renounced by its privilege",
    "reversis-undertaken": "one player took all tricks but the last few that the rules name",
    "reversis-made": "one player took all tricks",
    "exchanges": "cards exchanged, each counted",
}


@dataclass(frozen=True, slots=True)
class Rules:
    """A ruleset by its source and wishes, as a command line writes them."""

    source: str
    wishes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " + ".join((self.source, *self.wishes))


@dataclass(frozen=True, slots=True)
class SurveyTable:
    """One company: its cards are dealt, exchanged and played by its own rules, and priced under others besides."""

    rules: Rules
    others: tuple[Rules, ...] = ()


@dataclass(frozen=True, slots=True)
class SurveyOrder:
    """Deals and tables to be played; every table gets the same cards, by seed and deal number alone."""

    seed: int
    policy: str  #: one of engine.players.preferences.ALL_POLICIES
    deals: int
    tables: tuple[SurveyTable, ...]
    size: int = CHUNK  #: deals in one piece; the sums do not depend on it
    #: who plays where the policy is none of the survey's own: is told the order, the library, the rules and the
    #: numbers of the deals, and returns them played; made of a module's names only, so that other processes have it too
    play: Callable[..., Any] | None = field(default=None, compare=False)

    @property
    def chunks(self) -> int:
        """Number of pieces of work that the order falls into."""
        return -(-self.deals // self.size)

    def numbers(self, chunk: int) -> range:
        """The numbers of the deals of one piece."""
        return range(chunk * self.size, min((chunk + 1) * self.size, self.deals))
