"""Write a deal as a record, in its short form or with nothing left unsaid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.cards import format_card, sort_cards
from engine.deal.events import Fault
from engine.deal.fields import Raw
from engine.deal.model import FAULT_FIELDS, Deal, Exchange
from rulebook.suggestions import describe_type


def write_deal(deal: Deal) -> dict[str, object]:
    """Write a deal as a record, the cards of a hand in order."""
    if not isinstance(deal, Deal):
        raise TypeError(f'{describe_type(deal)} stands where the deal should: write_deal(reversis.deal("..."))')
    out: dict[str, object] = {
        "deal": deal.id,
        "title": deal.title,
        "provenance": deal.provenance,
        "cites": list(deal.cites),
        "pack": deal.pack,
        "seats": list(deal.seats),
        "dealer": deal.seats[deal.dealer],
        "hands": {s: _line(sort_cards(h)) for s, h in zip(deal.seats, deal.hands, strict=True)},
        "talon": _line(deal.talon),
        "tricks": [_line(t) for t in deal.tricks],
        "pool": _written_pools(deal),
    }
    if exchanges := [*(_written_exchange(deal, x) for x in deal.exchange), *_written_gifts(deal)]:
        out["exchange"] = exchanges
    led = {row[0] for row in deal.tricks if row}
    if claims := {format_card(c): claimed for c, claimed in deal.claims.items() if c in led}:
        out["claims"] = claims  # a claim on a card that was not led says nothing
    if deal.announced:
        out["announced"] = [{"what": a.what, "seat": deal.seats[a.seat], "before": a.before} for a in deal.announced]
    if deal.faults:
        out["faults"] = [_written_fault(deal, f) for f in deal.faults]
    extra = {"fragment": deal.fragment or None, "expect": dict(deal.expect), "note": deal.note}
    return out | {k: v for k, v in extra.items() if v}


#: What a record says of itself by leaving a key out.
_FIELD_DEFAULTS: Mapping[str, object] = {
    "title": "",
    "cites": (),
    "exchange": (),
    "claims": {},
    "announced": (),
    "faults": (),
    "fragment": False,
    "expect": {},
    "note": "",
}


def long_form(record: Raw) -> dict[str, object]:
    """Return the same record with nothing left unsaid: every key that may be left out, and cards in lists."""
    fields = {key: list(value) if value == () else value for key, value in _FIELD_DEFAULTS.items()} | dict(record)
    hands, tricks = fields["hands"], fields["tricks"]
    assert isinstance(hands, Mapping) and isinstance(tricks, Sequence)
    fields["hands"] = {seat: _listed(cards) for seat, cards in hands.items()}
    fields["talon"] = _listed(fields["talon"])
    fields["tricks"] = [_listed(row) for row in tricks]
    fields["pool"] = _long_pool(fields["pool"])
    return dict(record) | fields


def _listed(cards: object) -> list[str]:
    return cards.split() if isinstance(cards, str) else list(cards) if isinstance(cards, Sequence) else []


def _long_pool(pool: object) -> dict[str, object]:
    assert isinstance(pool, Mapping)
    if pool and "others" not in pool and all(isinstance(entry, Mapping) for entry in pool.values()):
        return {siglum: _long_pool(entry) for siglum, entry in pool.items()}
    others = pool.get("others", {})
    assert isinstance(others, Mapping)
    fields = {"stake": 0, "waiting": [], "supplements_paid": False} | dict(pool)
    return fields | ({"others": {card: _long_pool(entry) for card, entry in others.items()}} if others else {})


def _line(cards: Iterable[int]) -> str:
    return " ".join(map(format_card, cards))


def _written_pools(deal: Deal) -> dict[str, object]:
    if set(deal.pools) <= {""}:
        return deal.pool("").record(full=True)
    return {siglum: pool.record(full=True) for siglum, pool in deal.pools.items()}


def _written_fault(deal: Deal, fault: Fault) -> dict[str, object]:
    fields = {field: getattr(fault, field) for field in FAULT_FIELDS}
    fields["directed"] = None if fault.directed is None else deal.seats[fault.directed]
    return {"kind": fault.kind, "seat": deal.seats[fault.seat]} | {k: v for k, v in fields.items() if v}


def _written_gifts(deal: Deal) -> Iterator[dict[str, object]]:
    for gift in deal.gifts:
        yield {"seat": deal.seats[gift.seat], "gives": format_card(gift.card), "to": deal.seats[gift.to]}


def _written_exchange(deal: Deal, x: Exchange) -> dict[str, object]:
    given = {
        "out": None if x.out is None else format_card(x.out),
        "in": None if x.taken is None else format_card(x.taken),
        "looked": x.looked or None,
    }
    return {"seat": deal.seats[x.seat]} | {k: v for k, v in given.items() if v}
