"""What a broken reversis costs the pool where no quinola decides whether the reversis wins it."""

from __future__ import annotations

import pytest

from engine.settlement.explain import Reckoning, reckon
from engine.settlement.settle import Settled, settle
from rulebook.model import Library
from rulebook.resolve import read_choice, resolve
from rulebook.sources.paths import find_sources
from tests.engine.test_worked_deals import deal_of
from tests.support.deals import paid
from tests.support.settling import Settle

DEAL = deal_of(find_sources() / "MEY" / "deals" / "mey-reversis-broken.yaml")


@pytest.mark.parametrize(
    ("ways", "north", "pool"),
    [((), 64, 60), (("MEY.i03",), 124, 0)],
    ids=["the stake drawn by a quinola goes back", "MEY.i03: it stands"],
)
def test_mey_s0007_who_gives_a_trick_away_after_nine_makes_the_remise(
    library: Library, ways: tuple[str, ...], north: int, pool: int
) -> None:
    found = settle(DEAL, resolve(library, "MEY", [read_choice(library, way) for way in ways]))
    assert isinstance(found, Settled)
    assert paid(found, "reversis-stake") == {("west", "pool"): 60}
    assert list(found.net.values()) == [0, 0, north, -124, pool]


@pytest.mark.parametrize("won", ["draws", "nothing"])
@pytest.mark.parametrize(("costs", "sum_"), [("matches", 60), ("nothing", 0)])
def test_the_reversis_alone_decides_unless_it_is_won_by_the_quinola(
    settles: Settle, won: str, costs: str, sum_: int
) -> None:
    found = settles(DEAL, "MEY", f"reversis.stake={won}", f"reversis.broken.stake={costs}")
    assert paid(found, "reversis-stake") == ({("west", "pool"): sum_} if sum_ else {})


def test_no_payment_of_a_broken_reversis_is_said_to_be_missing_in_mey(library: Library) -> None:
    found = reckon(DEAL, resolve(library, "MEY"))
    assert isinstance(found, Reckoning)
    (line,) = [one for one in found.all if one.rule == "reversis-stake"]
    assert not line.reason
    assert [ruling.id for ruling in found.settled.rulings(line) if ruling.clauses == ("MEY.c078",)] == ["Q078"]
