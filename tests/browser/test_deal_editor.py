"""Settle your own deal, in a browser: what the engine says there is held against the command line."""

from __future__ import annotations

import base64
import json
import re
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from edition.site.server import EditionServer, open_server
from reversis.cli.main import cli
from reversis.files.deals import find_deal_paths
from rulebook.model import Library
from tests.support.places import CLONE, DATA
from tests.support.settling import SIGLA
from tests.support.tiers import sample
from tests.support.waiting import until
from tests.support.windows import SIZE, Open, listening, windows

FOUR = "pam-quinola-forced-opposite-last"
BOOKS = SIGLA
ENGINE = 300_000  #: milliseconds in which the engine has started, on a busy machine
#: Whatever was changed last is settled.
SETTLED = """(() => {
  const last = (name) => performance.getEntriesByName(`reversis:${name}`).at(-1)?.detail;
  return last('settled') !== undefined && last('settled') === last('changed');
})()"""
HEARD: dict[str, Any] = {"timeout": 60_000, "failures": False}

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[EditionServer]:
    """The edition as `reversis serve` serves it."""
    with open_server(site, 0) as made:
        threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
        yield made
        made.shutdown()


@pytest.fixture
def opened(browser: Any, served: EditionServer) -> Iterator[Open]:
    with windows(browser, served.address, "blob:", **HEARD) as opens:
        yield opens


@pytest.fixture(scope="module")
def started(browser: Any, served: EditionServer) -> Iterator[Any]:
    """One page for several tests, since it takes the engine a while to start."""
    said: list[str] = []
    context = browser.new_context(viewport=SIZE)
    tab = listening(context, served.address, said, "blob:", **HEARD)
    tab.goto(f"{served.address}try.html")
    until(tab, SETTLED, timeout=ENGINE)
    yield tab
    context.close()
    assert said == []


@pytest.fixture
def tab(started: Any) -> Any:
    """That page with an example deal, by all books and without wishes."""
    started.set_viewport_size(SIZE)
    for box in started.locator("input[name=rv-book]").all():
        box.set_checked(True)
    started.evaluate("() => { let one; while ((one = document.querySelector('.rv-wishes button'))) one.click(); }")
    settled(started, lambda: started.evaluate("(id) => { location.hash = ''; location.hash = id; }", f"#deal={FOUR}"))
    return started


def settled(tab: Any, act: Callable[[], object]) -> None:
    """Do something, and wait until the deal is settled without anything more."""
    tab.evaluate("performance.clearMarks()")
    act()
    until(tab, SETTLED, timeout=ENGINE)


def press(tab: Any, *cards: str) -> None:
    for name in cards:
        tab.locator(f".rv-place[data-card='{name}']").click()


def swap(tab: Any, one: str, other: str) -> None:
    settled(tab, lambda: press(tab, one, other))


def unfold(tab: Any, part: str) -> Any:
    """Open a folded part of the editor."""
    found = tab.locator(part)
    found.evaluate("one => { one.open = true; }")
    return found


def field(tab: Any, way: str) -> Any:
    """Input fields of a place in the record."""
    return tab.locator(f".rv-folded [data-way='{way}']")


def lines(tab: Any) -> list[str]:
    """The results as data, as they stand on the page."""
    return (tab.locator(".rv-data").text_content() or "").splitlines()


def saved(tab: Any, folder: Path) -> Path:
    """The deal file as the reader saves it."""
    with tab.expect_download() as found:
        tab.evaluate("[...document.querySelectorAll('button')].find(one => one.textContent === 'Save file').click()")
    path = folder / str(found.value.suggested_filename)
    found.value.save_as(path)
    return path


def record(tab: Any, folder: Path) -> dict[str, Any]:
    return dict(yaml.safe_load(saved(tab, folder).read_text(encoding="utf-8")))


def run(path: Path, sources: tuple[str, ...] = BOOKS, *more: str) -> Any:
    words = [word for source in sources for word in ("-s", source)]
    return CliRunner().invoke(cli, ["run", str(path), *words, *more, "--format", "json"])


def totals(tab: Any, book: str) -> list[str]:
    return [one.inner_text() for one in tab.locator(f".rv-sums tr[data-book={book}] td").all()]


