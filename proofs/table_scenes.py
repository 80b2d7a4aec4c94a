"""The table's page in every state that looks different, opened in a browser with this Python as its engine.

Positions are reached by play (`proofs.table_positions`) and put into the page as its own store keeps them.
`list_faults` says what overlaps, is cut off, out of sight or too small; `play_for_shifts` how far things move of
themselves.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeAlias

from edition.site.server import open_server
from proofs.table_positions import SOURCES, Position
from reversis.browser.api import answer_request
from rulebook.model import Library

BrowserPage: TypeAlias = Any  #: of Playwright, which a proof is without
PATIENCE = 30  #: seconds
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa")
_FAULTS = (Path(__file__).parent / "table_faults.js").read_text(encoding="utf-8")
#: Stands in for the engine of the page: it is asked in Python (`?engine=waits` and `?engine=fails` never answer).
_ENGINE = """"use strict";
globalThis.reversis ??= {};
(() => {
  const how = new URLSearchParams(location.search).get("engine");
  const askPython = async (request) => JSON.parse(await globalThis.askPython(JSON.stringify(request)));
  const asks = {
    waits: () => new Promise(() => {}),
    fails: () => Promise.reject(new Error("The engine could not be started: reversis.zip cannot be fetched (404).")),
  };
  const ask = asks[how] ?? askPython;
  globalThis.reversis.engine = { onDisk: false, ready: !how, held: false, onchange() {}, onwake() {}, ask };
})();
"""
#: Adds up how far what is seen moves by itself, as browsers count it: not within half a second of a click.
SHIFTS = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifts.push({ value: entry.value, moved:
    entry.sources.map(({ node, previousRect, currentRect }) =>
      `${node?.className ?? ""}: ${place(previousRect)} to ${place(currentRect)}`) });
}).observe({ type: "layout-shift", buffered: true });
"""
_PUT = """([kept, path]) => localStorage.setItem(`reversis.table ${path}`, kept)"""
_CLICK = "(selector) => document.querySelector(selector)?.click()"
_IS_THERE = "(selector) => Boolean(document.querySelector(selector))"
_IS_THERE_AT_REST = f"{_IS_THERE} && !document.querySelector('.pl-acts[data-busy=true]')"


@dataclass(frozen=True)
class Scene:
    """A state of the page: the position, what is clicked there one after another, and what is then to be seen."""

    position: str = ""
    clicks: tuple[str, ...] = ()
    wait: str = ".pl-game"
    address: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    kept: str = ""  #: what the store holds instead of a game
    everywhere: bool = True  #: at all sizes, not only where all books are looked at

    @property
    def is_in_play(self) -> bool:
        """True if nothing may lie below the window."""
        return self.wait.startswith(".pl-game") or ".pl-slip" in self.wait


def _for_each_book(kind: str, more: str, **how: Any) -> dict[str, Scene]:
    return {
        f"{kind} {source}": Scene(f"{kind} {source}", everywhere=source in more.split(), **how) for source in SOURCES
    }


_END = ".pl-seven .pl-why"
SCENES: Mapping[str, Scene] = {
    "choose": Scene(wait=".pl-choose"),
    "waiting": Scene(address="?engine=waits#day", wait=".pl-game .pl-progress"),
    "engine fails": Scene(address="?engine=fails#day", wait=".pl-game [data-do=retry]"),
    **_for_each_book("exchange", "PAM HOY"),
    **_for_each_book("early", "PAM"),
    **_for_each_book("late", "PAM HOY GER"),
    **_for_each_book("dim", "PAM HOY", clicks=("tap",), wait=".pl-slip .pl-place"),
    **_for_each_book("over", "PAM", wait=".pl-seven tr:last-child .pl-why"),
    "dealer": Scene("dealer"),
    "no exchange": Scene("no exchange GER"),
    "two quinolas": Scene("two quinolas"),
    "privilege": Scene("privilege", ("tap",), ".pl-slip.pl-words"),
    "reversis": Scene("reversis"),
    "five": Scene("five ACA"),
    "five with rules": Scene("five ACA", ("[data-do=rules]",), ".pl-slip.pl-words"),
    "five exchange": Scene("exchange five"),
    "five GER": Scene("five GER"),
    "52 cards": Scene("ten"),
    "parting": Scene("parting", ("tap",), ".pl-game [data-do=go-on]"),
    "hint": Scene("late PAM", ("[data-do=hint]",), ".pl-slip.pl-hint"),
    "hint with all cards": Scene("early PAM", ("[data-do=hint]",), ".pl-slip.pl-hint"),
    "rules": Scene("early PAM", ("[data-do=rules]",), ".pl-slip.pl-words"),
    "last trick": Scene("late PAM", ("[data-do=last]",), ".pl-slip.pl-words"),
    "more": Scene("early PAM", ("[data-do=more]",), ".pl-game .pl-menu:popover-open"),
    "guess runs": Scene("late PAM", settings={"guess": True}),
    "guess": Scene("over PAM", wait=".pl-guess", settings={"guess": True}),
    "guess shown": Scene(
        "over PAM", ("[data-do=show]",), ".pl-guess [data-do=finish], [data-do=finish]", settings={"guess": True}
    ),
    "why": Scene("over PAM", ("[data-part=why] summary",), "[data-part=why][open]"),
    "ledger": Scene("over HOY", (".pl-ledger:not([data-part]) summary",), ".pl-ledger:not([data-part])[open]"),
    "dash": Scene("dash", wait=_END),
    "standing": Scene("over PAM", ("[data-do=standing]",), ".pl-standing"),
    "lesson": Scene(clicks=("[data-lesson='2']",), wait=".pl-game .pl-hand"),
    "damaged": Scene(wait=".pl-notice", kept="{ no"),
}


