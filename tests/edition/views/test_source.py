"""The pages of the sources: the overview, the facing texts, what hangs on a sentence, and going through it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import html

from edition.corpus.corpus import Corpus, build_corpus
from edition.views import common as views
from edition.views.sources import source as texts
from edition.views.sources import source_text as facing
from edition.views.sources.sentence import render_margin
from edition.views.sources.source import SourceLine, SourceView
from edition.views.sources.source_overview import (
    SENTENCE_STATES,
    Company,
    compare_all_testimonies,
    join_names_with_and,
    summarise_question_kinds,
)
from rulebook.load import load_library
from rulebook.sources.paths import find_sources
from tests.support.library import changed, write_library
from tests.support.waiting import until

# --- on a small scale ------------------------------------------------------------------------------------------------

AAA_COVERAGE = """\
AAA.s0001: {kind: heading}
AAA.s0002:
  kind: encoded
  questions: [Q001, Q002]
  residue: "de chacun."
  because: Who pays.
AAA.s0003:
  kind: encoded
  questions: [Q003]
  residue: "On le paye doble dans la premiere … et double dans la derniere levée."
  because: How much.
"""
BBB_COVERAGE = """\
BBB.n01: {kind: encoded, questions: [Q001]}
BBB.n02: {kind: narrative, because: It says nothing of the tolls.}
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    root = write_library(tmp_path)
    for path in (*root.glob("deals/*"), *root.glob("AAA/deals/*")):
        path.unlink()
    (root / "AAA" / "coverage.yaml").write_text(AAA_COVERAGE, encoding="utf-8", newline="\n")
    (root / "BBB" / "coverage.yaml").write_text(BBB_COVERAGE, encoding="utf-8", newline="\n")
    return root


def corpus_of(root: Path) -> Corpus:
    library, problems = load_library(root)
    assert library is not None, problems
    return build_corpus(library)


def states(root: Path, siglum: str) -> list[str]:
    return [line.state for line in lines_of(texts.source_view(corpus_of(root), siglum))]


def lines_of(view: SourceView) -> Iterator[SourceLine]:
    return (line for chapter in view.chapters for line in chapter.lines)


def test_a_sentence_on_which_another_source_says_otherwise_is_various(tiny: Path) -> None:
    assert states(tiny, "AAA") == ["heading", "differ", "disputed"]
    assert states(tiny, "BBB") == ["differ", "narrative"]


def test_a_sentence_is_single_when_on_some_point_all_others_are_silent(tiny: Path) -> None:
    """They come to agree on the payee; on the amount the second source has nothing, and the first stays single."""
    changed(tiny, "BBB/clauses.yaml", "answers: {Q001: nobody}", "answers: {Q001: leader}")
    changed(tiny, "BBB/clauses.yaml", "status: inapplicable", "status: silent\n  searched: BBB.n01-BBB.n02")
    assert states(tiny, "AAA")[1] == "alone"
    assert states(tiny, "BBB")[0] == "agree"


def test_a_sentence_is_common_when_all_that_speak_agree(tiny: Path) -> None:
    changed(tiny, "BBB/clauses.yaml", "answers: {Q001: nobody}", "answers: {Q001: leader}")
    changed(tiny, "AAA/clauses.yaml", "    Q002: 2             # toll.amount\n", "")
    changed(tiny, "AAA/coverage.yaml", "[Q001, Q002]", "[Q001]")
    assert states(tiny, "AAA")[1] == "agree"


def test_an_option_of_the_source_is_no_dispute_and_neither_is_what_we_supply(tiny: Path) -> None:
    """Without its rival the passage is clear; that the other source is given a reading by us leaves it single."""
    start, end = "  rivals:\n", "  options:"
    path = tiny / "AAA" / "clauses.yaml"
    words = path.read_text(encoding="utf-8")
    words = words[: words.index(start)] + words[words.index(end) :]
    path.write_text(words.replace("status: ambiguous", "status: stated"), encoding="utf-8", newline="\n")
    assert states(tiny, "AAA")[2] == "alone"


def test_a_source_that_is_silent_itself_stands_nowhere(tiny: Path) -> None:
    beside = compare_all_testimonies(corpus_of(tiny), "BBB")["toll.tricks"]
    assert (beside.kind, beside.words) == ("", "supplied by us; said in AAA")


