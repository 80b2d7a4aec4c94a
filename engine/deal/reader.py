"""Read a deal record; every fault is reported at once, with its place and a hint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.cards import format_card, make_pack, sort_cards
from engine.deal import fields, model
from engine.deal.events import Announcement, Fault
from engine.deal.pool import Pool
from rulebook.problems import Problem
from rulebook.strings import quote_value
from rulebook.suggestions import did_you_mean

_USUAL_SEATS = frozenset(["south", "east", "north", "west", "fifth"])
_MAX_NAMED_CARDS = 4  #: of those that lie nowhere because others lie twice


class DealReader(fields.Fields):
    """Read one deal record: every field by itself."""

    def table_facts(self) -> tuple[int, int]:
        """Pack and dealer; the seats are known from then on."""
        self.get("seats", self.names, ())
        self.get("hands", self.renamed_seats, None)
        return self.get("pack", self.pack, 48), self.get("dealer", self.seat, None) or 0

    def renamed_seats(self, raw: object, place: fields.RecordPlace) -> None:
        """Note once that hands are called otherwise than seats; from then on either name is known."""
        named = [key for key in raw if isinstance(key, str)] if isinstance(raw, Mapping) else []
        unknown = [key for key in named if key not in self.seats]
        bare = [seat for seat in self.seats if seat not in named]
        if not unknown or len(unknown) != len(bare):
            return
        self.renamed = {key: self.seats.index(seat) for key, seat in zip(unknown, bare, strict=True)}
        near = [did_you_mean(seat, unknown, "", repr) for seat in bare]
        if _USUAL_SEATS.issuperset(unknown) and all(near):  # then the list is misspelt, and not the hands
            for seat, hint in zip(bare, near, strict=True):
                self.wrong(("seats", self.seats.index(seat)), f"no hand for {seat}", hint, "no-hand")
            return
        what = f"no seat {', '.join(map(repr, unknown))}, and no hand for {', '.join(bare)}"
        otherwise = f"name the players alike under seats and hands; seats are {', '.join(self.seats)}"
        self.wrong((*place, unknown[0]), what, did_you_mean(unknown[0], bare, otherwise, repr), "seat")

    def pack(self, raw: object, place: fields.RecordPlace) -> int:
        """The size of the pack."""
        if raw not in model.PACK_SIZES:
            self.wrong(place, f"a pack of {quote_value(raw)} cards", "a pack has 48 cards (without the tens) or 52")
        else:
            self.fraction(raw, place)
        return raw if isinstance(raw, int) else 48

    def hands(self, raw: object, place: fields.RecordPlace) -> tuple[tuple[int, ...], ...]:
        """The hands in order of seats."""
        if not isinstance(raw, Mapping):
            self.wrong(place, "no hands", "write one line of cards for each seat")
            return ()
        for key in raw:
            self.seat(key, (*place, str(key)))
        for seat in self.seats:
            if seat not in raw and not self.renamed:
                self.wrong(place, f"no hand for {seat}", "every seat holds cards when play begins", "no-hand")
        held = {key: self.cards(cards, (*place, str(key))) for key, cards in raw.items()}
        return tuple(held.get(seat, ()) for seat in self.seats)

    def tricks(self, raw: object, place: fields.RecordPlace) -> tuple[tuple[int, ...], ...]:
        """The tricks in order."""
        if not isinstance(raw, Sequence) or isinstance(raw, str):
            self.wrong(place, "no tricks", "write a list, one line of cards for each trick, the leader's card first")
            return ()
        return tuple(self.cards(row, (*place, i)) for i, row in enumerate(raw))

    def pool(self, raw: object, place: fields.RecordPlace) -> Pool:
        """One state of the pool, and of those of further privileged cards."""
        first = self.one_pool(raw, place, model.POOL_KEYS)
        if not isinstance(raw, Mapping) or "others" not in raw:
            return first
        return replace(first, others=tuple(self.other_pools(raw["others"], (*place, "others")).items()))

    def other_pools(self, raw: object, place: fields.RecordPlace) -> dict[str, Pool]:
        """The pools of further privileged cards, by card."""
        pools_by_card: dict[str, Pool] = {}
        for key, value in self.table(raw, place, "write others: {QH: {stake: 39, waiting: []}}").items():
            here = (*place, str(key))
            number, other_pool = self.card(key, here), self.one_pool(value, here, model.ONE_POOL_KEYS)
            if number is not None and (card := format_card(number)) in pools_by_card:
                self.wrong(here, f"a second pool of {card}", "keep one", "told-twice")
            elif number is not None:
                pools_by_card[card] = other_pool
        return pools_by_card

    def one_pool(self, raw: object, place: fields.RecordPlace, known: Sequence[str]) -> Pool:
        """The state of one pool."""
        if not isinstance(raw, Mapping):
            self.wrong(place, "the pool must be a table", "write pool: {stake: 60, waiting: []}")
            return Pool()
        self.known(raw, place, known)
        waiting = raw.get("waiting", ())
        sums = waiting if isinstance(waiting, Sequence) and not isinstance(waiting, str) else (waiting,)
        return Pool(
            self.number(raw.get("stake", 0), (*place, "stake"), "the stake"),
            tuple(self.number(w, (*place, "waiting"), "a waiting sum") for w in sums),
            self.yes_or_no(raw.get("supplements_paid", False), (*place, "supplements_paid")),
        )

    def pools(self, raw: object, place: fields.RecordPlace) -> dict[str, Pool]:
        """The pool for every source alike, or for each by its siglum."""
        if (
            isinstance(raw, Mapping)
            and raw
            and "others" not in raw
            and all(isinstance(v, Mapping) for v in raw.values())
        ):
            return self.by_siglum(raw, place, self.pool)
        return {"": self.pool(raw, place)}

    def expectations(self, raw: object, place: fields.RecordPlace) -> fields.Raw:
        """The expectations of the record, by siglum."""
        expected = self.table(raw, place, "write one entry for each source, by its siglum")
        self.by_siglum(expected, place, self.expected)
        return expected

    def expected(self, raw: object, place: fields.RecordPlace) -> None:
        """Check the expectations for one source: parts of the result, and remarks."""
        entries = self.table(raw, place, "write net: {south: -10, ...}")
        self.known(entries, place, tuple(EXPECTED))
        for key in (key for key in EXPECTED if key in entries):
            EXPECTED[key](self, entries[key], (*place, key))

    def exchanges(self, raw: object, place: fields.RecordPlace) -> Iterator[tuple[fields.RecordPlace, model.Exchange]]:
        """The exchanges in order, each with its place."""
        for at, item in self.tables(raw, place):
            if is_gift(item):
                continue
            self.known(item, at, model.EXCHANGE_KEYS)
            out, taken = (self.card(item[k], (*at, k)) if k in item else None for k in ("out", "in"))
            looked = self.yes_or_no(item.get("looked", False), (*at, "looked"))
            seat = self.seat(item.get("seat"), at)
            if seat is not None:
                yield at, model.Exchange(seat, out, taken, looked)

    def gifts(self, raw: object, place: fields.RecordPlace) -> Iterator[tuple[fields.RecordPlace, model.Gift]]:
        """The cards given across the table, each with its place."""
        for at, item in self.tables(raw, place):
            if not is_gift(item):
                continue
            self.known(item, at, model.GIFT_KEYS)
            card = self.card(item.get("gives"), (*at, "gives"))
            seat, to = self.seat(item.get("seat"), at), self.seat(item.get("to"), (*at, "to"))
            if None not in (card, seat, to):
                yield at, model.Gift(seat, card, to)  # type: ignore[arg-type]

    def announcements(
        self, raw: object, place: fields.RecordPlace
    ) -> Iterator[tuple[fields.RecordPlace, Announcement]]:
        """Everything that was announced, each with its place."""
        seen: set[tuple[object, int | None]] = set()
        for at, item in self.tables(raw, place):
            self.known(item, at, model.ANNOUNCED_KEYS)
            seat, what = self.seat(item.get("seat"), at), item.get("what")
            before = self.number(item.get("before", 1), (*at, "before"), "before", 1)
            if what not in model.ANNOUNCED:
                self.wrong(
                    at, f"nobody announces {quote_value(what)}", fields.suggest_known_word(str(what), model.ANNOUNCED)
                )
            elif seat is not None:
                if (what, seat) in seen:
                    self.wrong(at, f"{self.seats[seat]} announces {what} twice", "keep one", "told-twice")
                seen.add((what, seat))
                yield at, Announcement(str(what), seat, before)

    def faults(self, raw: object, place: fields.RecordPlace) -> Iterator[tuple[fields.RecordPlace, Fault]]:
        """The irregularities on record, each with its place."""
        for at, item in self.tables(raw, place):
            self.known(item, at, model.FAULT_KEYS)
            seat, kind = self.seat(item.get("seat"), at), item.get("kind")
            if not isinstance(kind, str) or kind not in model.FAULT_KIND_BY_NAME:
                self.wrong(
                    at, f"unknown fault {quote_value(kind)}", fields.suggest_known_word(str(kind), model.FAULT_KINDS)
                )
                continue
            self.fault_fields(at, kind, item)
            details = {
                field: _FAULT_FIELD_READERS[field](self, item[field], (*at, field))
                for field in model.FAULT_FIELDS
                if field in item
            }
            if seat is not None:
                yield at, Fault(kind, seat, **details)  # type: ignore[arg-type]

    def fault_fields(self, place: fields.RecordPlace, kind: str, item: fields.Raw) -> None:
        """Note the fields that a kind of fault needs and lacks, or has and does not know."""
        needs, knows = (
            model.FAULT_KIND_BY_NAME[kind].needs,
            (*model.FAULT_KIND_BY_NAME[kind].needs, *model.FAULT_KIND_BY_NAME[kind].allows),
        )
        for missing in (n for n in needs if n not in item):
            self.wrong(
                place, f"a fault {kind} without {quote_value(missing)}", f"write {_FAULT_FIELD_EXAMPLES[missing]}"
            )
        for extra in (f for f in model.FAULT_FIELDS if f in item and f not in knows):
            known = f"it knows {', '.join(knows)}" if knows else "kind and seat are enough"
            self.wrong(place, f"a fault {kind} has no {quote_value(extra)}", known)

    def noticed(self, raw: object, place: fields.RecordPlace) -> str:
        """Stage at which a misdeal came out."""
        if raw not in model.MISDEAL_STAGES:
            self.wrong(
                place, f"noticed is {quote_value(raw)}", fields.suggest_known_word(str(raw), model.MISDEAL_STAGES)
            )
        return str(raw)

    def claims(self, raw: object, place: fields.RecordPlace) -> Iterator[tuple[fields.RecordPlace, int, bool]]:
        """The led cards of which it is said whether they were claimed, each with its place."""
        if not isinstance(raw, Mapping):
            self.wrong(place, "claims must be a table", "write claims: {AS: false}")
            return
        seen: set[int] = set()
        for key, value in raw.items():
            here = (*place, str(key))
            number, claimed = self.card(key, here), self.yes_or_no(value, here)
            if number is not None:
                if number in seen:
                    self.wrong(here, f"a second claim on {format_card(number)}", "keep one", "told-twice")
                seen.add(number)
                yield here, number, claimed


#: What may be expected of a source: parts of the result, and words about them.
FIGURES: Mapping[str, Callable[[DealReader, object, fields.RecordPlace], object]] = {
    "net": DealReader.sums,
    "pool": DealReader.pool,
    "outcome": DealReader.table,
    "refused": lambda reader, raw, place: list(reader.tables(raw, place)),
    "silent": DealReader.table,
    "entries": lambda reader, raw, place: list(reader.tables(raw, place)),
}
REMARKS = ("reasoning", "note", "printed", "pending")  #: pending: why the figures do not come out yet
EXPECTED = {**FIGURES, **dict.fromkeys(REMARKS, DealReader.text)}
#: How each field of a fault is read, and an example of it.
_FAULT_FIELD_READERS: Mapping[str, Callable[[DealReader, object, fields.RecordPlace], object]] = {
    "trick": lambda reader, raw, place: reader.number(raw, place, "trick", 1),
    "noticed": DealReader.noticed,
    "redeemed": DealReader.yes_or_no,
    "accepted": DealReader.yes_or_no,
    "directed": DealReader.seat,
}
_FAULT_FIELD_EXAMPLES = {"trick": "trick: 5", "noticed": "noticed: before-discard"}


def read_deal(
    raw: object, find: fields.Find = fields.locate_without_file, sigla: Collection[str] | None = None
) -> tuple[model.Deal | None, list[Problem]]:
    """Read a deal record, or return every problem with its place and a hint.

    `sigla` are those of all sources that there are: a key under `pool` or `expect` must be one of them. Without `sigla`
    any siglum will do.
    """
    if not isinstance(raw, Mapping):
        return None, [
            find(()).problem("this is no deal record", f"write a table with the keys {', '.join(model.REQUIRED)}")
        ]
    r = DealReader(raw, find, sigla)
    r.problems += fields.find_unwritable_values(raw, find)
    if r.problems:
        return None, sorted(set(r.problems))  # what cannot be written down cannot be quoted in a complaint either
    r.keys(model.DEAL_KEYS, model.REQUIRED, "a deal record")
    before = len(r.problems)
    size, dealer = r.table_facts()
    hands, talon, tricks = r.get("hands", r.hands, ()), r.get("talon", r.cards, ()), r.get("tricks", r.tricks, ())
    laid = len(r.problems) == before and all(key in raw for key in model.REQUIRED)
    lists = [tuple(r.get(key, partial(read, r), ())) for key, read, _ in _LISTS]
    deal = _add_rest(r, model.Deal("", size, r.seats, dealer, tuple(map(frozenset, hands)), talon, tricks), lists)
    if laid:
        before = len(r.problems)
        check_cards(r, deal, hands)
        if len(r.problems) == before:  # a card that is missing or lies twice makes the hands uneven
            check_sizes(r, deal)
        check_tricks(r, deal)
        for (_, _, check), listed in zip(_LISTS, lists, strict=True):
            check(r, deal, listed)
    return (None if r.problems else deal), sorted(set(r.problems))


def _add_rest(r: DealReader, deal: model.Deal, lists: Sequence[Sequence[Any]]) -> model.Deal:
    """Add to the cards and their play what else the record tells."""
    exchanges, gifts, announcements, faults, claims = lists
    return replace(
        deal,
        id=r.get("deal", r.name, ""),
        title=r.get("title", r.text, ""),
        provenance=r.get("provenance", r.provenance, "constructed"),
        cites=r.get("cites", r.texts, ()),
        pools=r.get("pool", r.pools, {"": Pool()}),
        exchange=tuple(exchange for _, exchange in exchanges),
        gifts=tuple(gift for _, gift in gifts),
        claims={number: claimed for _, number, claimed in claims},
        announced=tuple(announcement for _, announcement in announcements),
        faults=tuple(fault for _, fault in faults),
        fragment=r.get("fragment", r.yes_or_no, False),
        expect=r.get("expect", r.expectations, {}),
        note=r.get("note", r.text, ""),
    )


def check_cards(r: DealReader, deal: model.Deal, hands: Sequence[Sequence[int]]) -> None:
    """Check that every card of the pack lies in just one place."""
    seen: dict[int, str] = {}
    missing, before = find_missing_cards(deal), len(r.problems)
    hint = f"a card lies in one place only{'; nowhere lies ' * bool(missing)}{' '.join(map(format_card, missing))}"
    hint = hint if len(missing) <= _MAX_NAMED_CARDS else "a card lies in one place only"
    for place, cards in ((("hands", seat), hand) for seat, hand in zip(r.seats, hands, strict=True)):
        _count_in(r, place, cards, seen, hint)
    _count_in(r, ("talon",), deal.talon, seen, hint)
    is_told = len(r.problems) > before and len(missing) <= _MAX_NAMED_CARDS
    for number in sorted(set(seen) - make_pack(deal.pack)):
        r.wrong(
            (),
            f"{format_card(number)} is no card of a pack of {deal.pack}",
            "take it out, or make it a pack of 52 cards",
            "pack",
        )
    if missing and not is_told:
        what = f"missing from hands and talon: {' '.join(map(format_card, missing))}"
        hint = "every card of the pack must lie somewhere"
        if are_hands_even(deal):
            r.wrong((), what, hint, "pack")
        else:
            short = min(range(len(deal.hands)), key=lambda seat: deal.even_hands[seat])
            r.wrong(("hands", r.seats[short]), what, f"{hint}; now hold {_count_hands(r, deal)}", "pack")


def find_missing_cards(deal: model.Deal) -> list[int]:
    """Find the cards that lie nowhere, though no fault on record explains it."""
    if any(model.FAULT_KIND_BY_NAME[f.kind].short for f in deal.faults):
        return []
    return sort_cards(make_pack(deal.pack).difference(deal.talon, *deal.hands))


def are_hands_even(deal: model.Deal) -> bool:
    """Return whether the hands are of one size, save for what a fault on record explains."""
    return len(set(deal.even_hands)) == 1 or any(model.FAULT_KIND_BY_NAME[f.kind].odd for f in deal.faults)


def _count_hands(r: DealReader, deal: model.Deal) -> str:
    return ", ".join(f"{s} {len(h)}" for s, h in zip(r.seats, deal.hands, strict=True))


def check_sizes(r: DealReader, deal: model.Deal) -> None:
    """Check that the hands are of one size."""
    if not are_hands_even(deal):
        hint = "everybody holds as many cards when play begins, or list the fault: undiscarded, ten-cards"
        r.wrong(("hands",), f"the hands are not of one size: {_count_hands(r, deal)}", hint, "hand-sizes")


def check_exchanges(
    r: DealReader, deal: model.Deal, exchanges: Iterable[tuple[fields.RecordPlace, model.Exchange]]
) -> None:
    """Check that a card laid out lies in the talon, one taken in the hand that took it; each player once.

    A card laid out may have been drawn from the talon by a later player.
    """
    listed, before = list(exchanges), list[model.Exchange]()
    for at, (place, x) in enumerate(listed):
        drawn = {later.taken for _, later in listed[at + 1 :] if later.seat != x.seat}
        if x.out is not None and x.out not in deal.talon and x.out not in drawn:
            what = f"{format_card(x.out)} was laid out, but is not in the talon"
            r.wrong(place, what, "the talon is as it lies when play begins", "exchange")
        if x.taken is not None and x.taken not in deal.before_gifts(x.seat):
            what = f"{format_card(x.taken)} was taken, but is not in the hand of {deal.seats[x.seat]}"
            r.wrong(place, what, "hands are as held when the first card is led", "exchange")
        if x.out is not None and x.out in (exchange.out for exchange in before):
            r.wrong(place, f"{format_card(x.out)} is laid out twice", "a card is laid out once", "exchanged-twice")
        check_second_exchange(r, deal, place, x, [exchange for exchange in before if exchange.seat == x.seat])
        before.append(x)


def is_gift(item: fields.Raw) -> bool:
    """Return whether an entry under exchange tells of a card given to another player."""
    return "gives" in item or "to" in item


def check_gifts(r: DealReader, deal: model.Deal, gifts: Iterable[tuple[fields.RecordPlace, model.Gift]]) -> None:
    """Check that a card given is in the other's hand, and that each gives one and receives one in return."""
    seen: set[int] = set()
    for place, gift in gifts:
        giver, to = deal.seats[gift.seat], deal.seats[gift.to]
        if gift.card not in deal.hands[gift.to]:
            what = f"{format_card(gift.card)} was given, but is not in the hand of {to}"
            r.wrong(place, what, "hands are as held when the first card is led", "exchange")
        if gift.seat in seen:
            r.wrong(place, f"{giver} gives a second card", "each player gives one", "exchanged-twice")
        elif not any((other.seat, other.to) == (gift.to, gift.seat) for other in deal.gifts):
            what = f"{giver} gets nothing from {to} in exchange"
            r.wrong(place, what, f"write what {to} gives to {giver} as well", "exchange")
        elif gift.seat == gift.to:
            r.wrong(place, f"{giver} gives a card to {giver}", "name the other player", "exchange")
        seen.add(gift.seat)


