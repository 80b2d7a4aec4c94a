"""One deal under two rulesets: what differs, and which answers cause it; as text, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from edition.cli import output
from edition.cli.arguments import named_rules
from edition.corpus.answer_comparison import RulesetAnswer, answer_of, plain_answer, word_answer
from engine.cards import cards_of, sort_cards
from engine.comparison.attribution import (
    Affair,
    Attribution,
    Interplay,
    Part,
    Turned,
    attribute_difference,
    list_accounts,
)
from engine.comparison.bundles import JOINED, Bundle
from engine.deal.model import Deal
from engine.settlement.ledger import Account
from engine.settlement.result_json import dump_refusal
from engine.settlement.settle import Refused, Settled, Unanswered
from reversis.cli.deal_arguments import load_playable_library, process_cli_deals
from reversis.words.certainty import (
    UPSHOT_WORDINGS,
    describe_case,
    dump_case,
    dump_paid,
    format_paid_sums,
    head_turn,
    name_account_or_nobody,
)
from reversis.words.deal_views import card_names
from reversis.words.ledgers import format_signed_fraction
from rulebook.model import Clause, Library, Ruleset
from rulebook.phrases import format_count, format_signed_sum, join_names

DEAL_COMPARISON_SCHEMA = 1


@dataclass(frozen=True)
class DealComparison:
    """An attribution with all that is needed to tell of it."""

    library: Library
    pair: tuple[Ruleset, Ruleset]
    found: Attribution
    clauses: Mapping[str, Clause]

    @property
    def deal(self) -> Deal:
        """The cards."""
        return self.found.deal

    @property
    def results(self) -> tuple[Settled | Refused | Unanswered, ...]:
        """Result of the deal by either."""
        return self.found.first, self.found.second

    @property
    def pools(self) -> tuple[int, ...]:
        """Sums in the pool before the deal, in the counters of either."""
        before = [self.deal.pool(ruleset.source) for ruleset in self.pair]
        return tuple(pool.total for pool in before)

    def sides(self, slug: str) -> tuple[RulesetAnswer, ...]:
        """Answers of either to a question."""
        return tuple(answer_of(self.clauses, ruleset, self.library.questions[slug]) for ruleset in self.pair)

    def ids(self, bundle: Bundle) -> tuple[str, ...]:
        """The questions of a bundle by their ids."""
        return tuple(self.library.questions[slug].id for slug in bundle.questions)

    def named(self, bundle: Bundle) -> str:
        """A bundle in short."""
        return " with ".join(self.ids(bundle)) or "the pool before the deal"


def compare_deal(first: str, second: str, name: str, form: str, quiet: bool, ignore_unknown: bool) -> int:
    """Tell what of a deal differs by two rulesets, and why; 0, or 1 where the record is faulty."""
    lib = load_playable_library()
    pair = named_rules(lib, first), named_rules(lib, second)

    def compare(deal: Deal) -> None:
        attribution = attribute_difference(lib, deal, *pair)
        comparison = DealComparison(lib, pair, attribution, {clause.id: clause for clause in lib.clauses()})
        if form == "json":
            output.print_json(_attribution_to_data(comparison))
        else:
            _print_text(comparison, quiet)

    return process_cli_deals(lib, (name,), ignore_unknown, compare)


# ---- data
def _attribution_to_data(comparison: DealComparison) -> dict[str, object]:
    """An attribution as plain data; every share is a fraction, written 5 or 5/2."""
    attribution = comparison.found
    return {
        "schema": DEAL_COMPARISON_SCHEMA,
        "deal": comparison.deal.id,
        "compared": [ruleset.name for ruleset in comparison.pair],
        "units": [ruleset.unit for ruleset in comparison.pair],
        "states": [_state_to_data(result) for result in comparison.results],
        "structure": [_turn_to_data(comparison, turn) for turn in attribution.turned],
        "money": _money_to_data(comparison) if attribution.settled else None,
        "questions": {
            "differ": sum(len(bundle.questions) for bundle in attribution.differ),
            "asked": [id for bundle in attribution.asked for id in comparison.ids(bundle)],
        },
    }


def _state_to_data(result: Settled | Refused | Unanswered) -> dict[str, object]:
    if isinstance(result, Refused):
        return {"state": "refused", "refused": [dump_refusal(result, r) for r in result.refusals]}
    if isinstance(result, Unanswered):
        return {"state": "silent", "question": result.silent.question}
    return {"state": "settled"} | ({"open": list(result.open)} if result.open else {})


def _turn_to_data(comparison: DealComparison, turn: Turned) -> dict[str, object]:
    place: dict[str, object] = {"trick": turn.trick} if turn.trick is not None else {}
    place |= {"seat": comparison.deal.seats[turn.seat]} if turn.seat is not None else {}
    sides = [_format_turn_result(turn.what, value, comparison.deal) for value in (turn.first, turn.second)]
    ways = [[id for bundle in some for id in comparison.ids(bundle)] for some in turn.enough]
    return {"what": turn.what, **place, "sides": sides, "enough": ways}


def _money_to_data(comparison: DealComparison) -> dict[str, object]:
    attribution = comparison.found
    return {
        "pool": list(comparison.pools),
        "net": {
            name_account_or_nobody(comparison.deal, a): _net_to_data(comparison, a)
            for a in list_accounts(comparison.deal)
        },
        "causes": [_cause_to_data(comparison, bundle, share) for bundle, share in attribution.shares.items()],
        "payments": [_affair_to_data(comparison, affair) for affair in attribution.affairs],
    }


def _net_to_data(comparison: DealComparison, number: Account) -> dict[str, object]:
    both, pools = _get_net_gains(comparison, number), comparison.pools
    shares = [str(Fraction(n, pool)) for n, pool in zip(both, pools, strict=True)] if all(pools) else None
    return {"sums": list(both), "difference": comparison.found.difference[number], "of_pool": shares}


def _get_net_gains(comparison: DealComparison, number: Account) -> tuple[int, ...]:
    """Gains of an account by either ruleset, where both settle the deal."""
    return tuple(result.net[number] for result in comparison.results if isinstance(result, Settled))


def _cause_to_data(comparison: DealComparison, bundle: Bundle, share: Mapping[Account, Fraction]) -> dict[str, object]:
    questions = [
        {
            "id": comparison.library.questions[slug].id,
            "slug": slug,
            "sides": [plain_answer(s) for s in comparison.sides(slug)],
        }
        for slug in bundle.questions
    ]
    return {"joined": bundle.joined or None, "questions": questions, "adds": _shares_to_data(comparison.deal, share)}


def _affair_to_data(comparison: DealComparison, affair: Affair) -> dict[str, object]:
    return {
        **dump_case(comparison.deal, affair.case),
        "sides": [[dump_paid(comparison.deal, paid) for paid in some] for some in (affair.first, affair.second)],
        "difference": _sums_to_data(comparison.deal, affair.difference),
        "parts": [_part_to_data(comparison, part) for part in affair.parts],
        "adds_up": not affair.misleading,
        "interplay": [_interplay_to_data(comparison, two) for two in affair.interplay],
    }


def _part_to_data(comparison: DealComparison, part: Part) -> dict[str, object]:
    return {
        "questions": list(comparison.ids(part.bundle)),
        "adds": _shares_to_data(comparison.deal, part.share),
        "alone": _sums_to_data(comparison.deal, part.alone),
        "last": _sums_to_data(comparison.deal, part.last),
    }


def _interplay_to_data(comparison: DealComparison, two: Interplay) -> dict[str, object]:
    sides = [_sums_to_data(comparison.deal, side) for side in (two.first, two.second)]
    return {"questions": [list(comparison.ids(bundle)) for bundle in two.pair], "beyond": sides}


def _shares_to_data(deal: Deal, share: Mapping[Account, Fraction]) -> dict[str, str]:
    return {name_account_or_nobody(deal, a): str(n) for a, n in share.items() if n}


def _sums_to_data(deal: Deal, gained: Mapping[Account, int]) -> dict[str, int]:
    return {name_account_or_nobody(deal, a): n for a, n in gained.items() if n}


# ---- text
def _print_text(comparison: DealComparison, quiet: bool) -> None:
    from rich.text import Text

    screen = output.make_console()
    if quiet:
        output.print_lines(
            screen, [f"{comparison.deal.id}  {_pair_words(comparison)}  {_summarise_difference(comparison)}"]
        )
        return
    screen.print(Text.assemble((comparison.deal.id, "bold"), f"  {_pair_words(comparison)}"))
    output.print_lines(screen, [_describe_verdict(comparison)])
    for chapter in CHAPTERS:
        output.print_lines(screen, chapter(comparison))
    screen.print()


def _pair_words(comparison: DealComparison) -> str:
    return " and ".join(ruleset.name for ruleset in comparison.pair)


def _summarise_difference(comparison: DealComparison) -> str:
    if not comparison.found.settled:
        return "; ".join(
            f"{ruleset.name}: {_state_words(r)}" for ruleset, r in zip(comparison.pair, comparison.results, strict=True)
        )
    moved = [
        f"{name_account_or_nobody(comparison.deal, a)} {format_signed_sum(n)}"
        for a, n in comparison.found.difference.items()
        if n
    ]
    return "; ".join(moved) or "no difference in money"


def _describe_verdict(comparison: DealComparison) -> str:
    """Gain or loss of each account by the other rules, and the answers that cause most of it."""
    first, second = comparison.pair
    if not comparison.found.settled:
        return f"Nothing to compare in money: {_summarise_difference(comparison)}."
    if not any(comparison.found.difference.values()):
        return f"In the end nobody gains or loses by {second.name} instead of {first.name}."
    causes = [comparison.named(bundle) for bundle in comparison.found.shares][:_MAX_NAMED_CAUSES]
    mostly = f"; most of it by {join_names(causes)}" if causes else ""
    return f"By {second.name} instead of {first.name}: {_summarise_difference(comparison)}{mostly}."


_MAX_NAMED_CAUSES = 2  #: so many causes stand in the verdict


def _state_words(result: Settled | Refused | Unanswered) -> str:
    if isinstance(result, Refused):
        return "may not be played so"
    return "silent on a question it raises" if isinstance(result, Unanswered) else "settled"


def _describe_legality(comparison: DealComparison) -> Iterator[str]:
    """Refusals with their clauses, or the silence, of a ruleset that does not settle."""
    for ruleset, result in zip(comparison.pair, comparison.results, strict=True):
        if isinstance(result, Refused):
            yield f"\nBy {ruleset.name} the deal may not be played so:"
            yield from (f"  {r.message} {_clauses_of(ruleset, r.asked)}".rstrip() for r in result.refusals)
        if isinstance(result, Unanswered):
            yield f"\n{ruleset.name} does not settle the deal: {result.silent}"


def _clauses_of(ruleset: Ruleset, asked: Iterable[str]) -> str:
    named = dict.fromkeys(clause for slug in asked for clause in ruleset.rulings[slug].clauses)
    return f"({', '.join(named)})" if named else ""


def _describe_structure(comparison: DealComparison) -> Iterator[str]:
    """Differences besides money, with the answers that are enough to turn each."""
    if comparison.found.turned:
        yield "\nBefore any money:"
    for turn in comparison.found.turned:
        yield f"  {head_turn(turn.what, turn.trick, name_account_or_nobody(comparison.deal, turn.seat))}"
        for ruleset, value in zip(comparison.pair, (turn.first, turn.second), strict=True):
            yield f"    {ruleset.name}: {_format_turn_result(turn.what, value, comparison.deal)}"
        if any(turn.enough):
            first, second = comparison.pair
            ways = ", or to ".join(join_names(list(map(comparison.named, some))) for some in turn.enough)
            yield f"    enough to turn {first.name}: what {second.name} answers to {ways}"


def _format_turn_result(kind: str, value: Any, deal: Deal) -> str:
    if kind in _TURN_FORMATTERS:
        return _TURN_FORMATTERS[kind](value, deal)
    return UPSHOT_WORDINGS[kind][1](value, deal)


def _lawful_words(state: str, deal: Deal) -> str:
    return {"settled": "it may", "refused": "it may not", "silent": "it says nothing on a question that is raised"}[
        state
    ]


_TURN_FORMATTERS: Mapping[str, Callable[[Any, Deal], str]] = {
    "lawful": _lawful_words,
    "may-play": lambda value, deal: card_names(sort_cards(cards_of(value))),
    "taken": lambda value, deal: name_account_or_nobody(deal, value),
    "passed-over": lambda value, deal: "; ".join(value) or "none",
}


def _describe_money(comparison: DealComparison) -> Iterator[str]:
    if not comparison.found.settled:
        yield "\nOnly where both settle the deal are there two ledgers to compare; so no money is shared out."
        return
    yield f"\nIn the end; smallest units are compared one to one{unit_words(comparison)}:"
    columns = [ruleset.name for ruleset in comparison.pair]
    shares = [f"of {name}'s pool" for name in columns] if all(comparison.pools) else []
    rows = [["", *columns, "difference", *shares]]
    for number in list_accounts(comparison.deal):
        both = _get_net_gains(comparison, number)
        parts = (
            [
                f"{format_signed_sum(round(Fraction(n, pool) * 100))} %"
                for n, pool in zip(both, comparison.pools, strict=True)
            ]
            if shares
            else []
        )
        moved = format_signed_sum(comparison.found.difference[number])
        rows.append([name_account_or_nobody(comparison.deal, number), *map(format_signed_sum, both), moved, *parts])
    yield from _align_rows(rows)


def unit_words(comparison: DealComparison) -> str:
    """The counters of either, and what lay in the pool."""
    first, second = comparison.pair
    units = f", a {first.unit} of {first.name} as a {second.unit} of {second.name}" if first.unit != second.unit else ""
    lay = " and ".join(map(str, dict.fromkeys(comparison.pools)))
    return f"{units}; {lay} lay in the pool"


def _align_rows(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = "".join(f"  {cell:>{width}}" for cell, width in zip(rest, wide[1:], strict=True))
        yield f"  {first:<{wide[0]}}{cells}"


def _describe_causes(comparison: DealComparison) -> Iterator[str]:
    shares = comparison.found.shares
    if not comparison.found.settled:
        return
    if not shares:
        yield "\nNo payment depends on an answer in which the two differ."
        return
    yield f"\nThe answers that cause it, and what {comparison.pair[1].name}'s adds to {comparison.pair[0].name}:"
    for bundle, share in shares.items():
        yield from _describe_cause(comparison, bundle, share)
    alone, whole_ = _sum_separate_effects(comparison.found), comparison.found.difference
    if alone != whole_:
        yield f"\nThese answers act on each other: exchanged one by one in {comparison.pair[0].name} they would come to"
        yield f"  {_sums_words(comparison.deal, alone)};"
        yield f"  all together they come to {_sums_words(comparison.deal, whole_)}."


def _sum_separate_effects(attribution: Attribution) -> Mapping[Account, int]:
    parts = [part for affair in attribution.affairs for part in affair.parts]
    return {a: sum(part.alone[a] for part in parts) for a in list_accounts(attribution.deal)}


def _describe_cause(comparison: DealComparison, bundle: Bundle, share: Mapping[Account, Fraction]) -> Iterator[str]:
    """A bundle: its questions, the answers of both with their clauses, and what it moves."""
    yield f"  {comparison.named(bundle)}: {_share_words(comparison.deal, share)}"
    for slug in bundle.questions:
        question = comparison.library.questions[slug]
        yield f"    {question.id} {question.asks}"
        for answer in comparison.sides(slug):
            answered, *known = word_answer(comparison.library, question, answer).splitlines()
            yield f"      {answer.ruleset}: {answered} ({', '.join(known)})"
    if bundle.joined:
        yield f"    exchanged together: {JOINED[bundle.joined]}"


def _share_words(deal: Deal, share: Mapping[Account, Fraction]) -> str:
    return (
        ", ".join(f"{name_account_or_nobody(deal, a)} {format_signed_fraction(n)}" for a, n in share.items() if n)
        or "nothing in the end"
    )


def _sums_words(deal: Deal, gained: Mapping[Account, int]) -> str:
    return _share_words(deal, {a: Fraction(n) for a, n in gained.items()}).replace(" in the end", "")


def _describe_payments(comparison: DealComparison) -> Iterator[str]:
    if comparison.found.affairs:
        yield "\nPayment by payment:"
    for affair in comparison.found.affairs:
        yield from _describe_payment(comparison, affair)


def _describe_payment(comparison: DealComparison, affair: Affair) -> Iterator[str]:
    yield f"  {describe_case(comparison.deal, affair.case)}"
    for ruleset, paid in zip(comparison.pair, (affair.first, affair.second), strict=True):
        yield f"    {ruleset.name}: {format_paid_sums(comparison.deal, paid)}"
    for part in affair.parts:
        share = f"{_share_words(comparison.deal, part.share)}{_describe_uneven_part(comparison, part)}"
        yield f"    {comparison.named(part.bundle)}: {share}"
    shown = sorted(
        affair.interplay,
        key=lambda two: sum(abs(n) for side in (two.first, two.second) for n in side.values()),
        reverse=True,
    )[:_MAX_INTERPLAYS]
    yield from (_describe_interplay(comparison, two) for two in shown)
    if len(affair.interplay) > _MAX_INTERPLAYS:
        more = format_count(len(affair.interplay) - _MAX_INTERPLAYS, "pair")
        yield f"    and so do {more} more, more weakly (--format json has them all)"


_MAX_INTERPLAYS = 3  #: so many pairs are told of one payment


def _describe_uneven_part(comparison: DealComparison, part: Part) -> str:
    """Effect of a bundle alone, where that is not what it adds."""
    if part.simple:
        return ""
    alone, last = (_sums_words(comparison.deal, some) for some in (part.alone, part.last))
    return f" (alone: {alone}; as the last of all: {last})"


def _describe_interplay(comparison: DealComparison, two: Interplay) -> str:
    names = " and ".join(map(comparison.named, two.pair))
    sums = zip(comparison.pair, (two.first, two.second), strict=True)
    words = "; ".join(f"in {ruleset.name} {_sums_words(comparison.deal, some)}" for ruleset, some in sums)
    return f"    {names} together come to more or less than one by one: {words}"


def _describe_leftovers(comparison: DealComparison) -> Iterator[str]:
    """Number of differing questions without a part in it; what is open or not tried."""
    attribution = comparison.found
    differ = sum(len(bundle.questions) for bundle in attribution.differ)
    asked = sum(len(bundle.questions) for bundle in attribution.asked)
    both = format_count(differ, "question")
    yield f"\nThe two differ on {both} that both answer; this deal, however they are mixed, asks for {asked} of them."
    yield "A question that only one of them answers is answered, wherever it comes up, as that one does."
    for ruleset, result in zip(comparison.pair, comparison.results, strict=True):
        if isinstance(result, Settled) and result.open:
            yield f"By {ruleset.name} the tricks that are known leave open: {', '.join(result.open)}."
    if any(bundle.joined == "too-many" for bundle in attribution.differ):
        yield "There were too many mixtures to try, so some answers were exchanged together; their sum is exact."


CHAPTERS: Sequence[Callable[[DealComparison], Iterator[str]]] = (
    _describe_legality,
    _describe_structure,
    _describe_money,
    _describe_causes,
    _describe_payments,
    _describe_leftovers,
)
