"""What a fault costs its author besides a fine: the payments that he may not receive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.deal.events import Fact, Measures
from engine.readings.ask import Ask
from engine.readings.meanings.cards import QUINOLA_FORCER
from engine.readings.meanings.faults import (
    BARRED,
    BARRED_STAKE,
    EVERY_OTHER,
    FORCED_BY_BARRED,
    RECEIPTS,
    THROWN_QUINOLA,
)
from engine.readings.meanings.outcome import Outcome
from engine.settlement.ledger import Entry, Posting

#: What is given back manifold: the payment that must have been made first.
FIRST_PAID: Mapping[str, str] = {"espagnolette-returns": "thrown-off", "espagnolette-returns-stake": "draws-stake"}
BACK = "-returned"


def denied(m: Measures, seat: object, ask: Ask) -> frozenset[str]:
    """What a player may not receive because of his faults, of all that can be received."""
    kinds = m.culprits.get(seat, ()) if isinstance(seat, int) else ()
    return frozenset(one for kind in kinds for one in denied_for(kind, ask))


def denied_for(kind: str, ask: Ask) -> tuple[str, ...]:
    """What one kind of fault denies: a list, or a word for one."""
    answer = ask(f"{kind}.bars")
    return BARRED[answer] if isinstance(answer, str) else ask.words(f"{kind}.bars")


def barred_from_partie(m: Measures, seat: int, ask: Ask) -> bool:
    """Whether a player cannot win the partie, or talon, because of a fault."""
    return bool(m.culprits) and "partie" in denied(m, seat, ask)


def barred_from(m: Measures, seat: object, rule: str, fact: Fact, ask: Ask) -> bool:
    """Whether a player may not receive what a rule would pay him for a fact."""
    if not isinstance(seat, int) or seat not in m.culprits:
        return False
    never = denied(m, seat, ask)
    if rule == "draws-stake" and EVERY_OTHER in never and THROWN_QUINOLA not in never:
        return BARRED_STAKE[ask.word("barred.stake")]
    return any(RECEIPTS[one](rule, fact) for one in never)


def without_barred(m: Measures, entry: Entry, outcome: Outcome, ask: Ask) -> Entry:
    """An entry without what is due to a player who may not receive it."""
    rest = tuple(p for p in entry.postings if not withheld(m, entry, p, outcome, ask))
    if not ask.asked:
        return entry
    asked = tuple(dict.fromkeys((*entry.asked, *ask.asked)))
    if rest or not entry.postings:
        return replace(entry, postings=rest, asked=asked)
    by = next(q for q in ask.asked if q.endswith(".bars"))
    return replace(entry, postings=(), asked=asked, reason="barred", by=by)


def withheld(m: Measures, entry: Entry, posting: Posting, outcome: Outcome, ask: Ask) -> bool:
    """Whether a posting falls away: its receiver is barred from it, or it follows from a payment that is barred."""
    rule, fact = entry.rule.removesuffix(BACK), entry.fact
    # what he never received he need not give back; what he paid himself he may have back
    if barred_from(m, posting.payer if posting.undoes else posting.payee, rule, fact, ask):
        return True
    if rule in FIRST_PAID:
        return barred_from(m, fact.player, FIRST_PAID[rule], fact, ask)
    return entry.name == "quinola-forced" and rule == "matches-stake" and let_off(m, fact, outcome, ask)


def let_off(m: Measures, fact: Fact, outcome: Outcome, ask: Ask) -> bool:
    """Whether a forced quinola does not cost the stake, since he who forced it has forfeited his payment."""
    forcer = QUINOLA_FORCER[ask.word("quinola.forced.payee")](fact, outcome)
    if forcer == fact.player or not barred_from(m, forcer, "forced", fact, ask):
        return False
    return FORCED_BY_BARRED[ask.word("peek.forced-stake")]
