"""A session as others read it: one JSON object for each source, step by step, with a receipt."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from engine.deal.writer import write_deal
from engine.session.session import NotCounted, Session, Silence, Step
from engine.settlement.ledger import Account, Entry
from engine.settlement.result_json import citations, fingerprint, refused, silent
from engine.settlement.settle import Refused
from rulebook import __version__
from rulebook.model import Ruleset

SESSION_SCHEMA = 1


def session_result(
    id: str, ruleset: Ruleset, found: Sequence[Step | NotCounted], digest: str = ""
) -> dict[str, object]:
    """What came of a session under a source, as plain data."""
    steps = [one for one in found if isinstance(one, Step)]
    last = steps[-1].after
    return {
        "schema": SESSION_SCHEMA,
        "session": id,
        "source": ruleset.source,
        "ruleset": ruleset.name,
        "unit": ruleset.unit,
        "seats": list(last.seats),
        "steps": [step_record(one) if isinstance(one, Step) else not_counted(one) for one in found],
        "deals": last.deals,
        "accounts": standing(last),
        "pool": last.pool.record(full=True),
        "receipt": receipt(steps, digest),
    }


def standing(session: Session) -> dict[str, int]:
    """How everybody stands, and what lies on the table; it comes to nought."""
    return {**dict(zip(session.seats, session.accounts, strict=True)), "pool": session.laid}


def step_record(step: Step) -> dict[str, object]:
    """One step: its entries, and how everybody stands after it."""
    after = step.after
    out: dict[str, object] = {"step": step.kind, "entries": [entry(step, e) for e in step.entries]}
    if step.settled is not None:
        settled = step.settled
        seats = settled.deal.seats
        out |= {
            "deal": settled.deal.id,
            "dealer": seats[settled.deal.dealer],
            "played_for": settled.before.record(full=True),
            "net": {name_of(step, a): n for a, n in settled.net.items()},
        }
    out |= {"accounts": standing(after), "pool": after.pool.record(full=True), "next_dealer": after.seats[after.dealer]}
    extra = {"aside": after.aside, "owed": owed(after), "silent": [silence(one) for one in step.silent]}
    return out | {key: value for key, value in extra.items() if value}


def owed(session: Session) -> list[dict[str, object]]:
    """The waiting sums that have still to be laid down, and by whom."""
    pairs = zip(session.pool.waiting, session.owed, strict=True)
    return [{"seat": session.seats[who], "amount": amount} for amount, who in pairs if who is not None]


def name_of(step: Step, account: Account) -> str:
    """An account's name: a player, or the pool."""
    return step.after.seats[account] if isinstance(account, int) else account


def entry(step: Step, e: Entry) -> dict[str, object]:
    """One entry between deals with all that it rests on."""
    return {
        "fact": e.name,
        **citations(step.rulings(e)),
        "postings": [
            {"from": name_of(step, p.payer), "to": name_of(step, p.payee), "amount": p.money.plain} for p in e.postings
        ],
    }


def silence(one: Silence) -> dict[str, object]:
    """A question on which the rules say nothing, so that nothing was done."""
    return {"question": one.question, "reason": one.reason, "message": f"Silent: {one}"}


def not_counted(one: NotCounted) -> dict[str, object]:
    """A deal that is told and not counted, and why."""
    head: dict[str, object] = {"step": "not-counted", "deal": one.deal.id}
    if one.problems:
        return head | {"problems": [{"message": p.what, "way_out": p.way_out} for p in one.problems]}
    if isinstance(one.found, Refused):
        return head | {"refused": [refused(one.found, r) for r in one.found.refusals]}
    return head | ({"silent": silent(one.found)} if one.found is not None else {})


def receipt(steps: Sequence[Step], digest: str) -> dict[str, object]:
    """What makes the result reproducible: version, fingerprint of the sources, fingerprint of all deals in a row."""
    total = hashlib.sha256()
    for step in steps:
        if step.settled is not None:
            total.update(fingerprint(write_deal(step.settled.deal)).encode())
    return {"version": __version__, "sources": digest, "deals": f"sha256:{total.hexdigest()}"}


__all__ = ["SESSION_SCHEMA", "session_result", "standing"]
