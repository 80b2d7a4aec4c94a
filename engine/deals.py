"""The deal record: read with every fault told at once, and written back."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.cards import card, in_order, name, pack
from engine.facts import Announcement, Fault
from engine.pools import Pool
from rulebook.model import Problem, Where

Raw: TypeAlias = Mapping[str, object]
Place: TypeAlias = tuple[str | int, ...]
Find: TypeAlias = Callable[[Place], Where]

PROVENANCES = ("printed", "completed", "constructed", "generated")
REQUIRED = ("deal", "pack", "seats", "dealer", "hands", "talon", "tricks")
OPTIONAL = (
    "title",
    "provenance",
    "cites",
    "pool",
    "expect",
    "exchange",
    "claims",
    "announced",
    "faults",
    "fragment",
    "note",
)
KEYS = (*REQUIRED, *OPTIONAL)
POOL_KEYS = ("stake", "waiting", "supplements_paid")
EXCHANGE_KEYS = ("seat", "out", "in", "looked")
ANNOUNCED_KEYS = ("what", "seat", "before")
ANNOUNCED = ("espagnolette", "reversis")
MOST = 10**15  #: no table has ever held so many counters
TOO_LONG = 10**100  #: a number that nobody could tell
DEEPEST = 40  #: lists and tables within one another; a record needs five
HALVES = re.compile("[\ud800-\udfff]")  #: of a pair that makes one letter; alone they are none
NOTICED = ("before-discard", "before-lead", "in-play")  #: when a misdeal may come out: in the order of the deal


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A kind of fault: what it is, what a record must tell of it and what it may, and what it does to the cards."""

    says: str
    needs: tuple[str, ...] = ()
    allows: tuple[str, ...] = ()
    dealing: bool = False  #: it is made in dealing, by the dealer, and the cards may have to be dealt again
    over: int = 0  #: how many cards too many he holds when play begins
    odd: bool = False  #: hands and talon may be of any size
    short: bool = False  #: cards of the pack may be missing


#: Every fault that a record may list.
FAULTS: Mapping[str, FaultKind] = {
    "revoke": FaultKind("did not follow suit, though he could and had to", ("trick",)),
    "out-of-turn": FaultKind("played before his turn", ("trick",)),
    "peek": FaultKind("saw the card of the talon that was his to take, and laid a card away all the same"),
    "undiscarded": FaultKind("took a card of the talon and laid none away", over=1),
    "ten-cards": FaultKind("laid two cards away for one", over=-1),
    "misdeal": FaultKind("dealt wrongly", ("noticed",), ("redeemed",), dealing=True, odd=True),
    "card-turned-up": FaultKind("turned up a card in dealing", (), ("accepted",), dealing=True),
    "badly-shuffled": FaultKind("dealt cards that were badly shuffled", dealing=True),
    "incomplete-pack": FaultKind("dealt from a pack that is not complete", dealing=True, odd=True, short=True),
}
FAULT_KINDS = tuple(FAULTS)
FAULT_FIELDS = ("trick", "noticed", "redeemed", "accepted")
FAULT_KEYS = ("kind", "seat", *FAULT_FIELDS)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One player's exchange before play: the card laid out, the card taken in, whether he looked at what he left."""

    seat: int
    out: int | None = None
    taken: int | None = None
    looked: bool = False


@dataclass(frozen=True)
class Deal:
    """Cards and play of one deal, as a record has them; seats are numbers in order of play, to the right."""

    id: str
    pack: int
    seats: tuple[str, ...]
    dealer: int
    hands: tuple[frozenset[int], ...]  #: as held when the first card is led
    talon: tuple[int, ...]
    tricks: tuple[tuple[int, ...], ...]  #: in the order played
    title: str = ""
    provenance: str = "constructed"
    cites: tuple[str, ...] = ()
    pools: Mapping[str, Pool] = field(default_factory=dict)  #: by siglum; "" for every other source
    exchange: tuple[Exchange, ...] = ()
    claims: Mapping[int, bool] = field(default_factory=dict)  #: card led -> claimed
    announced: tuple[Announcement, ...] = ()
    faults: tuple[Fault, ...] = ()
    fragment: bool = False
    expect: Raw = field(default_factory=dict)
    note: str = ""

    @property
    def hand_size(self) -> int:
        """How many cards each player should hold when play begins: as many as there are tricks."""
        return max(self.even_hands, key=self.even_hands.count) if self.faults else len(self.hands[0])

    @property
    def even_hands(self) -> list[int]:
        """How many cards each player would hold but for the faults on record."""
        return [len(hand) - self.over(seat) for seat, hand in enumerate(self.hands)]

    @property
    def talon_size(self) -> int:
        """How many cards would lie in the talon but for the faults on record."""
        return len(self.talon) + sum(map(self.over, range(len(self.seats))))

    def over(self, seat: int) -> int:
        """How many cards too many a player holds by his faults on record."""
        return sum(FAULTS[f.kind].over for f in self.faults if f.seat == seat)

    def pool(self, source: str) -> Pool:
        """The pool before the first card, in a source's smallest units."""
        return self.pools.get(source) or self.pools.get("") or Pool()

    def holder(self, number: int) -> int | None:
        """Whose card it is when play begins; None for a card in the talon."""
        return next((s for s, hand in enumerate(self.hands) if number in hand), None)


