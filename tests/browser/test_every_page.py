"""Manners that show in a browser: each kind of page, on a server and on a disk, with a script and without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.support.site import samples, served
from tests.support.tiers import mark_for_release, sample
from tests.support.waiting import gone_on

pytestmark = [pytest.mark.slow, pytest.mark.browser]

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa")


@dataclass(frozen=True)
class Way:
    """One way to read: how wide, light or dark, from a server or from a disk, with a script or without."""

    width: int
    scheme: str
    from_server: bool
    script: bool

    def __str__(self) -> str:
        where = "on a server" if self.from_server else "on a disk"
        return f"{self.width} px, {self.scheme}, {where}, {'with' if self.script else 'without'} a script"


WIDTHS, SCHEMES = (1280, 390, 320), ("light", "dark")
#: Every kind of page is read in one of these ways, in turn.
SOME = (
    Way(1280, "light", True, True),
    Way(390, "dark", False, False),
    Way(320, "dark", True, True),
    Way(320, "light", False, True),
)
#: Before a release every kind in each of these; it takes half an hour.
EACH = tuple(Way(*one) for one in product(WIDTHS, SCHEMES, (True, False), (True, False)))


def read_in(way: Way, at: int) -> bool:
    """Whether a kind of page, by its place among them all, is read in this way by default."""
    return at % 4 == SOME.index(way)


def axe_asked(way: Way, at: int, whole: bool) -> bool:
    """Of two pages that differ only in where they lie, axe-core finds the same; and it is a script itself.

    It takes longer than all else: by default it sees every eighth kind of page, light or dark in turn.
    """
    return way.from_server and way.script and (whole or at % 16 < 4)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[Callable[[bool], str]]:
    """Where the edition is: on a server, or on the disk."""
    with served(site) as found:
        yield lambda from_server: found if from_server else f"{site.as_uri()}/"


@contextmanager
def reading(browser: Any, way: Way, **more: Any) -> Iterator[Any]:
    """A reader of this kind."""
    size = {"width": way.width, "height": 900}
    context = browser.new_context(viewport=size, color_scheme=way.scheme, java_script_enabled=way.script, **more)
    yield context.new_page()
    context.close()


def listening(tab: Any, base: str, said: list[str]) -> None:
    """Write down whatever goes wrong: a message, a fault, a request that leaves the folder or fails."""
    tab.on("console", lambda one: said.append(f"{tab.url}: {one.text}") if one.type in ("error", "warning") else None)
    tab.on("pageerror", lambda fault: said.append(f"{tab.url}: {fault}"))
    tab.on("request", lambda one: None if one.url.startswith((base, "data:")) else said.append(one.url))
    tab.on("requestfailed", lambda one: None if gone_on(one) else said.append(f"{tab.url}: {one.url} failed"))
    tab.on("response", lambda one: said.append(f"{one.url}: {one.status}") if one.status >= 400 else None)


@pytest.mark.parametrize(
    ("way", "whole"), [*((one, False) for one in SOME), *(mark_for_release((one, True)) for one in EACH)]
)
def test_each_kind_of_page_is_quiet_fits_and_stays_at_home(
    browser: Any, site: Path, address: Callable[[bool], str], way: Way, whole: bool
) -> None:
    """No message, no request beyond the folder, no page wider than its window, nothing kept; axe-core finds nothing."""
    said: list[str] = []
    base = address(way.from_server)
    with reading(browser, way, reduced_motion="reduce") as tab:
        listening(tab, base, said)
        for at, name in ((at, name) for at, name in enumerate(samples(site)) if whole or read_in(way, at)):
            tab.goto(base + name)
            assert tab.locator("h1").first.is_visible(), name
            wide = tab.evaluate("document.documentElement.scrollWidth")
            said += [f"{name} is {wide} wide"] if wide > way.width else []
            said += [f"{name}: {one}" for one in violations(tab, whole)] if axe_asked(way, at, whole) else []
        said += [f"a cookie is kept: {one}" for one in tab.context.cookies()]
        said += [
            f"{one} is kept" for one in tab.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]")
        ]
    assert said == []


#: Marks what looks just like LIKES things before it on the page: the same elements, classes and states, other words.
ALIKE = """(likes) => {
  const seen = new Map(), kept = /^(class|style|role|open|hidden|disabled|checked|aria-(?!label)|data-)/;
  const named = (one) => [...one.attributes].filter((held) => kept.test(held.name))
    .map((held) => `${held.name}=${/^data-.*(id|href|name|key)/.test(held.name) ? "" : held.value}`).join();
  const look = (one) => `${one.localName}[${named(one)}](${[...new Set([...one.children].map(look))].join()})`;
  const walk = (one) => {
    for (const child of one.children) {
      const said = look(child), times = (seen.get(said) ?? 0) + 1;
      seen.set(said, times);
      if (times > likes) child.setAttribute("data-alike", ""); else walk(child);
    }
  };
  walk(document.body);
}"""
LIKES = 6
#: Three rules compare what is seen, and take minutes for a table of a thousand like rows: they pass over what is alike.
WHOLE = """async (tags) => {
  const looks = ["color-contrast", "link-in-text-block", "target-size"];
  const rules = Object.fromEntries(looks.map((one) => [one, { enabled: false }]));
  const of = (context, options) => axe.run(context, { ...options, resultTypes: ["violations"], elementRef: false });
  const found = [await of(document, { runOnly: { type: "tag", values: tags }, rules }),
    await of({ include: [["html"]], exclude: [["[data-alike]"]] }, { runOnly: { type: "rule", values: looks } })];
  return found.flatMap((one) => one.violations);
}"""
#: What is alike is taken off the page before, as long as it is whole: a row, not a cell; a term with all that is said.
SHORT = """async (tags) => {
  const whole = "li, tr, p, dl, ul, div, section, details, table, blockquote".split(", ");
  for (const one of document.querySelectorAll("[data-alike]")) if (whole.includes(one.localName)) one.remove();
  for (const term of document.querySelectorAll("dt[data-alike]")) {
    const group = [term];
    for (let next = term; (next = next.nextElementSibling)?.localName === "dd";) group.push(next);
    if (group.every((one) => one.matches("[data-alike]"))) group.forEach((one) => one.remove());
  }
  const asked = { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"], elementRef: false };
  return (await axe.run(asked)).violations;
}"""


def violations(tab: Any, whole: bool = False) -> list[str]:
    """What axe-core has to say about a page: about all of it, or about six things of each look."""
    tab.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    tab.evaluate(ALIKE, LIKES)
    found = tab.evaluate(WHOLE if whole else SHORT, list(TAGS))
    return [f"{one['id']}: {one['nodes'][0]['html'][:160]} (and {len(one['nodes']) - 1} more)" for one in found]


def test_axe_would_find_something(browser: Any) -> None:
    with reading(browser, SOME[0]) as tab:
        grey = "<p style='color: #ccc; background: #ddd'>hard to read</p>"
        tab.set_content(f"<html><body><img src='data:,'>{20 * '<p>black</p>'}{grey}</body></html>")
        found = violations(tab)
        assert any("image-alt" in one for one in found) and any("color-contrast" in one for one in found)


@pytest.mark.parametrize("from_server", [True, False], ids=["on a server", "on a disk"])
def test_the_policy_forbids_what_is_not_the_editions_own(
    browser: Any, address: Callable[[bool], str], from_server: bool
) -> None:
    """Script and style that came in with the words of a page would not run."""
    with reading(browser, SOME[0]) as tab:
        tab.goto(address(from_server) + "index.html")
        tab.evaluate("""() => {
          const script = document.createElement("script"); script.textContent = "document.body.dataset.ran = 1";
          const styled = document.createElement("p"); styled.setAttribute("style", "color: rgb(1, 2, 3)");
          document.body.append(script, styled);
        }""")
        assert tab.evaluate("document.body.dataset.ran") is None
        assert tab.evaluate("getComputedStyle(document.body.lastElementChild).color") != "rgb(1, 2, 3)"


@pytest.mark.parametrize("from_server", [True, False], ids=["on a server", "on a disk"])
def test_a_page_is_set_in_the_letters_of_the_edition(
    browser: Any, site: Path, address: Callable[[bool], str], from_server: bool
) -> None:
    name = next(one for one in samples(site) if one.startswith("deals/"))
    with reading(browser, SOME[0]) as tab:
        tab.goto(address(from_server) + name)
        loaded = "document.fonts.ready.then(all => [...all].filter(f => f.status === 'loaded').map(f => f.family))"
        assert {"Junicode", "Edition Suits"} <= {one.strip('"') for one in tab.evaluate(loaded)}


# --- what a page remembers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("from_server", [True, False], ids=["on a server", "on a disk"])
def test_light_or_dark_is_chosen_by_a_button_and_stays_chosen(
    browser: Any, address: Callable[[bool], str], from_server: bool
) -> None:
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    with reading(browser, SOME[0]) as tab:
        tab.goto(address(from_server) + "index.html")
        light = tab.evaluate(paper)
        for _ in range(3):
            tab.locator(".rv-theme").click()
            if tab.evaluate("document.documentElement.dataset.theme") == "dark":
                break
        dark = tab.evaluate(paper)
        tab.goto(address(from_server) + "answers.html")
        assert dark != light and tab.evaluate(paper) == dark


# --- with the keyboard --------------------------------------------------------------------------------------------

PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
#: The ring may go round a box that holds nothing else to be come to: a slider's, with its numbers.
FOCUSED = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect();
  const ringed = (it) => {
    const look = getComputedStyle(it);
    return look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2;
  };
  const around = one.parentElement, controls = "a, button, input, select, textarea, summary, [tabindex]";
  return { words: one.innerText || one.getAttribute("aria-label") || one.name, href: one.getAttribute("href"),
    ring: ringed(one) || (around?.querySelectorAll(controls).length === 1 && ringed(around)),
    seen: one.checkVisibility({ visibilityProperty: true }),
    inside: box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight, tag: one.tagName };
}"""


@pytest.mark.parametrize(
    ("kind", "width"), sample([*product(("index.html", "questions/", "deals/", "answers.html"), (1280, 320))], 3)
)
def test_whoever_comes_with_the_keyboard_sees_where_he_is(
    browser: Any, site: Path, address: Callable[[bool], str], kind: str, width: int
) -> None:
    name = next(one for one in samples(site) if one.startswith(kind))
    with reading(browser, Way(width, "light", True, True), reduced_motion="reduce") as tab:
        tab.goto(address(True) + name)
        tab.evaluate(PAINTED)  # nobody presses a key on a page that is not there yet
        stops = []
        for _ in range(40):
            tab.keyboard.press("Tab")
            stops.append(tab.evaluate(FOCUSED))
        assert stops[0]["href"] == "#content"
        assert [
            one for one in stops if one["tag"] != "BODY" and not (one["ring"] and one["seen"] and one["inside"])
        ] == []


@pytest.mark.parametrize(
    ("style", "ring"),
    [
        ("", True),
        ("input { outline: none; }", False),
        ("input { outline: none; } div:has(:focus-visible) { outline: 2px solid; }", True),
        ("input { outline: none; } div:has(:focus-visible) { outline: 1px solid; }", False),
        ("input { outline: none; } body { outline: 2px solid; }", False),
        ("input { outline: none; } div { outline: 2px solid; } section { display: block; }", False),
    ],
)
def test_a_ring_would_be_missed(browser: Any, style: str, ring: bool) -> None:
    """Where a box holds two controls, a ring round it does not say which."""
    second = "<input aria-label=another>" if "section" in style else ""
    with reading(browser, SOME[0]) as tab:
        tab.set_content(
            f"<style>input {{ outline: 2px solid; }} {style}</style><div><input aria-label=a>{second}</div>"
        )
        tab.keyboard.press("Tab")
        assert tab.evaluate(FOCUSED)["ring"] is ring


def test_the_first_key_leads_past_the_navigation(browser: Any, address: Callable[[bool], str]) -> None:
    with reading(browser, SOME[0]) as tab:
        tab.goto(address(True) + "index.html")
        tab.evaluate(PAINTED)
        tab.keyboard.press("Tab")
        tab.keyboard.press("Enter")
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.closest('#content') !== null")


@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without a script"])
def test_the_navigation_opens_by_the_keyboard_on_a_narrow_screen(
    browser: Any, address: Callable[[bool], str], script: bool
) -> None:
    with reading(browser, Way(320, "light", True, script), reduced_motion="reduce") as tab:
        tab.goto(address(True) + "index.html")
        group, link = tab.locator("#rv-menu summary").first, tab.locator("#rv-menu a").first
        assert not group.is_visible()
        tab.locator(".rv-menu-button").focus()
        tab.keyboard.press("Enter")
        assert group.is_visible()
        if not link.is_visible():  # the home page is in no list of the menu
            group.press("Enter")
        link.wait_for(state="visible")
        tab.keyboard.press("Escape")
        assert not group.is_visible()


# --- what a reader has asked of his machine -------------------------------------------------------------------------


def test_nothing_moves_for_a_reader_who_asked_for_that(
    browser: Any, site: Path, address: Callable[[bool], str]
) -> None:
    moving = """() => [document.documentElement, ...document.querySelectorAll("*")].filter((one) => {
      const look = getComputedStyle(one);
      const times = [look.transitionDuration, look.animationDuration].join().split(",").map(parseFloat);
      return look.scrollBehavior === "smooth" || Math.max(...times) > 0.01;
    }).length"""
    with reading(browser, SOME[0], reduced_motion="reduce") as tab:
        for name in ("index.html", next(one for one in samples(site) if one.startswith("deals/"))):
            tab.goto(address(True) + name)
            assert tab.evaluate(moving) == 0, name


def test_marks_keep_a_frame_where_a_reader_has_colours_of_his_own(browser: Any, address: Callable[[bool], str]) -> None:
    framed = """(what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility()).every((one) => {
      const look = getComputedStyle(one);
      return look.borderTopStyle !== "none" && look.borderTopColor !== look.backgroundColor;
    })"""
    with reading(browser, SOME[0], forced_colors="active") as tab:
        tab.goto(address(True) + "silences.html")
        tab.goto(address(True) + "deals.html")
        assert tab.locator(".rv-badge, .rv-chip").count() == 0 or tab.evaluate(framed, ".rv-badge, .rv-chip")
        tab.goto(address(True) + "questions/Q031.html")
        statuses = tab.locator(".rv-status").all_inner_texts()  # these need no frame: they are words in brackets
        assert statuses and all(one.startswith("(") and one.endswith(")") for one in statuses)


def test_a_page_is_no_wider_on_a_very_wide_screen_than_an_eye_can_follow(
    browser: Any, site: Path, address: Callable[[bool], str]
) -> None:
    """Lines of words stay below some eighty letters, and the page stands in the middle."""
    longest = """() => Math.max(...[...document.querySelectorAll("article p:not(td p, th p)")].map((one) => {
      const look = getComputedStyle(one), pen = document.createElement("canvas").getContext("2d");
      pen.font = `${look.fontStyle} ${look.fontWeight} ${look.fontSize} ${look.fontFamily}`;
      return one.clientWidth / (pen.measureText("the quick brown fox jumps over a lazy dog ").width / 42);
    }))"""
    margins = """() => [document.querySelector("main").getBoundingClientRect().left,
      innerWidth - document.querySelector("main").getBoundingClientRect().right]"""
    with reading(browser, Way(3840, "light", True, True)) as tab:
        for name in ("index.html", "reading.html", next(one for one in samples(site) if one.startswith("sources/"))):
            tab.goto(address(True) + name)
            tab.evaluate("document.fonts.ready.then(() => 0)")
            assert tab.evaluate(longest) < 80, name
            left, right = tab.evaluate(margins)
            assert abs(left - right) < 0.2 * 3840, (name, left, right)


# --- on paper -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sample(["index.html", "sources/", "questions/", "deals/", "answers.html"], 2))
def test_on_paper_stand_the_words_and_not_the_ways_about(
    browser: Any, site: Path, address: Callable[[bool], str], kind: str
) -> None:
    name = next(one for one in samples(site) if one.startswith(kind))
    with reading(browser, Way(680, "dark", True, True)) as tab:
        tab.goto(address(True) + name)
        tab.emulate_media(media="print")
        for unwanted in (".rv-bar", ".rv-skip", ".rv-slide", ".rv-controls", ".rv-trick", "form", "button", "input"):
            assert not any(one.is_visible() for one in tab.locator(unwanted).all()), unwanted
        for hands in tab.locator(".rv-felt").all():  # the cards of a deal are words
            assert hands.is_visible()
        assert tab.locator("article h1").is_visible()
        assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert tab.evaluate("document.documentElement.scrollWidth") <= 680