def test_a_sentence_has_its_questions_with_answer_company_and_rivals(tiny: Path) -> None:
    *_, first, last = lines_of(texts.source_view(corpus_of(tiny), "AAA"))
    assert [
        (one.answered.question.id, one.answered.answer.full or one.answered.answer.short) for one in first.asked
    ] == [("Q001", "He who led."), ("Q002", "2")]
    assert [one.company.words for one in first.asked] == ["otherwise in BBB", "not said in BBB"]
    assert [(other.id, other.label) for one in last.asked for other in one.others] == [("AAA.i01", "the first alone")]


def test_an_emendation_shows_the_page_and_what_we_read(tiny: Path) -> None:
    *_, last = lines_of(texts.source_view(corpus_of(tiny), "AAA"))
    (one,) = last.mended
    assert (one.sic, one.corr, one.lang, one.cert) == ("doble", "double", "fr", "high")
    (made,) = render_margin(last)
    assert "The page has “doble”, we read “double” (certainty high, evidence internal)." in made.astext()


def test_statements_on_a_matter_taken_up_again_have_a_heading_of_their_own(tiny: Path) -> None:
    path = tiny / "BBB" / "statements.yaml"
    more = "- {id: BBB.n03, section: Pools, text: One.}\n- {id: BBB.n04, section: Tolls, text: Two.}\n"
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8", newline="\n")
    with (tiny / "BBB" / "coverage.yaml").open("a", encoding="utf-8") as ledger:
        ledger.write("BBB.n03: {kind: advice, because: a.}\nBBB.n04: {kind: advice, because: b.}\n")
    view = texts.source_view(corpus_of(tiny), "BBB")
    assert [(one.title, one.span) for one in view.chapters] == [
        ("Tolls", (1, 2)),
        ("Pools", (3, 3)),
        ("Tolls, further", (4, 4)),
    ]


def test_a_source_in_copyright_tells_how_much_of_it_is_quoted(tiny: Path) -> None:
    view = texts.source_view(corpus_of(tiny), "BBB")
    assert view.quoted is not None and not view.printed
    assert (view.quoted.number, view.quoted.words, view.quoted.each) == (1, 3, 5)
    said = facing.explain_missing_text(view.quoted)
    assert "in copyright" in said and "1 quotation of 3 words" in said and "3.8 % of the 80 words" in said


def test_names_are_read_out_in_a_row() -> None:
    assert [join_names_with_and(("PAM",)), join_names_with_and(("PAM", "ACA", "GER"))] == ["PAM", "PAM, ACA and GER"]
    assert (
        summarise_question_kinds(["agree", "differ", "differ", ""])
        == "4 questions: 2 various, 1 common, 1 supplied by us"
    )
    assert Company(True, ("ACA",), (), ()).kind == "agree"


# --- counted again over the data -------------------------------------------------------------------------------------


SIGLA = tuple(sorted(path.parent.name for path in find_sources().glob("*/source.yaml")))
DOUBTS = {"ambiguous", "contradictory"}


def counted_again(corpus: Corpus, siglum: str) -> dict[str, str]:
    """The state of every sentence, from the files as they lie there and the agreement that the matrix shows."""
    folder = find_sources() / siglum
    kinds = yaml.safe_load((folder / "coverage.yaml").read_text(encoding="utf-8"))
    clauses = yaml.safe_load((folder / "clauses.yaml").read_text(encoding="utf-8"))
    names = sorted(kinds, key=lambda id: int(re.sub(r"\D", "", id)))
    found: dict[str, set[str]] = {name: set() for name in names}
    for clause in clauses:
        doubtful = clause["status"] in DOUBTS or "rivals" in clause
        said = {"disputed"} if doubtful else set()
        said |= {agreement(corpus, siglum, str(id)) for id in clause.get("answers", {})}
        for cite in clause.get("cites", ()):
            if cite.get("role", "grounds") in ("grounds", "supports"):
                first, last = cite["locus"], cite.get("to") or cite["locus"]
                for name in names[names.index(first) : names.index(last) + 1]:
                    found[name] |= said
    order = ("disputed", "differ", "alone", "agree")
    return {
        name: next((one for one in order if one in found[name]), "encoded") if of["kind"] == "encoded" else of["kind"]
        for name, of in ((name, kinds[name]) for name in names)
    }


def agreement(corpus: Corpus, siglum: str, id: str) -> str:
    """The class that the matrix gives to a question; nothing where this source does not speak for itself."""
    question = corpus.library.question(id)
    cell = corpus.cell(siglum, question.slug)
    assert cell is not None
    return views.classify_agreement(corpus, question) if cell.value is not None and not cell.supplied else ""


