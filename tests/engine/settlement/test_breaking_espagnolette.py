"""An espagnolette that breaks a reversis: neither won nor lost, unless the source says that any trick loses it."""

from __future__ import annotations

import pytest

from engine.settlement.result_json import result
from engine.settlement.settle import Settled, settle
from reversis.words.events import describe_outcome
from rulebook.model import Library
from rulebook.resolve import read_choice, resolve
from rulebook.sources.paths import find_sources
from tests.engine.test_worked_deals import deal_of

DEAL = deal_of(find_sources() / "PAR" / "deals" / "par-espagnolette-breaks.yaml")
UNLOST = "holds the espagnolette, and breaking the reversis does not lose it"
LOST = "loses the espagnolette"


@pytest.mark.parametrize(
    ("source", "ways", "said"),
    [
        *((siglum, (), UNLOST) for siglum in ("PAM", "PAR", "HOY", "PIE")),
        ("MEY", (), LOST),  # s0009: "erhält er doch noch einen Stich" excepts no trick
        ("MEY", ("MEY.i09",), UNLOST),
        ("PAR", ("PAR.i13",), LOST),
    ],
)
def test_an_espagnolette_that_breaks_a_reversis(
    library: Library, source: str, ways: tuple[str, ...], said: str
) -> None:
    settled = settle(DEAL, resolve(library, source, [read_choice(library, way) for way in ways]))
    assert isinstance(settled, Settled)
    (line,) = [one for one in describe_outcome(settled.outcome, DEAL.seats) if "espagnolette" in one]
    assert line.endswith(said)
    outcome = result(settled)["outcome"]
    assert isinstance(outcome, dict)
    player = outcome["reversis"]["breakers"][0]
    assert outcome["espagnolette"] == {"player": player, "won": False, "broke_reversis": True}


def test_an_espagnolette_without_a_reversis_has_broken_none(library: Library) -> None:
    deal = deal_of(find_sources() / "MEY" / "deals" / "mey-espagnolette-in-a-last-trick.yaml")
    settled = settle(deal, resolve(library, "MEY"))
    assert isinstance(settled, Settled)
    outcome = result(settled)["outcome"]
    assert isinstance(outcome, dict)
    assert outcome["espagnolette"] == {"player": "east", "won": False}


def test_what_a_source_orders_and_no_answer_holds_stands_with_every_result_that_comes_to_it(library: Library) -> None:
    """HOY.s0015: of what a losing espagnolette has to give back and pay, not all is held."""
    deal = deal_of(find_sources() / "MEY" / "deals" / "mey-espagnolette-in-a-last-trick.yaml")
    settled, other = settle(deal, resolve(library, "HOY")), settle(DEAL, resolve(library, "PAR"))
    assert isinstance(settled, Settled) and isinstance(other, Settled)
    order, _ = settled.not_held
    assert order.words == "returns the consolations he may have received for aces or quinolas"
    told = [{"sentence": "HOY.s0015", "words": one.words, "what": one.explanation} for one in settled.not_held]
    assert result(settled)["not_held"] == told
    assert "HOY.s0015" not in str(result(other))
    line = settled.unheld_line
    assert line.count("HOY.s0015") == 2 and all(one.what in line and one.played not in line for one in settled.not_held)
