"""Making deals for tests: a few cards and plays that matter are named, the rest is dealt and played by lot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.cards import parse_card_name
from engine.deal.model import Deal
from engine.deal.reader import read_deal
from engine.settlement.ledger import Entry
from engine.settlement.settle import Settled

FOUR = ("south", "east", "north", "west")  # to the right: east sits right of south, north opposite south
ACES_HAND = "AS AH AD AC"
FIVE = ("ann", "bob", "cat", "dan", "eve")
ORDER = "23456789TJQKA"
PAM_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}
ACA_POINTS = {"A": 5, "K": 4, "Q": 3, "J": 2}
SHAPES = {(4, 48): (11, 4), (4, 52): (12, 4), (5, 48): (9, 3), (5, 52): (10, 2)}


@dataclass(frozen=True)
class Laid:
    """A deal as laid out by lot, counted without the engine."""

    seats: tuple[str, ...]
    hands: Mapping[str, tuple[str, ...]]
    talon: tuple[str, ...]
    tricks: tuple[tuple[str, ...], ...]
    takers: tuple[str, ...]

    def taken(self, seat: str) -> list[str]:
        return [c for row, taker in zip(self.tricks, self.takers, strict=True) if taker == seat for c in row]

    def points(self, seat: str, values: Mapping[str, int] = PAM_POINTS) -> int:
        return sum(values.get(c[0], 0) for c in self.taken(seat))

    def count(self, seat: str, ranks: str) -> int:
        return sum(c[0] in ranks for c in self.taken(seat))

    def number(self, seat: str) -> int:
        return self.takers.count(seat)


class Lost(Exception):
    """The lot fell so that the wish cannot be met; deal again."""


def cards(text: str) -> list[str]:
    return text.split()


def fresh_pack(size: int) -> list[str]:
    return [r + s for s in "SHDC" for r in ORDER if size == 52 or r != "T"]


def dealt(
    rng: Random,
    seats: Sequence[str],
    pack: int,
    size: int,
    hands: Mapping[str, str],
    talon: str,
    without: Mapping[str, str],
) -> tuple[dict[str, list[str]], list[str]]:
    """Hands and talon: the cards wished for, and the rest by lot."""
    held = {s: cards(hands.get(s, "")) for s in seats}
    aside = cards(talon)
    used = [*aside, *(c for h in held.values() for c in h)]
    assert len(used) == len(set(used)), "a card is wished for twice"
    rest = [c for c in fresh_pack(pack) if c not in used]
    rng.shuffle(rest)
    for seat in sorted(seats, key=lambda s: -len(without.get(s, ""))):
        may = [c for c in rest if not any(w in c for w in without.get(seat, ""))]
        held[seat] += may[: max(0, size - len(held[seat]))]
        rest = [c for c in rest if c not in held[seat]]
        if len(held[seat]) != size:
            raise Lost
    return held, [*aside, *rest]


def play(
    rng: Random,
    seats: Sequence[str],
    held: Mapping[str, list[str]],
    size: int,
    dealer: str,
    plays: Mapping[int, Mapping[str, str]],
    leads: Mapping[int, str],
    takers: Mapping[int, str],
    never: Sequence[str],
    heart_first: bool,
    revokes: Sequence[tuple[int, str]],
) -> tuple[list[tuple[str, ...]], list[str]]:
    """Tricks played by lot, save for the cards wished for, which are kept for their trick."""
    hands = {s: list(h) for s, h in held.items()}
    leader = seats[(seats.index(dealer) + 1) % len(seats)]
    tricks, took = [], []
    for number in range(1, size + 1):
        if leads.get(number, leader) != leader:
            raise Lost
        row: list[str] = []
        for i in range(len(seats)):
            seat = seats[(seats.index(leader) + i) % len(seats)]
            wish = plays.get(number, {}).get(seat)
            if wish is None:
                wish = lot(rng, hands[seat], row, plays, number, seat, heart_first and number == 1)
            elif (number, seat) in revokes:
                pass
            elif not follows(hands[seat], wish, row, heart_first and number == 1):
                raise Lost
            if wish not in hands[seat]:
                raise Lost
            hands[seat].remove(wish)
            row.append(wish)
        best = max((c for c in row if c[1] == row[0][1]), key=lambda c: ORDER.index(c[0]))
        leader = seats[(seats.index(leader) + row.index(best)) % len(seats)]
        if takers.get(number, leader) != leader or leader in never:
            raise Lost
        tricks.append(tuple(row))
        took.append(leader)
    return tricks, took


def follows(hand: list[str], card: str, row: list[str], heart_first: bool) -> bool:
    """Whether a card may be played by the general rule."""
    suit = row[0][1] if row else "H" if heart_first else card[1]
    return card[1] == suit or not any(c[1] == suit for c in hand)


def lot(
    rng: Random,
    hand: list[str],
    row: list[str],
    plays: Mapping[int, Mapping[str, str]],
    number: int,
    seat: str,
    heart_first: bool,
) -> str:
    """A card that may lawfully be played and is not kept for a later trick."""
    suit = row[0][1] if row else "H" if heart_first else ""
    may = [c for c in hand if c[1] == suit] or hand
    kept = {p[seat] for n, p in plays.items() if n > number and seat in p}
    free = [c for c in may if c not in kept]
    if not free:
        raise Lost
    return rng.choice(free)


def laid(
    hands: Mapping[str, str] | None = None,
    talon: str = "",
    tricks: Mapping[int, str] | None = None,
    takers: Mapping[int, str] | None = None,
    never: Sequence[str] = (),
    without: Mapping[str, str] | None = None,
    dealer: str = "west",
    pack: int = 48,
    seats: Sequence[str] = FOUR,
    where: Callable[[Laid], bool] = lambda laid: True,
    heart_first: bool = False,
    revokes: Sequence[tuple[int, str]] = (),
    seed: int = 1,
) -> Laid:
    """A full deal in which the wished plays fall: tricks={11: "south:QH! east:JH"}; ! marks the card that is led."""
    size = SHAPES[len(seats), pack][0]
    plays: dict[int, dict[str, str]] = {}
    leads: dict[int, str] = {}
    wished = {s: cards((hands or {}).get(s, "")) for s in seats}
    for number, text in (tricks or {}).items():
        for word in text.split():
            seat, card = word.rstrip("!").split(":")
            plays.setdefault(number, {})[seat] = card
            leads |= {number: seat} if word.endswith("!") else {}
            if card not in wished[seat]:
                wished[seat].append(card)
    for attempt in range(60_000):
        rng = Random(seed * 1_000_003 + attempt)
        try:
            held, aside = dealt(
                rng, seats, pack, size, {s: " ".join(h) for s, h in wished.items()}, talon, without or {}
            )
            rows, took = play(rng, seats, held, size, dealer, plays, leads, takers or {}, never, heart_first, revokes)
        except Lost:
            continue
        found = Laid(tuple(seats), {s: tuple(h) for s, h in held.items()}, tuple(aside), tuple(rows), tuple(took))
        if where(found):
            return found
    raise AssertionError("no such deal found")


def record(laid: Laid, dealer: str = "west", pack: int = 48, pool: object = None, **keys: object) -> dict[str, Any]:
    """The record of a deal, ready to be read."""
    return {
        "deal": "made-for-a-test",
        "provenance": "generated",
        "pack": pack,
        "seats": list(laid.seats),
        "dealer": dealer,
        "hands": {s: " ".join(h) for s, h in laid.hands.items()},
        "talon": " ".join(laid.talon),
        "tricks": [" ".join(row) for row in laid.tricks],
        "pool": {"stake": 60, "waiting": []} if pool is None else pool,
        **keys,
    }


def fresh(**keys: object) -> dict[str, Any]:
    """The record of some deal."""
    return record(laid(), **keys)  # type: ignore[arg-type]


def read(raw: Mapping[str, object]) -> Deal:
    """A deal out of a record that must be in order."""
    deal, problems = read_deal(raw)
    assert deal is not None, problems
    return deal


def lay_deal(*, dealer: str = "west", pack: int = 48, told: Mapping[str, Any] | None = None, **wishes: Any) -> Deal:
    """A deal in which the wishes that `laid` takes are met, with a stake of 60 unless the record is told otherwise."""
    return read(record(laid(dealer=dealer, pack=pack, **wishes), dealer, pack, **(told or {})))


def revoke(trick: int, seat: str = "east") -> dict[str, object]:
    """A revoke as a fault on record."""
    return {"kind": "revoke", "seat": seat, "trick": trick}


def revoked(where: Callable[[Laid], bool] | None = None, **told: Any) -> Deal:
    """South leads a spade to trick 5; east, who keeps the six for later, throws a club on it, as the record says."""
    wishes: dict[str, Any] = {"tricks": {5: "south:9S! east:7C"}, "hands": {"east": "6S"}, "revokes": [(5, "east")]}
    faults = {"faults": [revoke(5)]}
    return lay_deal(told=faults | told, heart_first=True, where=where or held_past("6S", 5), **wishes)


def entries(settled: Settled, rule: str) -> list[Entry]:
    return [e for e in settled.entries if e.rule == rule]


def paid(settled: Settled, *rules: str, of: str = "") -> dict[tuple[str, str], int]:
    """What these rules make pass, from whom to whom; `of` one card only."""
    seats, sums = settled.deal.seats, dict[tuple[str, str], int]()
    for entry in settled.entries:
        wanted = entry.rule in rules and (not of or entry.fact.card == parse_card_name(of))
        for p in entry.postings if wanted else ():
            key = tuple(seats[a] if isinstance(a, int) else a for a in (p.payer, p.payee))
            sums[key] = sums.get(key, 0) + p.counted(settled.before)  # type: ignore[index, arg-type]
    return {k: v for k, v in sums.items() if v}


def net(settled: Settled) -> dict[str, int]:
    seats = settled.deal.seats
    return {seats[a] if isinstance(a, int) else a: n for a, n in settled.net.items()}


def natural(laid: Laid, seats: Sequence[str] | None = None, dealer: str = "west") -> tuple[str, str]:
    """Who wins and who loses the partie by points, then tricks, then place; the loser among all but the winner."""

    def worth(seat: str) -> tuple[int, int, int]:
        place = (laid.seats.index(dealer) - laid.seats.index(seat)) % len(laid.seats)
        return laid.points(seat), laid.number(seat), place

    winner = min(seats or laid.seats, key=worth)
    return winner, max((s for s in laid.seats if s != winner), key=worth)


def held_past(card: str, trick: int) -> Callable[[Laid], bool]:
    """Deals of several takers in which a card is played only after this trick."""
    return lambda d: mixed(d) and next(t for t, row in enumerate(d.tricks, 1) if card in row) > trick


def mixed(laid: Laid) -> bool:
    """No one player has taken the first nine tricks."""
    return len(set(laid.takers[:9])) > 1
