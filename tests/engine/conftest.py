"""The worked deals, for every test of the engine that needs some of them."""

from __future__ import annotations

import pytest

from engine.deal.model import Deal
from reversis.files.deals import read_worked_records
from rulebook.model import Library


@pytest.fixture(scope="session")
def deals(library: Library) -> dict[str, Deal]:
    """Every worked deal by its id, in the order of the files."""
    return {record.deal.id: record.deal for record in read_worked_records(library) if record.deal is not None}
