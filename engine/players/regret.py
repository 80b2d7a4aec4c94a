"""Effect of a rule on play: one-step regret of a player who believes other rules than those by which he is paid.

Everyone plays by the table's own rules. At each free choice of a card a second player, who believes other rules,
chooses on the same worlds; both choices are then priced by the table's rules on fresh worlds. Where the two rulesets
come to the same, so does the choice, and the regret is exactly nought.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.players.arena import PlayingCompany, deal_to_company, iter_turns, play_company
from engine.players.search import Floats, Weighed, play_out_cards
from engine.survey import piece
from engine.survey.buffers import IntArray, PlayedDeals
from engine.survey.pricing import PRICED_SETTLED
from engine.survey.request import SURVEY_SEATS, Rules

FRESH = 1 << 20  #: added to the seed for the worlds on which the choices are priced


@dataclass(frozen=True, slots=True)
class PlayEffect:
    """Effect of other rules on the play of some deals: [deals] each."""

    choices: IntArray  #: how many cards were freely chosen
    changed: IntArray  #: in how many of them another card would have been
    regret: Floats  #: what that would have cost, all players together
    moved: Floats  #: what the other rules move when the same cards are only priced anew; NaN where they settle nothing


def measure_play_effects(
    company: PlayingCompany, others: Sequence[Rules], numbers: range, worlds: int, seed: int = 0
) -> tuple[PlayEffect, ...]:
    """Measure what each of some other rulesets would do to the play of a company's deals."""
    kinds, n = np.full(SURVEY_SEATS, worlds), len(numbers)
    dealt = deal_to_company(company, numbers, kinds, seed)
    effects = tuple(PlayEffect(np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n), np.zeros(n)) for _ in others)
    played = play_company(company, dealt, kinds, seed)
    for deals, positions in iter_turns(company, played, worlds, n):
        found = play_out_cards(company.prices, company.rules, positions, company.pool, worlds, seed)
        fresh = play_out_cards(company.prices, company.rules, positions, company.pool, worlds, seed + FRESH)
        judged, own = fresh.weigh(company.prices), found.weigh(company.prices)
        chosen = own.choose(positions.size)
        for effect, other in zip(effects, others, strict=True):
            instead = found.weigh(company.prices, other).choose(positions.size)
            add_choices(effect, deals, chosen, instead, judged)
    for effect, other in zip(effects, others, strict=True):
        effect.moved[:] = list_moved_money(company, played, other)[:n]
    return effects


def add_choices(effect: PlayEffect, deals: IntArray, chosen: IntArray, instead: IntArray, judged: Weighed) -> None:
    """Add some turns to an effect: where both chose, whether the cards differ, and what the difference is worth."""
    both = (chosen >= 0) & (instead >= 0)
    differ = both & (chosen != instead)
    np.add.at(effect.choices, deals[both], 1)
    if not differ.any():
        return
    worth = {
        (int(at), int(card)): float(mean)
        for at, card, mean in zip(judged.turn, judged.card, judged.means, strict=True)
        if differ[at] and not np.isnan(mean)
    }
    for at in np.flatnonzero(differ).tolist():
        mine, other = worth.get((at, int(chosen[at]))), worth.get((at, int(instead[at])))
        if mine is not None and other is not None:
            effect.changed[deals[at]] += 1
            effect.regret[deals[at]] += mine - other


def list_moved_money(company: PlayingCompany, played: PlayedDeals, other: Rules) -> Floats:
    """List what passes into other hands in each deal when the same cards are priced by other rules."""
    desk = piece.TableDeals(played, tuple(map(int, company.coded)))
    own = company.prices.own(desk, company.rules, company.pool)
    anew = company.prices.other(desk, company.rules, other, company.pool)
    nets = anew.net - own.net
    moved = (np.abs(nets).sum(axis=1) + np.abs(nets.sum(axis=1))) / 2
    return np.where((own.became == PRICED_SETTLED) & (anew.became == PRICED_SETTLED), moved, np.nan)
