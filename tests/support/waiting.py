"""Waiting in a page until something is so: the policy of the pages forbids the browser its own way, which is code."""

from __future__ import annotations

import time
from typing import Any

OFTEN = 0.05  #: seconds between two looks
LONG = 30_000  #: milliseconds, as elsewhere in these tests


def until(page: Any, said: str, arg: Any = None, timeout: float = LONG) -> None:
    """Look until an expression is true, or a function of something says yes."""
    end = time.monotonic() + timeout / 1000
    while not _evaluate(page, said, arg):
        assert time.monotonic() < end, f"not so after {timeout / 1000:.0f} seconds: {said}"
        time.sleep(OFTEN)


def _evaluate(page: Any, said: str, arg: Any) -> Any:
    """Evaluate an expression; nothing where the page is just left for another."""
    try:
        return page.evaluate(said, arg)
    except Exception as fault:
        if "Execution context was destroyed" not in str(fault):
            raise
        return None


def gone_on(request: Any) -> bool:
    """Whether a request ended because the reader had gone on to another page before it was answered."""
    return bool(request.failure == "net::ERR_ABORTED")
