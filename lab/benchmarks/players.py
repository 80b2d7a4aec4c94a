"""Speed of players who look ahead, and of settling with citations, on one core.

    python -m lab.benchmarks.players [--sources PAM ACA GER PAR]

Needs the extra `survey`. The net: a survey of skilled players at one table, dealt, exchanged, played and settled. The
search: four players at one table, of whom each tries every card that he may play in 64 worlds; all 44 cards of a deal
are counted, a card without a choice too. The readable path: lawful deals, each replayed and settled with every payment
and the words it rests on. Of several rounds the best counts; what is compiled first is not counted.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from engine.generation.deal import random_deal
from engine.players.nets import read_net
from engine.players.preferences import SKILLED
from engine.settlement.settle import Settled, settle
from lab.players.arena import PlayingCompany, deal_to_company, play_company
from lab.players.endgame import CARDS_PER_DEAL
from lab.players.regret import seat_searching_players
from lab.players.skilled import order_survey
from lab.survey.chunk import get_deal_pricer
from lab.survey.request import Rules, SurveyTable
from lab.survey.runner import SingleProcessCrew, run_survey_order
from rulebook.load import library
from rulebook.model import Library
from rulebook.program_options import ProgramParser
from rulebook.resolve import resolve

_SEARCH_WORLDS = 64


@contextmanager
def pin_to_one_core() -> Iterator[None]:
    """Use one core only, where the system allows it, and collect no garbage meanwhile."""
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


def time_best_round(rounds: int, work: Callable[[], object]) -> float:
    """Time the round in which nothing else was in the way; a round before them compiles."""
    spent = []
    for _ in range(rounds + 1):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return min(spent[1:])


def _measure_net(lib: Library, siglum: str, deals: int, rounds: int) -> str:
    """Measure deals a second at a table of four nets."""
    order = order_survey(1, SKILLED, deals, [SurveyTable(Rules(siglum))])
    seconds = time_best_round(rounds, lambda: run_survey_order(order, SingleProcessCrew(lib)))
    return f"net {deals / seconds:10,.0f} deals/s"


def _measure_search(lib: Library, siglum: str, deals: int, rounds: int) -> str:
    """Measure milliseconds a card at a table of four who search."""
    company = PlayingCompany.at_table(get_deal_pricer(lib), Rules(siglum), 1, read_net(siglum))
    kinds = seat_searching_players(deals, _SEARCH_WORLDS)  # those that only fill the last block are not searched
    dealt = [deal_to_company(company, range(deals), kinds) for _ in range(rounds + 1)]
    seconds = time_best_round(rounds, lambda: play_company(company, dealt.pop(), kinds))
    return f"search {_SEARCH_WORLDS}: {1000 * seconds / (deals * CARDS_PER_DEAL):.3f} ms a card"


def _measure_readable_path(lib: Library, siglum: str, deals: int, rounds: int) -> str:
    """Measure deals a second, settled with citations."""
    ruleset = resolve(lib, siglum)
    legal = [random_deal(ruleset, seed) for seed in range(deals)]

    def settle_all() -> None:
        assert all(isinstance(settle(deal, ruleset), Settled) for deal in legal)

    return f"readable path {deals / time_best_round(rounds, settle_all):8,.0f} deals/s"


def _measure_players(lib: Library, given: Namespace) -> Iterator[str]:
    """Yield a line for every source."""
    for siglum in given.sources or lib.sources:
        with pin_to_one_core():
            measured = (
                _measure_net(lib, siglum, given.deals, given.rounds),
                _measure_search(lib, siglum, given.searched, given.rounds),
                _measure_readable_path(lib, siglum, given.settled, given.rounds),
            )
        yield f"{siglum}: {'   '.join(measured)}"


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = ProgramParser("lab.benchmarks.players", __doc__)
    parser.add_argument("--sources", nargs="*", help="their sigla (all)")
    parser.add_number("--deals", 40_000, "deals of the nets in a round")
    parser.add_number("--searched", 64, "deals of those who search in a round")
    parser.add_number("--settled", 1000, "deals on the readable path in a round")
    parser.add_number("--rounds", 3, "of so many rounds the best counts")
    for line in _measure_players(library(), parser.parse_args(words)):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
