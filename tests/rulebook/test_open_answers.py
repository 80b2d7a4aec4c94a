"""Answers that the possible worlds of a source leave open."""

from __future__ import annotations

from dataclasses import replace

from rulebook.model import Alternative, Clause, FrozenMap, Library, Like
from rulebook.open_answers import find_open_answers


def with_rival(library: Library, siglum: str, slug: str, value: int) -> Library:
    """A library in which a clause of a source could also mean another sum."""
    rival = Alternative(f"{siglum}.i99", "interpretation", "another sum", FrozenMap({slug: value}))

    def dispute(clause: Clause) -> Clause:
        return replace(clause, alternatives=(*clause.alternatives, rival)) if slug in clause.answers else clause

    source = library.sources[siglum]
    disputed = replace(source, clauses=tuple(map(dispute, source.clauses)))
    return replace(library, sources=FrozenMap({**library.sources, siglum: disputed}))


def test_an_answer_is_open_where_that_is_to_which_it_points(library: Library) -> None:
    """PAM pays for the ace that is led (Q025) as for one that is forced (Q023)."""
    pointing, target = library.question("Q025").slug, library.question("Q023").slug
    cell = library.cell("PAM", pointing)
    assert cell and isinstance(cell.value, Like) and cell.value.question == target
    before, after = (find_open_answers(one, "PAM") for one in (library, with_rival(library, "PAM", target, 77)))
    assert not {pointing, target} & before.questions
    assert {pointing, target} <= after.questions and after.rivals[target] == (77,) and pointing not in after.rivals


def test_a_rival_that_answers_as_we_do_leaves_nothing_open(library: Library) -> None:
    cell = library.cell("PAM", "Q032")
    assert cell and isinstance(cell.value, int)
    assert (
        cell.question not in find_open_answers(with_rival(library, "PAM", cell.question, cell.value), "PAM").questions
    )
