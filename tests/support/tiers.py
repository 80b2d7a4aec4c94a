"""Tiers of tests: what runs by default, and what only before a release (`pytest -m release`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def sample(cases: Sequence[Any], every: int) -> list[Any]:
    """Return the cases as parameters: of so many one by default, and all of them before a release."""
    return [case if at % every == 0 else mark_for_release(case) for at, case in enumerate(cases)]


def mark_for_release(case: Any) -> Any:
    """Return a case as a parameter that is only tried before a release."""
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.release)


def is_default_tier(config: pytest.Config) -> bool:
    """Whether tests from before a release are left out."""
    return "not release" in config.option.markexpr