# --- the same as the command line ---------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", sample(["JH 5H", "AS 7C", "KS KD"], every=3))
def test_a_changed_deal_settles_by_itself_as_on_the_command_line(tab: Any, tmp_path: Path, cards: str) -> None:
    before = lines(tab)
    swap(tab, *cards.split())
    path = saved(tab, tmp_path)
    assert path.name == f"{FOUR}-changed.yaml"
    assert lines(tab) == run(path).stdout.splitlines() != before
    for line in map(json.loads, lines(tab)):
        shown = totals(tab, line["source"])
        assert ("net" in line) == (len(shown) == 5), "a total for each player and the pool, or one word"


def test_what_is_not_legal_is_said_with_card_and_clause_and_can_be_played_otherwise(tab: Any, tmp_path: Path) -> None:
    swap(tab, "7C", "9D")  # within a hand: the order in which they are played
    told = next(line for line in map(json.loads, lines(tab)) if line["source"] == "PAM")
    refused = told["refused"]
    assert len(refused) > 1, "all of them at once"
    shown = tab.locator(".rv-refusals > li").all()
    assert len(shown) == len(refused)
    for one, seen in zip(refused, shown, strict=True):
        assert all(clause.rpartition(".")[2] in seen.inner_text() for clause in one["clauses"])
    assert totals(tab, "PAM") == ["not legal here"] and tab.locator(".rv-not-legal").count()
    settled(tab, tab.get_by_role("button", name="Play on at random").click)
    assert {"net"} == {next(key for key in ("net", "refused") if key in json.loads(line)) for line in lines(tab)}
    assert lines(tab) == run(saved(tab, tmp_path)).stdout.splitlines()


def test_other_readings_are_used_as_after_with(tab: Any, tmp_path: Path) -> None:
    part = unfold(tab, ".rv-wish-part")
    typed = part.get_by_label("Or change an answer")
    typed.fill("Q031=3")
    settled(tab, lambda: typed.press("Enter"))
    settled(tab, lambda: part.get_by_label("Use another reading").select_option("PAM.i01"))
    assert lines(tab) == run(saved(tab, tmp_path), BOOKS, "--with", "Q031=3", "--with", "PAM.i01").stdout.splitlines()
    assert "no longer the rules of one book" in tab.locator(".rv-book-ledger").inner_text()
    typed.fill("Q031=many")
    typed.press("Enter")
    until(tab, "document.querySelector('.rv-status-line').innerText.includes('Q031=many')")


def test_errors_stand_as_sentences_at_their_fields(tab: Any, tmp_path: Path) -> None:
    part = unfold(tab, ".rv-typed")
    field(tab, "hands/south").fill("XX 7C 7C 4S 2S 5H 9D 7D QC 9C 6C")
    until(tab, "document.querySelectorAll('.rv-problems li').length === 1")
    assert "South’s hand: 'XX' is no card" in part.locator(".rv-beside-field").inner_text()
    assert field(tab, "hands/south").get_attribute("aria-invalid") == "true"
    field(tab, "hands/south").fill("7S 7C 4S 2S 5H 9D 7D QC 9C 6C")
    notes = tab.locator(".rv-board-notes")
    until(tab, "document.querySelector('.rv-board-notes').innerText.includes('4C')")
    assert "4C" in notes.inner_text(), "what belongs to no field stands below the cards"
    settled(tab, tab.get_by_role("button", name="Starting deal").click)
    field(tab, "tricks/1").fill("9D 2D 8D")
    until(tab, "document.querySelectorAll('.rv-problems li').length > 1")
    said = [line for line in run(saved(tab, tmp_path)).stderr.splitlines() if ".yaml:" in line]
    assert tab.locator(".rv-problems li").count() == len(said)
    assert "Trick 2: " in part.locator(".rv-beside-field").first.inner_text()
    settled(tab, tab.get_by_role("button", name="Starting deal").click)
    assert not tab.locator(".rv-settle [aria-invalid]").count()
    text = unfold(tab, ".rv-file-part").locator("textarea")
    text.fill("{ nothing")
    assert "cannot be read as JSON" in tab.locator(".rv-file-part .rv-problem").inner_text()


