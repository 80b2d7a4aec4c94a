"""Partings of the books in the trick just finished: one has somebody pay, another nobody, or somebody else.

Amounts alone do not part them, and are shown; nothing is shown that depends on cards which the player has not seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

from engine.cards import card_words, format_card
from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.play.table import find_quinolas
from engine.readings.ask import OTHER_QUINOLAS, Ask, name_other_quinolas
from engine.settlement.ledger import Account, Entry
from engine.settlement.outcome import DealOutcome, Open
from engine.settlement.payments.rules import PaymentRule
from engine.settlement.settle import PAYMENT_RULE_RANKS, Settled, apply_payment_rule, pair_rules_with_facts
from reversis.table.payments import list_factors, sum_entry
from reversis.table.slips import build_slip
from reversis.table.table_words import TableNames
from reversis.table.totals import BookSettlements, describe_share, find_total
from reversis.words.events import AT_THE_TABLE
from reversis.words.spoken_answers import SpokenRules, speak_answer
from rulebook.answers.values import format_canonical
from rulebook.answers.wording import format_answer
from rulebook.model import Library, Question, Ruleset, Ruling, Silent
from rulebook.phrases import capitalise, format_counters, join_names

PARTIE_WINNER = "winner of the partie"  #: nobody knows who that is while the deal is played
_LATER = "Nobody can tell yet: it depends on cards that you have not seen, or on how the deal ends."
_Flows: TypeAlias = "frozenset[tuple[Account, Account]]"  #: who pays whom


@dataclass(frozen=True)
class Stand:
    """Payments of a book for a card of a trick, by one layout: in all of them the same players pay."""

    settled: Settled
    flows: _Flows
    sum: int | None  #: what the player wins; None where it depends on unseen cards
    entries: tuple[Entry, ...]  #: about the card, those that no book would mention included


@dataclass(frozen=True)
class Camp:
    """Books that have the same players pay for a card, by answers to the same question."""

    question: str
    stands: tuple[Stand, ...]

    @property
    def flows(self) -> _Flows:
        """Payers with their payees."""
        return self.stands[0].flows

    @property
    def rulesets(self) -> tuple[Ruleset, ...]:
        """The rules of these books."""
        return tuple(stand.settled.ruleset for stand in self.stands)


def find_trick_parting(library: Library, books: Sequence[BookSettlements], seat: int) -> dict[str, Any] | None:
    """Find where the books part in the trick just finished, as data; None where they do not, or the deal is over."""
    known = [book for book in books if book.settled and book.tricks and not book.final]
    for card in _list_cards(known):
        stands = {book.ruleset.source: find_stand(book, card, seat) for book in known}
        camps = find_camps(library, [stand for stand in stands.values() if stand], card)
        if len({camp.flows for camp in camps}) > 1:
            others = [
                {"source": book.ruleset.source, "words": _explain_silence(library, book, seat)}
                for book in books
                if not stands.get(book.ruleset.source)
            ]
            parting = _describe_parting(library, camps, CardInDoubt(card, known[0].tricks, seat))
            return {**parting, "others": others, "besides": list_rare_payments(library, known, card, seat)}
    return None


def _list_cards(books: Sequence[BookSettlements]) -> list[int]:
    """List the aces and privileged cards of the last trick, these first."""
    if not books:
        return []
    quinolas = {card for book in books for card in find_quinolas(Ask(book.ruleset))}
    facts = (fact for book in books for fact in book.settled[0].played.facts if fact.trick == book.tricks)
    return sorted({fact.card for fact in facts if fact.card is not None}, key=lambda card: (card not in quinolas, card))


def _explain_silence(library: Library, book: BookSettlements, seat: int) -> str:
    """Explain why a book takes no part: it does not settle the deal, or nobody can tell yet what it says."""
    return _LATER if book.settled else f"{capitalise(find_total(library, book, seat)[2])}."


def list_rare_payments(
    library: Library, books: Sequence[BookSettlements], card: int, seat: int
) -> list[dict[str, str]]:
    """List what a player wins or loses in the last trick for other cards that few books pay for, as data."""
    others = [other for other in _list_cards(books) if other != card]
    shares = [(book, other, _describe_shares(library, book, other, seat)) for book in books for other in others]
    payers = Counter(other for _, other, words in shares if words)
    return [
        {"source": book.ruleset.source, "words": words}
        for book, other, words in shares
        if words and 2 * payers[other] <= len(books)
    ]


def _describe_shares(library: Library, book: BookSettlements, card: int, seat: int) -> str:
    """Describe what a card of the last trick brings a player; empty where it is nothing, or depends on unseen cards."""
    said = {
        " ".join(
            describe_share(library, settled, entry, seat)
            for entry in list_card_entries(settled, card, book.tricks)
            if sum_entry(settled, entry, seat)
        )
        for settled in book.settled
    }
    return said.pop() if len(said) == 1 else ""


# ---- what a book says
def find_stand(book: BookSettlements, card: int, seat: int) -> Stand | None:
    """Find what a book makes of a card of the last trick; None where that depends on what nobody can know yet."""
    first, *others = (list_table_entries(settled, card, book.tricks) for settled in book.settled)
    flows = list_flows(book.settled[0], first)
    if any(list_flows(*pair) != flows for pair in zip(book.settled[1:], others, strict=True)):
        return None
    if any(entry.reason == "open" and entry.rule != "led" for entries in (first, *others) for entry in entries):
        return None
    sums = {sum_card(settled, card, book.tricks, seat) for settled in book.settled}
    return Stand(book.settled[0], flows, sums.pop() if len(sums) == 1 else None, first)


def list_table_entries(settled: Settled, card: int, trick: int) -> tuple[Entry, ...]:
    """List what every rule says at the table about a card of a trick, that nothing is paid or is yet open included."""
    outcome = DealOutcome(settled.played.measures, Ask(settled.ruleset))
    pairs = [pair for pair in pair_rules_with_facts(settled.played) if _is_about(*pair, card, trick)]
    entries = (_apply_rule(rule, fact, outcome) for rule, fact in sorted(pairs, key=_rank_rule))
    return tuple(entry for entry in entries if entry)


def _is_about(rule: PaymentRule, fact: Fact, card: int, trick: int) -> bool:
    return (fact.card, fact.trick) == (card, trick) and rule.name in AT_THE_TABLE


def _rank_rule(pair: tuple[PaymentRule, Fact]) -> int:
    return PAYMENT_RULE_RANKS[pair[0].name]


def _apply_rule(rule: PaymentRule, fact: Fact, outcome: DealOutcome) -> Entry | None:
    try:
        return apply_payment_rule(rule, fact, outcome, unsaid=True)
    except Open:
        return Entry(rule.name, fact, rule.name, (), (), "open")


def list_card_entries(settled: Settled, card: int, trick: int) -> Iterator[Entry]:
    """List what is settled at the table about a card of a trick."""
    entries = (entry for entry in settled.entries if (entry.fact.card, entry.fact.trick) == (card, trick))
    return (entry for entry in entries if entry.rule in AT_THE_TABLE)


def list_flows(settled: Settled, entries: Iterable[Entry]) -> _Flows:
    """List who pays whom by some entries; what is open for a led card is owed to the winner of the partie."""
    flows = set[tuple[Account, Account]]()
    for entry in entries:
        flows |= {(paid.payer, paid.payee) for paid in entry.postings if paid.counted(settled.before)}
        if entry.reason == "open" and entry.rule == "led" and entry.fact.player is not None:
            flows.add((entry.fact.player, PARTIE_WINNER))
    return frozenset(flows)


def sum_card(settled: Settled, card: int, trick: int, seat: int) -> int:
    """Sum what a card of a trick brings a player at the table."""
    return sum(sum_entry(settled, entry, seat) for entry in list_card_entries(settled, card, trick))


# ---- the questions
def find_camps(library: Library, stands: Sequence[Stand], card: int) -> list[Camp]:
    """Find which books have the same players pay for a card, and for each the question that makes the difference."""
    payments = dict[_Flows, list[Stand]]()
    for stand in stands:
        payments.setdefault(stand.flows, []).append(stand)
    camps, of_rights = dict[tuple[_Flows, str], list[Stand]](), _find_question_of_rights(stands, card)
    for flows, alike in payments.items():
        others = [stand for stand in stands if stand.flows != flows]
        raised = dict.fromkeys(question for stand in (*alike, *others) for question in ask_about(stand))
        deciding = [slug for slug in raised if _can_decide(library.questions[slug])]
        shared = of_rights or find_parting_question(alike, others, deciding, card)
        for stand in alike:
            camps.setdefault((flows, _find_bar(stand) or shared), []).append(stand)
    return [Camp(question, tuple(members)) for (_, question), members in camps.items()]


def _find_question_of_rights(stands: Sequence[Stand], card: int) -> str:
    """Find the question by which a card has the quinola's rights in some books only; empty where all agree on that."""
    rulesets = [stand.settled.ruleset for stand in stands]
    holders = [ruleset for ruleset in rulesets if card in find_quinolas(Ask(ruleset))]
    if len(holders) in (0, len(rulesets)):
        return ""
    return OTHER_QUINOLAS if format_card(card) in name_other_quinolas(holders[0]) else "quinola.card"


