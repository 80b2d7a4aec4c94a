"""The matrix and the sources side by side: agreement for any choice, and the pages as a reader uses them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from lxml import html

from edition.analysis.costs import find_costs
from edition.corpus.corpus import Corpus, build_corpus
from edition.settings import PAGES
from edition.views import common as views
from edition.views.common import classify_accord
from edition.views.questions.matrix import render_comparison, render_legend
from edition.views.questions.matrix_views import (
    SourceComparison,
    accord_words,
    beside_view,
    matrix_view,
    price_list,
)
from rulebook.load import load_library
from rulebook.model import Library, Like
from tests.support.library import FILES, RECORD, write_library
from tests.support.tiers import sample
from tests.support.waiting import until

# --- the letters -------------------------------------------------------------------------------------------------


def test_only_an_answer_that_points_to_another_agrees_under_another_letter_and_that_is_said(corpus: Corpus) -> None:
    """Wherever the rule of the letters is told, its one exception stands with it."""
    excepted = 0
    for question in corpus.library.questions.values():
        cells = {siglum: corpus.cell(siglum, question.slug) for siglum in corpus.library.sources}
        speak = {who: cell for who, cell in cells.items() if cell and cell.value is not None and not cell.supplied}
        letters = {one.kind for one in views.build_answer_marks(corpus, question) if one.siglum in speak}
        if len(letters) > 1 and views.classify_agreement(corpus, question) == "agree":
            excepted += 1
            assert any(isinstance(cell.value, Like) for cell in speak.values()), question.id
    assert excepted
    told = [(PAGES / f"{page}.md").read_text(encoding="utf-8") for page in ("index", "matrix", "reading")]
    for said in (*told, render_legend().astext()):
        _, rule, exception = said.partition("same letter")
        assert rule and "points to another" in exception[:300]


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


def says(view: SourceComparison) -> dict[str, dict[str, str]]:
    return {row.question.id: {one.siglum: one.says for one in row.voices} for row in view.rows}


def test_the_agreement_of_every_choice_is_what_one_finds_by_hand(tiny: Corpus) -> None:
    found = says(matrix_view(tiny))
    for id, kinds in EXPECTED.items():
        for chosen, kind in zip(CHOICES, kinds.split(), strict=True):
            assert classify_accord([found[id][one] for one in chosen]) == kind, (id, chosen)
            assert classify_accord([BY_HAND[id][one] for one in chosen]) == kind, (id, chosen)
            assert views.classify_agreement(tiny, tiny.library.question(id), chosen) == kind, (id, chosen)


def test_the_same_letter_is_the_same_answer_in_effect(tiny: Corpus) -> None:
    for id, found in says(matrix_view(tiny)).items():
        for one, other in combinations(found, 2):
            assert (found[one] == found[other]) == (BY_HAND[id][one] == BY_HAND[id][other]), (id, one, other)


def test_the_letters_give_the_agreement_of_every_choice_among_the_sources(corpus: Corpus) -> None:
    """The pages of pairs and of questions reckon it from the library, these from the letters of the cells."""
    found = says(matrix_view(corpus))
    for question in corpus.library.questions.values():
        for number in range(1, len(corpus.library.sources) + 1):
            for chosen in combinations(corpus.library.sources, number):
                kind = classify_accord([found[question.id][one] for one in chosen])
                assert kind == views.classify_agreement(corpus, question, chosen), (question.id, chosen)


def test_the_words_name_who_speaks_alone_and_who_is_not_heard() -> None:
    assert accord_words({"AAA": "a", "BBB": ""}) == "AAA alone speaks"
    assert accord_words({"AAA": "a", "BBB": "a"}) == "All that speak agree"
    assert accord_words({"AAA": "a", "BBB": "b", "CCC": ""}) == "They differ (CCC not heard)"
    assert accord_words({"AAA": "", "BBB": ""}) == "No source speaks"


# --- what it costs ------------------------------------------------------------------------------------------------


def test_a_price_is_the_figure_of_the_survey_under_the_policy_that_makes_it_dearest(corpus: Corpus) -> None:
    weighed = 0
    for question in corpus.library.questions.values():
        for one in price_list(corpus, question):
            figures = [
                weight.of_pool.value * 100
                for cost in find_costs(corpus)
                if cost.table == one.table
                and any(stand.source == one.giver and question.slug in stand.questions for stand in cost.stands)
                for _, weight in cost.weights
            ]
            assert one.share == pytest.approx(max(figures)), (question.id, one)
            assert ("pool" in one.words) == (one.share > 0), (question.id, one)
            weighed += 1
    assert weighed > 50


# --- the pages without a script -------------------------------------------------------------------------------------


def laid_out(view: SourceComparison) -> html.HtmlElement:
    (table,) = [found for node in render_comparison(view) for found in node.findall(nodes.table)]
    return table


def test_every_cell_tells_the_script_whose_it_is_and_what_it_says(tiny: Corpus) -> None:
    for view in (matrix_view(tiny), beside_view(tiny)):
        rows = [row for row in laid_out(view).findall(nodes.row) if "data-slug" in row.get("html", {})]
        assert len(rows) == len(BY_HAND)
        for row, wanted in zip(rows, view.rows, strict=True):
            cells = [entry["html"] for entry in row.findall(nodes.entry) if "data-siglum" in entry.get("html", {})]
            assert [(one["data-siglum"], one["data-says"]) for one in cells] == [
                (voice.siglum, voice.says) for voice in wanted.voices
            ]
            assert {one["role"] for one in cells} == {"cell"}


def test_more_than_four_sources_are_moved_about_in_a_frame(tiny: Corpus) -> None:
    view = beside_view(tiny)
    rows = [(name, tuple(replace(row, voices=row.voices * 2) for row in rows)) for name, rows in view.groups]
    many = replace(view, sources=view.sources * 2, groups=tuple(rows))
    frames = {
        len(one.sources): [node["classes"] for node in render_comparison(one) if "rv-frame" in node["classes"]]
        for one in (view, many)
    }
    assert frames == {3: [["rv-frame"]], 6: [["rv-frame", "rv-many"]]}
    assert len(list(laid_out(many).findall(nodes.colspec))) == 7


def test_supplied_readings_can_be_looked_for_as_such(tiny: Corpus) -> None:
    row = next(row for row in matrix_view(tiny).rows if row.question.id == "Q003")
    assert {one.siglum: one.states for one in row.voices} == {
        "AAA": "ambiguous",
        "BBB": "silent supplied",
        "CCC": "stated",
    }


# --- in a browser ---------------------------------------------------------------------------------------------------

BOTH = ("matrix", "sidebyside")
Open = Callable[..., Any]

SEEN = """() => {
  const seen = (what, where = document) => [...where.querySelectorAll(what)].filter((one) => one.checkVisibility());
  const rows = seen("table.rv-compare tr[data-slug]");
  return {
    questions: rows.map((row) => row.id),
    agreement: rows.map((row) => row.querySelector(".rv-agreement").textContent),
    cells: rows.map((row) => seen("td[data-siglum]", row).map((cell) => cell.dataset.siglum).join(" ")),
    groups: seen("table.rv-compare tr.rv-group").map((row) => row.innerText.trim()),
    count: document.querySelector(".rv-count").textContent,
    address: location.hash,
  };
}"""


@pytest.fixture
def opened(browser: Any, site: Path) -> Iterator[Open]:
    """A page, opened from the folder; what the console says is a fault, and so is a request out of it."""
    said: list[str] = []
    contexts = []

    def opens(page: str, address: str = "", **how: Any) -> Any:
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


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("page", sample(BOTH, 2))
def test_the_script_reckons_the_agreement_of_every_choice_as_the_library_does(
    opened: Open, library: Library, corpus: Corpus, page: str
) -> None:
    tab = opened(page)
    voices = says(matrix_view(corpus))
    for number in range(2, len(library.sources) + 1):
        for chosen in combinations(library.sources, number):
            tab.evaluate(f"location.hash = 'sources={','.join(chosen)}'")
            until(tab, "(n) => document.querySelectorAll('input[name=sources]:checked').length === n", arg=number)
            found = tab.evaluate(SEEN)
            wanted = [accord_words({one: said[one] for one in chosen}) for said in voices.values()]
            assert found["agreement"] == wanted, chosen
            assert set(found["cells"]) == {" ".join(chosen)}
            assert sorted(found["questions"]) == sorted(voices), chosen


@pytest.mark.slow
@pytest.mark.browser
def test_the_filters_show_what_they_say_and_count_it(opened: Open, library: Library, corpus: Corpus) -> None:
    tab = opened("matrix")
    rows = {row.question.id: row for row in matrix_view(corpus).rows}
    tab.select_option("select[name=agreement]", "differ")
    found = tab.evaluate(SEEN)
    assert set(found["questions"]) == {id for id, row in rows.items() if row.kind == "differ"}
    assert found["count"].startswith(f"{len(found['questions'])} of {len(rows)} questions")
    tab.select_option("select[name=agreement]", "")
    tab.select_option("select[name=status]", "ambiguous")
    found = tab.evaluate(SEEN)
    wanted = {id for id, row in rows.items() if any(one.status == "ambiguous" for one in row.voices)}
    assert set(found["questions"]) == wanted
    tab.select_option("select[name=status]", "")
    tab.select_option("select[name=cost]", "10")
    found = tab.evaluate(SEEN)
    assert set(found["questions"]) == {id for id, row in rows.items() if row.prices and row.prices[0].share >= 10}
    tab.select_option("select[name=cost]", "")
    tab.fill("input[name=text]", "QUÍNOLA  forced")
    found = tab.evaluate(SEEN)
    texts = {one.id: f"{one.asks} {one.slug}".lower() for one in library.questions.values()}
    assert set(found["questions"]) == {id for id, text in texts.items() if "quinola" in text and "forced" in text}
    assert found["questions"]


@pytest.mark.slow
@pytest.mark.browser
def test_groups_without_a_question_left_are_not_shown(opened: Open, library: Library) -> None:
    tab = opened("sidebyside", "#group=aces")
    found = tab.evaluate(SEEN)
    assert found["groups"] == ["Aces"]
    assert set(found["questions"]) == {one.id for one in library.questions.values() if one.group == "Aces"}


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("page", sample(BOTH, 2))
def test_a_choice_is_kept_in_the_address_and_comes_back_from_it(opened: Open, page: str) -> None:
    tab = opened(page)
    tab.uncheck("input[value=GER]")
    tab.select_option("select[name=agreement]", "differ")
    tab.select_option("select[name=group]", "the-quinola")
    tab.fill("input[name=text]", "quinola forced")
    before = tab.evaluate(SEEN)
    assert before["address"] == "#sources=ACA,PAM,PAR&agreement=differ&group=the-quinola&text=quinola+forced"
    assert before["questions"]
    other = opened(page, before["address"])
    assert other.evaluate(SEEN) == before
    assert other.input_value("input[name=text]") == "quinola forced"
    other.click("button[type=reset]")
    until(other, "!location.hash")
    assert other.evaluate(SEEN)["questions"] == opened(page).evaluate(SEEN)["questions"]


@pytest.mark.slow
@pytest.mark.browser
def test_an_address_that_makes_no_sense_shows_everything(opened: Open, library: Library) -> None:
    tab = opened("sidebyside", "#sources=XXX&agreement=perhaps&group=none")
    assert len(tab.evaluate(SEEN)["questions"]) == len(library.questions)
    assert set(tab.evaluate(SEEN)["cells"]) == {" ".join(library.sources)}


@pytest.mark.slow
@pytest.mark.browser
def test_two_sources_at_least_stay_side_by_side(opened: Open) -> None:
    tab = opened("sidebyside", "#sources=PAM,ACA")
    assert tab.is_disabled("input[value=PAM]") and tab.is_disabled("input[value=ACA]")
    assert not tab.is_disabled("input[value=GER]")


PLACES = """() => {
  const at = (what) => document.querySelector(what).getBoundingClientRect();
  const [head, first] = [at("table.rv-compare thead th:nth-child(2)"), at("table.rv-compare tr[data-slug=SLUG] th")];
  const there = document.elementFromPoint(head.left + 4, head.top + 4);
  return { top: head.top, left: first.left, above: Boolean(there?.closest("thead")) };
}"""


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("page", BOTH)
def test_the_row_of_sources_stays_in_sight_on_a_wide_screen(opened: Open, library: Library, page: str) -> None:
    tab = opened(page)
    places = PLACES.replace("SLUG", f"'{library.question('Q031').slug}'")
    tab.evaluate("document.getElementById('Q031').scrollIntoView({block: 'center', behavior: 'instant'})")
    found = tab.evaluate(places)
    assert 0 <= found["top"] <= 1 and found["above"]


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("page", BOTH)
def test_both_heads_stay_in_sight_in_the_table_of_a_phone(opened: Open, library: Library, page: str) -> None:
    tab = opened(page, "#form=table", viewport={"width": 390, "height": 800})
    places = PLACES.replace("SLUG", f"'{library.question('Q031').slug}'")
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    frame = tab.locator(".rv-frame")
    assert frame.get_attribute("tabindex") == "0" and frame.get_attribute("aria-label")
    corner = frame.bounding_box()
    before = tab.evaluate(places)
    tab.evaluate("""() => {
      const frame = document.querySelector(".rv-frame");
      const row = document.getElementById("Q031");
      frame.scrollTo({ left: 200, top: row.offsetTop - 200, behavior: "instant" });
    }""")
    after = tab.evaluate(places)
    top = tab.evaluate("document.querySelector('.rv-frame').getBoundingClientRect().top")
    assert after["top"] == pytest.approx(top, abs=2) and after["left"] == pytest.approx(before["left"], abs=1)
    assert after["left"] == pytest.approx(corner["x"], abs=2)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(("script", "width", "page"), sample([*product((True, False), (390, 320), BOTH)], 3))
def test_a_phone_shows_a_list_that_is_still_a_table_to_those_who_listen(
    opened: Open, library: Library, page: str, width: int, script: bool
) -> None:
    tab = opened(page, viewport={"width": width, "height": 800}, java_script_enabled=script)
    assert tab.locator("tr[id=Q031] td").first.evaluate("(cell) => getComputedStyle(cell).display") == "grid"
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    row = tab.locator("tr[id=Q031]")
    assert row.get_attribute("role") == "row" and row.locator("th").get_attribute("role") == "rowheader"
    label = "(cell) => getComputedStyle(cell, '::before').content"
    labels = row.locator("td").evaluate_all(f"(cells) => cells.map({label})")
    assert [one.strip('"') for one in labels][: len(library.sources)] == list(library.sources)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("page", sample(BOTH, 2))
def test_without_a_script_everything_is_there_and_no_choice_is_offered(
    opened: Open, library: Library, page: str
) -> None:
    tab = opened(page, java_script_enabled=False)
    found = tab.locator("table.rv-compare tr[data-slug]")
    assert found.count() == len(library.questions)
    assert found.last.is_visible() and found.last.locator("td[data-siglum]").count() == len(library.sources)
    assert not tab.locator("form.rv-controls").is_visible()


@pytest.mark.slow
def test_the_counts_that_stand_there_without_a_script_are_those_of_the_rows(site: Path, corpus: Corpus) -> None:
    kinds = Counter(row.kind for row in matrix_view(corpus).rows)
    for page in BOTH:
        root = html.fromstring((site / f"{page}.html").read_text(encoding="utf-8"))
        (told,) = root.xpath("//*[@role='status']")
        for kind, number in kinds.items():
            assert f"{views.AGREEMENT[kind].lower()} on {number}" in told.text_content()


@pytest.mark.slow
@pytest.mark.parametrize("page", BOTH)
def test_the_page_with_all_that_it_fetches_stays_light(site: Path, page: str) -> None:
    import gzip

    root = html.fromstring((site / f"{page}.html").read_text(encoding="utf-8"))
    fetched = [*root.xpath("//script/@src"), *root.xpath("//link[@rel='stylesheet']/@href")]
    weighs = {
        one: len(gzip.compress((site / one.partition("?")[0]).read_bytes())) for one in {f"{page}.html", *fetched}
    }
    assert sum(weighs.values()) < 600_000
    assert sum(weight for one, weight in weighs.items() if one != f"{page}.html") < 150_000
