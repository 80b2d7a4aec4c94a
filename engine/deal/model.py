"""The record of a deal: its keys, and the deal, exchanges and kinds of fault that it tells of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.cards import spell_card
from engine.deal.diagram_text import format_card_row, format_hands
from engine.deal.events import Announcement, Fault
from engine.deal.fields import Raw
from engine.deal.pool import Pool
from rulebook.display import Displayed, format_repr

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
DEAL_KEYS = (*REQUIRED, *OPTIONAL)
PACK_SIZES = (48, 52)
ONE_POOL_KEYS = ("stake", "waiting", "supplements_paid")
POOL_KEYS = (*ONE_POOL_KEYS, "others")
EXCHANGE_KEYS = ("seat", "out", "in", "looked")
GIFT_KEYS = ("seat", "gives", "to")  #: of an entry under exchange that tells of a card given across the table
ANNOUNCED_KEYS = ("what", "seat", "before")
ANNOUNCED = ("espagnolette", "reversis")
MISDEAL_STAGES = ("before-discard", "before-lead", "in-play")  #: when a misdeal may come out: in the order of the deal


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
FAULT_KIND_BY_NAME: Mapping[str, FaultKind] = {
    "revoke": FaultKind("did not follow suit, though the player could and had to", ("trick",)),
    "out-of-turn": FaultKind("played out of turn", ("trick",)),
    "thrown-down": FaultKind("threw down the hand and claimed the remaining tricks", ("trick",), ("directed",)),
    "peek": FaultKind("saw the card of the talon that was theirs to take, and discarded all the same"),
    "undiscarded": FaultKind("took a card of the talon without discarding", over=1),
    "ten-cards": FaultKind("discarded two cards for one", over=-1),
    "misdeal": FaultKind("dealt wrongly", ("noticed",), ("redeemed",), dealing=True, odd=True),
    "card-turned-up": FaultKind("turned up a card in dealing", (), ("accepted",), dealing=True),
    "badly-shuffled": FaultKind("dealt cards that were badly shuffled", dealing=True),
    "incomplete-pack": FaultKind("dealt from a pack that is not complete", dealing=True, odd=True, short=True),
}
FAULT_KINDS = tuple(FAULT_KIND_BY_NAME)
FAULT_FIELDS = ("trick", "noticed", "redeemed", "accepted", "directed")
FAULT_KEYS = ("kind", "seat", *FAULT_FIELDS)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One player's exchange before play: the card laid out, the card taken in, whether he looked at what he left."""

    seat: int
    out: int | None = None
    taken: int | None = None
    looked: bool = False


@dataclass(frozen=True, slots=True)
class Gift:
    """A card that one player gives to another before play, in exchange for one of theirs."""

    seat: int
    card: int
    to: int


@dataclass(frozen=True)
class Deal(Displayed):
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
    gifts: tuple[Gift, ...] = ()  #: after the exchange with the talon
    claims: Mapping[int, bool] = field(default_factory=dict)  #: card led -> claimed
    announced: tuple[Announcement, ...] = ()
    faults: tuple[Fault, ...] = ()
    fragment: bool = False
    expect: Raw = field(default_factory=dict)
    note: str = ""

    def __repr__(self) -> str:
        first = f": {' '.join(map(spell_card, self.tricks[0]))} …" if self.tricks else ""
        counts = f"{len(self.seats)} players, {self.pack} cards, {len(self.tricks)} tricks"
        return format_repr(self, f"{self.id}, {counts}{first}")

    def __str__(self) -> str:
        """Return the deal as a diagram, which `read_diagram` reads."""
        names = (seat + " (dealer)" * (at == self.dealer) for at, seat in enumerate(self.seats))
        hands = format_hands(dict(zip(names, self.hands, strict=True)))
        talon = [f"Talon: {format_card_row(self.talon)}"] if self.talon else []
        parts = (self._list_heads(), hands, talon, self._list_rows())
        return "\n\n".join("\n".join(lines) for part in parts if (lines := list(part)))

    def _list_heads(self) -> Iterator[str]:
        stake = self.pools[""].stake if "" in self.pools else 0
        seats, title = ", ".join(self.seats), " ".join(self.title.split())
        heads = {"Deal": self.id, "Title": title, "Seats": seats, "Pack": self.pack, "Pool": stake}
        yield from (f"{name}: {words}" for name, words in heads.items() if words)
        unsaid = [name for name in ("exchange", "claims", "announced", "faults") if getattr(self, name)]
        unsaid += ["pool"] if any(name or pool.waiting for name, pool in self.pools.items()) else []
        if unsaid:
            yield f"# Not shown here: {', '.join(unsaid)}"

    def _list_rows(self) -> Iterator[str]:
        for number, row in enumerate(self.tricks, 1):
            leader = self.holder(row[0]) if row else None
            led = "" if leader is None else f"{self.seats[leader]}: "
            yield f"{number:2}. {led}{format_card_row(row)}".rstrip()

    @cached_property
    def ways(self) -> list[Any]:
        """The ways in which it was played before, as `engine.play.replay` has them."""
        return []

    @cached_property
    def results(self) -> dict[int, tuple[Any, Any, Any]]:
        """Rulesets, its results by them and the words read for these, as `engine.settlement.settle` has it."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what was played before: it can be played again."""
        return {name: value for name, value in vars(self).items() if name not in ("ways", "results")}

    @property
    def hand_size(self) -> int:
        """The cards each player should hold when play begins: as many as there are tricks."""
        return max(self.even_hands, key=self.even_hands.count) if self.faults else len(self.hands[0])

    @property
    def even_hands(self) -> list[int]:
        """The number of cards each player would hold but for the faults on record."""
        return [len(hand) - self.over(seat) for seat, hand in enumerate(self.hands)]

    @property
    def talon_size(self) -> int:
        """The number of cards in the talon but for the faults on record."""
        return len(self.talon) + sum(map(self.over, range(len(self.seats))))

    def over(self, seat: int) -> int:
        """Return the number of cards too many a player holds by their faults on record."""
        return sum(FAULT_KIND_BY_NAME[f.kind].over for f in self.faults if f.seat == seat)

    def pool(self, source: str) -> Pool:
        """The pool before the first card, in a source's smallest units."""
        return self.pools.get(source) or self.pools.get("") or Pool()

    def before_gifts(self, seat: int) -> frozenset[int]:
        """The cards of a player when play begins, but for those that changed hands across the table."""
        received = {gift.card for gift in self.gifts if gift.to == seat}
        return (self.hands[seat] - received) | {gift.card for gift in self.gifts if gift.seat == seat}

    def holder(self, number: int) -> int | None:
        """Return the seat that holds a card when play begins; None for a card in the talon."""
        return next((s for s, hand in enumerate(self.hands) if number in hand), None)
