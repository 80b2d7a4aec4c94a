"""What a record of the engine does not say is not the case: nobody, nothing, no; a few things go without saying."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields

from engine.deal.pool import NO_POOL
from tests.engine.test_immutability import RECORDS

#: What goes without saying: a debt is claimed, a sum goes to one alone, words fall before the first trick.
UNDERSTOOD = {
    "deal.events.Fact.claimed": True,
    "settlement.ledger.Money.among": 1,
    "deal.events.Announcement.before": 1,
    "deal.model.Deal.provenance": "constructed",
    "session.record.Sitting.provenance": "constructed",
    "generation.wishes.Sketch.id": "filled",
    "interpretation.effects.Difference.kind": "deal",
    "players.view.PlayerView.pool": NO_POOL,
}


def unsaid() -> Iterator[tuple[str, object]]:
    for name, record in RECORDS.items():
        for field in fields(record):
            if field.default is not MISSING:
                yield f"{name}.{field.name}", field.default
            elif field.default_factory is not MISSING:
                yield f"{name}.{field.name}", field.default_factory()


def test_what_is_not_said_is_not_the_case() -> None:
    said = {name: value for name, value in unsaid() if name in UNDERSTOOD or value}
    assert said == UNDERSTOOD and len(dict(unsaid())) > 90


#: Where nought is said when nothing is.
NOUGHT = """
deal.model.FaultKind.over interpretation.explore.Case.nth deal.events.Fact.points
deal.events.Measures.talon_due settlement.ledger.Money.plain settlement.ledger.Money.stakes
settlement.ledger.Money.waiting settlement.ledger.Money.limit_from settlement.ledger.Money.limit
deal.pool.Pool.stake play.table.PlayTable.heart_leads
comparison.separation.Search.raised comparison.separation.Tried.raised session.state.Session.aside
session.state.PoolMemory.aside session.state.Session.deals
"""


def test_nobody_is_not_the_first_seat_and_no_trick_not_the_first() -> None:
    """Where a number could stand, and none does, there is none: not nought."""
    nothing = {name for name, value in unsaid() if value == 0 and value is not False}
    assert nothing == set(NOUGHT.split())
