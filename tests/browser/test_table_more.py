"""Controls of the table besides cards, in a browser: sums agreed on, why one exchanges, a privilege waived, lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.table_tab import ENGINE, kept_game, opened, press_keys, save, served, turn
from tests.support.waiting import until
from tests.support.windows import Open

__all__ = ["opened", "served"]  # the fixtures, for these tests too

ESPAGNOLETTE = "play.html#cards=120&s=PAM"  #: South holds three aces and the jack of hearts
#: Every line of a chart: its name, and what distinguishes its marks from those of the others.
LINES = """() => [...document.querySelectorAll(".pl-chart")].map((chart) =>
  [...chart.querySelectorAll(".pl-line")].map((line) =>
    [line.querySelector("text").textContent, line.querySelector(".pl-mark").getAttribute("d")]))"""

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def play_deal(page: Any) -> list[str]:
    """Play a deal by keys to its end, the first card each time; what the stops say on the way."""
    stops = list[str]()
    for _ in range(60):
        waits = turn(page)
        if waits == "go-on":
            stops.append(page.locator(".pl-parting").inner_text())
        keys = {"back": ("Digit1", "Enter"), "lay": ("Digit1", "Enter"), "go-on": ("Space",), "finish": ("Space",)}
        press_keys(page, *keys[waits])
        if waits == "finish":
            break
    until(page, "document.querySelectorAll('.pl-seven tr').length > 0")
    return stops


def test_a_stop_tells_the_sums_and_two_deals_are_drawn_as_lines(opened: Open) -> None:
    page = opened("play.html#cards=328&s=PAM", reduced_motion="reduce")
    stops = play_deal(page)
    assert any("You win" in stop or "You lose" in stop for stop in stops), stops
    page.locator(".pl-page [data-do=next]").click()
    play_deal(page)
    page.locator(".pl-next [data-do=standing]").click()
    seats, books = page.evaluate(LINES)
    assert [name for name, _ in seats] == ["You", "East", "North", "West"]
    assert len(books) > 3 and all(len({mark for _, mark in lines}) == len(lines) for lines in (seats, books))
    now = page.locator(".pl-standing tfoot").inner_text()
    assert (
        now.startswith("Now")
        and page.locator(".pl-chart[role=img][aria-label*='the table has the figures']").count() == 2
    )


def test_sums_that_the_book_leaves_to_the_players_are_chosen_and_kept(opened: Open) -> None:
    page = opened("play.html")
    page.locator(".pl-pick label:has([value=ACA])").click()
    page.locator(".pl-more-fields summary").click()
    agreed = page.locator("input[name^=agreed-]")
    assert agreed.count() == 5
    page.locator("input[name=agreed-Q020]").fill("3")
    page.locator("input[name=agreed-Q062]").fill("12")
    page.locator("input[name=agreed-Q062]").press("Tab")
    page.locator(".pl-go button").click()
    until(page, "document.querySelector('.pl-slip li:nth-child(2)')?.textContent.includes('ace 5, king 4')")
    turn(page)
    assert " --with 'Q020=3' --with 'Q061=agreed-sum' --with 'Q062=12'" in kept_game(page)["options"]
    page.locator(".pl-head > [data-do=leave]").click()
    page.locator(".pl-pick label:has([value=PAM])").click()
    assert agreed.count() == 0


def test_why_one_exchanges_is_told_when_asked(opened: Open) -> None:
    page = opened("play.html#cards=328&s=PAM", reduced_motion="reduce")
    turn(page)
    page.locator("[data-do=why]").click()
    slip = page.locator(".pl-slip").inner_text()
    assert "Why exchange?" in slip and "You get rid of a card that may cost you" in slip
    assert page.locator(".pl-slip .pl-quote").count() == 1


def test_a_waived_espagnolette_is_kept_in_the_file(opened: Open, tmp_path: Path) -> None:
    page = opened(ESPAGNOLETTE, reduced_motion="reduce")
    turn(page)
    page.locator("[data-do=rules]").first.click()
    page.locator("input[name=choice-waive]").click()
    turn(page)
    page.locator("[data-do=rules]").first.click()
    until(page, "document.querySelector('.pl-slip').textContent.includes('have waived it in this deal')")
    assert page.locator("input[name=choice-waive]").count() == 0
    page.locator("[data-do=more]").click()
    (deal,) = yaml.safe_load_all(save(page, tmp_path).read_text(encoding="utf-8"))
    assert deal["fragment"] and " --waive 1 " in deal["note"]


def test_a_deal_in_settle_is_played_on_at_the_table(opened: Open) -> None:
    page = opened("try.html", reduced_motion="reduce")
    until(page, "reversis.engine.ready", timeout=ENGINE)
    page.locator("select[aria-label='from trick']").select_option("4")
    page.get_by_role("button", name="Play on from here, at the table").click()
    until(page, "document.querySelector('.pl-head')?.textContent.includes('trick 4 of')", timeout=ENGINE)
    turn(page)
    assert len(kept_game(page)["deals"][0]["tricks"]) == 4 and kept_game(page)["deals"][0]["fragment"]


def test_the_keys_are_at_a_card_that_may_be_played_and_come_back_from_what_is_read(opened: Open) -> None:
    page = opened("play.html#cards=328&s=PAM", reduced_motion="reduce")
    turn(page)
    held = "document.activeElement?.dataset.card"
    page.locator("[data-do=why]").press("Enter")
    until(page, "document.activeElement?.dataset.do === 'why' && document.querySelector('.pl-slip')")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.do") == "hint"
    page.keyboard.press("Escape")
    assert page.evaluate(held) and page.locator(".pl-slip").count() == 0
    page.keyboard.press("Digit1")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('.pl-drawn')?.ariaLabel.includes(', drawn')", timeout=ENGINE)
    for _ in range(4):
        while turn(page) == "go-on":
            page.keyboard.press("Space")
        until(page, f"{held} && document.activeElement.getAttribute('aria-disabled') === null")
        page.keyboard.press("Enter")
    assert page.locator(".pl-drawn").count() == 0


def test_the_same_cards_by_another_book_are_called_so_and_a_game_names_its_deal(opened: Open) -> None:
    page = opened("play.html#cards=879986&s=PAM", reduced_motion="reduce")
    play_deal(page)
    page.locator("[data-do=another]").click()
    assert "The same cards: no. 879986." in page.locator(".pl-choose").inner_text()
    page.locator(".pl-cards label", has_text="New cards").click()
    assert "Cards that nobody has seen." in page.locator(".pl-choose").inner_text()
    page.locator(".pl-cards label", has_text="The same cards").click()
    page.locator("[data-do=resume]").first.click()
    page.locator(".pl-page [data-do=next]").scroll_into_view_if_needed()
    page.locator(".pl-page [data-do=next]").click()
    turn(page)
    assert page.evaluate("scrollY") == 0
    page.locator(".pl-head > [data-do=leave]").click()
    assert "no. 879986: deal 2, trick 1 of 11" in page.locator("[data-do=resume]").first.inner_text()


def test_the_totals_stand_in_words_where_they_are_tapped(opened: Open) -> None:
    page = opened("play.html#cards=328&s=PAM", reduced_motion="reduce", viewport={"width": 390, "height": 844})
    turn(page)
    until(page, "document.querySelector('.pl-books .pl-total')?.textContent.includes('0')", timeout=ENGINE)
    page.locator(".pl-books").click()
    lines = page.locator(".pl-slip li").all_inner_texts()
    assert len(lines) == 7 and all(re.search(r": [−+]?\d+ \w+", line) for line in lines), lines