def test_the_ways_to_clause_and_sentence_arrive(tab: Any, site: Path) -> None:
    links = tab.eval_on_selector_all(".rv-evidence a", "found => found.map((one) => one.href)")
    assert {link.split("/")[3] for link in links} >= {"clauses", "sources", "questions"}
    for link in set(links):
        page, _, place = link.partition("#")
        path = site / "/".join(page.split("/")[3:])
        assert f'id="{place}"' in path.read_text(encoding="utf-8"), link
    assert not tab.locator(".rv-result-part .rv-was").count(), "nothing was changed, and nothing is marked"


# --- cards --------------------------------------------------------------------------------------------------------


def test_cards_fields_and_text_are_in_step_and_can_be_undone(tab: Any, tmp_path: Path) -> None:
    swap(tab, "JH", "5H")
    unfold(tab, ".rv-file-part")
    text = tab.locator(".rv-as-text textarea")
    made = yaml.safe_load(text.input_value())
    assert "JH" in made["hands"]["south"].split() and "5H" in made["hands"]["east"].split()
    assert made["tricks"][3].split()[0] == "JH" and not {"cites", "note", "expect"} & set(made)
    settled(tab, lambda: text.fill(json.dumps({**made, "dealer": "north"})))
    assert tab.locator(".rv-seat[data-way='hands/north'] .rv-seat-name").inner_text().endswith("deals")
    for _ in range(2):
        settled(tab, tab.get_by_role("button", name="Undo").click)
    assert record(tab, tmp_path)["deal"] == FOUR


def test_irregularities_and_the_pool_are_written_into_the_record(tab: Any, tmp_path: Path) -> None:
    unfold(tab, ".rv-facts-part")
    tab.get_by_role("button", name="Add an irregularity").click()
    field(tab, "faults/0").nth(0).select_option("revoke")
    field(tab, "faults/0").nth(1).select_option("east")
    field(tab, "faults/0").nth(2).fill("5")
    field(tab, "pool/stake").fill("90")
    made = record(tab, tmp_path)
    assert (made["faults"], made["pool"]["stake"]) == ([{"kind": "revoke", "seat": "east", "trick": 5}], 90)
    tab.get_by_role("button", name="Remove irregularity 1").click()
    assert "faults" not in record(tab, tmp_path)


def test_a_card_that_does_not_follow_suit_says_so_in_a_word_and_can_be_recorded_as_a_revoke(
    tab: Any, tmp_path: Path
) -> None:
    settled(tab, tab.get_by_role("button", name="Starting deal").click)
    swap(tab, "KD", "9S")
    shown = tab.locator(".rv-not-legal")
    assert shown.count() == 2 and all("illegal" in one.inner_text() for one in shown.all())
    for _ in range(2):
        settled(tab, tab.get_by_role("button", name="Record as a revoke").first.click)
    made = record(tab, tmp_path)
    revoke = {"kind": "revoke"}
    assert made["faults"] == [revoke | {"seat": "north", "trick": 5}, revoke | {"seat": "south", "trick": 7}]
    assert not tab.get_by_role("button", name="Record as a revoke").count()
    assert {"net"} & {key for line in lines(tab) for key in json.loads(line)}


def test_a_card_that_is_tapped_fills_the_next_place_and_the_suit_led_comes_first(tab: Any, tmp_path: Path) -> None:
    tab.get_by_role("button", name="Enter your cards").click()
    tab.locator(".rv-free[data-place='north 0']").click()
    for name in ("QH", "5H", "JH", "2H"):
        suits = tab.eval_on_selector_all(
            ".rv-side-cards > .rv-undealt > .rv-place", "all => all.map((one) => one.dataset.card[1])"
        )
        assert {*suits} == ({"H"} if name != "QH" else {*"SHDC"})
        press(tab, name)
    first = {seat: hand.split() for seat, hand in record(tab, tmp_path)["hands"].items()}
    assert first == {"north": ["QH"], "south": ["5H"], "east": ["JH"], "west": ["2H"]}
    for _ in range(40):
        tab.locator(".rv-side-cards > .rv-undealt > .rv-place").first.click()
    made = record(tab, tmp_path)
    assert {len(hand.split()) for hand in made["hands"].values()} == {11} and len(made["talon"].split()) == 4
    until(tab, "document.querySelector('.rv-status-line').innerText.includes('dealt but not played')")
    settled(tab, tab.get_by_role("button", name="Play in this order").click)
    assert len(record(tab, tmp_path)["tricks"]) == 11
    unfold(tab, ".rv-typed").get_by_role("button", name="Add a trick").click()
    assert "no trick 12" in tab.locator(".rv-notice").inner_text()
    assert len(record(tab, tmp_path)["tricks"]) == 11


