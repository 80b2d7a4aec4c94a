"""A reader changes a deal in the browser: what the engine says there is held against the command line."""

from __future__ import annotations

import base64
import json
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import engine
from edition.cli.main import cli
from edition.data import deals as worked
from edition.site.server import EditionServer, open_server
from edition.views.deals.deal_editor import dump_editable_record
from tests.support.places import CLONE, DATA
from tests.support.waiting import until
from tests.support.windows import SIZE, Open, listening, windows

FOUR = "pam-quinola-forced-opposite-last"
FIVE = "aca-five-players"
LED = "aca-quinola-led"
FAULT = "badly-shuffled"
ENGINE = 300_000  #: milliseconds in which the engine has started, on a busy machine

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
    """One deal's page for several tests, since it takes the engine a while to start."""
    said: list[str] = []
    context = browser.new_context(viewport=SIZE)
    tab = listening(context, served.address, said, "blob:", **HEARD)
    tab.goto(f"{served.address}deals/{FOUR}.html")
    begin(tab)
    yield tab
    context.close()
    assert said == []


@pytest.fixture
def tab(started: Any) -> Any:
    """That page with the deal as it stands in the edition, by the rules of one source."""
    started.evaluate("() => { let one; while ((one = document.querySelector('.rv-wishes button'))) one.click(); }")
    started.get_by_role("button", name="The deal as it was").evaluate("one => one.click()")
    by_rules_of(started, "PAM")
    return started


def changing(opens: Open, deal: str, **how: Any) -> Any:
    """A deal's page, its editor open and the engine within reach."""
    tab = opens(f"deals/{deal}.html", **how)
    begin(tab)
    return tab


def begin(tab: Any) -> None:
    """Open the editor, and wait until the engine is within reach."""
    tab.locator(".rv-anew").get_by_role("button", name="Change this deal").click()
    tab.wait_for_selector(".rv-actions .rv-main")


def at(tab: Any, way: str) -> Any:
    """The fields of a place in the record."""
    return tab.locator(f".rv-anew [data-way='{way}']")


def swapped(tab: Any, one: str, other: str) -> None:
    for name in (one, other):
        tab.locator(f".rv-hands-edit .rv-pick[data-card='{name}']").click()


def by_rules_of(tab: Any, *sources: str) -> None:
    for box in tab.locator("input[name=rv-rules]").all():
        box.set_checked(box.input_value() in sources)


def wishing(tab: Any) -> Any:
    """Where a wish is written."""
    field = tab.get_by_label("Or write a wish")
    field.evaluate("one => one.closest('details').open = true")
    return field


def settle(tab: Any) -> None:
    tab.evaluate("document.querySelector('.rv-outcome')?.replaceChildren()")
    tab.get_by_role("button", name="Settle the deal").click()
    tab.wait_for_selector(".rv-outcome h3", timeout=ENGINE)


def lines(tab: Any) -> list[str]:
    """The results as data, as they stand on the page."""
    return (tab.locator(".rv-data").text_content() or "").splitlines()


def kept(tab: Any, folder: Path) -> Path:
    """The record as the reader downloads it."""
    with tab.expect_download() as found:
        tab.get_by_role("button", name="Download the record").click()
    path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return path


def worked_record(name: str) -> dict[str, object]:
    """A worked deal as its page has it, without what it expects."""
    deal = worked.read_worked(engine.library(), name).deal
    assert deal is not None
    return dict(json.loads(dump_editable_record(deal)))


def run(path: Path, sources: tuple[str, ...], *more: str) -> Any:
    named = [word for source in sources for word in ("-s", source)]
    return CliRunner().invoke(cli, ["run", str(path), *named, *more, "--format", "json"])


# --- the same as the command line ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("swap", "sources"),
    [(("JH", "5H"), ("PAM",)), (("AS", "7C"), ("ACA", "GER", "PAM", "PAR")), (("KS", "KD"), ("GER", "PAR"))],
)
def test_a_changed_deal_comes_out_as_on_the_command_line(
    tab: Any, tmp_path: Path, swap: tuple[str, str], sources: tuple[str, ...]
) -> None:
    swapped(tab, *swap)
    by_rules_of(tab, *sources)
    settle(tab)
    path = kept(tab, tmp_path)
    assert path.name == f"{FOUR}-changed.json"
    assert lines(tab) == run(path, sources).stdout.splitlines()
    assert [json.loads(line)["source"] for line in lines(tab)] == list(sources)


