"""Pages of the edition in windows of a browser, with everything written down that goes wrong in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeAlias

from tests.support.waiting import gone_on

Open: TypeAlias = Callable[..., Any]
SIZE = {"width": 1280, "height": 900}


def listening(
    context: Any, root: str, said: list[str], *besides: str, timeout: int = 30_000, failures: bool = True
) -> Any:
    """A page; what the console says is a fault, and so are a dialog, a failed request and one out of the edition."""

    def heard(message: Any) -> None:
        if not message.location["url"].endswith("favicon.ico"):  # which every browser asks for of its own
            said.append(f"{tab.url}: {message.type}: {message.text}")

    def dismissed(dialog: Any) -> None:
        said.append(f"{tab.url}: {dialog.message}")
        dialog.dismiss()

    tab = context.new_page()
    tab.set_default_timeout(timeout)
    tab.on("console", heard)
    tab.on("pageerror", lambda error: said.append(f"{tab.url}: {error}"))
    tab.on("dialog", dismissed)
    tab.on("request", lambda one: None if one.url.startswith((root, *besides)) else said.append(one.url))
    if failures:
        tab.on("requestfailed", lambda one: None if gone_on(one) else said.append(one.url))
    return tab


@contextmanager
def windows(browser: Any, root: str, *besides: str, **how_heard: Any) -> Iterator[Open]:
    """Any page of the edition, in a window of its own; in the end nothing may have been said."""
    said: list[str] = []
    with ExitStack() as contexts:

        def opens(address: str, other_root: str = "", asked: list[str] | None = None, **how: Any) -> Any:
            context = browser.new_context(**{"viewport": SIZE, **how})
            contexts.callback(context.close)
            tab = listening(context, other_root or root, said, *besides, **how_heard)
            if asked is not None:
                tab.on("request", lambda one: asked.append(one.url))
            tab.goto((other_root or root) + address)
            return tab

        yield opens
    assert said == [], said
