"""Whose the words are: the terms of a source, and of a file in which words of several stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulebook.model import Source

OPEN = "CC BY 4.0"
PUBLIC = "public domain"


def owned(sources: Iterable[Source]) -> str:
    """The terms of a file in which words of all sources stand: ours, without the quotations of others."""
    held = [source for source in sources if restricted(source)]
    names = ", ".join(f"{source.siglum} ({source.record.get('author') or source.title})" for source in held)
    return f"{OPEN}; quotations from {names} excepted, which are in copyright" if held else OPEN


def restricted(source: Source) -> bool:
    """Whether the words of a source belong to somebody."""
    return rights_in(source, "text") != PUBLIC


def rights_in(source: Source, layer: str) -> str:
    """The terms of one layer of a source."""
    rights = source.record.get("rights")
    return str(rights.get(layer) or "") if isinstance(rights, Mapping) else ""