def _find_bar(stand: Stand) -> str:
    """Find the question by whose answer nothing is paid; empty where something is, or no single one decides it."""
    return "" if stand.flows else next((entry.by for entry in stand.entries if entry.by), "")


def _can_decide(question: Question) -> bool:
    """Return whether a question may decide who pays, or whether: one on tricks or suits decides how much."""
    return question.closed or question.measure.get("type") in ("integer", "privileged-cards")


def find_parting_question(camp: Sequence[Stand], others: Sequence[Stand], questions: Iterable[str], card: int) -> str:
    """Find the question whose answers part a camp from other books the most; empty where none does."""
    scores = {question: _score_question(camp, others, question, card) for question in questions}
    best = max(scores, key=lambda question: scores[question], default="")
    return best if best and scores[best] > 0 else ""


def ask_about(stand: Stand) -> Iterator[str]:
    """Ask by which questions it is decided what is paid for a card, or that nothing is; the decisive ones first."""
    yield from (entry.by for entry in stand.entries if entry.by)
    yield from (question for entry in stand.entries if entry.postings for question in entry.asked)


def _score_question(camp: Sequence[Stand], others: Sequence[Stand], question: str, card: int) -> int:
    """Score a question: books of the others that it parts from a camp, less those that it parts within the camp."""
    answers, theirs = ([_answer(stand, question, card) for stand in stands] for stands in (camp, others))
    return sum(a != b for a in answers for b in theirs) - sum(a != b for a, b in combinations(answers, 2))


