"""Effect of a rule on play: one-step regret of a player who believes other rules than those by which he is paid.

Everyone plays by the table's own rules. At each free choice of a card a second player, who believes other rules,
chooses on the same worlds; both choices are then priced by the table's rules on fresh worlds. Where the two rulesets
come to the same, so does the choice, and the regret is exactly nought.

The costliest of these choices serve as examples. As they were picked for their cost, they are weighed again in worlds
that had no part in that; one is kept only if there, too, each ruleset surely prefers its own card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lab.players.arena import CAUTIOUS_PLAYER, PlayingCompany, deal_to_company, iter_turns, play_company
from lab.players.hint import compare_samples, estimate_worth, select_samples
from lab.players.search import Floats, TurnPositions, Weighed, play_out_cards, suppress_empty_means
from lab.survey import chunk as piece
from lab.survey.buffers import IntArray, PlayedDeals
from lab.survey.play_rules import BLOCK
from lab.survey.pricing import PRICED_SETTLED
from lab.survey.request import SURVEY_SEATS, Rules
from rulebook.estimates import Estimate
from rulebook.grouping import group_pairs

FRESH = 1 << 20  #: added to the seed for the worlds on which the choices are priced
EXAMPLE_WORLDS = 512  #: in so many others, drawn for that alone, a possible example is weighed again
_CANDIDATES = 4  #: of so many deals the costliest choice may become the example


@dataclass(frozen=True, slots=True)
class ChoiceExample:
    """Choice of a card in which other rules lead to another card, weighed anew by both rulesets."""

    deal: int  #: the number of the deal
    step: int  #: how many cards were played before
    seat: int
    cards: tuple[int, int]  #: by the table's own rules, and by the others
    worth: tuple[Estimate, Estimate]  #: of both cards by the table's rules
    loss: Estimate  #: how much less the other card is worth by the table's rules, in the same worlds
    believed: tuple[Estimate, Estimate]  #: worth of both cards by the other rules
    gain: Estimate  #: how much more the other card is worth by the other rules

    @property
    def is_sure(self) -> bool:
        """Return whether each ruleset surely prefers its own card."""
        return self.loss.low > 0 and self.gain.low > 0


@dataclass(frozen=True, slots=True)
class PlayEffect:
    """Effect of other rules on the play of some deals: [deals] each."""

    choices: IntArray  #: how many cards were freely chosen
    changed: IntArray  #: in how many of them another card would have been
    regret: Floats  #: what that would have cost, all players together
    moved: Floats  #: what the other rules move when the same cards are only priced anew; NaN where they settle nothing
    worst: Floats  #: the cost of the costliest of these choices; 0 if none costs anything
    turns: IntArray  #: after how many cards that is


@dataclass(frozen=True, slots=True)
class PlayedEffects:
    """Deals as a company played them, and the effect of each of some other rulesets on their play."""

    played: PlayedDeals
    effects: tuple[PlayEffect, ...]
    examples: tuple[ChoiceExample | None, ...]  #: of each ruleset; None where none of those tried is sure


def measure_play_effects(
    company: PlayingCompany,
    others: Sequence[Rules],
    numbers: range,
    worlds: int,
    seed: int = 0,
    example_worlds: int = EXAMPLE_WORLDS,
) -> PlayedEffects:
    """Measure what each of some other rulesets would do to the play of a company's deals."""
    n = len(numbers)
    kinds = seat_searching_players(n, worlds)
    played = play_company(company, deal_to_company(company, numbers, kinds, seed), kinds, seed)
    effects = tuple(make_empty_effect(n) for _ in others)
    for deals, positions in iter_turns(company, played, worlds, n):
        playouts = play_out_cards(company.prices, company.rules, positions, company.pool, worlds, seed)
        fresh = play_out_cards(company.prices, company.rules, positions, company.pool, worlds, seed + FRESH)
        judged, own = fresh.weigh(company.prices), playouts.weigh(company.prices)
        chosen = own.choose(positions.size)
        for effect, other in zip(effects, others, strict=True):
            instead = playouts.weigh(company.prices, other).choose(positions.size)
            add_choices(effect, deals, positions.cards.shape[0], (chosen, instead), judged)
    for effect, other in zip(effects, others, strict=True):
        effect.moved[:] = list_moved_money(company, played, other)[:n]
    return PlayedEffects(
        played, effects, find_examples(company, played, others, effects, (worlds, example_worlds), seed)
    )


def make_empty_effect(n: int) -> PlayEffect:
    """Make the effect of no choices yet, on n deals."""
    whole, sums = np.zeros((3, n), np.int64), np.zeros((3, n))
    return PlayEffect(whole[0], whole[1], sums[0], sums[1], sums[2], whole[2])


