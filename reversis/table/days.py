"""The deals of the days: one for each day of a year, in which the books disagree whether South has won or lost.

South is played by a net like the others, by the rules of one book, and every book settles the deal with its own first
pool. `python -m reversis.table.days` searches the seeds from 1 on and writes them to `days.json`, in order: the first
is that of 1 January, the last that of 31 December of a leap year.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from random import Random

from engine.deal.model import Deal
from engine.players.nets import find_net
from engine.readings.ask import Ask
from reversis.table.game import TableGame, deal_next, find_session, list_offers, make_offers, open_table
from reversis.table.options import TableOptions
from reversis.table.payments import sum_payments
from reversis.table.players import NET
from reversis.table.rollouts import play_to_end
from reversis.table.totals import settle_by_books
from rulebook.io.files import replace_file
from rulebook.model import Library, Ruleset
from rulebook.resolve import resolve

DAYS_FILE = Path(__file__).with_name("days.json")
DAYS_SOURCE = "PAM"  #: by its rules the deals are played
DAYS = 366
_SOUTH = 0


def read_days() -> tuple[int, ...]:
    """Read the seeds of the days in the order of a leap year."""
    return tuple(json.loads(DAYS_FILE.read_text(encoding="utf-8"))["seeds"])


def deal_table(library: Library, source: str, seed: int) -> TableGame:
    """Deal the first deal of a game at which nets sit at all seats."""
    game = open_table(library, TableOptions(source, seed, ()))
    game = replace(game, options=replace(game.options, kinds=(NET,) * game.shape.players))
    return deal_next(game, find_session(game, 0))


def deal_to_nets(library: Library, source: str, seed: int) -> Deal:
    """Deal and exchange as nets do, with nothing played."""
    game = deal_table(library, source, seed)
    while list_offers(game):
        game = make_offers(game, {})
    return game.deal


def play_by_nets(library: Library, source: str, seed: int) -> Deal:
    """Play the first deal of a game to its end, as it comes where nets sit at all seats."""
    deal, own = deal_to_nets(library, source, seed), resolve(library, source)
    return play_to_end(deal, Ask(own), find_net(own, len(deal.seats), deal.pack), Random(seed))


def list_results(rulesets: Sequence[Ruleset], own: Ruleset, deal: Deal) -> dict[str, int]:
    """List what South has won or lost by every book that settles the deal, each with its own first pool."""
    books = settle_by_books(rulesets, own, [deal], _SOUTH)
    return {book.ruleset.source: sum_payments(book.settled[0])[_SOUTH] for book in books if book.settled}


def disagree_in_sign(results: Sequence[int]) -> bool:
    """Return whether by some book South has won and by another lost."""
    return min(results, default=0) < 0 < max(results, default=0)


def find_seeds(library: Library) -> Iterator[int]:
    """Find the seeds of deals in which the books disagree in sign."""
    rulesets = [resolve(library, siglum) for siglum in library.sources]
    own = resolve(library, DAYS_SOURCE)
    for seed in count(1):
        deal = play_by_nets(library, DAYS_SOURCE, seed)
        if disagree_in_sign([*list_results(rulesets, own, deal).values()]):
            yield seed


def write_days(library: Library, path: Path = DAYS_FILE) -> None:
    """Search the seeds of a year and write them."""
    record = {
        "command": "python -m reversis.table.days",
        "source": DAYS_SOURCE,
        "seeds": [*islice(find_seeds(library), DAYS)],
    }
    replace_file(path, json.dumps(record) + "\n")


def main() -> None:
    """Search with the library of this checkout, and write the file."""
    from rulebook.load import load_library

    whole, problems = load_library()
    if whole is None:
        raise SystemExit("\n".join(map(str, problems)))
    write_days(whole)


if __name__ == "__main__":
    main()