def test_arrow_keys_go_from_card_to_card_and_the_tab_key_stops_once(tab: Any) -> None:
    settled(tab, tab.get_by_role("button", name="Starting deal").click)
    tab.locator("[data-card=QH]").focus()
    for key, name in (("Right", "6S"), ("Down", "8S"), ("Left", "2H"), ("Up", "QH"), ("Up", "QH")):
        tab.keyboard.press(f"Arrow{key}")
        assert tab.evaluate("document.activeElement.dataset.card") == name
    assert tab.locator("[data-place]:not([tabindex='-1'])").count() == 1
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.dataset.place") is None


def test_no_error_on_the_page_speaks_of_files_and_commands(tab: Any) -> None:
    unfold(tab, ".rv-typed")
    for way, letters in (("tricks/1", ""), ("tricks/1", "? ? ? ?"), ("hands/south", "TS"), ("hands/south", "?")):
        settled(tab, tab.get_by_role("button", name="Starting deal").click)
        field(tab, way).fill(letters)
        until(tab, "document.querySelectorAll('.rv-problems li').length > 0")
        said = tab.locator(".rv-problems").inner_text()
        assert not re.search(r"fragment|pack:|reversis|FILE|`", said), said


@pytest.mark.parametrize(("width", "height"), [(640, 512), (390, 844), (1280, 900)])
def test_what_stays_in_sight_never_covers_what_has_the_focus(tab: Any, width: int, height: int) -> None:
    tab.set_viewport_size({"width": width, "height": height})
    settled(tab, tab.get_by_role("button", name="Starting deal").click)
    covered = """() => {
      const one = document.activeElement, box = one.getBoundingClientRect();
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return top && !one.contains(top) && !top.contains(one) ? one.outerHTML.slice(0, 90) : "";
    }"""
    tab.locator(".rv-settle button").first.focus()
    for name in tab.eval_on_selector_all("[data-card]", "all => all.map((one) => one.dataset.card)"):
        tab.locator(f"[data-card='{name}']").evaluate("one => one.focus()")
        assert tab.evaluate(covered) == ""
    for _ in range(30):
        tab.keyboard.press("Tab")
        assert tab.evaluate(covered) == ""


# --- random deals, files, links -----------------------------------------------------------------------------------


def test_a_random_deal_is_legal_by_every_ticked_book_and_the_command_line_makes_it_too(
    tab: Any, tmp_path: Path
) -> None:
    for _ in range(3):
        settled(tab, tab.get_by_role("button", name="Random deal").click)
        path = saved(tab, tmp_path)
        assert lines(tab) == run(path).stdout.splitlines() and all("net" in json.loads(line) for line in lines(tab))
    number = path.stem.removeprefix("random-")
    command = ["deal", "random", "--seed", number, "--players", "4", "--pack", "48", "-f", "json"]
    assert yaml.safe_load(path.read_text(encoding="utf-8")) == json.loads(CliRunner().invoke(cli, command).stdout)
    settled(tab, lambda: tab.locator("input[name=rv-book][value=ACA]").uncheck())
    assert [json.loads(line)["source"] for line in lines(tab)] == list(BOOKS[1:])
    before = record(tab, tmp_path)
    tab.get_by_label("from trick").select_option("6")
    settled(tab, tab.get_by_role("button", name="Play", exact=True).click)
    after = record(tab, tmp_path)
    assert (after["hands"], after["tricks"][:5]) == (before["hands"], before["tricks"][:5])


