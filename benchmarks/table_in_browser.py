"""Benchmark of the table in a browser: bytes, the wait for cards and for Python, a card clicked, requests in Python.

    python -m benchmarks.table_in_browser [--site build/html] [--deals 3] [--megabits 10] [--quota 0.5]

Serves a built edition on this machine, packed as a host packs it, opens the table in a fresh profile of Chromium, and
prints what was measured: quietly, at so many megabits a second, and then with the processor taken away from the browser
for a part of the time (its processes are stopped and go on; the browser's own throttle does not slow workers). Nothing
is judged. The load of the machine stands beside the figures; what hangs least on it is `benchmarks.table_requests`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.table_requests import BOOKS, Samples, describe_load, find_share, format_samples

_TODAY, _CARDS = "play.html#day", "play.html#cards={seed}&s={book}"
_WORKER = "/_static/measuring-worker.js"
_REQUESTS = Path(__file__).with_name("table_requests.py")
_LONGEST = 600.0  #: seconds that anything may take on a busy machine
_CHUNK = 16_384  #: bytes sent at once by a slow line
_SLICE = 0.02  #: seconds for which the processor is taken away at once

#: When the cards were in hand, and when Python was ready: read from the page, in milliseconds since it was asked for.
_WATCH = """
(() => {
  const look = () => {
    const held = document.querySelectorAll(".pl-game .pl-hand [data-card]").length;
    if (held && !globalThis.handAt) globalThis.handAt = performance.now();
    if (!globalThis.readyAt) globalThis.readyAt = performance.getEntriesByName("reversis:ready")[0]?.startTime;
    if (!globalThis.dealtAt && globalThis.readyAt && document.querySelector(".pl-acts [data-do=lay]") &&
      !document.querySelector(".pl-waiting")) globalThis.dealtAt = performance.now();
    if (!globalThis.dealtAt) setTimeout(look, 5);
  };
  look();
})()
"""
#: Click a card; how long it takes until it has left the hand, and the page is drawn.
_CLICK = """
() => new Promise((resolve) => {
  const [card] = document.querySelectorAll(".pl-hand [data-card]:not([aria-disabled])");
  const { card: name } = card.dataset, began = performance.now();
  const gone = () => !document.querySelector(`.pl-hand [data-card="${name}"]`);
  const watch = new MutationObserver(() => {
    if (!gone()) return;
    watch.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - began));
  });
  watch.observe(document.querySelector(".pl"), { childList: true, subtree: true, attributes: true });
  card.click();
  if (card.classList.contains("pl-privilege")) document.querySelector(`.pl-hand [data-card="${name}"]`)?.click();
})
"""
_DOES = """
(() => {
  const acts = document.querySelector(".pl-acts[data-busy='false']");
  return ["go-on", "finish", "lay", "back"].find((one) => acts?.querySelector(`[data-do=${one}]`)) ?? "";
})()
"""
_MEASURING_WORKER = """
const HOME = new URL("../play/", self.location.href);
const read = (name) => fetch(new URL(name, HOME)).then((found) => found.text());
self.addEventListener("message", async ({ data: { source, books, seeds } }) => {
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", HOME).href);
  const { lock } = JSON.parse(await read("play.json"));
  const python = await loadPyodide({ indexURL: new URL("pyodide/", HOME).href, lockFileContents: lock });
  const bundle = await fetch(new URL("reversis.zip", HOME)).then((found) => found.arrayBuffer());
  python.FS.writeFile("/reversis.zip", new Uint8Array(bundle));
  python.FS.mkdir("/measuring");
  python.FS.writeFile("/measuring/table_requests.py", source);
  python.runPython("import sys; sys.path[:0] = ['/reversis.zip', '/measuring']");
  const weights = {};
  for (const book of books) weights[book] = await read(`weights/${book}.json`);
  const measure = python.pyimport("table_requests").measure_in_browser;
  self.postMessage(measure(await read("library.json"), python.toPy(weights), python.toPy(books), python.toPy(seeds)));
});
"""
_MEASURE = """
([worker, order]) => {
  const measuring = new Worker(worker, { type: "module" });
  measuring.addEventListener("message", ({ data }) => { globalThis.measured = data; });
  measuring.addEventListener("error", ({ message }) => { globalThis.measured = JSON.stringify({ [message]: [0] }); });
  measuring.postMessage(order);
}
"""


# ---- the host
@dataclass
class Line:
    """The line to the host: how fast it is, and what has passed."""

    rate: float = 0.0  #: bytes a second of all that is fetched at once; 0: as fast as it goes
    free_at: float = 0.0
    packed: dict[str, int] = field(default_factory=dict)  #: path -> bytes that have passed
    raw: dict[str, int] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def wait_for(self, size: int) -> None:
        """Wait until so many bytes have passed."""
        if not self.rate:
            return
        with self.lock:
            self.free_at = max(self.free_at, time.monotonic()) + size / self.rate
            until = self.free_at
        time.sleep(max(0.0, until - time.monotonic()))


_KEPT = dict[str, tuple[bytes, bytes]]()  #: path -> a file as it is, and packed
_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}


class PackingHandler(SimpleHTTPRequestHandler):
    """A host of files, which packs what becomes smaller, and keeps what it has packed."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, line: Line, **named: Any) -> None:
        self.line = line
        super().__init__(*args, **named)

    def do_GET(self) -> None:
        """Send a file, packed."""
        path = self.path.partition("?")[0]
        body = self.read_body(path)
        if body is None:
            self.send_error(404)
            return
        raw, packed = body
        sent = min(packed, raw, key=len)
        self.line.raw[path], self.line.packed[path] = len(raw), len(sent)
        self.send_response(200)
        self.send_header("Content-Type", _TYPES.get(Path(path).suffix, self.guess_type(path)))
        self.send_header("Content-Length", str(len(sent)))
        if sent is packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        with suppress(OSError):  # the page is closed
            for at in range(0, len(sent), _CHUNK):
                self.line.wait_for(len(sent[at : at + _CHUNK]))
                self.wfile.write(sent[at : at + _CHUNK])

    def read_body(self, path: str) -> tuple[bytes, bytes] | None:
        """Read a file and pack it; None where there is none."""
        if path not in _KEPT:
            file = Path(self.translate_path(path))
            raw = _MEASURING_WORKER.encode() if path == _WORKER else file.read_bytes() if file.is_file() else None
            if raw is None:
                return None
            _KEPT[path] = raw, gzip.compress(raw, 9)
        return _KEPT[path]

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class QuietServer(ThreadingHTTPServer):
    """A server that does not mind that a page is closed while it is served."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing."""


