"""The whole edition, built once from the real sources: sound in itself, and opened in a browser as a reader would."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

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


# --- in a browser ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without a script"])
def test_the_reader_switches_between_the_two_views_of_a_text(browser: Any, site: Path, script: bool) -> None:
    name = next(path for path in sorted(site.glob("sources/*.html")) if "rv-switch" in path.read_text(encoding="utf-8"))
    context = browser.new_context(java_script_enabled=script)
    tab = context.new_page()
    tab.goto(name.as_uri())
    printed, reading = tab.locator(".rv-printed").first, tab.locator(".rv-reading").first
    assert (printed.is_visible(), reading.is_visible()) == (True, False)
    tab.locator("input.rv-view-reading").check()
    assert (printed.is_visible(), reading.is_visible()) == (False, True)
    context.close()


@pytest.mark.slow
@pytest.mark.browser
def test_the_chosen_view_is_remembered_on_the_next_page(browser: Any, site: Path) -> None:
    first, second, *_ = (
        path for path in sorted(site.glob("sources/*.html")) if "rv-switch" in path.read_text(encoding="utf-8")
    )
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(first.as_uri())
    tab.locator("input.rv-view-reading").check()
    tab.goto(second.as_uri())
    assert tab.locator("input.rv-view-reading").is_checked()
    context.close()
