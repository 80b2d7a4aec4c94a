"""Benchmark of what the table asks Python for: a card, totals, a hint, the end of a deal; and of a bot's card.

    python -m benchmarks.table_requests [--deals 2] [--seed 1] [--books PAM ACA ...]

Each request goes the way of the browser's, as text and back; what is measured is processor time. The same module is
run by `benchmarks.table_in_browser` in the browser's Python; it needs the standard library and what the browser has.
Nothing here is judged: the figures are for looking at, with the load of the machine beside them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from time import process_time
from typing import Any, TypeAlias

from engine.players.nets import hand_in_net
from reversis.browser.api import answer_request
from reversis.browser.library_json import unpack_library
from reversis.table.game import deal_next, find_session, find_table_turn, list_offers, move_next, open_table
from reversis.table.options import TableOptions
from rulebook.model import Library

Samples: TypeAlias = "dict[str, list[float]]"  #: what was done -> milliseconds
BOOKS = ("ACA", "GER", "HOY", "MEY", "PAM", "PAR", "PIE")
BOT_CARD = "a bot's card"
_NETS = ("net", "net", "net", "net")


def measure_deals(library: Library, books: Sequence[str], seeds: Sequence[int]) -> Samples:
    """Measure deals by each of some books; hints are asked for at every turn."""
    samples: Samples = {}
    for seed in seeds:
        for book in books:
            for what, took in (*measure_deal(library, book, seed), *measure_bots(library, book, seed)):
                samples.setdefault(what, []).append(took)
    return samples


def measure_deal(library: Library, book: str, seed: int) -> Iterator[tuple[str, float]]:
    """Play a deal as the page does, at random, and measure every request."""
    lots = Random(seed)
    game: Mapping[str, Any] = {}

    def ask(do: str, **request: object) -> tuple[float, Mapping[str, Any]]:
        text = json.dumps({"do": f"table.{do}", "game": game, **request})
        began = process_time()
        answer = json.dumps(answer_request(library, json.loads(text)), ensure_ascii=False)
        return 1000 * (process_time() - began), json.loads(answer)

    took, answer = ask("begin", source=book, seed=seed)
    yield "begin", took
    while answer["view"]["phase"] != "over":
        game, view = answer["game"], answer["view"]
        play, legal = view["phase"] == "play", [held["card"] for held in view["hand"] if held["legal"]]
        yield "hint" if play else "hint before play", ask("hint")[0]
        took, answer = ask("card" if play else "exchange", card=lots.choice(legal))
        game = answer["game"]
        yield "card" if play else "exchange", took
        if play:
            yield "totals", ask("totals")[0]
    yield "end", ask("end")[0]


def measure_bots(library: Library, book: str, seed: int) -> Iterator[tuple[str, float]]:
    """Measure every card of a deal in which four nets play."""
    game = open_table(library, TableOptions(book, seed, _NETS))
    game = deal_next(game, find_session(game, 0))
    while game.deal.fragment:
        is_card = not list_offers(game) and find_table_turn(game)[1] is not None
        began = process_time()
        moved = move_next(game)
        took = 1000 * (process_time() - began)
        assert moved is not None, "somebody is to move"
        game = moved
        if is_card:
            yield BOT_CARD, took


# ---- the figures
def find_share(values: Sequence[float], share: float) -> float:
    """Find the value below which so large a share of all lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def format_samples(samples: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """Format what was measured, a line for each."""
    yield f"{'milliseconds':24} {'times':>6} {'median':>8} {'p95':>8} {'most':>8}"
    for what, values in samples.items():
        figures = (find_share(values, 0.5), find_share(values, 0.95), max(values))
        yield f"{what:24} {len(values):6} {' '.join(f'{figure:8.1f}' for figure in figures)}"


def describe_load() -> str:
    """Describe how busy the machine was in the last minute."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


def measure_in_browser(library: str, weights: Mapping[str, str], books: Sequence[str], seeds: Sequence[int]) -> str:
    """Measure deals in the browser's Python, where the library and the nets come as text."""
    for book in books:
        hand_in_net(book, weights[book])
    return json.dumps(measure_deals(unpack_library(library), books, seeds))


def main() -> None:
    """Measure and print."""
    import argparse

    from rulebook.load import library

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=2, help="by each book (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="of the first deal (default: 1)")
    parser.add_argument("--books", nargs="+", default=BOOKS, help="(default: all)")
    asked = parser.parse_args()
    before = describe_load()
    samples = measure_deals(library(), asked.books, range(asked.seed, asked.seed + asked.deals))
    print(*format_samples(samples), f"{before}; at the end {describe_load()}", sep="\n")


if __name__ == "__main__":
    main()
