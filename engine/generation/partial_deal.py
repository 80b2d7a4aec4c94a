"""Reading a deal of which only a part is written: a deal record with gaps.

The keys are those of a deal record, and none is needed. Hands and talon may have fewer cards than are dealt; in a
trick `_` (or a quoted `?`) stands for a card that is not known, a line may break off, and tricks at the end may be
missing (an empty line is a trick of which nothing is known). Any key with nothing behind it (`title:`, or `title: ""`)
counts as left out. `wishes` is a text, or a list of texts, of what the deal is to have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from engine.cards import format_card
from engine.deal.events import Announcement
from engine.deal.fields import (
    GAPS,
    Find,
    Raw,
    RecordPlace,
    find_unwritable_values,
    locate_without_file,
    split_words,
    suggest_known_word,
)
from engine.deal.model import DEAL_KEYS
from engine.deal.reader import DealReader
from engine.generation.turn import SEAT_NAMES
from engine.generation.wishes import Sketch, Wish, read_wishes
from rulebook.model import FrozenMap
from rulebook.problems import Problem
from rulebook.strings import quote_value

WHOLE_DEAL_KEYS = ("expect", "faults", "fragment", "exchange")  #: what only a whole deal can have
_WISHES_KEY = "wishes"
WISH_OPTION = "--wish"  #: place of a wish that stands in no record


def read_sketch(
    raw: object,
    find: Find = locate_without_file,
    wished: Iterable[str] = (),
    players: int | None = None,
    pack: int | None = None,
    sigla: Collection[str] | None = None,
    cards: Mapping[str, str] = FrozenMap(),
    barred: Collection[str] = WHOLE_DEAL_KEYS,
) -> tuple[Sketch | None, list[Problem]]:
    """Read a partial deal, and what is wished besides; with any fault there is none, and every fault is reported.

    Wishes may name privileged cards as `cards` has them. `barred`: the keys that only a whole deal can have; whoever
    completes nothing, but wants to know how it stands, bars none.
    """
    if not isinstance(raw, Mapping):
        return None, [
            find(()).problem("this is no deal record", f"write a table; its keys may be {', '.join(DEAL_KEYS)}")
        ]
    if problems := {*find_unwritable_values(raw, find)}:
        return None, sorted(problems)  # before anything is put into words: a number may have too many digits for it
    wished = tuple(wished)
    r = DealReader(with_table(raw, wished, players, pack), find, sigla)
    unknown_keys(r, barred)
    size, dealer = _read_table(r)
    wrong_shapes(r)
    hands = {s: _read_known_cards(r, seat) for s, seat in enumerate(r.seats) if seat in _as_mapping(r.raw.get("hands"))}
    talon = r.get("talon", lambda cards, place: r.cards(without_gaps(cards), place), ())
    rows = tuple(
        _read_trick_with_gaps(r, row, ("tricks", i)) for i, row in enumerate(_as_sequence(r.raw.get("tricks")))
    )
    wishes = tuple(all_wishes(r, wished, cards))
    _check_duplicates(r, [*(c for h in hands.values() for c in h), *talon], ("hands",))
    _check_duplicates(r, [c for row in rows for c in row if c is not None], ("tricks",))
    r.get("provenance", r.provenance, "")  # must be right, but is not taken over: a deal that is filled in is generated
    claims = {number: claimed for _, number, claimed in r.get("claims", r.claims, ())}
    rest = _read_untouched_parts(r)
    id = r.get("deal", r.name, "filled")
    sketch = Sketch(wishes, r.seats, len(r.seats), size, dealer, hands, talon, rows, claims, id, rest)
    return (None if r.problems else sketch), sorted(set(r.problems))


def with_table(raw: Raw, wished: Iterable[str], players: int | None, pack: int | None) -> Raw:
    """The record with the table that is asked for: four players where nothing tells that there are five."""
    fields = {str(k): v for k, v in raw.items() if v not in (None, "")}
    fifth = "fifth" in _as_mapping(raw.get("hands")) or raw.get("dealer") == "fifth"
    wishes = " ".join(map(str, (*_as_texts(raw.get(_WISHES_KEY)), *wished))).casefold()
    five = "five players" in wishes or "by fifth" in wishes
    fields.setdefault("seats", list(SEAT_NAMES[players or (5 if fifth or five else 4)]))
    return fields | ({"pack": pack} if pack is not None else {})


def _read_untouched_parts(r: DealReader) -> dict[str, object]:
    """Read what is taken over as it is: words, the pool, and what a whole deal may list besides."""
    parts: dict[str, object] = {
        "title": r.get("title", r.text, ""),
        "cites": r.get("cites", r.texts, ()),
        "announced": tuple(_read_announcements(r)),
        "note": r.get("note", r.text, ""),
    }
    if "pool" in r.raw:
        parts["pools"] = r.pools(r.raw["pool"], ("pool",))
    if "exchange" in r.raw:
        parts["exchange"] = tuple(item for _, item in r.get("exchange", r.exchanges, ()))
        parts["gifts"] = tuple(item for _, item in r.get("exchange", r.gifts, ()))
    if "faults" in r.raw:
        parts["faults"] = tuple(item for _, item in r.get("faults", r.faults, ()))
    return parts


def unknown_keys(r: DealReader, barred: Collection[str]) -> None:
    """Every key must be one of a deal record, and one that a partial deal can have."""
    for key in r.raw:
        if key in barred:
            r.wrong((key,), f"a partial deal has no {key}", "complete it first; then write it into the record")
        elif key not in (*DEAL_KEYS, _WISHES_KEY):
            r.wrong((key,), f"unknown key {quote_value(key)}", suggest_known_word(str(key), (*DEAL_KEYS, _WISHES_KEY)))


def _read_table(r: DealReader) -> tuple[int | None, int | None]:
    """Read pack and dealer, where they are known; the seats are read on the way."""
    known = r.raw
    r.raw = {"pack": 48, **known, "dealer": known.get("dealer", next(iter(_as_sequence(known["seats"])), ""))}
    size, dealer = r.table_facts()
    r.raw = known
    return (size if "pack" in known else None), (dealer if "dealer" in known else None)


def wrong_shapes(r: DealReader) -> None:
    """Hands must be a table of players, tricks a list."""
    hands, tricks = r.raw.get("hands", {}), r.raw.get("tricks", [])
    if not isinstance(hands, Mapping):
        r.wrong(("hands",), "no hands", "write one line of cards for each seat of which you know any")
    if not isinstance(tricks, Sequence) or isinstance(tricks, str):
        r.wrong(("tricks",), "no tricks", "write a list, one line for each trick, empty where nothing is known")
    for seat in _as_mapping(hands):
        r.seat(seat, ("hands", str(seat)))


def _read_known_cards(r: DealReader, seat: str) -> tuple[int, ...]:
    cards = _as_mapping(r.raw.get("hands"))[seat]
    return () if cards is None else r.cards(without_gaps(cards), ("hands", seat))


def without_gaps(raw: object) -> object:
    """Cards without the signs that stand for unknown ones."""
    if not isinstance(raw, str | Sequence):
        return raw
    return [w for w in (split_words(raw) if isinstance(raw, str) else raw) if w not in GAPS]


def _read_trick_with_gaps(r: DealReader, raw: object, place: RecordPlace) -> tuple[int | None, ...]:
    words: list[object] = [*split_words(raw)] if isinstance(raw, str) else [*_as_sequence(raw)]
    if raw is not None and not isinstance(raw, str | Sequence):
        r.wrong(place, "no cards here", "write them in a line: QH _ JH _")
    if r.seats and len(words) > len(r.seats):
        r.wrong(place, f"{len(words)} cards in a trick of {len(r.seats)}", "one card of each player")
    return tuple(None if w in GAPS else r.card(w, place) for w in words)


def all_wishes(r: DealReader, wished: Iterable[str], cards: Mapping[str, str]) -> Iterable[Wish]:
    """Read the wishes in the record and those besides."""
    if not isinstance(r.raw.get(_WISHES_KEY, ""), str | list | tuple):
        r.wrong((_WISHES_KEY,), "wishes must be a text, or a list of texts", 'write wishes: "quinola forced"')
    for i, entry in enumerate(_as_texts(r.raw.get(_WISHES_KEY))):
        text = r.text(entry, (_WISHES_KEY, i))
        if text == entry:
            yield from _parse_wishes(r, text, (_WISHES_KEY, i), cards)
    for text in wished:
        yield from _parse_wishes(r, text, (WISH_OPTION,), cards)


def _read_announcements(r: DealReader) -> Iterator[Announcement]:
    """Yield the announcements; pack and players decide before which tricks one can be."""
    last = (52 if r.raw.get("pack") == 52 else 48) // max(1, len(r.seats))
    for place, announcement in r.get("announced", r.announcements, ()):
        if announcement.before > last:
            r.wrong(place, f"before is {announcement.before}, but there are {last} tricks at most", "name one of them")
        yield announcement


def _parse_wishes(r: DealReader, text: str, place: RecordPlace, cards: Mapping[str, str]) -> tuple[Wish, ...]:
    """Parse the wishes of a text; note as a problem what cannot be understood."""
    wishes, wrong = read_wishes(text, r.seats, cards)
    for why in wrong:
        what, _, way_out = why.partition(": ")
        r.wrong(place, what, way_out)
    if not wishes and not wrong:
        r.wrong(place, f"nothing is wished in {quote_value(text)}", 'write such as "quinola forced at the last trick"')
    return wishes


def _check_duplicates(r: DealReader, cards: Sequence[int], place: RecordPlace) -> None:
    doubled = [format_card(c) for c, n in Counter(cards).items() if n > 1]
    if doubled:
        r.wrong(place, f"{' '.join(doubled)} stands there twice", "a card lies in one place, and is played once")


def _as_texts(raw: object) -> Sequence[object]:
    return [raw] if isinstance(raw, str) else _as_sequence(raw)


def _as_mapping(raw: object) -> Mapping[str, object]:
    return raw if isinstance(raw, Mapping) else {}


def _as_sequence(raw: object) -> Sequence[object]:
    return raw if isinstance(raw, Sequence) and not isinstance(raw, str) else ()
