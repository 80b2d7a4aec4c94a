"""Speed of the survey, beside OpenSpiel's own C++ Hearts in the same run.

    python -m lab.benchmarks.openspiel

Needs the extra `bench`. Both are measured on one and the same core, by turns, and of several rounds the best counts.

*Theirs*: Hearts of OpenSpiel as its uniform random bots play it. `pyspiel.evaluate_bots` plays a whole game within
C++: the 52 cards are dealt, the four bots play 52 cards, the points are counted; nothing is settled. So that it is
fair to them:

- nobody passes cards. In version 2.0 the parameter `pass_cards` changes nothing when a game begins, so the first
  action, which says who passes to whom, is set to nobody by us;
- what it costs to call C++ from Python is measured besides, with a game that is over, and subtracted.

*Ours*: a survey with a table for each source. Each deal is dealt at every table, exchanged and played by the rules of
its source, settled by them, and counted: so every deal is settled under every source, each on its own play. All that
Python does is counted in. Every table plays its 44 cards, and only cards played are counted.

Then: how much faster two processes are than one, and how much memory a short and a long survey take at most.
"""

from __future__ import annotations

import subprocess
import sys
import time
from argparse import SUPPRESS, Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.metadata import version
from typing import Any

from lab.benchmarks.players import pin_to_one_core
from lab.players.endgame import CARDS_PER_DEAL
from lab.survey.chunk import tally_piece
from lab.survey.request import CHUNK, Rules, SurveyOrder, SurveyTable
from lab.survey.runner import SingleProcessCrew, count_cores, deliver_pieces, make_crew, run_survey_order
from rulebook.load import library
from rulebook.model import Library
from rulebook.program_options import ProgramParser

_HEARTS_CARDS = 52
NOBODY_PASSES = 0
_WARM_UP = 1000  #: so many deals compile


@dataclass(frozen=True, slots=True)
class Pace:
    """Deals and cards in so many seconds."""

    deals: int
    cards: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.deals / self.seconds:14,.0f} deals/s {self.cards / self.seconds:16,.0f} cards/s"

    def compare(self, other: Pace) -> float:
        """Compute the ratio of the speeds, card by card."""
        return (self.cards / self.seconds) / (other.cards / other.seconds)


