"""What the table keeps in a browser: whatever keeps it from being kept or read is said, and nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from edition.site.server import EditionServer
from reversis.browser.api import answer_request
from rulebook.model import Library
from tests.support.commands import cache, run
from tests.support.table_tab import ENGINE, kept_game, opened, press_keys, served, turn
from tests.support.waiting import until
from tests.support.windows import SIZE, Open, listening

__all__ = ["cache", "opened", "served"]  # the fixtures, for these tests too

pytestmark = [pytest.mark.slow, pytest.mark.browser]

CARDS = "play.html#cards=328&s=PAM"
STILL = {"reduced_motion": "reduce"}
DENIED = """() => Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("The operation is insecure.", "SecurityError"); } })"""
FULL = """() => { Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }; }"""
#: The engine starts at the first touch or key: most tests here need none.
SPARING = """() => Object.defineProperty(navigator, "connection", { value: { saveData: true } })"""
SLIP = "document.querySelector('.pl-slip')?.textContent.includes({words})"
LEADS = """() => {
  const kept = Object.entries(localStorage).find(([key]) => key.startsWith("reversis.table"))[1];
  return JSON.parse(kept).games.map((one) => String(one.game.deals[0].tricks[0]).slice(0, 2));
}"""


def put_kept(tab: Any, text: str) -> None:
    """Put a text where the table keeps its games."""
    tab.evaluate("(text) => localStorage.setItem(`reversis.table ${new URL('.', location.href).pathname}`, text)", text)


def read_kept(tab: Any) -> str:
    kept = tab.evaluate("Object.entries(localStorage).find(([key]) => key.startsWith('reversis.table'))?.[1] ?? ''")
    return str(kept)


@pytest.fixture(scope="module")
def tab(browser: Any, served: EditionServer) -> Iterator[Any]:
    """One page for most tests, in which the engine starts at the first touch or key: few of them need it."""
    heard: list[str] = []
    context = browser.new_context(viewport=SIZE, accept_downloads=True, **STILL)
    context.add_init_script(f"({SPARING})()")
    tab = listening(context, served.address, heard, "blob:", timeout=60_000, failures=False)
    tab.goto(f"{served.address}citing.html")
    yield tab
    context.close()
    assert heard == []


def open_kept(tab: Any, text: str = "", address: str = "play.html") -> None:
    """Open the table where a text is kept, and nothing else."""
    root = tab.evaluate("new URL('.', location.href).href")
    tab.evaluate("localStorage.clear()")
    if text:
        put_kept(tab, text)
    tab.goto("about:blank")
    tab.goto(root + address)
    tab.locator(".pl-choose, .pl-game").wait_for()


def wait_for_slip(tab: Any, words: str) -> None:
    until(tab, SLIP.format(words=json.dumps(words)), timeout=60_000)


def download(tab: Any, does: str) -> str:
    with tab.expect_download() as got:
        tab.locator(f"[data-do={does}]:visible").first.click()
    return Path(str(got.value.path())).read_text(encoding="utf-8")


# --- it cannot be kept ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stub", "words"), [(DENIED, "keeps nothing for this site"), (FULL, "no more room")])
def test_a_game_that_cannot_be_kept_goes_on_says_so_and_is_offered_as_a_file(
    opened: Open, tmp_path: Path, stub: str, words: str
) -> None:
    path = tmp_path / "game.yaml"
    tab = opened("citing.html", **STILL)
    tab.add_init_script(f"({stub})()")
    tab.goto(tab.url.replace("citing.html", CARDS))
    assert turn(tab) == "lay"
    wait_for_slip(tab, words)
    path.write_text(download(tab, "save"), encoding="utf-8")
    press_keys(tab, "Escape", "KeyK")
    assert turn(tab) == "back"
    assert not tab.locator(".pl-slip", has_text=words).count(), "it is said once, not at every card"
    assert run("play", "--resume", str(path)).exit_code == 0
    tab.locator(".pl-head > [data-do=leave]").click()
    assert words in tab.locator(".pl-notice").inner_text()


# --- it cannot be read ----------------------------------------------------------------------------------------------

VIEW = {"deal": {"you": "south"}, "phase": "play", "seats": [], "hand": [], "pools": []}
GAME = {"id": "a", "source": "PAM", "wishes": [], "seen": [], "ends": [], "view": VIEW, "game": {"deals": []}}


def write_kept(**changes: object) -> str:
    return json.dumps({"form": 1, "games": [], "results": [], **changes})


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        ("{ no", "damaged"),
        (write_kept(form=99), "newer edition"),
        (write_kept(games=3), "damaged"),
        (write_kept(games=[{**GAME, "view": None}]), "damaged"),
        (write_kept(games=[{**GAME, "seen": None}]), "damaged"),
        (write_kept(results=[None]), "damaged"),
        (write_kept(settings={"lessons": 3}), "damaged"),
    ],
)
def test_a_store_that_cannot_be_read_is_said_offered_and_not_written_over(tab: Any, kept: str, words: str) -> None:
    open_kept(tab, kept)
    assert words in tab.locator(".pl-notice").inner_text()
    tab.locator(".pl-more-fields summary").click()
    tab.locator("input[name=guess]").check()
    assert read_kept(tab) == kept == download(tab, "save-raw")
    tab.locator("[data-do=forget]").click()
    assert not tab.locator(".pl-notice").count()


def test_a_game_goes_on_beside_a_store_that_cannot_be_read(tab: Any) -> None:
    open_kept(tab, "{ no", CARDS)
    press_keys(tab, "Escape")
    turn(tab)
    wait_for_slip(tab, "damaged")
    press_keys(tab, "KeyK")
    turn(tab)
    assert read_kept(tab) == "{ no"
    tab.locator(".pl-head > [data-do=leave]").click()
    tab.locator(".pl-notice").wait_for()


@pytest.mark.parametrize(
    ("game", "words"),
    [({"form": 2}, "newer edition"), ({}, "x cannot go on")],
)
def test_a_game_that_the_engine_cannot_read_is_said_kept_and_offered(
    tab: Any, library: Library, game: dict[str, Any], words: str
) -> None:
    begun = answer_request(library, {"do": "table.begin", "source": "PAM", "seed": 7})
    kept = {**GAME, "seed": 7, "view": begun["view"], "game": {**begun["game"], "deals": [{"deal": "x"}], **game}}
    open_kept(tab, write_kept(games=[kept]))
    tab.locator("[data-do=resume]").click()
    until(tab, "document.querySelector('.pl-notice')", timeout=ENGINE)
    assert words in tab.locator(".pl-notice").inner_text()
    assert "deal: x" in download(tab, "save-unread")
    assert '"deal": "x"' in read_kept(tab)


def test_a_game_by_a_source_that_is_gone_is_said_and_offered(tab: Any) -> None:
    game = {**GAME, "source": "XYZ", "game": {"options": " --source XYZ", "deals": [{"deal": "x"}]}}
    open_kept(tab, write_kept(games=[game], results=[{"source": "XYZ", "seed": 1, "net": 3, "par": None}]))
    assert "XYZ, a book that this edition has not" in tab.locator("[data-do=resume]").inner_text()
    assert "reversis play --source XYZ" in download(tab, "resume")
    tab.locator("[data-do=standing]").click()
    assert "XYZ" in tab.locator(".pl-standing").inner_text()


def test_a_game_that_is_over_makes_room_before_one_that_goes_on(tab: Any) -> None:
    games = [{**GAME, "id": name, "seed": 7, "again": name == "b"} for name in "abcd"]
    open_kept(tab, write_kept(games=games))
    tab.evaluate("(game) => reversis.tableStore.keepGame(game)", {**GAME, "id": "e", "seed": 8})
    assert [game["id"] for game in json.loads(read_kept(tab))["games"]] == ["e", "a", "c", "d"]


# --- two windows ----------------------------------------------------------------------------------------------------


def test_two_windows_on_one_game_the_later_says_so_and_nothing_is_lost(opened: Open) -> None:
    first = opened(CARDS, **STILL)
    turn(first)
    second = first.context.new_page()
    second.goto(first.url)
    turn(second)
    wait_for_slip(second, "open in another window too")
    press_keys(second, "KeyK")
    turn(second)
    wait_for_slip(first, "has gone on in another window")
    first.locator("[data-do=reload]").click()
    assert turn(first) == "back" and first.locator(".pl-hand").inner_text() == second.locator(".pl-hand").inner_text()
    press_keys(first, "Digit1", "Enter")
    turn(first)
    wait_for_slip(second, "has gone on in another window")
    press_keys(second, "Digit2", "Enter")
    turn(second)
    assert len({*second.evaluate(LEADS)}) == len(second.evaluate(LEADS)) == 2, "both are kept"
    second.goto("about:blank")
    first.locator(".pl-head > [data-do=leave]").click()
    until(first, "!document.querySelector('.pl-notice')", timeout=60_000)
    assert first.locator("[data-do=resume]").count() == 2


# --- addresses and files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fragment", "words"),
    [
        ("#day=99999999&s=PAM", "no deal of the day with the number 99999999"),
        ("#cards=328&s=XYZ", "no book XYZ"),
        ("#deal=z.AAAA", "cannot be opened"),
        (f"#deal=j.{'A' * 40_000}", "it is far too long"),
        ("#nonsense", "nothing that this page knows"),
    ],
)
def test_an_address_that_leads_nowhere_says_so(tab: Any, fragment: str, words: str) -> None:
    open_kept(tab, address=f"play.html{fragment}")
    until(tab, "document.querySelector('.pl-notice')")
    assert words in tab.locator(".pl-notice").inner_text()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("saved game 1", "saved game 2"), "saved by a newer edition"),
        (lambda text: text.replace("--source PAM", "--source XYZ"), "XYZ, a book that this edition has not"),
        (lambda text: text.replace("note:", "about:"), "no game that was saved at a table"),
        (lambda text: "hands: [", "was not opened"),
        (lambda text: "", "no game that was saved at a table"),
    ],
)
def test_a_file_that_cannot_be_opened_says_why(
    tab: Any, tmp_path: Path, change: Callable[[str], str], words: str
) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(change(write_saved_game(tmp_path)), encoding="utf-8")
    open_kept(tab)
    tab.locator("input[type=file]").set_input_files(path)
    tab.locator(".pl-notice").wait_for()
    assert words in tab.locator(".pl-notice").inner_text()


def write_saved_game(folder: Path) -> str:
    """Begin a game in the terminal, and leave it."""
    path = folder / "begun.yaml"
    run("play", "-s", "PAM", "--seed", "328", "--east", "net", "--north", "net", "--west", "net", "-o", str(path))
    return path.read_text(encoding="utf-8")


def test_a_file_of_the_terminal_is_gone_on_with(tab: Any, tmp_path: Path) -> None:
    write_saved_game(tmp_path)
    open_kept(tab)
    tab.locator("input[type=file]").set_input_files(tmp_path / "begun.yaml")
    assert turn(tab) == "lay" and tab.locator(".pl-hand [data-card='7S']").count() == 1
    assert " --seed 328 " in kept_game(tab)["options"]


def test_a_deal_too_long_for_a_link_is_offered_as_a_file(tab: Any) -> None:
    open_kept(tab, address=CARDS)
    press_keys(tab, "Escape")
    turn(tab)
    tab.evaluate("reversis.records.link = async () => `#deal=z.${'A'.repeat(8000)}`")  # no deal of the table is so long
    tab.evaluate("reversis.tableState.state.entry.seed = null")  # cards that have no number are sent as they lie
    tab.locator("[data-do=more]").click()
    tab.locator("[data-do=link]").click()
    wait_for_slip(tab, "too long for a link")
    assert "deal: play-328-1" in download(tab, "save")
