"""One deal under two rulesets: what differs, and which answers cause it; as text, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from edition.analysis.answer_comparison import RulesetAnswer, answer_of, plain_answer, word_answer
from edition.analysis.certainty import HEADINGS, UPSHOTS, account, sums, what
from edition.analysis.deal_views import card_names
from edition.analysis.ledgers import signed
from edition.cli import output
from edition.cli.arguments import library, named_rules, records
from edition.text.events import joined
from engine.cards import cards_of, in_order, name
from engine.comparison.attribution import Affair, Attribution, Interplay, Part, Turned, accounts, attribution
from engine.comparison.bundles import JOINED, Bundle
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.interpretation.worlds import Paid
from engine.settlement.ledger import Account
from engine.settlement.result_json import refused as written_refusal
from engine.settlement.settle import Refused, Settled, Unanswered
from rulebook.model import Clause, Library, Ruleset

SCHEMA = 1


@dataclass(frozen=True)
class Compared:
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
        """What comes of the deal by either."""
        return self.found.first, self.found.second

    @property
    def pools(self) -> tuple[int, ...]:
        """What lies in the pool before the deal, in the counters of either."""
        return tuple(whole(self.deal.pool(ruleset.source)) for ruleset in self.pair)

    def sides(self, slug: str) -> tuple[RulesetAnswer, ...]:
        """What either answers to a question."""
        return tuple(answer_of(self.clauses, ruleset, self.library.questions[slug]) for ruleset in self.pair)

    def ids(self, bundle: Bundle) -> tuple[str, ...]:
        """The questions of a bundle by their ids."""
        return tuple(self.library.questions[slug].id for slug in bundle.questions)

    def named(self, bundle: Bundle) -> str:
        """A bundle in short."""
        return " with ".join(self.ids(bundle)) or "the pool before the deal"


def whole(pool: Pool) -> int:
    """All that lies in a pool."""
    return pool.stake + sum(pool.waiting)


def compare_deal(first: str, second: str, name: str, form: str, quiet: bool, ignore_unknown: bool) -> int:
    """Tell what of a deal differs by two rulesets, and why; 0, or 1 where the record is faulty."""
    lib = library()
    pair = named_rules(lib, first), named_rules(lib, second)
    code = 0
    for one in records(lib, (name,), ignore_unknown):
        if one.deal is None:
            output.tell(one.problems, stderr=True)
            code = 1
            continue
        found = attribution(lib, one.deal, *pair)
        FORMS[form](Compared(lib, pair, found, {clause.id: clause for clause in lib.clauses()}), quiet)
    return code


# ---- data
def as_json(one: Compared, quiet: bool) -> None:
    """One line for each deal."""
    output.data(written(one))


def written(one: Compared) -> dict[str, object]:
    """An attribution as plain data; every share is a fraction, written 5 or 5/2."""
    found = one.found
    plain: dict[str, object] = {
        "schema": SCHEMA,
        "deal": one.deal.id,
        "compared": [ruleset.name for ruleset in one.pair],
        "units": [ruleset.unit for ruleset in one.pair],
        "states": [written_state(result) for result in one.results],
        "structure": [written_turn(one, turn) for turn in found.turned],
        "money": written_money(one) if found.settled else None,
        "questions": {
            "differ": sum(len(bundle.questions) for bundle in found.differ),
            "asked": [id for bundle in found.asked for id in one.ids(bundle)],
        },
    }
    return plain


def written_state(result: Settled | Refused | Unanswered) -> dict[str, object]:
    """Whether a ruleset settles the deal; what it forbids, or on what it is silent."""
    if isinstance(result, Refused):
        return {"state": "refused", "refused": [written_refusal(result, r) for r in result.refusals]}
    if isinstance(result, Unanswered):
        return {"state": "silent", "question": result.silent.question}
    return {"state": "settled"} | ({"open": list(result.open)} if result.open else {})


def written_turn(one: Compared, turn: Turned) -> dict[str, object]:
    """Something besides money that turns out otherwise."""
    place: dict[str, object] = {"trick": turn.trick} if turn.trick is not None else {}
    place |= {"seat": one.deal.seats[turn.seat]} if turn.seat is not None else {}
    sides = [said(turn.what, value, one.deal) for value in (turn.first, turn.second)]
    ways = [[id for bundle in some for id in one.ids(bundle)] for some in turn.enough]
    return {"what": turn.what, **place, "sides": sides, "enough": ways}


def written_money(one: Compared) -> dict[str, object]:
    """The accounts by either ruleset, what every bundle adds, and every payment that differs."""
    found = one.found
    return {
        "pool": list(one.pools),
        "net": {account(one.deal, a): written_net(one, a) for a in accounts(one.deal)},
        "causes": [written_cause(one, bundle, share) for bundle, share in found.shares.items()],
        "payments": [written_affair(one, affair) for affair in found.affairs],
    }


def written_net(one: Compared, number: Account) -> dict[str, object]:
    """What an account gains by either, as a sum and as a share of the pool."""
    both = nets(one, number)
    return {"sums": list(both), "difference": one.found.difference[number], "of_pool": of_pool(one, both)}


def nets(one: Compared, number: Account) -> tuple[int, ...]:
    """What an account gains by either ruleset, where both settle the deal."""
    return tuple(result.net[number] for result in one.results if isinstance(result, Settled))


def of_pool(one: Compared, both: Iterable[int]) -> list[str] | None:
    """Two sums as shares of the pool before the deal; none where nothing lay there."""
    return [str(Fraction(n, pool)) for n, pool in zip(both, one.pools, strict=True)] if all(one.pools) else None


def written_cause(one: Compared, bundle: Bundle, share: Mapping[Account, Fraction]) -> dict[str, object]:
    """What a bundle adds in all, with the answers of both."""
    questions = [
        {"id": one.library.questions[slug].id, "slug": slug, "sides": [plain_answer(s) for s in one.sides(slug)]}
        for slug in bundle.questions
    ]
    return {"joined": bundle.joined or None, "questions": questions, "adds": written_shares(one.deal, share)}


def written_affair(one: Compared, affair: Affair) -> dict[str, object]:
    """One payment by either ruleset, and what the difference comes from."""
    case = affair.case
    return {
        "rule": case.rule,
        "kind": case.kind,
        "trick": case.trick,
        **({"card": name(case.card)} if case.card is not None else {}),
        "player": None if case.player is None else account(one.deal, case.player),
        "sides": [[written_paid(one.deal, paid) for paid in some] for some in (affair.first, affair.second)],
        "difference": written_sums(one.deal, affair.difference),
        "parts": [written_part(one, part) for part in affair.parts],
        "adds_up": not affair.misleading,
        "interplay": [written_interplay(one, two) for two in affair.interplay],
    }


def written_paid(deal: Deal, paid: Paid) -> dict[str, object]:
    """Counters that pass."""
    return {"from": account(deal, paid.payer), "to": account(deal, paid.payee), "amount": paid.amount}


def written_part(one: Compared, part: Part) -> dict[str, object]:
    """What a bundle adds to one payment."""
    return {
        "questions": list(one.ids(part.bundle)),
        "adds": written_shares(one.deal, part.share),
        "alone": written_sums(one.deal, part.alone),
        "last": written_sums(one.deal, part.last),
    }


def written_interplay(one: Compared, two: Interplay) -> dict[str, object]:
    """What two bundles come to beyond what each comes to alone."""
    sides = [written_sums(one.deal, side) for side in (two.first, two.second)]
    return {"questions": [list(one.ids(bundle)) for bundle in two.pair], "beyond": sides}


def written_shares(deal: Deal, share: Mapping[Account, Fraction]) -> dict[str, str]:
    """Fractions by account, without those that are nought."""
    return {account(deal, a): str(n) for a, n in share.items() if n}


def written_sums(deal: Deal, gained: Mapping[Account, int]) -> dict[str, int]:
    """Sums by account, without those that are nought."""
    return {account(deal, a): n for a, n in gained.items() if n}


# ---- text
def as_text(one: Compared, quiet: bool) -> None:
    """What differs besides money; the accounts; the answers that cause it; payment by payment."""
    from rich.text import Text

    screen = output.console()
    if quiet:
        screen.print(Text(f"{one.deal.id}  {pair_words(one)}  {in_short(one)}"), soft_wrap=True)
        return
    screen.print(Text.assemble((one.deal.id, "bold"), f"  {pair_words(one)}"))
    for chapter in CHAPTERS:
        for words in chapter(one):
            screen.print(Text(words), soft_wrap=True)
    screen.print()


def pair_words(one: Compared) -> str:
    """The two rulesets."""
    return " and ".join(ruleset.name for ruleset in one.pair)


def in_short(one: Compared) -> str:
    """In one line, what the difference comes to."""
    if not one.found.settled:
        return "; ".join(f"{ruleset.name}: {state_words(r)}" for ruleset, r in zip(one.pair, one.results, strict=True))
    moved = [f"{account(one.deal, a)} {signed(n)}" for a, n in one.found.difference.items() if n]
    return "; ".join(moved) or "no difference in money"


def state_words(result: Settled | Refused | Unanswered) -> str:
    """Whether the deal is settled."""
    if isinstance(result, Refused):
        return "may not be played so"
    return "silent on a question it raises" if isinstance(result, Unanswered) else "settled"


def lawfulness(one: Compared) -> Iterator[str]:
    """Where a ruleset does not settle the deal: what it forbids, with its clauses, or on what it is silent."""
    for ruleset, result in zip(one.pair, one.results, strict=True):
        if isinstance(result, Refused):
            yield f"\nBy {ruleset.name} the deal may not be played so:"
            yield from (f"  {r.message} {clauses_of(ruleset, r.asked)}".rstrip() for r in result.refusals)
        if isinstance(result, Unanswered):
            yield f"\n{ruleset.name} does not settle the deal: {result.silent}"


def clauses_of(ruleset: Ruleset, asked: Iterable[str]) -> str:
    """The clauses behind some questions."""
    named = dict.fromkeys(clause for slug in asked for clause in ruleset.rulings[slug].clauses)
    return f"({', '.join(named)})" if named else ""


def structure(one: Compared) -> Iterator[str]:
    """What may be played, who takes, who wins: by either ruleset, and the answers that are enough to turn it."""
    if one.found.turned:
        yield "\nBefore any money:"
    for turn in one.found.turned:
        yield f"  {heading(turn, one.deal)}"
        for ruleset, value in zip(one.pair, (turn.first, turn.second), strict=True):
            yield f"    {ruleset.name}: {said(turn.what, value, one.deal)}"
        if any(turn.enough):
            first, second = one.pair
            ways = ", or to ".join(joined(list(map(one.named, some))) for some in turn.enough)
            yield f"    enough to turn {first.name}: what {second.name} answers to {ways}"


def heading(turn: Turned, deal: Deal) -> str:
    """What turns out in two ways."""
    if turn.what == "may-play":
        return f"Trick {turn.trick}: what {account(deal, turn.seat)} may play"
    if turn.what == "taken":
        return f"Trick {turn.trick}: who takes it"
    return HEADINGS[turn.what] if turn.what in HEADINGS else UPSHOTS[turn.what][0]


def said(kind: str, value: Any, deal: Deal) -> str:
    """How something turns out by one ruleset."""
    if kind in SAID:
        return SAID[kind](value, deal)
    return UPSHOTS[kind][1](value, deal)


def lawful_words(state: str, deal: Deal) -> str:
    """Whether a deal is settled."""
    return {"settled": "it may", "refused": "it may not", "silent": "it says nothing on a question that is raised"}[
        state
    ]


SAID: Mapping[str, Callable[[Any, Deal], str]] = {
    "lawful": lawful_words,
    "may-play": lambda value, deal: card_names(in_order(cards_of(value))),
    "taken": lambda value, deal: account(deal, value),
    "passed-over": lambda value, deal: "; ".join(value) or "none",
}


def money(one: Compared) -> Iterator[str]:
    """The accounts by either ruleset."""
    if not one.found.settled:
        yield "\nOnly where both settle the deal are there two ledgers to compare; so no money is shared out."
        return
    yield f"\nIn the end; smallest units are compared one to one{unit_words(one)}:"
    columns = [ruleset.name for ruleset in one.pair]
    shares = [f"of {name}'s pool" for name in columns] if all(one.pools) else []
    rows = [["", *columns, "difference", *shares]]
    for number in accounts(one.deal):
        both = nets(one, number)
        parts = [percent(Fraction(n, pool)) for n, pool in zip(both, one.pools, strict=True)] if shares else []
        moved = signed(one.found.difference[number])
        rows.append([account(one.deal, number), *map(signed, both), moved, *parts])
    yield from aligned(rows)


def unit_words(one: Compared) -> str:
    """The counters of either, and what lay in the pool."""
    first, second = one.pair
    units = f", a {first.unit} of {first.name} as a {second.unit} of {second.name}" if first.unit != second.unit else ""
    lay = " and ".join(map(str, dict.fromkeys(one.pools)))
    return f"{units}; {lay} lay in the pool"


def percent(part: Fraction) -> str:
    """A share in hundredths, to the nearest."""
    return f"{signed(round(part * 100))} %"


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A small table; the first column to the left, the others to the right."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = "".join(f"  {cell:>{width}}" for cell, width in zip(rest, wide[1:], strict=True))
        yield f"  {first:<{wide[0]}}{cells}"


def causes(one: Compared) -> Iterator[str]:
    """The answers that cause the difference, those that move most first."""
    found = one.found.shares
    if not one.found.settled:
        return
    if not found:
        yield "\nNo payment hangs on an answer in which the two differ."
        return
    yield f"\nThe answers that cause it, and what {one.pair[1].name}'s adds to {one.pair[0].name}:"
    for bundle, share in found.items():
        yield from cause(one, bundle, share)
    alone, whole_ = one_by_one(one.found), one.found.difference
    if alone != whole_:
        yield f"\nThese answers act on each other: exchanged one by one in {one.pair[0].name} they would come to"
        yield f"  {sums_words(one.deal, alone)};"
        yield f"  all together they come to {sums_words(one.deal, whole_)}."


def one_by_one(found: Attribution) -> Mapping[Account, int]:
    """What the answers come to when each is exchanged alone, and the results are added up."""
    parts = [part for affair in found.affairs for part in affair.parts]
    return {a: sum(part.alone[a] for part in parts) for a in accounts(found.deal)}


def cause(one: Compared, bundle: Bundle, share: Mapping[Account, Fraction]) -> Iterator[str]:
    """A bundle: its questions, the answers of both with their clauses, and what it moves."""
    yield f"  {one.named(bundle)}: {share_words(one.deal, share)}"
    for slug in bundle.questions:
        question = one.library.questions[slug]
        yield f"    {question.id} {question.asks}"
        for told in one.sides(slug):
            answered, *known = word_answer(one.library, question, told).splitlines()
            yield f"      {told.ruleset}: {answered} ({', '.join(known)})"
    if bundle.joined:
        yield f"    exchanged together: {JOINED[bundle.joined]}"


def share_words(deal: Deal, share: Mapping[Account, Fraction]) -> str:
    """Who has so much more or less."""
    return ", ".join(f"{account(deal, a)} {fraction(n)}" for a, n in share.items() if n) or "nothing in the end"


def sums_words(deal: Deal, gained: Mapping[Account, int]) -> str:
    """Who has so much more or less, in whole counters."""
    return share_words(deal, {a: Fraction(n) for a, n in gained.items()}).replace(" in the end", "")


def fraction(number: Fraction) -> str:
    """A sum with its sign: +2 1/2."""
    units, rest = divmod(abs(number), 1)
    words = " ".join(filter(None, (str(units) if units or not rest else "", str(rest) if rest else "")))
    return f"{'-' if number < 0 else '+' if number else ''}{words}"


def payments(one: Compared) -> Iterator[str]:
    """Payment by payment."""
    if one.found.affairs:
        yield "\nPayment by payment:"
    for affair in one.found.affairs:
        yield from payment(one, affair)


def payment(one: Compared, affair: Affair) -> Iterator[str]:
    """One payment by either ruleset, and what the difference comes from."""
    yield f"  {what(one.deal, affair.case)}"
    for ruleset, paid in zip(one.pair, (affair.first, affair.second), strict=True):
        yield f"    {ruleset.name}: {sums(one.deal, paid)}"
    for part in affair.parts:
        yield f"    {one.named(part.bundle)}: {share_words(one.deal, part.share)}{uneven(one, part)}"
    shown = sorted(affair.interplay, key=strength, reverse=True)[:FEW]
    yield from (interplay(one, two) for two in shown)
    if len(affair.interplay) > FEW:
        more = output.plural(len(affair.interplay) - FEW, "pair")
        yield f"    and so do {more} more, more weakly (--format json has them all)"


FEW = 3  #: so many pairs are told of one payment


def strength(two: Interplay) -> int:
    """How much two bundles do to each other."""
    return sum(abs(n) for side in (two.first, two.second) for n in side.values())


def uneven(one: Compared, part: Part) -> str:
    """What a bundle comes to alone, where that is not what it adds."""
    if part.simple:
        return ""
    alone, last = (sums_words(one.deal, some) for some in (part.alone, part.last))
    return f" (alone: {alone}; as the last of all: {last})"


def interplay(one: Compared, two: Interplay) -> str:
    """What two bundles come to together beyond what each comes to alone."""
    names = " and ".join(map(one.named, two.pair))
    first, second = one.pair
    told = f"in {first.name} {sums_words(one.deal, two.first)}; in {second.name} {sums_words(one.deal, two.second)}"
    return f"    {names} together come to more or less than one by one: {told}"


def aside(one: Compared) -> Iterator[str]:
    """How many questions on which the two differ had no part in it; what was left open, or not tried."""
    found = one.found
    differ = sum(len(bundle.questions) for bundle in found.differ)
    asked = sum(len(bundle.questions) for bundle in found.asked)
    both = output.plural(differ, "question")
    yield f"\nThe two differ on {both} that both answer; this deal, however they are mixed, asks for {asked} of them."
    yield "A question that only one of them answers is answered, wherever it comes up, as that one does."
    for ruleset, result in zip(one.pair, one.results, strict=True):
        if isinstance(result, Settled) and result.open:
            yield f"By {ruleset.name} the tricks that are known leave open: {', '.join(result.open)}."
    if any(bundle.joined == "too-many" for bundle in found.differ):
        yield "There were too many mixtures to try, so some answers were exchanged together; their sum is exact."


CHAPTERS: Sequence[Callable[[Compared], Iterator[str]]] = (
    lawfulness,
    structure,
    money,
    causes,
    payments,
    aside,
)
FORMS: Mapping[str, Callable[[Compared, bool], None]] = {"text": as_text, "json": as_json}