def time_hearts(games: int, seed: int, over: bool = False) -> Pace:
    """Deal and play games of OpenSpiel's Hearts; with `over`, only call it so often with a game that is over."""
    spiel = import_module("pyspiel")
    game = spiel.load_game("hearts(pass_cards=False)")
    bots = [spiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
    ended = _start_hearts(game)
    if over:
        spiel.evaluate_bots(ended, bots, 0)
        assert ended.is_terminal() and len(ended.history()) == 1 + 2 * _HEARTS_CARDS  # dealt and played; passed none
    began = time.perf_counter()
    for number in range(games):
        state = _start_hearts(game)
        spiel.evaluate_bots(ended if over else state, bots, seed + number)
    return Pace(games, games * _HEARTS_CARDS, time.perf_counter() - began)


def _start_hearts(game: Any) -> Any:
    state = game.new_initial_state()
    state.apply_action(NOBODY_PASSES)
    return state


def order_tables(
    library: Library, deals: int, policy: str, size: int = CHUNK, sources: Sequence[str] | None = None
) -> SurveyOrder:
    """Order a survey with a table for every source, or for those named."""
    tables = tuple(SurveyTable(Rules(siglum)) for siglum in sources or library.sources)
    return SurveyOrder(1, policy, deals, tables, size)


def _time_survey(library: Library, order: SurveyOrder, seed: int) -> Pace:
    order = replace(order, seed=seed)
    began = time.perf_counter()
    run_survey_order(order, SingleProcessCrew(library))
    return Pace(order.deals, (order.deals * len(order.tables) * CARDS_PER_DEAL), time.perf_counter() - began)


def choose_best(paces: Sequence[Pace]) -> Pace:
    """Choose the round in which nothing else was in the way."""
    return min(paces, key=lambda pace: pace.seconds)


def compare_speeds(library: Library, order: SurveyOrder, games: int, rounds: int) -> Iterator[str]:
    """Measure both by turns on one core, and yield lines."""
    with pin_to_one_core():
        tally_piece(replace(order, deals=min(order.deals, _WARM_UP)), library, 0)
        measured = [
            (
                time_hearts(games, 1 + number * games),
                time_hearts(games, 0, over=True),
                _time_survey(library, order, 1 + number),
            )
            for number in range(rounds)
        ]
    theirs, idle, ours = map(choose_best, zip(*measured, strict=True))
    bare = replace(theirs, seconds=theirs.seconds - idle.seconds)
    yield f"OpenSpiel {version('open_spiel')}, Hearts, random bots, C++   {theirs}"
    yield f"the same without what the calls cost         {bare}"
    yield f"reversis survey, {order.policy}, {len(order.tables)} tables, settled     {ours}"
    yield f"ratio, card by card: {ours.compare(theirs):.2f}; without what the calls cost: {ours.compare(bare):.2f}"


def compare_processes(library: Library, order: SurveyOrder, rounds: int) -> Iterator[str]:
    """Measure two processes against one, and yield a line."""
    if count_cores() < 2 or order.chunks < 4:
        yield "two processes: not measured; that takes two cores, and four pieces of work"
        return
    alone, two = (min(_time_processes(library, order, jobs) for _ in range(rounds)) for jobs in (1, 2))
    yield f"two processes against one: {alone[0] / two[0]:.2f} times as fast; {alone[1] / two[1]:.2f} with their start"


def _time_processes(library: Library, order: SurveyOrder, jobs: int) -> tuple[float, float]:
    """Return the seconds of a piece once work is under way, and the seconds of all with every start."""
    began = time.perf_counter()
    with make_crew(library, order, jobs) as crew:
        ends = [time.perf_counter() for _ in deliver_pieces(order, crew, tally_piece)]
    total = time.perf_counter() - began
    warm = ends[jobs - 1 :]  # each process has delivered its first
    return (warm[-1] - warm[0]) / (len(warm) - 1), total


def measure_memory(numbers: Sequence[int], policy: str, size: int) -> Iterator[str]:
    """Measure the most memory that surveys of so many deals take, each in a process of its own."""
    for deals in numbers:
        words = ["--peak", str(deals), "--policy", policy, "--size", str(size)]
        done = subprocess.run([sys.executable, "-m", __spec__.name, *words], capture_output=True, text=True, check=True)
        yield f"{deals:>14,} deals: at most {done.stdout.strip()} of memory"


def _measure_peak(library: Library, order: SurveyOrder) -> str:
    """Run a survey and format the most memory that this process has taken."""
    run_survey_order(order, SingleProcessCrew(library))
    try:
        import resource
    except ImportError:  # Windows
        return "(not measured here)"
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return f"{used / (2**20 if sys.platform == 'darwin' else 2**10):,.0f} MB"


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print."""
    given = _parse(words)
    lib = library()
    order = order_tables(lib, given.deals, given.policy, given.size, given.sources)
    if given.peak:
        print(_measure_peak(lib, replace(order, deals=given.peak)))
        return 0
    try:
        import_module("pyspiel")
    except ImportError:
        print('This needs OpenSpiel: pip install "reversis[bench]"', file=sys.stderr)
        return 1
    parts: tuple[Callable[[], Iterator[str]], ...] = (
        lambda: compare_speeds(lib, order, given.games, given.rounds),
        lambda: compare_processes(lib, order, given.rounds),
        lambda: measure_memory(given.memory, given.policy, given.size),
    )
    for part in parts:
        for line in part():
            print(line, flush=True)
    return 0


def _parse(words: Sequence[str] | None) -> Namespace:
    parser = ProgramParser("lab.benchmarks.openspiel", __doc__)
    parser.add_number("--deals", 16_000_000, "deals of ours in a round")
    parser.add_number("--games", 100_000, "games of theirs in a round")
    parser.add_number("--rounds", 3, "of so many rounds the best counts")
    parser.add_argument("--policy", choices=("random", "cautious"), default="random")
    parser.add_argument("--sources", nargs="*", help="sigla of those whose tables are played (all)")
    parser.add_argument("--memory", type=int, nargs="*", default=[10**6, 2 * 10**7], help="deals (1 and 20 million)")
    parser.add_number("--size", CHUNK, "deals in a piece of work")
    parser.add_argument("--peak", type=int, default=0, help=SUPPRESS)
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