@pytest.mark.slow
@pytest.mark.parametrize("siglum", SIGLA)
def test_the_overview_is_what_the_data_come_to(corpus: Corpus, siglum: str) -> None:
    view, again = texts.source_view(corpus, siglum), counted_again(corpus, siglum)
    assert {one.id: one.state for chapter in view.chapters for one in chapter.letters} == again
    counsel = [id for id, standing in corpus.library.sources[siglum].coverage.items() if standing.counsel]
    told = Counter(again.values()) + Counter(advice=len(counsel))
    assert {one.state: one.number for one in view.legend} == told
    assert view.total == len(again)


@pytest.mark.parametrize("siglum", SIGLA)
def test_what_the_legend_says_of_sentences_without_a_rule_is_true(corpus: Corpus, siglum: str) -> None:
    """Some clauses cite them, as an example or in support; none has them as its grounds."""
    for line in lines_of(texts.source_view(corpus, siglum)):
        if line.state in ("example", "advice", "narrative"):
            assert "grounds" not in {one.role for one in line.chips}, line.id
            assert not line.chips or "cite it" in SENTENCE_STATES[line.state][2], line.id
        assert ("A" in line.letter.sign) == line.counsel and line.letter.name.endswith("advice") == line.counsel


@pytest.mark.parametrize("siglum", SIGLA)
def test_the_numbers_of_the_legend_and_of_each_sentence_add_up(corpus: Corpus, siglum: str) -> None:
    view = texts.source_view(corpus, siglum)
    twice = sum(line.counsel for line in lines_of(view))
    assert sum(one.number for one in view.legend) == view.total + twice
    assert bool(twice) == any("counts twice" in node.astext() for node in facing.render_sentence_overview(view))
    for line in lines_of(view):
        total, *parts = map(int, re.findall(r"\d+", summarise_question_kinds(one.company.kind for one in line.asked)))
        assert total == sum(parts) == len(line.asked), line.id


@pytest.mark.parametrize("siglum", SIGLA)
def test_every_answer_beside_a_sentence_says_something(corpus: Corpus, siglum: str) -> None:
    for line in lines_of(texts.source_view(corpus, siglum)):
        for one in line.asked:
            said = one.answered.answer
            assert (said.full or said.short).strip(), (line.id, one.answered.question.id)


@pytest.mark.parametrize("siglum", SIGLA)
def test_every_question_answered_from_a_sentence_stands_there(corpus: Corpus, siglum: str) -> None:
    """The ledger of the sentences names them; here they stand with an answer, or with a reason."""
    ledger = corpus.library.sources[siglum].coverage
    for line in lines_of(texts.source_view(corpus, siglum)):
        shown = {one.answered.question.id for one in line.asked} | {one.id for one in line.about}
        if ledger[line.id].kind == "encoded":
            assert shown == set(ledger[line.id].questions), line.id


def test_every_emendation_and_every_note_on_a_sentence_stands_in_the_margin(corpus: Corpus) -> None:
    for siglum, source in corpus.library.sources.items():
        lines = list(lines_of(texts.source_view(corpus, siglum)))
        notes = {note.id for line in lines for note in line.notes}
        notes |= {note.id for line in lines for one in line.mended for note in one.notes}
        assert notes == {note.id for note in source.notes}
        assert {one.id for line in lines for one in line.mended} == set(source.text.emendations if source.text else ())


# --- on the built pages ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages(site: Path) -> Mapping[str, html.HtmlElement]:
    return {name: html.fromstring((site / "sources" / f"{name}.html").read_text(encoding="utf-8")) for name in SIGLA}


def of_class(root: html.HtmlElement, name: str) -> list[html.HtmlElement]:
    found: list[html.HtmlElement] = root.xpath(f".//*[contains(concat(' ', @class, ' '), ' {name} ')]")
    return found


@pytest.mark.release
def test_every_letter_leads_to_its_sentence_and_says_what_it_means(corpus: Corpus, pages: Mapping[str, Any]) -> None:
    for siglum, root in pages.items():
        again = counted_again(corpus, siglum)
        cells = root.xpath("//*[contains(@class, 'rv-strip-letters')]//a")
        assert [one.get("href").lstrip("#") for one in cells] == list(again)
        assert all(root.xpath(f"//*[@id='{name}']") for name in again)
        for cell in cells:
            id = cell.get("href").lstrip("#")
            sign, name, _ = SENTENCE_STATES[again[id]]
            if corpus.library.sources[siglum].coverage[id].counsel:
                sign += "A"
                assert "; also advice" in cell.get("aria-label")
            assert cell.text_content() == sign
            assert cell.get("aria-label").startswith(f"{sign}, ") and f": {name}, " in cell.get("aria-label")
            (place,) = root.xpath(f"//*[@id='{id}']//*[contains(@class, 'rv-place')]//*[contains(@class, 'rv-letter')]")
            assert place.text_content().startswith(f"{sign}, ")


