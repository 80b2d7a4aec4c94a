"""The table in a browser, for tests: it is served, opened, and asked what is to be done and what it keeps."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edition.site.server import EditionServer, open_server
from tests.support.waiting import until
from tests.support.windows import Open, windows

ENGINE = 300_000  #: milliseconds in which the engine has started, on a busy machine
YOURS = """(() => {
  const acts = document.querySelector(".pl-acts[data-busy='false']");
  return ["back", "lay", "go-on", "finish"].find((one) => acts?.querySelector(`[data-do=${one}]`)) ?? "";
})()"""
KEPT = """() => {
  const [, text] = Object.entries(localStorage).find(([key]) => key.startsWith("reversis.table"));
  return JSON.parse(text).games[0].game;
}"""


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[EditionServer]:
    """The edition as `reversis serve` serves it."""
    with open_server(site, 0) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def opened(browser: Any, served: EditionServer) -> Iterator[Open]:
    with windows(browser, served.address, "blob:", timeout=60_000, failures=False) as opens:
        yield opens


def turn(tab: Any) -> str:
    """Wait until it is the visitor's turn; return what there is to do."""
    until(tab, YOURS, timeout=ENGINE)
    return str(tab.evaluate(YOURS))


def save(tab: Any, folder: Path) -> Path:
    """Save the game by its button, and return the file."""
    with tab.expect_download() as download:
        tab.locator("[data-do=save]").last.click()
    path = folder / str(download.value.suggested_filename)
    download.value.save_as(path)
    return path


def shown_net(tab: Any) -> int:
    return int(tab.locator(".pl-result strong").inner_text().replace("−", "-"))


def press_keys(tab: Any, *keys: str) -> None:
    for key in keys:
        tab.keyboard.press(key)


def kept_game(tab: Any) -> dict[str, Any]:
    return dict(tab.evaluate(KEPT))
