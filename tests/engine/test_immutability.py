"""What was noted stays as it was: the records of the engine cannot be changed, and carry nothing but their fields.

A few are workbenches, on which a deal is built up or a search goes on; they alone may change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module

from tests.support.places import CLONE

HOME = CLONE / "engine"
MODULES = sorted(path for path in HOME.rglob("*.py") if path.relative_to(HOME).parts[0] != "survey")
WORKBENCHES = {
    "deal.diagram.DiagramHand",
    "generation.plan.Plan",
    "play.table.PlayTable",
    "players.take_view._ViewTaker",
    "comparison.separation.Search",
}
#: Records that keep something reckoned, or that are made so seldom that their size does not matter.
ROOMY_BY_ROOM = {
    "comparison.attribution": "Attribution",
    "generation.deal": "Found NotFound",
    "deal.model": "Deal",
    "comparison.irrelevance_proof": "Knowledge",
    "interpretation.explore": "Drawn",
    "play.replay": "Played",
    "comparison.separation": "Swap Separation Tried SessionSeparation",
    "session.session": "Step NotCounted",
    "session.state": "Session",
    "settlement.settle": "Partie Summary SettlementResult Settled Refused Unanswered",
    "session.record": "Sitting",
    "generation.wishes": "Look Sketch",
}
ROOMY = {f"{room}.{name}" for room, names in ROOMY_BY_ROOM.items() for name in names.split()}
#: Drawings are told apart by themselves: two that say the same on different sheets are two.
BY_THEMSELVES = {"interpretation.decision_diagram.End", "interpretation.decision_diagram.Fork"}


def records() -> Iterator[tuple[str, type]]:
    for path in MODULES:
        parts = path.relative_to(HOME.parent).with_suffix("").parts
        room = import_module(".".join(parts).removesuffix(".__init__"))
        for name, one in sorted(vars(room).items()):
            if isinstance(one, type) and is_dataclass(one) and one.__module__ == room.__name__:
                yield f"{room.__name__.removeprefix('engine.')}.{name}", one


RECORDS = dict(records())


def test_what_is_noted_is_not_changed_afterwards() -> None:
    assert {name for name, one in RECORDS.items() if not vars(one)["__dataclass_params__"].frozen} == WORKBENCHES


def test_a_record_carries_nothing_but_its_fields() -> None:
    assert {name for name, one in RECORDS.items() if "__slots__" not in vars(one)} == {*WORKBENCHES, *ROOMY}


def test_two_records_of_the_same_are_equal_but_drawings_are_told_apart_by_themselves() -> None:
    assert {name for name, one in RECORDS.items() if "__eq__" not in vars(one)} == BY_THEMSELVES


def test_every_name_here_is_a_record() -> None:
    assert {*WORKBENCHES, *ROOMY, *BY_THEMSELVES} <= set(RECORDS)
