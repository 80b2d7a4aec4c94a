"""A source that somebody has begun: how far it is collated, and whether it can be played yet."""

from __future__ import annotations

from edition.data.deals import paths, read_worked
from engine.settlement.settle import Unanswered, settle
from rulebook.model import Library, Question
from rulebook.resolve import resolve

UNREAD = "not-collated"


def collated(library: Library, siglum: str) -> str:
    """How much of a draft is collated, in words; nothing of a source that is finished."""
    if not library.sources[siglum].draft:
        return ""
    done = len(library.questions) - len(waiting(library, siglum))
    return f"collated {100 * done // max(len(library.questions), 1)} %"


def waiting(library: Library, siglum: str) -> tuple[Question, ...]:
    """The questions for which a source has not been read yet."""
    read = {slug for one in library.sources[siglum].clauses if one.status != UNREAD for slug in one.questions}
    return tuple(one for slug, one in library.questions.items() if slug not in read)


def finished(library: Library) -> tuple[str, ...]:
    """The sources that are no drafts: they are what is counted and compared."""
    return tuple(siglum for siglum, source in library.sources.items() if not source.draft)


def playable(library: Library) -> tuple[str, ...]:
    """The sources by which one can play: a draft once it settles a worked deal of its own, whatever is still unread."""
    return tuple(siglum for siglum, source in library.sources.items() if not source.draft or plays(library, siglum))


def plays(library: Library, siglum: str) -> bool:
    """Whether a source has a worked deal of its own, and has been read for all that this deal asks."""
    own = (name for name, path in paths(library).items() if path.partition("/")[0] == siglum)
    deals = (read_worked(library, name).deal for name in own)
    return any(not isinstance(settle(deal, resolve(library, siglum)), Unanswered) for deal in deals if deal is not None)


def missing(library: Library, siglum: str, slug: str) -> str:
    """What a draft lacks to be played, where it stops at a question for which it has not been read."""
    open_ = [one for one in waiting(library, siglum) if not one.not_played]
    first = next((one for one in open_ if one.slug == slug), None)
    if first is None:
        return ""
    more = f", and {len(open_) - 1} more before every deal can be played" if len(open_) > 1 else ""
    stand = collated(library, siglum) or "not fully collated"
    return (
        f"{siglum} is {stand}, and cannot settle this deal before it is read for {first.id} ({first.slug}){more}. "
        f"Answer it in sources/{siglum}/clauses.yaml"
    )
