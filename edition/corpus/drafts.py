"""Draft sources: what they were not read for, and whether they can be played yet."""

from __future__ import annotations

from engine.settlement.settle import Unanswered, settle
from reversis.files.deals import find_deal_paths, read_worked
from rulebook.model import Library, Question
from rulebook.resolve import resolve

NOT_COLLATED = "not-collated"


def list_uncollated_questions(library: Library, siglum: str) -> tuple[Question, ...]:
    """Return the questions for which a source has not been read yet."""
    read = {slug for one in library.sources[siglum].clauses if one.status != NOT_COLLATED for slug in one.questions}
    return tuple(one for slug, one in library.questions.items() if slug not in read)


def list_finished_sources(library: Library) -> tuple[str, ...]:
    """Return the sources that are no drafts: only they are counted and compared."""
    return tuple(siglum for siglum, source in library.sources.items() if not source.draft)


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


def explain_draft_gap(library: Library, siglum: str, slug: str) -> str:
    """Say which unread question keeps a draft from settling a deal; empty if none does."""
    open_ = [one for one in list_uncollated_questions(library, siglum) if not one.not_played]
    first = next((one for one in open_ if one.slug == slug), None)
    if first is None:
        return ""
    more = f", and {len(open_) - 1} more before every deal can be played" if len(open_) > 1 else ""
    return (
        f"{siglum} is not fully collated, and cannot settle this deal before it is read for {first.id} "
        f"({first.slug}){more}. "
        f"Answer it in the form (reversis serve, then /code/{siglum}) "
        f"or in a sheet (reversis sheet {siglum} --out FILE)"
    )
