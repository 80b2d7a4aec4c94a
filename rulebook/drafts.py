"""Draft sources, and what they were not read for."""

from __future__ import annotations

from rulebook.model import Library, Question

NOT_COLLATED = "not-collated"


def list_uncollated_questions(library: Library, siglum: str) -> tuple[Question, ...]:
    """Return the questions for which a source has not been read yet."""
    read = {
        slug for clause in library.sources[siglum].clauses if clause.status != NOT_COLLATED for slug in clause.questions
    }
    return tuple(question for slug, question in library.questions.items() if slug not in read)


def list_finished_sources(library: Library) -> tuple[str, ...]:
    """Return the sources that are no drafts: only they are counted and compared."""
    return tuple(siglum for siglum, source in library.sources.items() if not source.draft)