@contextmanager
def serve_folder(folder: Path, line: Line) -> Iterator[str]:
    """Serve a folder over a line; yield its address."""
    server = QuietServer(("127.0.0.1", 0), partial(PackingHandler, directory=str(folder), line=line))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


# ---- a quota of processor time
@contextmanager
def limit_processor(share: float) -> Iterator[list[str]]:
    """Leave the browser only a share of the time, as far as its processes can be stopped; yield words on that."""
    words, done = ["not slowed"], threading.Event()
    watch = threading.Thread(target=_stop_and_go, args=(share, done, words), daemon=True)
    if share < 1:
        watch.start()
    try:
        yield words
    finally:
        done.set()
        if share < 1:
            watch.join()


def _stop_and_go(share: float, done: threading.Event, words: list[str]) -> None:
    stopped, began = 0.0, time.monotonic()
    while not done.wait(_SLICE):
        if stopped >= (1 - share) * (time.monotonic() - began):
            continue
        at, browsers = time.monotonic(), list_browser_processes()
        if sum([_send_signal(process, signal.SIGSTOP) for process in browsers]):
            time.sleep(_SLICE)
            stopped += time.monotonic() - at
        for process in browsers:
            _send_signal(process, signal.SIGCONT)
        if stopped:
            words[0] = f"stopped for {100 * stopped / (time.monotonic() - began):.0f} % of the time"


def measure_processor() -> float:
    """Measure the seconds of the processor that the browser's processes have had."""
    ticks = 0
    for process in list_browser_processes():
        with suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def list_browser_processes() -> list[int]:
    """List the processes of browsers that this process has started."""
    parents, names = dict[int, int](), dict[int, str]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            head, _, tail = path.read_text().rpartition(")")
            number, _, name = head.partition(" (")
            parents[int(number)], names[int(number)] = int(tail.split()[1]), name
    family = {os.getpid()}
    while grown := {process for process, parent in parents.items() if parent in family} - family:
        family |= grown
    return [process for process in family if "chrom" in names.get(process, "")]


def _send_signal(process: int, which: signal.Signals) -> bool:
    with suppress(OSError):
        os.kill(process, which)
        return True
    return False


