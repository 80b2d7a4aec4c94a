"""Explain every payment of a settled deal, made or not, with its chain of answers.

Every rule is held against every fact that it looks at. Either it has no bearing on it, or it is paid, or it is not
paid for exactly one of the reasons of engine.settlement.nonpayment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.deal.events import Fact
from engine.deal.model import Deal
from engine.deal.pool import Pool
from engine.readings.ask import Ask
from engine.settlement.ledger import Account, Entry
from engine.settlement.outcome import DealOutcome
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
from rulebook.model import Ruleset, Silent


@dataclass(frozen=True, slots=True)
class Reckoning:
    """All possible payments of a deal: those that are made, those that are not, and rules that did not apply."""

    settled: Settled
    all: tuple[Entry, ...]  #: in the order of the ledger; each unpaid one with its reason, also where it came back
    idle: tuple[tuple[str, Fact], ...]  #: rules, and the facts on which they had no bearing

    def __repr__(self) -> str:
        counts = f"{len(self.paid)} paid, {len(self.unpaid)} not, {len(self.idle)} without bearing"
        return format_repr(self, f"by {self.settled.ruleset.name}: {counts}, {self.settled.deal.id}")

    @property
    def paid(self) -> tuple[Entry, ...]:
        """Payments that are made, and do not come back."""
        return tuple(entry for entry in self.all if not entry.reason)

    @property
    def unpaid(self) -> tuple[Entry, ...]:
        """Payments that one might look for and that are not made."""
        return tuple(entry for entry in self.all if entry.reason)


def reckon(deal: Deal, ruleset: Ruleset) -> Reckoning | Refused | Unanswered:
    """Settle a deal and explain every possible payment, paid or not; or why the deal cannot be settled."""
    done = settle(deal, ruleset)
    if not isinstance(done, Settled):
        return done
    played = done.played
    outcome = DealOutcome(played.measures, Ask(ruleset))
    try:
        entries = apply_forfeits(played, outcome, sort_entries(all_entries(played, outcome, [], unsaid=True)))
    except Silent as silent:
        return Unanswered(deal, ruleset, played, silent)
    back = find_returned_payments(entries, done.before)
    known = {(e.rule, e.fact) for e in entries}
    pairs = ((rule.name, fact) for rule, fact in pair_rules_with_facts(played))
    verdicts = tuple(explain_entry(done, entry, (entry.rule, entry.fact) in back) for entry in entries)
    return Reckoning(done, verdicts, tuple(pair for pair in pairs if pair not in known))


def explain_entry(done: Settled, entry: Entry, back: bool) -> Entry:
    """Complete an entry by the reason why nothing is paid, or why it is paid in vain, and all answers asked."""
    rulings = done.ruleset.rulings
    asked = tuple(q for q in dict.fromkeys((*entry.asked, entry.by)) if q in rulings)
    entry = replace(entry, asked=asked)
    if back:
        return replace(entry, reason="returned", by=RETURN_RULES[entry.rule][1])
    if any(done.amounts(entry)):
        return entry
    if entry.postings:
        return replace(entry, reason="empty-pool")
    if find_missing_question(done, entry):
        return replace(entry, reason="no-question", rule_reason=entry.reason, by="")
    if entry.by in rulings and rulings[entry.by].supplied:
        return replace(entry, reason="supplied", rule_reason=entry.reason)
    return entry


#: The questions without which a rule makes no sense, though others lead up to it.
REQUIRED_QUESTIONS: Mapping[str, str] = {
    "reversis-by-quinola": "reversis.stake.whose-quinola",
    "breaking-quinola": "reversis.breaking-quinola",
}


def find_missing_question(done: Settled, entry: Entry) -> str:
    """Find the question that a rule needs and the ruleset does not have; empty if there is none."""
    needed = REQUIRED_QUESTIONS.get(entry.rule, "")
    return "" if needed in done.ruleset.rulings else needed


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
        and sums == {pair[::-1]: sum_ for pair, sum_ in paid.get((RETURN_RULES[rule][0], fact), {}).items()}
    )


def sum_transfers(entry: Entry, pool: Pool) -> Counter[tuple[Account, Account]]:
    """Sum what an entry moves from each account to each other."""
    sums: Counter[tuple[Account, Account]] = Counter()
    for p in entry.postings:
        sums[p.payer, p.payee] += p.counted(pool)
    return +sums
