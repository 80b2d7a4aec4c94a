"""Ranges of counsel: which other readings of a source are tried, and which are joined."""

from __future__ import annotations

import pytest

from proofs.counsel import join_readings, list_rival_wishes
from rulebook.model import Library

READINGS = {
    ("GER.i01",): frozenset({"exchange.who"}),
    ("GER.i21",): frozenset({"deal.near"}),
    ("GER.i09",): frozenset({"deal.near"}),
}


def line(gain: float) -> dict[str, float]:
    return {"gain": gain, "gain give or take": 0.5}


@pytest.mark.slow
def test_every_other_reading_that_a_single_deal_can_show_is_tried(library: Library) -> None:
    found = list_rival_wishes(library, "GER")
    assert {("GER.i01",), ("GER.i20",), ("GER.i21",)} <= found.keys()
    assert all(one.startswith("GER.i") for (one,) in found)


def test_readings_that_lower_a_figure_are_joined_the_strongest_for_each_question() -> None:
    figures = {(): line(13.1), ("GER.i01",): line(6.6), ("GER.i21",): line(5.1), ("GER.i09",): line(8.0)}
    assert join_readings(READINGS, figures, lowering=True) == ("GER.i21", "GER.i01")
    assert join_readings(READINGS, figures, lowering=False) == ()


def test_a_reading_that_moves_a_figure_within_its_margin_is_not_joined() -> None:
    figures = {(): line(1.0), ("GER.i01",): line(0.9), ("GER.i21",): line(1.8)}
    assert join_readings(READINGS, figures, lowering=True) == ()
    assert join_readings(READINGS, figures, lowering=False) == ("GER.i21",)
