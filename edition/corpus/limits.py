"""Limits on how much of a large edition one page shows.

So no edition grows faster than its sources do.

Five sources make ten pages on which two of them stand side by side; a hundred would make 4,950. So what concerns
every two sources, or every source on every deal, is laid out while the sources are few; beyond that a page shows a
choice, says so, and names the command that shows the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from edition.corpus.drafts import list_playable_sources

if TYPE_CHECKING:
    from engine.deal.model import Deal
    from rulebook.model import Library

MAX_PAIRED_SOURCES = 8  #: with more sources than these, any two of them are not counted against each other
MAX_SETTLING_SOURCES = 8  #: by so many sources a worked deal is settled on its page
MAX_NAVIGATION_SOURCES = 12  #: so many sources stand one by one in the navigation beside every page
MAX_INDEX_SOURCES = 12  #: so many sources are named at a word of the index, each with its sentences
MAX_WORDS_ON_PAGE = 450  #: of one language in the index of words; if there are more, every letter has a page


def select_settling_sources(library: Library, deal: Deal) -> tuple[str, ...]:
    """Return the sources that settle a deal on its page: all while they are few, its own first."""
    everyone = list_playable_sources(library)
    if len(everyone) <= MAX_SETTLING_SOURCES:
        return everyone
    own = [locus.partition(".")[0] for locus in deal.cites]
    return _select_first(everyone, MAX_SETTLING_SOURCES, (*own, *deal.expect, *_list_family_heads(library)))


def _select_first(everyone: Sequence[str], number: int, wanted: Iterable[str]) -> tuple[str, ...]:
    """Return a number of sources, the wanted ones first, in the order of all."""
    chosen = frozenset(list(dict.fromkeys((*wanted, *everyone)))[:number])
    return tuple(siglum for siglum in everyone if siglum in chosen)


def _list_family_heads(library: Library) -> Iterable[str]:
    first = dict[str, str]()
    for siglum, source in library.sources.items():
        first.setdefault(source.family or siglum, siglum)
    return first.values()
