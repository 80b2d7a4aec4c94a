"""Checks of the arguments that beginners confuse: the error says what to write instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from engine.deal.model import Deal
from rulebook.model import Library, Ruleset, Source

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
        raise TypeError(f"{_describe_type(deal)} stands where the deal should: {_hint_deal(deal)}")


def require_ruleset(ruleset: object) -> None:
    """Raise TypeError, with what to write, unless it is a ruleset."""
    if not isinstance(ruleset, Ruleset):
        raise TypeError(f"{_describe_type(ruleset)} stands where the rules should: {_hint_ruleset(ruleset)}")


def _describe_type(one: object) -> str:
    name = "None" if one is None else type(one).__name__
    return name if one is None else f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _hint_deal(deal: object) -> str:
    if isinstance(found := getattr(deal, "deal", None), Deal):
        return f"take its deal, here {found.id}: found.deal"
    hints = (hint for kind, hint in _INSTEAD_OF_DEAL if isinstance(deal, kind))
    return next(hints, f"a Deal is needed; {_READ_FIRST}")


def _hint_ruleset(ruleset: object) -> str:
    if isinstance(ruleset, Deal):
        return "the deal comes first, then the rules: settle(deal, ruleset)"
    if isinstance(ruleset, Library):
        return f'bind the rules of one source first: rules(library, "{next(iter(ruleset.sources), "")}")'
    name = ruleset.siglum if isinstance(ruleset, Source) else ruleset if isinstance(ruleset, str) else "..."
    return f'bind them first: rules(library, "{name}")'
