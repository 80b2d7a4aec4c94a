"""Effect of every disagreement on play, beside the money that it moves.

    python -m proofs.regret [--deals 1000] [--most 64] [--worlds 64] [--seed 1785] [--source PAM]

Everyone plays by a source's own rules, as the search does. At each free choice of a card, a player who believes another
answer chooses on the same worlds, and both choices are priced by the source's rules on fresh ones: the difference is
the regret. Each line tells, a player and deal: the money that passes into other hands when the same cards are only
priced anew, how many of a hundred cards would be others, and the regret with its 95 % interval, from the spread over
the deals; identical rules give exactly nought. The choice of what to lay away is left out. Pieces of sixteen deals are
kept in `build/regret/`, so that a run which was broken off goes on.

Every answer is measured on `--deals`. Those that matter, because the interval lies above nought or the money is in the
upper third of its table, are then measured on more, up to `--most` deals, until the regret of each is known within a
tenth of a counter.

Where the interval lies above nought, a decision goes with the line in which either ruleset surely prefers another card.

    python -m proofs.regret --show PAM:3 | reversis run - --all

shows the deal of such a decision.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from engine.cards import format_card
from engine.deal.model import Deal
from engine.generation.turn import SEAT_NAMES
from lab.checkpoints import BUILD, measure_once, split_deals
from lab.players.arena import PlayingCompany, deal_to_company, play_company
from lab.players.regret import (
    ChoiceExample,
    PlayedEffects,
    measure_play_effects,
    seat_searching_players,
)
from lab.players.search import Floats
from lab.survey import chunk
from lab.survey.reference import resolve_table_rules
from lab.survey.request import SURVEY_SEATS, Rules
from lab.survey.variants import SourceVariants, plan_survey_variants
from proofs.arguments import ProofParser, format_sources, run_proof, store_receipt
from reversis.files.play_effects import (
    CLOSE,
    EXAMPLE_DEALS,
    EXAMPLES,
    MONEY,
    MONEY_DEALS,
    MONEY_MARGIN,
    MOVING_DEALS,
    NOT_MEASURED,
    REGRET_MARGIN,
    TABLES,
    list_effects_that_matter,
    name_example,
    name_example_deal,
)
from reversis.files.separations import serialize_stored_deal
from rulebook.estimates import Estimate
from rulebook.grouping import group_pairs
from rulebook.load import library
from rulebook.model import Library
from rulebook.receipts import build_receipt
from rulebook.strings import LIST_SEPARATOR

_KEPT = BUILD / "regret"
_SAYS = (
    "What every other answer does to play under each source's rules: money moved a deal, other cards of a hundred, and"
    " the regret a player and deal, in the smallest unit of the source."
)
PIECE = 16  #: deals in a piece
_PIECES_BETWEEN = 8  #: pieces after which one looks whether they are enough
FIELDS = "choices", "changed", "regret", "moved"
Line: TypeAlias = Mapping[str, Any]


# ---- pieces
class MeasuredPiece(NamedTuple):
    """Piece as it is kept: for each ruleset FIELDS deal by deal, and an example; the deals of the examples."""

    effects: tuple[Mapping[str, Sequence[float]], ...]
    examples: tuple[Line | None, ...]
    deals: Mapping[str, Line]


def measure_piece(company: PlayingCompany, others: Sequence[Rules], numbers: range, worlds: int) -> MeasuredPiece:
    """Measure one piece."""
    play_effects = measure_play_effects(company, others, numbers, worlds, company.seed)
    effects = tuple(
        {name: np.asarray(getattr(effect, name), float).tolist() for name in FIELDS} for effect in play_effects.effects
    )
    examples = tuple(dump_example(example, numbers.start) if example else None for example in play_effects.examples)
    return MeasuredPiece(effects, examples, dict(dump_deals(company, play_effects, numbers.start)))


def dump_deals(company: PlayingCompany, effects: PlayedEffects, first: int) -> Iterator[tuple[str, Line]]:
    """Yield the deals of the examples by their numbers."""
    for at in sorted({example.deal for example in effects.examples if example}):
        name = f"regret-{company.rules}-{first + at}".lower()
        deal = chunk.build_survey_deal(name, effects.played, at, company.pool)
        yield str(first + at), serialize_stored_deal(deal)


def dump_example(example: ChoiceExample, first: int) -> Line:
    """Return an example as plain data."""
    return {
        "deal": first + example.deal,
        "step": example.step,
        "player": SEAT_NAMES[SURVEY_SEATS][example.seat],
        "card": format_card(example.cards[0]),
        "other card": format_card(example.cards[1]),
        **dict(zip(("worth", "other worth"), (round(each.value, 2) for each in example.worth), strict=True)),
        **list_estimate("loss", example.loss),
        **dict(zip(("believed", "other believed"), (round(each.value, 2) for each in example.believed), strict=True)),
        **list_estimate("gain", example.gain),
    }


def list_estimate(name: str, estimate: Estimate) -> Line:
    """List the mean and the ends of an estimate under its name."""
    return {
        name: round(estimate.value, 2),
        f"{name} from": round(estimate.low, 2),
        f"{name} to": round(estimate.high, 2),
    }


def iter_pieces(
    own: Library, company: PlayingCompany, others: Sequence[Rules], deals: range, worlds: int
) -> Iterator[MeasuredPiece]:
    """Yield every piece of these deals of a source, measured now or before."""
    for numbers in split_deals(deals, PIECE, str(company.rules)):
        key = f"{own.rules_digest} {company.rules} {others} {numbers} {worlds} {company.seed}"
        yield MeasuredPiece(*measure_once(_KEPT, key, partial(measure_piece, company, others, numbers, worlds)))


MeasuredEffect: TypeAlias = list[tuple[Mapping[str, Sequence[float]], Line | None]]  #: pieces, each with its example


def measure_effects(
    own: Library, plan: SourceVariants, deals: tuple[int, int], worlds: int, seed: int
) -> tuple[list[MeasuredEffect], dict[str, Line]]:
    """Measure all rulesets of a source's table on so many deals, and those that matter on up to so many more.

    The records of the deals of the examples come with them, by their numbers.
    """
    first, most = deals
    company, others, records = make_company(own, plan.rules, seed), plan.table.others, dict[str, Line]()
    effects: list[MeasuredEffect] = [[] for _ in others]

    def measure(which: Sequence[int], numbers: range) -> None:
        for piece in iter_pieces(own, company, tuple(others[at] for at in which), numbers, worlds):
            records.update(piece.deals)
            for at, part, example in zip(which, piece.effects, piece.examples, strict=True):
                effects[at].append((part, example))

    measure(range(len(others)), range(first))
    which = list_wide_effects([*map(sum_up_effect, effects)]) if most > first else []
    for begin in range(first, most, PIECE * _PIECES_BETWEEN):
        if not any(sum_up_effect(effects[at])[REGRET_MARGIN] > CLOSE for at in which):
            break
        measure(which, range(begin, min(begin + PIECE * _PIECES_BETWEEN, most)))
    return effects, records


# ---- figures
def sum_up_effect(effect: MeasuredEffect) -> dict[str, float]:
    """Sum up what one ruleset does to play, over all pieces; no money where it settles none of the deals as played."""
    choices, changed, regret, moved = (np.concatenate([part[name] for part, _ in effect]) for name in FIELDS)
    each = regret / SURVEY_SEATS
    return {
        "deals": len(each),
        **sum_up_money(moved),
        "other cards of 100": round(100 * float(changed.sum()) / max(1.0, float(choices.sum())), 2),
        "regret": round(float(each.mean()), 3),
        REGRET_MARGIN: round(float(1.96 * each.std() / len(each) ** 0.5), 3),
    }


def sum_up_money(moved: Floats) -> dict[str, float]:
    """Sum up the money moved in some deals; nothing where both rulesets settle none of them."""
    settled = moved[~np.isnan(moved)]
    if not settled.size:
        return {}
    return {
        MONEY: round(float(settled.mean()), 2),
        MONEY_MARGIN: round(float(1.96 * settled.std() / settled.size**0.5), 3),
        MONEY_DEALS: int(settled.size),
        MOVING_DEALS: int((settled > 0).sum()),
    }


def list_wide_effects(lines: Sequence[Mapping[str, float]]) -> list[int]:
    """List the effects that matter and are not known closely enough, by their places."""
    return [at for at in list_effects_that_matter(lines) if lines[at][REGRET_MARGIN] > CLOSE]


def measure_source(
    own: Library, plan: SourceVariants, deals: tuple[int, int], worlds: int, seed: int
) -> tuple[dict[str, Line], dict[str, Line], dict[str, Line]]:
    """Measure every ruleset of one source's table, the greatest regret first; then the examples, and their deals."""
    measured, records = measure_effects(own, plan, deals, worlds, seed)
    lines: dict[str, Line] = {}
    examples: dict[str, Line] = {}
    for disagreement, effect in zip(plan.others, measured, strict=True):
        name, *others = [stand.name or stand.kind for stand in disagreement.stands]
        line = sum_up_effect(effect)
        lines[name] = {**line, "rules": str(disagreement.rules), "also": LIST_SEPARATOR.join(others)}
        best = max(
            filter(None, (example for _, example in effect)),
            key=lambda example: float(example["loss from"]),
            default=None,
        )
        if best and line["regret"] > line[REGRET_MARGIN]:
            examples[name_example(plan.rules.source, name)] = best
    numbers = sorted({example["deal"] for example in examples.values()})
    kept = {name_example_deal(plan.rules.source, number): records[str(number)] for number in numbers}
    return dict(sorted(lines.items(), key=lambda line: -line[1]["regret"])), examples, kept


