"""All answers: agreement for any choice, a lean table, and the page as a reader uses it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from lxml import html

from edition.corpus.corpus import Corpus
from edition.nodes.builders import TARGET, markup
from edition.site.answer_words import build_answer_words
from edition.site.translator import escape_attribute, escape_text
from edition.views import common as views
from edition.views.common import classify_accord
from edition.views.questions.all_answers import AnswerRow, AnswersView, answers_view
from edition.views.questions.answer_table import (
    ANSWER_STATUSES,
    MAX_TABLE_SOURCES,
    arrange_answers,
    estimate_lines,
    format_voices,
    render_answers_page,
)
from edition.views.questions.pairs import PAIR_COUNTS, pairs_view, render_pairs
from reversis.views.panels.prices import view_dearest, view_money_effect
from rulebook.load import load_library
from rulebook.model import Library, Like
from tests.support.handwritten import find_page
from tests.support.library import FILES, RECORD, corpus_of, write_library, write_nine_sources
from tests.support.pages import build_corpus
from tests.support.tiers import mark_for_release
from tests.support.waiting import until

# --- the letters -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_only_an_answer_that_points_to_another_agrees_under_another_letter_and_that_is_said(corpus: Corpus) -> None:
    """Wherever the rule of the letters is told, its one exception stands with it."""
    excepted = 0
    for question in corpus.library.questions.values():
        cells = {siglum: corpus.cell(siglum, question.slug) for siglum in corpus.library.sources}
        speak = {who: cell for who, cell in cells.items() if cell and cell.value is not None and not cell.supplied}
        letters = {mark.kind for mark in views.build_answer_marks(corpus, question) if mark.siglum in speak}
        if len(letters) > 1 and views.classify_agreement(corpus, question) == "agree":
            excepted += 1
            assert any(isinstance(cell.value, Like) for cell in speak.values()), question.id
    assert excepted
    key = "".join(one.astext() for one in render_answers_page(answers_view(corpus)))
    for said in (find_page("reading").read_text(encoding="utf-8"), key):
        _, rule, exception = said.partition("same letter")
        assert rule and "points to another" in exception[:1200]


# --- agreement of a choice ---------------------------------------------------------------------------------------

#: A third source for the invented library: it agrees with AAA on the payee, with nobody on the sum, with BBB's supplied
#: reading of the tricks, which does not count.
CCC = """\
- {id: CCC.c001, cites: [{locus: CCC.n01, exact: "the leader"}], answers: {Q001: leader, Q002: 3, Q003: []},
   status: stated, cert: high, coder: ed1}
