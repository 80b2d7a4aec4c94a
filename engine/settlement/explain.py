"""Explain every payment of a settled deal, made or not, with its chain of answers.

Every rule is held against every fact that it looks at. Either it has no bearing on it (RULE_BEARINGS says when it
has), or it is paid, or it is not paid for exactly one of the reasons of engine.settlement.nonpayment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.play.replay import Played, replay_deal
from engine.readings.ask import Ask
from engine.settlement.ledger import Account, Entry
from engine.settlement.outcome import DealOutcome, Open, OutcomeView
from engine.settlement.payments.amounts import rule_postings
from engine.settlement.payments.fines import rule_for_fault
from engine.settlement.payments.partie import eldest_share, shares_loser_debt
from engine.settlement.payments.returns import bears_all_costs
from engine.settlement.payments.rules import RULES
from engine.settlement.settle import (
    Refused,
    Settled,
    Unanswered,
    all_entries,
    apply_forfeits,
    pair_rules_with_facts,
    settle,
    sort_entries,
)
from rulebook.display import format_repr
from rulebook.model import Ruleset, Ruling, Silent


@dataclass(frozen=True, slots=True)
class PaymentVerdict:
    """One rule applied to one fact: what is paid by which answers, or why nothing is."""

    entry: Entry
    rulings: tuple[Ruling, ...]  #: every answer that it rests on, in the order in which they were asked
    amounts: tuple[int, ...]  #: what each posting of the entry comes to, in smallest units
    reason: str = ""  #: one of engine.settlement.nonpayment.NONPAYMENT_REASONS; empty where it is paid
    by: Ruling | None = None  #: the answer that decides that nothing is paid, where there is one
    missing: str = ""  #: for no-question: the question that these rules do not have
    because: str = ""  #: for no-question: why they do not have it

    @property
    def paid(self) -> bool:
        """True if anything changes hands by it and does not come back."""
        return not self.reason

    @property
    def passes(self) -> bool:
        """True if anything changes hands by it at all, even if it is given back later."""
        return any(self.amounts)


@dataclass(frozen=True, slots=True)
class Reckoning:
    """All that could have been paid in a deal: what is paid, what is not, and where a rule had no bearing."""

    settled: Settled
    all: tuple[PaymentVerdict, ...]  #: in the order of the ledger
    idle: tuple[tuple[str, Fact], ...]  #: rules, and the facts on which they had no bearing

    def __repr__(self) -> str:
        one = self.settled
        counts = f"{len(self.paid)} paid, {len(self.unpaid)} not, {len(self.idle)} without bearing"
        return format_repr(self, f"by {one.ruleset.name}: {counts}, {one.deal.id}")

    @property
    def paid(self) -> tuple[PaymentVerdict, ...]:
        """Payments that are made."""
        return tuple(one for one in self.all if one.paid)

    @property
    def unpaid(self) -> tuple[PaymentVerdict, ...]:
        """Payments that one might look for and that are not made."""
        return tuple(one for one in self.all if not one.paid)


def reckon(deal: Deal, ruleset: Ruleset) -> Reckoning | Refused | Unanswered:
    """Settle a deal and give account of every payment that could have been; or say why it cannot be settled."""
    result = settle(deal, ruleset)
    if not isinstance(result, Settled):
        return result
    try:
        ask = Ask(ruleset)
        return build_reckoning(result, replay_deal(deal, ask), ask)
    except Silent as silent:
        return Unanswered(deal, ruleset, silent)


def build_reckoning(done: Settled, played: Played, ask: Ask) -> Reckoning:
    """Explain all payments of a settled deal."""
    outcome = DealOutcome(played.measures, ask)
    entries = apply_forfeits(played, outcome, sort_entries(all_entries(played, outcome, [], unsaid=True)))
    back = find_returned_payments(entries, done.before)
    known = {(e.rule, e.fact) for e in entries}
    pairs = ((rule.name, fact) for rule, fact in pair_rules_with_facts(played))
    return Reckoning(
        done,
        tuple(explain_entry(done, entry, (entry.rule, entry.fact) in back) for entry in entries),
        tuple(pair for pair in pairs if pair not in known),
    )


def explain_entry(done: Settled, entry: Entry, back: bool) -> PaymentVerdict:
    """Explain an entry: its chain of answers, or the reason why nothing is paid."""
    rules = done.ruleset
    amounts = tuple(p.counted(done.before) for p in entry.postings)
    asked = tuple(rules.rulings[q] for q in dict.fromkeys((*entry.asked, entry.by)) if q in rules.rulings)
    paid = PaymentVerdict(entry, asked, amounts)
    if back:
        return replace(paid, reason="returned", by=rules.rulings.get(RETURN_RULES[entry.rule][1]))
    if paid.passes:
        return paid
    if entry.postings:
        return replace(paid, reason="empty-pool")
    return explain_nonpayment(paid, rules)


#: The questions without which a rule makes no sense, though others lead up to it.
REQUIRED_QUESTIONS: Mapping[str, str] = {
    "reversis-by-quinola": "reversis.stake.whose-quinola",
    "breaking-quinola": "reversis.breaking-quinola",
}


def explain_nonpayment(unpaid: PaymentVerdict, rules: Ruleset) -> PaymentVerdict:
    """Explain why an entry pays nothing.

    There is no such question, or the answer is one that the edition had to supply, or the source says so.
    """
    entry, needed = unpaid.entry, REQUIRED_QUESTIONS.get(unpaid.entry.rule, "")
    if needed and needed not in rules.rulings:
        why = rules.reasons.get(needed, "")
        return replace(unpaid, reason="no-question", missing=needed, because=why)
    by = rules.rulings.get(entry.by)
    supplied = by is not None and by.supplied
    return replace(unpaid, reason="supplied" if supplied else entry.reason, by=by)


# ---- what was paid and given back
#: By which rule a payment comes back, and the question that decides whether it does.
RETURN_RULES: Mapping[str, tuple[str, str]] = {
    "misdeal": ("fine-returned", "reversis.returns-fines"),  # what it has cost is a fine as well
    **{
        rule: (back.name, "reversis.returns-fines" if rule == "fine" else "reversis.returns")
        for back in RULES
        if (rule := back.name.removesuffix("-returned")) != back.name
    },
}


def find_returned_payments(entries: Iterable[Entry], pool: Pool) -> frozenset[tuple[str, Fact]]:
    """Find the payments that are given back in full, by rule and fact."""
    paid = {(e.rule, e.fact): sum_transfers(e, pool) for e in entries}
    return frozenset(
        (rule, fact)
        for (rule, fact), sums in paid.items()
        if sums
        and rule in RETURN_RULES
        and sums == reverse_transfers(paid.get((RETURN_RULES[rule][0], fact), Counter()))
    )


def sum_transfers(entry: Entry, pool: Pool) -> Counter[tuple[Account, Account]]:
    """Sum what an entry moves from each account to each other."""
    sums: Counter[tuple[Account, Account]] = Counter()
    for p in entry.postings:
        sums[p.payer, p.payee] += p.counted(pool)
    return +sums


def reverse_transfers(sums: Counter[tuple[Account, Account]]) -> Counter[tuple[Account, Account]]:
    """Reverse payer and payee of every sum."""
    return Counter({(payee, payer): amount for (payer, payee), amount in sums.items()})


# ---- bearing
BearingTest: TypeAlias = Callable[[Fact, OutcomeView, Ask], bool]


@dataclass(frozen=True, slots=True)
class Bearing:
    """Condition under which a rule has a bearing on a fact that it looks at."""

    words: str
    bears: BearingTest


def _had_paid(rule: str) -> BearingTest:
    """A reversis was undertaken, and this rule had paid something."""
    pays = next(r.pays for r in RULES if r.name == rule)
    return lambda fact, seen, ask: seen.hero is not None and any(rule_postings(pays, fact, seen, ask))


def _lost(fact: Fact, seen: OutcomeView, ask: Ask) -> bool:
    return seen.espagnolette_lost and (fact.manner == "thrown-off" or bears_all_costs(ask))


def _breaks(fact: Fact, seen: OutcomeView, ask: Ask) -> bool:
    return seen.hero is not None and not seen.made and fact.taker == fact.player != seen.hero


def _partie(fact: Fact, seen: OutcomeView, ask: Ask) -> bool:
    teller = fact.dealer if seen.hero is None else seen.hero
    if seen.winner is None:
        return fact.player == teller
    return fact.player != seen.winner and not shares_loser_debt(fact, seen, eldest_share(seen, ask))


def _tricks(fact: Fact, seen: OutcomeView, ask: Ask) -> bool:
    return fact.player in (seen.stake_winners or (fact.dealer,))


def _had_fine(fact: Fact, seen: OutcomeView, ask: Ask) -> bool:
    return seen.made and fact.player == seen.hero and any(rule_postings(rule_for_fault(fact), fact, seen, ask))


_ALWAYS_BEARS = Bearing("whenever the card is played so", lambda fact, seen, ask: True)
#: When each rule has a bearing; where it has none, nobody would look for a payment, and none is spoken of.
RULE_BEARINGS: Mapping[str, Bearing] = {
    **dict.fromkeys(("thrown-off", "forced", "led", "forced-fine", "draws-stake", "matches-stake"), _ALWAYS_BEARS),
    **{
        back: Bearing("when a reversis was undertaken, and something had been paid for the card", _had_paid(rule))
        for rule, (back, _) in RETURN_RULES.items()
        if rule not in ("fine", "misdeal")
    },
    "espagnolette-returns": Bearing("when an espagnolette is lost", _lost),
    "espagnolette-returns-stake": Bearing(
        "when an espagnolette is lost who has thrown off the quinola",
        lambda fact, seen, ask: seen.espagnolette_lost and fact.player == seen.espagnolette,
    ),
    "reversis-by-quinola": Bearing("when a reversis was undertaken", lambda fact, seen, ask: seen.hero is not None),
    "breaking-quinola": Bearing(
        "when the quinola itself takes a trick against him who plays for the reversis", _breaks
    ),
    "reversis-made": Bearing(
        "when another has undertaken the reversis", lambda fact, seen, ask: seen.hero not in (None, fact.player)
    ),
    "reversis-broken": Bearing("when he has undertaken the reversis", lambda fact, seen, ask: seen.hero == fact.player),
    "reversis-stake": Bearing("when he has undertaken the reversis", lambda fact, seen, ask: seen.hero == fact.player),
    "partie": Bearing(
        "for all but its winner, the loser's debt once; where nobody wins it, once, at the dealer or the reversis",
        _partie,
    ),
    "stake-by-tricks": Bearing("for him whose tricks win it; where nobody's do, once, at the dealer", _tricks),
    "refreshed": Bearing("whatever befalls the quinola", lambda fact, seen, ask: True),
    **dict.fromkeys(("misdeal", "dealt-again"), Bearing("whenever the cards were dealt amiss", lambda *what: True)),
    "fine": Bearing("whenever there is such a fault", lambda fact, seen, ask: True),
    "fine-returned": Bearing("when the reversis is made by him who has paid a fine", _had_fine),
}


def has_bearing(rule: str, fact: Fact, seen: OutcomeView, ask: Ask) -> bool:
    """Return whether a rule has a bearing on a fact.

    What a fragment leaves open may always have one.
    """
    try:
        return RULE_BEARINGS[rule].bears(fact, seen, ask)
    except Open:
        return True