# ---- the page
@contextmanager
def open_tables(site: Path) -> Iterator[str]:
    """Serve the edition; the address."""
    with open_server(site, 0) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server.address
        server.shutdown()


def open_page(browser: Any, own: Library, **how: Any) -> BrowserPage:
    """Open a window whose table asks this Python."""
    context = browser.new_context(service_workers="block", **how)
    context.add_init_script(SHIFTS)
    context.expose_function("askPython", lambda asked: json.dumps(answer_request(own, json.loads(asked))))
    context.route(
        "**/settle-engine.js*", lambda route: route.fulfill(body=_ENGINE, content_type="text/javascript; charset=utf-8")
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    return page


def show_scene(page: BrowserPage, address: str, scene: Scene, position: Position | None) -> None:
    """Put a game into the store of the page, open it, and click until the scene is there."""
    page.goto(f"{address}_static/table.css")
    page.evaluate("localStorage.clear()")
    kept = scene.kept or json.dumps(keep_game(position, scene.settings))
    page.evaluate(_PUT, [kept, page.evaluate("new URL('..', location.href).pathname")])
    page.goto(f"{address}play.html{scene.address}")
    clicks = scene.clicks if position is None else ("[data-do=resume]", *scene.clicks)
    tap = f".pl-hand [data-card='{position.tap}']" if position else ""
    for click in clicks:
        selector = tap if click == "tap" else click
        wait_for(page, selector)
        page.evaluate(_CLICK, selector)
    wait_for(page, scene.wait, is_busy=scene.address != "")


def wait_for(page: BrowserPage, selector: str, is_busy: bool = False) -> None:
    """Wait until something is on the page and the engine has answered; the page forbids the browser's own way."""
    end = monotonic() + PATIENCE
    while not page.evaluate(_IS_THERE if is_busy else _IS_THERE_AT_REST, selector):
        if monotonic() > end:
            raise TimeoutError(f"{selector} is not there: {page.url}")
        sleep(0.03)


def keep_game(position: Position | None, settings: Mapping[str, object]) -> dict[str, object]:
    """Return what the page keeps of a game in its store."""
    fresh = {"speed": 1, "letters": True, "suits": False, "guess": False, "lessons": [], **settings}
    if position is None:
        return {"form": 1, "games": [], "results": [], "settings": fresh}
    entry = {
        "id": "looks", "game": position.game, "view": {**position.view, "moves": []}, "source": position.source,
        "wishes": [], "seed": position.seed, "players": position.players, "pack": position.pack, "others": "net",
        "guess": fresh["guess"], "friend": None, "seen": [], "ends": [], "standing": None,
    }  # fmt: skip
    return {"form": 1, "games": [entry], "results": [], "settings": fresh}


def list_faults(page: BrowserPage, scene: Scene) -> list[str]:
    """List what overlaps, is cut off, out of sight or too small as the page now stands."""
    return list(page.evaluate(_FAULTS, scene.is_in_play))


def list_axe_findings(page: BrowserPage) -> list[str]:
    """List what axe-core finds."""
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    asked = {"runOnly": {"type": "tag", "values": list(TAGS)}, "resultTypes": ["violations"]}
    violations = page.evaluate("(asked) => axe.run(document, asked)", asked)["violations"]
    return [f"{violation['id']}: {violation['nodes'][0]['html'][:160]}" for violation in violations]


def play_for_shifts(page: BrowserPage) -> list[dict[str, Any]]:
    """Play the deal on the page to its end, with real clicks and pauses; how far things have moved by themselves."""
    page.wait_for_timeout(600)
    page.evaluate("globalThis.shifts.length = 0")
    playable = ".pl-hand button:not([aria-disabled=true])"
    for _ in range(60):
        wait_for(page, "[data-do=finish], [data-do=back], [data-do=go-on], [data-do=lay]")
        does = next(one for one in ("finish", "go-on", "lay", "back") if page.evaluate(_IS_THERE, f"[data-do={one}]"))
        if does == "finish":
            break
        if does in ("lay", "back"):
            page.locator(playable).first.click()
        if does in ("lay", "go-on"):
            page.locator(f"[data-do={does}]").click()
        page.wait_for_timeout(600)
    return list(page.evaluate("globalThis.shifts"))
