"""Scripts that pages have besides those of their views."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

_PAGES_WITH_ENGINE = frozenset({"own-deal", "table"})
_WORKER = "settle-worker.js"  #: no page loads it by a tag, so Sphinx gives its address no version


def list_scripts(kinds: AbstractSet[str]) -> Mapping[str, Mapping[str, Any]]:
    """List the script of a page by the views on it, with attributes of its tag.

    The engine is told the address of its worker, which changes with its content; other pages fetch it in advance.
    """
    return (
        {"settle-engine.js": {"data-worker": _format_worker_address()}}
        if _PAGES_WITH_ENGINE & kinds
        else {"settle-link.js": {}}
    )


@cache
def _format_worker_address() -> str:
    content = (Path(__file__).parents[1] / "static" / _WORKER).read_bytes()
    return f"{_WORKER}?v={sha256(content).hexdigest()[:8]}"
