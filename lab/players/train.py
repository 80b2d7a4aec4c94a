"""Training of the net of a source: a search plays, and the net learns what it found each card to be worth.

    python -m lab.players.train --source S [--seed 1785] [--deals 6144]

From nothing to `engine/players/weights/S.json`, with NumPy and the survey's compiled code. Before play everyone
searches; in play each seat searches, plays with caution or at random as a lot falls, so that the net meets good and bad
positions. It learns how much more or less than the others a card is worth, and what all are worth together. The same
command gives the same weights on the same machine.
"""

from __future__ import annotations

import json
import sys
import time
from base64 import b85encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.players.nets import (
    KEEP,
    MEAN,
    NET_DIGESTS,
    OFFER_FEATURES,
    OUTPUTS,
    TURN_FEATURES,
    WEIGHTS_FOLDER,
    fingerprint_answers,
    number_card,
    read_net_digests,
)
from lab.players.arena import CAUTIOUS_PLAYER, RANDOM_PLAYER, PlayingCompany, deal_to_company, play_company
from lab.players.exchange import Offers
from lab.players.net_batch import list_columns, mark_offer_features, mark_turn_features
from lab.players.search import TurnPositions, Weighed
from lab.survey import chunk as piece
from lab.survey.buffers import NO_CARD, Bytes, IntArray
from lab.survey.encode_rules import Unsurveyed
from lab.survey.request import SURVEY_SEATS, Rules
from rulebook.io.files import replace_file
from rulebook.load import library
from rulebook.model import Library
from rulebook.program_options import ProgramParser

Reals = npt.NDArray[np.float32]
DEALS_AT_ONCE = 256
TURN_UNITS, OFFER_UNITS = 64, 16  #: hidden units
BATCH, RATE = 512, 2e-3
_LARGEST = 127
_KINDS = (CAUTIOUS_PLAYER, RANDOM_PLAYER)
_SHARES = (0.6, 0.35, 0.05)  #: how often a seat searches, plays with caution, or at random
_MEAN_WEIGHT = 0.05  #: of the mean beside the shares
_HELD_BACK = 20  #: of so many positions the net is not shown one, and tried by it


@dataclass(frozen=True, slots=True)
class Lessons:
    """Positions with the worth of what may be done in each, one row a position."""

    marks: Bytes  #: [rows, features / 8] the features that hold, as bits
    features: int
    worths: Reals  #: [rows, KEEP + 1]; NaN where it may not be done

    def take(self, rows: IntArray | slice) -> Reals:
        """Return the features of some rows as numbers."""
        return np.unpackbits(self.marks[rows], axis=1, count=self.features).astype(np.float32)


_Lesson: TypeAlias = tuple[Bytes, Reals]  #: marks and worths of the positions of one call of the search


@dataclass
class LessonBook:
    """Notes all that a search weighs."""

    coded: IntArray
    turns: list[_Lesson] = field(default_factory=list)
    offers: list[_Lesson] = field(default_factory=list)

    def note(self, where: TurnPositions | Offers, weighed: Weighed, gives: bool) -> None:
        """Note some positions and what was found; `gives`: it is a gift across the table."""
        if isinstance(where, Offers):
            marks = np.zeros((where.hands.size, OFFER_FEATURES), np.uint8)
            mark_offer_features(where.seat, where.hands, where.aside, int(gives), marks)
            self.offers.append(make_lesson(marks, weighed))
        else:
            marks = np.zeros((where.size, TURN_FEATURES), np.uint8)
            mark_turn_features(self.coded, list_columns(where), marks)
            self.turns.append(make_lesson(marks, weighed))

    def close(self) -> tuple[Lessons, Lessons]:
        """Return all lessons on play, and on what comes before it."""
        return gather_lessons(self.turns, TURN_FEATURES), gather_lessons(self.offers, OFFER_FEATURES)


def make_lesson(marks: Bytes, weighed: Weighed) -> _Lesson:
    """Make a lesson of what was found."""
    worths = np.full((len(marks), KEEP + 1), np.nan, np.float32)
    places = [KEEP if card == NO_CARD else number_card(card) for card in weighed.card.tolist()]
    worths[weighed.turn, places] = weighed.means
    return np.packbits(marks, axis=1), worths


def gather_lessons(some: Sequence[_Lesson], features: int) -> Lessons:
    """Gather lessons; where there was no choice, there is none to be learnt."""
    marks, worths = map(np.concatenate, zip(*some, strict=True))
    free = np.isfinite(worths).sum(axis=1) > 1
    return Lessons(marks[free], features, worths[free])


