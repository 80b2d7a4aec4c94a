"""Partings of the books in the trick just finished: one has somebody pay, another nobody, or somebody else.

Amounts alone do not part them, and are shown; nothing is shown that depends on cards which the player has not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

from engine.deal.model import Deal
from engine.play.table import find_quinolas
from engine.readings.ask import Ask
from engine.settlement.ledger import Account, Entry
from engine.settlement.outcome import DealOutcome
from engine.settlement.settle import Settled, all_entries
from reversis.table.payments import list_factors, sum_entry
from reversis.table.slips import build_slip
from reversis.table.table_words import TableNames
from reversis.table.totals import BookSettlements
from reversis.words.events import AT_THE_TABLE
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import format_answer
from rulebook.model import Library, Ruleset
from rulebook.phrases import capitalise, format_counters, join_names

_Flows: TypeAlias = "frozenset[tuple[Account, Account]]"  #: who pays whom


@dataclass(frozen=True)
class Camp:
    """Books that have the same players pay for a card."""

    flows: _Flows
    books: tuple[Settled, ...]  #: each by one layout: for this trick all say the same
    sums: tuple[int | None, ...]  #: what the player wins by each; None where it depends on unseen cards

    @property
    def rulesets(self) -> tuple[Ruleset, ...]:
        """The rules of these books."""
        return tuple(settled.ruleset for settled in self.books)


def find_trick_parting(library: Library, books: Sequence[BookSettlements], seat: int) -> dict[str, Any] | None:
    """Find where the books part in the trick just finished, as data; None where they do not, or the deal is over."""
    known = [book for book in books if book.settled and book.tricks and not book.final]
    for card in _list_cards(known):
        camps = find_camps(known, card, seat)
        if len(camps) > 1 and (question := find_parting_question(camps, card)):
            return _describe_parting(library, camps, question, CardInDoubt(card, known[0].tricks, seat))
    return None


def _list_cards(books: Sequence[BookSettlements]) -> list[int]:
    """List the aces and privileged cards of the last trick, these first."""
    if not books:
        return []
    quinolas = {card for book in books for card in find_quinolas(Ask(book.ruleset))}
    facts = (fact for book in books for fact in book.settled[0].played.facts if fact.trick == book.tricks)
    return sorted({fact.card for fact in facts if fact.card is not None}, key=lambda card: (card not in quinolas, card))


def find_camps(books: Iterable[BookSettlements], card: int, seat: int) -> list[Camp]:
    """Find which books have the same players pay for a card of the last trick; left out are those that cannot tell."""
    camps = dict[_Flows, list[tuple[Settled, int | None]]]()
    for book in books:
        flows = {list_flows(settled, card, book.tricks) for settled in book.settled}
        if len(flows) == 1 and not any(is_open(settled, book.tricks) for settled in book.settled):
            sums = {sum_card(settled, card, book.tricks, seat) for settled in book.settled}
            camps.setdefault(flows.pop(), []).append((book.settled[0], sums.pop() if len(sums) == 1 else None))
    return [Camp(flows, *zip(*members, strict=True)) for flows, members in camps.items()]


def list_card_entries(settled: Settled, card: int, trick: int) -> Iterator[Entry]:
    """List what is settled at the table about a card of a trick."""
    entries = (entry for entry in settled.entries if (entry.fact.card, entry.fact.trick) == (card, trick))
    return (entry for entry in entries if entry.rule in AT_THE_TABLE)


def list_flows(settled: Settled, card: int, trick: int) -> _Flows:
    """List who pays whom for a card of a trick, at the table."""
    postings = (posting for entry in list_card_entries(settled, card, trick) for posting in entry.postings)
    return frozenset((posting.payer, posting.payee) for posting in postings if posting.counted(settled.before))


def sum_card(settled: Settled, card: int, trick: int, seat: int) -> int:
    """Sum what a card of a trick brings a player at the table."""
    return sum(sum_entry(settled, entry, seat) for entry in list_card_entries(settled, card, trick))


def is_open(settled: Settled, trick: int) -> bool:
    """Return whether something of a trick is decided only when the deal is over."""
    return any(f"{rule} (trick {trick})" in settled.open for rule in AT_THE_TABLE)


# ---- the question
def find_parting_question(camps: Sequence[Camp], card: int) -> str:
    """Find the question whose answers part the books as their payments do; empty where none comes near."""
    raised = dict.fromkeys(
        question for camp in camps for settled in camp.books for question in ask_about(settled, card)
    )
    scores = {question: _score_question(camps, question) for question in raised}
    best = max(scores, key=lambda question: scores[question], default="")
    return best if best and scores[best] > 0 else ""


def ask_about(settled: Settled, card: int) -> Iterator[str]:
    """Ask by which questions it is decided what is paid for a card, or that nothing is; the decisive ones first."""
    outcome = DealOutcome(settled.played.measures, Ask(settled.ruleset))
    entries = [
        entry
        for entry in all_entries(settled.played, outcome, [], unsaid=True)
        if entry.fact.card == card and entry.rule in AT_THE_TABLE
    ]
    yield from (entry.by for entry in entries if entry.by)
    yield from (question for entry in entries for question in _list_asked(entry))


def _list_asked(entry: Entry) -> Sequence[str]:
    return entry.asked if entry.postings else ()


def _score_question(camps: Sequence[Camp], question: str) -> int:
    """Score a question: pairs of books in two camps that it parts, less those in one camp."""
    answers = [[_answer(ruleset, question) for ruleset in camp.rulesets] for camp in camps]
    between = (one != other for a, b in combinations(answers, 2) for one in a for other in b)
    within = (one != other for camp in answers for one, other in combinations(camp, 2))
    return sum(between) - sum(within)


def _answer(ruleset: Ruleset, question: str) -> str:
    ruling = ruleset.rulings.get(question)
    return "" if ruling is None else format_canonical(ruling.value)


# ---- in words
@dataclass(frozen=True)
class CardInDoubt:
    """A card of a trick, over which books part, and the player to whom it is told."""

    card: int
    trick: int
    seat: int


def _describe_parting(library: Library, camps: Sequence[Camp], slug: str, played: CardInDoubt) -> dict[str, Any]:
    question = library.questions[slug]
    asks = f"{question.asks[:1].lower()}{question.asks[1:]}"
    return {
        "question": question.id,
        "title": question.asks,
        "words": f"Here the books part: {asks}",
        "trick": played.trick,
        "camps": [_describe_camp(library, camp, slug, played) for camp in camps],
    }


def _describe_camp(library: Library, camp: Camp, slug: str, played: CardInDoubt) -> dict[str, Any]:
    rulings = [ruleset.rulings[slug] for ruleset in camp.rulesets if slug in ruleset.rulings]
    ruling = min(rulings, key=lambda ruling: ruling.supplied, default=None)
    answer = format_answer(library.questions[slug], ruling.value, library) if ruling else None
    words = [capitalise(answer.full or answer.short)] if answer else []
    quoted = (settled for settled in camp.books if ruling and settled.ruleset.source == ruling.source)
    factors = (_list_factors(library, settled, played) for settled in quoted)
    says = describe_flows(camp.books[0].deal, camp.flows, played.seat)
    return {
        "sources": [ruleset.source for ruleset in camp.rulesets],
        "says": says,
        "sums": list_camp_sums(camp),
        "slip": build_slip(library, [ruling] if ruling else [], says, " ".join([*words, *next(factors, ())])),
    }


def _list_factors(library: Library, settled: Settled, played: CardInDoubt) -> Iterator[str]:
    for entry in list_card_entries(settled, played.card, played.trick):
        yield from list_factors(library, settled, entry, TableNames(settled.deal.seats, played.seat))


def list_camp_sums(camp: Camp) -> list[dict[str, Any]]:
    """List what the player wins or loses by the books of a camp, those together that say the same."""
    groups = dict[tuple[int, str], list[str]]()
    for ruleset, sum_ in zip(camp.rulesets, camp.sums, strict=True):
        if sum_:
            groups.setdefault((sum_, ruleset.unit), []).append(ruleset.source)
    return [
        {
            "sources": sources,
            "sum": sum_,
            "words": f"You {'win' if sum_ > 0 else 'lose'} {format_counters(abs(sum_), unit)}",
        }
        for (sum_, unit), sources in groups.items()
    ]


def describe_flows(deal: Deal, flows: _Flows, seat: int) -> str:
    """Describe who pays whom, without amounts: "East pays you and the pool"."""
    names, payees = TableNames(deal.seats, seat), dict[Account, list[str]]()
    for payer, payee in sorted(flows, key=lambda flow: [(isinstance(account, str), account) for account in flow]):
        payees.setdefault(payer, []).append(_name_account(names, payee))
    clauses = (
        f"{_name_account(names, payer)} {'pay' if payer == seat else 'pays'} {join_names(paid)}"
        for payer, paid in payees.items()
    )
    return f"{capitalise('; '.join(clauses) or 'nobody pays')}."


def _name_account(names: TableNames, account: Account) -> str:
    return names.name(account) if isinstance(account, int) else f"the {account}"
