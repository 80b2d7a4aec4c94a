"""The counsel of the sources, tried: what following each piece of advice wins, and whether each claim is true.

    python -m proofs.counsel [--deals 256] [--worlds 64] [--results 65536] [--seed 1785] [--source ACA]

Every piece of `sources/counsel.yaml` is tried by the rules of its own source. Advice: everyone plays as the search
does; in each turn to which the advice applies, the best card that follows it, the best that goes against it and the
best of all are found, and priced on fresh worlds. Advice on what is laid away: the same is found before the first card,
and each choice played out on the cards as dealt, all else by the net of the source. Claims: the net plays so many whole
deals. The 95 % intervals are from the spread over the deals, whose cases hang together. Pieces are kept in
`build/counsel/`, so that a run which was broken off goes on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from edition.data.counsel import COUNSEL_PROOF, MARGIN, PLACE_MEANS, RESULTS, UNITS, describe_trial
from engine.generation.turn import SEAT_NAMES
from engine.players.arena import PlayingCompany
from engine.players.counsel import (
    ADVICE_CONDITIONS,
    CLAIM_CONDITIONS,
    CaseMean,
    CounselTrial,
    TriedAdvice,
    average_cases,
    list_place_means,
    play_by_net,
    try_advice,
)
from engine.players.counsel_discards import DISCARD_CONDITIONS, try_discards
from engine.players.policy import WEIGHTS_FOLDER, read_net
from engine.survey import piece
from engine.survey.reference import resolve_table_rules
from engine.survey.request import SURVEY_SEATS, Rules
from proofs.arguments import ProofParser, format_sources, run_proof, store_receipt
from proofs.kept import BUILD, fingerprint_nets, keep_measured
from rulebook.counsel import Counsel, read_counsel
from rulebook.load import library
from rulebook.model import Library
from rulebook.receipts import NETS, build_receipt, fingerprint_file

_KEPT = BUILD / "counsel"
_SAYS = (
    "The advice and claims of the sources, tried: what following each wins a case, and by how much a claim is true, in"
    " the smallest unit of the source."
)
ADVICE_SUMS = "cases", "agreed", "cost", "gain", "ahead"
CounselLine: TypeAlias = dict[str, Any]
AdviceMethod: TypeAlias = Callable[[PlayingCompany, Sequence[CounselTrial], range, int, int], tuple[TriedAdvice, ...]]


@dataclass(frozen=True, slots=True)
class AdviceKind:
    """Advice of which the conditions stand in one table: how it is tried, and on how many deals at once."""

    conditions: Mapping[str, Any]
    method: AdviceMethod
    piece: int
    whole: bool  #: on as many deals as a claim


ADVICE_KINDS = (
    AdviceKind(ADVICE_CONDITIONS, try_advice, 16, False),
    AdviceKind(DISCARD_CONDITIONS, try_discards, 2048, True),
)


def make_trial(one: Counsel) -> CounselTrial:
    """Make the trial of a piece of counsel."""
    return CounselTrial(one.tried, one.cards, one.over, one.high, one.low)


def iter_advice_pieces(
    own: Library, company: PlayingCompany, kind: AdviceKind, trials: Sequence[CounselTrial], deals: int, worlds: int
) -> Iterator[list[dict[str, list[float]]]]:
    """Yield the sums of every piece of deals, for each trial: tried now, or before."""
    net = fingerprint_company_net(company) if kind.whole else ""
    for first in range(0, deals, kind.piece):
        numbers = range(first, min(first + kind.piece, deals))
        lots = f"{numbers} {worlds} {company.seed} {net}"
        key = f"{own.rules_digest} {company.rules} {trials} {lots}"
        found = keep_measured(_KEPT, key, partial(try_advice_piece, company, kind, trials, numbers, worlds))
        sys.stderr.write(f"\r{company.rules}: {numbers.stop} of {deals} deals")
        yield found
    sys.stderr.write("\n")


def try_advice_piece(
    company: PlayingCompany, kind: AdviceKind, trials: Sequence[CounselTrial], numbers: range, worlds: int
) -> list[dict[str, list[float]]]:
    """Try advice on a piece of deals, and return the sums for each trial."""
    tried = kind.method(company, trials, numbers, worlds, company.seed)
    return [{name: getattr(one, name).tolist() for name in ADVICE_SUMS} for one in tried]


def fingerprint_company_net(company: PlayingCompany) -> str:
    """Return the fingerprint of the net by which a company plays."""
    return fingerprint_file(WEIGHTS_FOLDER / f"{company.rules.source}.json")


def write_mean(name: str, one: CaseMean) -> CounselLine:
    """Write a mean with its margin under its name; nothing where the spread is not known."""
    known = np.isfinite(one.margin)
    return {name: round(one.mean, 3), f"{name} {MARGIN}": round(one.margin, 3)} if known else {}


def sum_up_advice(parts: Sequence[Mapping[str, Sequence[float]]]) -> CounselLine:
    """Sum up what came of a piece of advice, over all pieces of deals."""
    cases, agreed, cost, gain, ahead = (np.concatenate([part[name] for part in parts]) for name in ADVICE_SUMS)
    whole, total = cases.astype(np.int64), int(cases.sum())
    return {
        **{"cases": total, "deals with a case": int((whole > 0).sum()), "deals": whole.size},
        "best card follows, of 100": round(100 * float(agreed.sum()) / max(1, total), 1),
        **write_mean("gain", average_cases(gain, whole)),
        **write_mean("cost", average_cases(cost, whole)),
        **write_mean("ahead", average_cases(ahead, whole)),
    }


def try_claims(
    own: Library, company: PlayingCompany, trials: Sequence[CounselTrial], deals: int
) -> tuple[list[CounselLine], dict[str, CounselLine]]:
    """Try claims on whole deals; and what is won in each place at the table."""
    lots = f"{deals} {company.seed} {fingerprint_company_net(company)}"
    key = f"{own.rules_digest} {company.rules} {trials} {lots}"
    lines, places = keep_measured(_KEPT, key, partial(try_claims_by_net, company, trials, deals))
    return lines, places


def try_claims_by_net(
    company: PlayingCompany, trials: Sequence[CounselTrial], deals: int
) -> tuple[list[CounselLine], dict[str, CounselLine]]:
    """Try claims on deals that the net plays."""
    results, lines = play_by_net(company, range(deals)), list[CounselLine]()
    for one in trials:
        values, cases = CLAIM_CONDITIONS[one.condition](results, one)
        counts = {"cases": int(cases.sum()), "deals with a case": int((cases > 0).sum()), "deals": deals}
        lines.append({**counts, **write_mean("gain", average_cases(values, cases))})
    places = zip(SEAT_NAMES[SURVEY_SEATS], list_place_means(results), strict=True)
    return lines, {name: write_mean("wins", one) for name, one in places}


def try_source(
    own: Library, counsel: Sequence[Counsel], numbers: tuple[int, int, int], seed: int
) -> tuple[dict[str, CounselLine], dict[str, CounselLine]]:
    """Try all counsel of one source: by deals, worlds and results; with what is won in each place."""
    prices, rules, (deals, worlds, whole) = piece.get_deal_pricer(own), Rules(counsel[0].source), numbers
    company = PlayingCompany(prices, rules, prices.bind(rules)[1], seed, read_net(rules.source))
    claims = [one for one in counsel if one.tried in CLAIM_CONDITIONS]
    found, places = dict[str, CounselLine](), dict[str, CounselLine]()
    for kind in ADVICE_KINDS:
        advice = [one for one in counsel if one.tried in kind.conditions]
        number, trials = whole if kind.whole else deals, [*map(make_trial, advice)]
        pieces = list(iter_advice_pieces(own, company, kind, trials, number, worlds)) if advice else []
        lines = [sum_up_advice([each[at] for each in pieces]) for at in range(len(advice))]
        found |= {one.id: line for one, line in zip(advice, lines, strict=True)}
    if claims:
        lines, places = try_claims(own, company, [*map(make_trial, claims)], whole)
        found |= {one.id: line for one, line in zip(claims, lines, strict=True)}
    return {one.id: {"test": describe_trial(one), **found[one.id]} for one in counsel if one.id in found}, places


def collect_counsel_figures(
    own: Library, counsel: Sequence[Counsel], numbers: tuple[int, int, int], seed: int
) -> CounselLine:
    """Collect the figures of the receipt."""
    sources = dict.fromkeys(one.source for one in counsel if one.tried)
    by_nets = dict.fromkeys(one.source for one in counsel if one.tried in (*CLAIM_CONDITIONS, *DISCARD_CONDITIONS))
    tried = {name: try_source(own, [one for one in counsel if one.source == name], numbers, seed) for name in sources}
    return {
        RESULTS: {id: line for lines, _ in tried.values() for id, line in lines.items()},
        PLACE_MEANS: {name: places for name, (_, places) in tried.items() if places},
        UNITS: {name: resolve_table_rules(own, Rules(name)).unit for name in sources},
        NETS: fingerprint_nets(by_nets),
    }


def main(words: list[str] | None = None) -> int:
    """Try the counsel of all sources and leave a receipt; or of some, and print it."""
    parser = ProofParser(COUNSEL_PROOF, __doc__)
    parser.add_number("--deals", 256, "how many under each source's rules, for advice")
    parser.add_number("--worlds", 64, "of each search")
    parser.add_number("--results", 65536, "how many whole deals, for claims and discards")
    parser.add_seed(1785)
    parser.add_sources()
    given = parser.parse_args(words)
    own, sizes = library(), f"--deals {given.deals} --worlds {given.worlds} --results {given.results}"
    command = f"python -m proofs.counsel {sizes} --seed {given.seed}{format_sources(given.source)}"
    sources = parser.match_sources(own, given.source)
    place = parser.choose_place(given, command) if given.out or not given.source else None
    counsel, problems = read_counsel(Path(own.root), own)
    if problems:
        sys.stderr.write("\n".join([*map(str, problems), ""]))
        return 1
    some = [one for one in counsel if not sources or one.source in sources]
    if not some:
        parser.error(f"argument --source: no piece of counsel is of {', '.join(sources)}")
    figures = collect_counsel_figures(own, some, (given.deals, given.worlds, given.results), given.seed)
    if place:
        store_receipt(place, build_receipt(COUNSEL_PROOF, _SAYS, command, given.seed, own.rules_digest, figures))
    else:
        sys.stdout.write(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(run_proof(main, _KEPT))
