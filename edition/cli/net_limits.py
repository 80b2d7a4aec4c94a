"""Limits of a net, in words: for what else than the table at hand it was made."""

from __future__ import annotations

from collections.abc import Iterator

from engine.players.policy import TrainedNet
from rulebook.model import Ruleset


def describe_net_limits(ruleset: Ruleset, stake: int, net: TrainedNet) -> Iterator[str]:
    """Describe how far a net was made for something else."""
    if not net.is_made_for(ruleset):
        yield f"The net was made for other answers, those of {net.source}: it is the nearest there is."
    if stake != net.stake:
        yield f"The net was made for a first pool with a stake of {net.stake}, not {stake}."
