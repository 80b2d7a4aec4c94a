"""The pages of the sources: the text first, the minimap, what hangs on a sentence, and going through it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from docutils import nodes
from lxml import html

from edition.corpus.corpus import Corpus
from edition.nodes.builders import markup
from edition.nodes.deferred import deferred
from edition.views import common as views
from edition.views.sources import source as texts
from edition.views.sources.source import SourceLine, SourceView
from edition.views.sources.source_overview import compare_all_testimonies
from edition.views.sources.source_text import render_source
from rulebook.load import load_library
from rulebook.sources.paths import find_sources
from tests.support.folds import read_folds
from tests.support.library import changed, write_library
from tests.support.pages import build_corpus
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


def sentences_of(view: SourceView) -> list[nodes.container]:
    """The sentences of a page, as it shows them."""
    found = (node for made in render_source(view) for node in made.findall(nodes.container))
    return [node for node in found if "rv-line" in node["classes"]]


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
    assert compare_all_testimonies(corpus_of(tiny), "BBB")["toll.tricks"].kind == ""


def test_a_sentence_has_its_questions_with_answers_voices_and_rivals(tiny: Path) -> None:
    *_, first, last = lines_of(texts.source_view(corpus_of(tiny), "AAA"))
    assert [(one.question.id, one.says, one.clause) for one in first.asked] == [
        ("Q001", "whoever led", "AAA.c001"),
        ("Q002", "2 jetons", "AAA.c001"),
    ]
    assert [[[one.source.siglum for one in group] for group in each.voices] for each in first.asked] == [
        [["AAA"], ["BBB"]],
        [["AAA"]],
    ]
    assert [(other.id, other.label) for one in last.asked for other in one.others] == [("AAA.i01", "the first alone")]


def test_an_emendation_shows_the_page_and_what_we_read(tiny: Path) -> None:
    view = texts.source_view(corpus_of(tiny), "AAA")
    *_, last = lines_of(view)
    (one,) = last.mended
    assert (one.emendation.sic, one.emendation.corr, one.lang) == ("doble", "double", "fr")
    assert (
        "Our copy has “doble”, we read “double” (certainty high: the text itself shows it)."
        in sentences_of(view)[-1].astext()
    )


def test_a_fold_says_what_it_has_and_leaves_the_answers_out_of_the_page(tiny: Path) -> None:
    view = texts.source_view(corpus_of(tiny), "AAA")
    head, first, last = sentences_of(view)
    said = [node["html"]["title"] for one in (first, last) for node in one.findall(markup) if node["tag"] == "summary"]
    assert said[0] == "2 answers from this sentence" and said[1].endswith("; 1 note (*)")
    assert not list(head.findall(deferred))
    (left_out,) = first.findall(deferred)
    instead, *content = left_out.children
    assert left_out["key"] == "AAA.s0002" and "see the clauses" in instead.astext()
    assert "whoever led" in "".join(node.astext() for node in content)


def test_a_source_in_copyright_tells_how_much_of_it_is_quoted(tiny: Path) -> None:
    view = texts.source_view(corpus_of(tiny), "BBB")
    assert view.quoted is not None and not view.printed
    assert (view.quoted.number, view.quoted.words, view.quoted.each) == (1, 3, 5)
    said = " ".join(node.astext() for node in render_source(view))
    assert "in copyright" in said and "1 quotation of 3 words" in said and "3.8 % of the 80 words" in said


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
    assert {line.id: line.state for line in lines_of(view)} == again
    counsel = [id for id, standing in corpus.library.sources[siglum].coverage.items() if standing.counsel]
    told = Counter(again.values()) + Counter(advice=len(counsel))
    assert {state.state: len(state.ids) for state in view.states} == told
    assert view.total == len(again)


@pytest.mark.parametrize("siglum", SIGLA)
def test_no_clause_is_grounded_on_sentences_without_a_rule(corpus: Corpus, siglum: str) -> None:
    """Some clauses cite them, as an example or in support; none has them as its grounds."""
    for line in lines_of(texts.source_view(corpus, siglum)):
        if line.state in ("example", "advice", "narrative"):
            assert "grounds" not in {*(one.role for one in line.asked), *(role for _, role in line.beside)}, line.id


@pytest.mark.parametrize("siglum", SIGLA)
def test_every_answer_beside_a_sentence_says_something(corpus: Corpus, siglum: str) -> None:
    for line in lines_of(texts.source_view(corpus, siglum)):
        for one in line.asked:
            assert one.says.strip() and one.voices, (line.id, one.question.id)


@pytest.mark.parametrize("siglum", SIGLA)
def test_every_question_answered_from_a_sentence_stands_there(corpus: Corpus, siglum: str) -> None:
    """The ledger of the sentences names them; here they stand with an answer, or with a reason."""
    ledger = corpus.library.sources[siglum].coverage
    for line in lines_of(texts.source_view(corpus, siglum)):
        shown = {one.question.id for one in line.asked} | {one.id for one, _ in line.about}
        if ledger[line.id].kind == "encoded":
            assert shown == set(ledger[line.id].questions), line.id


def test_every_emendation_and_every_note_stands_at_its_sentence(corpus: Corpus) -> None:
    for siglum, source in corpus.library.sources.items():
        lines = list(lines_of(texts.source_view(corpus, siglum)))
        notes = {note.note.id for line in lines for note in line.notes}
        notes |= {note.note.id for line in lines for one in line.mended for note in one.notes}
        assert notes == {note.id for note in source.notes}
        assert {one.emendation.id for line in lines for one in line.mended} == set(
            source.text.emendations if source.text else ()
        )


# --- on the built pages ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages(site: Path) -> Mapping[str, html.HtmlElement]:
    return {name: html.fromstring((site / "sources" / f"{name}.html").read_text(encoding="utf-8")) for name in SIGLA}


def of_class(root: html.HtmlElement, name: str) -> list[html.HtmlElement]:
    found: list[html.HtmlElement] = root.xpath(f".//*[contains(concat(' ', @class, ' '), ' {name} ')]")
    return found


@pytest.mark.slow
def test_every_sentence_has_its_words_its_language_its_translation_and_its_number(pages: Mapping[str, Any]) -> None:
    for siglum, root in pages.items():
        for line in of_class(root, "rv-line"):
            (link,) = of_class(line, "rv-sentence-id")
            assert link.get("href") == f"#{line.get('id')}"
            if not of_class(line, "rv-statement"):
                words, english = of_class(line, "rv-original"), of_class(line, "rv-english")
                foreign = {word.get("lang") for word in words} != {"en"}
                assert all(word.get("lang") in ("fr", "de", "en") and word.text_content().strip() for word in words)
                assert words and len(english) == foreign, line.get("id")
                assert all(one.text_content().strip() for one in english)
        assert (siglum == "PAR") == (not of_class(root, "rv-original"))


@pytest.mark.slow
def test_answers_are_fetched_from_beside_the_page_and_lead_to_pages(site: Path, pages: Mapping[str, Any]) -> None:
    for siglum, root in pages.items():
        path = site / "sources" / f"{siglum}.html"
        folds = read_folds(path)
        places = of_class(root, "rv-deferred")
        assert [place.get("data-fold") for place in places] == list(folds)
        assert {place.get("data-folds") for place in places} == {f"{siglum}.folds.js"}
        assert all(place.xpath("p/a/@href | p[not(a)]/text()") for place in places)
        for words in folds.values():
            fragment: Any = html.fromstring(f"<div>{words}</div>")
            ways = fragment.xpath("//a/@href")
            assert ways and not any(way.startswith("#") or "://" in way for way in ways)


@pytest.mark.slow
def test_the_clauses_of_a_source_stand_on_one_light_page_with_their_evidence_beside_it(
    corpus: Corpus, site: Path
) -> None:
    for siglum, source in corpus.library.sources.items():
        path = site / "clauses" / f"{siglum}.html"
        root: Any = html.fromstring(path.read_text(encoding="utf-8"))
        folds = read_folds(path)
        assert len(root.xpath("//*")) < 5000, siglum
        assert set(folds) == {one.id for one in source.clauses}
        for clause in source.clauses:
            (fold,) = root.xpath(f"//details[@id='{clause.id}']")
            evidence = html.fromstring(folds[clause.id])
            ways = fold.xpath(".//*[@data-fold]//a/@href")
            assert [way.rpartition("#")[2] for way in ways] == [siglum] * len(clause.questions), clause.id
            assert all(cite.exact in evidence.text_content() for cite in clause.cites)


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


#: For every sentence where its words and its translation lie.
LAID_OUT = """() => [...document.querySelectorAll(".rv-line")].map((line) => {
  const box = (what) => { const one = [...line.querySelectorAll(what)].find((one) => one.checkVisibility())
      ?.getBoundingClientRect();
    return one && [one.left, one.right, one.top, one.bottom].map(Math.round); };
  return { id: line.id, original: box(".rv-original"), english: box(".rv-english") };
})"""
FITS = "() => document.documentElement.scrollWidth <= innerWidth"
COME = "(id) => document.querySelector(`[id='${id}'] .rv-resting`)?.checkVisibility()"


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("siglum", [one for one in SIGLA if (find_sources() / one / "en.xml").exists()])
def test_on_a_wide_page_text_and_translation_face_each_other(opened: Open, siglum: str) -> None:
    for one in opened(siglum).evaluate(LAID_OUT):
        words, english = one["original"], one["english"]
        assert words[1] <= english[0], one
        assert abs(words[2] - english[2]) <= 8, one  # they stand on one base line


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 320])
def test_on_a_narrow_page_all_stands_below_each_other_and_nothing_sticks_out(opened: Open, width: int) -> None:
    for siglum in SIGLA:
        tab = opened(siglum, width=width)
        assert tab.evaluate("document.documentElement.scrollHeight") < 30_000 or width < 390
        for one in tab.evaluate(LAID_OUT):
            below = [one[part] for part in ("original", "english") if one[part]]
            assert all(upper[3] <= lower[2] for upper, lower in pairwise(below)), one
        tab.locator(".rv-shows-clauses").check(force=True)
        until(tab, COME, arg=tab.locator(".rv-line:has([data-folds])").first.get_attribute("id"))
        assert tab.evaluate(FITS), siglum


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without a script"])
def test_the_text_is_seen_as_printed_or_in_modern_spelling(opened: Open, script: bool) -> None:
    tab = opened("PAM", java_script_enabled=script)
    total = tab.locator(".rv-printed").count()
    seen = lambda what: tab.locator(what).locator("visible=true").count()  # noqa: E731
    assert total == tab.locator(".rv-modern").count() > 50
    assert (seen(".rv-printed"), seen(".rv-modern")) == (total, 0)
    tab.locator("input.rv-shows-modern").check(force=True)
    assert (seen(".rv-printed"), seen(".rv-modern")) == (0, total)
    tab.locator("input.rv-shows-english").uncheck(force=True)
    assert seen(".rv-english") == 0
    assert (seen("input.rv-shows-clauses") == 1) == script


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("script", [True, False], ids=["with a script", "without a script"])
def test_the_text_is_seen_with_variants_where_it_was_compared(opened: Open, script: bool) -> None:
    tab = opened("PAM", java_script_enabled=script)
    seen = lambda what: tab.locator(what).locator("visible=true").count()  # noqa: E731
    lines, compared = tab.locator(".rv-line").count(), tab.locator(".rv-line .rv-collated").count()
    assert seen(".rv-collated") == 0 and 10 < compared < lines
    tab.locator("input.rv-shows-variants").check(force=True)
    assert seen(".rv-line .rv-collated") == compared and seen(".rv-line .rv-original") == lines  # one of each
    assert "trouver à la droit de [HAG: droite] de celui" in tab.locator("[id='PAM.s0014'] .rv-collated").inner_text()
    assert tab.evaluate(FITS)
    tab.locator("input.rv-shows-modern").check(force=True)
    assert seen(".rv-collated") == 0


@pytest.mark.slow
@pytest.mark.browser
def test_what_hangs_on_a_sentence_unfolds_there(opened: Open) -> None:
    tab = opened("PAM")
    here = tab.locator("[id='PAM.s0013']")
    assert here.locator(".rv-resting").count() == 0 and not here.locator(".rv-note").first.is_visible()
    here.locator("summary").click()
    until(tab, COME, arg="PAM.s0013")
    assert here.locator(".rv-note").first.is_visible() and here.locator(".rv-resting li").count() == 10
    assert here.locator("[data-folds] > p").count() == 0  # the link that stood in its place


@pytest.mark.slow
@pytest.mark.browser
def test_without_a_script_notes_unfold_and_a_link_leads_to_the_clauses(opened: Open) -> None:
    tab = opened("PAM", java_script_enabled=False)
    here = tab.locator("[id='PAM.s0013']")
    here.locator("summary").click()
    assert here.locator(".rv-note").first.is_visible()
    assert "clauses/PAM.html#PAM.c" in here.locator("[data-fold] a").get_attribute("href")


@pytest.mark.slow
@pytest.mark.browser
def test_j_and_k_go_from_sentence_to_sentence_and_trap_nobody(opened: Open) -> None:
    tab = opened("PAM", "#PAM.s0005")
    where = lambda: tab.evaluate("[location.hash, document.activeElement.hash]")  # noqa: E731
    for key, expected in (("j", "#PAM.s0006"), ("j", "#PAM.s0007"), ("k", "#PAM.s0006")):
        tab.keyboard.press(key)
        assert where() == [expected, expected]
    until(tab, COME, arg="PAM.s0006")
    assert not tab.locator("[id='PAM.s0007'] .rv-fold").evaluate("fold => fold.open")  # what we opened we fold again
    tab.keyboard.press("Control+j")
    assert tab.evaluate("location.hash") == "#PAM.s0006"
