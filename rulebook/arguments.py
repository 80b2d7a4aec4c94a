"""Arguments as beginners confuse them: the type that was given, and a library where one is needed."""

from __future__ import annotations

from rulebook.model import Library


def describe_type(one: object) -> str:
    """Name the type of an argument with its article: a Ruleset, an int, None."""
    name = type(one).__name__
    return "None" if one is None else f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def require_library(library: object, call: str) -> None:
    """Raise TypeError, with the call as it should be written, unless it is a library."""
    if not isinstance(library, Library):
        raise TypeError(f"{describe_type(library)} stands where the library should: {call}, with library = library()")