@pytest.mark.slow
def test_every_sentence_has_its_words_its_language_its_translation_and_its_number(pages: Mapping[str, Any]) -> None:
    for siglum, root in pages.items():
        lines = of_class(root, "rv-line")
        for at, line in enumerate(lines, 1):
            (link,) = line.xpath(".//*[contains(@class, 'rv-place')]/a")
            assert link.get("href") == f"#{line.get('id')}"
            assert f" {at} of {len(lines)}, {line.get('id')}" in link.get("aria-label")
            if not of_class(line, "rv-statement"):
                ((words,), (english,)) = of_class(line, "rv-original"), of_class(line, "rv-english")
                assert words.get("lang") in ("fr", "de") and words.text_content().strip(), line.get("id")
                assert english.text_content().strip(), line.get("id")
        assert (siglum == "PAR") == (not of_class(root, "rv-original"))


@pytest.mark.slow
def test_every_page_of_the_copy_has_a_place_and_a_way_to_it(corpus: Corpus, pages: Mapping[str, Any]) -> None:
    for siglum, root in pages.items():
        text = corpus.library.sources[siglum].text
        met = dict.fromkeys(page for one in text.sentences.values() for page in one.pages) if text else {}
        marks = of_class(root, "rv-page-number")
        assert [one.text_content() for one in marks] == [f"p. {page}" for page in met]
        ways = root.xpath("//p[contains(@class, 'rv-pages')]//a/@href")
        assert ways == [f"#{one.get('id')}" for one in marks]


@pytest.mark.slow
def test_only_the_pages_of_sources_fetch_what_goes_through_a_text(site: Path) -> None:
    fetching = {path.parent.name for path in site.rglob("*.html") if "reading.js" in path.read_text(encoding="utf-8")}
    assert fetching == {"sources"}


# --- in a browser ----------------------------------------------------------------------------------------------------

Open = Callable[..., Any]


@pytest.fixture
def opened(browser: Any, site: Path) -> Iterator[Open]:
    """The page of a source, opened from the folder; what the console says is a fault."""
    said: list[str] = []
    contexts = []

    def opens(siglum: str, address: str = "", width: int = 1280, **how: Any) -> Any:
        contexts.append(browser.new_context(**{"viewport": {"width": width, "height": 900}, **how}))
        tab = contexts[-1].new_page()
        tab.on("console", lambda message: said.append(f"{tab.url}: {message.text}"))
        tab.on("pageerror", lambda error: said.append(f"{tab.url}: {error}"))
        tab.goto(f"{(site / 'sources' / siglum).as_uri()}.html{address}")
        return tab

    yield opens
    for context in contexts:
        context.close()
    assert said == []


#: For every sentence where its words, its translation and its margin lie.
LAID_OUT = """() => [...document.querySelectorAll(".rv-line")].map((line) => {
  const box = (what) => { const one = line.querySelector(what)?.getBoundingClientRect();
    return one && [one.left, one.right, one.top, one.bottom].map(Math.round); };
  return { id: line.id, row: box(".rv-row"), original: box(".rv-original"), english: box(".rv-english"),
    margin: box(".rv-margin") };
})"""
FITS = "() => document.documentElement.scrollWidth <= innerWidth"
LARGE_ENOUGH = """() => [...document.querySelectorAll(".rv-strip a.rv-letter")].every(
  (one) => one.offsetWidth >= 24 && one.offsetHeight >= 24)"""
