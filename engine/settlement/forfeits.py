"""Forfeits: payments that a player may not receive because of a fault.

They come on top of any fine.
"""

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
    THROWN_IN_REVOKE,
    THROWN_QUINOLA,
)
from engine.readings.meanings.outcome import OutcomeSeats
from engine.settlement.ledger import Entry, Posting

#: What is given back manifold: the payment that must have been made first.
FIRST_PAID: Mapping[str, str] = {"espagnolette-returns": "thrown-off", "espagnolette-returns-stake": "draws-stake"}
_RETURNED_SUFFIX = "-returned"


def find_denied_receipts(m: Measures, seat: object, ask: Ask) -> frozenset[str]:
    """Find what a player may not receive because of faults, of all possible receipts."""
    kinds = m.culprits.get(seat, ()) if isinstance(seat, int) else ()
    return frozenset(receipt for kind in kinds for receipt in list_denied_for_fault(kind, ask))


def list_denied_for_fault(kind: str, ask: Ask) -> tuple[str, ...]:
    """List what one kind of fault denies: a list, or a word for one."""
    answer = ask(f"{kind}.bars")
    return BARRED[answer] if isinstance(answer, str) else ask.words(f"{kind}.bars")


def is_thrown_in_vain(fact: Fact, ask: Ask) -> bool:
    """Return whether a card was thrown off in a revoke, and brings nothing for that."""
    return fact.revoked and not THROWN_IN_REVOKE[ask.word("revoke.thrown-off")]


def is_barred_from_partie(m: Measures, seat: int, ask: Ask) -> bool:
    """Return whether a fault bars a player from winning the partie, or talon."""
    return bool(m.culprits) and "partie" in find_denied_receipts(m, seat, ask)


def is_barred_from_payment(m: Measures, seat: object, rule: str, fact: Fact, ask: Ask) -> bool:
    """Return whether a player may not receive what a rule would pay for a fact."""
    if not isinstance(seat, int) or seat not in m.culprits:
        return False
    never = find_denied_receipts(m, seat, ask)
    if rule == "draws-stake" and EVERY_OTHER in never and THROWN_QUINOLA not in never:
        return BARRED_STAKE[ask.word("barred.stake")]
    return any(RECEIPTS[receipt](rule, fact) for receipt in never)


def drop_barred_postings(m: Measures, entry: Entry, outcome: OutcomeSeats, ask: Ask) -> Entry:
    """Drop from an entry what is due to a player who may not receive it."""
    rest = tuple(p for p in entry.postings if not is_posting_barred(m, entry, p, outcome, ask))
    if not ask.asked:
        return entry
    asked = tuple(dict.fromkeys((*entry.asked, *ask.asked)))
    if rest or not entry.postings:
        return replace(entry, postings=rest, asked=asked)
    by = next(q for q in ask.asked if q.endswith(".bars"))
    return replace(entry, postings=(), asked=asked, reason="barred", by=by)


def is_posting_barred(m: Measures, entry: Entry, posting: Posting, outcome: OutcomeSeats, ask: Ask) -> bool:
    """Return whether a posting falls away because of a fault.

    Its receiver is barred from it, or it follows from a payment that is barred.
    """
    rule, fact = entry.rule.removesuffix(_RETURNED_SUFFIX), entry.fact
    # what he never received he need not give back; what he paid himself he may have back
    if is_barred_from_payment(m, posting.payer if posting.undoes else posting.payee, rule, fact, ask):
        return True
    if rule in FIRST_PAID and fact.manner == "thrown-off":
        return is_barred_from_payment(m, fact.player, FIRST_PAID[rule], fact, ask)
    return entry.name == "quinola-forced" and rule == "matches-stake" and is_forced_stake_waived(m, fact, outcome, ask)


def is_forced_stake_waived(m: Measures, fact: Fact, outcome: OutcomeSeats, ask: Ask) -> bool:
    """Return whether a forced quinola does not cost the stake.

    It does not where the player who forced it has forfeited the payment.
    """
    forcer = QUINOLA_FORCER[ask.word("quinola.forced.payee")](fact, outcome)
    if forcer == fact.player or not is_barred_from_payment(m, forcer, "forced", fact, ask):
        return False
    return FORCED_BY_BARRED[ask.word("peek.forced-stake")]