def seat_searching_players(deals: int, worlds: int) -> IntArray:
    """Seat players who search in so many deals; those that only fill the last block are played by rule of thumb."""
    kinds = np.full((-(-deals // BLOCK) * BLOCK, SURVEY_SEATS), CAUTIOUS_PLAYER)
    kinds[:deals] = worlds
    return kinds


def add_choices(
    effect: PlayEffect, deals: IntArray, step: int, cards: tuple[IntArray, IntArray], judged: Weighed
) -> None:
    """Add some turns to an effect: where both chose, whether the cards differ, and what the difference is worth."""
    chosen, instead = cards
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
            add_changed_choice(effect, int(deals[at]), step, mine - other)


def add_changed_choice(effect: PlayEffect, deal: int, step: int, loss: float) -> None:
    """Add a choice that other rules change, and note it if none of the deal has cost more."""
    effect.changed[deal] += 1
    effect.regret[deal] += loss
    if loss > effect.worst[deal]:
        effect.worst[deal], effect.turns[deal] = loss, step


# ---- examples
def find_examples(
    company: PlayingCompany,
    played: PlayedDeals,
    others: Sequence[Rules],
    effects: Sequence[PlayEffect],
    worlds: tuple[int, int],
    seed: int,
) -> tuple[ChoiceExample | None, ...]:
    """Weigh the costliest choice of each effect anew; `worlds`: in how many it was made, and in how many to weigh."""
    wanted, n = list_candidates(effects), effects[0].worst.size if effects else 0
    examples: list[ChoiceExample | None] = [None] * len(others)
    for deals, positions in iter_turns(company, played, worlds[0], n):
        for column, deal in enumerate(deals.tolist()):
            where = wanted.get((deal, positions.cards.shape[0]), ())
            turn = select_turns(positions, np.array([column]))
            weighed = weigh_examples(company, turn, [others[at] for at in where], worlds, seed) if where else ()
            for at, example in zip(where, weighed, strict=True):
                examples[at] = choose_example((examples[at], replace(example, deal=deal)))
    return tuple(examples)


def list_candidates(effects: Sequence[PlayEffect]) -> dict[tuple[int, int], tuple[int, ...]]:
    """List the turns that may become examples, by deal and cards played, with the effects of which they may be one."""
    return group_pairs(
        ((deal, int(effect.turns[deal])), at)
        for at, effect in enumerate(effects)
        for deal in effect.worst.argsort(kind="stable")[::-1][:_CANDIDATES].tolist()
        if effect.worst[deal] > 0
    )


def choose_example(those: Iterable[ChoiceExample | None]) -> ChoiceExample | None:
    """Choose the one that surely costs most, of those that are sure."""
    return max(
        (example for example in those if example and example.is_sure),
        key=lambda example: example.loss.low,
        default=None,
    )


def select_turns(positions: TurnPositions, columns: IntArray) -> TurnPositions:
    """Select some of several turns."""
    return TurnPositions(
        *(
            np.ascontiguousarray(getattr(positions, name)[..., columns])
            for name in ("seats", "held", "aside", "given", "cards", "players")
        )
    )


def weigh_examples(
    company: PlayingCompany, turn: TurnPositions, others: Sequence[Rules], worlds: tuple[int, int], seed: int
) -> Iterator[ChoiceExample]:
    """Choose in one turn as before by each of these rulesets, and weigh both cards in other worlds."""
    prices, rules, pool = company.prices, company.rules, company.pool
    playouts = play_out_cards(prices, rules, turn, pool, worlds[0], seed)
    fresh = play_out_cards(prices, rules, turn, pool, worlds[1], seed + 2 * FRESH)
    chosen, judged = int(playouts.weigh(prices).choose(1)[0]), fresh.weigh(prices)
    for other in others:
        cards = chosen, int(playouts.weigh(prices, other).choose(1)[0])
        yield compare_cards(turn, cards, judged, fresh.weigh(prices, other))


def compare_cards(turn: TurnPositions, cards: tuple[int, int], judged: Weighed, believed: Weighed) -> ChoiceExample:
    """Compare two cards by the table's rules and by others; the deal is not known here."""
    (own, instead), (doubted, trusted) = (
        [dict(zip(weighed.card.tolist(), select_samples(weighed), strict=True))[card] for card in cards]
        for weighed in (judged, believed)
    )
    with suppress_empty_means():
        return ChoiceExample(
            0,
            turn.cards.shape[0],
            int(turn.seats[0]),
            cards,
            (estimate_worth(own[0]), estimate_worth(instead[0])),
            compare_samples(own, instead),
            (estimate_worth(doubted[0]), estimate_worth(trusted[0])),
            compare_samples(trusted, doubted),
        )


# ---- money
def list_moved_money(company: PlayingCompany, played: PlayedDeals, other: Rules) -> Floats:
    """List what passes into other hands in each deal when the same cards are priced by other rules."""
    desk = piece.TableDeals(played, tuple(map(int, company.coded)))
    own = company.prices.own(desk, company.rules, company.pool)
    anew = company.prices.other(desk, company.rules, other, company.pool)
    nets = anew.net - own.net
    moved = (np.abs(nets).sum(axis=1) + np.abs(nets.sum(axis=1))) / 2
    return np.where((own.became == PRICED_SETTLED) & (anew.became == PRICED_SETTLED), moved, np.nan)