# ---- what a search finds
def collect_lessons(
    prices: piece.DealPricer, rules: Rules, deals: int, worlds: int, seed: int
) -> tuple[Lessons, Lessons]:
    """Play so many deals, and note all that the search weighs. Raises Unsurveyed."""
    pool, lots = prices.bind(rules)[1], np.random.default_rng(seed)
    book = LessonBook(np.array(prices.rules(rules, pool)[1], np.int64))
    company = PlayingCompany(prices, rules, pool, seed, watch=book.note)
    before = np.full(SURVEY_SEATS, worlds)
    for first in range(0, deals, DEALS_AT_ONCE):
        kinds = lots.choice((worlds, *_KINDS), (DEALS_AT_ONCE, SURVEY_SEATS), p=_SHARES)
        dealt = deal_to_company(company, range(first, first + DEALS_AT_ONCE), before, seed + first)
        play_company(company, dealt, kinds, seed + first)
    return book.close()


# ---- how a net learns
@dataclass(frozen=True, slots=True)
class RealLayers:
    """The weights of a net while it learns, and the worth that is 1 to it."""

    first: Reals
    second: Reals
    bias: Reals
    unit: float

    def find_outputs(self, features: Reals) -> Reals:
        """Find what comes out for some positions."""
        outputs: Reals = np.maximum(features @ self.first, 0) @ self.second + self.bias
        return outputs


@dataclass(frozen=True, slots=True)
class Aims:
    """Aims of a net: the distance of each thing that may be done from the mean, and the mean."""

    may: npt.NDArray[np.bool_]
    shares: Reals
    means: Reals
    unit: float


def find_aims(worths: Reals) -> Aims:
    """Find what a net is to learn; a typical share is 1."""
    may = np.isfinite(worths)
    means = np.nanmean(worths, axis=1)
    shares = np.where(may, worths - means[:, None], 0)
    unit = float(np.sqrt((shares**2).sum() / may.sum())) or 1.0
    return Aims(may, (shares / unit).astype(np.float32), (means / unit).astype(np.float32), unit)


def centre(values: Reals, may: npt.NDArray[np.bool_]) -> Reals:
    """Take from what may be done its mean; nought for the rest."""
    values = np.where(may, values, 0)
    return np.where(may, values - values.sum(axis=1, keepdims=True) / may.sum(axis=1, keepdims=True), 0)


def teach(lessons: Lessons, units: int, epochs: int, seed: int) -> RealLayers:
    """Teach a net by going through the lessons so many times (Adam, with a falling rate)."""
    aims, lots = find_aims(lessons.worths), np.random.default_rng(seed)
    first = 0.12 * lots.standard_normal((lessons.features, units))
    second = 0.1 * lots.standard_normal((units, OUTPUTS))
    bias = np.zeros(OUTPUTS)
    bias[MEAN] = aims.means.mean()
    own = [part.astype(np.float32) for part in (first, second, bias)]
    speed, square = [np.zeros_like(part) for part in own], [np.zeros_like(part) for part in own]
    steps = [*iter_batches(len(lessons.worths), epochs, lots)]
    for step, rows in enumerate(steps, 1):
        rate = RATE * (1 - (step - 1) / len(steps)) * (1 - 0.999**step) ** 0.5 / (1 - 0.9**step)
        for at, slope in enumerate(find_slopes(own, lessons.take(rows), aims, rows)):
            speed[at] += 0.1 * (slope - speed[at])
            square[at] += 0.001 * (slope * slope - square[at])
            own[at] -= np.float32(rate) * speed[at] / (np.sqrt(square[at]) + np.float32(1e-8))
    return RealLayers(own[0], own[1], own[2], aims.unit)


def iter_batches(rows: int, epochs: int, lots: np.random.Generator) -> Iterator[IntArray]:
    """Yield the rows of every batch: in each round all lessons but those held back, in another order."""
    shown = np.flatnonzero(np.arange(rows) % _HELD_BACK)
    for _ in range(epochs):
        order = lots.permutation(shown)
        yield from (order[at : at + BATCH] for at in range(0, len(order), BATCH))


def find_slopes(own: Sequence[Reals], features: Reals, aims: Aims, rows: IntArray) -> tuple[Reals, Reals, Reals]:
    """Find how the error of a batch changes with each weight; large errors count as clipped."""
    first, second, bias = own
    hidden = np.maximum(features @ first, 0)
    outputs, may = hidden @ second + bias, aims.may[rows]
    slope = np.zeros_like(outputs)
    slope[:, :MEAN] = centre(np.clip(centre(outputs[:, :MEAN], may) - aims.shares[rows], -4, 4), may)
    slope[:, MEAN] = _MEAN_WEIGHT * np.clip(outputs[:, MEAN] - aims.means[rows], -8, 8)
    slope *= np.float32(2 / len(rows))
    back = (slope @ second.T) * (hidden > 0)
    return features.T @ back, hidden.T @ slope, slope.sum(axis=0)


