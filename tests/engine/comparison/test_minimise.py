"""Making a separating deal small: what counts as large, what is tried, and how far."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.comparison import minimise as shrinking
from engine.comparison.minimise import (
    accept_smaller_deal,
    find_decisive_trick,
    played_anew,
)
from engine.deal.model import Deal
from tests.support.deals import lay_deal
from tests.support.settling import Settle

Patch = pytest.MonkeyPatch


@pytest.fixture(scope="module")
def deal() -> Deal:
    return lay_deal(heart_first=True, seed=3)


def of(deal: object, **more: Any) -> Any:
    """A find with this deal."""
    return SimpleNamespace(deal=deal, swap=SimpleNamespace(base="PAM", question="q"), **more)


# ---- steps


def test_a_deal_that_is_as_large_is_taken_and_a_larger_one_is_not(monkeypatch: Patch) -> None:
    sizes = {"less": (1, 9), "same": (2, 0), "more": (2, 1)}
    monkeypatch.setattr(shrinking, "try_separation", lambda swap, deal: deal)
    monkeypatch.setattr(shrinking, "measure_deal_size", lambda found: sizes[found])
    told: list[Any] = [accept_smaller_deal(of("before"), name, (2, 0)) for name in sizes]  # type: ignore[arg-type]
    assert told == ["less", "same", None]
    assert accept_smaller_deal(of("before"), None, (2, 0)) is None


def test_a_deal_with_faults_or_a_fragment_is_not_played_anew(deal: Deal) -> None:
    fault: Any = object()
    assert played_anew(Random(1), of(replace(deal, faults=(fault,)))) is None
    assert played_anew(Random(1), of(replace(deal, fragment=True))) is None


def test_two_sides_part_in_the_first_trick_that_is_told_or_at_the_end_or_before_the_play(
    settles: Settle, deal: Deal, monkeypatch: Patch
) -> None:
    settled, silent = settles(deal, "PAM"), SimpleNamespace()

    def parting(*tricks: int | None, after: object = settled) -> int:
        entries = [SimpleNamespace(fact=SimpleNamespace(trick=trick)) for trick in tricks]
        monkeypatch.setattr(shrinking, "differing_entries", lambda before, after: (entries, []))
        return find_decisive_trick(of(deal, before=settled, after=after))

    assert parting(7, 4, 9) == 4
    assert parting(7, None) == parting() == len(deal.tricks) == 11
    assert parting(after=silent) == parting(None, after=silent) == 0
    assert parting(7, None, after=silent) == 11 and parting(7, after=silent) == 7
