"""Speed of the survey, beside OpenSpiel's own C++ Hearts in the same run.

    python -m benchmarks.openspiel

Needs the extra `bench`. Both are measured on one and the same core, by turns, and of several rounds the best counts.

*Theirs*: Hearts of OpenSpiel as its uniform random bots play it. `pyspiel.evaluate_bots` plays a whole game within
C++: the 52 cards are dealt, the four bots play 52 cards, the points are counted; nothing is settled. So that it is
fair to them:

- nobody passes cards. In version 2.0 the parameter `pass_cards` changes nothing when a game begins, so the first
  action, which says who passes to whom, is set to nobody by us;
- what it costs to call C++ from Python is measured besides, with a game that is over, and taken off.

*Ours*: a survey with a company for each source. Each deal is dealt at every table, exchanged and played
by the rules of its source, settled by them, and counted: so every deal is settled under every source, each on its
own play. All that Python does is counted in. Every table plays its 44 cards, and only cards played are counted.

Then: how much faster two processes are than one, and how much memory a short and a long survey take at most.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import click

from lab.survey.chunk import tally_piece
from lab.survey.request import CHUNK, SURVEY_SEATS, Rules, SurveyOrder, SurveyTable
from lab.survey.runner import SingleProcessCrew, count_cores, deliver_pieces, make_crew, run_survey_order
from reversis.cli.survey import parse_deal_count
from rulebook.load import library
from rulebook.model import Library

HAND = 11  #: cards in a hand of Reversis, as the survey deals it
THEIR_CARDS = 52
NOBODY_PASSES = 0


@dataclass(frozen=True, slots=True)
class Pace:
    """So many deals and cards in so many seconds."""

    deals: int
    cards: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.deals / self.seconds:14,.0f} deals/s {self.cards / self.seconds:16,.0f} cards/s"

    def times(self, other: Pace) -> float:
        """Ratio of the speeds, card by card."""
        return (self.cards / self.seconds) / (other.cards / other.seconds)


# ---- theirs
def their_game() -> tuple[Any, Any, list[Any]]:
    """OpenSpiel, its Hearts, and four bots that play any card they may."""
    spiel = import_module("pyspiel")
    game = spiel.load_game("hearts(pass_cards=False)")
    return spiel, game, [spiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]


def theirs(games: int, seed: int) -> Pace:
    """So many games, dealt and played."""
    spiel, game, bots = their_game()
    began = time.perf_counter()
    for at in range(games):
        state = game.new_initial_state()
        state.apply_action(NOBODY_PASSES)
        spiel.evaluate_bots(state, bots, seed + at)
    return Pace(games, games * THEIR_CARDS, time.perf_counter() - began)


def calls(games: int) -> float:
    """The seconds that it costs to call so many games from Python, not counting what is dealt and played."""
    spiel, game, bots = their_game()
    over = game.new_initial_state()
    over.apply_action(NOBODY_PASSES)
    spiel.evaluate_bots(over, bots, 0)
    assert over.is_terminal() and len(over.history()) == 1 + 2 * THEIR_CARDS  # dealt 52 cards, played 52, passed none
    began = time.perf_counter()
    for at in range(games):
        state = game.new_initial_state()
        state.apply_action(NOBODY_PASSES)
        spiel.evaluate_bots(over, bots, at)
    return time.perf_counter() - began


# ---- ours
def order_of(
    library: Library, deals: int, policy: str, size: int = CHUNK, sources: Sequence[str] | None = None
) -> SurveyOrder:
    """A company for every source, or for those named, which deals, plays and settles by it."""
    return SurveyOrder(1, policy, deals, tuple(SurveyTable(Rules(one)) for one in sources or library.sources), size)


def cards_of(order: SurveyOrder) -> int:
    """Number of cards played in all."""
    return order.deals * len(order.tables) * SURVEY_SEATS * HAND


def ours(library: Library, order: SurveyOrder, seed: int) -> Pace:
    """So many deals, dealt, exchanged, played and settled in this process."""
    order = replace(order, seed=seed)
    began = time.perf_counter()
    run_survey_order(order, SingleProcessCrew(library))
    return Pace(order.deals, cards_of(order), time.perf_counter() - began)


# ---- measuring
@contextmanager
def one_core() -> Iterator[None]:
    """Nothing uses a second core meanwhile, where the system can see to that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        os.sched_setaffinity(0, before)


def best(paces: Sequence[Pace]) -> Pace:
    """The round in which nobody else was in the way."""
    return min(paces, key=lambda pace: pace.seconds)


