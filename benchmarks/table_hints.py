"""Benchmark of the table's hints: how much less the hinted card is worth than the best one that a search knows.

    python -m benchmarks.table_hints [--positions 60] [--seed 1]

A position is a turn of the first player with a choice, in a deal that nets have played so far. Every card that may be
played is played in 30 lawful layouts of the unseen cards, and all play on by nets. The regret is the mean of the best
card less that of the hinted one: on the same layouts, which flatters the best one, and on 30 others.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

from benchmarks.table_requests import BOOKS
from engine.cards import format_card
from engine.deal.model import Deal
from engine.generation.at_table import set_up_turn
from engine.players.nets import find_net
from engine.readings.ask import Ask
from reversis.table.game import deal_next, find_session, find_table_turn, list_offers, move_next, open_table
from reversis.table.hints import LAYOUTS, hint_card, play_on_and_settle
from reversis.table.options import TableOptions
from reversis.table.unseen import cover_deal, lay_out_unseen_cards
from rulebook.model import Library, Ruleset

_NETS = ("net", "net", "net", "net")
_SEAT = 0


@dataclass(frozen=True)
class HintRegret:
    """A position: the hinted card, the best by a search, and how much less the hinted one is worth, in counters."""

    book: str
    seed: int
    trick: int
    hinted: str
    best: str
    same: float  #: on the layouts by which the best was found
    fresh: float  #: on others


def measure_regrets(library: Library, positions: int, seed: int) -> list[HintRegret]:
    """Measure the regret of hints in so many positions, by each book in turn."""
    regrets = list[HintRegret]()
    while len(regrets) < positions:
        position = find_position(library, BOOKS[len(regrets) % len(BOOKS)], seed)
        regrets += [measure_regret(*position, seed)] if position else []
        seed += 1
    return regrets


def find_position(library: Library, book: str, seed: int) -> tuple[Deal, Ruleset] | None:
    """Find a turn at which there is a choice, in a trick by lot; None where that trick has none."""
    game = open_table(library, TableOptions(book, seed, _NETS))
    game, trick = deal_next(game, find_session(game, 0)), Random(seed).randrange(1, 10)
    while moved := move_next(game):
        game = moved
        turn = None if list_offers(game) else find_table_turn(game)[1]
        if turn is not None and (turn.seat, turn.number) == (_SEAT, trick):
            return (game.deal, game.ruleset) if len(turn.legal) > 1 else None
    return None


def measure_regret(deal: Deal, ruleset: Ruleset, seed: int) -> HintRegret:
    """Measure the regret of the hint in a position."""
    hinted = hint_card(deal, ruleset, seed)["card"]
    lots = Random(f"regret:{seed}")
    first, second = (weigh_by_layouts(deal, ruleset, lots) for _ in range(2))
    best = max(first, key=lambda card: first[card])
    trick = sum(len(row) == len(deal.seats) for row in deal.tricks) + 1
    same, fresh = (worths[best] - worths[hinted] for worths in (first, second))
    return HintRegret(ruleset.source, seed, trick, hinted, best, same, fresh)


def weigh_by_layouts(deal: Deal, ruleset: Ruleset, lots: Random) -> dict[str, float]:
    """Weigh every card that may be played: what the player wins with it on the mean of some layouts."""
    ask, net = Ask(ruleset), find_net(ruleset, len(deal.seats), deal.pack)
    layouts = lay_out_unseen_cards(cover_deal(deal, _SEAT), ask, LAYOUTS, lots)
    return {
        format_card(card): fmean(play_on_and_settle(layout, ruleset, net, _SEAT, card, 0) or 0 for layout in layouts)
        for card in list_legal_cards(deal, ask)
    }


def list_legal_cards(deal: Deal, ask: Ask) -> Sequence[int]:
    """List what may be played now."""
    turn = set_up_turn(deal, ask)[1]
    assert turn is not None, "a position is a turn"
    return turn.legal


def format_regrets(regrets: Sequence[HintRegret]) -> Iterator[str]:
    """Format the regrets, a line for each position with another best card, and what they come to."""
    for regret in regrets:
        if regret.hinted != regret.best:
            where = f"{regret.book} deal {regret.seed} trick {regret.trick}"
            yield f"{where}: {regret.hinted}, best {regret.best}, {regret.same:.1f} less, on others {regret.fresh:.1f}"
    exact = sum(regret.same == 0 for regret in regrets)
    same, fresh = fmean(regret.same for regret in regrets), fmean(regret.fresh for regret in regrets)
    mean = f"regret on the mean {same:.2f}, on others {fresh:.2f}"
    yield f"{len(regrets)} positions, the best card hinted in {exact}; {mean}"


def main() -> None:
    """Measure and print."""
    from rulebook.load import library

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(*format_regrets(measure_regrets(library(), asked.positions, asked.seed)), sep="\n")


if __name__ == "__main__":
    main()
