"""README's first finding under every other reading of its book: deals that one answer changes.

    python -m proofs.findings [--deals 65536] [--seed 1785]

At one table (FINDING_SOURCE) an answer of another source is priced, for each way of playing: by the preferred readings,
and by each other reading of it that a single deal can show. The receipt keeps the share of deals that it changes.
"""

from __future__ import annotations

import sys
from functools import reduce
from operator import add
from typing import Any

from engine.players.preferences import ALL_POLICIES, SKILLED
from lab.players.skilled import list_order_nets, order_survey
from lab.survey import chunk as piece
from lab.survey.reference import resolve_table_rules
from lab.survey.request import Rules, SurveyTable
from proofs.arguments import ProofParser, run_proof, store_receipt
from proofs.counsel import Wishes, list_rival_wishes
from reversis.files.counsel import MARGIN, RANGE, READINGS
from reversis.files.finding_ranges import CHANGED, FINDING_GIVER, FINDING_QUESTION, FINDING_SOURCE, FINDINGS_PROOF
from rulebook.load import library
from rulebook.model import Library
from rulebook.receipts import NETS, build_receipt
from rulebook.resolve import BadChoice

FINDING_ANSWER = f"{FINDING_QUESTION}@{FINDING_GIVER}"
_SAYS = (
    f"In how many of a hundred deals at the table of {FINDING_SOURCE} the answer {FINDING_ANSWER} moves counters, by"
    " each reading."
)


def list_tables(own: Library) -> dict[Wishes, SurveyTable]:
    """List the tables to be played: by the preferred readings, and by every other that goes with the answer."""
    tables = dict[Wishes, SurveyTable]()
    for wishes in [(), *list_rival_wishes(own, FINDING_SOURCE)]:
        table = SurveyTable(Rules(FINDING_SOURCE, wishes), (Rules(FINDING_SOURCE, (*wishes, FINDING_ANSWER)),))
        try:
            resolve_table_rules(own, table.others[0])
        except BadChoice:
            continue
        tables[wishes] = table
    return tables


def measure_shares(own: Library, policy: str, deals: int, seed: int) -> dict[str, Any]:
    """Measure the share of deals that the answer changes, of 100: by the preferred readings, lowest and highest."""
    shares = dict[Wishes, dict[str, Any]]()
    for wishes, table in list_tables(own).items():
        order = order_survey(seed, policy, deals, [table])
        (count,) = reduce(add, (piece.tally_piece(order, own, chunk) for chunk in range(order.chunks))).tables
        share = count.others[0].changed / count.settled
        margin = 196 * (share * (1 - share) / count.settled) ** 0.5
        shares[wishes] = {CHANGED: round(100 * share, 2), MARGIN: round(margin, 2)}
    ends = (
        min(shares, key=lambda at: shares[at][CHANGED]),
        max(shares, key=lambda at: shares[at][CHANGED]),
    )
    ranges = {name: {"by": [*wishes], **shares[wishes]} for name, wishes in zip(RANGE, ends, strict=True)}
    return {**shares[()], READINGS: len(shares) - 1, **ranges}


def main(words: list[str] | None = None) -> int:
    """Measure all readings, and leave a receipt."""
    parser = ProofParser("findings", __doc__)
    parser.add_number("--deals", 65536, "how many at each table")
    parser.add_seed(1785)
    given = parser.parse_args(words)
    command = f"python -m proofs.findings --deals {given.deals} --seed {given.seed}"
    place, own = parser.choose_place(given, command), library()
    figures: dict[str, Any] = {policy: measure_shares(own, policy, given.deals, given.seed) for policy in ALL_POLICIES}
    nets = order_survey(given.seed, SKILLED, 1, [SurveyTable(Rules(FINDING_SOURCE))])
    figures[NETS] = dict(list_order_nets(nets))
    store_receipt(place, build_receipt(FINDINGS_PROOF, _SAYS, command, given.seed, own.rules_digest, figures))
    return 0


if __name__ == "__main__":
    sys.exit(run_proof(main))
