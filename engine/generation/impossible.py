"""Reasons why wishes cannot be filled: contradictions among them, and parts that no deal of a search has had."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from engine.generation.wishes import (
    CARD_SUBJECTS,
    FORCING,
    WISH_ACE,
    WISH_ESPAGNOLETTE,
    WISH_PARTIE,
    WISH_REVERSIS,
    WISH_TABLE,
    Look,
    Wish,
    Word,
    is_wish_fulfilled,
)

#: What can befall one card in one deal; the words of two groups contradict each other.
_CARD_ENDS: Mapping[str, str] = {
    **dict.fromkeys(("led", "claimed", "unclaimed", "free", "not-free"), "led"),
    **dict.fromkeys(("followed", "forced", "put"), "followed"),
    "thrown-off": "thrown-off",
    "laid-away": "laid-away",
}
_OPPOSITES: Mapping[str, Sequence[tuple[str, str]]] = {
    **dict.fromkeys(
        CARD_SUBJECTS,
        (
            ("claimed", "unclaimed"),
            ("alone", "not-alone"),
            ("free", "not-free"),
            ("opposite", "side"),
            ("forced", "put"),
            ("laid-away", "held"),
        ),
    ),
    WISH_REVERSIS: (("none", "undertaken"), ("none", "made"), ("none", "broken"), ("made", "broken")),
    WISH_ESPAGNOLETTE: (
        ("none", "undertaken"),
        ("none", "won"),
        ("none", "lost"),
        ("none", "breaking"),
        ("won", "lost"),
    ),
    WISH_PARTIE: (
        ("none", "won"),
        ("none", "lost"),
        ("none", "with-a-trick"),
        ("none", "without-a-trick"),
        ("with-a-trick", "without-a-trick"),
    ),
    WISH_TABLE: (("four", "five"), ("48", "52")),
}
#: Words of one subject that name the same player.
_ONE_PLAYER: Mapping[str, Sequence[tuple[str, ...]]] = {
    WISH_REVERSIS: (("undertaken", "made"), ("broken",)),
    WISH_TABLE: (),
    WISH_ESPAGNOLETTE: (("undertaken", "won", "lost", "breaking"),),
    WISH_PARTIE: (("won", "with-a-trick", "without-a-trick"), ("lost",)),
}


# ---- contradictions
def find_contradiction(wishes: Sequence[Wish]) -> str:
    """Find what no deal can have, whatever the rules, or two things not at once; empty where there are none."""
    for wish in wishes:
        if wish.subject == WISH_ACE and wish.has("laid-away"):
            return f"{_quote(wish)} is nothing that a rule asks about"
    return next((f"{_quote(a)} and {_quote(b)} cannot both be had" for a, b in _list_contradictions(wishes)), "")


def _list_contradictions(wishes: Sequence[Wish]) -> Iterator[tuple[Wish, Wish]]:
    parts = [(at, part) for at, wish in enumerate(wishes) for part in list_wish_parts(wish)]
    for (i, a), (j, b) in combinations(parts, 2):
        if a.subject == b.subject and (i == j or _names_one_thing(a, b)) and _exclude_each_other(a, b):
            yield a, b


def _names_one_thing(a: Wish, b: Wish) -> bool:
    """Return whether two wishes are about the same card; of any ace there are four."""
    return a.card == b.card if a.subject != WISH_ACE else bool(a.suit and a.suit == b.suit)


def _exclude_each_other(a: Wish, b: Wish) -> bool:
    if a.trick is not None and b.trick is not None:
        return (a.trick != b.trick and (a.trick > 0) == (b.trick > 0)) or {a.trick, b.trick} in ({1, -1}, {1, -2})
    if a.trick is not None or b.trick is not None:
        return any(wish.has("laid-away") for wish in (a, b))
    first, other = a.words[0], b.words[0]
    ends = {_CARD_ENDS[word.name] for word in (first, other) if a.subject in CARD_SUBJECTS and word.name in _CARD_ENDS}
    opposed = {(first.name, other.name), (other.name, first.name)} & {*_OPPOSITES[a.subject]}
    return len(ends) == 2 or bool(opposed) or _names_two_players(a.subject, first, other)


def _names_two_players(subject: str, word: Word, other: Word) -> bool:
    """Return whether two players would have to do what one does, or one of them would do to himself."""
    if not (word.seat and other.seat):
        return False
    if subject in CARD_SUBJECTS:
        return word.seat != other.seat and (word.name == FORCING) == (other.name == FORCING)
    roles = [next((at for at, group in enumerate(_ONE_PLAYER[subject]) if w.name in group), -1) for w in (word, other)]
    return -1 not in roles and (roles[0] == roles[1]) != (word.seat == other.seat)


def _quote(wish: Wish) -> str:
    return f"“no {wish.subject}”" if wish.has("none") else f"“{wish}”"


# ---- parts
def list_wish_parts(wish: Wish) -> tuple[Wish, ...]:
    """Split a wish into its parts, each of which can be had or not."""
    words = tuple(replace(wish, words=(word,), trick=None) for word in wish.words)
    return (*words, *((replace(wish, words=()),) if wish.trick is not None else ()))


class UnmetWishes:
    """Wishes, and their parts, that no deal of a search has had so far."""

    def __init__(self, wishes: Iterable[Wish]) -> None:
        self.wishes = tuple(wishes)
        self.parts = {part: wish for wish in self.wishes for part in list_wish_parts(wish)}
        self.left = {*self.wishes, *self.parts}
        self.played = 0  #: so many deals were played to the end

    def observe(self, seen: Look) -> None:
        """Strike out all that a deal has."""
        self.played += 1
        self.left -= {wish for wish in self.left if is_wish_fulfilled(wish, seen)}

    def __str__(self) -> str:
        if not self.wishes or not self.played:
            return ""
        never = [part for part in self.parts if part in self.left]
        apart = [wish for wish in self.wishes if wish in self.left and not any(self.parts[p] == wish for p in never)]
        reasons = [f"{_quote(part)} was never met" for part in never]
        reasons += [f"{_quote(wish)} was never met all at once" for wish in apart]
        return "; ".join(reasons) or "each wish was met, but never all of them in one deal"
