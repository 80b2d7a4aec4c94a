"""Effect of every disagreement on play, beside the money that it moves.

    python -m proofs.regret [--deals 64] [--worlds 64] [--seed 1785] [--source PAM]

Everyone plays by a source's own rules, as the search does. At each free choice of a card, a player who believes another
answer chooses on the same worlds, and both choices are priced by the source's rules on fresh ones: the difference is
the regret. Each line tells, a player and deal: the money that passes into other hands when the same cards are only
priced anew, how many of a hundred cards would be others, and the regret with its 95 % interval, from the spread over
the deals; identical rules give exactly nought. The choice of what to lay away is left out. Pieces of eight deals are
kept in `build/regret/`, so that a run which was broken off goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from engine.players.arena import PlayingCompany
from engine.players.regret import measure_play_effects
from engine.survey import piece
from engine.survey.jit import fingerprint_engine_files
from engine.survey.request import SURVEY_SEATS, Rules
from engine.survey.variants import SourceVariants, plan_survey_variants
from rulebook.io.files import replace_file
from rulebook.load import library
from rulebook.model import Library
from rulebook.receipts import build_receipt, write_receipt

_KEPT = Path(__file__).resolve().parent.parent / "build" / "regret"
_SAYS = (
    "What every other answer does to play under each source's rules: money moved a deal, other cards of a hundred, and"
    " the regret a player and deal, in the smallest unit of the source."
)
PIECE = 8  #: deals in a piece
FIELDS = "choices", "changed", "regret", "moved"


def measure_piece(
    company: PlayingCompany, others: Sequence[Rules], first: int, worlds: int
) -> list[dict[str, list[float]]]:
    """Measure one piece: for each ruleset what FIELDS name, deal by deal."""
    effects = measure_play_effects(company, others, range(first, first + PIECE), worlds, company.seed)
    return [{name: np.asarray(getattr(one, name), float).tolist() for name in FIELDS} for one in effects]


def iter_pieces(
    own: Library, company: PlayingCompany, plan: SourceVariants, deals: int, worlds: int
) -> Iterator[list[dict[str, list[float]]]]:
    """Yield every piece of a source's deals, measured now or before."""
    others = plan.table.others
    for first in range(0, deals, PIECE):
        key = f"{own.digest} {fingerprint_engine_files()} {plan.rules} {others} {first} {worlds} {company.seed}"
        place = _KEPT / f"{sha256(key.encode()).hexdigest()[:16]}.json"
        if not place.is_file():
            replace_file(place, json.dumps(measure_piece(company, others, first, worlds)))
        sys.stderr.write(f"\r{plan.rules}: {min(first + PIECE, deals)} of {deals} deals")
        yield json.loads(place.read_text(encoding="utf-8"))
    sys.stderr.write("\n")


def sum_up_effect(parts: Sequence[dict[str, list[float]]]) -> dict[str, float]:
    """Sum up what one ruleset does to play, over all pieces; no money where it settles none of the deals as played."""
    choices, changed, regret, moved = (np.concatenate([part[name] for part in parts]) for name in FIELDS)
    each = regret / SURVEY_SEATS
    settled = moved[~np.isnan(moved)]
    money = {"money moved": round(float(settled.mean()), 2)} if settled.size else {}
    return {
        "deals": len(each),
        **money,
        "other cards of 100": round(100 * float(changed.sum()) / max(1.0, float(choices.sum())), 2),
        "regret": round(float(each.mean()), 3),
        "give or take": round(float(1.96 * each.std() / len(each) ** 0.5), 3),
    }


def measure_regret(
    own: Library, plan: SourceVariants, deals: int, worlds: int, seed: int
) -> dict[str, dict[str, float]]:
    """Measure every ruleset of one source's table, the greatest regret first."""
    prices = piece.get_deal_pricer(own)
    company = PlayingCompany(prices, plan.rules, prices.bind(plan.rules)[1], seed)
    pieces = list(iter_pieces(own, company, plan, deals, worlds))
    found = {one.stands[0].name: sum_up_effect([each[at] for each in pieces]) for at, one in enumerate(plan.others)}
    return dict(sorted(found.items(), key=lambda line: -line[1]["regret"]))


def main(words: list[str] | None = None) -> int:
    """Measure all sources and leave a receipt; or some, and print them."""
    parser = argparse.ArgumentParser(prog="python -m proofs.regret", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--deals", type=int, default=64, help="how many under each source's rules")
    parser.add_argument("--worlds", type=int, default=64, help="of each search")
    parser.add_argument("--seed", type=int, default=1785, help="from which all lots are drawn")
    parser.add_argument("--source", action="append", help="only this one; then no receipt is left")
    given = parser.parse_args(words)
    own = library()
    plans = plan_survey_variants(own, given.source or ())
    figures = {str(one.rules): measure_regret(own, one, given.deals, given.worlds, given.seed) for one in plans}
    if given.source:
        sys.stdout.write(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
        return 0
    command = f"python -m proofs.regret --deals {given.deals} --worlds {given.worlds} --seed {given.seed}"
    one = build_receipt("regret", _SAYS, command, given.seed, own.digest, figures)
    sys.stdout.write(f"written: {write_receipt(Path(own.root), one).name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