def test_a_deal_file_is_opened_and_a_strange_file_is_refused_in_words(tab: Any, tmp_path: Path) -> None:
    made = {**record(tab, tmp_path), "deal": "from-a-file"}
    (tmp_path / "mine.json").write_text(json.dumps(made), encoding="utf-8")
    (tmp_path / "strange.yaml").write_text("deal: &one [x]", encoding="utf-8")
    settled(tab, lambda: tab.locator(".rv-open-file input").set_input_files(tmp_path / "mine.json"))
    assert saved(tab, tmp_path).name == "from-a-file.yaml"
    tab.locator(".rv-open-file input").set_input_files(tmp_path / "strange.yaml")
    until(tab, "document.querySelector('.rv-notice').innerText.includes('was not opened')")
    assert saved(tab, tmp_path).name == "from-a-file.yaml"


def test_every_example_deal_is_read_from_its_file_and_written_again(tab: Any, library: Library) -> None:
    for path in find_deal_paths(library).values():
        text = Path(library.root, path).read_text(encoding="utf-8")
        read, again = tab.evaluate(READ_TWICE, text)
        assert stripped(read) == stripped(yaml.safe_load(text)) and again == read, path


READ_TWICE = """(text) => {
  const { readYaml, writeYaml } = reversis.yaml, read = readYaml(text);
  return [read, readYaml(writeYaml(read))];
}"""


def stripped(value: Any) -> Any:
    """The same without blanks at the ends of texts: folded ones end in a line break or not."""
    if isinstance(value, dict):
        return {key: stripped(one) for key, one in value.items()}
    return [*map(stripped, value)] if isinstance(value, list) else value.strip() if isinstance(value, str) else value


def test_a_shared_link_arrives_settled(tab: Any, opened: Open, tmp_path: Path) -> None:
    swap(tab, "JH", "5H")
    for book in ("ACA", "PAM"):
        settled(tab, lambda book=book: tab.locator(f"input[name=rv-book][value={book}]").uncheck())  # type: ignore[misc]
    typed = unfold(tab, ".rv-wish-part").get_by_label("Or change an answer")
    typed.fill("Q031=3")
    settled(tab, lambda: typed.press("Enter"))
    tab.get_by_role("button", name="Copy link").click()
    until(tab, "location.hash.startsWith('#deal=z.')")
    fragment, left = tab.evaluate("location.hash"), len(BOOKS) - 2
    for page in ("try.html", f"deals/{FOUR}.html"):  # there the editor once was, and old links lead there
        other = opened(page + fragment)
        until(
            other,
            f"{SETTLED} && document.querySelectorAll('input[name=rv-book]:checked').length === {left}",
            timeout=ENGINE,
        )
        assert lines(other) == lines(tab) and record(other, tmp_path) == record(tab, tmp_path)


def plain(data: object) -> str:
    return "j." + base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")


def squeezed(letters: bytes) -> str:
    packer = zlib.compressobj(9, wbits=-15)
    return "z." + base64.urlsafe_b64encode(packer.compress(letters) + packer.flush()).decode().rstrip("=")


EVIL = '<img src=x onerror="window.caught=1"><script>window.caught=1</script>'
HOSTILE = {
    "nothing": "",
    "no such way of packing": "x.AAAA",
    "no packing at all": "z.AAAA",
    "strange signs": "z.<b>%3Cb%3E",
    "no table": plain([1, 2]),
    "no record": plain({"record": "all"}),
    "wishes that are none": plain({"record": {}, "wishes": [{"a": 1}]}),
    "a bomb": squeezed(b" " * 20_000_000),
    "too long": "j." + "A" * 40_000,
    "too deep": squeezed(b'{"record": ' + b"[" * 20_000 + b"]" * 20_000 + b"}"),
}


def arrive(tab: Any, fragment: str, words: str) -> None:
    """Go to another address on the page, and wait for what is said of it."""
    tab.evaluate("document.querySelector('.rv-notice').textContent = ''")
    tab.evaluate("(fragment) => { location.hash = fragment; }", f"deal={fragment}")
    until(tab, "(words) => document.querySelector('.rv-notice').innerText.includes(words)", arg=words)