def check_second_exchange(
    r: DealReader, deal: model.Deal, place: fields.RecordPlace, x: model.Exchange, before: Sequence[model.Exchange]
) -> None:
    """Check that a player exchanges once; with the fault ten-cards one more card is laid out."""
    over = sum(f.kind == "ten-cards" and f.seat == x.seat for f in deal.faults)
    took_again = x.taken is not None and any(exchange.taken is not None for exchange in before)
    if len(before) > over or took_again:
        what = f"a second exchange by {deal.seats[x.seat]}"
        r.wrong(place, what, "each player exchanges once, or list the fault: ten-cards", "exchanged-twice")


def check_announcements(
    r: DealReader, deal: model.Deal, announcements: Iterable[tuple[fields.RecordPlace, Announcement]]
) -> None:
    """Check that an announcement is made before one of the tricks of the deal."""
    last = max(map(len, deal.hands)) if deal.fragment else len(deal.tricks)
    for place, a in announcements:
        if a.before > last:
            r.wrong(place, f"before is {a.before}, but the deal has {last} tricks", "name one of them", "trick-number")


def check_faults(r: DealReader, deal: model.Deal, faults: Iterable[tuple[fields.RecordPlace, Fault]]) -> None:
    """Check that a fault is recorded once, of a trick on record; one in dealing is the dealer's."""
    seen: set[tuple[str, int, int | None]] = set()
    for place, f in faults:
        if f.trick is not None and f.trick > len(deal.tricks):
            what = f"trick is {f.trick}, but {len(deal.tricks)} tricks are on record"
            r.wrong(place, what, "name one of them", "trick-number")
        if model.FAULT_KIND_BY_NAME[f.kind].dealing and f.seat != deal.dealer:
            what = f"a fault {f.kind} of {quote_value(deal.seats[f.seat])}"
            r.wrong(place, what, "it is the dealer's: write his seat", "not-the-dealer")
        if (f.kind, f.seat, f.trick) in seen:
            r.wrong(place, f"the fault {f.kind} of {deal.seats[f.seat]} is given twice", "keep one", "told-twice")
        seen.add((f.kind, f.seat, f.trick))


