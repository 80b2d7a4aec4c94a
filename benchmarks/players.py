"""Speed of players who look ahead, and of settling with citations, on one core.

    python -m benchmarks.players [--sources PAM ACA GER PAR]

Needs the extra `survey`. The net: a survey of skilled players at one table, dealt, exchanged, played and settled. The
search: four players at one table, of whom each tries every card that he may play in 64 worlds; all 44 cards of a deal
are counted, a card without a choice too. The readable path: lawful deals, each replayed and settled with every payment
and the words it rests on. Of several rounds the best counts; what is compiled first is not counted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from benchmarks.openspiel import one_core
from engine.generation.deal import random_deal
from engine.players.policy import read_net
from engine.players.preferences import SKILLED
from engine.settlement.settle import Settled, settle
from lab.players.arena import PlayingCompany, deal_to_company, play_company
from lab.players.regret import seat_searching_players
from lab.players.skilled import order_survey
from lab.survey import chunk as piece
from lab.survey.request import Rules, SurveyTable
from lab.survey.runner import SingleProcessCrew, run_survey_order
from rulebook.load import library
from rulebook.model import Library
from rulebook.resolve import resolve

CARDS_PER_DEAL = 44
SEARCH_WORLDS = 64


def fastest(rounds: int, work: Callable[[], object]) -> float:
    """Seconds of the round in which nobody else was in the way; a round before them compiles."""
    spent = []
    for _ in range(rounds + 1):
        began = time.perf_counter()
        work()
        spent.append(time.perf_counter() - began)
    return min(spent[1:])


def measure_net(lib: Library, siglum: str, deals: int, rounds: int) -> str:
    """Deals a second at a table of four nets."""
    order = order_survey(1, SKILLED, deals, [SurveyTable(Rules(siglum))])
    seconds = fastest(rounds, lambda: run_survey_order(order, SingleProcessCrew(lib)))
    return f"net {deals / seconds:10,.0f} deals/s"


def measure_search(lib: Library, siglum: str, deals: int, rounds: int) -> str:
    """Milliseconds a card at a table of four who search."""
    prices, these = piece.get_deal_pricer(lib), Rules(siglum)
    company = PlayingCompany(prices, these, prices.bind(these)[1], 1, read_net(siglum))
    kinds = seat_searching_players(deals, SEARCH_WORLDS)  # those deals that only fill the last block are not searched
    dealt = [deal_to_company(company, range(deals), kinds) for _ in range(rounds + 1)]
    seconds = fastest(rounds, lambda: play_company(company, dealt.pop(), kinds))
    return f"search {SEARCH_WORLDS}: {1000 * seconds / (deals * CARDS_PER_DEAL):.3f} ms a card"


def measure_readable_path(lib: Library, siglum: str, deals: int, rounds: int) -> str:
    """Deals a second, settled with citations."""
    rules = resolve(lib, siglum)
    lawful = [random_deal(rules, seed) for seed in range(deals)]

    def settle_all() -> None:
        assert all(isinstance(settle(deal, rules), Settled) for deal in lawful)

    return f"readable path {deals / fastest(rounds, settle_all):8,.0f} deals/s"


def measure_players(lib: Library, given: argparse.Namespace) -> Iterator[str]:
    """Yield a line for every source."""
    for siglum in given.sources or lib.sources:
        with one_core():
            measured = (
                measure_net(lib, siglum, given.deals, given.rounds),
                measure_search(lib, siglum, given.searched, given.rounds),
                measure_readable_path(lib, siglum, given.settled, given.rounds),
            )
        yield f"{siglum}: {'   '.join(measured)}"


def main(words: Sequence[str] | None = None) -> int:
    """Measure and tell."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.players", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--sources", nargs="*", help="their sigla (all)")
    parser.add_argument("--deals", type=int, default=40_000, help="deals of the nets in a round (40000)")
    parser.add_argument("--searched", type=int, default=64, help="deals of those who search in a round (64)")
    parser.add_argument("--settled", type=int, default=1000, help="deals on the readable path in a round (1000)")
    parser.add_argument("--rounds", type=int, default=3, help="of so many rounds the best counts (3)")
    for told in measure_players(library(), parser.parse_args(words)):
        print(told, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
