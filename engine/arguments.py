"""Checks of the arguments that beginners confuse: the error says what to write instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from pathlib import PurePath

from engine.deal.model import Deal
from rulebook.model import Library, Ruleset, Source
from rulebook.strings import quote_value
from rulebook.suggestions import describe_type

_READ_FIRST = "read it first: deal, problems = read_deal(record)"

#: What stands in the place of a deal -> what to do; the first that fits.
_INSTEAD_OF_DEAL: Sequence[tuple[type | tuple[type, ...], str]] = (
    (Ruleset, "the deal comes first, then the rules: settle(deal, ruleset)"),
    (type(None), "read_deal returns None for a faulty record; look at the problems beside it"),
    (tuple, "read_deal returns two things: deal, problems = read_deal(record)"),
    (Mapping, f"a record is no deal yet; {_READ_FIRST}"),
    ((str, PurePath), 'a name or a path is no deal yet; fetch it first: reversis.deal("...")'),
)


def require_deal(deal: object) -> None:
    """Raise TypeError, with what to write, unless it is a deal."""
    if not isinstance(deal, Deal):
        raise TypeError(f"{describe_type(deal)} stands where the deal should: {_hint_deal(deal)}")


def require_ruleset(ruleset: object) -> None:
    """Raise TypeError, with what to write, unless it is a ruleset."""
    if not isinstance(ruleset, Ruleset):
        raise TypeError(f"{describe_type(ruleset)} stands where the rules should: {_hint_ruleset(ruleset)}")


def require_seed(seed: object) -> None:
    """Raise TypeError, with what to write, unless it is a whole number or a text."""
    if isinstance(seed, bool) or not isinstance(seed, Integral | str):  # numpy's whole numbers are Integral too
        raise TypeError(
            f"{describe_type(seed)} is no seed: give a whole number or a text: random_deal(ruleset, seed=5)"
        )


def require_wishes(wish: object) -> None:
    """Raise TypeError, with what to write, unless these are wishes for a deal: a text, or several."""
    if isinstance(wish, Mapping) or not isinstance(wish, Iterable):
        raise TypeError(f'{describe_type(wish)} is no wish: write it in words: fill(ruleset, wish="quinola led")')


def require_seats(seats: object, dealer: object) -> None:
    """Raise TypeError, with what to write, unless these are names of seats and the number of one."""
    call = 'begin(ruleset, deal.seats, deal.dealer), or begin(ruleset, ("ann", "bob", "cat", "dan"), 3)'
    if isinstance(seats, str) or not isinstance(seats, Sequence):
        raise TypeError(f"{describe_type(seats)} stands where the names of the players should: {call}")
    if not isinstance(dealer, int) or dealer not in range(len(seats)):
        raise TypeError(f"{quote_value(dealer)} is no number of a seat, 0 to {len(seats) - 1}: {call}")


def _hint_deal(deal: object) -> str:
    if isinstance(inner_deal := getattr(deal, "deal", None), Deal):
        return f"take its deal, here {inner_deal.id}: found.deal"
    hints = (hint for kind, hint in _INSTEAD_OF_DEAL if isinstance(deal, kind))
    return next(hints, f"a Deal is needed; {_READ_FIRST}")


def _hint_ruleset(ruleset: object) -> str:
    if isinstance(ruleset, Deal):
        return "the deal comes first, then the rules: settle(deal, ruleset)"
    if isinstance(ruleset, Library):
        return f'bind the rules of one source first: rules(library, "{next(iter(ruleset.sources), "")}")'
    name = ruleset.siglum if isinstance(ruleset, Source) else ruleset if isinstance(ruleset, str) else "..."
    return f'bind them first: rules(library, "{name}")'
