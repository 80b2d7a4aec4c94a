"""A settled deal as others read it: one JSON object for each deal and source, with a receipt."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

from engine.cards import format_card, format_cards
from engine.deal.model import Deal
from engine.deal.writer import write_deal
from engine.play.table import Refusal
from engine.settlement.ledger import Entry, Posting, name_ledger_account
from engine.settlement.settle import Refused, Settled, Summary, Unanswered
from engine.settlement.unplayed_rules import RaisedOccasion, list_unplayed_rules
from rulebook import __version__
from rulebook.answers.values import format_canonical
from rulebook.model import Ruling
from rulebook.suggestions import describe_type

RESULT_SCHEMA, SEVERAL_POOLS_SCHEMA = 1, 2


def result(settled: Settled | Refused | Unanswered, digest: str = "") -> dict[str, object]:
    """Settlement of a deal under a source as plain data.

    `digest` is the fingerprint of the sources it rests on.
    """
    if not isinstance(settled, Settled | Refused | Unanswered):
        raise TypeError(f"{describe_type(settled)} is no result; settle the deal first: result(settle(deal, ruleset))")
    several = isinstance(settled, Settled) and settled.pool.others
    head: dict[str, object] = {
        "schema": SEVERAL_POOLS_SCHEMA if several else RESULT_SCHEMA,
        "deal": settled.deal.id,
        "source": settled.ruleset.source,
        "ruleset": settled.ruleset.name,
    }
    if isinstance(settled, Refused):
        return (
            head
            | {"refused": [dump_refusal(settled, r) for r in settled.refusals]}
            | dump_left_out_answers(settled.ruleset.left_out)
        )
    if isinstance(settled, Unanswered):
        return head | {"silent": dump_silence(settled)}
    return head | dump_settlement(settled) | {"receipt": make_result_receipt(settled.deal, digest)}


def dump_settlement(settled: Settled) -> dict[str, object]:
    """Dump the ledger, the balances, the pool and the outcome as plain data."""
    out: dict[str, object] = {
        "unit": settled.ruleset.unit,
        "entries": [dump_ledger_entry(settled, e) for e in settled.entries],
        "net": {name_ledger_account(settled.deal, a): n for a, n in settled.net.items()},
        "pool": settled.pool.record(),
        "outcome": dump_outcome(settled.deal, settled.outcome),
    }
    orders = [
        {"sentence": order.sentence, "words": order.words, "what": order.explanation} for order in settled.not_held
    ]
    extra = {"passed_over": [*settled.remarks], "open": [*settled.open], "not_held": orders}
    return out | {k: v for k, v in extra.items() if v} | dump_unplayed_rules(settled)


def dump_unplayed_rules(settled: Settled) -> dict[str, object]:
    """Dump what the engine left out of a settlement, with whether it would have mattered; empty if nothing."""
    judged = list_unplayed_rules(settled)
    left_out = dump_left_out_answers(rule.ruling for rule in judged).get("left_out", [])
    assert isinstance(left_out, list)
    raised = ([dump_raised(settled.deal, each) for each in rule.raised] for rule in judged)
    verdicts = [
        {"mattered": unplayed.mattered, "raised": occasions} for unplayed, occasions in zip(judged, raised, strict=True)
    ]
    return (
        {"left_out": [{**answer, **verdict} for answer, verdict in zip(left_out, verdicts, strict=True)]}
        if left_out
        else {}
    )


def dump_raised(deal: Deal, raised: RaisedOccasion) -> dict[str, object]:
    """Dump an occasion on which a rule that is not played would have mattered."""
    fields = {name: getattr(raised.occasion, name) for name in ("card", "when", "announced", "stake_from", "says")}
    seat = None if raised.seat is None else deal.seats[raised.seat]
    return {"trick": raised.trick, "seat": seat, **{key: value for key, value in fields.items() if value}}


def dump_left_out_answers(rulings: Iterable[Ruling]) -> dict[str, object]:
    """Dump answers that the engine left out, with what it played instead.

    Empty where it plays everything the source says.
    """
    left_out = [
        {
            "question": ruling.id,
            "says": format_canonical(ruling.answer),
            "played_as": format_canonical(ruling.value),
            "clauses": list(ruling.clauses),
            "reason": ruling.not_played,
        }
        for ruling in rulings
    ]
    return {"left_out": left_out} if left_out else {}


def dump_ledger_entry(settled: Settled, e: Entry) -> dict[str, object]:
    """Dump an entry with all that it rests on."""
    return (
        {"trick": e.fact.trick, "fact": e.name, "rule": e.rule}
        | ({"card": format_card(e.fact.card)} if e.fact.card is not None else {})
        | dump_citations(settled.rulings(e))
        | {"postings": [p for p in (dump_posting(settled, p) for p in e.postings) if p["amount"]]}
    )


def dump_citations(rulings: Iterable[Ruling]) -> dict[str, object]:
    """Dump the questions asked and the clauses that answer them.

    Also which answers are supplied or interpreted.
    """
    rulings = tuple(rulings)
    return {
        "questions": [r.id for r in rulings],
        "clauses": list(dict.fromkeys(c for r in rulings for c in r.clauses)),
        "supplied": [r.id for r in rulings if r.supplied],
        "interpretations": list(dict.fromkeys(r.interpretation for r in rulings if r.interpretation)),
        "emendations": list(dict.fromkeys(e for r in rulings for e in r.emendations)),
    }


def dump_posting(settled: Settled, p: Posting) -> dict[str, object]:
    """Dump a posting with the names of its accounts."""
    return {
        "from": name_ledger_account(settled.deal, p.payer),
        "to": name_ledger_account(settled.deal, p.payee),
        "amount": p.counted(settled.before),
    }


def dump_outcome(deal: Deal, summary: Summary) -> dict[str, object]:
    """Dump the outcome with the names of the seats."""

    def seat(number: int | None) -> str | None:
        return None if number is None else deal.seats[number]

    r, e, p = summary.reversis, summary.espagnolette, summary.partie
    broke: dict[str, object] = {} if summary.breaking_loses is None else {"broke_reversis": True}
    return {
        "reversis": None if r is None else {"player": seat(r[0]), "made": r[1], "breakers": [seat(s) for s in r[2]]},
        "espagnolette": None if e is None else {"player": seat(e[0]), "won": e[1], **broke},
        "partie": None
        if p is None
        else {"winner": seat(p.winner), "losers": [seat(s) for s in p.losers], "value": p.value},
        "next_dealer": seat(summary.next_dealer),
    } | ({"void": True} if summary.void else {})


def dump_refusal(settled: Refused, r: Refusal) -> dict[str, object]:
    """Dump a refusal with the clauses that forbid the play."""
    rulings = [settled.ruleset.rulings[q] for q in r.asked]
    seat = None if r.seat is None else settled.deal.seats[r.seat]
    return {
        "trick": r.trick,
        "seat": seat,
        "card": None if r.card is None else format_card(r.card),
        "legal": format_cards(r.legal),
        **{k: v for k, v in dump_citations(rulings).items() if k in ("questions", "clauses")},
        "message": r.message,
    }


def dump_silence(settled: Unanswered) -> dict[str, object]:
    """Dump the question on which the ruleset is silent."""
    return {
        "question": settled.silent.question,
        "reason": settled.silent.reason,
        "message": f"{settled.silent.kind}: {settled.silent}",
    }


def make_result_receipt(deal: Deal, digest: str) -> dict[str, object]:
    """Make the receipt that makes a result reproducible.

    Version, fingerprint of the sources, fingerprint of the deal.
    """
    return {"version": __version__, "sources": digest, "deal": fingerprint_deal_record(write_deal(deal))}


def fingerprint_deal_record(record: Mapping[str, object]) -> str:
    """Fingerprint a record: what was played, without what was expected."""
    plain = {k: v for k, v in record.items() if k not in ("expect", "note", "title")}
    text = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