def side_by_side(library: Library, order: SurveyOrder, games: int, rounds: int) -> Iterator[str]:
    """Both, by turns, on one core."""
    them: list[Pace] = []
    us: list[Pace] = []
    idle: list[float] = []
    with one_core():
        tally_piece(replace(order, deals=min(order.deals, 1000)), library, 0)  # compiled, if it was not
        for at in range(rounds):
            them.append(theirs(games, 1 + at * games))
            idle.append(calls(games))
            us.append(ours(library, order, 1 + at))
    their, our = best(them), best(us)
    bare = replace(their, seconds=their.seconds - min(idle))
    yield f"OpenSpiel {version('open_spiel')}, Hearts, random bots, C++   {their}"
    yield f"the same without what the calls cost         {bare}"
    yield f"reversis survey, {order.policy}, {len(order.tables)} tables, settled     {our}"
    yield f"ratio, card by card: {our.times(their):.2f}; without what the calls cost: {our.times(bare):.2f}"


def version(package: str) -> str:
    """Version that was measured."""
    from importlib.metadata import version

    return version(package)


def speed_up(library: Library, order: SurveyOrder, rounds: int) -> Iterator[str]:
    """Two processes against one."""
    if count_cores() < 2 or order.chunks < 4:
        yield "two processes: not measured; that takes two cores, and four pieces of work"
        return
    one, two = (min(spent(library, order, jobs) for _ in range(rounds)) for jobs in (1, 2))
    yield f"two processes against one: {one[0] / two[0]:.2f} times as fast; {one[1] / two[1]:.2f} with their start"


def spent(library: Library, order: SurveyOrder, jobs: int) -> tuple[float, float]:
    """Seconds a piece once work is under way, and seconds for all with everybody's start."""
    began = time.perf_counter()
    with make_crew(library, order, jobs) as crew:
        ends = [time.perf_counter() for _ in deliver_pieces(order, crew, tally_piece)]
    total = time.perf_counter() - began
    warm = ends[jobs - 1 :]  # each process has delivered its first
    return (warm[-1] - warm[0]) / (len(warm) - 1), total


def peaks(numbers: Sequence[int], policy: str, size: int) -> Iterator[str]:
    """The most memory that surveys of so many deals take, each in a process of its own."""
    for deals in numbers:
        words = ["--peak", str(deals), "--policy", policy, "--size", str(size)]
        done = subprocess.run([sys.executable, "-m", __spec__.name, *words], capture_output=True, text=True, check=True)
        yield f"{deals:>14,} deals: at most {done.stdout.strip()} of memory"


def peak(library: Library, order: SurveyOrder) -> str:
    """The most memory that this process has taken, once a survey is done."""
    run_survey_order(order, SingleProcessCrew(library))
    try:
        import resource
    except ImportError:  # Windows
        return "(not measured here)"
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{used / (2**20 if sys.platform == 'darwin' else 2**10):,.0f} MB"


def main(words: Sequence[str] | None = None) -> int:
    """Measure and tell."""
    given = asked(words)
    lib = library()
    order = order_of(lib, given.deals, given.policy, given.size, given.sources)
    if given.peak:
        print(peak(lib, replace(order, deals=given.peak)))
        return 0
    try:
        import_module("pyspiel")
    except ImportError:
        print('This needs OpenSpiel: pip install "reversis[bench]"', file=sys.stderr)
        return 1
    parts: tuple[Callable[[], Iterator[str]], ...] = (
        lambda: side_by_side(lib, order, given.games, given.rounds),
        lambda: speed_up(lib, order, given.rounds),
        lambda: peaks(given.memory, given.policy, given.size),
    )
    for part in parts:
        for told in part():
            print(told, flush=True)
    return 0


def number(text: str) -> int:
    """A number as `reversis survey` takes it."""
    try:
        return parse_deal_count(text)
    except click.UsageError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


def asked(words: Sequence[str] | None) -> argparse.Namespace:
    """Arguments of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.openspiel", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--deals", type=number, default="16M", help="deals of ours in a round (16M)")
    parser.add_argument("--games", type=number, default="100k", help="games of theirs in a round (100k)")
    parser.add_argument("--rounds", type=number, default=3, help="of so many rounds the best counts (3)")
    parser.add_argument("--policy", choices=("random", "cautious"), default="random")
    parser.add_argument("--sources", nargs="*", help="sigla of those whose tables are played (all)")
    parser.add_argument("--memory", type=number, nargs="*", default=[10**6, 2 * 10**7], help="deals (1M 20M)")
    parser.add_argument("--size", type=number, default=CHUNK, help=f"deals in a piece of work ({CHUNK})")
    parser.add_argument("--peak", type=number, default=0, help=argparse.SUPPRESS)
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