@pytest.mark.release
def test_five_at_a_table_and_nothing_of_the_engine_before_it_is_asked_for(opened: Open, tmp_path: Path) -> None:
    asked: list[str] = []
    tab = opened(f"deals/{FIVE}.html", asked=asked)
    tab.wait_for_load_state("networkidle")
    assert not [one for one in asked if "/play/" in one or "worker" in one]
    begin(tab)
    assert [one.rpartition("/")[2] for one in asked if "/play/" in one] == ["play.json"]
    swapped(tab, "JH", "2C")
    by_rules_of(tab, "ACA", "GER", "PAR")
    settle(tab)
    assert lines(tab) == run(kept(tab, tmp_path), ("ACA", "GER", "PAR")).stdout.splitlines()
    names = {one.rpartition("/")[2].partition("?")[0] for one in asked}
    assert {"pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "reversis.zip"} <= names


def test_a_refusal_is_told_with_the_card_and_the_clause(tab: Any, tmp_path: Path) -> None:
    swapped(tab, "7C", "9D")  # within a hand: only the order in which they are played
    settle(tab)
    wanted = [json.loads(line) for line in run(kept(tab, tmp_path), ("PAM",)).stdout.splitlines()]
    assert [json.loads(line) for line in lines(tab)] == wanted
    refused = wanted[0]["refused"]
    assert len(refused) > 1, "all faults at once"
    shown = tab.locator(".rv-outcome .rv-refusal").all()
    assert len(shown) == len(refused)
    for one, seen in zip(refused, shown, strict=True):
        assert all(clause in seen.inner_text() for clause in one["clauses"])
    assert "refused" in tab.locator(".rv-anew-ledger").inner_text()
    assert "Before the change this deal was settled" in tab.locator(".rv-outcome").inner_text()


def test_other_readings_are_taken_as_after_with(tab: Any, tmp_path: Path) -> None:
    wishing(tab).fill("Q031=3")
    tab.keyboard.press("Enter")
    tab.get_by_label("Take another reading").select_option("PAM.i01")
    settle(tab)
    assert lines(tab) == run(kept(tab, tmp_path), ("PAM",), "--with", "Q031=3", "--with", "PAM.i01").stdout.splitlines()
    assert "These are not the rules of one source." in tab.locator(".rv-anew-ledger").inner_text()
    wishing(tab).fill("Q031=many")
    tab.get_by_role("button", name="Add the wish").click()
    tab.get_by_role("button", name="Settle the deal").click()
    tab.wait_for_selector(".rv-outcome .rv-problem")
    assert "Q031=many" in tab.locator(".rv-outcome .rv-problem").inner_text()


def test_a_faulty_record_is_told_as_on_the_command_line_and_beside_its_fields(tab: Any, tmp_path: Path) -> None:
    at(tab, "hands/south").fill("XX 7C 7C 4S 2S 5H 9D 7D QC 9C 6C")
    at(tab, "tricks/1").fill("9D 2D 8D")
    settle(tab)
    path = kept(tab, tmp_path)
    said = [line.partition(": ")[2] for line in run(path, ("PAM",)).stderr.splitlines() if ".json:" in line]
    shown = [one.inner_text() for one in tab.locator(".rv-problems li").all()]
    assert said and len(shown) == len(said)
    for words, seen in zip(said, shown, strict=True):
        assert seen.startswith(words)
    assert at(tab, "hands/south").get_attribute("aria-invalid") == "true"
    assert "'XX' is no card" in tab.locator(".rv-beside-field").first.inner_text()
    tab.locator(".rv-as-text textarea").evaluate("one => one.closest('details').open = true")
    tab.locator(".rv-as-text textarea").fill("{ nothing")
    assert "cannot be read as JSON" in tab.locator(".rv-text-edit .rv-problem").inner_text()


def test_the_way_to_clause_and_sentence_arrives(tab: Any, site: Path) -> None:
    settle(tab)
    links = tab.eval_on_selector_all(".rv-outcome .rv-rests a", "found => found.map((one) => one.href)")
    assert {link.split("/")[3] for link in links} >= {"clauses", "sources", "questions"}
    for link in set(links):
        page, _, place = link.partition("#")
        assert f'id="{place}"' in (site / "/".join(page.split("/")[3:])).read_text(encoding="utf-8"), link
    assert not tab.locator(".rv-outcome .rv-was").count(), "nothing was changed, and nothing is marked"


def test_what_the_engine_says_of_markup_stays_letters(tab: Any) -> None:
    at(tab, "talon").fill(EVIL)
    settle(tab)
    assert "<img" in tab.locator(".rv-problems").inner_text()
    assert tab.evaluate("window.caught") is None and not tab.locator(".rv-anew :is(img, script)").count()


def test_what_comes_out_otherwise_is_marked_with_words(tab: Any) -> None:
    swapped(tab, "JH", "5H")
    settle(tab)
    words = tab.locator(".rv-anew-ledger .rv-badge").all_inner_texts()
    assert {"new", "no longer"} <= set(words)
    assert "≠ before: -58" in tab.locator(".rv-outcome table.rv-results").inner_text()


# --- the form -----------------------------------------------------------------------------------------------------


def test_cards_form_and_text_are_in_step(opened: Open) -> None:
    tab = changing(opened, FOUR)
    text = tab.locator(".rv-as-text textarea")
    text.evaluate("one => one.closest('details').open = true")
    swapped(tab, "JH", "5H")
    record = json.loads(text.input_value())
    assert "JH" in record["hands"]["south"].split() and "5H" in record["hands"]["east"].split()
    assert record["tricks"][3].split()[0] == "JH" and record["deal"] == f"{FOUR}-changed"
    assert not {"cites", "note", "expect"} & set(record)
    text.fill(json.dumps({**record, "dealer": "north", "talon": "AS AH AD"}))
    assert at(tab, "talon").input_value() == "AS AH AD"
    assert tab.locator(".rv-hand", has_text="north").first.locator(".rv-badge").inner_text() == "dealer"
    for _ in range(3):
        tab.get_by_role("button", name="Take back").click()
    assert json.loads(tab.locator(".rv-as-text textarea").input_value())["deal"] == FOUR


def test_cards_change_places_by_the_keyboard_alone(opened: Open) -> None:
    tab = changing(opened, FOUR)
    tab.locator(".rv-hands-edit .rv-pick[data-card='JH']").focus()
    tab.keyboard.press("Space")
    assert tab.locator(".rv-pick[aria-pressed=true]").count() == 2, "in the hand and in the play"
    tab.keyboard.press("Escape")
    assert tab.locator(".rv-pick[aria-pressed=true]").count() == 0
    tab.keyboard.press("Enter")
    tab.locator(".rv-hands-edit .rv-pick[data-card='5H']").focus()
    tab.keyboard.press("Enter")
    assert "changed places" in tab.locator(".rv-notice").inner_text()
    assert tab.evaluate("document.activeElement.dataset.card") in ("JH", "5H"), "the keyboard is where it was"


def test_faults_exchanges_and_claims_are_written_into_the_record(opened: Open, tmp_path: Path) -> None:
    tab = changing(opened, FOUR)
    tab.get_by_text("What else the record tells").click()
    tab.get_by_role("button", name="Add a fault").click()
    at(tab, "faults/0").nth(0).select_option("revoke")
    at(tab, "faults/0").nth(1).select_option("east")
    at(tab, "faults/0").nth(2).fill("5")
    tab.get_by_role("button", name="Add a claim").click()
    at(tab, "pool/stake").fill("90")
    record = json.loads(kept(tab, tmp_path).read_text(encoding="utf-8"))
    assert record["faults"] == [{"kind": "revoke", "seat": "east", "trick": 5}]
    assert (record["claims"], record["pool"]["stake"]) == ({"AS": False}, 90)
    tab.get_by_role("button", name="Take out a fault").click()
    assert "faults" not in json.loads(kept(tab, tmp_path).read_text(encoding="utf-8"))


def test_a_record_is_opened_from_a_file_and_a_strange_file_is_refused_in_words(opened: Open, tmp_path: Path) -> None:
    tab = opened("try.html")
    path = kept(tab, tmp_path)
    record = {**json.loads(path.read_text(encoding="utf-8")), "deal": "from-a-file"}
    (tmp_path / "mine.json").write_text(json.dumps(record), encoding="utf-8")
    (tmp_path / "strange.json").write_text("deal: yaml", encoding="utf-8")
    tab.locator(".rv-file input").set_input_files(tmp_path / "mine.json")
    until(tab, "document.querySelector('.rv-notice').innerText.includes('is opened')")
    assert kept(tab, tmp_path).name == "from-a-file.json"
    tab.locator(".rv-file input").set_input_files(tmp_path / "strange.json")
    until(tab, "document.querySelector('.rv-notice').innerText.includes('was not opened')")
    assert kept(tab, tmp_path).name == "from-a-file.json"


# --- a deal of one's own ------------------------------------------------------------------------------------------


def test_a_deal_by_lot_is_dealt_settled_and_played_on(opened: Open, tmp_path: Path) -> None:
    tab = opened("try.html")
    tab.wait_for_selector(".rv-actions .rv-main")
    by_rules_of(tab, "PAM")
    tab.get_by_role("button", name="Deal at random").click()
    until(tab, "document.querySelector('.rv-notice').innerText.includes('by lot')", timeout=ENGINE)
    path = kept(tab, tmp_path)
    number = path.stem.removeprefix("random-")
    again = CliRunner().invoke(cli, ["deal", "random", "-s", "PAM", "--seed", number, "--players", "4", "-f", "json"])
    assert json.loads(path.read_text(encoding="utf-8")) == json.loads(again.stdout)
    settle(tab)
    assert lines(tab) == run(path, ("PAM",)).stdout.splitlines()
    tab.locator(".rv-from").select_option("6")
    tab.get_by_role("button", name="play by lot").click()
    until(tab, "document.querySelector('.rv-notice').innerText.includes('From trick 6')", timeout=ENGINE)
    settle(tab)
    assert "net" in json.loads(lines(tab)[0])
    for name in (LED, FAULT):  # worked deals, opened by a link
        record = worked_record(name)
        arrive(tab, plain({"record": record, "sources": ["PAM", "GER", "PAR"], "wishes": []}), "of this link")
        settle(tab)
        assert lines(tab) == run(kept(tab, tmp_path), ("PAM", "GER", "PAR")).stdout.splitlines()
    huge = {"deal": "huge", "tricks": ["AS"] * 100}
    arrive(tab, plain({"record": huge, "sources": ["PAM"], "wishes": []}), "of this link")
    assert tab.locator(".rv-text-edit[open]").count(), "what no form can show stands there as text"
    settle(tab)
    assert "no 'hands'" in tab.locator(".rv-problems").inner_text()


def test_the_deal_that_lies_there_first_is_lawful_by_every_source(opened: Open, tmp_path: Path) -> None:
    tab = opened("try.html")
    found = run(kept(tab, tmp_path), ())
    states = [json.loads(line) for line in found.stdout.splitlines()]
    assert found.exit_code == 0 and len([one for one in states if "net" in one]) == 4


# --- what is fetched, and when ------------------------------------------------------------------------------------


@pytest.mark.release
def test_the_start_can_be_cancelled_and_made_again(opened: Open) -> None:
    tab = changing(opened, FOUR)
    tab.route("**/pyodide.asm.wasm", lambda route: None)  # it never comes
    tab.get_by_role("button", name="Settle the deal").click()
    tab.wait_for_selector(".rv-progress:not([hidden])")
    assert "Python" in tab.locator(".rv-heard").inner_text()
    assert tab.locator(".rv-heard").get_attribute("aria-live") == "polite"
    tab.get_by_role("button", name="Cancel").click()
    until(tab, "document.querySelector('.rv-notice').innerText === 'Cancelled.'")
    assert tab.locator(".rv-progress").is_hidden()
    tab.unroute("**/pyodide.asm.wasm")
    settle(tab)
    assert lines(tab)


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'"
)


