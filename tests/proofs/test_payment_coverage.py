"""Every fact with every outcome that a source distinguishes occurs, and every ledger balances: a sample."""

from __future__ import annotations

import json

import pytest

from engine.generation.turn import TableShape, list_table_shapes
from proofs.steering import find_tally_faults, main, merge_ending_tallies, summarise_table, tally_ending
from proofs.steering_grid import IMPOSSIBLE_CELLS, CardEvent, DealEnding, SteeringGrid, explain_impossible_cell
from rulebook.model import Library
from rulebook.sources.paths import find_sources
from tests.support.settling import Rules

RECEIPT = find_sources() / "receipts" / "steering.json"


def grid(rules: Rules, source: str) -> SteeringGrid:
    return SteeringGrid(rules(source), list_table_shapes(rules(source))[0])


@pytest.mark.release
@pytest.mark.parametrize("source", ["ACA", "GER"])
def test_everything_occurs_twice(rules: Rules, source: str) -> None:
    one = grid(rules, source)
    tally = merge_ending_tallies([tally_ending(one, end, 2, 1) for end in one.endings()])
    assert list(find_tally_faults(tally)) == []
    assert summarise_table(tally)["least"] == 2
    assert all(tally.counts[cell] >= 2 for cell in one.cells() if not explain_impossible_cell(cell, one))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "end"),
    [("PAM", DealEnding("none", "won", "without-a-trick")), ("PAR", DealEnding("broken", "breaking"))],
)
def test_an_outcome_with_an_espagnolette_occurs_with_every_fact(rules: Rules, source: str, end: DealEnding) -> None:
    one = grid(rules, source)
    assert end in set(one.endings())
    tally = tally_ending(one, end, 1, 1)
    assert list(find_tally_faults(tally)) == [] and tally.deals > 10


def test_every_reason_why_something_cannot_be_is_needed(rules: Rules) -> None:
    grids = [grid(rules, s) for s in ("PAM", "PAR", "ACA", "GER")]
    reasons = {why for one in grids for cell in one.cells() if (why := explain_impossible_cell(cell, one))}
    assert reasons == set(IMPOSSIBLE_CELLS)


def test_what_is_said_to_be_impossible_never_occurs(rules: Rules) -> None:
    one = grid(rules, "PAM")
    some = tally_ending(one, DealEnding("made"), 1, 5)
    assert some.deals > 0 and not [cell for cell in some.counts if explain_impossible_cell(cell, one)]
    assert set(some.counts) <= set(one.cells())


def test_a_source_distinguishes_no_more_than_it_says(rules: Rules) -> None:
    """The French pamphlet counts the first and the last trick double, and opposite; the German treatise neither."""
    pam, ger = set(grid(rules, "PAM").events(True)), set(grid(rules, "GER").events(True))
    assert CardEvent("favoured ace", "thrown-off", "the last trick", "opposite") in pam
    assert CardEvent("favoured ace", "thrown-off") in ger and CardEvent("favoured ace", "thrown-off") not in pam
    assert CardEvent("quinola", "put") in ger and "put" not in {e.manner for e in pam}
    assert {e.asked for e in ger if (e.card, e.manner) == ("quinola", "led")} == {"free", "not-free"}


def test_a_place_that_is_not_reached_is_told(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofs.steering.STEERING_TRIES", 1)
    monkeypatch.setattr("proofs.steering.fill", lambda *given: type("NotFound", (), {"tries": 1})())
    one = grid(rules, "ACA")
    lines = list(find_tally_faults(tally_ending(one, DealEnding("made"), 1, 1)))
    assert lines and all("not reached" in line for line in lines)


@pytest.mark.release
def test_the_figures_of_a_single_source_leave_no_receipt(capsys: pytest.CaptureFixture[str]) -> None:
    before = RECEIPT.read_bytes() if RECEIPT.is_file() else b""
    assert main(["--per", "1", "--source", "GER"]) == 0
    assert "every ledger balances" in capsys.readouterr().out
    assert (RECEIPT.read_bytes() if RECEIPT.is_file() else b"") == before


def test_the_receipt_tells_of_every_table_of_every_source(library: Library, rules: Rules) -> None:
    """One of an earlier state of the sources, as the page of proofs says of it, has the tables of that state."""
    receipt = json.loads(RECEIPT.read_text(encoding="utf-8"))
    figures, per = receipt["figures"], receipt["figures"]["times at least"]
    assert receipt["proof"] == "steering" and per >= 30 and "--per 30" in receipt["command"]
    expected = {name_table(s, h) for s in library.sources for h in list_table_shapes(rules(s))}
    assert figures["tables"] and {*figures["tables"]} <= expected
    assert {*figures["tables"]} == expected or receipt["sources"] != library.rules_digest
    for name, told in figures["tables"].items():
        counted = [n for row in figures[name].values() for n in row.values() if n != "x"]
        assert len(counted) == told["combinations"]
        assert min(counted) == told["least"] >= per
    assert sum(told["deals"] for told in figures["tables"].values()) == figures["deals"]


def name_table(source: str, shape: TableShape) -> str:
    return f"{source}: {shape.players} players, {shape.pack} cards, hands of {shape.hand}, talon of {shape.talon}"
