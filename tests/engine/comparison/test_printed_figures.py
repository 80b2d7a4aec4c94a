"""Sources against themselves: every number that a source prints is run, and a wrong one is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.comparison.printed_figures import (
    FigureError,
    FigureFormula,
    Held,
    check_source_figure,
    check_source_figures,
)
from engine.deal.model import Deal
from engine.readings.ask import Ask
from rulebook.checks.numbers import faults_of_printed
from rulebook.model import Library
from rulebook.resolve import resolve

#: What is known not to agree, and why the edition leaves it so: the remark of each says it.
CONTRADICTIONS = {"ACA.p03", "GER.p10", "HOY.p01", "PAM.p21"}


@pytest.fixture(scope="module")
def numbers(library: Library, deals: Mapping[str, Deal]) -> Mapping[str, Held]:
    return {
        found.printed.id: found for siglum in library.sources for found in check_source_figures(library, siglum, deals)
    }


def test_every_printed_number_agrees_or_is_a_known_contradiction_with_a_remark(numbers: Mapping[str, Held]) -> None:
    assert len(numbers) > 50
    assert {id for id, found in numbers.items() if not found.agrees} == CONTRADICTIONS
    assert all(numbers[id].printed.remark for id in CONTRADICTIONS)
    assert all(found.found is not None and not found.fault for found in numbers.values())


def test_pam_s0074_forty_fiches_come_from_across_the_table(numbers: Mapping[str, Held]) -> None:
    assert [numbers[id].found for id in ("PAM.p13", "PAM.p14", "PAM.p15")] == [40, 40, 10]


def test_pam_s0104_prints_four_where_its_own_tariff_has_64(numbers: Mapping[str, Held]) -> None:
    assert (numbers["PAM.p21"].expected, numbers["PAM.p21"].found) == (4, 64)


def test_aca_s0001_seven_cards_are_not_left_over_of_52(numbers: Mapping[str, Held]) -> None:
    assert (numbers["ACA.p03"].expected, numbers["ACA.p03"].found) == (7, 1)


def test_hoy_s0001_the_box_holds_440_and_not_400(numbers: Mapping[str, Held]) -> None:
    assert (numbers["HOY.p01"].expected, numbers["HOY.p01"].found) == (400, 440)


def test_a_number_rests_on_questions_or_on_the_worth_of_counters(numbers: Mapping[str, Held]) -> None:
    silent = {id for id, found in numbers.items() if not found.asked}
    assert silent == {"HOY.p01", "PAM.p08", "PAM.p11", "PAR.p02"}


def test_another_number_does_not_agree(library: Library, deals: Mapping[str, Deal]) -> None:
    for siglum, source in library.sources.items():
        rules = resolve(library, siglum)
        for printed in source.printed:
            false = check_source_figure(library, source, rules, replace(printed, says=printed.says + 1), deals)
            assert false.agrees == (printed.id in CONTRADICTIONS and false.found == false.expected)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("3 *", "is no sum"),
        ("Q999", "no question Q999"),
        ("Q036", "not answered by a number"),
        ("hand(7, 48)", "not provided for"),
        ("hand(4)", "cannot be computed"),
        ("__import__('os')", "cannot be computed"),
        ("2 ** 9", "cannot be computed"),
        ("(1).real", "cannot be computed"),
        ("True", "cannot be computed"),
    ],
)
def test_what_is_no_sum_of_answers_is_refused(library: Library, text: str, fault: str) -> None:
    source = library.sources["PAM"]
    with pytest.raises(FigureError, match=fault):
        FigureFormula(library, source, Ask(resolve(library, "PAM"))).of(text)


def test_a_payment_that_is_not_made_is_told(library: Library, deals: Mapping[str, Deal]) -> None:
    source, rules = library.sources["PAM"], resolve(library, "PAM")
    printed = next(p for p in source.printed if p.deal)
    for changed, fault in (
        (replace(printed, deal="nowhere"), "no worked deal"),
        (replace(printed, rule="led"), "nothing is paid"),
        (replace(printed, deal="five-players-ten-each"), "not settled"),
    ):
        assert fault in check_source_figure(library, source, rules, changed, deals).fault


@pytest.mark.parametrize(
    ("changed", "key", "fault"),
    [
        ({"says": 13}, "says", "do not name 13"),
        ({"unit": "fish"}, "unit", "no counter fish"),
        ({"reckon": ""}, "id", "either reckon or deal"),
        ({"deal": "pam-quinola-placed"}, "id", "either reckon or deal"),
    ],
)
def test_a_badly_recorded_number_is_told(library: Library, changed: dict[str, object], key: str, fault: str) -> None:
    source = library.sources["PAM"]
    found = list(faults_of_printed(source, replace(source.printed[0], **changed)))  # type: ignore[arg-type]
    assert [where for where, _, _ in found] == [key]
    assert fault in found[0][1]


def test_words_that_the_page_does_not_have_are_told(library: Library) -> None:
    source = library.sources["PAM"]
    cite = replace(source.printed[0].cite, exact="onze chevaux")
    assert [key for key, _, _ in faults_of_printed(source, replace(source.printed[0], cite=cite))] == ["exact"]
    lost = replace(source.printed[0].cite, locus="PAM.s9999")
    assert [key for key, _, _ in faults_of_printed(source, replace(source.printed[0], cite=lost))] == ["locus"]