@pytest.mark.release
def test_the_page_itself_needs_no_more_than_its_own_scripts_files_and_worker(
    browser: Any, served: EditionServer
) -> None:
    """With a policy in the page the worker, which is a file of its own, starts Python; the page may not."""

    def strict(route: Any) -> None:
        answer = route.fetch()
        policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        route.fulfill(response=answer, body=answer.text().replace("<head>", f"<head>{policy}", 1))

    context = browser.new_context()
    tab = context.new_page()
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.route("**/deals/*.html", strict)
    tab.goto(f"{served.address}deals/{FOUR}.html")
    tab.locator(".rv-anew").get_by_role("button", name="Change this deal").click()
    tab.wait_for_selector(".rv-actions .rv-main")
    before = len(said)
    settle(tab)
    assert lines(tab) and said[before:] == []
    assert (
        tab.evaluate("WebAssembly.compile(new Uint8Array([0,97,115,109,1,0,0,0])).then(() => 'may', () => 'may not')")
        == "may not"
    )
    context.close()


# --- links --------------------------------------------------------------------------------------------------------


@pytest.mark.release
def test_a_link_holds_the_record_the_sources_and_the_wishes(opened: Open, tmp_path: Path) -> None:
    tab = changing(opened, FOUR)
    swapped(tab, "JH", "5H")
    by_rules_of(tab, "GER", "PAR")
    wishing(tab).fill("Q031=3")
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name="Link to this deal").click()
    until(tab, "location.hash.startsWith('#deal=z.')")
    record, fragment = kept(tab, tmp_path).read_text(encoding="utf-8"), tab.evaluate("location.hash")
    for page in (f"deals/{FOUR}.html", "try.html"):
        asked: list[str] = []
        other = opened(page + fragment, asked=asked)
        until(other, "document.querySelector('.rv-notice')?.innerText.includes('of this link')")
        other.wait_for_selector("input[name=rv-rules]")
        assert kept(other, tmp_path).read_text(encoding="utf-8") == record
        checked = other.locator("input[name=rv-rules]:checked").all()
        assert [one.input_value() for one in checked] == ["GER", "PAR"]
        assert other.locator(".rv-wishes code").all_text_contents() == ["Q031=3"]
        assert not [one for one in asked if "pyodide" in one], "a link starts nothing"


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
    tab.evaluate("document.querySelector('.rv-notice').replaceChildren()")
    tab.evaluate("(fragment) => { location.hash = fragment; }", f"deal={fragment}")
    until(tab, "(words) => document.querySelector('.rv-notice')?.innerText.includes(words)", arg=words)