def test_a_link_that_is_no_deal_is_refused_in_words_and_the_page_goes_on(tab: Any, tmp_path: Path) -> None:
    arrive(tab, "no-such-deal", "There is no example deal")
    for fragment in HOSTILE.values():
        arrive(tab, fragment, "cannot be opened")
    assert record(tab, tmp_path)["deal"] == FOUR


def test_markup_in_a_record_stays_letters(tab: Any) -> None:
    values: dict[str, object] = {
        **{"deal": EVIL, "title": EVIL, "talon": EVIL, "seats": [EVIL, "b", "c", "d"], "hands": {EVIL: EVIL}},
        **{"tricks": [EVIL], "faults": [{"kind": EVIL, "seat": EVIL}], "claims": {EVIL: True}},
    }
    for place, value in values.items():
        made = {"seats": ["a", "b", "c", "d"], place: value}
        arrive(tab, plain({"record": made, "sources": [EVIL, "PAM"], "wishes": [EVIL]}), "of this link")
        until(tab, "document.querySelector('.rv-status-line').classList.contains('rv-problem')")
        assert yaml.safe_load(tab.locator(".rv-as-text textarea").input_value()) == made
        assert not tab.locator(".rv-settle :is(img, script)").count()
    assert tab.evaluate("window.caught") is None


def test_an_address_of_the_version_before_is_opened(browser: Any) -> None:
    tab = browser.new_page()
    for script in ("edition/static/cards.js", "reversis/static/settle-records.js"):
        tab.add_script_tag(path=CLONE / script)
    address = (DATA / "before" / "deals" / "address.txt").read_text("utf-8").strip()
    found = tab.evaluate("(address) => reversis.records.unlink(address)", address)
    assert (found["record"]["deal"], len(found["record"]["tricks"])) == ("random-3", 10)
    assert (found["sources"], found["wishes"]) == (["GER"], [])
    tab.close()


# --- when the engine starts, and where it cannot ------------------------------------------------------------------


def test_the_engine_starts_by_itself_here_and_nowhere_else_before_a_link_is_touched(opened: Open) -> None:
    asked: list[str] = []
    tab = opened(f"deals/{FOUR}.html", asked=asked)
    tab.wait_for_load_state("networkidle")
    assert not [one for one in asked if "/play/" in one or "worker" in one]
    tab.evaluate(
        "document.querySelector('a[href*=\"try.html\"]').dispatchEvent(new Event('pointerover', {bubbles: true}))"
    )
    until(tab, "performance.getEntriesByType('resource').some((one) => one.name.endsWith('.wasm'))")


@pytest.mark.release
def test_the_first_result_comes_in_seconds_and_a_change_at_once(opened: Open) -> None:
    tab = opened("try.html")
    until(tab, SETTLED, timeout=ENGINE)
    took = "performance.getEntriesByName('reversis:settled')[0].startTime"
    assert tab.evaluate(took) < 15_000, "a fifth of it on an idle machine"
    press(tab, "QH")
    tab.evaluate("performance.clearMarks('reversis:settled')")
    start = tab.evaluate("(document.querySelector('[data-card=\"8S\"]').click(), performance.now())")
    until(tab, SETTLED)
    assert tab.evaluate(took) - start < 500


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'"
)


@pytest.mark.release
def test_the_page_needs_no_more_than_its_own_scripts_files_and_worker(browser: Any, served: EditionServer) -> None:
    """With a policy in the page the worker, which is a file of its own, starts Python; the page may not."""

    def strict(route: Any) -> None:
        answer = route.fetch()
        policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        route.fulfill(response=answer, body=answer.text().replace("<head>", f"<head>{policy}", 1))

    context = browser.new_context()
    tab = context.new_page()
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.route("**/try.html", strict)
    tab.goto(f"{served.address}try.html")
    until(tab, SETTLED, timeout=ENGINE)
    assert lines(tab) and said == []
    compiled = "WebAssembly.compile(new Uint8Array([0,97,115,109,1,0,0,0])).then(() => 'may', () => 'may not')"
    assert tab.evaluate(compiled) == "may not"
    context.close()


