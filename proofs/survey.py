"""Survey of what every disagreement costs, as shown on the edition's pages.

    python -m proofs.survey [--deals 196608] [--seed 1785] [--policy random --policy cautious]
    python -m proofs.survey --policy skilled --deals 65536

plays so many deals at a table of each source, prices them under every disagreement, and writes what was counted to
`sources/survey/<policy>.json`. The pages read it from there and need nothing else. A run of another size or seed than
the stored one goes into a file of its own (`--out`). It goes on where it was broken off: every finished piece is kept
in `build/survey/`, by the sources, the program and the order it is of, and of the skilled, who play by the net of each
source, also by the nets. Whole numbers only: the same seed brings out the same counts on any machine. Without
`--policy` the random and the cautious play; the skilled take much longer.

    python -m proofs.survey --policy random --show PAM:443 | reversis run - --all

shows a single deal of it, such as the worst one that a page names.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from engine.generation.turn import SEAT_NAMES
from engine.players.preferences import ALL_POLICIES, SURVEY_POLICIES
from lab.players.skilled import list_order_nets, order_survey
from lab.survey import chunk as work
from lab.survey.dask import fingerprint_survey_program
from lab.survey.reference import compute_opening_pool, resolve_table_rules
from lab.survey.request import CHUNK, SURVEY_SEATS, Rules, SurveyOrder, SurveyTable
from lab.survey.tally import Count, SurveyTally, Versus
from lab.survey.variants import SourceVariants, plan_survey_variants
from proofs.arguments import ProofParser, run_proof
from reversis.files.separations import serialize_stored_deal
from reversis.files.surveys import SURVEYS_FOLDER, Seated, StoredSurvey, write_stored_survey
from rulebook import __version__
from rulebook.io.files import replace_file
from rulebook.load import library
from rulebook.model import Library
from rulebook.receipts import format_today

_DEFAULT_DEALS, _DEFAULT_SEED = 196_608, 1785
_COMMAND = "python -m proofs.survey --deals {deals} --seed {seed} --policy {policy}"
_PIECE_CACHE = Path(__file__).resolve().parent.parent / "build" / "survey"

_PieceFunction = Callable[[SurveyOrder, Library, int], SurveyTally]


# ---- pieces, each kept until the whole is there
def count_survey(
    order: SurveyOrder, library: Library, kept: Path, piece: _PieceFunction = work.tally_piece
) -> SurveyTally:
    """Count the whole order, piece by piece; finished pieces are read from the cache."""
    total: SurveyTally | None = None
    for chunk in range(order.chunks):
        place = kept / f"{chunk}.json"
        tally = read_cached_piece(place)
        if tally is None:
            tally = piece(order, library, chunk)
            replace_file(place, json.dumps(asdict(tally)))
        total = tally if total is None else total + tally
        write_progress(f"\r{order.policy}: {min((chunk + 1) * CHUNK, order.deals):,} of {order.deals:,} deals")
    assert total is not None, "no deals were ordered"
    write_progress("\n")
    return total


def write_progress(words: str) -> None:
    """Write progress to standard error."""
    sys.stderr.write(words)
    sys.stderr.flush()


def read_cached_piece(path: Path) -> SurveyTally | None:
    """Read a finished piece from the cache; None if there is none."""
    if not path.is_file():
        return None
    return SurveyTally(tuple(map(_parse_survey_count, json.loads(path.read_text(encoding="utf-8"))["tables"])))


def _parse_survey_count(raw: dict[str, Any]) -> Count:
    others = tuple(Versus(**{key: _freeze_list(value) for key, value in versus.items()}) for versus in raw["others"])
    return Count(**{key: _freeze_list(value) for key, value in raw.items() if key != "others"}, others=others)


def _freeze_list(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# ---- the whole
def run_policy_survey(
    library: Library,
    these: tuple[SourceVariants, ...],
    order: SurveyOrder,
    kept: Path = _PIECE_CACHE,
    piece: _PieceFunction = work.tally_piece,
) -> StoredSurvey:
    """Run one survey and return it, ready to be written."""
    place = kept / sha256(f"{library.rules_digest} {fingerprint_survey_program()} {order}".encode()).hexdigest()[:16]
    count = count_survey(order, library, place, piece)
    tables = tuple(
        _make_surveyed_table(library, variants, each) for variants, each in zip(these, count.tables, strict=True)
    )
    command = _COMMAND.format(deals=order.deals, seed=order.seed, policy=order.policy)
    python = ".".join(map(str, sys.version_info[:2]))
    head = (command, order.seed, order.policy, order.deals, __version__, library.rules_digest, python, format_today())
    return StoredSurvey(*head, tables, nets=list_order_nets(order))


def _make_surveyed_table(library: Library, variants: SourceVariants, count: Count) -> Seated:
    own = resolve_table_rules(library, variants.rules)
    return Seated(variants, own.unit, compute_opening_pool(own, SEAT_NAMES[SURVEY_SEATS]).stake, count)


def render_survey_deal(library: Library, seed: int, policy: str, which: tuple[str, int]) -> str:
    """Return one deal of a survey, given by its table and number, as a line of JSON."""
    siglum, number = which
    table = SurveyTable(Rules(siglum))
    deal = work.deal_of(order_survey(seed, policy, number + 1, (table,)), library, table, number)
    return json.dumps(serialize_stored_deal(deal), ensure_ascii=False)


def main(words: list[str] | None = None) -> int:
    """Run the surveys and store them, or print one deal."""
    files = {policy: f"{SURVEYS_FOLDER}/{policy}.json" for policy in ALL_POLICIES}
    parser = ProofParser("survey", __doc__, *files.values())
    parser.add_number("--deals", _DEFAULT_DEALS, "how many at each table")
    parser.add_seed(_DEFAULT_SEED)
    help_text = f"how the cards are played; may be given several times (default: {' and '.join(SURVEY_POLICIES)})"
    parser.add_argument("--policy", action="append", choices=ALL_POLICIES, help=help_text)
    parser.add_argument("--show", default="", metavar="TABLE:NUMBER", help="only print this deal, as a record")
    given = parser.parse_args(words)
    own, policies = library(), list(dict.fromkeys(given.policy or SURVEY_POLICIES))
    if given.show:
        which = parser.match_shown(own, given.show)
        sys.stdout.write(f"{render_survey_deal(own, given.seed, policies[0], which)}\n")
        return 0
    if given.out and len(policies) > 1:
        parser.error("--out takes the survey of one policy: add --policy")
    commands = {policy: _COMMAND.format(deals=given.deals, seed=given.seed, policy=policy) for policy in policies}
    places = {policy: parser.choose_place(given, command, stored=files[policy]) for policy, command in commands.items()}
    variants = plan_survey_variants(own)
    tables = tuple(variant.table for variant in variants)
    for policy in policies:
        survey = run_policy_survey(own, variants, order_survey(given.seed, policy, given.deals, tables))
        sys.stdout.write(f"written: {write_stored_survey(places[policy], survey).name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(run_proof(main, _PIECE_CACHE))