#: A page may scroll gently to a sentence: it has come to rest when the sentence is in sight, twice at one place.
COME_TO_REST = """(id) => {
  const { top } = document.querySelector(`[id="${id}"] .rv-row`).getBoundingClientRect();
  const still = window.before === top;
  window.before = top;
  return still && top > 0 && top < innerHeight;
}"""
ENDED = "new Promise((done) => addEventListener('scrollend', () => done(), { once: true }))"
SEEN = "(what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility()).length"


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("siglum", [one for one in SIGLA if one != "PAR"])
def test_on_a_wide_page_text_and_translation_face_each_other_with_notes_in_the_margin(
    opened: Open, siglum: str
) -> None:
    found = opened(siglum).evaluate(LAID_OUT)
    for at, one in enumerate(found):
        words, english = one["original"], one["english"]
        assert words[1] <= english[0], one
        assert abs(words[2] - english[2]) <= 8, one  # they stand on one base line, in two sizes
        assert at == 0 or one["row"][2] >= found[at - 1]["row"][3], one
        if one["margin"]:  # a note begins beside its sentence, or as soon as the notes before it end
            assert one["margin"][0] >= one["row"][1], one
            assert one["margin"][2] >= one["row"][2], one
            assert at + 1 == len(found) or found[at + 1]["row"][2] >= one["margin"][2] - 20, one


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 320])
def test_on_a_narrow_page_all_stands_below_each_other_and_nothing_sticks_out(opened: Open, width: int) -> None:
    for siglum in SIGLA:
        tab = opened(siglum, width=width)
        tab.locator(".rv-shows-unfolded").check()
        assert tab.evaluate(FITS), siglum
        for one in tab.evaluate(LAID_OUT):
            below = [one[part] for part in ("original", "english", "margin") if one[part]]
            assert all(upper[3] <= lower[2] for upper, lower in pairwise(below)), one
        assert tab.evaluate(LARGE_ENOUGH), siglum


#: Selects all that stands in the text as printed, as for copying, and gives back what that is.
COPIED = """() => [...document.querySelectorAll('.rv-printed')].map(part => {
    getSelection().selectAllChildren(part); return getSelection().toString(); })"""


@pytest.mark.slow
@pytest.mark.browser
def test_what_is_copied_from_the_text_has_no_number_of_an_emendation_in_it(opened: Open) -> None:
    tab = opened("GER")
    marks = tab.locator(".rv-printed .rv-emendation-mark").all_text_contents()
    assert "e06" in marks
    copied = " ".join(tab.evaluate(COPIED))
    assert "Quinola" in copied and [mark for mark in marks if mark in copied] == []


@pytest.mark.slow
@pytest.mark.browser
def test_letters_of_two_signs_are_as_high_as_the_others(opened: Open) -> None:
    tab = opened("GER", width=390)
    heights = tab.evaluate("() => [...document.querySelectorAll('.rv-strip-letters a')].map(a => a.offsetHeight)")
    assert tab.locator(".rv-strip-letters .rv-letter-both").count() == 2 and len(set(heights)) == 1


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without a script"])
def test_one_view_of_the_text_is_seen_or_the_other_or_both(opened: Open, script: bool) -> None:
    tab = opened("PAM", java_script_enabled=script)
    seen = lambda what: tab.locator(what).locator("visible=true").count()  # noqa: E731
    total = tab.locator(".rv-printed").count()
    assert total == tab.locator(".rv-reading").count() > 50
    assert (seen(".rv-printed"), seen(".rv-reading")) == (total, 0)
    tab.locator("input.rv-view-reading").check()
    assert (seen(".rv-printed"), seen(".rv-reading")) == (0, total)
    tab.locator("input.rv-view-both").check()
    assert (seen(".rv-printed"), seen(".rv-reading")) == (total, total)
    tab.locator("input.rv-shows-english").uncheck()
    assert seen(".rv-english") == 0


@pytest.mark.slow
@pytest.mark.browser
def test_without_a_script_notes_and_questions_unfold(opened: Open) -> None:
    tab = opened("PAM", "#PAM.s0014", java_script_enabled=False)
    here = tab.locator("[id='PAM.s0014']")
    assert here.locator(".rv-asked-list li").first.is_visible()  # the sentence that was gone to
    assert tab.locator(".rv-note").first.is_visible()  # in the margin
    other = tab.locator("[id='PAM.s0005'] .rv-asked-list li").first
    assert not other.is_visible()
    tab.locator("[id='PAM.s0005'] .rv-asked summary").click()
    assert other.is_visible()
    tab.locator(".rv-shows-unfolded").check()
    assert tab.locator(".rv-asked-list").locator("visible=true").count() == tab.locator(".rv-asked-list").count()