def check_claims(r: DealReader, deal: model.Deal, claims: Iterable[tuple[fields.RecordPlace, int, bool]]) -> None:
    """Check that a claim is about a card that was led."""
    led = {row[0] for row in deal.tricks if row}
    for place, number, _ in claims:
        if number not in led:
            r.wrong(
                place, f"a claim on {format_card(number)}, which is never led", "name a card that is led", "not-led"
            )


def _count_in(r: DealReader, place: fields.RecordPlace, cards: Iterable[int], seen: dict[int, str], hint: str) -> None:
    where = " of ".join(map(str, place)) if place[0] != "hands" else f"the hand of {place[1]}"
    for number in cards:
        if number in seen:
            both = f": in {seen[number]} and" if seen[number] != where else ""
            r.wrong(place, f"{format_card(number)} lies twice{both} in {where}", hint, "pack")
        seen.setdefault(number, where)


def check_tricks(r: DealReader, deal: model.Deal) -> None:
    """Check that every trick has one card of each player, each played once, out of the player's hand."""
    holder = {c: s for s, hand in enumerate(deal.hands) for c in hand}
    missing, played = find_missing_cards(deal), dict[int, int]()
    for t, row in enumerate(deal.tricks, 1):
        for number in row:
            if number not in holder and number not in missing:  # what is missing is said already
                what = f"trick {t}: {format_card(number)} is in nobody's hand"
                r.wrong(("tricks", t - 1), what, "play cards that are held when play begins", "trick-cards")
            elif number in played:
                what = f"trick {t}: {format_card(number)} was played in trick {played[number]} already"
                r.wrong(("tricks", t - 1), what, "a card is played once", "trick-cards")
            played.setdefault(number, t)
        if row:
            _one_each(r, t, deal, [holder.get(c) for c in row if c in holder or c in missing])
    _all_tricks(r, deal)
    _no_empty_tricks(r, deal)


