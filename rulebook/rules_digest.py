"""Digest of the rules: a fingerprint of what the sources answer, without the words in which it is said.

Stored results (receipts, surveys, separating deals, attributions) rest on the questions and on what each source
answers, by its clauses, their rivals and options, and in which counters. A note, an introduction, a translation or a
variant of a witness changes no figure, and so outdates none of them; `Library.digest` is of every file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from rulebook.display import format_whole
from rulebook.model import Alternative, Clause, Library, Question


def digest_rules(library: Library) -> str:
    """Return the fingerprint of what the sources answer: `sha256:` and 64 digits."""
    total = hashlib.sha256()
    for line in _list_rule_lines(library):
        total.update(f"{line}\n".encode())
    return f"sha256:{total.hexdigest()}"


def _list_rule_lines(library: Library) -> Iterator[str]:
    """Yield one line for each question, source and clause; questions in any order say the same, clauses do not."""
    for question in sorted(library.questions.values(), key=lambda question: question.id):
        yield format_whole(_select_question_rules(question))
    for siglum, source in sorted(library.sources.items()):
        yield format_whole((siglum, source.counters, source.draft))
        yield from (format_whole(_select_clause_rules(clause)) for clause in source.clauses)


def _select_question_rules(question: Question) -> tuple[object, ...]:
    """Select what of a question the engine plays by; its wording and guidance are left out."""
    proposed = [(name, given.not_played, given.played_as, given.matters) for name, given in question.proposed.items()]
    readings, shape = tuple(question.readings), (question.measure, question.depends, question.affects)
    return (
        question.id,
        question.slug,
        readings,
        shape,
        question.not_played,
        question.played_as,
        question.matters,
        proposed,
        question.by,
    )


def _select_clause_rules(clause: Clause) -> tuple[object, ...]:
    """Select what a clause answers, how surely, and in which other ways it may be taken."""
    others = tuple(map(_select_alternative_rules, clause.alternatives))
    return (clause.id, clause.answers, clause.about, clause.status, clause.cert, clause.taken_from, others)


def _select_alternative_rules(alternative: Alternative) -> tuple[object, ...]:
    return (alternative.id, alternative.kind, alternative.answers, alternative.silent, alternative.cert)
