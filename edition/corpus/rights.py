"""Terms of use of a source, and of a file with words of several sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulebook.model import Source
from rulebook.new_source import COPYRIGHT_HELD, PUBLIC_DOMAIN

OPEN_LICENCE = "CC BY 4.0"


def format_quoting_terms(sources: Iterable[Source]) -> str:
    """Format the terms of a file of ours with quotations from several sources."""
    held = [source for source in sources if get_layer_rights(source, "text") != PUBLIC_DOMAIN]
    if not held:
        return OPEN_LICENCE
    known = all(get_layer_rights(source, "text") == COPYRIGHT_HELD for source in held)
    why = COPYRIGHT_HELD if known else f"{COPYRIGHT_HELD} or not known to be free"
    names = ", ".join(f"{source.siglum} ({source.record.get('author') or source.title})" for source in held)
    return f"{OPEN_LICENCE}; quotations from {names} excepted, which are {why}"


def get_layer_rights(source: Source, layer: str) -> str:
    """Return the terms of one layer of a source."""
    rights = source.record.get("rights")
    return str(rights.get(layer) or "") if isinstance(rights, Mapping) else ""
