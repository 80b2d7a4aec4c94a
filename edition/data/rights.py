"""Terms of use of a source, and of a file with words of several sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulebook.model import Source

OPEN_LICENCE = "CC BY 4.0"
_PUBLIC_DOMAIN = "public domain"


def format_quoting_terms(sources: Iterable[Source]) -> str:
    """Format the terms of a file of ours with quotations from several sources."""
    held = [source for source in sources if get_layer_rights(source, "text") != _PUBLIC_DOMAIN]
    names = ", ".join(f"{source.siglum} ({source.record.get('author') or source.title})" for source in held)
    return f"{OPEN_LICENCE}; quotations from {names} excepted, which are in copyright" if held else OPEN_LICENCE


def get_layer_rights(source: Source, layer: str) -> str:
    """Return the terms of one layer of a source."""
    rights = source.record.get("rights")
    return str(rights.get(layer) or "") if isinstance(rights, Mapping) else ""
