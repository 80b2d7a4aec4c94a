"""How much of a large edition stands on one page, and no edition grows faster than its sources do.

Four sources make six pages on which two of them stand side by side; a hundred would make 4,950. So what concerns
every two sources, or every source on every deal, is laid out while the sources are few; beyond that a page shows a
choice, says so, and names the command that shows the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from edition.data.drafts import playable

if TYPE_CHECKING:
    from engine.deal.model import Deal
    from rulebook.model import Library

PAIRED = 8  #: with more sources than these, two of them have no page of their own
PRICED = 8  #: by so many sources a worked deal is settled on its page
LISTED = 12  #: so many sources stand one by one in the navigation beside every page
BESIDE = 12  #: so many sources stand side by side with their words
NAMED = 12  #: so many sources are named at a word of the index, each with its sentences


def pricing(library: Library, deal: Deal) -> tuple[str, ...]:
    """The sources that settle a deal on its page: all that can be played while they are few, else its own, and more."""
    everyone = playable(library)
    if len(everyone) <= PRICED:
        return everyone
    own = [locus.partition(".")[0] for locus in deal.cites]
    return first_of(everyone, PRICED, (*own, *deal.expect, *of_each_family(library)))


def side_by_side(library: Library) -> tuple[str, ...]:
    """The sources that stand side by side with their words: all while they are few, else some of many families."""
    everyone = tuple(library.sources)
    return everyone if len(everyone) <= BESIDE else first_of(everyone, BESIDE, of_each_family(library))


def first_of(everyone: Sequence[str], number: int, wanted: Iterable[str]) -> tuple[str, ...]:
    """So many of all, those that are wanted before others, in the order of all."""
    chosen = frozenset(list(dict.fromkeys((*wanted, *everyone)))[:number])
    return tuple(siglum for siglum in everyone if siglum in chosen)


def of_each_family(library: Library) -> Iterable[str]:
    """The first source of every family: together they stand for most of what there is."""
    first = dict[str, str]()
    for siglum, source in library.sources.items():
        first.setdefault(source.family or siglum, siglum)
    return first.values()
