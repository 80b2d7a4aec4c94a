"""A seat at the table, in a browser: what is played there comes to what the command line makes of its record."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from edition.site.server import EditionServer
from reversis.cli.main import cli
from reversis.table.days import read_days
from tests.browser.test_every_page import TAGS
from tests.support.table_tab import ENGINE, kept_game, opened, press_keys, save, served, shown_net, turn
from tests.support.waiting import until
from tests.support.windows import SIZE, Open, listening, windows

__all__ = ["opened", "served"]  # the fixtures, for these tests too

CARDS = "play.html#cards=328&s=PAM"
#: The page, its scripts and the engine are kept for a visit without a network.
KEPT_FILES = """async () => {
  const names = await caches.keys(), store = names.length ? await caches.open(names[0]) : null;
  const kept = (await store?.keys() ?? []).map((one) => new URL(one.url).pathname);
  return ["/play.html", "/play/reversis.zip", "/play/table.js"].every((one) => kept.includes(one));
}"""
#: Sizes of a window at which nothing of the table may be out of sight, or over anything else.
SIZES = ((390, 844), (390, 664), (360, 640), (1024, 768), (1366, 650), (1366, 768), (1280, 800))
FORGET = """() => {
  localStorage.clear();
  Object.assign(reversis.tableStore.data, { games: [], results: [] });
  location.hash = "";
  location.hash = "#cards=328&s=PAM";
}"""
LIT = "[...document.querySelectorAll('.pl-hand [data-card]:not(.pl-dim)')].map((node) => node.dataset.card)"
DIM = "[...document.querySelectorAll('.pl-hand .pl-dim')].map((node) => node.dataset.card)"
#: Parts of the table that are out of sight, or lie over another.
AMISS = """() => {
  const boxes = (one) => [...document.querySelectorAll(one)].map((node) => [one, node.getBoundingClientRect()])
    .filter(([, box]) => box.width * box.height);
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const over = (some) => some.flatMap(([one, a], at) =>
    some.slice(at + 1).filter(([, b]) => meet(a, b)).map(([other]) => `${one} over ${other}`));
  const rows = ["head", "felt", "say", "hand", "acts", "books", "slip"].flatMap((one) => boxes(`.pl-${one}`));
  const felt = ["seat", "pool", "last", "trick", "talon", "wait"].flatMap((one) => boxes(`.pl-${one}`));
  const [, ground] = boxes(".pl-felt")[0];
  const out = rows.filter(([, box]) => box.bottom > innerHeight + 0.5 || box.right > innerWidth + 0.5 || box.left < 0);
  const beside = felt.filter(([, box]) => box.bottom > ground.bottom + 1 || box.top < ground.top - 1);
  const small = [...document.querySelectorAll(".pl-game button")]
    .filter((one) => one.checkVisibility() && (one.offsetHeight < 40 || one.offsetWidth < 40));
  return [...over(rows), ...over(felt), ...out.map(([one]) => `${one} is out of sight`),
    ...beside.map(([one]) => `${one} is beside the felt`), ...small.map((one) => `${one.textContent} is small`)];
}"""

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def started(browser: Any, served: EditionServer) -> Iterator[Any]:
    """One page for several tests, since it takes the engine a while to start."""
    said: list[str] = []
    context = browser.new_context(viewport=SIZE, reduced_motion="reduce", accept_downloads=True)
    tab = listening(context, served.address, said, "blob:", timeout=60_000, failures=False)
    tab.goto(f"{served.address}play.html")
    until(tab, "reversis.engine.ready", timeout=ENGINE)
    yield tab
    context.close()
    assert said == []


@pytest.fixture
def tab(started: Any) -> Any:
    """That page at the deal 328 by the Pamphlet, before the exchange; nothing is kept of another test."""
    started.set_viewport_size(SIZE)
    started.evaluate(FORGET)
    turn(started)
    return started


def finish(tab: Any, play: Callable[[], None]) -> None:
    """Play a deal to its end, each card by *play*, and see what it comes to."""
    for _ in range(40):
        waits = turn(tab)
        if waits == "finish":
            break
        if waits == "back":
            play()
        else:
            tab.locator(f".pl-acts [data-do={waits}]").click()
    tab.locator(".pl-acts [data-do=finish]").click()
    until(tab, "document.querySelectorAll('.pl-seven tr').length > 0")


def settle_file(path: Path) -> dict[str, Any]:
    done = CliRunner().invoke(cli, ["run", str(path), "-s", "PAM", "--format", "json"])
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout))


# --- whole deals ----------------------------------------------------------------------------------------------------


def test_a_deal_by_keys_alone_comes_to_what_the_command_line_makes_of_its_file(tab: Any, tmp_path: Path) -> None:
    press_keys(tab, "KeyK")
    for _ in range(40):
        waits = turn(tab)
        press_keys(tab, *{"back": ("Digit1", "Enter"), "go-on": ("Space",), "finish": ("Space",)}[waits])
        if waits == "finish":
            break
    until(tab, "document.querySelectorAll('.pl-seven tr').length > 0")
    path = save(tab, tmp_path)
    (deal,) = yaml.safe_load_all(path.read_text(encoding="utf-8"))
    assert len(deal["tricks"]) == 11 and "fragment" not in deal
    assert settle_file(path)["net"]["south"] == shown_net(tab)
    assert deal["hands"]["west"].split()[:2] == ["JS", "8S"], "the cards of reversis play --seed 328"


def test_a_deal_by_mouse_and_one_more_with_the_dealer_and_pool_of_the_book(tab: Any, tmp_path: Path) -> None:
    tab.locator(".pl-hand [data-card='7S']").click()
    tab.locator("[data-do=lay]").click()
    finish(tab, lambda: tab.locator(".pl-hand .rv-tile:not(.pl-dim)").first.click())
    net = settle_file(save(tab, tmp_path))["net"]["south"]
    assert net == shown_net(tab)
    tab.locator("[data-do=next]").click()
    turn(tab)
    first, second = kept_game(tab)["deals"]
    seats = second["seats"]
    assert seats.index(second["dealer"]) == (seats.index(first["dealer"]) + 1) % len(seats)
    tab.locator(".pl-head > [data-do=standing]").click()
    assert str(net).replace("-", "−") in tab.locator(".pl-standing").first.inner_text()


def test_a_deal_by_touch_on_a_phone(opened: Open, tmp_path: Path) -> None:
    how = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    phone = opened(CARDS, reduced_motion="reduce", **how)
    assert turn(phone) == "lay"
    phone.locator("[data-do=keep]").tap()
    for _ in range(40):
        waits = turn(phone)
        if waits == "finish":
            break
        phone.locator(".pl-hand .rv-tile:not(.pl-dim)" if waits == "back" else "[data-do=go-on]").first.tap()
    phone.locator(".pl-acts [data-do=finish]").tap()
    until(phone, "document.querySelectorAll('.pl-seven tr').length > 0")
    assert settle_file(save(phone, tmp_path))["net"]["south"] == shown_net(phone)


# --- one card -------------------------------------------------------------------------------------------------------


def test_a_dim_card_says_which_clause_forbids_it_and_costs_nothing(tab: Any) -> None:
    press_keys(tab, "KeyK")
    for _ in range(40):
        waits = turn(tab)
        if waits == "back" and tab.locator(".pl-hand .pl-dim").count():
            break
        press_keys(tab, *{"back": ("Digit1", "Enter"), "go-on": ("Space",)}[waits])
    before, dim = kept_game(tab), tab.locator(".pl-hand .pl-dim").first
    name = dim.get_attribute("data-card")
    assert "not now" in str(dim.get_attribute("aria-label"))
    dim.click(force=True)
    until(tab, "document.querySelector('.pl-slip .pl-quote, .pl-slip .pl-place')?.textContent.length > 5")
    assert kept_game(tab)["deals"] == before["deals"]
    assert tab.locator(f".pl-hand [data-card='{name}'].pl-asked").count() == 1
    press_keys(tab, "Escape")
    assert tab.locator(".pl-slip").count() == 0


def test_every_dim_card_of_ten_positions_is_refused_with_its_clause(tab: Any) -> None:
    refused = Counter[str]()
    for _ in range(60):
        if turn(tab) == "back":
            refused.update(refuse_dim_cards(tab))
        if len(refused) == 10:
            break
        go_on(tab)
    assert len(refused) == 10 and all(refused.values())


def refuse_dim_cards(tab: Any) -> dict[str, int]:
    """Tap every dim card; return how many there are, by the position."""
    deals = kept_game(tab)["deals"]
    dim = tab.evaluate(DIM)
    for card in dim:
        tab.locator(f".pl-hand [data-card='{card}']").dispatch_event("click")
        turn(tab)
        assert tab.locator(".pl-slip .pl-place").inner_text() and tab.locator(".pl-slip h2").inner_text()
        assert tab.locator(f".pl-hand [data-card='{card}'].pl-asked").count() == 1
        assert kept_game(tab)["deals"] == deals and tab.evaluate(DIM) == dim
    return {json.dumps(deals): len(dim)} if dim else {}


def go_on(tab: Any) -> None:
    """Do whatever leads on, and sit down to the next deal after the last card."""
    waits = turn(tab)
    if waits in {"back", "lay"}:
        press_keys(tab, "Digit1", "Enter")
    else:
        tab.locator(f".pl-acts [data-do={waits}]").click()
    if waits == "finish":
        tab.locator("[data-do=next]").click()


def test_take_back_undoes_the_replies_and_is_marked(tab: Any) -> None:
    press_keys(tab, "KeyK")
    turn(tab)
    hand = tab.locator(".pl-hand").inner_text()
    press_keys(tab, "Digit2", "Enter")
    while turn(tab) == "go-on":
        press_keys(tab, "Space")
    assert tab.locator(".pl-hand").inner_text() != hand
    press_keys(tab, "KeyZ")
    until(tab, "document.querySelectorAll('.pl-hand [data-card]').length === 11")
    turn(tab)
    assert tab.locator(".pl-hand").inner_text() == hand and kept_game(tab)["marks"]["backs"] == 1


def test_a_hint_is_shown_and_the_deal_is_marked_at_its_end(tab: Any) -> None:
    press_keys(tab, "KeyK")
    turn(tab)
    press_keys(tab, "KeyH")
    until(tab, "document.querySelector('.pl-hint .pl-worth li')", timeout=ENGINE)
    advised = tab.locator(".pl-worth [data-card]").evaluate_all("(cards) => cards.map((node) => node.dataset.card)")
    assert {*advised} == {*tab.evaluate(LIT)} and tab.locator(".pl-worth li", has_text="best").count() == 1
    press_keys(tab, "Enter")
    turn(tab)
    press_keys(tab, "KeyZ")
    until(tab, "document.querySelectorAll('.pl-hand [data-card]').length === 11")
    finish(tab, lambda: press_keys(tab, "Digit1", "Enter"))
    assert "Played with hints and with take-back." in tab.locator(".pl-page").inner_text()
    assert kept_game(tab)["marks"] == {"hints": 1, "backs": 1}


def test_the_other_books_are_hidden_until_they_are_guessed(tab: Any) -> None:
    tab.locator(".pl-head > [data-do=leave]").click()
    tab.locator(".pl-more-fields summary").click()
    tab.locator("input[name=guess]").check()
    tab.evaluate(FORGET)
    turn(tab)
    press_keys(tab, "KeyK")
    for _ in range(40):
        if turn(tab) == "finish":
            break
        press_keys(tab, "Digit1", "Enter")
        shown = tab.locator(".pl-books li .pl-total").all_inner_texts()
        assert sum("?" in words for words in shown) == 6, shown
    press_keys(tab, "Space")
    tab.locator(".pl-guess li").first.wait_for()
    for at in range(6):
        tab.locator(".pl-guess li").nth(at).locator("input").nth(at % 3).check()
    tab.locator("[data-do=show]").click()
    right = tab.locator(".pl-guess .pl-right").count()
    assert right + tab.locator(".pl-guess .pl-wrong").count() == 6
    assert f"{right} of 6." in tab.locator(".pl-page").inner_text()
    tab.locator("[data-do=finish]").click()
    until(tab, "document.querySelectorAll('.pl-seven tr').length === 7")
    tab.evaluate("reversis.tableStore.data.settings.guess = false")


def test_letters_are_no_keys_where_they_are_switched_off(tab: Any) -> None:
    tab.locator("[data-do=more]").click()
    tab.locator(".pl-menu input[name=letters]").uncheck()
    tab.keyboard.press("Escape")
    tab.locator(".pl-hand .rv-tile").first.focus()
    press_keys(tab, "KeyK")
    assert turn(tab) == "lay"
    tab.locator("[data-do=more]").click()
    tab.locator(".pl-menu input[name=letters]").check()
    tab.keyboard.press("Escape")


def test_a_wish_that_cannot_be_played_is_said_and_can_be_mended(tab: Any) -> None:
    tab.locator(".pl-head > [data-do=leave]").click()
    tab.locator(".pl-more-fields summary").click()
    tab.locator("input[name=wishes]").fill("Q031=many")
    tab.locator(".pl-go button").click()
    until(tab, "document.querySelector('.pl-notice')?.textContent.includes('Q031=many')")
    tab.locator("input[name=wishes]").fill("Q031=3")
    tab.locator(".pl-go button").click()
    turn(tab)
    assert "--with 'Q031=3'" in kept_game(tab)["options"]


# --- what is kept ---------------------------------------------------------------------------------------------------


def test_a_reload_in_the_middle_of_a_trick_goes_on(opened: Open) -> None:
    page = opened(CARDS, reduced_motion="reduce")
    turn(page)
    press_keys(page, "KeyK")
    for _ in range(3):
        waits = turn(page)
        press_keys(page, *{"back": ("Digit1", "Enter"), "go-on": ("Space",)}[waits])
    turn(page)
    before, hand = kept_game(page), page.locator(".pl-hand").inner_text()
    page.reload()
    turn(page)
    assert kept_game(page)["deals"] == before["deals"] and page.locator(".pl-hand").inner_text() == hand


def test_the_cards_are_there_before_the_engine_and_a_choice_waits_for_it(opened: Open) -> None:
    page = opened(f"play.html#day={read_days()[0]}&s=PAM", reduced_motion="reduce")
    first = page.locator(".pl-hand [data-card]").first
    begun = time.monotonic()
    first.wait_for()
    assert time.monotonic() - begun < 5
    name = first.get_attribute("data-card")
    first.click()
    page.locator("[data-do=lay]").click()
    until(page, f"!document.querySelector('.pl-hand [data-card=\"{name}\"]')", timeout=ENGINE)
    turn(page)
    assert name in {one.get("out") for one in kept_game(page)["deals"][0]["exchange"]}


def test_nothing_is_kept_of_a_page_that_is_only_looked_at(opened: Open) -> None:
    page = opened("play.html")
    page.locator(".pl-choose").wait_for()
    assert page.evaluate("Object.keys(localStorage)") == []


# --- as it is seen --------------------------------------------------------------------------------------------------


def test_nothing_scrolls_or_overlaps_in_exchange_and_play(tab: Any) -> None:
    said = []
    for phase, (width, height) in product(("exchange", "play", "slip"), SIZES):
        if (width, height) == SIZES[0] and phase == "play":
            press_keys(tab, "KeyK")
            turn(tab)
            press_keys(tab, "Digit1", "Enter")
            turn(tab)
        if (width, height) == SIZES[0] and phase == "slip":
            tab.set_viewport_size(SIZE)
            tab.locator("[data-do=rules]").first.click()
        tab.set_viewport_size({"width": width, "height": height})
        tab.evaluate("scrollTo(0, 0)")
        tab.wait_for_timeout(150)
        said += [f"{phase}, {width} x {height}: {one}" for one in tab.evaluate(AMISS)]
    assert said == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_to_say(tab: Any, scheme: str) -> None:
    tab.emulate_media(color_scheme=scheme)
    found = [*axe(tab)]
    press_keys(tab, "KeyK")
    turn(tab)
    tab.locator("[data-do=rules]").first.click()
    found += axe(tab)
    tab.emulate_media(color_scheme="light")
    assert found == []


def axe(tab: Any) -> Iterator[str]:
    tab.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    asked = {"runOnly": {"type": "tag", "values": list(TAGS)}, "resultTypes": ["violations"]}
    for one in tab.evaluate("(asked) => axe.run(document, asked)", asked)["violations"]:
        yield f"{one['id']}: {one['nodes'][0]['html'][:160]}"


def test_from_a_folder_it_says_how_to_start(browser: Any, site: Path) -> None:
    with windows(browser, f"{site.as_uri()}/") as opens:
        page = opens("play.html")
        page.locator(".pl-page").wait_for()
        assert "reversis serve" in page.locator(".pl-page").inner_text()
        assert "reversis play --source PAM --seed" in page.locator(".pl-page").inner_text()


RIGHT_CARD = "(at) => [reversis.lessons[at].right, Object.keys(reversis.lessons[at].refused)]"


def test_lessons_need_no_engine_and_each_shows_its_sentence(browser: Any, site: Path) -> None:
    with windows(browser, f"{site.as_uri()}/") as opens:
        page = opens("play.html", reduced_motion="reduce")
        lesson = page.locator("[data-do=lesson]")
        lesson.first.wait_for()
        assert lesson.count() == page.evaluate("reversis.lessons.length") == 7
        refused = 0
        for at in range(7):
            lesson.nth(at).click()
            page.locator(".pl-hand [data-card]").first.wait_for()
            right, dim = page.evaluate(RIGHT_CARD, at)
            refused += len(dim)
            if dim:
                page.locator(f".pl-hand [data-card='{dim[0]}']").dispatch_event("click")
                assert page.locator(".pl-slip .pl-quote").inner_text()
            for _ in range(2):  # by privilege a card is played at the second tap
                if page.locator(".pl-acts [data-do]").count() == 0:
                    page.locator(f".pl-hand [data-card='{right}']").click()
            page.locator(".pl-acts .rv-primary").wait_for()
            assert page.locator(".pl-say").inner_text() == "Right."
            assert page.locator(".pl-slip .pl-quote").inner_text() and page.locator(".pl-slip h2").inner_text()
            page.locator("[data-do=leave]").first.click()
        assert page.locator("[data-do=lesson]", has_text="done").count() == 7 and refused > 0


@pytest.fixture
def hosted(site: Path) -> Iterator[str]:
    """The edition at a plain host, which serves every file."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
        threading.Thread(target=host.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{host.server_address[1]}/"
        host.shutdown()


def test_after_the_first_visit_it_is_played_without_a_network(browser: Any, hosted: str) -> None:
    context = browser.new_context(viewport=SIZE, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{hosted}{CARDS}")
    until(page, "reversis.engine.ready", timeout=ENGINE)
    until(page, KEPT_FILES, timeout=ENGINE)
    context.set_offline(True)
    page.reload()
    assert turn(page) == "lay"
    page.locator("[data-do=keep]").click()
    assert turn(page) == "back" and page.locator(".pl-hand [data-card]").count() == 11
    context.close()


def test_an_example_deal_is_played_on_from_the_trick_that_is_looked_at(opened: Open, tmp_path: Path) -> None:
    page = opened("deals/pam-quinola-forced-opposite-last.html#t4-PAM", reduced_motion="reduce")
    page.locator("a.rv-play-on").first.click()
    assert page.url.endswith("play.html#example=pam-quinola-forced-opposite-last&t=4&s=PAM")
    turn(page)
    assert "trick 4 of" in page.locator(".pl-head").inner_text()
    finish(page, lambda: page.locator(".pl-hand [data-card]:not([aria-disabled=true])").first.click())
    assert settle_file(save(page, tmp_path))["net"]["south"] == shown_net(page)


def test_an_example_that_is_not_there_is_said(opened: Open) -> None:
    page = opened("play.html#example=no-such-deal")
    page.locator(".pl-notice").wait_for()
    assert "There is no example deal no-such-deal." in page.locator(".pl-notice").inner_text()


def test_the_first_button_of_the_home_page_leads_to_the_cards(opened: Open) -> None:
    page = opened("index.html")
    page.locator(".rv-acts a").first.click()
    page.locator(".pl-game .pl-hand [data-card]").first.wait_for()
    assert page.locator(".pl-hand [data-card]").count() >= 11
