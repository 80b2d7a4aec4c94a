"""Deals in which the edition was once found wrong (`tests/data/cases`), as they were handed in."""

from __future__ import annotations

import json
from pathlib import Path

from engine.deal.model import Deal
from engine.deal.reader import read_deal

CASES = Path(__file__).parents[1] / "data/cases"


def case(name: str) -> Deal:
    """The deal of a file."""
    (deal,) = cases(f"{name}.json")
    return deal


def cases(file: str) -> tuple[Deal, ...]:
    """The deals of a file, one on each line."""
    return tuple(_read(line) for line in (CASES / file).read_text("utf-8").splitlines())


def _read(line: str) -> Deal:
    deal, problems = read_deal(json.loads(line))
    assert deal is not None, "\n".join(map(str, problems))
    return deal
