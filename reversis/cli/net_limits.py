"""Answers of a net in words: how far the cards are apart, and what it cannot tell.

A net's own sum is never printed: it guesses what the whole deal will come to from the cards alone, without the payments
made so far, and may miss it by more than the cards are apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.players.nets import NetWorth, TrainedNet
from engine.players.view import PlayerView, TurnOrder
from rulebook.model import Ruleset

NET_GUESS = (
    "A net only guesses how far apart the cards are: it plays no card out, and cannot say what the deal comes to."
)
BEST_CARD = "the best"  #: said of the best card, by a net and by a search
#: Measured beside a search of 128 worlds, by two sources: a net tells nine tenths of what parts the cards in the first
#: trick, less than half in the last ones, and ever less once a player has had every one of so many tricks.
_ALL_TRICKS, _LAST_TRICKS = 3, 3


def describe_net_limits(ruleset: Ruleset, stake: int, net: TrainedNet) -> Iterator[str]:
    """Describe how far a net was made for something else."""
    if ruleset.name == net.source and not net.is_made_for(ruleset):
        yield f"The net was trained before the latest change of {net.source}'s rules: it is the nearest there is."
    elif not net.is_made_for(ruleset):
        yield f"The net was made for other answers, those of {net.source}: it is the nearest there is."
    if stake != net.stake:
        yield f"The net was made for a first pool with a stake of {net.stake}, not {stake}."


def describe_net_doubts(view: PlayerView, order: TurnOrder, names: Sequence[str]) -> Iterator[str]:
    """Describe where in a deal a net guesses badly. `order`, `names`: with the view's seats."""
    ends = range(view.seats, len(view.played) + 1, view.seats)
    tricks = [view.played[end - view.seats : end] for end in ends]
    takers = {order.find_taker(row[0].seat, [card for _, card in row]) for row in tricks}
    if len(takers) == 1 and len(tricks) >= _ALL_TRICKS:
        yield f"{names[takers.pop()]} has every trick so far: a reversis may come of it, and there a net guesses badly."
    if len(tricks) >= len(view.held) - _LAST_TRICKS:
        yield "So near the end of a deal a net guesses badly."


def describe_behind(worth: NetWorth, best: NetWorth) -> str:
    """Say how much less a card is worth than the best, in whole counters: a net is no finer."""
    if worth is best:
        return BEST_CARD
    return f"{round(worth.behind)} less" if round(worth.behind) else "about as good"


def dump_net_worth(worth: NetWorth) -> dict[str, dict[str, float]]:
    """Return the worth of a card by a net as plain data."""
    return {"worth": {"mean": round(worth.worth, 4)}, "behind": {"mean": round(worth.behind, 4)}}