# ---- what is measured
def measure_start(browser: Any, address: str, line: Line) -> dict[str, float]:
    """Measure the start in a fresh profile: seconds until cards, Python and the first answer; bytes until then."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(_WATCH)
    page = context.new_page()
    line.packed.clear()
    line.raw.clear()
    page.goto(address + _TODAY, timeout=1000 * _LONGEST)
    await_answer(page, "globalThis.dealtAt")
    times = page.evaluate("[handAt, readyAt, dealtAt]")
    packed, raw = sum(line.packed.values()), sum(line.raw.values())
    context.close()
    names = ("cards in hand, s", "Python ready, s", "first answer, s")
    return {**{name: at / 1000 for name, at in zip(names, times, strict=True)}, "MB": packed / 1e6, "MB raw": raw / 1e6}


def measure_clicks(browser: Any, address: str, books: Sequence[str], seeds: Sequence[int]) -> list[float]:
    """Measure every card of some deals, in milliseconds: from the click until it has left the hand."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page, took = context.new_page(), list[float]()
    for at, seed in enumerate(seeds):
        page.goto(address + "index.html")
        page.goto(address + _CARDS.format(seed=seed, book=books[at % len(books)]))
        while (does := await_answer(page, _DOES)) != "finish":
            if does == "back":
                took.append(page.evaluate(_CLICK))
            elif does == "lay":
                lay_first_card(page)
            else:
                page.locator(".pl-acts [data-do=go-on]").click()
    context.close()
    return took


def lay_first_card(page: Any) -> None:
    """Lay away the first card that may be laid away."""
    page.locator(".pl-hand [data-card]:not([aria-disabled])").first.click()
    page.locator(".pl-acts [data-do=lay]").click()


def await_answer(page: Any, expression: str) -> Any:
    """Wait until an expression is true in the page; return what it says."""
    end = time.monotonic() + _LONGEST
    while not (answer := page.evaluate(expression)):
        if time.monotonic() > end:
            raise TimeoutError(expression)
        time.sleep(0.05)
    return answer


def measure_requests(browser: Any, address: str, books: Sequence[str], seeds: Sequence[int]) -> tuple[Samples, float]:
    """Measure requests in the browser's Python, in a worker of its own; and which share of the time it could work."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(address + "index.html")
    order = {"source": _REQUESTS.read_text("utf-8"), "books": [*books], "seeds": [*seeds]}
    began, before = time.monotonic(), measure_processor()
    page.evaluate(_MEASURE, [_WORKER, order])
    measured: Samples = json.loads(await_answer(page, "globalThis.measured"))
    share = (measure_processor() - before) / (time.monotonic() - began)
    context.close()
    return measured, share


# ---- printed
def measure_all(browser: Any, site: Path, asked: argparse.Namespace) -> Iterator[str]:
    """Measure and say everything, line by line."""
    seeds = range(1, asked.deals + 1)
    for megabits, share in ((0, 1.0), (asked.megabits, 1.0), (0, asked.quota)):
        line = Line(megabits * 125_000)
        with serve_folder(site, line) as address, limit_processor(share) as slowed:
            starts = [measure_start(browser, address, line) for _ in range(asked.starts)]
        figures = [f"{name} {find_share([start[name] for start in starts], 0.5):.2f}" for name in starts[0]]
        how = f"{megabits} megabits a second" if megabits else "as fast as it goes"
        yield f"start ({how}; {slowed[0]}; {describe_load()}): {', '.join(figures)}"
    for share in (1.0, asked.quota):
        with serve_folder(site, Line()) as address, limit_processor(share) as slowed:
            took = measure_clicks(browser, address, BOOKS, seeds)
            yield f"({slowed[0]}; {describe_load()})"
            yield from format_samples({"click to card": took})
        with serve_folder(site, Line()) as address, limit_processor(share) as slowed:
            samples, had = measure_requests(browser, address, BOOKS[: asked.deals], seeds[:1])
            busy = f"at work for {100 * had:.0f} % of the time"
            yield f"in the browser's Python ({slowed[0]}; {busy}; {describe_load()})"
            yield from format_samples(samples)


def main() -> None:
    """Measure and print."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, default=Path("build/html"), help="the built edition")
    parser.add_argument("--deals", type=int, default=10, help="that are played on the page (default: 10)")
    parser.add_argument("--starts", type=int, default=3, help="of which the median is told (default: 3)")
    parser.add_argument("--megabits", type=int, default=10, help="a second, of a slow line (default: 10)")
    parser.add_argument("--quota", type=float, default=0.5, help="of the processor's time (default: 0.5)")
    asked = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for line in measure_all(browser, asked.site, asked):
            print(line, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
