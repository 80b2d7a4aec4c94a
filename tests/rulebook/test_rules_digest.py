"""The digest of the rules follows what the sources answer, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulebook.model import Alternative, Clause, Library, Source
from rulebook.rules_digest import digest_rules


def with_source(library: Library, source: Source) -> Library:
    return replace(library, sources={**library.sources, source.siglum: source})


def with_clause(library: Library, one: Clause) -> Library:
    source = library.sources[one.source]
    clauses = tuple(one if each.id == one.id else each for each in source.clauses)
    return with_source(library, replace(source, clauses=clauses))


@pytest.fixture
def clause(library: Library) -> Clause:
    """A clause with a rival, of the edition's first source."""
    return next(one for source in library.sources.values() for one in source.clauses if one.rivals)


def test_a_library_that_was_read_carries_it(library: Library) -> None:
    assert library.rules_digest == digest_rules(library)
    assert library.rules_digest.startswith("sha256:") and library.rules_digest != library.digest


def test_notes_reasons_and_introductions_do_not_change_it(library: Library, clause: Clause) -> None:
    source = library.sources[clause.source]
    assert source.notes
    told = replace(clause, because="another reason", note="a note", reviewer="R", coder="C", cites=())
    other = with_source(library, replace(source, notes=(), translation=None, record={**source.record, "intro": "new"}))
    assert digest_rules(with_clause(library, told)) == digest_rules(other) == library.rules_digest


def test_the_wording_of_a_question_does_not_change_it(library: Library) -> None:
    question = library.question("Q031")
    worded = replace(question, asks="Otherwise asked?", coding="Other guidance.")
    assert digest_rules(replace(library, questions={**library.questions, question.slug: worded})) == (
        library.rules_digest
    )


def test_an_answer_status_certainty_or_rival_changes_it(library: Library, clause: Clause) -> None:
    slug = next(iter(clause.answers))
    rival: Alternative = clause.alternatives[0]
    changed = (
        replace(clause, answers={**clause.answers, slug: "another-answer"}),
        replace(clause, status="denied"),
        replace(clause, cert="another"),
        replace(clause, alternatives=(replace(rival, answers={slug: "another-answer"}), *clause.alternatives[1:])),
        replace(clause, alternatives=()),
    )
    found = {digest_rules(with_clause(library, one)) for one in changed}
    assert len(found) == len(changed) and library.rules_digest not in found


def test_a_counter_a_reading_or_a_condition_changes_it(library: Library) -> None:
    source = next(iter(library.sources.values()))
    question = next(one for one in library.questions.values() if one.readings and one.depends)
    recorded = replace(source, record={**source.record, "units": {"smallest": "bean"}})
    fewer = replace(question, readings=dict(list(question.readings.items())[1:]))
    always = replace(question, depends="")
    found = {
        digest_rules(with_source(library, recorded)),
        *(digest_rules(replace(library, questions={**library.questions, one.slug: one})) for one in (fewer, always)),
    }
    assert len(found) == 3 and library.rules_digest not in found
