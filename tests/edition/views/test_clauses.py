"""The clauses of a source on one page: in which order they stand, and how many questions the source answers itself."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from edition.corpus.corpus import Corpus
from edition.views.sources.clauses import clauses_view, render_clauses


@pytest.mark.slow
def test_clauses_stand_in_the_order_of_the_questions_as_their_page_says(corpus: Corpus) -> None:
    order = {question.id: at for at, question in enumerate(corpus.library.questions.values())}
    for siglum, source in corpus.library.sources.items():
        view = clauses_view(corpus, siglum)
        asked = [(*(each.question for each in clause.answers), *clause.about) for clause in view.clauses]
        first = [min(order[question.id] for question in some) for some in asked]
        assert first == sorted(first), siglum
        assert {clause.id for clause in view.clauses} == {clause.id for clause in source.clauses}
        (page,) = render_clauses(view)
        assert "in the order of the questions" in page.astext() and "order of its text" not in page.astext()


@pytest.mark.slow
def test_the_page_of_clauses_says_how_many_questions_the_source_answers_itself(corpus: Corpus) -> None:
    library = corpus.library
    assumed = 0
    for siglum in library.sources:
        (page,) = render_clauses(clauses_view(corpus, siglum))
        cells = [cell for slug in library.questions if (cell := library.cell(siglum, slug))]
        ours = sum(cell.value is not None and cell.supplied for cell in cells)
        own = Counter(cell.status for cell in cells if cell.value is not None and not cell.supplied)
        lead = page.astext().partition("Each unfolds")[0]
        assert f"{len(library.questions)} questions to " in lead and "The rules of" not in lead
        assert f"it answers {own.total()} itself" in lead and f"answer {ours} by assumption" in lead
        stated, reckoned = (
            int((re.search(rf"(\d+) {words}", page.astext()) or ["", "0"])[1])
            for words in ("stated outright", "computed from what is stated")
        )
        assert stated + reckoned == own["stated"] and stated > reckoned
        assumed = max(assumed, ours)
    assert assumed > len(library.questions) // 3  # of such a book most of what is listed is not its own
