"""A hint: what each card that may be played is worth to a player, as far as so many lawful worlds tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from engine.cards import make_card_mask
from engine.players.view import PlayerView
from lab.players.search import WORLDS, Floats, TurnPositions, Weighed, weigh_cards
from lab.survey.chunk import DealPricer
from lab.survey.encode_rules import PACK_SIZE, TRICKS_PER_DEAL, Unsurveyed
from lab.survey.request import SURVEY_SEATS, Rules
from rulebook.estimates import Estimate

_NORMAL_95 = 1.959964  #: so many standard errors to either side hold the mean in 95 of 100 cases
_Sample: TypeAlias = "tuple[Floats, int]"  #: what a card brings, world by world, and the first of these worlds


@dataclass(frozen=True, slots=True)
class CardWorth:
    """A card that may be played: what the player wins with it on average, and how much less than with the best card."""

    card: int
    worth: Estimate
    behind: Estimate  #: measured in the same worlds; of the best card itself nothing
    worlds: int  #: that count

    @property
    def as_good(self) -> bool:
        """Return whether it cannot be told from the best."""
        return self.behind.low <= 0 <= self.behind.high


def weigh_view(
    prices: DealPricer, rules: Rules, view: PlayerView, worlds: int = WORLDS, seed: int = 0
) -> tuple[CardWorth, ...]:
    """Weigh the cards that a player may play, the best first; none where no lawful world agrees with what he saw.

    The same view and seed give the same answer. Raises Unsurveyed.
    """
    require_searched_table(view.seats, len(view.held))
    result = weigh_cards(prices, rules, list_position(view), view.pool, worlds, seed)
    samples = {int(card): sample for card, sample in zip(result.card, select_samples(result), strict=True)}
    samples = {card: sample for card, sample in samples.items() if np.isfinite(sample[0]).any()}
    if not samples:
        return ()
    best = int(max(samples, key=lambda card: float(np.nanmean(samples[card][0]))))
    weighed = (
        CardWorth(card, estimate_worth(own[0]), compare_samples(samples[best], own), int(np.isfinite(own[0]).sum()))
        for card, own in samples.items()
    )
    return tuple(sorted(weighed, key=lambda worth: (worth.card != best, -worth.worth.value, worth.card)))


def require_searched_table(seats: int, hand: int) -> None:
    """Raise Unsurveyed for a table at which nobody looks ahead."""
    if (seats, hand) != (SURVEY_SEATS, TRICKS_PER_DEAL):
        raise Unsurveyed(f"it is not a table of {SURVEY_SEATS} players with {PACK_SIZE} cards")


def list_position(view: PlayerView) -> TurnPositions:
    """Return a view as the search takes it."""
    cards = np.array([[card] for _, card in view.played], np.uint8).reshape(-1, 1)
    players = np.array([[seat] for seat, _ in view.played], np.uint8).reshape(-1, 1)
    held, aside, given = (np.array([make_card_mask(some)]) for some in (view.held, view.aside, _listed(view.given)))
    return TurnPositions(np.array([view.seat]), held, aside, given, cards, players)


def _listed(card: int | None) -> Sequence[int]:
    return () if card is None else (card,)


def select_samples(weighed: Weighed) -> list[_Sample]:
    """Select the worlds that tell of each card: those of the better plan where the player may go for all tricks."""
    means = weighed.means
    samples = list[_Sample]()
    for at, row in enumerate(weighed.worth):
        plans = (
            ((row[: weighed.bent], 0), (row[weighed.bent :], weighed.bent))
            if weighed.own[at] and weighed.bent
            else ((row, 0),)
        )
        finite = [plan for plan in plans if np.isfinite(plan[0]).any()]
        samples.append(min(finite, key=lambda plan: abs(float(np.nanmean(plan[0])) - means[at]), default=(row, 0)))
    return samples


def estimate_worth(values: Floats) -> Estimate:
    """Estimate the mean of what counts."""
    values = values[np.isfinite(values)]
    mean = float(values.mean())
    error = float(values.std(ddof=1)) / values.size**0.5 if values.size > 1 else 0.0
    return Estimate(mean, mean - _NORMAL_95 * error, mean + _NORMAL_95 * error)


def compare_samples(best: _Sample, other: _Sample) -> Estimate:
    """Estimate how much less a card brings than the best: world by world, unless each is played by another plan."""
    if best[1] == other[1] and best[0].size == other[0].size:
        both = best[0] - other[0]
        if np.isfinite(both).any():
            return estimate_worth(both)
    best_worth, other_worth = estimate_worth(best[0]), estimate_worth(other[0])
    mean = best_worth.value - other_worth.value
    half = ((best_worth.high - best_worth.value) ** 2 + (other_worth.high - other_worth.value) ** 2) ** 0.5
    return Estimate(mean, mean - half, mean + half)
