"""What every disagreement costs at the table: the survey from which the edition's pages are made.

    python -m proofs.survey [--deals 2000000] [--seed 1785] [--policy random --policy cautious]

plays so many deals at a table of each source, prices them under every disagreement, and writes what was counted to
`sources/survey/<policy>.json`. The pages read it from there and need nothing else. It goes on where it was broken off:
every finished piece is kept in `build/survey/`, by the sources, the program and the order it is of. Whole numbers only:
the same seed brings out the same counts on any machine.

    python -m proofs.survey --policy random --show PAM:443 | reversis run - --all

shows a single deal of it, such as the worst one that a page names.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from edition.data.separations import record_of
from edition.data.surveys import Seated, Survey, write_survey
from engine.survey import piece as work
from engine.survey.dask import program
from engine.survey.reference import bound, opening
from engine.survey.request import CHUNK, Order, Rules, Table
from engine.survey.tally import Count, Tally, Versus
from engine.survey.variants import Weighed, weighed
from rulebook import __version__
from rulebook.io.files import replaced
from rulebook.load import load
from rulebook.model import Library
from rulebook.receipts import today

DEALS, SEED, POLICIES = 2_000_000, 1785, ("random", "cautious")
COMMAND = "python -m proofs.survey --deals {deals} --seed {seed} --policy {policy}"
ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "survey"
SEATS = ("south", "east", "north", "west")

Piece = Callable[[Order, Library, int], Tally]


# ---- pieces, each kept until the whole is there
def counted(order: Order, library: Library, kept: Path, piece: Piece = work.piece) -> Tally:
    """The whole order, piece by piece; what lies there already is taken over."""
    total: Tally | None = None
    for chunk in range(order.chunks):
        one = taken(kept / f"{chunk}.json") or laid(kept / f"{chunk}.json", piece(order, library, chunk))
        total = one if total is None else total + one
        tell(f"\r{order.policy}: {min((chunk + 1) * CHUNK, order.deals):,} of {order.deals:,} deals")
    assert total is not None, "no deals were ordered"
    tell("\n")
    return total


def tell(words: str) -> None:
    """How far it has come."""
    sys.stderr.write(words)
    sys.stderr.flush()


def laid(path: Path, one: Tally) -> Tally:
    """A piece, laid down whole."""
    replaced(path, json.dumps(asdict(one)))
    return one


def taken(path: Path) -> Tally | None:
    """A piece that was finished before; none if it was not."""
    return tally_of(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def tally_of(raw: dict[str, Any]) -> Tally:
    """A tally as it was laid down."""
    return Tally(tuple(count_of(one) for one in raw["tables"]))


def count_of(raw: dict[str, Any]) -> Count:
    """One table of it."""
    others = tuple(Versus(**{key: frozen(value) for key, value in one.items()}) for one in raw["others"])
    return Count(**{key: frozen(value) for key, value in raw.items() if key != "others"}, others=others)


def frozen(value: Any) -> Any:
    """A row of numbers as a tuple."""
    return tuple(value) if isinstance(value, list) else value


# ---- the whole
def surveyed(
    library: Library, these: tuple[Weighed, ...], order: Order, kept: Path = KEPT, piece: Piece = work.piece
) -> Survey:
    """One survey, ready to be written."""
    place = kept / sha256(f"{library.digest} {program()} {order}".encode()).hexdigest()[:16]
    count = counted(order, library, place, piece)
    tables = tuple(seated(library, one, each) for one, each in zip(these, count.tables, strict=True))
    command = COMMAND.format(deals=order.deals, seed=order.seed, policy=order.policy)
    python = ".".join(map(str, sys.version_info[:2]))
    head = (command, order.seed, order.policy, order.deals, __version__, library.digest, python, today())
    return Survey(*head, tables)


def seated(library: Library, one: Weighed, count: Count) -> Seated:
    """One table with what was counted there."""
    own = bound(library, one.rules)
    return Seated(one, own.unit, opening(own, SEATS).stake, count)


def all_of(library: Library, deals: int, seed: int, policies: tuple[str, ...]) -> Iterator[Survey]:
    """The surveys of all policies, one after another."""
    these = weighed(library)
    for policy in policies:
        yield surveyed(library, these, Order(seed, policy, deals, tuple(one.table for one in these)))


def shown(library: Library, seed: int, policy: str, which: str) -> str:
    """One deal of a survey, named like PAM:443, as a record in a line of JSON."""
    siglum, _, number = which.partition(":")
    table = Table(Rules(siglum))
    deal = work.deal_of(Order(seed, policy, int(number) + 1, (table,)), library, table, int(number))
    return json.dumps(record_of(deal), ensure_ascii=False)


def main(words: list[str] | None = None) -> int:
    """Where the program begins."""
    parser = argparse.ArgumentParser(prog="python -m proofs.survey", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int, default=DEALS, help="how many at each table")
    parser.add_argument("--seed", type=int, default=SEED, help="from which all lots are drawn")
    parser.add_argument("--policy", action="append", choices=POLICIES, help="how the cards are played; both")
    parser.add_argument("--show", default="", metavar="TABLE:NUMBER", help="only print this deal, as a record")
    given = parser.parse_args(words)
    library, problems = load()
    assert library is not None and not problems, problems
    if given.show:
        policy = (given.policy or POLICIES)[0]
        sys.stdout.write(f"{shown(library, given.seed, policy, given.show)}\n")
        return 0
    for one in all_of(library, given.deals, given.seed, tuple(given.policy or POLICIES)):
        sys.stdout.write(f"written: {write_survey(Path(library.root), one).name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