@pytest.mark.slow
@pytest.mark.browser
def test_a_letter_of_the_overview_is_reached_and_followed_by_the_keyboard(opened: Open) -> None:
    tab = opened("GER")
    tab.locator(".rv-strip a.rv-letter").nth(19).focus()
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.hash") == "#GER.s0021"
    tab.keyboard.press("Enter")
    until(tab, "document.querySelector('[id=\"GER.s0021\"] .rv-asked').open")
    until(tab, COME_TO_REST, arg="GER.s0021")
    top = tab.locator("[id='GER.s0021'] .rv-row").bounding_box()["y"]
    bar = tab.locator(".rv-bar").bounding_box()
    assert bar["y"] + bar["height"] <= top < 900  # in sight, and not under the bar
    assert tab.locator(".rv-strip a[aria-current]").get_attribute("href") == "#GER.s0021"
    assert tab.locator(".rv-position").inner_text() == "21 of 68 sentences"


@pytest.mark.slow
@pytest.mark.browser
def test_a_sentence_that_was_gone_to_stands_where_it_came_to_until_the_reader_moves_the_page(opened: Open) -> None:
    """On a slow machine the gentle scrolling may go on to where a sentence stood before other things unfolded."""
    tab = opened("GER", "#GER.s0021")
    until(tab, COME_TO_REST, arg="GER.s0021")
    top = lambda: tab.locator("[id='GER.s0021'] .rv-row").bounding_box()["y"]  # noqa: E731
    stood = top()
    tab.evaluate(f"{ENDED}.then(scrollBy({{ top: 900, behavior: 'smooth' }}))")  # no key, no wheel, no finger
    assert top() == stood
    tab.mouse.move(640, 500)
    tab.evaluate(f"() => {{ window.ended = {ENDED}; }}")
    tab.mouse.wheel(0, 900)
    tab.evaluate("window.ended")
    assert top() < stood - 800


@pytest.mark.slow
@pytest.mark.browser
def test_j_and_k_go_from_sentence_to_sentence_and_trap_nobody(opened: Open) -> None:
    tab = opened("PAM", "#PAM.s0005")
    where = lambda: tab.evaluate("[location.hash, document.activeElement.hash]")  # noqa: E731
    for key, expected in (("j", "#PAM.s0006"), ("j", "#PAM.s0007"), ("k", "#PAM.s0006")):
        tab.keyboard.press(key)
        assert where() == [expected, expected]
    assert tab.locator("[id='PAM.s0006'] .rv-asked-list").is_visible()
    assert not tab.locator("[id='PAM.s0007'] .rv-asked-list").is_visible()  # what we opened we fold again
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.tagName") == "SUMMARY"
    tab.keyboard.press("Control+j")
    assert tab.evaluate("location.hash") == "#PAM.s0006"


@pytest.mark.slow
@pytest.mark.browser
def test_the_keys_do_nothing_in_a_field_and_can_be_switched_off(opened: Open) -> None:
    tab = opened("PAM", "#PAM.s0005")
    field = tab.locator("input[type=search], input[name=q]").first
    field.focus()
    tab.keyboard.press("j")
    assert (tab.evaluate("location.hash"), field.input_value()) == ("#PAM.s0005", "j")
    tab.locator(".rv-keys summary").click()
    assert "can be switched off" in tab.locator(".rv-keys").inner_text()
    tab.locator("input[name=rv-keys]").uncheck()
    tab.keyboard.press("j")
    assert tab.evaluate("location.hash") == "#PAM.s0005"
    tab.reload()
    tab.keyboard.press("j")
    assert tab.evaluate("location.hash") == "#PAM.s0005"


@pytest.mark.slow
@pytest.mark.browser
def test_nothing_is_remembered_beyond_the_tab(opened: Open) -> None:
    tab = opened("PAM")
    tab.locator("input.rv-view-both").check()
    tab.goto(tab.url.replace("PAM", "GER"))
    assert tab.locator("input.rv-view-both").is_checked()
    kept = tab.evaluate("[document.cookie, Object.keys(localStorage).filter((key) => key.startsWith('reversis'))]")
    assert kept == ["", []]


@pytest.mark.slow
@pytest.mark.browser
def test_on_paper_text_and_translation_face_each_other_and_the_notes_are_there(opened: Open) -> None:
    tab = opened("PAM", width=720)
    tab.emulate_media(media="print")
    first = next(one for one in tab.evaluate(LAID_OUT) if one["id"] == "PAM.s0005")
    assert first["original"][1] <= first["english"][0]
    assert first["margin"][2] >= first["row"][3]
    assert tab.evaluate(SEEN, ".rv-bar, .rv-chips, .rv-asked, .rv-sidebar") == 0
    assert tab.locator("[id='PAM.s0005'] .rv-note").first.is_visible()
    assert tab.evaluate(FITS)