def read_result(tab: Any) -> tuple[list[str], list[str]]:
    """Totals of every book, and the events and payments of the one that is shown."""
    cells = "all => all.map((one) => one.textContent)"
    said = tab.eval_on_selector_all(".rv-payments-list p, .rv-payments-list .rv-posting, .rv-refusal", cells)
    return tab.eval_on_selector_all(".rv-sums td", cells), said


@pytest.mark.parametrize("example", ["", FOUR])
def test_a_stored_result_stands_there_without_the_engine_and_says_the_same(
    tab: Any, opened: Open, site: Path, example: str
) -> None:
    stored = opened(f"try.html#deal={example}" if example else "try.html", f"{site.as_uri()}/")
    until(stored, "document.querySelector('.rv-ledger-part > section') !== null")
    if not example:
        settled(tab, tab.get_by_role("button", name="Starting deal").click)
    found = []
    for one in (stored, tab):
        one.locator(".rv-sums tr[data-book=PAM] button").click()
        found.append(read_result(one))
    assert found[0] == found[1] and len(found[0][0]) > 20 and len(found[0][1]) > 2
    press(stored, "JH", "QH")
    until(stored, "document.querySelector('.rv-ledger-part > section') === null")  # it is not the deal's any more


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1280, 800), (390, 844)])
def test_every_payment_is_in_the_page_and_the_totals_leave_room(tab: Any, width: int, height: int) -> None:
    tab.set_viewport_size({"width": width, "height": height})
    boxed = """[...document.querySelectorAll(".rv-posting")].filter((one) => {
      for (let box = one.parentElement; box !== document.body; box = box.parentElement)
        if (getComputedStyle(box).overflowY !== "visible" && box.scrollHeight > box.clientHeight + 1) return true;
      return false;
    }).length"""
    assert tab.locator(".rv-posting").count() and tab.evaluate(boxed) == 0
    share = "document.querySelector('.rv-sums-box').getBoundingClientRect().height / innerHeight"
    assert tab.evaluate(share) < (0.25 if width < 500 else 0.46)
    chosen = tab.get_by_label("Payments by")
    assert chosen.is_visible() == (width < 500) == (not tab.locator(".rv-sums button:visible").count())
    if width < 500:
        chosen.select_option("PAR")
        assert tab.locator(".rv-book-ledger h3").inner_text().startswith("Payments by Parlett")


def test_from_a_folder_the_page_says_at_its_top_that_it_must_be_served(opened: Open, site: Path) -> None:
    tab = opened(f"try.html#deal={FOUR}", f"{site.as_uri()}/")
    until(tab, "document.querySelector('.rv-notice').innerText.includes('Example deal')")
    press(tab, "JH", "QH")
    said = tab.locator(".rv-on-disk")
    assert "reversis serve" in said.inner_text() and said.bounding_box()["y"] < 250
    assert not tab.get_by_role("button", name="Random deal").count()


def test_without_a_script_the_command_line_is_named(opened: Open) -> None:
    tab = opened("try.html", java_script_enabled=False)
    assert not tab.locator(".rv-settle *").count()
    assert "reversis deal random" in tab.locator("article").inner_text()


# --- looks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [320, 390])
def test_sums_stand_apart_at_five_players_too(tab: Any, width: int) -> None:
    tab.set_viewport_size({"width": width, "height": 844})
    settled(tab, lambda: tab.evaluate("() => { location.hash = '#deal=aca-five-players'; }"))
    tight = """[...document.querySelectorAll(".rv-sums :is(th, td)")].filter((one) => {
      const edges = [one, one.nextElementSibling].map((cell) => {
        const words = document.createRange();
        words.selectNodeContents(cell ?? one);
        return words.getBoundingClientRect();
      });
      return one.nextElementSibling && edges[1].left - edges[0].right < 2;
    }).map((one) => one.innerText)"""
    assert tab.locator(".rv-sums thead th").count() == 7 and tab.evaluate(tight) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_narrow_windows(tab: Any, scheme: str) -> None:
    tab.emulate_media(color_scheme=scheme)
    for box in tab.locator(".rv-settle details").all():
        box.evaluate("one => { one.open = true; }")
    for width in (320, 390, 1280):
        tab.set_viewport_size({"width": width, "height": 900})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
