"""Counterfactual regret minimisation for small games that are written out whole, and best responses in them.

A game is a list of levels, one for each move after the deal; the players of a level may differ from node to node. What
a player cannot tell apart is one information set: there he has one strategy. For two players whose gains are opposite
the average strategy approaches an equilibrium; for four, as here, nothing of the kind is proved, so that how far any
profile is from an equilibrium is measured: what each player could win more if he alone knew the others' strategies
and answered as well as can be (his gain), and the sum of these gains over all players (the exploitability).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from lab.players.search import Floats
from lab.survey.buffers import IntArray

Profile: TypeAlias = "tuple[Floats, ...]"  #: for each level the chance of each of its actions
CARD_NUMBERS = 64


@dataclass(frozen=True, slots=True)
class GameLevel:
    """One move: the nodes after it, in the order of the nodes before it, and the actions that lead to them."""

    parent: IntArray  #: [nodes] the node before
    action: IntArray  #: [nodes] the action by which it is reached
    player: IntArray  #: [nodes] whose action that is
    owner: IntArray  #: [actions] likewise
    card: IntArray  #: [actions]
    group: IntArray  #: [actions] the information set; the actions of one lie together
    sample: IntArray  #: [groups] one of the nodes after it

    @property
    def starts(self) -> IntArray:
        """The first node after each node."""
        return np.flatnonzero(np.diff(self.parent, prepend=-1))

    @property
    def group_starts(self) -> IntArray:
        """The first action of each information set."""
        return np.flatnonzero(np.diff(self.group, prepend=-1))


@dataclass(frozen=True, slots=True)
class SmallGame:
    """A game that is written out whole; every deal is equally likely."""

    deals: int
    levels: tuple[GameLevel, ...]
    payoffs: Floats  #: [players, nodes of the last level]


@dataclass(frozen=True, slots=True)
class ProfileWorth:
    """The worth of a profile to each player, and his gain from the best response to it."""

    worth: Floats  #: [players]
    gains: Floats  #: [players]

    @property
    def exploitability(self) -> float:
        """The sum of the gains."""
        return float(self.gains.sum())


def make_level(parent: IntArray, known: IntArray, card: IntArray, player: IntArray) -> GameLevel:
    """Make a level. `known`: [nodes] a number for all that the player knows; `card`: what he plays."""
    _, place = np.unique(known, return_inverse=True)
    _, first, action = np.unique(place * CARD_NUMBERS + card, return_index=True, return_inverse=True)
    group = place[first]
    sample = first[np.flatnonzero(np.diff(group, prepend=-1))]
    return GameLevel(parent, action, player, player[first], card[first], group, sample)


def make_uniform_profile(game: SmallGame) -> Profile:
    """Make the profile of players who choose at random."""
    return tuple(1.0 / np.bincount(level.group)[level.group] for level in game.levels)


def list_level_reaches(game: SmallGame, profile: Profile) -> list[Floats]:
    """List for each level, and for the deals before it, how far each player goes along to each node: [players, nodes].

    The chance of the deal is left out: it is the same everywhere.
    """
    reaches = [np.ones((game.payoffs.shape[0], game.deals))]
    for level, chances in zip(game.levels, profile, strict=True):
        reaches.append(follow_level(reaches[-1], level, chances))
    return reaches


def follow_level(reach: Floats, level: GameLevel, chances: Floats) -> Floats:
    """Return how far each player goes along to the nodes after a move. `reach`: to those before it."""
    after: Floats = reach[:, level.parent]
    after[level.player, np.arange(level.player.size)] *= chances[level.action]
    return after


def multiply_others(reach: Floats, player: IntArray) -> Floats:
    """Multiply how far all others go along to each node; `player`: [nodes] who is left out."""
    before = np.cumprod(np.vstack([np.ones(reach.shape[1]), reach[:-1]]), axis=0, dtype=np.float64)
    after = np.cumprod(np.vstack([np.ones(reach.shape[1]), reach[:0:-1]]), axis=0, dtype=np.float64)[::-1]
    product: Floats = (before * after)[player, np.arange(player.size)]
    return product


def list_values(game: SmallGame, profile: Profile) -> list[Floats]:
    """List for the deals and each level the value of each node to each player: [players, nodes]."""
    values = [game.payoffs]
    for level, chances in zip(reversed(game.levels), reversed(profile), strict=True):
        values.append(np.add.reduceat(values[-1] * chances[level.action], level.starts, axis=1))
    return values[::-1]


def list_action_regrets(game: SmallGame, profile: Profile) -> Iterator[tuple[Floats, Floats]]:
    """Yield for each level how much better than the profile each action would be, and how far its player goes along."""
    reaches, values = list_level_reaches(game, profile), list_values(game, profile)
    for at, level in enumerate(game.levels):
        nodes, before = np.arange(level.player.size), reaches[at][:, level.parent]
        better = values[at + 1][level.player, nodes] - values[at][level.player, level.parent]
        regret = np.bincount(level.action, multiply_others(before, level.player) * better) / game.deals
        along = np.zeros(level.owner.size)
        along[level.action] = before[level.player, nodes]  # the same in all of an information set
        yield regret, along


def match_regrets(level: GameLevel, regrets: Floats) -> Floats:
    """Choose actions in proportion to their regrets, or at random where nothing is regretted."""
    total = np.bincount(level.group, regrets)[level.group]
    even = 1.0 / np.bincount(level.group)[level.group]
    return np.where(total > 0, regrets / np.where(total > 0, total, 1.0), even)


def solve_game(game: SmallGame, rounds: int) -> Profile:
    """Find the average strategies of so many rounds of regret matching, later rounds counting for more."""
    regrets = [np.zeros(level.owner.size) for level in game.levels]
    sums = [np.zeros(level.owner.size) for level in game.levels]
    for number in range(1, rounds + 1):
        profile = tuple(map(match_regrets, game.levels, regrets))
        for at, (better, along) in enumerate(list_action_regrets(game, profile)):
            sums[at] += number * along * profile[at]
            np.maximum(regrets[at] + better, 0.0, out=regrets[at])
    return tuple(map(match_regrets, game.levels, sums))


def respond_best(game: SmallGame, profile: Profile, player: int) -> Profile:
    """Find a best response of one player to a profile; the others stay as they are."""
    reaches, found, value = list_level_reaches(game, profile), list(profile), game.payoffs[player]
    for at in range(len(game.levels) - 1, -1, -1):
        level = game.levels[at]
        others = multiply_others(reaches[at][:, level.parent], np.full(level.parent.size, player))
        worth = np.bincount(level.action, others * value).astype(float)
        found[at] = np.where(level.owner == player, choose_greatest(level, worth), profile[at])
        value = np.add.reduceat(value * found[at][level.action], level.starts)
    return tuple(found)


def choose_greatest(level: GameLevel, worth: Floats) -> Floats:
    """Choose in each information set the action of the greatest worth, of equals the first."""
    greatest = np.maximum.reduceat(worth, level.group_starts)[level.group]
    best = np.flatnonzero(worth == greatest)
    chosen = np.zeros(worth.size)
    chosen[best[np.diff(level.group[best], prepend=-1) > 0]] = 1.0
    return chosen


def find_worth(game: SmallGame, profile: Profile) -> Floats:
    """Find what each player wins by a profile."""
    worth: Floats = list_values(game, profile)[0].mean(axis=1)
    return worth


def measure_profile(game: SmallGame, profile: Profile) -> ProfileWorth:
    """Measure a profile: what each player wins by it, and what he would gain by the best response."""
    worth = find_worth(game, profile)
    best = [find_worth(game, respond_best(game, profile, seat))[seat] for seat in range(worth.size)]
    return ProfileWorth(worth, np.array(best) - worth)


def seat_one(game: SmallGame, one: Profile, others: Profile, player: int) -> Profile:
    """Seat one player of a profile among the others of another."""
    return tuple(
        np.where(level.owner == player, mine, theirs)
        for level, mine, theirs in zip(game.levels, one, others, strict=True)
    )


def measure_gap(game: SmallGame, one: Profile, others: Profile) -> float:
    """Measure how much less a player of one profile wins among the others of another than they do in his seat."""
    usual = find_worth(game, others)
    seats: Sequence[int] = range(usual.size)
    return float(np.mean([usual[at] - find_worth(game, seat_one(game, one, others, at))[at] for at in seats]))
