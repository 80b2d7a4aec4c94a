"""A settled deal as others read it: one JSON object for each deal and source, with a receipt."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

from engine.cards import name, names
from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.play.table import Refusal
from engine.settlement.ledger import Account, Entry, Posting
from engine.settlement.settle import Refused, Settled, Summary, Unanswered
from rulebook import __version__
from rulebook.answers.values import canonical
from rulebook.model import Ruling

SCHEMA = 1


def result(settled: Settled | Refused | Unanswered, digest: str = "") -> dict[str, object]:
    """What came of a deal under a source, as plain data; `digest` is the fingerprint of the sources it rests on."""
    head: dict[str, object] = {
        "schema": SCHEMA,
        "deal": settled.deal.id,
        "source": settled.ruleset.source,
        "ruleset": settled.ruleset.name,
    }
    if isinstance(settled, Refused):
        return head | {"refused": [refused(settled, r) for r in settled.refusals]} | unplayed(settled.ruleset.left_out)
    if isinstance(settled, Unanswered):
        return head | {"silent": silent(settled)}
    return head | body(settled) | {"receipt": receipt(settled.deal, digest)}


def body(settled: Settled) -> dict[str, object]:
    """The ledger, the balances, the pool and the outcome."""
    out: dict[str, object] = {
        "unit": settled.ruleset.unit,
        "entries": [entry(settled, e) for e in settled.entries],
        "net": {account(settled.deal, a): n for a, n in settled.net.items()},
        "pool": settled.pool.record(),
        "outcome": outcome(settled.deal, settled.outcome),
    }
    extra = {"passed_over": list(settled.passed_over), "open": list(settled.open)}
    return out | {k: v for k, v in extra.items() if v} | unplayed(settled.left_out)


def unplayed(rulings: Iterable[Ruling]) -> dict[str, object]:
    """What the source says and the engine left out, with what it played instead; nothing where it plays all."""
    told = [
        {
            "question": one.id,
            "says": canonical(one.answer),
            "played_as": canonical(one.value),
            "clauses": list(one.clauses),
            "reason": one.not_played,
        }
        for one in rulings
    ]
    return {"left_out": told} if told else {}


def account(deal: Deal, number: Account) -> str:
    """An account's name: a seat, or the pool."""
    return deal.seats[number] if isinstance(number, int) else number


def entry(settled: Settled, e: Entry) -> dict[str, object]:
    """One entry with all that it rests on."""
    return (
        {"trick": e.fact.trick, "fact": e.name, "rule": e.rule}
        | ({"card": name(e.fact.card)} if e.fact.card is not None else {})
        | citations(settled.rulings(e))
        | {"postings": [p for p in (posting(settled, p) for p in e.postings) if p["amount"]]}
    )


def citations(rulings: Iterable[Ruling]) -> dict[str, object]:
    """The questions asked, the clauses that answer them, and which answers are supplied or interpreted."""
    rulings = tuple(rulings)
    return {
        "questions": [r.id for r in rulings],
        "clauses": list(dict.fromkeys(c for r in rulings for c in r.clauses)),
        "supplied": [r.id for r in rulings if r.supplied],
        "interpretations": list(dict.fromkeys(r.interpretation for r in rulings if r.interpretation)),
        "emendations": list(dict.fromkeys(e for r in rulings for e in r.emendations)),
    }


def posting(settled: Settled, p: Posting) -> dict[str, object]:
    """Counters that pass, by name."""
    return {
        "from": account(settled.deal, p.payer),
        "to": account(settled.deal, p.payee),
        "amount": p.money.counted(settled.before),
    }


def outcome(deal: Deal, summary: Summary) -> dict[str, object]:
    """The outcome by name."""

    def seat(number: int | None) -> str | None:
        return None if number is None else deal.seats[number]

    r, e, p = summary.reversis, summary.espagnolette, summary.partie
    return {
        "reversis": None if r is None else {"player": seat(r[0]), "made": r[1], "breakers": [seat(s) for s in r[2]]},
        "espagnolette": None if e is None else {"player": seat(e[0]), "won": e[1]},
        "partie": None
        if p is None
        else {"winner": seat(p.winner), "losers": [seat(s) for s in p.losers], "value": p.value},
        "next_dealer": seat(summary.next_dealer),
    } | ({"void": True} if summary.void else {})


def refused(settled: Refused, r: Refusal) -> dict[str, object]:
    """One refusal with the clauses that forbid it."""
    rulings = [settled.ruleset.rulings[q] for q in r.asked]
    seat = None if r.seat is None else settled.deal.seats[r.seat]
    return {
        "trick": r.trick,
        "seat": seat,
        "card": None if r.card is None else name(r.card),
        "legal": names(r.legal),
        **{k: v for k, v in citations(rulings).items() if k in ("questions", "clauses")},
        "message": r.message,
    }


def silent(settled: Unanswered) -> dict[str, object]:
    """The question on which the ruleset says nothing."""
    return {
        "question": settled.silent.question,
        "reason": settled.silent.reason,
        "message": f"Silent: {settled.silent}",
    }


def receipt(deal: Deal, digest: str) -> dict[str, object]:
    """What makes the result reproducible: version, fingerprint of the sources, fingerprint of the deal."""
    return {"version": __version__, "sources": digest, "deal": fingerprint(write_deal(deal))}


def fingerprint(record: Mapping[str, object]) -> str:
    """The fingerprint of a record: what was played, without what was expected."""
    plain = {k: v for k, v in record.items() if k not in ("expect", "note", "title")}
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
