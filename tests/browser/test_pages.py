"""The whole edition, built once from the real sources: sound in itself, and opened in a browser as a reader would."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import html

# --- the folder in itself ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_navigation_of_the_site_stays_short(site: Path) -> None:
    """Questions, clauses and deals are reached through lists: every page repeats the navigation."""
    (bar,) = html.fromstring((site / "index.html").read_text(encoding="utf-8")).xpath("//*[@id='rv-menu']")
    assert len(bar.xpath(".//a")) <= 40


@pytest.mark.slow
def test_no_style_sheet_fetches_anything_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(https?:)?//|@import", path.read_text(encoding="utf-8")), path.name
