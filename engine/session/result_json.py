"""A session as others read it: one JSON object for each source, step by step, with a receipt."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from engine.cards import format_card
from engine.deal.writer import write_deal
from engine.session.session import NotCounted, Session, Step
from engine.settlement.ledger import Account, Entry
from engine.settlement.result_json import dump_citations, dump_refusal, dump_silence, fingerprint_deal_record
from engine.settlement.settle import Refused
from rulebook import __version__
from rulebook.model import Ruleset

SESSION_SCHEMA, SEVERAL_POOLS_SESSION_SCHEMA = 1, 2


def session_result(
    id: str, ruleset: Ruleset, all_steps: Sequence[Step | NotCounted], digest: str = ""
) -> dict[str, object]:
    """Return the result of a session under a source, as plain data."""
    steps = [step for step in all_steps if isinstance(step, Step)]
    last = steps[-1].after
    return {
        "schema": SEVERAL_POOLS_SESSION_SCHEMA if last.pool.others else SESSION_SCHEMA,
        "session": id,
        "source": ruleset.source,
        "ruleset": ruleset.name,
        "unit": ruleset.unit,
        "seats": list(last.seats),
        "steps": [step_record(step) if isinstance(step, Step) else not_counted(step) for step in all_steps],
        "deals": last.deals,
        "accounts": list_balances(last),
        "pool": last.pool.record(full=True),
        "receipt": _write_receipt(steps, digest),
    }


def list_balances(session: Session) -> dict[str, int]:
    """Return the balance of every player and of the table; the sum is zero."""
    return {**dict(zip(session.seats, session.accounts, strict=True)), "pool": session.laid}


def step_record(step: Step) -> dict[str, object]:
    """One step: its entries, and how everybody stands after it."""
    after = step.after
    out: dict[str, object] = {"step": step.kind, "entries": [_write_session_entry(step, e) for e in step.entries]}
    if step.settled is not None:
        settled = step.settled
        seats = settled.deal.seats
        out |= {
            "deal": settled.deal.id,
            "dealer": seats[settled.deal.dealer],
            "played_for": settled.before.record(full=True),
            "net": {_name_account(step, a): n for a, n in settled.net.items()},
            **({"passed_over": [*settled.passed_over]} if settled.passed_over else {}),
        }
    out |= {
        "accounts": list_balances(after),
        "pool": after.pool.record(full=True),
        "next_dealer": after.seats[after.dealer],
    }
    silent = [
        {"question": silence.question, "reason": silence.reason, "message": f"{silence.kind}: {silence}"}
        for silence in step.silent
    ]
    return out | _write_remembered_sums(after) | ({"silent": silent} if silent else {})


def _write_remembered_sums(session: Session) -> dict[str, object]:
    """Write what was set aside and what is owed; of further pools by card."""
    others = {card: _write_remembered_sums(session.about(card)) for card in session.cards[1:]}
    extra = {
        "aside": session.aside,
        "owed": [
            {"seat": session.seats[who], "amount": amount}
            for amount, who in zip(session.pool.waiting, session.owed, strict=True)
            if who is not None
        ],
        "others": {card: sums for card, sums in others.items() if sums},
    }
    return {key: value for key, value in extra.items() if value}


def _name_account(step: Step, account: Account) -> str:
    """Return the name of an account: a player, or the pool."""
    return step.after.seats[account] if isinstance(account, int) else account


def _write_session_entry(step: Step, e: Entry) -> dict[str, object]:
    """Write one entry between deals with all that it rests on."""
    card = {} if e.fact.card is None else {"card": format_card(e.fact.card)}
    return {
        "fact": e.name,
        **card,
        **dump_citations(step.rulings(e)),
        "postings": [
            {"from": _name_account(step, p.payer), "to": _name_account(step, p.payee), "amount": p.money.plain}
            for p in e.postings
        ],
    }


def not_counted(deal: NotCounted) -> dict[str, object]:
    """A deal that is reported and not counted, and why."""
    head: dict[str, object] = {"step": "not-counted", "deal": deal.deal.id}
    if deal.problems:
        return head | {"problems": [{"message": p.what, "way_out": p.way_out} for p in deal.problems]}
    if isinstance(deal.found, Refused):
        return head | {"refused": [dump_refusal(deal.found, r) for r in deal.found.refusals]}
    return head | ({"silent": dump_silence(deal.found)} if deal.found is not None else {})


def _write_receipt(steps: Sequence[Step], digest: str) -> dict[str, object]:
    """Write what makes the result reproducible.

    These are the version, the fingerprint of the sources, and that of all deals in a row.
    """
    total = hashlib.sha256()
    for step in steps:
        if step.settled is not None:
            total.update(fingerprint_deal_record(write_deal(step.settled.deal)).encode())
    return {"version": __version__, "sources": digest, "deals": f"sha256:{total.hexdigest()}"}


__all__ = ["SESSION_SCHEMA", "list_balances", "session_result"]
