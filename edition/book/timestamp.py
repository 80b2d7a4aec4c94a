"""The moment that stands in a book: never that of the clock, so that two books from the same records are the same."""

from __future__ import annotations

import os
from datetime import UTC, datetime

VARIABLE = "SOURCE_DATE_EPOCH"
EARLIEST = datetime(1980, 1, 1, tzinfo=UTC)  # the earliest that a ZIP can name


def moment() -> datetime:
    """What the environment says, as the custom is for builds that can be repeated; else the earliest there is."""
    said = os.environ.get(VARIABLE, "")
    return max(datetime.fromtimestamp(int(said), UTC), EARLIEST) if said.isdecimal() else EARLIEST
