"""What was noted stays as it was: the records of the engine cannot be changed, and carry nothing but their fields.

A few are workbenches, on which a deal is built up or a search goes on; they alone may change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path

ROOMS = sorted((Path(__file__).resolve().parents[1] / "engine").glob("*.py"))
WORKBENCHES = {"diagram.Hand", "plans.Plan", "replay.Table", "separating.Search", "telling.Exactly"}
#: Records that keep something reckoned, or that are made so seldom that their size does not matter.
ROOMY_BY_ROOM = {
    "attribution": "Attribution",
    "dealing": "Found NotFound",
    "deals": "Deal",
    "everywhere": "Knowledge",
    "explore": "Drawn",
    "plans": "Sketch",
    "readings": "Knot",
    "replay": "Played",
    "separating": "Swap Separation Tried SessionSeparation",
    "session": "Session Step NotCounted",
    "settle": "Partie Summary Settled Refused Unanswered",
    "sittings": "Sitting",
    "wishes": "Look",
}
ROOMY = {f"{room}.{name}" for room, names in ROOMY_BY_ROOM.items() for name in names.split()}
#: Drawings are told apart by themselves: two that say the same on different sheets are two.
BY_THEMSELVES = {"branches.End", "branches.Fork"}


def records() -> Iterator[tuple[str, type]]:
    for path in ROOMS:
        room = import_module(f"engine.{path.stem}") if path.stem != "__init__" else import_module("engine")
        for name, one in sorted(vars(room).items()):
            if isinstance(one, type) and is_dataclass(one) and one.__module__ == room.__name__:
                yield f"{path.stem}.{name}", one


RECORDS = dict(records())


def test_what_is_noted_is_not_changed_afterwards() -> None:
    assert {name for name, one in RECORDS.items() if not vars(one)["__dataclass_params__"].frozen} == WORKBENCHES


def test_a_record_carries_nothing_but_its_fields() -> None:
    assert {name for name, one in RECORDS.items() if "__slots__" not in vars(one)} == {*WORKBENCHES, *ROOMY}


def test_two_records_of_the_same_are_equal_but_drawings_are_told_apart_by_themselves() -> None:
    assert {name for name, one in RECORDS.items() if "__eq__" not in vars(one)} == BY_THEMSELVES


def test_every_name_here_is_a_record() -> None:
    assert {*WORKBENCHES, *ROOMY, *BY_THEMSELVES} <= set(RECORDS)
