"""Play a deal under a ruleset and settle it.

What scripts may rely on is named here, and everything else may change:

    from engine import library, rules, record, read_deal, settle, result

Each name is fetched from its room when it is first asked for, so that a command which settles one deal need not wait
for what it does not use.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.settlement.settle import (  # at once, or `settle` would be the room of that name
    Refused,
    Settled,
    Unanswered,
    settle,
)

if TYPE_CHECKING:
    from engine.deal.diagram import read_diagram
    from engine.deal.model import Deal
    from engine.deal.reader import read_deal
    from engine.deal.writer import write_deal
    from engine.generation.deal import BadSketch, Found, NotFound, fill, random_deal
    from engine.interpretation.worlds import Worlds, possible_worlds
    from engine.session.session import Session, begin, finish, steps
    from engine.settlement.explain import Reckoning, reckon
    from engine.settlement.result_json import result
    from rulebook.load import library, record
    from rulebook.model import Library, Ruleset
    from rulebook.problems import Problem
    from rulebook.resolve import BadChoice, rules

__all__ = [
    "BadChoice",
    "BadSketch",
    "Deal",
    "Found",
    "Library",
    "NotFound",
    "Problem",
    "Reckoning",
    "Refused",
    "Ruleset",
    "Session",
    "Settled",
    "Unanswered",
    "Worlds",
    "begin",
    "fill",
    "finish",
    "library",
    "possible_worlds",
    "random_deal",
    "read_deal",
    "read_diagram",
    "reckon",
    "record",
    "result",
    "rules",
    "settle",
    "steps",
    "write_deal",
]

#: Where each name lives.
_MODULE_OF_NAME: Mapping[str, str] = {
    name: room
    for room, names in {
        "engine.generation.deal": "BadSketch Found NotFound fill random_deal",
        "engine.deal.model": "Deal",
        "engine.deal.reader": "read_deal",
        "engine.deal.writer": "write_deal",
        "engine.deal.diagram": "read_diagram",
        "engine.settlement.result_json": "result",
        "engine.session.session": "Session begin finish steps",
        "engine.settlement.explain": "Reckoning reckon",
        "engine.interpretation.worlds": "Worlds possible_worlds",
        "rulebook.load": "library record",
        "rulebook.model": "Library Ruleset",
        "rulebook.problems": "Problem",
        "rulebook.resolve": "BadChoice rules",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use. Raises AttributeError."""
    import sys
    from importlib import import_module

    if name not in _MODULE_OF_NAME:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    value: object = getattr(import_module(_MODULE_OF_NAME[name]), name)
    setattr(sys.modules[__name__], name, value)  # so that it is fetched once,
    return value


def __dir__() -> list[str]:
    """Return the public names of the package."""
    return sorted(__all__)