class Reader:
    """Reads one record, writing down every problem and going on."""

    def __init__(self, raw: Raw, find: Find) -> None:
        self.raw, self.find, self.problems = raw, find, list[Problem]()
        self.seats: tuple[str, ...] = ()

    def wrong(self, place: Place, what: str, way_out: str) -> None:
        """Note a problem at a place of the record."""
        self.problems.append(self.find(place).problem(what, way_out))

    def keys(self) -> None:
        """Every key must be known, and none that is needed missing."""
        for key in self.raw:
            if key not in KEYS:
                self.wrong((key,), f"unknown key {key!r}", guess(str(key), KEYS))
        for key in REQUIRED:
            if key not in self.raw:
                self.wrong((), f"no {key!r}", f"a deal record needs {', '.join(REQUIRED)}")

    def card(self, text: object, place: Place) -> int | None:
        """One card, or a problem."""
        try:
            return card(str(text))
        except ValueError:
            self.wrong(place, f"{text!r} is no card", "write rank and suit: AS KH QD JC TS 9H ... 2C")
            return None

    def cards(self, raw: object, place: Place) -> tuple[int, ...]:
        """Several cards, in a line or a list."""
        words = raw.split() if isinstance(raw, str) else list(raw) if isinstance(raw, Sequence) else None
        if words is None:
            self.wrong(place, "no cards here", "write them in a line: AS KH QD")
            return ()
        return tuple(c for w in words if (c := self.card(w, place)) is not None)

    def text(self, key: str) -> str:
        """A text, empty where absent."""
        return str(self.raw.get(key) or "")

    def seat(self, raw: object, place: Place) -> int | None:
        """The number of a seat, or a problem."""
        if raw in self.seats:
            return self.seats.index(str(raw))
        self.wrong(place, f"no seat {raw!r}", guess(str(raw), self.seats))
        return None

    def table(self) -> tuple[int, int]:
        """Seats, dealer and pack."""
        raw = self.raw.get("seats")
        names = [str(n) for n in raw] if isinstance(raw, Sequence) and not isinstance(raw, str) else []
        if len(names) not in (4, 5) or len(set(names)) != len(names) or "pool" in names:
            self.wrong(
                ("seats",),
                "seats must be four or five different names, in order of play",
                "write seats: [south, east, north, west]; pool is reserved",
            )
        self.seats = tuple(names)
        size = self.raw.get("pack")
        if "pack" in self.raw and size not in (48, 52):  # that it is missing is told by itself
            self.wrong(("pack",), f"a pack of {size!r} cards", "write pack: 48 (without the tens) or pack: 52")
        return (size if isinstance(size, int) else 48), self.seat(self.raw.get("dealer"), ("dealer",)) or 0

    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The hands in order of seats."""
        raw = self.raw.get("hands")
        if not isinstance(raw, Mapping):
            self.wrong(("hands",), "no hands", "write one line of cards for each seat")
            return ()
        for key in raw:
            self.seat(key, ("hands", str(key)))
        for seat in self.seats:
            if seat not in raw:
                self.wrong(("hands",), f"no hand for {seat}", "every seat holds cards when play begins")
        return tuple(self.cards(raw.get(s, ""), ("hands", s)) for s in self.seats)

    def tricks(self) -> tuple[tuple[int, ...], ...]:
        """The tricks in order."""
        raw = self.raw.get("tricks")
        if not isinstance(raw, Sequence) or isinstance(raw, str):
            self.wrong(
                ("tricks",), "no tricks", "write a list, one line of cards for each trick, the leader's card first"
            )
            return ()
        return tuple(self.cards(row, ("tricks", i)) for i, row in enumerate(raw))

    def items(self, key: str, known: Sequence[str]) -> Iterator[tuple[Place, Raw]]:
        """The entries of a list of small tables, each with known keys only."""
        raw = self.raw.get(key) or ()
        if isinstance(raw, str | Mapping) or not isinstance(raw, Sequence):
            self.wrong((key,), f"{key} must be a list", f"write {key}: [{{...}}]")
            return
        for i, item in enumerate(raw):
            if isinstance(item, Mapping):
                for unknown in (k for k in item if k not in known):
                    self.wrong((key, i), f"unknown key {unknown!r}", guess(str(unknown), known))
                yield (key, i), item
            else:
                self.wrong((key, i), f"an entry of {key} must be a table", "write {seat: south, ...}")

    def number(self, raw: object, place: Place, what: str, least: int = 0) -> int:
        """A whole number, or a problem."""
        if isinstance(raw, int) and not isinstance(raw, bool) and least <= raw <= MOST:
            return raw
        large = isinstance(raw, int) and abs(raw) > MOST  # too many digits even to be told
        way_out = f"write a whole number, {least} or more" + (f", at most {MOST}" if large else "")
        self.wrong(place, f"{what} is {'far too large' if large else repr(raw)}", way_out)
        return least

    def pool(self, raw: object, place: Place) -> Pool:
        """One state of the pool."""
        if not isinstance(raw, Mapping):
            self.wrong(place, "the pool must be a table", "write pool: {stake: 60, waiting: []}")
            return Pool()
        for key in raw:
            if key not in POOL_KEYS:
                self.wrong((*place, str(key)), f"unknown key {key!r}", guess(str(key), POOL_KEYS))
        waiting = raw.get("waiting") or ()
        sums = waiting if isinstance(waiting, Sequence) and not isinstance(waiting, str) else (waiting,)
        return Pool(
            self.number(raw.get("stake", 0), (*place, "stake"), "the stake"),
            tuple(self.number(w, (*place, "waiting"), "a waiting sum") for w in sums),
            bool(raw.get("supplements_paid")),
        )

    def pools(self) -> dict[str, Pool]:
        """The pool for every source alike, or for each by its siglum."""
        raw = self.raw.get("pool", {})
        if isinstance(raw, Mapping) and raw and all(isinstance(v, Mapping) for v in raw.values()):
            return {str(k): self.pool(v, ("pool", str(k))) for k, v in raw.items()}
        return {"": self.pool(raw, ("pool",))}

    def exchanges(self) -> Iterator[Exchange]:
        """The exchanges in order."""
        for place, item in self.items("exchange", EXCHANGE_KEYS):
            out, taken = (self.card(item[k], place) if item.get(k) else None for k in ("out", "in"))
            seat = self.seat(item.get("seat"), place)
            if seat is not None:
                yield Exchange(seat, out, taken, bool(item.get("looked")))

    def announcements(self) -> Iterator[Announcement]:
        """What was said aloud."""
        for place, item in self.items("announced", ANNOUNCED_KEYS):
            seat, what = self.seat(item.get("seat"), place), str(item.get("what"))
            if what not in ANNOUNCED:
                self.wrong(place, f"nobody announces {what!r}", guess(what, ANNOUNCED))
            elif seat is not None:
                yield Announcement(what, seat, self.number(item.get("before", 1), place, "before", 1))

    def faults(self) -> Iterator[Fault]:
        """The irregularities on record."""
        for place, item in self.items("faults", FAULT_KEYS):
            seat, kind = self.seat(item.get("seat"), place), str(item.get("kind"))
            if kind not in FAULTS:
                self.wrong(place, f"unknown fault {kind!r}", guess(kind, FAULT_KINDS))
                continue
            self.fault_fields(place, kind, item)
            told = {one: FIELDS[one](self, item[one], place) for one in FAULT_FIELDS if one in item}
            if seat is not None:
                yield Fault(kind, seat, **told)  # type: ignore[arg-type]

    def fault_fields(self, place: Place, kind: str, item: Raw) -> None:
        """A fault is told with all that its kind needs, and with nothing else."""
        needs, knows = FAULTS[kind].needs, (*FAULTS[kind].needs, *FAULTS[kind].allows)
        for missing in (n for n in needs if n not in item):
            self.wrong(place, f"a fault {kind} without {missing!r}", f"write {EXAMPLES[missing]}")
        for extra in (f for f in FAULT_FIELDS if f in item and f not in knows):
            known = f"it knows {', '.join(knows)}" if knows else "kind and seat are enough"
            self.wrong(place, f"a fault {kind} has no {extra!r}", known)
        if FAULTS[kind].dealing and item.get("seat") != self.raw.get("dealer"):
            self.wrong(place, f"a fault {kind} of {item.get('seat')!r}", "it is the dealer's: write his seat")

    def noticed(self, raw: object, place: Place) -> str:
        """When a misdeal came out."""
        if raw not in NOTICED:
            self.wrong(place, f"noticed is {raw!r}", guess(str(raw), NOTICED))
        return str(raw)

    def yes_or_no(self, raw: object, place: Place) -> bool:
        """Something that is so or is not."""
        if not isinstance(raw, bool):
            self.wrong(place, f"{raw!r} is neither true nor false", "write true or false")
        return raw is True

    def kinds(self) -> set[str]:
        """The kinds of fault that the record names, as far as they are known."""
        raw = self.raw.get("faults")
        named = raw if isinstance(raw, Sequence) and not isinstance(raw, str) else ()
        return {str(f.get("kind")) for f in named if isinstance(f, Mapping)} & set(FAULTS)

    def claims(self) -> dict[int, bool]:
        """Which led cards were claimed; those not named were."""
        raw = self.raw.get("claims") or {}
        if not isinstance(raw, Mapping):
            self.wrong(("claims",), "claims must be a table", "write claims: {AS: false}")
            return {}
        read = {self.card(k, ("claims", str(k))): bool(v) for k, v in raw.items()}
        return {c: claimed for c, claimed in read.items() if c is not None}


#: How each field of a fault is read, and an example of it.
FIELDS: Mapping[str, Callable[[Reader, object, Place], object]] = {
    "trick": lambda reader, raw, place: reader.number(raw, place, "trick", 1),
    "noticed": Reader.noticed,
    "redeemed": Reader.yes_or_no,
    "accepted": Reader.yes_or_no,
}
EXAMPLES = {"trick": "trick: 5", "noticed": "noticed: before-discard"}


def guess(word: str, known: Iterable[str]) -> str:
    """The way out of a misspelt word."""
    words = list(known)
    near = difflib.get_close_matches(word, words, 1)
    otherwise = f"known are {', '.join(words)}" if words else "none is known here: mend the list of them first"
    return f"did you mean {near[0]!r}?" if near else otherwise


def nowhere(place: Place) -> Where:
    """Where a place stands when the record came from no file: its path in words."""
    return Where("/".join(map(str, place)) or "deal")


def read_deal(raw: object, find: Find = nowhere) -> tuple[Deal | None, list[Problem]]:
    """Read a deal record; with any fault there is no deal, and every fault is told, with its place and the way out."""
    if not isinstance(raw, Mapping):
        return None, [find(()).problem("this is no deal record", f"write a table with the keys {', '.join(REQUIRED)}")]
    r = Reader(raw, find)
    r.problems += unwritable(raw, find)
    if r.problems:
        return None, sorted(set(r.problems))  # what cannot be written down cannot be quoted in a complaint either
    r.keys()
    size, dealer = r.table()
    hands, talon, tricks = r.hands(), r.cards(raw.get("talon", ""), ("talon",)), r.tricks()
    told, faults = bool(r.problems), tuple(r.faults())
    deal = Deal(
        r.text("deal"),
        size,
        r.seats,
        dealer,
        tuple(map(frozenset, hands)),
        talon,
        tricks,
        r.text("title"),
        str(raw.get("provenance", "constructed")),
        words(raw.get("cites")),
        r.pools(),
        tuple(r.exchanges()),
        r.claims(),
        tuple(r.announcements()),
        faults,
        raw.get("fragment") is True,
        expectations(raw),
        r.text("note"),
    )
    if not told:
        check_cards(r, size, hands, talon)
        check_sizes(r, deal)
        check_tricks(r, deal)
    check_exchanges(r, deal)
    if deal.provenance not in PROVENANCES:
        r.wrong(("provenance",), f"unknown provenance {deal.provenance!r}", guess(deal.provenance, PROVENANCES))
    return (None if r.problems else deal), sorted(set(r.problems))


def unwritable(raw: object, find: Find) -> Iterator[Problem]:
    """What no file could hold in a way that a reader could read: JSON, or another program, may still hand it over."""
    waiting: list[tuple[Place, object]] = [((), raw)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, str) and HALVES.search(value):
            yield find(place).problem(f"half a letter in {value[:40]!a}", "write the whole letter")
        elif isinstance(value, int) and abs(value) >= TOO_LONG:
            yield find(place).problem("a number of more digits than anybody can read", f"the most is {MOST}")
        elif len(place) > DEEPEST:
            yield find(place[:DEEPEST]).problem(f"nests deeper than {DEEPEST}", "bring it nearer to the surface")
        elif isinstance(value, Mapping):
            waiting += [(place, key) for key in value]
            waiting += [((*place, str_of(key)), one) for key, one in value.items()]
        elif isinstance(value, list | tuple):
            waiting += [((*place, at), one) for at, one in enumerate(value)]


def str_of(key: object) -> str:
    """A key as it stands in the path to a place."""
    if not isinstance(key, str):
        return type(key).__name__
    return ascii(key) if HALVES.search(key) else key


def words(raw: object) -> tuple[str, ...]:
    """A list of words."""
    return tuple(str(w) for w in raw) if isinstance(raw, Sequence) and not isinstance(raw, str) else ()


def expectations(raw: Raw) -> Raw:
    """What the record expects, by siglum."""
    expect = raw.get("expect")
    return expect if isinstance(expect, Mapping) else {}


def check_cards(r: Reader, size: int, hands: Sequence[Sequence[int]], talon: Sequence[int]) -> None:
    """Every card of the pack must lie in just one place."""
    seen: dict[int, str] = {}
    for place, cards in ((("hands", seat), hand) for seat, hand in zip(r.seats, hands, strict=True)):
        _count_in(r, place, cards, seen)
    _count_in(r, ("talon",), talon, seen)
    for number in sorted(set(seen) - pack(size)):
        r.wrong((), f"{name(number)} is no card of a pack of {size}", "take it out, or write pack: 52")
    missing = in_order(pack(size) - set(seen))
    if missing and not any(FAULTS[kind].short for kind in r.kinds()):
        r.wrong(
            (),
            f"missing from hands and talon: {' '.join(map(name, missing))}",
            "every card of the pack must lie somewhere",
        )


def check_sizes(r: Reader, deal: Deal) -> None:
    """The hands must be of one size, save for what a fault on record explains."""
    if len(set(deal.even_hands)) > 1 and not any(FAULTS[kind].odd for kind in r.kinds()):
        counts = ", ".join(f"{s} {len(h)}" for s, h in zip(r.seats, deal.hands, strict=True))
        way_out = "everybody holds as many cards when play begins, or list the fault: undiscarded, ten-cards"
        r.wrong(("hands",), f"the hands are not of one size: {counts}", way_out)


def check_exchanges(r: Reader, deal: Deal) -> None:
    """What was laid out must lie in the talon when play begins, what was taken in the hand that took it."""
    for i, x in enumerate(deal.exchange):
        if x.out is not None and x.out not in deal.talon:
            what = f"{name(x.out)} was laid out, but is not in the talon"
            r.wrong(("exchange", i), what, "the talon is as it lies when play begins")
        if x.taken is not None and (x.seat >= len(deal.hands) or x.taken not in deal.hands[x.seat]):
            what = f"{name(x.taken)} was taken, but is not in the hand of {deal.seats[x.seat]}"
            r.wrong(("exchange", i), what, "hands are as held when the first card is led")


def _count_in(r: Reader, place: Place, cards: Iterable[int], seen: dict[int, str]) -> None:
    where = " of ".join(map(str, place)) if place[0] != "hands" else f"the hand of {place[1]}"
    for number in cards:
        if number in seen:
            r.wrong(
                place, f"{name(number)} lies twice: in {seen[number]} and in {where}", "a card lies in one place only"
            )
        seen.setdefault(number, where)


def check_tricks(r: Reader, deal: Deal) -> None:
    """Every trick must have one card of each player, each played once, out of his hand."""
    holder = {c: s for s, hand in enumerate(deal.hands) for c in hand}
    played: dict[int, int] = {}
    for t, row in enumerate(deal.tricks, 1):
        for number in row:
            if number not in holder:
                r.wrong(
                    ("tricks", t - 1),
                    f"trick {t}: {name(number)} is in nobody's hand",
                    "play cards that are held when play begins",
                )
            elif number in played:
                r.wrong(
                    ("tricks", t - 1),
                    f"trick {t}: {name(number)} was played in trick {played[number]} already",
                    "a card is played once",
                )
            played.setdefault(number, t)
        _one_each(r, t, deal, [holder[c] for c in row if c in holder])
    _all_tricks(r, deal.hand_size, len(deal.tricks))


def _one_each(r: Reader, t: int, deal: Deal, players: Sequence[int]) -> None:
    for seat, player in enumerate(r.seats):
        n = players.count(seat)
        if n != 1 and (n or t <= len(deal.hands[seat])):
            r.wrong(
                ("tricks", t - 1),
                f"trick {t} has {n or 'no'} card{'s' if n > 1 else ''} of {player}'s",
                "each player plays one card to a trick",
            )


def _all_tricks(r: Reader, wanted: int, found: int) -> None:
    if found > wanted or (found < wanted and r.raw.get("fragment") is not True):
        r.wrong(
            ("tricks",),
            f"{found} tricks, though everybody holds {wanted} cards",
            "write all tricks, or fragment: true where some are missing",
        )


def write_deal(deal: Deal) -> dict[str, object]:
    """A deal as a record again, cards in the order in which one holds them."""
    out: dict[str, object] = {
        "deal": deal.id,
        "title": deal.title,
        "provenance": deal.provenance,
        "cites": list(deal.cites),
        "pack": deal.pack,
        "seats": list(deal.seats),
        "dealer": deal.seats[deal.dealer],
        "hands": {s: _line(in_order(h)) for s, h in zip(deal.seats, deal.hands, strict=True)},
        "talon": _line(deal.talon),
        "tricks": [_line(t) for t in deal.tricks],
        "pool": _written_pools(deal),
    }
    if deal.exchange:
        out["exchange"] = [_written_exchange(deal, x) for x in deal.exchange]
    if deal.claims:
        out["claims"] = {name(c): claimed for c, claimed in deal.claims.items()}
    if deal.announced:
        out["announced"] = [{"what": a.what, "seat": deal.seats[a.seat], "before": a.before} for a in deal.announced]
    if deal.faults:
        out["faults"] = [_written_fault(deal, f) for f in deal.faults]
    extra = {"fragment": deal.fragment or None, "expect": dict(deal.expect), "note": deal.note}
    return out | {k: v for k, v in extra.items() if v}


#: What a record says of itself by leaving a key out.
UNSAID: Mapping[str, object] = {
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
    """The same record with nothing left unsaid: every key that may be left out, and cards in lists."""
    said = {key: list(value) if value == () else value for key, value in UNSAID.items()} | dict(record)
    hands, tricks = said["hands"], said["tricks"]
    assert isinstance(hands, Mapping) and isinstance(tricks, Sequence)
    said["hands"] = {seat: _listed(cards) for seat, cards in hands.items()}
    said["talon"] = _listed(said["talon"])
    said["tricks"] = [_listed(row) for row in tricks]
    said["pool"] = _long_pool(said["pool"])
    return dict(record) | said


def _listed(cards: object) -> list[str]:
    return cards.split() if isinstance(cards, str) else list(cards) if isinstance(cards, Sequence) else []


def _long_pool(pool: object) -> dict[str, object]:
    assert isinstance(pool, Mapping)
    if pool and all(isinstance(one, Mapping) for one in pool.values()):
        return {siglum: _long_pool(one) for siglum, one in pool.items()}
    return {"stake": 0, "waiting": [], "supplements_paid": False} | dict(pool)


def _line(cards: Iterable[int]) -> str:
    return " ".join(map(name, cards))


def _written_pools(deal: Deal) -> dict[str, object]:
    if set(deal.pools) <= {""}:
        return deal.pool("").record(full=True)
    return {siglum: pool.record(full=True) for siglum, pool in deal.pools.items()}


def _written_fault(deal: Deal, fault: Fault) -> dict[str, object]:
    told = {one: getattr(fault, one) for one in FAULT_FIELDS}
    return {"kind": fault.kind, "seat": deal.seats[fault.seat]} | {k: v for k, v in told.items() if v}


def _written_exchange(deal: Deal, x: Exchange) -> dict[str, object]:
    given = {
        "out": None if x.out is None else name(x.out),
        "in": None if x.taken is None else name(x.taken),
        "looked": x.looked or None,
    }
    return {"seat": deal.seats[x.seat]} | {k: v for k, v in given.items() if v}
