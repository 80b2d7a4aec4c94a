"""A clause knows the emendations in the words it quotes, and is no surer than they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebook.checks.statuses import an_answer_cannot_be_surer_than_the_emendation_it_rests_on
from rulebook.load import load_library
from rulebook.problems import Problem
from rulebook.sources.paths import find_sources
from tests.support.library import assembled, changed, place

A, TEXT = "AAA/clauses.yaml", "AAA/text.xml"
CITE = '"levée", prefix: premiere'


@pytest.mark.parametrize(
    ("cite", "emendations"),
    [
        (CITE, ()),
        ('"On le paye doble"', ("AAA.e01",)),
        ('"doble"', ("AAA.e01",)),
        ('"dans la premiere levée"', ()),
        ('"On le paye"', ()),
        ('"et double dans"', ()),
        ('"On le paye double", view: emended', ("AAA.e01",)),
        ('"double", suffix: "dans la premiere", view: emended', ("AAA.e01",)),
        ('"double", prefix: et, view: emended', ()),
        ('"double dans la premiere", view: reading', ("AAA.e01",)),
        ('"On le paye doble", role: against', ()),
    ],
)
def test_a_clause_knows_the_emendations_it_quotes(root: Path, cite: str, emendations: tuple[str, ...]) -> None:
    changed(root, A, CITE, cite)
    assert assembled(root).library.clause("AAA.c002").emendations == emendations


def test_an_emendation_counts_in_a_range_too(root: Path) -> None:
    changed(root, A, "- locus: AAA.s0002", "- locus: AAA.s0002\n      to: AAA.s0003")
    changed(root, A, '"Celui qui mene reçoit deux jetons"', '"de chacun. On le paye doble"')
    assert assembled(root).library.clause("AAA.c001").emendations == ("AAA.e01",)


def test_words_left_out_count_where_the_quotation_runs_over_the_gap(root: Path) -> None:
    changed(root, TEXT, 'evidence="internal">double</corr>', 'evidence="internal"/>')
    changed(root, A, CITE, '"paye dans la premiere", view: emended')
    assert assembled(root).library.clause("AAA.c002").emendations == ("AAA.e01",)
    changed(root, A, '"paye dans la premiere"', '"dans la premiere"')
    assert assembled(root).library.clause("AAA.c002").emendations == ()


def told(root: Path) -> list[Problem]:
    return list(an_answer_cannot_be_surer_than_the_emendation_it_rests_on(assembled(root)))


def test_an_answer_is_no_surer_than_its_emendation(root: Path) -> None:
    changed(root, A, CITE, '"On le paye doble"')
    assert told(root) == []  # medium on high
    changed(root, TEXT, 'cert="high"\n  evidence', 'cert="low"\n  evidence')
    assert told(root) == [
        Problem(
            *place(root, A, "medium"),
            "AAA.c002 is of medium certainty, but rests on AAA.e01, which is low",
            "write cert: low, or quote less",
        )
    ]


@pytest.mark.slow
def test_the_sum_of_sixty_four_rests_on_its_emendation() -> None:
    library, _ = load_library(find_sources())
    assert library is not None
    assert library.clause("PAM.c094").emendations == ("PAM.e12",)
    with pytest.raises(KeyError):
        library.clause("PAM.c000")