def _answer(stand: Stand, question: str, card: int) -> str:
    """Answer of a book for a card; of a sum only whether it is anything."""
    ruleset, name = stand.settled.ruleset, format_card(card)
    ask = Ask(ruleset).about(name if name in name_other_quinolas(ruleset) else "")
    try:
        value = ask(question)
    except Silent:
        return ""
    return str(bool(value)) if isinstance(value, int) else format_canonical(value)


# ---- in words
@dataclass(frozen=True)
class CardInDoubt:
    """A card of a trick, over which books part, and the player to whom it is told."""

    card: int
    trick: int
    seat: int


def _describe_parting(library: Library, camps: Sequence[Camp], played: CardInDoubt) -> dict[str, Any]:
    slugs = [*dict.fromkeys(camp.question for camp in camps if camp.question)]
    asks = library.questions[slugs[0]].asks if len(slugs) == 1 else f"Who pays for the {card_words(played.card)}?"
    return {
        "questions": [library.questions[slug].id for slug in slugs],
        "title": asks,
        "words": f"Here the books part: {asks[:1].lower()}{asks[1:]}",
        "trick": played.trick,
        "camps": [_describe_camp(library, camp, played, len(slugs) > 1) for camp in camps],
    }


def _describe_camp(library: Library, camp: Camp, played: CardInDoubt, names_question: bool) -> dict[str, Any]:
    """Describe a camp with the answer that makes the difference; `names_question`: it is not that of all camps."""
    rulings = [ruleset.rulings[camp.question] for ruleset in camp.rulesets if camp.question in ruleset.rulings]
    ruling = min(rulings, key=lambda ruling: ruling.supplied, default=None)
    quoted = [stand.settled for stand in camp.stands if ruling and stand.settled.ruleset.source == ruling.source]
    words = [_word_answer(library, camp, ruling, played.card)] if ruling or camp.question == OTHER_QUINOLAS else []
    is_sum = ruling is not None and isinstance(ruling.value, int) and not library.questions[camp.question].closed
    if is_sum and len({ruling.value for ruling in rulings}) > 1:
        words = ["Each of these books has a sum for it."]
    asks = [library.questions[camp.question].asks] if words and (names_question or is_sum) else []
    factors = (_list_factors(library, settled, played) for settled in quoted)
    says = describe_flows(camp.stands[0].settled.deal, camp.flows, played.seat)
    return {
        "sources": [ruleset.source for ruleset in camp.rulesets],
        "says": says,
        "sums": list_camp_sums(camp),
        "slip": build_slip(library, [ruling] if ruling else [], says, " ".join([*asks, *words, *next(factors, ())])),
    }


