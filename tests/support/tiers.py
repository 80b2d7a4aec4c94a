"""Tiers of tests: what runs by default, and what only before a release (`pytest -m release`), and for how long."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

#: Whether cases for a release are made at all: thousands of them would be made, by every process, to be left out.
MADE = SimpleNamespace(for_release=True)


def sample(cases: Sequence[Any], every: int) -> list[Any]:
    """Return the cases as parameters: of so many one by default, and all of them before a release."""
    if not MADE.for_release:
        return list(cases[::every])
    return [case if at % every == 0 else mark_for_release(case) for at, case in enumerate(cases)]


def mark_for_release(case: Any) -> Any:
    """Return a case as a parameter that is only tried before a release."""
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.release)


def is_default_tier(config: pytest.Config) -> bool:
    """Whether tests from before a release are left out."""
    return "not release" in config.option.markexpr


#: Of processor time that a test may take by default, beside its fixtures: five, what the first of a process reads, and
#: a machine half as fast.
SECONDS = 16.0
LONGER = 60.0  #: what those may take that build an edition, end and start processes, or try every answer on every deal
#: Files and tests.
MAY_TAKE_LONGER = (
    *("tests/browser/", "tests/edition/site/", "tests/edition/book/", "tests/edition/coding/", "tests/system/"),
    *("tests/edition/views/", "tests/reversis/views/"),  # the first computes what all pages share
    "tests/reversis/files/test_version_before.py",
    "tests/edition/corpus/test_spoilt_sources.py",  # it reads the whole library several times
    "tests/edition/export/test_export.py::test_a_client_finds_every_quotation",
    "tests/engine/interpretation/test_effects.py::test_every_alternative_that_is_played_changes_some_worked_deal",
    "tests/proofs/test_fuzz.py::test_whatever_is_fed_is_read_or_refused_with_a_place_and_a_way_out",
)


def measure_seconds() -> float:
    """Return the processor time of this process and of those that it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@contextmanager
def limit_seconds(name: str) -> Iterator[None]:
    """Fail a test that takes longer than it may: the tests are run with every change."""
    began = measure_seconds()
    yield
    spent, allowed = measure_seconds() - began, LONGER if name.startswith(MAY_TAKE_LONGER) else SECONDS
    if spent > allowed:
        pytest.fail(f"{spent:.1f} s of processor time, more than {allowed:.0f}: make it shorter, or mark it `release`")
