"""Many small cases as one test: what each costs to collect, to send and to report is more than what it does."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any


def in_one_test(names: str, cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Go through the cases as `pytest.mark.parametrize` would, but in one test; all that fail are told together."""
    given = [name.strip() for name in names.split(",")]
    listed = [case if len(given) > 1 else (case,) for case in cases]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def whole(**fixtures: Any) -> None:
            named = (dict(zip(given, case, strict=True)) for case in listed)
            failures = [fault for case in named if (fault := find_failure(test, case, fixtures))]
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(listed)} cases fail", failures)

        asked = inspect.signature(test)
        whole.__signature__ = asked.replace(  # type: ignore[attr-defined]  # what pytest is to give
            parameters=[one for name, one in asked.parameters.items() if name not in given]
        )
        assert listed, "there are no cases"
        return whole

    return decorate


def find_failure(test: Callable[..., None], case: dict[str, Any], fixtures: dict[str, Any]) -> Exception | None:
    """Return what a case raises, with the case added to its words; None if it holds."""
    try:
        test(**case, **fixtures)
    except Exception as fault:
        fault.add_note(f"case: {case!r}"[:400])
        return fault
    return None
