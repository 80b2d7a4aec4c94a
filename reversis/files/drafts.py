"""Draft sources that can be played already, and which sources settle a deal on its page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.deal.model import Deal
from engine.settlement.settle import Unanswered, settle
from reversis.files.deals import find_deal_paths, read_worked
from rulebook.drafts import list_uncollated_questions
from rulebook.model import Library
from rulebook.resolve import resolve

MAX_SETTLING_SOURCES = 8  #: by so many sources a worked deal is settled on its page


def list_playable_sources(library: Library) -> tuple[str, ...]:
    """Return the sources by which one can play, and drafts that settle a worked deal of their own."""
    return tuple(
        siglum for siglum, source in library.sources.items() if not source.draft or can_settle_own_deal(library, siglum)
    )


def can_settle_own_deal(library: Library, siglum: str) -> bool:
    """Check that a source has a worked deal of its own and was read for all that it asks."""
    own = (name for name, path in find_deal_paths(library).items() if path.partition("/")[0] == siglum)
    deals = (read_worked(library, name).deal for name in own)
    return any(not isinstance(settle(deal, resolve(library, siglum)), Unanswered) for deal in deals if deal is not None)


def select_settling_sources(library: Library, deal: Deal) -> tuple[str, ...]:
    """Return the sources that settle a deal on its page: all while they are few, its own first."""
    everyone = list_playable_sources(library)
    if len(everyone) <= MAX_SETTLING_SOURCES:
        return everyone
    own = [locus.partition(".")[0] for locus in deal.cites]
    first = dict[str, str]()
    for siglum, source in library.sources.items():
        first.setdefault(source.family or siglum, siglum)
    return _select_first(everyone, MAX_SETTLING_SOURCES, (*own, *deal.expect, *first.values()))


def _select_first(everyone: Sequence[str], number: int, wanted: Iterable[str]) -> tuple[str, ...]:
    """Return a number of sources, the wanted ones first, in the order of all."""
    chosen = frozenset(list(dict.fromkeys((*wanted, *everyone)))[:number])
    return tuple(siglum for siglum in everyone if siglum in chosen)


def explain_draft_gap(library: Library, siglum: str, slug: str) -> str:
    """Say which unread question keeps a draft from settling a deal; empty if none does."""
    open_ = [question for question in list_uncollated_questions(library, siglum) if not question.not_played]
    first = next((question for question in open_ if question.slug == slug), None)
    if first is None:
        return ""
    more = f", and {len(open_) - 1} more before every deal can be played" if len(open_) > 1 else ""
    return (
        f"{siglum} is not fully collated, and cannot settle this deal before it is read for {first.id} "
        f"({first.slug}){more}. "
        f"Answer it in the form (reversis serve, then /code/{siglum}) "
        f"or in a sheet (reversis sheet {siglum} --out FILE)"
    )
