"""Colour slots: which place of the palette each source has.

Only numbers are given here; which colour and which shape stand for them is a matter of the pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count

from rulebook.model import Source

COLOUR_SLOTS = 8  #: colours of the palette; slot 9 has the colour of slot 1 and looks otherwise


def assign_colour_slots(sources: Iterable[Source]) -> Mapping[str, int]:
    """Assign a slot to every source, no slot twice: first those asked for, then the first free ones, in order."""
    asked = tuple(sources)
    slots: dict[str, int] = {}
    for source in sorted(asked, key=lambda candidate: candidate.colour is None):
        taken = frozenset(slots.values())
        wished = count(1) if source.colour is None else count(source.colour, COLOUR_SLOTS)
        slots[source.siglum] = next(slot for slot in wished if slot not in taken)
    return {source.siglum: slots[source.siglum] for source in asked}
