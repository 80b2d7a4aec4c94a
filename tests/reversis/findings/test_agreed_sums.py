"""Sums that are agreed on before play: those that a source leaves to the players, each as an answer that is played."""

from __future__ import annotations

from edition.corpus.corpus import Corpus
from reversis.findings.agreed_sums import list_agreed_sums
from rulebook.resolve import rules
from tests.support.settling import SIGLA


def test_two_sources_leave_sums_to_the_players(corpus: Corpus) -> None:
    agreed = corpus.telling.agreed
    sums = {siglum: [*list_agreed_sums(corpus.library, siglum, agreed.by, agreed.sums)] for siglum in SIGLA}
    assert {siglum: len(each) for siglum, each in sums.items() if each} == {"ACA": 5, "GER": 2}
    assert [(sum_.question, sum_.own) for sum_ in sums["GER"]] == [("Q035", 2), ("Q020", 1)]
    (talon,) = (sum_ for sum_ in sums["ACA"] if sum_.besides)
    assert talon.own is None and talon.besides == ("Q061=agreed-sum",)


def test_a_sum_that_is_agreed_on_is_played(corpus: Corpus) -> None:
    agreed, library = corpus.telling.agreed, corpus.library
    for siglum in ("ACA", "GER"):
        for sum_ in list_agreed_sums(library, siglum, agreed.by, agreed.sums):
            ruleset = rules(library, siglum, *sum_.besides, f"{sum_.question}=7")
            (ruling,) = (ruling for ruling in ruleset.rulings.values() if ruling.id == sum_.question)
            assert ruling.value == 7 != sum_.own