def _one_each(r: DealReader, t: int, deal: model.Deal, players: Sequence[int | None]) -> None:
    """Name whoever has played more than one card, or none, unless a missing card (None) may be that player's."""
    for seat, player in enumerate(r.seats):
        n = players.count(seat)
        if n > 1 or (n == 0 and None not in players and t <= len(deal.hands[seat])):
            what = f"trick {t} has {n or 'no'} card{'s' if n > 1 else ''} of {player}'s"
            r.wrong(("tricks", t - 1), what, "each player plays one card to a trick", "trick-cards")


def _all_tricks(r: DealReader, deal: model.Deal) -> None:
    wanted, count = deal.hand_size, len(deal.tricks)
    if are_hands_even(deal) and (count > wanted or (count < wanted and not deal.fragment)):
        what = f"{count} tricks, though everybody holds {wanted} cards"
        hint = "write all tricks, or fragment: true where some are missing"
        r.wrong(("tricks",), what, hint if count else f"{hint}; {r.fill_command} plays them", "trick-count")


def _no_empty_tricks(r: DealReader, deal: model.Deal) -> None:
    """Name empty tricks once for all of them, with the command that plays them."""
    empty = [t for t, row in enumerate(deal.tricks, 1) if not row]
    if empty:
        what = f"trick {empty[0]} is empty" if len(empty) == 1 else f"{len(empty)} tricks are empty"
        r.wrong(("tricks", empty[0] - 1), what, f"{r.fill_command} plays them", "trick-count")


#: What a record lists: its key, how it is read, each entry with its place, and what is checked of it once all is read.
_LISTS: Sequence[tuple[str, Callable[..., Iterator[Any]], Callable[[DealReader, model.Deal, Sequence[Any]], None]]] = (
    ("exchange", DealReader.exchanges, check_exchanges),
    ("exchange", DealReader.gifts, check_gifts),
    ("announced", DealReader.announcements, check_announcements),
    ("faults", DealReader.faults, check_faults),
    ("claims", DealReader.claims, check_claims),
)