"""

#: What is said, by hand: "" where a source does not speak for itself.
BY_HAND = {
    "Q001": {"AAA": "leader", "BBB": "nobody", "CCC": "leader"},
    "Q002": {"AAA": "2", "BBB": "", "CCC": "3"},
    "Q003": {"AAA": "first and last", "BBB": "", "CCC": "none"},
}
#: The agreement of every choice among the three, by hand.
CHOICES = [chosen for number in (1, 2, 3) for chosen in combinations(("AAA", "BBB", "CCC"), number)]
EXPECTED = {
    "Q001": "alone alone alone differ agree differ differ",
    "Q002": "alone nobody alone alone differ alone differ",
    "Q003": "alone nobody alone alone differ alone differ",
}


@pytest.fixture
def tiny(tmp_path: Path) -> Corpus:
    root = write_library(tmp_path)
    (root / "CCC").mkdir()
    record = RECORD.format(siglum="CCC", language="en")
    (root / "CCC/source.yaml").write_text(
        record + "quotation_cap: {words_each: 5, share_of_page: 0.10, page_words: 80}\n", encoding="utf-8"
    )
    statements = FILES["BBB/statements.yaml"].replace("BBB.", "CCC.")
    (root / "CCC/statements.yaml").write_text(statements, encoding="utf-8")
    (root / "CCC/clauses.yaml").write_text(CCC, encoding="utf-8")
    library, problems = load_library(root)
    assert library is not None, problems
    return build_corpus(library)


def kind_of(row: AnswerRow, chosen: tuple[str, ...]) -> str:
    """Agreement of some sources as the script computes it, from what the row says of each."""
    said = dict(zip((answer.siglum for answer in row.answers), format_voices(row).split(), strict=True))
    return classify_accord([said[one] if said[one].isdigit() else "" for one in chosen])


def test_the_agreement_of_every_choice_is_what_one_finds_by_hand(tiny: Corpus) -> None:
    rows = {row.question.id: row for row in answers_view(tiny).rows}
    for id, kinds in EXPECTED.items():
        for chosen, kind in zip(CHOICES, kinds.split(), strict=True):
            assert kind_of(rows[id], chosen) == kind, (id, chosen)
            assert classify_accord([BY_HAND[id][one] for one in chosen]) == kind, (id, chosen)
            assert views.classify_agreement(tiny, tiny.library.question(id), chosen) == kind, (id, chosen)


@pytest.mark.slow
def test_the_voices_of_a_row_give_the_agreement_of_every_choice_among_the_sources(corpus: Corpus) -> None:
    sigla = tuple(corpus.library.sources)
    for row in answers_view(corpus).rows:
        question = corpus.library.question(row.question.id)
        for number in range(1, len(sigla) + 1):
            for chosen in combinations(sigla, number):
                assert kind_of(row, chosen) == views.classify_agreement(corpus, question, chosen), (question.id, chosen)


@pytest.mark.slow
def test_what_the_books_say_stands_beside_the_dearest_differences(corpus: Corpus) -> None:
    """Four points or five for an ace: whoever asks that need not look for the row."""
    view = answers_view(corpus)
    items = [*render_answers_page(view)[0].findall(nodes.list_item)]
    rows = view_dearest(corpus) or ()
    assert len(items) == len(rows)
    for item, row in zip(items, rows, strict=True):
        said = item.astext()
        assert all(answer.words in said for answer in row.answers), row.question.id
        assert all(mark.source.siglum in said for mark in view.columns)
    (points,) = (item.astext() for item, row in zip(items, rows, strict=True) if row.question.id == "Q005")
    assert "ace 5, king 4" in points and "ace 4, king 3" in points


def test_any_two_are_counted_over_all_questions(corpus: Corpus) -> None:
    rows = [*answers_view(corpus).rows]
    for one in pairs_view(corpus):
        counts = dict(zip(PAIR_COUNTS, one.counts, strict=True))
        pair = (one.first.siglum, one.second.siglum)
        for kind in ("differ", "agree", "alone", "nobody"):
            assert counts[kind] == sum(kind_of(row, pair) == kind for row in rows), (pair, kind)
    (table,) = render_pairs(pairs_view(corpus))
    assert table.astext().count("Académie text") == len(corpus.library.sources) - 1


# --- plain answers, and what lies in the script -------------------------------------------------------------------


def test_a_missing_answer_says_why_and_a_supplied_one_is_ours(tiny: Corpus) -> None:
    row = next(row for row in answers_view(tiny).rows if row.question.id == "Q003")
    status = {answer.siglum: (answer.status, answer.missing) for answer in row.answers}
    assert status == {"AAA": ("doubtful", False), "BBB": ("ours", False), "CCC": ("", False)}
    other = next(row for row in answers_view(tiny).rows if row.question.id == "Q002")
    assert [answer.words for answer in other.answers if answer.missing] == ["not applicable"]


@pytest.mark.slow
def test_every_answer_has_its_words_or_the_reason_why_not_in_the_script(corpus: Corpus) -> None:
    answer_words = build_answer_words(corpus, lambda locus: f"at/{locus}")
    assert [*answer_words] == [question.id for question in corpus.library.questions.values()]
    for id, one in answer_words.items():
        assert len(one["answers"]) == len(corpus.library.sources)
        for answer in one["answers"]:
            assert answer.get("quotes") or answer.get("reasons"), id
            assert answer["status"] in ANSWER_STATUSES and answer["letter"]
            assert all(quote["at"] == f"at/{quote['place'].split()[0]}" for quote in answer.get("quotes", ()))
    assert json.loads(json.dumps(answer_words)) is not None


@pytest.mark.slow
def test_no_words_of_a_source_in_copyright_lie_in_the_script_beyond_those_that_are_quoted(corpus: Corpus) -> None:
    answer_words = build_answer_words(corpus, str)
    held = [at for at, source in enumerate(corpus.library.sources.values()) if source.text is None]
    assert held
    for at, siglum in enumerate(corpus.library.sources):
        quoted = {cite.exact for clause in corpus.library.sources[siglum].clauses for cite in clause.cites}
        exact = {
            quote.get("exact", "") for word in answer_words.values() for quote in word["answers"][at].get("quotes", ())
        }
        assert exact - {""} <= quoted
        if at in held:
            assert all(
                "english" not in q for word in answer_words.values() for q in word["answers"][at].get("quotes", ())
            )


# --- the table without a script -------------------------------------------------------------------------------------


def written(node: nodes.Node) -> str:
    """HTML of the table as the site writes it; it is made of plain elements and words."""
    if isinstance(node, nodes.Text):
        return escape_text(str(node))
    said = "".join(map(written, node.children))
    if not isinstance(node, (markup, nodes.inline, nodes.paragraph, nodes.container)):
        return said
    tag = node["tag"] if isinstance(node, markup) else "span"
    told = {**node.get("html", {}), "class": " ".join(node["classes"]), "id": " ".join(node["ids"])}
    attributes = (f' {name}="{escape_attribute(value)}"' for name, value in told.items() if value)
    return f"<{tag}{''.join(attributes)}>{said}</{tag}>"


def rows_of(view: AnswersView) -> list[html.HtmlElement]:
    whole = html.fromstring("".join(written(one) for one in render_answers_page(view) if isinstance(one, markup)))
    return list(whole.xpath("//tr[@data-voices]"))


def widened(view: AnswersView, number: int) -> AnswersView:
    """A view with more columns, which say what the first ones say, and a mark for each that speaks."""
    at = [n % len(view.columns) for n in range(number)]
    groups = tuple((name, tuple(_widened_row(row, at) for row in rows)) for name, rows in view.groups)
    return replace(view, columns=tuple(view.columns[n] for n in at), groups=groups)


def _widened_row(row: AnswerRow, at: list[int]) -> AnswerRow:
    answers = tuple(row.answers[n] for n in at)
    times = Counter(answer.siglum for answer in answers)
    voices = tuple(tuple(one for one in group for _ in range(times[one.source.siglum])) for group in row.voices)
    return replace(row, answers=answers, voices=voices)


@pytest.mark.slow
def test_the_table_of_seven_sources_stays_below_300_kb(corpus: Corpus) -> None:
    view = answers_view(corpus)
    seven = widened(view, 7)
    marks = [len(tag.findall(".//i")) for tag in rows_of(seven)]
    assert max(marks) == 7  # of a question on which all speak
    size = len(written(nodes.container("", *render_answers_page(seven))).encode())
    assert size < 295_000, size  # the frame of the page needs less than 10 kB


def test_every_answer_leads_to_its_place_and_roles_are_written_out(tiny: Corpus) -> None:
    rows = rows_of(answers_view(tiny))
    assert [row.get("id") for row in rows] == [*BY_HAND]
    for row in rows:
        assert row.get("role") == "row" and row[0].get("role") == "rowheader"
        assert [cell.get("role") for cell in row[1:]] == ["cell"] * 4
        ways = [cell.find("a").get("href") for cell in row[1:-1]]
        assert ways == [f"questions/{row.get('id')}.html#{siglum}" for siglum in ("AAA", "BBB", "CCC")]


def test_nine_sources_two_of_them_nearly_silent_make_blocks_and_no_voice_of_the_silent(tmp_path: Path) -> None:
    nine = corpus_of(write_nine_sources(tmp_path))
    view = answers_view(nine)
    assert len(view.columns) == 9 > MAX_TABLE_SOURCES
    table = next(one for one in render_answers_page(view) if isinstance(one, markup) and one["tag"] == "table")
    assert "rv-many" in table["classes"]
    for row, tag in zip(view.rows, rows_of(view), strict=True):
        said = tag.get("data-voices").split()
        assert len(said) == 9
        silent = [n for n, one in enumerate(row.answers) if one.missing or one.status == "ours"]
        assert all(not said[n].isdigit() for n in silent)
    assert TARGET in table and table[TARGET] == []  # too many for every two of them


def test_books_that_say_the_same_stand_on_one_line_and_those_that_say_nothing_only_where_all_do(corpus: Corpus) -> None:
    shared_lines = moved = 0
    for row in answers_view(corpus).rows:
        spoken = any(not answer.missing for answer in row.answers)
        every = zip(row.answers, arrange_answers(row.answers), strict=True)
        placed = [(one, at) for one, at in every if not (spoken and one.missing)]
        lines = [
            (replace(one, siglum=""), shared) for one, (_, shared, _) in sorted(placed, key=lambda each: each[1][0])
        ]
        shown = [one for one, shared in lines if not shared]
        assert [said for said, _ in groupby(said for said, _ in lines)] == shown, row.question.id
        shared_lines += len(shown) < len(lines)
        moved += any(line for line, *_ in arrange_answers(row.answers))
        assert all(lines >= 1 for lines in estimate_lines(row))
    assert shared_lines > 100 and moved > 20


# --- in a browser ---------------------------------------------------------------------------------------------------

Open = Callable[..., Any]

SEEN = """() => {
  const seen = (what, where = document) => [...where.querySelectorAll(what)].filter((one) => one.checkVisibility());
  const rows = seen(".rv-answers tr[data-voices]");
  return {
    questions: rows.map((row) => row.id),
    kinds: rows.map((row) => row.querySelector(".rv-who > span").getAttribute("aria-label").split(":")[0]),
    cells: [...new Set(rows.map((row) => [...row.cells].slice(1, -1).filter((one) => !one.hidden).length))],
    groups: seen(".rv-answers tr.rv-group").map((row) => row.textContent.trim()),
    count: document.querySelector(".rv-found").textContent,
    address: location.hash,
  };
}"""


@pytest.fixture
def opened(browser: Any, site: Path) -> Iterator[Open]:
    """The page, opened from the folder; what the console says is a fault, and so is a request out of it."""
    said: list[str] = []
    contexts = []

    def opens(address: str = "", page: str = "answers", **how: Any) -> Any:
        contexts.append(browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **how}))
        tab = contexts[-1].new_page()
        tab.set_default_timeout(15_000)
        tab.on("console", lambda message: said.append(f"{tab.url}: {message.text}"))
        tab.on("pageerror", lambda error: said.append(f"{tab.url}: {error}"))
        tab.on("request", lambda one: said.append(one.url) if not one.url.startswith(site.as_uri()) else None)
        tab.goto(f"{(site / page).as_uri()}.html{address}")
        return tab

    yield opens
    for context in contexts:
        context.close()
    assert said == []


NAMES = {"differ": "Differ", "agree": "Agree", "alone": "Only one says", "nobody": "None says"}


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("every", [7, mark_for_release(1)])
def test_the_script_finds_the_agreement_of_every_choice_as_the_library_does(
    opened: Open, library: Library, corpus: Corpus, every: int
) -> None:
    """Of the choices every seventh is tried, all seven sources among them, and before a release every one."""
    tab, rows = opened(), [*answers_view(corpus).rows]
    choices = [chosen for number in range(2, 8) for chosen in combinations(library.sources, number)][::-every]
    for chosen in choices:
        tab.evaluate(f"location.hash = 'sources={','.join(chosen)}'")
        until(tab, "(n) => document.querySelectorAll('input[name=sources]:checked').length === n", arg=len(chosen))
        found = tab.evaluate(SEEN)
        assert found["kinds"] == [NAMES[kind_of(row, chosen)] for row in rows], chosen
        assert found["cells"] == [len(chosen)]
    assert tuple(library.sources) in choices


@pytest.mark.slow
@pytest.mark.browser
def test_the_filters_show_what_they_say_and_count_it(opened: Open, library: Library, corpus: Corpus) -> None:
    tab = opened()
    rows = {row.question.id: row for row in answers_view(corpus).rows}
    tab.locator("label:has([name=agreement][value=differ])").click()
    found = tab.evaluate(SEEN)
    assert set(found["questions"]) == {id for id, row in rows.items() if row.kind == "differ"}
    assert found["count"].startswith(f"{len(found['questions'])} of {len(rows)} questions")
    tab.locator("label:has([name=agreement][value=''])").click()
    tab.select_option("select[name=cost]", "10")
    assert set(tab.evaluate(SEEN)["questions"]) == {
        id for id, share in view_money_effect(corpus).numbers.items() if share >= 10
    }
    tab.select_option("select[name=cost]", "")
    tab.fill("input[name=text]", "QUÍNOLA  forced")
    found = set(tab.evaluate(SEEN)["questions"])
    asked = {
        question.id
        for question in library.questions.values()
        if {"quinola", "forced"} <= {*question.asks.lower().split()}
    }
    assert asked and asked <= found < set(rows)
    tab.fill("input[name=text]", "")
    tab.locator(".rv-more-choices > summary").click()
    tab.select_option("select[name=status]", "ambiguous")
    until(tab, "() => document.querySelector('.rv-found').textContent.includes(' of ')")
    wanted = {
        question.id
        for question in library.questions.values()
        if any(
            cell.status == "ambiguous" and not cell.supplied
            for siglum in library.sources
            if (cell := corpus.cell(siglum, question.slug))
        )
    }
    assert set(tab.evaluate(SEEN)["questions"]) == wanted


@pytest.mark.slow
@pytest.mark.browser
def test_a_choice_is_kept_in_the_address_and_comes_back_from_it(opened: Open, library: Library) -> None:
    tab = opened()
    tab.locator(".rv-more-choices > summary").click()
    tab.uncheck("input[value=GER]")
    tab.locator("label:has([name=agreement][value=differ])").click()
    tab.select_option("select[name=group]", "the-quinola")
    tab.fill("input[name=text]", "quinola forced")
    before = tab.evaluate(SEEN)
    others = ",".join(source for source in library.sources if source != "GER")
    assert before["address"] == f"#sources={others}&agreement=differ&group=the-quinola&text=quinola+forced"
    assert before["questions"] and before["groups"] == ["The quinola"]
    other = opened(before["address"])
    assert other.evaluate(SEEN) == before
    assert other.input_value("input[name=text]") == "quinola forced"
    other.click("button[type=reset]")
    until(other, "!location.hash")
    assert other.evaluate(SEEN)["questions"] == opened().evaluate(SEEN)["questions"]


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_the_words_of_a_book_come_by_pointer_tap_and_keyboard(opened: Open, corpus: Corpus, width: int) -> None:
    tab = opened("#Q031", viewport={"width": width, "height": 900})
    cell = corpus.cell("PAM", corpus.library.question("Q031").slug)
    assert cell is not None
    words = cell.clauses[0].cites[0].exact
    way = tab.locator("#Q031 td > a[href$='#PAM']")
    assert tab.locator(".rv-words-of").count() == 0
    way.click()
    box = tab.locator(".rv-words-of")
    box.wait_for()
    assert words in box.inner_text() and way.get_attribute("aria-expanded") == "true"
    assert tab.url.endswith("answers.html#Q031")
    corner = box.bounding_box()
    assert corner["x"] >= 0 and corner["x"] + corner["width"] <= width
    tab.keyboard.press("Escape")
    tab.wait_for_timeout(500)  # longer than a mouse rests: what was closed stays closed
    assert box.count() == 0
    tab.locator("#Q032 th > a").first.focus()
    tab.keyboard.press("ArrowRight")
    box.wait_for()
    tab.mouse.move(5, 5)
    if width > 1000:
        tab.keyboard.press("Escape")
        way.hover()
        box.wait_for()
        assert words in box.inner_text()


@pytest.mark.slow
@pytest.mark.browser
def test_by_keyboard_a_row_is_one_stop_and_enter_follows_the_answer(opened: Open) -> None:
    tab = opened("#Q031")
    at = "document.activeElement.closest('tr').id + ' ' + document.activeElement.getAttribute('href').split('/').at(-1)"
    tab.locator("#Q031 th > a").first.focus()
    tab.keyboard.press("Tab")
    following = tab.evaluate(at)
    assert following.endswith(".html") and not following.startswith("Q031")
    tab.keyboard.press("Shift+Tab")
    places = []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft"):
        tab.keyboard.press(key)
        places.append(tab.evaluate(at))
    assert places[0] == places[4] == "Q031 Q031.html#ACA" and places[1] == places[3] == "Q031 Q031.html#GER"
    assert places[2].endswith("#GER") and not places[2].startswith("Q031")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/questions/Q031.html#ACA")


#: How far the mark of a book stands from the line of the answer that it shares with a later one, and from the next.
MARKS_APART = """() => [...document.querySelectorAll(".rv-answers td.rv-run")].map((one) => {
  const said = (cell) => [...cell.querySelectorAll("a, small")].map((part) => part.textContent).join();
  const alike = [...one.parentElement.cells].filter((cell) => said(cell) === said(one));
  const next = alike[alike.indexOf(one) + 1];
  const box = one.getBoundingClientRect(), after = next.getBoundingClientRect();
  return [box.top - alike.at(-1).getBoundingClientRect().top, after.left - box.right];
})"""


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(("script", "width"), [(True, 390), (False, 320)])
def test_a_phone_shows_blocks_that_are_still_a_table_to_those_who_listen(
    opened: Open, width: int, script: bool
) -> None:
    tab = opened(viewport={"width": width, "height": 800}, java_script_enabled=script)
    row = tab.locator("tr[id=Q031]")
    assert row.evaluate("(one) => getComputedStyle(one).display") == "grid"
    parted = tab.evaluate(MARKS_APART)
    assert parted and max(abs(apart) for pair in parted for apart in pair) <= 1
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert row.get_attribute("role") == "row" and row.locator("th").get_attribute("role") == "rowheader"


@pytest.mark.slow
@pytest.mark.browser
def test_without_a_script_everything_is_there_and_no_choice_is_offered(opened: Open, library: Library) -> None:
    tab = opened(java_script_enabled=False)
    found = tab.locator(".rv-answers tr[data-voices]")
    assert found.count() == len(library.questions) and found.last.is_visible()
    assert found.last.locator("td a").count() == len(library.sources)
    assert not tab.locator("form.rv-filters").is_visible()