def test_a_link_that_is_no_deal_is_refused_in_words(opened: Open) -> None:
    tab = opened(f"try.html#deal={HOSTILE['a bomb']}")
    until(tab, "document.querySelector('.rv-notice')?.innerText.includes('it is far too long')")
    for kind, fragment in HOSTILE.items():
        if kind != "a bomb":
            arrive(tab, fragment, "cannot be opened")
    assert json.loads(tab.locator(".rv-as-text textarea").input_value())["deal"] == "random-1"


def test_markup_in_a_record_stays_letters(opened: Open) -> None:
    tab = opened("try.html")
    tab.wait_for_selector(".rv-actions .rv-main")
    values: dict[str, object] = {
        "deal": EVIL,
        "title": EVIL,
        "talon": EVIL,
        "seats": [EVIL, "b", "c", "d"],
        "hands": {EVIL: EVIL},
        "tricks": [EVIL],
        "faults": [{"kind": EVIL, "seat": EVIL}],
        "claims": {EVIL: True},
    }
    for place, value in values.items():
        record = {"seats": ["a", "b", "c", "d"], place: value}
        arrive(tab, plain({"record": record, "sources": [EVIL, "PAM"], "wishes": [EVIL]}), "of this link")
        assert json.loads(tab.locator(".rv-as-text textarea").input_value()) == record
        assert tab.locator(".rv-anew :is(img, script)").count() == 0
    assert tab.evaluate("window.caught") is None


