"""A robot in a browser: it uses whatever control of the table it sees, in many deals by every book.

Nothing may be said in the console, and from wherever it has come a deal can be played to its end. How many deals:
REVERSIS_ROBOT_DEALS, 20 if that is not given.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.support.table_tab import ENGINE, opened, served
from tests.support.waiting import until
from tests.support.windows import Open

__all__ = ["opened", "served"]

DEALS = int(os.environ.get("REVERSIS_ROBOT_DEALS", "20"))
BOOKS = ("ACA", "GER", "HOY", "MEY", "PAM", "PAR", "PIE")
CLICKS = 60  #: in each deal, before it is played to its end
MOVES = 200  #: at most, to its end
ANY = ".pl button, .pl select, .pl summary, .pl input:not([type=file])"
#: What goes on with a deal.
ON = (
    ".pl-acts [data-do=go-on], .pl-acts [data-do=keep], .pl-acts [data-do=lay]:not([aria-disabled]), "
    ".pl-hand [data-card]:not([aria-disabled])"
)
#: Use one of some controls, and name it; empty where there is none to be seen.
USE = """([draw, controls]) => {
  const all = [...document.querySelectorAll(controls)].filter((one) => one.checkVisibility() && !one.disabled);
  const control = all[Math.floor(draw * all.length)];
  if (!control) return "";
  if (control.tagName === "SELECT") {
    control.selectedIndex = Math.floor(draw * 997) % control.options.length;
    control.dispatchEvent(new Event("change", { bubbles: true }));
  } else control.click();
  return control.dataset.do ?? (control.dataset.card ? "card" : control.name || control.tagName.toLowerCase());
}"""
REST = "document.querySelector('.pl-acts')?.dataset.busy !== 'true'"
OVER = "!!document.querySelector('.pl-acts [data-do=finish]')"
DEAL = """(address) => { location.hash = ""; location.hash = address; }"""

pytestmark = [pytest.mark.nightly, pytest.mark.browser]


def use_any_controls(tab: Any, lots: Random) -> Counter[str]:
    """Use whatever can be seen, sometimes before the last answer is there."""
    used = Counter[str]()
    for _ in range(CLICKS):
        used[tab.evaluate(USE, [lots.random(), ANY])] += 1
        if lots.random() < 0.7:
            until(tab, REST, timeout=ENGINE)
    return used


def play_to_the_end(tab: Any, lots: Random) -> None:
    """Play a deal to its end: there is always something that goes on."""
    for _ in range(MOVES):
        until(tab, f"{REST} && (document.querySelector('{ON}') || {OVER})", timeout=ENGINE)
        if tab.evaluate(OVER):
            break
        tab.evaluate(USE, [lots.random(), ON])
    tab.locator(".pl-acts [data-do=finish]").click()
    until(tab, "document.querySelector('.pl-result')")


def play_deals(tab: Any, count: int) -> Counter[str]:
    """Play deals by every book in turn, each at first with whatever control is seen."""
    used = Counter[str]()
    for seed in range(1, count + 1):
        lots, address = Random(seed), f"#cards={seed}&s={BOOKS[seed % len(BOOKS)]}"
        tab.evaluate(DEAL, address)
        until(tab, "document.querySelector('.pl-game .pl-hand')", timeout=ENGINE)
        used += use_any_controls(tab, lots)
        tab.evaluate(DEAL, address)
        time.sleep(0.1)  # the address is gone to when the script has rested
        if not tab.evaluate("document.querySelector('.pl-result')"):
            play_to_the_end(tab, lots)
    return used


def test_a_robot_uses_whatever_it_sees_and_every_deal_can_be_played_to_its_end(opened: Open) -> None:
    tab = opened("play.html", reduced_motion="reduce", accept_downloads=True)
    until(tab, "reversis.engine.ready", timeout=ENGINE)
    used = play_deals(tab, DEALS)
    assert used["card"] >= DEALS and {"hint", "back", "last", "more"} <= {*used}, used