def _word_answer(library: Library, camp: Camp, ruling: Ruling | None, card: int) -> str:
    """Word an answer in a sentence: a reading in full, a sum with its counters, of a card's rights its name."""
    if ruling is None or camp.question == OTHER_QUINOLAS:
        names = (name_other_quinolas(ruleset).get(format_card(card)) for ruleset in camp.rulesets)
        return f"The {card_words(card)} is {next((f'the {name}' for name in names if name), 'no quinola')}."
    question = library.questions[ruling.question]
    if question.closed:
        answer = format_answer(question, ruling.value, library)
        return capitalise(answer.full or answer.short)
    ruleset = next(ruleset for ruleset in camp.rulesets if ruleset.source == ruling.source)
    return f"{capitalise(speak_answer(SpokenRules(library, ruleset), question, ruling.value)).rstrip('.')}."


def _list_factors(library: Library, settled: Settled, played: CardInDoubt) -> Iterator[str]:
    for entry in list_card_entries(settled, played.card, played.trick):
        yield from list_factors(library, settled, entry, TableNames(settled.deal.seats, played.seat))


def list_camp_sums(camp: Camp) -> list[dict[str, Any]]:
    """List what the player wins or loses by the books of a camp, those together that say the same."""
    groups = dict[tuple[int, str], list[str]]()
    for ruleset, sum_ in ((stand.settled.ruleset, stand.sum) for stand in camp.stands):
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
    """Describe who pays whom, without amounts: "East pays you and the pool; you owe the winner of the partie"."""
    names, payees = TableNames(deal.seats, seat), dict[tuple[Account, str], list[str]]()
    for payer, payee in sorted(flows, key=lambda flow: [(isinstance(account, str), account) for account in flow]):
        payees.setdefault((payer, "owe" if payee == PARTIE_WINNER else "pay"), []).append(_name_account(names, payee))
    clauses = (
        f"{_name_account(names, payer)} {verb if payer == seat else f'{verb}s'} {join_names(paid)}"
        for (payer, verb), paid in payees.items()
    )
    return f"{capitalise('; '.join(clauses) or 'nobody pays')}."


def _name_account(names: TableNames, account: Account) -> str:
    return names.name(account) if isinstance(account, int) else f"the {account}"
