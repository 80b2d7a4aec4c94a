"""Figures of every page: height, weight, paint, layout shift, printed pages, and lines of text that lie over others.

    python -m proofs.page_looks [--site build/html] [--only WORD] [--size 1280x860] [--paper | --paint]

Each page is opened at each size, light and dark, and measured; a table tells the largest figures of each kind of page,
and every fault is printed with its page. `--paper` counts printed pages instead, and
`--paint` times the first paint on a slowed processor, one page after another.
"""

from __future__ import annotations

import io
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofs.table_scenes import SHIFTS, BrowserPage, open_tables
from rulebook.program_options import ProgramParser

WINDOWS = ((1280, 860), (1366, 768), (768, 1024), (390, 844))
SCHEMES = ("light", "dark")
SLOWER = 4  #: so many times slower than this machine is the processor on which the first paint is timed
_FAULTS = (Path(__file__).parent / "page_faults.js").read_text(encoding="utf-8")
_MEASURE = """() => ({
  tall: document.documentElement.scrollHeight,
  shift: globalThis.shifts.reduce((sum, shift) => sum + shift.value, 0),
  bytes: performance.getEntries().reduce((sum, entry) => sum + (entry.encodedBodySize ?? 0), 0),
})"""


@dataclass(frozen=True)
class PageFigures:
    """Figures of one page in one window: pixels, layout shift, bytes as they are stored."""

    page: str
    size: str
    tall: int
    shift: float
    weight: int
    faults: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The folder of the page, or its own name."""
        return self.page.rpartition("/")[0] or self.page


def list_pages(site: Path, words: Sequence[str]) -> list[str]:
    """List the pages of an edition, without those that lead from an old address to a new one."""
    found = (path for path in sorted(site.rglob("*.html")) if b'class="rv-moved"' not in path.read_bytes())
    names = [path.relative_to(site).as_posix() for path in found]
    return [name for name in names if not words or any(word in name for word in words)]


def measure_pages(
    browser: Any, address: str, pages: Sequence[str], sizes: Sequence[tuple[int, int]]
) -> Iterator[PageFigures]:
    """Measure pages in windows of these sizes, light and dark."""
    for width, height in sizes:
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        context.add_init_script(SHIFTS)
        page = context.new_page()
        for name in pages:
            yield measure_page(page, address, name, f"{width}x{height}")
        context.close()


def measure_page(page: BrowserPage, address: str, name: str, size: str) -> PageFigures:
    """Measure one page; faults of the dark page that the light one has too are told once."""
    page.emulate_media(color_scheme=SCHEMES[0])
    page.goto(address + name)
    page.wait_for_timeout(150)  # what moves late moves now
    figures = page.evaluate(_MEASURE)
    faults = list[str]()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        faults += page.evaluate(_FAULTS)
    return PageFigures(name, size, figures["tall"], figures["shift"], figures["bytes"], tuple(dict.fromkeys(faults)))


def count_printed_pages(browser: Any, address: str, pages: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Count the A4 pages of each page as it is printed."""
    from pypdf import PdfReader

    page = browser.new_page()
    for name in pages:
        page.goto(address + name)
        page.wait_for_timeout(150)
        yield name, len(PdfReader(io.BytesIO(page.pdf(format="A4"))).pages)


def time_first_paints(
    browser: Any, address: str, pages: Sequence[str], size: tuple[int, int]
) -> Iterator[tuple[str, int]]:
    """Time the first paint of each page in ms, with nothing cached, on a slowed processor."""
    for name in pages:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        page = context.new_page()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(address + name)
        while not (paints := page.evaluate(_FIRST_PAINT)):
            page.wait_for_timeout(100)
        yield name, round(paints[0])
        context.close()


_FIRST_PAINT = "() => performance.getEntriesByName('first-contentful-paint').map((entry) => entry.startTime)"


def print_figures(found: Sequence[PageFigures]) -> None:
    """Print the largest figures of each kind of page in each window."""
    kinds = defaultdict[tuple[str, str], list[PageFigures]](list)
    for figures in found:
        kinds[figures.kind, figures.size].append(figures)
    print(f"{'pages':34} {'window':10} {'number':>6} {'px tall':>8} {'shift':>6} {'kB':>5} faults")
    for (kind, size), rows in sorted(kinds.items()):
        tall, shift, weight = (max(getattr(row, name) for row in rows) for name in ("tall", "shift", "weight"))
        count = sum(len(row.faults) for row in rows)
        print(f"{kind:34} {size:10} {len(rows):6} {tall:8} {shift:6.3f} {weight // 1000:5} {count:6}")


def main() -> int:
    """Measure the pages of an edition; print figures and faults."""
    from playwright.sync_api import sync_playwright

    parser = ProgramParser("proofs.page_looks", __doc__)
    parser.add_argument("--site", type=Path, default=Path("build/html"), metavar="DIR", help="the built edition")
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="only pages whose address has it")
    parser.add_argument("--size", action="append", default=[], metavar="WxH", help="only windows of this size")
    parser.add_argument("--paper", action="store_true", help="count printed pages")
    parser.add_argument("--paint", action="store_true", help="time the first paint, in windows of the first size")
    given = parser.parse_args()
    pages, faulty = list_pages(given.site, given.only), 0
    sizes = [size for size in WINDOWS if not given.size or f"{size[0]}x{size[1]}" in given.size]
    with sync_playwright() as driver, open_tables(given.site) as address:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        if given.paper or given.paint:
            paints = time_first_paints(browser, address, pages, sizes[0])
            for name, count in count_printed_pages(browser, address, pages) if given.paper else paints:
                print(f"{count:4} {name}", flush=True)
        else:
            found = list[PageFigures]()
            for figures in measure_pages(browser, address, pages, sizes):
                found.append(figures)
                faulty += len(figures.faults)
                for fault in figures.faults:
                    print(f"{figures.page}, {figures.size}: {fault}", flush=True)
            print_figures(found)
        browser.close()
    return int(bool(faulty))


if __name__ == "__main__":
    sys.exit(main())
