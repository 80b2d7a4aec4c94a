"""The tutorial runs from the first cell to the last, and shows what it shows when it is run."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import html

from proofs.tutorial import read_notebook, run_notebook


def outputs(notebook: dict[str, Any], *kinds: str) -> list[str]:
    """What the cells show in these kinds; pandas and matplotlib may draw otherwise in another version."""
    every = [one for cell in notebook["cells"] for one in cell.get("outputs", [])]
    data = [one.get("data", {"text/plain": one.get("text")}) for one in every]
    return ["".join(one[kind]) for one in data for kind in kinds if kind in one]


HINT = "after a change to sources or program: python -m proofs.tutorial"
SURVEYED = "for seed in range(2000)"  #: in its fifth cell of code


@pytest.mark.slow
def test_the_tutorial_shows_what_it_shows_up_to_the_deals_by_lot_and_goes_on_with_a_few_of_them() -> None:
    kept, short = read_notebook(), read_notebook()
    (cell,) = (one for one in short["cells"] if SURVEYED in "".join(one["source"]))
    cell["source"] = [line.replace(SURVEYED, "for seed in range(25)") for line in cell["source"]]
    before, (dealt, *after) = 4, outputs(run := run_notebook(short), "text/plain")[4:]
    assert outputs(run, "text/plain")[:before] == outputs(kept, "text/plain")[:before], HINT
    assert dealt.startswith("25 deals, ") and "of 25 deals come out otherwise" in after[-1]
    assert [one.keys() for one in shown(run)] == [one.keys() for one in shown(kept)]


def shown(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """What each cell shows, by kinds."""
    return [one.get("data", {}) for cell in notebook["cells"] for one in cell.get("outputs", [])]


@pytest.mark.release  # thousands of deals
def test_the_tutorial_shows_what_it_shows_when_it_is_run() -> None:
    kept, run = read_notebook(), run_notebook(read_notebook())
    assert outputs(run, "text/plain") == outputs(kept, "text/plain"), HINT
    drawn = [
        [one.text for one in html.fromstring(letters).iter("text")]
        for notebook in (kept, run)
        for letters in outputs(notebook, "image/svg+xml")
    ]
    assert len(drawn) == 2 and drawn[0] == drawn[1] and "fiches a deal" in drawn[0], HINT


def test_every_cell_of_the_tutorial_has_been_run() -> None:
    cells = [cell for cell in read_notebook()["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == [*range(1, len(cells) + 1)]
    assert "2,000 deals" in "".join(outputs(read_notebook(), "text/plain"))
