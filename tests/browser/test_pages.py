"""The whole edition, built once from the real sources: sound in itself, and opened in a browser as a reader would."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from tests.support.site import pages

# --- the folder in itself ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_link_within_the_edition_arrives(site: Path) -> None:
    """Every address names a file of the folder, and a place on it."""
    found = dict(pages(site))
    places = {name: set(root.xpath("//@id")) for name, root in found.items()}
    files = (path for path in site.rglob("*") if path.is_file() and path.suffix != ".html")  # data, citations, images
    places |= {path.relative_to(site).as_posix(): set() for path in files}
    lost = [
        (name, link)
        for name, root in found.items()
        for link in root.xpath("//a/@href")
        if not arrives(name, link, places)
    ]
    assert lost == []


def arrives(page: str, link: str, places: dict[str, set[str]]) -> bool:
    """Whether a link leads somewhere; links out of the edition are not followed."""
    address, _, place = link.partition("#")
    if re.match(r"[a-z]+:", address):
        return True
    target = os.path.normpath(os.path.join(os.path.dirname(page), address)) if address else page
    return target in places and (not place or place in places[target])


@pytest.mark.slow
def test_every_page_of_the_edition_is_sound(site: Path) -> None:
    """An id stands once; tables have captions and named headings; nothing comes from another host."""
    for name, root in pages(site):
        ids = root.xpath("//@id")
        assert sorted(ids) == sorted(set(ids)), name
        assert not root.xpath("//article//table[contains(@class, 'rv-table')][not(caption)]"), name
        assert not root.xpath("//article//table[contains(@class, 'rv-table')]//th[not(@scope)]"), name
        fetched = [*root.xpath("//@src"), *root.xpath("//link/@href")]
        assert not [one for one in fetched if re.match(r"(https?:)?//", one)], name


@pytest.mark.slow
def test_the_navigation_of_the_site_stays_short(site: Path) -> None:
    """Questions, clauses and deals are reached through lists: every page repeats the navigation."""
    (bar,) = html.fromstring((site / "index.html").read_text(encoding="utf-8")).xpath("//*[@class='sidebar-tree']")
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
