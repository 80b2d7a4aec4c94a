"""Comparison of a net's guesses with a search in many worlds, trick by trick.

    python -m lab.benchmarks.net_guesses PAM [--deals 512] [--worlds 128] [--seed 777]

Needs the extra `survey`. The deals are played as those from which a net learns. For every trick: in how many free
choices; what share of what parts the cards by the search the net tells (1 less the squares of what it misses, as a
share of all); and by how much its sum for the deal is off, on average, in the source's smallest counter.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from engine.players.nets import KEEP, MEAN, NetLayers, read_net
from lab.players.train import Lessons, collect_lessons
from lab.survey.chunk import get_deal_pricer
from lab.survey.request import Rules
from rulebook.load import library
from rulebook.program_options import ProgramParser

FIRST_TRICK_FEATURE, TRICKS = 360, 11  #: of the features of a turn: one for each trick (`engine.players.nets`)


def compute_outputs(layers: NetLayers, features: np.ndarray) -> np.ndarray:
    """Compute what a net answers to some positions, in its own units."""
    first, second, bias = (np.array(part, float) for part in (layers.first, layers.second, layers.bias))
    outputs: np.ndarray = np.maximum(features @ first, 0) @ second + bias
    return outputs


def compare_with_search(layers: NetLayers, lessons: Lessons) -> Iterator[tuple[int, int, float, float]]:
    """Yield by trick: free choices, share of what parts the cards that the net tells, and how far its sum is off."""
    features, worths = lessons.take(slice(None)), lessons.worths.astype(float)
    outputs, may = compute_outputs(layers, features), np.isfinite(worths)
    means = np.nanmean(worths, axis=1)
    guessed = np.where(may, outputs[:, : KEEP + 1], 0)
    guessed = np.where(may, guessed - (guessed.sum(1) / may.sum(1))[:, None], 0) / layers.share_unit
    deviations = np.where(may, worths - means[:, None], 0)
    tricks = features[:, FIRST_TRICK_FEATURE : FIRST_TRICK_FEATURE + TRICKS].argmax(axis=1)
    for trick in range(TRICKS):
        these = tricks == trick
        spread = (deviations[these] ** 2).sum()
        if spread:
            fit = 1 - ((guessed - deviations)[these] ** 2).sum() / spread
            off = np.abs(outputs[these, MEAN] / layers.mean_unit - means[these]).mean()
            yield trick + 1, int(these.sum()), float(fit), float(off)


def main() -> int:
    """Measure and print."""
    parser = ProgramParser("lab.benchmarks.net_guesses", __doc__)
    parser.add_argument("source", help="by whose rules, and whose net")
    parser.add_number("--deals", 512, "deals that are played")
    parser.add_number("--worlds", 128, "worlds of the search for each card")
    parser.add_seed(777)
    given = parser.parse_args()
    net = read_net(given.source)
    if net is None:
        sys.exit(f"{given.source} has no net")
    lessons, _ = collect_lessons(get_deal_pricer(library()), Rules(given.source), given.deals, given.worlds, given.seed)
    for trick, choices, fit, off in compare_with_search(net.turns, lessons):
        print(f"trick {trick:2}: {choices:6} choices, {100 * fit:4.0f} % of what parts the cards, sum off by {off:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