# --- where there is no engine, or no script -----------------------------------------------------------------------


@pytest.mark.parametrize("page", [f"deals/{FOUR}.html", "try.html"])
def test_from_a_folder_the_page_names_the_command_that_serves_it(opened: Open, site: Path, page: str) -> None:
    tab = opened(page, f"{site.as_uri()}/")
    if page != "try.html":
        tab.locator(".rv-anew").get_by_role("button", name="Change this deal").click()
    swapped(tab, "JH", "QH")
    said = tab.locator(".rv-on-disk").inner_text()
    assert "reversis serve" in said and "reversis run" in said
    assert not tab.get_by_role("button", name="Settle the deal").count()


@pytest.mark.parametrize("page", [f"deals/{FOUR}.html", "try.html"])
def test_without_a_script_nothing_broken_stands_there(opened: Open, page: str) -> None:
    tab = opened(page, java_script_enabled=False)
    assert tab.locator(".rv-anew").is_hidden()
    assert ("reversis deal random" in tab.locator("article").inner_text()) == (page == "try.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_editor_fits_a_narrow_window(tab: Any, scheme: str) -> None:
    tab.emulate_media(color_scheme=scheme)
    for box in tab.locator(".rv-anew details").all():
        box.evaluate("one => one.open = true")
    swapped(tab, "JH", "5H")
    settle(tab)
    for width in (320, 390, 1280):
        tab.set_viewport_size({"width": width, "height": 900})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_an_address_of_the_version_before_is_opened(browser: Any) -> None:
    tab = browser.new_page()
    tab.add_script_tag(path=CLONE / "edition" / "static" / "anew-record.js")
    address = (DATA / "before" / "deals" / "address.txt").read_text("utf-8").strip()
    found = tab.evaluate("(address) => reversis.records.unlink(address)", address)
    record = found["record"]
    assert (record["deal"], len(record["tricks"]), found["sources"], found["wishes"]) == ("random-3", 10, ["GER"], [])
    tab.close()
