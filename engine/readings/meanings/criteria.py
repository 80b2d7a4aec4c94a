"""Meanings of the criteria by which somebody is best, or worst: each narrows the seats still in question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from engine.deal.events import Measures
from engine.readings.patterns import MeaningTable, parse_card_words


def _least(seats: Sequence[int], key: Callable[[int], int]) -> list[int]:
    bound = min(map(key, seats), default=0)
    return [s for s in seats if key(s) == bound]


def count_places_leftwards(m: Measures, seat: int) -> int:
    """Return the places from the dealer to a seat, to the left; the dealer is at 0."""
    return (m.dealer - seat) % m.seats


def count_places_in_play(m: Measures, seat: int) -> int:
    """Return the places from the first leader to a seat, in order of play."""
    return (seat - m.eldest) % m.seats


PARTIE_PLACES: Mapping[str, Callable[[Measures, int], int]] = {
    "dealer-first-leftwards": count_places_leftwards,
    "dealer-last-leftwards": lambda m, s: count_places_leftwards(m, s) or m.seats,
}
Criterion: TypeAlias = Callable[[Measures, Sequence[int], Callable[[int], int]], Iterable[int]]


def _unmarked_or_fewer_than_the_rest(m: Measures, seats: Sequence[int]) -> list[int]:
    """Those with the fewest marking cards of all, if everybody who has so few is in question; else those with none."""
    fewest = _least(range(m.seats), lambda s: m.marking[s])
    return fewest if {*fewest} <= {*seats} else [s for s in seats if not m.marking[s]]


def _dealer_apart(m: Measures, seats: Sequence[int]) -> list[int]:
    """The dealer alone, if better than everybody in tricks and marking cards; else everybody but the dealer."""
    others = [s for s in range(m.seats) if s != m.dealer]
    fewer = all(m.tricks[m.dealer] < m.tricks[s] for s in others)
    unmarked = not m.marking[m.dealer] or all(m.marking[m.dealer] < m.marking[s] for s in others)
    return [s for s in seats if (s == m.dealer) == (fewer and unmarked)]


def _eldest_if_tied(m: Measures, seats: Sequence[int]) -> list[int]:
    """The eldest, and behind him the first of the equals, should the eldest be out of the question."""
    first = _least(seats, lambda s: count_places_in_play(m, s))
    return list(seats) if len(seats) < 2 else list(dict.fromkeys((m.eldest, *first)))


def _taken(m: Measures, seat: int, bits: int) -> int:
    """Count the cards of a set that lie in a player's tricks."""
    return (m.taken[seat] & bits).bit_count()


def _fewest_of(words: str) -> Criterion | None:
    bits = parse_card_words(words)
    return (lambda m, ss, place: _least(ss, lambda s: _taken(m, s, bits))) if bits else None


def _most_of(words: str) -> Criterion | None:
    bits = parse_card_words(words)
    return (lambda m, ss, place: _least(ss, lambda s: -_taken(m, s, bits))) if bits else None


def _only_without(words: str) -> Criterion | None:
    bits = parse_card_words(words)
    return (lambda m, ss, place: [s for s in ss if not _taken(m, s, bits)]) if bits else None


def _rather_without(words: str) -> Criterion | None:
    bits = parse_card_words(words)
    return (lambda m, ss, place: _least(ss, lambda s: bool(_taken(m, s, bits)))) if bits else None


_LISTED_CRITERIA: Mapping[str, Criterion] = {  # measures, seats still in question, place -> seats that remain
    "fewest-points": lambda m, ss, place: _least(ss, lambda s: m.points[s]),
    "most-points": lambda m, ss, place: _least(ss, lambda s: -m.points[s]),
    "fewest-tricks": lambda m, ss, place: _least(ss, lambda s: m.tricks[s]),
    "fewest-tricks-but-one": lambda m, ss, place: _least([s for s in ss if m.tricks[s]], lambda s: m.tricks[s]),
    "most-tricks": lambda m, ss, place: _least(ss, lambda s: -m.tricks[s]),
    "fewest-marking-cards": lambda m, ss, place: _least(ss, lambda s: m.marking[s]),
    "fewer-marking-cards-than-all": lambda m, ss, place: [
        s for s in ss if all(m.marking[s] < m.marking[o] for o in range(m.seats) if o != s)
    ],
    "unmarked-or-fewer-than-the-rest": lambda m, ss, place: _unmarked_or_fewer_than_the_rest(m, ss),
    "dealer-apart": lambda m, ss, place: _dealer_apart(m, ss),
    "only-without-court": lambda m, ss, place: [s for s in ss if not m.court[s]],
    "rather-without-court": lambda m, ss, place: _least(ss, lambda s: bool(m.court[s])),
    "trickless-first": lambda m, ss, place: _least(ss, lambda s: bool(m.tricks[s])),
    "best-placed": lambda m, ss, place: _least(ss, place),
    "worst-placed": lambda m, ss, place: _least(ss, lambda s: -place(s)),
    "first-in-play": lambda m, ss, place: _least(ss, lambda s: count_places_in_play(m, s)),
    "eldest-if-tied": lambda m, ss, place: _eldest_if_tied(m, ss),
    "alone": lambda m, ss, place: ss if len(ss) == 1 else [],
    "nobody": lambda m, ss, place: [],
}
CRITERIA: Mapping[str, Criterion] = MeaningTable(
    _LISTED_CRITERIA,
    ("fewest-CARDS", "fewest-(.+)", _fewest_of),
    ("most-CARDS", "most-(.+)", _most_of),
    ("only-without-CARDS", "only-without-(.+)", _only_without),
    ("rather-without-CARDS", "rather-without-(.+)", _rather_without),
)
PLACED = ("best-placed", "worst-placed")  #: the criteria that ask who is best placed
#: the criteria that look at nothing anybody has done, but only keep equals apart
AMONG_EQUALS = (*PLACED, "first-in-play", "eldest-if-tied", "alone")
DECISIVE = (*AMONG_EQUALS, "fewer-marking-cards-than-all", "nobody")  #: the criteria after which nobody is left tied


def list_tie_breakers(question: str, criteria: Collection[str]) -> tuple[str, ...]:
    """List the criterion by which place ends an order that leaves players tied; being well placed is a favour."""
    if not criteria or {*criteria} & {*DECISIVE}:
        return ()
    return ("worst-placed" if question == "partie.loser" else "best-placed",)