def make_company(own: Library, rules: Rules, seed: int) -> PlayingCompany:
    """Make the company that plays by a source's rules."""
    return PlayingCompany.at_table(chunk.get_deal_pricer(own), rules, seed)


def list_unmeasured(plan: SourceVariants) -> dict[str, str]:
    """List what is not measured at a table, by the reason."""
    names_by_reason = group_pairs((omission.because, omission.stand.name) for omission in plan.left_out)
    return {because: LIST_SEPARATOR.join(names) for because, names in names_by_reason.items()}


def collect_figures(
    own: Library, plans: Sequence[SourceVariants], deals: tuple[int, int], worlds: int, seed: int
) -> Line:
    """Collect the figures of the receipt: a table for each source, and what goes with them."""
    measured = {plan.rules.source: measure_source(own, plan, deals, worlds, seed) for plan in plans}
    tables = {
        plan.rules.source: {
            "unit": resolve_table_rules(own, plan.rules).unit,
            "pool": make_company(own, plan.rules, seed).pool.stake,
        }
        for plan in plans
    }
    return {
        **{siglum: lines for siglum, (lines, _, _) in measured.items()},
        TABLES: tables,
        EXAMPLES: {name: line for _, some, _ in measured.values() for name, line in some.items()},
        EXAMPLE_DEALS: {name: deal for _, _, some in measured.values() for name, deal in some.items()},
        NOT_MEASURED: {plan.rules.source: list_unmeasured(plan) for plan in plans},
    }


