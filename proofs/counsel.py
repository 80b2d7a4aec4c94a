"""The counsel of the sources, tried: what following each piece of advice wins, and whether each claim is true.

    python -m proofs.counsel [--deals 256] [--worlds 64] [--results 65536] [--seed 1785] [--source ACA]

A passage that a figure hangs on may be read otherwise. So each piece is tried again, on a quarter of the deals, under
every other reading of its source that a single deal can show, then under all together that lower its figure, and all
that raise it; the receipt keeps the lowest and the highest. The players stay the same: a net was made for the preferred
readings.

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
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from engine.generation.turn import SEAT_NAMES
from engine.players.nets import WEIGHTS_FOLDER, read_net
from lab.checkpoints import BUILD, fingerprint_nets, measure_once, split_deals
from lab.players.arena import PlayingCompany
from lab.players.counsel import (
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
from lab.players.counsel_discards import DISCARD_CONDITIONS, try_discards
from lab.survey import chunk
from lab.survey.reference import resolve_table_rules
from lab.survey.request import SURVEY_SEATS, Rules
from lab.survey.variants import VARIANT_INTERPRETATION, collect_asked_questions, plan_source_variants
from proofs.arguments import ProofParser, format_sources, run_proof, store_receipt
from reversis.files.counsel import (
    COUNSEL_PROOF,
    MARGIN,
    PLACE_MEANS,
    RANGE,
    READINGS,
    RESULTS,
    UNITS,
    describe_trial,
)
from reversis.files.counsel_file import CounselRecord, read_counsel
from rulebook.load import library
from rulebook.model import Library
from rulebook.receipts import NETS, build_receipt, fingerprint_file

_KEPT = BUILD / "counsel"
_SAYS = (
    "The advice and claims of the sources, tried: what following each wins a case, and by how much a claim is true, in"
    " the smallest unit of the source."
)
ADVICE_SUMS = "cases", "agreed", "cost", "gain", "ahead"
FEWER = 4  #: times fewer deals for each other reading
CounselLine: TypeAlias = dict[str, Any]
TrialSizes: TypeAlias = tuple[int, int, int]  #: deals, worlds, whole deals
Wishes: TypeAlias = tuple[str, ...]  #: ids of other readings
AdviceMethod: TypeAlias = Callable[[PlayingCompany, Sequence[CounselTrial], range, int, int], tuple[TriedAdvice, ...]]


#: Conditions of advice: how it is tried, on how many deals at once, and whether on as many as a claim.
ADVICE_KINDS: Sequence[tuple[Mapping[str, Any], AdviceMethod, int, bool]] = (
    (ADVICE_CONDITIONS, try_advice, 16, False),
    (DISCARD_CONDITIONS, try_discards, 2048, True),
)


def make_trial(advice: CounselRecord) -> CounselTrial:
    """Make the trial of a piece of counsel."""
    return CounselTrial(advice.tried, tuple(advice.cards), tuple(advice.over), advice.high, advice.low)


def try_advice_piece(
    company: PlayingCompany, method: AdviceMethod, trials: Sequence[CounselTrial], numbers: range, worlds: int
) -> list[dict[str, list[float]]]:
    """Try advice on a piece of deals, and return the sums for each trial."""
    tried = method(company, trials, numbers, worlds, company.seed)
    return [{name: getattr(advice, name).tolist() for name in ADVICE_SUMS} for advice in tried]


def fingerprint_company_net(company: PlayingCompany) -> str:
    """Return the fingerprint of the net by which a company plays."""
    return fingerprint_file(WEIGHTS_FOLDER / f"{company.rules.source}.json")


def write_mean(name: str, case_mean: CaseMean) -> CounselLine:
    """Write a mean with its margin under its name; nothing where the spread is not known."""
    known = np.isfinite(case_mean.margin)
    return {name: round(case_mean.mean, 3), f"{name} {MARGIN}": round(case_mean.margin, 3)} if known else {}


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
    lines, places = measure_once(_KEPT, key, partial(try_claims_by_net, company, trials, deals))
    return lines, places


def try_claims_by_net(
    company: PlayingCompany, trials: Sequence[CounselTrial], deals: int
) -> tuple[list[CounselLine], dict[str, CounselLine]]:
    """Try claims on deals that the net plays."""
    results, lines = play_by_net(company, range(deals)), list[CounselLine]()
    for trial in trials:
        values, cases = CLAIM_CONDITIONS[trial.condition](results, trial)
        counts = {"cases": int(cases.sum()), "deals with a case": int((cases > 0).sum()), "deals": deals}
        lines.append({**counts, **write_mean("gain", average_cases(values, cases))})
    places = zip(SEAT_NAMES[SURVEY_SEATS], list_place_means(results), strict=True)
    return lines, {name: write_mean("wins", mean) for name, mean in places}


def try_rules(
    own: Library, rules: Rules, counsel: Sequence[CounselRecord], numbers: TrialSizes, seed: int
) -> tuple[dict[str, CounselLine], dict[str, CounselLine]]:
    """Try all counsel of one source under some rules: by deals, worlds and results; with what is won in each place."""
    deals, worlds, whole = numbers
    company = PlayingCompany.at_table(chunk.get_deal_pricer(own), rules, seed, read_net(rules.source))
    claims = [record for record in counsel if record.tried in CLAIM_CONDITIONS]
    lines_by_id, places = dict[str, CounselLine](), dict[str, CounselLine]()
    for conditions, method, size, by_net in ADVICE_KINDS:
        advice = [record for record in counsel if record.tried in conditions]
        trials, pieces = [*map(make_trial, advice)], list[list[dict[str, list[float]]]]()
        net = fingerprint_company_net(company) if by_net and advice else ""
        for part in split_deals(range(whole if by_net else deals), size, str(rules)) if advice else ():
            key = f"{own.rules_digest} {rules} {trials} {part} {worlds} {seed} {net}"
            pieces.append(measure_once(_KEPT, key, partial(try_advice_piece, company, method, trials, part, worlds)))
        lines = [sum_up_advice([each[at] for each in pieces]) for at in range(len(advice))]
        lines_by_id |= {record.id: line for record, line in zip(advice, lines, strict=True)}
    if claims:
        lines, places = try_claims(own, company, [*map(make_trial, claims)], whole)
        lines_by_id |= {record.id: line for record, line in zip(claims, lines, strict=True)}
    return {
        record.id: {"test": describe_trial(record), **lines_by_id[record.id]}
        for record in counsel
        if record.id in lines_by_id
    }, places


def try_source(
    own: Library, counsel: Sequence[CounselRecord], numbers: TrialSizes, seed: int
) -> tuple[dict[str, CounselLine], dict[str, CounselLine]]:
    """Try all counsel of one source by its preferred readings, and find the range over its other readings."""
    rules = Rules(counsel[0].source)
    lines, places = try_rules(own, rules, counsel, numbers, seed)
    ranges = find_ranges(own, rules.source, counsel, (numbers[0] // FEWER, numbers[1], numbers[2] // FEWER), seed)
    return {id: {**line, **ranges.get(id, {})} for id, line in lines.items()}, places


# ---- the same under other readings
def find_ranges(
    own: Library, source: str, counsel: Sequence[CounselRecord], numbers: TrialSizes, seed: int
) -> dict[str, CounselLine]:
    """Find the lowest and the highest figure of each piece over the other readings, alone and together."""
    readings = list_rival_wishes(own, source)
    alone = {wishes: try_rules(own, Rules(source, wishes), counsel, numbers, seed)[0] for wishes in [(), *readings]}
    ranges = dict[str, CounselLine]()
    for advice in counsel:
        figures = {wishes: lines[advice.id] for wishes, lines in alone.items() if "gain" in lines.get(advice.id, {})}
        for lowering in (True, False) if () in figures else ():
            wishes = join_readings(readings, figures, lowering)
            if len(wishes) > 1:
                figures[wishes] = try_rules(own, Rules(source, wishes), [advice], numbers, seed)[0][advice.id]
        ends = sorted((wishes for wishes in figures if "gain" in figures[wishes]), key=lambda at: figures[at]["gain"])
        if ends:
            lines = (describe_end(wishes, figures[wishes]) for wishes in (ends[0], ends[-1]))
            ranges[advice.id] = {READINGS: len(readings), **dict(zip(RANGE, lines, strict=True))}
    return ranges


def list_rival_wishes(own: Library, source: str) -> dict[Wishes, frozenset[str]]:
    """List the other readings of a source that a single deal can show, with the questions that each answers."""
    asked = {source: collect_asked_questions(resolve_table_rules(own, Rules(source)))}
    stands = (
        stand for disagreement in plan_source_variants(own, source, asked).others for stand in disagreement.stands
    )
    return {
        (variant.alternative,): frozenset(variant.questions)
        for variant in stands
        if variant.kind == VARIANT_INTERPRETATION
    }


def join_readings(
    readings: Mapping[Wishes, frozenset[str]], figures: Mapping[Wishes, CounselLine], lowering: bool
) -> Wishes:
    """Join all readings that lower a figure, or raise it, by half its margin or more; one for each question."""
    sign, joined, answered = 1 if lowering else -1, list[str](), set[str]()
    for wishes in sorted(readings.keys() & figures.keys(), key=lambda at: sign * figures[at]["gain"]):
        moved = sign * (figures[()]["gain"] - figures[wishes]["gain"])
        if moved > figures[()][f"gain {MARGIN}"] / 2 and not answered & readings[wishes]:
            joined += wishes
            answered |= readings[wishes]
    return tuple(joined)


def describe_end(wishes: Wishes, line: CounselLine) -> CounselLine:
    """Describe one end of a range: by which readings, and the figure."""
    return {"by": [*wishes], **{name: line[name] for name in ("gain", f"gain {MARGIN}")}}


def collect_counsel_figures(
    own: Library, counsel: Sequence[CounselRecord], numbers: TrialSizes, seed: int
) -> CounselLine:
    """Collect the figures of the receipt."""
    sources = dict.fromkeys(advice.source for advice in counsel if advice.tried)
    by_nets = dict.fromkeys(
        advice.source for advice in counsel if advice.tried in (*CLAIM_CONDITIONS, *DISCARD_CONDITIONS)
    )
    tried = {
        name: try_source(own, [advice for advice in counsel if advice.source == name], numbers, seed)
        for name in sources
    }
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
    some = [advice for advice in counsel if not sources or advice.source in sources]
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
