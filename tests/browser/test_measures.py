"""Measures of every kind of page: weight, height, stillness, sizes of type and touch; seconds in release."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.site import find_pages, samples, served
from tests.support.tiers import mark_for_release

pytestmark = [pytest.mark.slow, pytest.mark.browser]

WIDTHS = (390, 1280)
MOST_NODES, TALLEST, MOST_SHIFT, SMALLEST_TOUCH = 5_000, 30_000, 0.05, 39.5
#: The eight sizes of type, in px; those of code in a line and of marks above it are among them.
SIZES = {"13px", "15px", "18px", "21px", "26px", "34px", "46px", "68px"}
#: The full table of all answers may weigh more: rows out of sight are not laid out.
WHOLE_TABLE = "answers.html"

SHIFTS = """window.shifts = 0;
window.shifted = [];
const named = ({ node, previousRect: from, currentRect: to }) =>
  `${node?.className || node?.nodeName} from ${from.x},${from.y} to ${to.x},${to.y}`;
new PerformanceObserver((list) => {
  for (const shift of list.getEntries().filter((entry) => !entry.hadRecentInput)) {
    window.shifts += shift.value;
    if (shift.value > 0.01) window.shifted.push(`at ${Math.round(shift.startTime)} ms ${shift.sources.map(named)}`);
  }
}).observe({ type: "layout-shift", buffered: true });"""
SET = """() => {
  const worded = (one) => [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  const drawn = (one) => one.closest("svg");
  const seen = [...document.querySelectorAll("body *")]
    .filter((one) => worded(one) && !drawn(one) && one.checkVisibility());
  return [...new Set(seen.map((one) => getComputedStyle(one).fontSize))];
}"""
TOUCHED = """(smallest) => [...document.querySelectorAll("button, select, input, textarea, summary")]
  .filter((one) => one.checkVisibility({ opacityProperty: false }))
  .map((one) => [one, (one.closest("label") ?? one).getBoundingClientRect()])
  .filter(([one, box]) => box.width > 1 && Math.min(box.width, box.height) < smallest)
  .map(([one, box]) => `${one.outerHTML.slice(0, 60)} is ${Math.round(box.width)} x ${Math.round(box.height)}`)"""


def wait_until_still(tab: Any) -> None:
    """Wait for what moves late; a page that moved is loaded once more.

    On a machine under load this browser has painted a page before all its styles had come.
    """
    tab.wait_for_timeout(150)
    if tab.evaluate("window.shifts") >= MOST_SHIFT:
        tab.reload()
        tab.wait_for_timeout(300)


def measure(tab: Any, page: str, width: int) -> Iterator[str]:
    """Yield whatever is too much on a page that is open."""
    wait_until_still(tab)
    nodes, tall = tab.evaluate("[document.querySelectorAll('*').length, document.documentElement.scrollHeight]")
    if nodes >= MOST_NODES and page != WHOLE_TABLE:
        yield f"{page} has {nodes} elements"
    if width < 400 and tall >= TALLEST:
        yield f"{page} is {tall} px tall"
    if (shifted := tab.evaluate("window.shifts")) >= MOST_SHIFT:
        yield f"{page} moves by {shifted:.3f} at {width} px: {tab.evaluate('window.shifted')}"
    if odd := set(tab.evaluate(SET)) - SIZES:
        yield f"{page} has letters of {sorted(odd)}"
    yield from (f"{page}: {one}" for one in tab.evaluate(TOUCHED, SMALLEST_TOUCH))


@pytest.mark.parametrize("whole", [False, mark_for_release(True)], ids=["one page of each kind", "all pages"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_is_light_still_and_set_in_eight_sizes(browser: Any, site: Path, width: int, whole: bool) -> None:
    """Below 5,000 elements, 30,000 px on a telephone, a shift of 0.05; what is touched measures 40 px.

    By default each kind of page is measured at one of the widths, in turn.
    """
    all_pages = [path.relative_to(site).as_posix() for path in find_pages(site)]
    names = all_pages if whole else samples(site)[WIDTHS.index(width) :: len(WIDTHS)]
    names += [f"{name}#joint-ledger" for name in samples(site) if name.startswith("deals/")]  # fetched, and open
    context = browser.new_context(viewport={"width": width, "height": 844 if width < 400 else 860})
    context.add_init_script(SHIFTS)
    found: list[str] = []
    with served(site) as address:
        tab = context.new_page()
        for name in names:
            tab.goto(address + name)
            found += measure(tab, name, width)
    context.close()
    assert found == []


def test_the_measures_would_find_something(browser: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.add_init_script(SHIFTS)
    tab = context.new_page()
    tab.goto(
        "data:text/html,<body style='font-size: 17px'><button style='width: 20px'>x</button>"
        "<p style='height: 31000px'>words</p>"
        + "<br>" * 5_000
        + "<script>setInterval(() => { document.body.style.paddingTop = Math.random() * 800 + 'px' }, 30)</script>"
    )
    said = " ".join(measure(tab, "a page", 390))
    assert all(part in said for part in ("elements", "px tall", "moves by", "17px", "is 20 x"))
    context.close()


def test_no_page_carries_all_answers_in_full(site: Path) -> None:
    """Quotations come on demand from a script file; at seven sources the table stays below 325 kB."""
    assert (site / WHOLE_TABLE).stat().st_size < 332_000


@pytest.mark.release
@pytest.mark.parametrize("kind", ["index.html", "answers.html", "sources/", "deals/"])
def test_a_page_is_painted_within_a_second_on_a_slow_machine(browser: Any, site: Path, kind: str) -> None:
    """Four times slower than this one; the median of three."""
    name = next(sample for sample in samples(site) if sample.startswith(kind))
    found = []
    with served(site) as address:
        for _ in range(3):
            context = browser.new_context(viewport={"width": 1280, "height": 860})
            tab = context.new_page()
            context.new_cdp_session(tab).send("Emulation.setCPUThrottlingRate", {"rate": 4})
            tab.goto(address + name)
            found.append(
                tab.evaluate("""() => new Promise((done) => new PerformanceObserver((list) => {
                  const paint = list.getEntries().find((one) => one.name === "first-contentful-paint");
                  if (paint) done(paint.startTime);
                }).observe({ type: "paint", buffered: true }))""")
            )
            context.close()
    assert sorted(found)[1] < 1_000, f"{name}: {found} ms"


#: Signs within what opens: a finger that misses the middle of one by 15 px still opens it.
MISSED = """() => [...document.querySelectorAll("summary sup")].flatMap((one) => {
  one.scrollIntoView({ block: "center", behavior: "instant" });
  const box = one.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const edge = document.querySelector("article").getBoundingClientRect().right; // there the page ends
  const missed = [[15, 0], [-15, 0], [0, 15], [0, -15]].filter(([across, down]) => {
    const there = document.elementFromPoint(x + across, y + down);
    return x + across < edge && there?.closest("summary") !== one.closest("summary");
  });
  return missed.map((by) => `${one.textContent} is missed by ${by}`);
})"""


@pytest.mark.parametrize("width", WIDTHS)
def test_a_number_above_the_line_opens_wherever_a_finger_falls_around_it(browser: Any, site: Path, width: int) -> None:
    tab = browser.new_page(viewport={"width": width, "height": 844})
    page = max(
        (one for one in site.glob("howto/*.html") if "-card" not in one.name), key=lambda one: one.stat().st_size
    )
    tab.goto(page.as_uri())
    assert tab.locator("summary sup").count() > 50
    missed = tab.evaluate(MISSED)
    tab.close()
    assert missed == []


COVERED = """[...document.querySelectorAll(".rv-line > :is(.rv-original, .rv-english, .rv-statement)")]
  .filter((one) => one.checkVisibility())
  .filter((one) => {
    const words = one.getBoundingClientRect();
    return [...one.parentElement.querySelectorAll(":scope > .rv-place, :scope > .rv-fold > summary")]
      .map((mark) => mark.getBoundingClientRect())
      .some((mark) => mark.width && mark.height && mark.left < words.right - 1 && mark.right > words.left + 1
        && mark.top < words.bottom - 1 && mark.bottom > words.top + 1);
  }).map((one) => one.parentElement.id)"""


@pytest.mark.parametrize("width", WIDTHS)
def test_no_mark_lies_on_the_words_of_a_source_with_its_translation_or_without(
    browser: Any, site: Path, width: int
) -> None:
    tab = browser.new_page(viewport={"width": width, "height": 844})
    seen, found = 0, []
    for page in sorted(site.glob("sources/*.html")):
        tab.goto(page.as_uri())
        for shown in (True, False):
            if not shown and not tab.locator(".rv-shows-english").count():
                continue
            if not shown:
                tab.evaluate("document.querySelector('.rv-shows-english').click()")
            seen += tab.locator(".rv-line > .rv-fold > summary").count()
            found += [f"{page.stem}, {'translated' if shown else 'alone'}: {one}" for one in tab.evaluate(COVERED)]
    tab.close()
    assert seen > 100
    assert found == []
