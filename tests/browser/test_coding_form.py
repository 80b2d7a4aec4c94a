"""Coding a source in a browser: an answer by mouse, one by keyboard, undo; two tabs, a statement, and for everybody."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from edition.coding.checker import check_folder
from edition.coding.desk import CodingDesk
from edition.coding.form_rows import FormAnswer
from edition.site.coding_form import CodingForm
from edition.site.preview import Preview
from edition.site.server import EditionServer, open_server
from rulebook.clause_edits import read_clause_fields
from tests.support import fifth_source
from tests.support.coding import read_clauses_file, write_by_hand
from tests.support.coding_form import CHECKED, choose, mark_by_mouse, save
from tests.support.tiers import sample
from tests.support.waiting import until
from tests.support.windows import SIZE, Open, listening, windows

pytestmark = [pytest.mark.slow, pytest.mark.browser]

FIF = fifth_source.SIGLUM
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


class Served:
    """The edition as `reversis serve` serves it, over a copy of two sources."""

    def __init__(self, server: EditionServer, desk: CodingDesk) -> None:
        self.server, self.desk = server, desk

    def clauses(self, siglum: str = FIF) -> str:
        return read_clauses_file(self.desk, siglum)

    def answering(self, question: str, siglum: str = FIF) -> dict[str, Any]:
        """The clause that answers a question."""
        every = read_clause_fields(self.clauses(siglum)).values()
        return dict(
            next(one for one in every if question in {**one.get("answers", {}), **dict.fromkeys(one.get("on", ()))})
        )


@pytest.fixture
def served(site: Path, tmp_path: Path) -> Iterator[Served]:
    root = fifth_source.small(tmp_path)
    desk = CodingDesk(root, lambda root, deals: check_folder(root, deals=False))  # deals take longer than all the rest
    with open_server(site, 0, Preview(site, root), CodingForm(desk)) as made:
        threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
        yield Served(made, desk)
        made.shutdown()


@pytest.fixture
def opened(browser: Any, served: Served) -> Iterator[Open]:
    with windows(browser, served.server.address) as opens:

        def form(siglum: str = FIF, question: str = "", **how: Any) -> Any:
            tab = opens(f"code/{siglum}{question and '#'}{question}", **how)
            tab.wait_for_selector(".rv-answer" if question else ".rv-question")
            until(tab, CHECKED)
            return tab

        yield form


@contextmanager
def hearing_refusals(browser: Any, served: Served, address: str, status: int) -> Iterator[Any]:
    """A form in which something is refused with one status; the browser says of that, and of nothing else."""
    said: list[str] = []
    context = browser.new_context(viewport=SIZE)
    tab = listening(context, served.server.address, said, failures=False)
    tab.goto(served.server.address + address)
    tab.wait_for_selector(".rv-answer")
    yield tab
    context.close()
    assert said and all(f"status of {status}" in one for one in said)


def test_an_answer_by_mouse_one_by_keyboard_and_undo(opened: Open, served: Served) -> None:
    before = served.clauses()
    tab = opened()
    # by mouse
    tab.locator("#Q013 > button").click()
    mark_by_mouse(tab, "FIF.s0011", "Suit must be followed")
    choose(tab, "need-not")
    choose(tab, "implied")
    tab.locator(".rv-answer [name=because]").fill("So the test wants it.")
    said = save(tab, tab.locator(".rv-answer button[type=submit]").click)
    by_mouse = served.clauses()
    one = served.answering("Q013")
    assert said == f"Written to FIF/clauses.yaml: {one['id']}." and one["because"] == "So the test wants it."
    assert (one["answers"], one["status"], one["cites"][0]["locus"]) == ({"Q013": "need-not"}, "implied", "FIF.s0011")
    assert one["cites"][0]["exact"] == "Suit must be followed"
    # by keyboard: the question, the words, the answer, save
    tab.locator("#Q017 > button").focus()
    tab.keyboard.press("Enter")
    tab.locator("[data-id='FIF.s0001']").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight"):
        tab.keyboard.press(key)
    assert tab.evaluate("document.activeElement.dataset.id") == "FIF.s0003"
    assert tab.locator(".rv-answer [name=words]").input_value() == "pack is without"
    tab.locator(".rv-answer input[type=radio]:checked").first.focus()
    tab.keyboard.press("Tab")
    tab.locator(".rv-answer [name=because]").focus()
    tab.keyboard.type("By keyboard.")
    said = save(tab, lambda: tab.keyboard.press("Control+Enter"))
    assert said.startswith("Written to FIF/clauses.yaml: ")
    one = served.answering("Q017")
    assert (one["cites"][0]["exact"], one["because"]) == ("pack is without", "By keyboard.")
    # undo, also after the page was loaded again
    tab.locator(".rv-coding-tools button").click()
    until(tab, "() => /^Undone: Q017/.test(document.querySelector('.rv-said').textContent)")
    assert served.clauses() == by_mouse
    tab.reload()
    tab.wait_for_selector(".rv-question")
    tab.locator(".rv-coding-tools button").press("Enter")
    until(tab, "() => /^Undone: Q013/.test(document.querySelector('.rv-said').textContent)")
    assert served.clauses() == before
    assert tab.locator(".rv-coding-tools button").is_disabled()


IN_SIGHT = """(part) => {
  const box = document.querySelector(part)?.getBoundingClientRect();
  return box?.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
}"""


def test_what_check_says_stands_in_the_bar_of_the_question_and_leads_to_it(opened: Open, served: Served) -> None:
    write_by_hand(served.desk.root / FIF / "clauses.yaml", "Q020: 3}", "Q020: 77}")
    (served.desk.root / "pages").mkdir()
    (served.desk.root / "pages" / "computation.md").write_text("# Numbers and sums\n", encoding="utf-8")
    tab = opened(FIF, "Q019")
    tab.locator("#Q020 > button").click()
    told = tab.locator(".rv-save-bar .rv-fault").inner_text()
    assert told.startswith("Q020 answered 77, but the quotation names 3. Correct the answer"), "without file and line"
    assert tab.locator(".rv-save-bar .rv-fault a").get_attribute("href") == "/computation.html"
    for part in (".rv-save-bar .rv-fault", ".rv-save-bar button[type=submit]"):
        until(tab, IN_SIGHT, part)  # what is drawn anew has no box for a moment
    told = tab.locator(".rv-problem-list").first.inner_text()
    assert "clauses.yaml:" not in told and "77" in told and "quote" in told
    marked = tab.locator(".rv-complaint")
    assert marked.count() == 1 and "check: 1 problem" in tab.locator("#Q020 .rv-complaint").inner_text()
    tab.locator(".rv-go").first.click()
    assert tab.locator(".rv-question[aria-expanded=true] .rv-question-id").inner_text() == "Q020"


def test_a_fault_stands_beside_its_field_and_what_was_typed_stays(browser: Any, served: Served) -> None:
    before = served.clauses()
    with hearing_refusals(browser, served, f"code/{FIF}#Q013", 422) as tab:
        tab.locator(".rv-answer [name=words]").fill("not in this book")
        tab.locator(".rv-answer [name=place]").fill("")
        tab.locator(".rv-answer button[type=submit]").click()
        tab.wait_for_selector(".rv-field-words .rv-fault")
        assert tab.locator(".rv-answer [name=words]").get_attribute("aria-invalid") == "true"
        assert tab.evaluate("document.activeElement.name") == "words" and served.clauses() == before
        assert is_in_view(tab, ".rv-field-words .rv-fault") and is_in_view(tab, ".rv-answer [name=words]")
        beside = tab.locator(".rv-field-words .rv-fault").inner_text()
        assert '"not in this book" does not stand in FIF. ' in beside, "a full stop before the way out"
        assert tab.locator(".rv-save-bar .rv-said").inner_text().startswith('Words of the source: "not in this book"')
        choose(tab, "must")  # further typing is kept after a refusal
        tab.reload()
        tab.wait_for_selector(".rv-answer")
        assert tab.locator(".rv-answer [name=words]").input_value() == "not in this book"


def is_in_view(tab: Any, part: str) -> bool:
    """Whether it can be seen: in the window, and behind no bar."""
    return bool(
        tab.evaluate(
            """part => {
              const one = document.querySelector(part), box = one.getBoundingClientRect();
              const shows = (y) => one.contains(document.elementFromPoint(box.left + 4, y));
              return shows(box.top + 4) && shows(box.bottom - 4);
            }""",
            part,
        )
    )


@pytest.mark.parametrize("how", [{}, PHONE])
def test_the_first_field_that_is_marked_is_in_view_and_its_sentence_in_the_bar(
    browser: Any, served: Served, how: dict[str, Any]
) -> None:
    with hearing_refusals(browser, served, f"code/{FIF}#Q013", 422) as tab:
        tab.set_viewport_size(how.get("viewport", SIZE))
        choose(tab, "implied")
        tab.locator(".rv-answer [name=because]").fill("")
        tab.evaluate("document.querySelector('#Q013').scrollIntoView()")
        tab.locator(".rv-answer button[type=submit]").click()
        tab.wait_for_selector(".rv-field-because .rv-fault")
        assert tab.evaluate("document.activeElement.name") == "because"
        assert is_in_view(tab, ".rv-answer [name=because]") and is_in_view(tab, ".rv-field-because .rv-fault")
        told = "Why: the answer is implied, and no reason is given. Say how it follows from the words."
        assert tab.locator(".rv-save-bar .rv-said").inner_text() == told and is_in_view(tab, ".rv-save-bar .rv-said")


@contextmanager
def slowed(served: Served) -> Iterator[threading.Event]:
    """A server that writes no answer before it is told to go on."""
    goes_on, write = threading.Event(), served.desk.write_answer

    def wait(siglum: str, given: FormAnswer) -> dict[str, Any]:
        assert goes_on.wait(20)
        return write(siglum, given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(served.desk, "write_answer", wait)
        yield goes_on
        goes_on.set()


def test_an_answer_saved_while_another_is_under_way_is_written_after_it(opened: Open, served: Served) -> None:
    """Q011 and Q012 share a clause, which the first answer takes apart: the second is sent as the file is then."""
    tab = opened(FIF, "Q011")
    with slowed(served) as goes_on:
        tab.locator(".rv-answer [name=because]").fill("Saved first.")
        tab.locator(".rv-answer button[type=submit]").click()
        tab.locator("#Q012 > button").click()
        tab.locator(".rv-answer [name=because]").fill("Saved second.")
        tab.locator(".rv-answer button[type=submit]").click()
        assert tab.locator(".rv-said").inner_text() == "Saving, after Q011 …"
        assert tab.locator(".rv-coding-tools button").is_disabled(), "nothing is undone meanwhile"
        tab.locator("#Q013 > button").click()
        tab.locator(".rv-answer [name=because]").press_sequentially("Typed ")
        goes_on.set()
        tab.wait_for_selector(".rv-note[data-question=Q012]")
        tab.locator(".rv-answer [name=because]").press_sequentially("meanwhile.")
    assert "Saved first." in served.clauses() and "Saved second." in served.clauses()
    assert tab.locator(".rv-question[aria-expanded=true] .rv-question-id").inner_text() == "Q013", "it stays open"
    assert tab.evaluate("document.activeElement.name") == "because"
    assert "Typed meanwhile." in tab.locator(".rv-answer [name=because]").input_value()
    told = [one.inner_text() for one in tab.locator(".rv-note").all()]
    assert any(one.startswith(f"Q012: Written to FIF/clauses.yaml: {served.answering('Q012')['id']}.") for one in told)
    assert save(tab, tab.locator(".rv-answer button[type=submit]").click).startswith("Written to")
    assert "Typed meanwhile." in served.clauses()
    assert tab.evaluate("Object.keys(localStorage).filter(one => one.startsWith('reversis-code'))") == []


def test_what_is_typed_while_the_same_answer_is_being_saved_is_kept(opened: Open, served: Served) -> None:
    tab = opened(FIF, "Q013")
    with slowed(served) as goes_on:
        tab.locator(".rv-answer [name=because]").fill("As it was sent.")
        tab.locator(".rv-answer button[type=submit]").click()
        tab.locator(".rv-answer [name=because]").fill("As it was sent. And more.")
        goes_on.set()
        until(tab, "() => /^Written/.test(document.querySelector('.rv-said').textContent)")
    assert served.answering("Q013")["because"] == "As it was sent."
    assert "typed since is not saved yet" in tab.locator(".rv-said").inner_text()
    assert tab.locator(".rv-answer [name=because]").input_value() == "As it was sent. And more."
    assert tab.evaluate("document.activeElement.name") == "because"
    save(tab, tab.locator(".rv-answer button[type=submit]").click)
    assert served.answering("Q013")["because"] == "As it was sent. And more."


def test_what_an_editor_has_changed_is_shown_beside_it_and_nothing_written(browser: Any, served: Served) -> None:
    with hearing_refusals(browser, served, f"code/{FIF}#Q013", 409) as tab:
        write_by_hand(served.desk.root / FIF / "clauses.yaml", "Q013: must", "Q013: need-not")
        now = served.clauses()
        tab.locator(".rv-answer [name=note]").evaluate("one => { one.closest('details').open = true; }")
        tab.locator(".rv-answer [name=note]").fill("Mine.")
        with tab.expect_response(lambda one: one.status == 409):
            tab.locator(".rv-answer button[type=submit]").click()
        tab.wait_for_selector(".rv-conflict")
        theirs, mine = tab.locator(".rv-sides > div").all_inner_texts()
        assert "need-not" in theirs and "Mine." not in theirs and "must" in mine and "Mine." in mine
        assert tab.locator(".rv-sides mark").all_inner_texts() == ["need-not", "–", "must", "Mine."], "what differs"
        assert "Q013 has changed in the file" in tab.locator(".rv-conflict > .rv-fault").inner_text()
        assert served.clauses() == now
        tab.get_by_role("button", name="Write mine").click()
        until(tab, "() => /^Written/.test(document.querySelector('.rv-said').textContent)")
        assert "note: Mine." in served.clauses() and "Q013: must" in served.clauses()


def test_of_two_tabs_each_writes_its_own_question_and_the_same_one_is_not_written_over(
    browser: Any, served: Served
) -> None:
    with hearing_refusals(browser, served, f"code/{FIF}#Q013", 409) as tab:
        other = tab.context.new_page()
        other.goto(f"{served.server.address}code/{FIF}#Q017")
        other.wait_for_selector(".rv-answer")
        for one, words in ((tab, "One tab."), (other, "Another tab.")):
            one.locator(".rv-answer [name=because]").fill(words)
            assert save(one, one.locator(".rv-answer button[type=submit]").click).startswith("Written")
        assert "One tab." in served.clauses() and "Another tab." in served.clauses()
        assert "Q017" in other.locator(".rv-undo-what").inner_text()
        assert "Q013" in tab.locator(".rv-undo-what").inner_text()
        with tab.expect_response(lambda one: one.status == 409):  # it would take back what the other has written
            tab.locator(".rv-coding-tools button").click()
        until(tab, "() => /Q017/.test(document.querySelector('.rv-undo-what').textContent)")
        assert "Another tab." in served.clauses()
        tab.locator("#Q017 > button").click()
        assert tab.locator(".rv-answer [name=because]").input_value() == "Another tab.", "the list is fresh"
        other.locator(".rv-answer [name=because]").fill("Another tab again.")
        save(other, other.locator(".rv-answer button[type=submit]").click)
        tab.locator(".rv-answer [name=because]").fill("Too late.")
        with tab.expect_response(lambda one: one.status == 409):
            tab.locator(".rv-answer button[type=submit]").click()
        tab.get_by_role("button", name="Keep the file's").click()
        assert tab.locator(".rv-answer [name=because]").input_value() == "Another tab again."
        assert "Too late." not in served.clauses()


def test_what_was_typed_outlives_the_tab_and_is_called_not_saved(browser: Any, served: Served) -> None:
    context = browser.new_context(viewport=SIZE)
    tab = context.new_page()
    address = f"{served.server.address}code/{FIF}"
    tab.goto(f"{address}#Q013")
    tab.locator(".rv-answer [name=because]").fill("Half a thou")
    tab.close()
    tab = context.new_page()
    tab.goto(address)
    tab.wait_for_selector(".rv-draft")
    assert tab.locator(".rv-draft").count() == 1 and "not saved" in tab.locator("#Q013 > button").inner_text()
    tab.locator("#Q013 > button").click()
    assert tab.locator(".rv-answer [name=because]").input_value() == "Half a thou"
    write_by_hand(served.desk.root / FIF / "clauses.yaml", "Q013: must", "Q013: need-not")
    tab.reload()  # what was typed is older than what the file says now
    tab.wait_for_selector(".rv-answer")
    tab.locator(".rv-answer button[type=submit]").click()
    tab.wait_for_selector(".rv-conflict")
    tab.get_by_role("button", name="Write mine").click()
    until(tab, "() => /^Written/.test(document.querySelector('.rv-said').textContent)")
    assert tab.locator(".rv-draft").count() == 0
    assert tab.evaluate("Object.keys(localStorage).filter(one => one.startsWith('reversis-code'))") == []
    context.close()


EVERYBODY = [*product((FIF, "PAR"), ({}, PHONE), ("light", "dark"))]


@pytest.mark.parametrize(("siglum", "how", "scheme"), sample(EVERYBODY, every=8))
def test_the_form_is_for_everybody(opened: Open, siglum: str, how: dict[str, Any], scheme: str) -> None:
    tab = opened(siglum, "Q013", color_scheme=scheme, **how)
    found = Axe().run(tab).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
    assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
