"""The home page in a browser: the deal that plays itself, and the totals; the menu and the frame of all pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.waiting import until
from tests.support.windows import Open, windows

pytestmark = [pytest.mark.slow, pytest.mark.browser]

SIZES = ((390, 844), (1280, 860))
TOTALS = "[...document.querySelectorAll('.rv-home-number')].map((one) => one.textContent)"
BELOW = "[...document.querySelectorAll('.rv-home-bar svg')].map((one) => one.getBoundingClientRect().bottom)"


@pytest.fixture
def opened(browser: Any, site: Path) -> Iterator[Open]:
    with windows(browser, f"{site.as_uri()}/", timeout=15_000) as opens:
        yield opens


def finals(tab: Any) -> list[str]:
    """The totals as the page has them before a script runs."""
    said = tab.evaluate("[...document.querySelectorAll('[data-running]')].map((one) => one.dataset.running)")
    numbers = (int(one.rpartition(",")[2]) for one in said)
    return [f"{number:+d}".replace("-", "−") if number else "0" for number in numbers]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_board_caption_and_all_totals_are_in_sight(opened: Open, width: int, height: int) -> None:
    tab = opened("index.html", viewport={"width": width, "height": height}, reduced_motion="reduce")
    assert max(tab.evaluate(BELOW)) <= height
    caption, board = tab.locator(".rv-film-top").bounding_box(), tab.locator(".rv-film-head").bounding_box()
    assert 0 < board["y"] - (caption["y"] + caption["height"]) + 1 < 20
    rows = [
        (one.bounding_box(), one.locator(".rv-film-seat").bounding_box()) for one in tab.locator(".rv-film-row").all()
    ]
    assert all(
        row["y"] <= name["y"] and name["y"] + name["height"] <= row["y"] + row["height"] + 1 for row, name in rows
    )


#: Pause the film; if it is over, on a slow machine, once more from the beginning.
STOPPED_SOMEWHERE = """() => {
  const button = document.querySelector(".rv-film-pause");
  if (button.textContent !== "Pause") button.click();
  button.click();
}"""


def test_the_totals_count_with_the_tricks_and_end_in_the_results(opened: Open) -> None:
    tab = opened("index.html", viewport={"width": 1280, "height": 860})
    pause = tab.locator(".rv-film-pause")
    until(tab, "document.querySelector('.rv-film-pause').textContent !== 'Play'")  # it began by itself
    tab.evaluate(STOPPED_SOMEWHERE)
    seen = tab.evaluate(TOTALS)
    assert seen != finals(tab) and not tab.locator(".rv-home-reasons").first.is_visible()
    tab.wait_for_timeout(700)
    assert tab.evaluate(TOTALS) == seen and pause.inner_text() == "Play"
    pause.click()
    until(tab, "document.querySelectorAll('.rv-film-later').length === 0")
    until(tab, "document.querySelector('.rv-film-pause').textContent === 'Play again'")
    assert tab.evaluate(TOTALS) == finals(tab) and tab.locator(".rv-home-reasons").first.is_visible()
    assert tab.evaluate("getComputedStyle(document.querySelector('.rv-film-pause')).borderTopWidth") == "1px"


@pytest.mark.parametrize("how", [{"java_script_enabled": False}, {"reduced_motion": "reduce"}])
def test_without_scripts_or_motion_the_results_stand_there_at_once(opened: Open, how: dict[str, Any]) -> None:
    tab = opened("index.html", **how)
    said = tab.locator(".rv-home-number").all_inner_texts()
    assert len(said) > 1 and any(one.startswith("+") for one in said) and any(one.startswith("−") for one in said)
    assert tab.locator(".rv-home-reasons").first.is_visible() and not tab.locator(".rv-film-later").count()


def test_a_list_of_the_menu_opens_where_the_finger_is(opened: Open) -> None:
    tab = opened("deals.html", viewport={"width": 390, "height": 844})
    tab.locator(".rv-menu-button").click()
    group = tab.locator("#rv-menu summary", has_text="Read")
    before = group.bounding_box()["y"]
    group.click()
    assert tab.locator("#rv-menu details[open]").count() == 2 and group.bounding_box()["y"] == before
    theme = tab.locator(".rv-theme")
    assert theme.inner_text() == "Use the dark theme"
    theme.click()
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
