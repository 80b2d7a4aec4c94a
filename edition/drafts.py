"""A source that somebody has begun: how far it is collated, and whether it can be played yet."""

from __future__ import annotations

from rulebook.model import Library, Question

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
    """The sources by which one can play: a draft only once it has been read for every question that play may ask."""
    return tuple(
        siglum
        for siglum, source in library.sources.items()
        if not source.draft or all(one.not_played for one in waiting(library, siglum))
    )


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