# ---- whole numbers
def round_layers(layers: RealLayers) -> dict[str, object]:
    """Round the weights to whole numbers from -127 to 127, as a file has them."""
    most = np.abs(layers.first).max(axis=0)
    scale = np.where(most > 0, _LARGEST / np.where(most > 0, most, 1), 1)
    second = layers.second / scale[:, None]
    wide = np.array([_LARGEST / (np.abs(part).max() or 1) for part in (second[:, :MEAN], second[:, MEAN])])
    each = np.where(np.arange(OUTPUTS) < MEAN, wide[0], wide[1])
    whole = (np.rint(part).astype(np.int8) for part in (layers.first * scale, second * each))
    first, second = (b85encode(part.tobytes()).decode() for part in whole)  # type: ignore[assignment]
    units = (max(1, round(float(number) / layers.unit)) for number in wide)
    bias = [int(number) for number in np.rint(layers.bias * each)]
    return {"hidden": len(scale), "first": first, "second": second, "bias": bias} | dict(
        zip(("share_unit", "mean_unit"), units, strict=True)
    )


def describe_fit(layers: RealLayers, lessons: Lessons) -> str:
    """Describe how well a net does in the lessons that were held back."""
    part = slice(0, None, _HELD_BACK)
    worths, outputs = lessons.worths[part], layers.find_outputs(lessons.take(part))
    aims = find_aims(worths)
    best, rows = np.nanmax(worths, axis=1), np.arange(len(worths))
    chosen = np.where(aims.may, outputs[:, :MEAN], -np.inf).argmax(axis=1)
    lost, typical = best - worths[rows, chosen], best - np.nanmean(worths, axis=1)
    missed = (centre(outputs[:, :MEAN], aims.may) * layers.unit - aims.shares * aims.unit) ** 2
    fit = 1 - missed.sum() / ((aims.shares * aims.unit) ** 2).sum()
    return (
        f"{len(lessons.worths):,} positions; of those held back it explains {100 * fit:.0f} % of what parts the cards,"
        f" and loses {lost.mean():.2f} a choice to the search (at random {typical.mean():.2f})"
    )


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """The length of a training, and the seed of its lots."""

    deals: int = 6144
    worlds: int = 16  #: of the search that teaches
    epochs: int = 12
    seed: int = 1785

    def format_command(self, source: str) -> str:
        """The command that trains a net so."""
        numbers = f"--deals {self.deals} --worlds {self.worlds} --epochs {self.epochs}"  # all: defaults may change
        return f"python -m lab.players.train --source {source} --seed {self.seed} {numbers}"


def train_net(own: Library, source: str, plan: TrainingPlan) -> dict[str, object]:
    """Train the net of a source; return it as a file has it. Raises Unsurveyed."""
    prices, rules = piece.get_deal_pricer(own), Rules(source)
    ruleset, pool = prices.bind(rules)
    start = time.perf_counter()
    turns, offers = collect_lessons(prices, rules, plan.deals, plan.worlds, plan.seed)
    tell(f"{source}: lessons after {time.perf_counter() - start:.0f} s")
    trained = dict[str, object]()
    for name, lessons, units in (("turns", turns, TURN_UNITS), ("offers", offers, OFFER_UNITS)):
        layers = teach(lessons, units, plan.epochs, plan.seed)
        trained[name] = round_layers(layers)
        tell(f"{source}, {name}: {describe_fit(layers, lessons)}; {time.perf_counter() - start:.0f} s")
    made_for = {"source": source, "answers": fingerprint_answers(ruleset), "stake": pool.stake}
    return made_for | {"command": plan.format_command(source)} | trained


def tell(words: str) -> None:
    """Tell how far the training has come."""
    sys.stderr.write(f"{words}\n")


def main(words: Sequence[str] | None = None) -> int:
    """Train a net and store its weights."""
    parser, usual = ProgramParser("lab.players.train", __doc__), TrainingPlan()
    parser.add_argument("--source", required=True, help="by the rules of this source")
    parser.add_seed(usual.seed)
    parser.add_number("--deals", usual.deals, "so many deals are played")
    parser.add_number("--worlds", usual.worlds, "so many worlds are searched for each card")
    parser.add_number("--epochs", usual.epochs, "so often all positions are gone through")
    help_text = (
        "where the weights are stored, and replaced (default: engine/players/weights, if all numbers are as usual)"
    )
    parser.add_argument("--folder", type=Path, help=help_text)
    given = parser.parse_args(words)
    own = library()
    plan = TrainingPlan(given.deals, given.worlds, given.epochs, given.seed)
    if given.folder is None and plan != usual:
        parser.error("with other numbers than the usual it would replace the net by which all play: add --folder DIR")
    try:
        record = train_net(own, own.source(given.source).siglum, plan)
    except (KeyError, Unsurveyed) as fault:
        parser.exit(1, f"{fault}\n")
    path = (given.folder or WEIGHTS_FOLDER) / f"{record['source']}.json"
    path.parent.mkdir(exist_ok=True)
    replace_file(path, json.dumps(record, indent=1) + "\n")
    digests = {**read_net_digests(path.parent), path.name: sha256(path.read_bytes()).hexdigest()}
    lines = (f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    replace_file(path.parent / NET_DIGESTS, "".join(lines))
    tell(f"written: {path.name}, {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