def play_shown_deal(own: Library, which: tuple[str, int], worlds: int, seed: int) -> Deal:
    """Play one deal again, given by its source and number."""
    siglum, number = which
    company, kinds = make_company(own, Rules(siglum), seed), seat_searching_players(1, worlds)
    dealt = deal_to_company(company, range(number, number + 1), kinds, seed)
    name = f"regret-{company.rules}-{number}".lower()
    return chunk.build_survey_deal(name, play_company(company, dealt, kinds, seed), 0, company.pool)


def main(words: list[str] | None = None) -> int:
    """Measure all sources and leave a receipt; or some, and print them."""
    parser = ProofParser("regret", __doc__)
    parser.add_number("--deals", 1000, "how many under each source's rules")
    parser.add_number("--most", 0, "and for those that matter, until they are known closely", least=0)
    parser.add_number("--worlds", 64, "of each search")
    parser.add_seed(1785)
    parser.add_sources()
    parser.add_argument("--show", default="", metavar="SOURCE:NUMBER", help="only print this deal, as a record")
    given = parser.parse_args(words)
    own = library()
    if given.show:
        deal = play_shown_deal(own, parser.match_shown(own, given.show), given.worlds, given.seed)
        sys.stdout.write(f"{json.dumps(serialize_stored_deal(deal), ensure_ascii=False)}\n")
        return 0
    further = f" --most {given.most}" if given.most > given.deals else ""
    command = f"python -m proofs.regret --deals {given.deals}{further} --worlds {given.worlds} --seed {given.seed}"
    command += format_sources(given.source)
    sources, deals = parser.match_sources(own, given.source), (given.deals, max(given.deals, given.most))
    place = parser.choose_place(given, command) if given.out or not given.source else None
    figures = collect_figures(own, plan_survey_variants(own, sources), deals, given.worlds, given.seed)
    if place:
        store_receipt(place, build_receipt("regret", _SAYS, command, given.seed, own.rules_digest, figures))
    else:
        sys.stdout.write(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(run_proof(main, _KEPT))
