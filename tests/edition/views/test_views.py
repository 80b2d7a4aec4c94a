"""The edition: tiny sources, tiny pages, one behaviour each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from edition.corpus import load as records
from edition.corpus.corpus import Corpus
from edition.corpus.references import Run
from edition.export.tables import EDITION_TABLES
from edition.site.build import build_html
from edition.site.html_builder import EditionBuilder
from edition.site.stubs import generate_stub_pages, write_page_sources
from edition.views import common as views
from edition.views.questions.question import question_view
from edition.views.sources import source as texts
from engine.interpretation.effects import Difference, Effect
from reversis.findings.shared_results import compute_effects
from rulebook.agreement.codings import CodedAnswer
from rulebook.agreement.report import AgreementReport
from rulebook.agreement.settlements import CodingSettlement
from rulebook.load import load_library
from rulebook.model import CLOSED, Alternative, Cite, Clause, Library, Note, Question, SentenceStatus, Source, Statement
from rulebook.problems import NOWHERE, Problem
from rulebook.schema.agreement_records import FigureRecord, MeasuredRecord
from rulebook.schema.reference_records import TermRecord
from rulebook.sources.bibliography import read_works
from rulebook.sources.glossary import read_glossary
from rulebook.spelling import Spelling
from rulebook.tei.reader import read_text, read_translation
from rulebook.text import Text, Translation
from tests.support.kinds import ALL_KINDS
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS, build_corpus

SPELLING = Spelling.of("1", {"ſ": "s"}, {"fr": {"jetton": "jeton", "&": "et"}})

HEADER = """<teiHeader xml:lang="en"><fileDesc>
<titleStmt><title>A text</title><respStmt xml:id="ed1"><resp>all</resp><name>ed1</name></respStmt></titleStmt>
<publicationStmt><publisher>us</publisher>
<availability><licence target="https://example.org/">CC BY 4.0</licence></availability></publicationStmt>
<sourceDesc><p>made up</p></sourceDesc></fileDesc>
<encodingDesc><editorialDecl><correction><p>a slip of the machine</p></correction></editorialDecl></encodingDesc>
<profileDesc><langUsage><language ident="fr">French</language><language ident="en">English</language></langUsage>
</profileDesc></teiHeader>"""
TEXT = f"""<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="AAA" xml:lang="fr">{HEADER}
<text><body><div type="chapter">
<head><pb n="1"/><s xml:id="AAA.s0001">DU JEU.</s></head>
<p><s xml:id="AAA.s0002">1. On joue &lt;Quinola&gt; *un* jetton &amp; "deux" `fois`.</s>
<s xml:id="AAA.s0003">Il paie <choice><sic>leves</sic>
<corr xml:id="AAA.e01" resp="#ed1" cert="high" evidence="internal">levées</corr></choice> a <pb n="2"/>tous.</s></p>
</div></body></text></TEI>
"""
ENGLISH = f"""<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="AAA-en" xml:lang="en">{HEADER}
<text><body><div type="chapter">
<head><s corresp="text.xml#AAA.s0001">OF THE GAME.</s></head>
<p><s corresp="text.xml#AAA.s0002">One plays <foreign xml:lang="fr">jetton</foreign> twice.</s>
<s corresp="text.xml#AAA.s0003">He pays tricks to all.</s></p>
</div></body></text></TEI>
"""

INDEX = """# Home

```{edition:home-books}
```
```{edition:answers}
```
```{edition:doubts}
```
```{edition:silences}
```
```{edition:inapplicable}
```
```{edition:emendations}
```
```{edition:glossary}
```
```{toctree}
:hidden:
:glob:

sources/*
```
"""


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> tuple[Text, Translation]:
    folder = tmp_path_factory.mktemp("tei")
    (folder / "text.xml").write_text(TEXT, encoding="utf-8")
    (folder / "en.xml").write_text(ENGLISH, encoding="utf-8")
    read, _ = read_text(folder / "text.xml", SPELLING)
    assert read is not None
    translated, _ = read_translation(folder / "en.xml", read)
    assert translated is not None
    return read, translated


def question(id: str, slug: str, **more: Any) -> Question:
    short = {name: said.rstrip(".").lower() for name, said in more.get("readings", {}).items()}
    kind = ALL_KINDS[more["measure"]["type"]] if "measure" in more else CLOSED
    group = more.pop("group", "Aces")
    return Question(id, slug, f"What of {slug}?", group, "payment", "code it", short=short, kind=kind, **more)


def clause(id: str, answers: Mapping[str, Any], status: str = "stated", **more: Any) -> Clause:
    return Clause(id, id[:3], answers, status, "high", "ed1", **more)


QUESTIONS = {
    one.slug: one
    for one in (
        question("Q001", "ace.payer", readings={"taker": "He who takes.", "leader": "He who leads."}),
        question("Q002", "ace.amount", measure={"type": "integer", "unit": "smallest"}, depends="ace.payer != leader"),
        question("Q003", "first.lead", readings={"heart": "A heart.", "any": "Any card."}, group="Play"),
    )
}
AAA_CLAUSES = (
    clause("AAA.c001", {"ace.payer": "taker"}, cites=(Cite("AAA.s0002", exact="On joue <Quinola>"),)),
    clause(
        "AAA.c002",
        {"ace.amount": 5},
        "ambiguous",
        cites=(Cite("AAA.s0003", exact="leves a"),),
        because="See s0002 and Q001.",
        alternatives=(Alternative("AAA.i01", "interpretation", "only once", {"ace.amount": 1}, because="it may be"),),
    ),
    clause("AAA.c003", {}, "inapplicable", about=("first.lead",), because="There is no lead."),
)
BBB_CLAUSES = (
    clause("BBB.c001", {"ace.payer": "taker"}, cites=(Cite("BBB.n01"),)),
    clause("BBB.c002", {"ace.amount": 5}, "silent", searched="BBB.n01", taken_from="practice", because="custom"),
    clause("BBB.c003", {"first.lead": "heart"}, cites=(Cite("BBB.n01"),)),
)


@pytest.fixture
def library(text: tuple[Text, Translation]) -> Library:
    record = {
        "short_title": "The first",
        "title": "Le premier",
        "language": "fr",
        "units": {"smallest": "fiche"},
        "family": "One",
    }
    first = Source(
        "AAA", record, AAA_CLAUSES, *text, notes=(Note("AAA.note01", "AAA.e01", "emendation", "A slip.", "ed1"),)
    )
    second = Source(
        "BBB",
        {
            "short_title": "The second",
            "language": "en",
            "family": {"name": "One (modern)"},
            "rights": {"text": "in copyright"},
        },
        BBB_CLAUSES,
        statements=(Statement("BBB.n01", "Play", "A heart is led.", "a few words"),),
    )
    return Library(QUESTIONS, {"AAA": first, "BBB": second})


@pytest.fixture
def corpus(library: Library) -> Corpus:
    jetton = {"id": "g-jetton", "term": "jetton", "lang": "fr", "english": "counter", "forms": ["jetton"]}
    term = TermRecord(**jetton, definition="A counter, see AAA.s0002.", attestations=["AAA.s0002"])
    return build_corpus(library, (term,))


Build = Callable[[Corpus], Path]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    hand = tmp_path / "hand"
    hand.mkdir()
    (hand / "index.md").write_text(INDEX, encoding="utf-8")
    for name in ("rights", "people", "reading", "answers"):
        (hand / f"{name}.md").write_text(f"---\norphan: true\n---\n# {name}\n", encoding="utf-8")

    def built(corpus: Corpus) -> Path:
        laid_ready(monkeypatch, corpus)
        assert build_html(tmp_path / "html", jobs="1", by_hand=hand) == 0
        return tmp_path / "html"

    return built


def laid_ready(monkeypatch: pytest.MonkeyPatch, corpus: Corpus | None, problems: tuple[Problem, ...] = ()) -> None:
    """Let the edition find this corpus instead of the sources."""
    found = (corpus, list(problems))
    monkeypatch.setattr(records, "read_corpus_checked", lambda root=None: found)
    monkeypatch.setattr("edition.site.build.read_corpus_checked", lambda root=None: found)


def page(path: Path) -> html.HtmlElement:
    return html.fromstring(path.read_text(encoding="utf-8"))


def at(root: html.HtmlElement, id: str) -> html.HtmlElement:
    (found,) = root.xpath(f"//*[@id='{id}']")
    return found


def links(element: html.HtmlElement) -> set[str]:
    return set(element.xpath(".//a/@href"))


# --- views -----------------------------------------------------------------------------------------------


def test_the_same_letter_is_the_same_answer(corpus: Corpus) -> None:
    assert [mark.letter for mark in views.build_answer_marks(corpus, QUESTIONS["ace.payer"])] == ["a", "a"]


def test_a_supplied_reading_stands_in_brackets_and_a_doubtful_one_has_a_question_mark(corpus: Corpus) -> None:
    assert [mark.letter for mark in views.build_answer_marks(corpus, QUESTIONS["ace.amount"])] == ["a?", "(a)"]


@pytest.mark.release
def test_no_answer_is_called_certain_against_which_the_source_itself_speaks() -> None:
    library, problems = load_library()
    assert library is not None and not problems
    against = [one for one in library.clauses() if any(cite.role == "against" for cite in one.cites)]
    assert against
    assert [one.id for one in against if (one.status, one.cert) == ("stated", "high")] == []


@pytest.mark.slow
def test_a_reading_says_no_more_than_every_source_has_that_holds_it() -> None:
    """ACA.c012, Q061: it counts the cards of the talon, and has no bonus."""
    library, problems = load_library()
    assert library is not None and not problems
    holders = [s for s in library.sources if getattr(library.cell(s, "partie.amount"), "value", None) == "talon-cards"]
    without = [s for s in holders if getattr(library.cell(s, "talon.bonus"), "value", None) == 0]
    assert without
    assert "where it has one" in str(library.question("Q061").readings["talon-cards"])


def test_a_question_that_makes_no_sense_has_a_dash(corpus: Corpus) -> None:
    assert views.build_answer_marks(corpus, QUESTIONS["first.lead"])[0].letter == "–"


def test_a_supplied_reading_is_no_testimony(corpus: Corpus) -> None:
    assert views.classify_agreement(corpus, QUESTIONS["ace.amount"]) == "alone"


def test_wherever_sources_are_counted_families_are_counted(corpus: Corpus) -> None:
    held = next(row for row in question_view(corpus, "Q001").readings if row.answer.short == "taker")
    assert held.count == "2 sources, 1 family"


def test_a_rival_stands_beside_the_reading_it_would_give(corpus: Corpus) -> None:
    rows = {row.answer.short: row.rivals for row in question_view(corpus, "Q002").readings}
    assert rows == {"5": (), "1": (("AAA", "AAA.i01"),)}


def test_bare_ids_in_our_prose_are_those_of_the_source_at_hand(corpus: Corpus) -> None:
    runs = corpus.prose("See s0002, e01 and Q001, not s9999.", "AAA")
    assert [(run.kind, run.target) for run in runs if run.kind] == [
        ("sentence", "AAA.s0002"),
        ("emendation", "AAA.e01"),
        ("question", "Q001"),
    ]
    assert "".join(run.words for run in runs) == "See s0002, e01 and Q001, not s9999."


def test_where_no_source_is_at_hand_bare_ids_are_those_of_the_source_named_last(corpus: Corpus) -> None:
    assert Run("s0002", "sentence", "AAA.s0002") in corpus.prose("BBB has it, AAA too (s0002).")


# --- the glossary ------------------------------------------------------------------------------------------

GOOD = "- {id: g-a, term: as, lang: fr, definition: An ace., attestations: [AAA.s0002]}\n"


@pytest.mark.parametrize(
    ("letters", "what"),
    [
        ("- {term: as, lang: fr}\n", "definition is missing"),
        ("- {term: as, lang: fr, definition: x, attestations: [AAA.s0099]}\n", "no sentence AAA.s0099"),
        ("- {term: as, lang: fr, definition: x, wrong: y}\n", "the entry wrong is unknown here"),
        ("- {term: as, lang: fr, definition: x, see: [roi]}\n", "see roi"),
        (GOOD + GOOD, "stands 2 times"),
        ("a: b\n", "is no list"),
        ("- [\n", "[ is opened here and not closed"),
    ],
)
def test_a_wrong_glossary_is_told(tmp_path: Path, letters: str, what: str) -> None:
    (tmp_path / "glossary.yaml").write_text(letters, encoding="utf-8")
    _, problems = read_glossary(tmp_path / "glossary.yaml", {"AAA.s0002": "sentence"})
    assert any(what in problem.what for problem in problems)


# --- the bibliography --------------------------------------------------------------------------------------


def test_a_work_is_named_by_author_and_title(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("@misc{x-1, author = {Doe, Jane}, title = {{The} ``Game''}}\n", encoding="utf-8")
    assert read_works(tmp_path / "a.bib") == ({"x-1": "Doe: The “Game”"}, [])


@pytest.mark.parametrize("letters", ["@misc{x-1, title = {open\n", "@misc{a, title={x}}\n@misc{a, title={y}}\n"])
def test_a_wrong_bibliography_is_told(tmp_path: Path, letters: str) -> None:
    (tmp_path / "a.bib").write_text(letters, encoding="utf-8")
    works, problems = read_works(tmp_path / "a.bib")
    assert (works, len(problems)) == ({}, 1)


# --- pages -------------------------------------------------------------------------------------------------


def test_no_words_of_a_source_stand_in_a_page_that_markdown_reads(corpus: Corpus) -> None:
    assert not any("Quinola" in words or "joue" in words for _, words in generate_stub_pages(corpus))


def test_a_page_that_says_the_same_is_not_touched_and_an_old_one_is_taken_away(corpus: Corpus, tmp_path: Path) -> None:
    write_page_sources(corpus, tmp_path, tmp_path / "none")
    before = (tmp_path / "questions" / "Q001.md").stat().st_mtime_ns
    (tmp_path / "questions" / "Q999.md").write_text("old")
    write_page_sources(corpus, tmp_path, tmp_path / "none")
    assert (tmp_path / "questions" / "Q001.md").stat().st_mtime_ns == before
    assert not (tmp_path / "questions" / "Q999.md").exists()


# --- built ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_period_text_reaches_the_page_letter_by_letter(corpus: Corpus, build: Build) -> None:
    line = at(page(build(corpus) / "sources" / "AAA.html"), "AAA.s0002")
    assert '1. On joue <Quinola> *un* jetton & "deux" `fois`.' in line.text_content()


@pytest.mark.slow
def test_text_clause_and_question_lead_to_each_other(corpus: Corpus, build: Build) -> None:
    site = build(corpus)
    assert "../clauses/AAA.html#AAA.c001" in links(at(page(site / "sources" / "AAA.html"), "AAA.s0002"))
    folds = (site / "sources" / "AAA.folds.js").read_text(encoding="utf-8")
    assert "../questions/Q001.html#AAA" in folds
    asked = links(at(page(site / "questions" / "Q001.html"), "AAA"))
    assert {"../clauses/AAA.html#AAA.c001", "../sources/AAA.html#AAA.s0002"} <= asked
    assert "../questions/Q001.html#AAA" in links(at(page(site / "clauses" / "AAA.html"), "AAA.c001"))
    assert "../sources/AAA.html#AAA.s0002" in (site / "clauses" / "AAA.folds.js").read_text(encoding="utf-8")


@pytest.mark.slow
def test_an_emendation_leads_to_its_reason_and_the_reading_view_has_it(corpus: Corpus, build: Build) -> None:
    site = build(corpus)
    line = at(page(site / "sources" / "AAA.html"), "AAA.s0003")
    (printed,), (reading,) = (
        line.xpath(".//*[contains(@class, 'rv-printed')]"),
        line.xpath(".//*[contains(@class, 'rv-modern')]"),
    )
    assert "leves" in printed.text_content() and "levées" in reading.text_content()
    assert "../index.html#AAA.e01" in links(printed)
    assert at(page(site / "index.html"), "AAA.e01") is not None


@pytest.mark.slow
def test_a_clause_that_rests_on_an_emendation_says_so_and_the_emendation_names_it(
    library: Library, build: Build
) -> None:
    clauses = (AAA_CLAUSES[0], replace(AAA_CLAUSES[1], emendations=("AAA.e01",)), AAA_CLAUSES[2])
    changed = replace(library.sources["AAA"], clauses=clauses)
    site = build(build_corpus(replace(library, sources={**library.sources, "AAA": changed})))
    assert "../index.html#AAA.e01" in (site / "clauses" / "AAA.folds.js").read_text(encoding="utf-8")
    (row,) = at(page(site / "index.html"), "AAA.e01").xpath("ancestor::tr")
    assert "clauses/AAA.html#AAA.c002" in links(row)


@pytest.mark.slow
def test_what_we_supply_is_marked_as_ours(corpus: Corpus, build: Build) -> None:
    cell = at(page(build(corpus) / "questions" / "Q002.html"), "BBB")
    assert "our assumption" in cell.text_content() and "the practice of the game" in cell.text_content()


@pytest.mark.slow
def test_a_source_in_copyright_shows_our_words_and_says_so(corpus: Corpus, build: Build) -> None:
    shown = page(build(corpus) / "sources" / "BBB.html").text_content()
    assert "in copyright" in shown and "A heart is led." in shown and "“a few words”" in shown


@pytest.mark.slow
def test_the_page_of_a_question_is_not_in_the_navigation_of_the_site(corpus: Corpus, build: Build) -> None:
    (bar,) = page(build(corpus) / "index.html").xpath("//*[@id='rv-menu']")
    assert not any("questions/" in link for link in links(bar))


def pages_of(site: Path) -> Iterator[tuple[str, html.HtmlElement]]:
    for path in sorted(site.rglob("*.html")):
        yield path.relative_to(site).as_posix(), page(path)


@pytest.mark.slow
def test_every_page_is_sound(corpus: Corpus, build: Build) -> None:
    """An id stands once; every table has a caption and named headings; nothing is fetched from elsewhere."""
    for name, root in pages_of(build(corpus)):
        ids = root.xpath("//@id")
        assert len(ids) == len(set(ids)), name
        assert not root.xpath("//table[not(caption)]"), name
        assert not root.xpath("//th[not(@scope)]"), name
        fetched = [*root.xpath("//@src"), *root.xpath("//link[not(@rel='canonical')]/@href")]
        assert not [one for one in fetched if re.match(r"(https?:)?//", one)], name


# --- when something is wrong -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_problems_in_the_sources_are_printed_and_nothing_is_built(
    corpus: Corpus, build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (build(corpus) / "index.html").read_bytes()
    laid_ready(monkeypatch, None, (Problem("clauses.yaml", 7, 3, "no question Q999", "did you mean Q099?"),))
    assert build_html(tmp_path / "html", by_hand=tmp_path / "hand") == 1
    assert "clauses.yaml:7:3: no question Q999" in capsys.readouterr().err
    assert (tmp_path / "html" / "index.html").read_bytes() == before


@pytest.mark.release
@pytest.mark.parametrize("wrong", ["```{edition:question} Q999\n```\n", "{edition:clause}`AAA.c999`\n"])
def test_a_page_that_shows_or_links_to_nothing_fails_and_the_last_good_edition_stays(
    corpus: Corpus, build: Build, tmp_path: Path, wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (build(corpus) / "index.html").read_bytes()
    (tmp_path / "hand" / "index.md").write_text(f"{INDEX}\n{wrong}", encoding="utf-8")
    assert build_html(tmp_path / "html", jobs="1", by_hand=tmp_path / "hand") == 1
    assert "999" in capsys.readouterr().err
    assert build_html(tmp_path / "html", jobs="1", by_hand=tmp_path / "hand") == 1, (
        "a warning must not be lost the second time"
    )
    assert (tmp_path / "html" / "index.html").read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir() if one.name.startswith(".")) == [".html-work"]


@pytest.mark.slow
def test_editing_one_clause_makes_only_its_pages_again(
    library: Library, build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(build_corpus(library))
    changed = replace(library.sources["BBB"], clauses=(*BBB_CLAUSES[:2], replace(BBB_CLAUSES[2], note="another note")))
    laid_ready(monkeypatch, build_corpus(replace(library, sources={**library.sources, "BBB": changed})))
    read: list[str] = []
    monkeypatch.setattr(EditionBuilder, "read_doc", reading(read))
    assert build_html(tmp_path / "html", jobs="1", by_hand=tmp_path / "hand") == 0
    assert {"clauses/BBB", "questions/Q003"} == set(read)
    assert "another note" in page(tmp_path / "html" / "questions" / "Q003.html").text_content()


def reading(read: list[str]) -> Callable[..., None]:
    """The builder's way to read a page, with a list of what was read."""
    original = EditionBuilder.read_doc

    def read_doc(self: EditionBuilder, docname: str, *args: Any, **more: Any) -> None:
        read.append(docname)
        original(self, docname, *args, **more)

    return read_doc


# --- how far the coding can be trusted ----------------------------------------------------------------------------


def accounted(library: Library, **kinds: SentenceStatus) -> Library:
    """The library with an account of some sentences of the first source."""
    account = {kind.id: kind for kind in kinds.values()}
    return replace(library, sources={**library.sources, "AAA": replace(library.sources["AAA"], coverage=account)})


ACCOUNT = {
    "head": SentenceStatus("AAA.s0001", "heading"),
    "rule": SentenceStatus("AAA.s0002", "encoded", ("Q001",), '1. … *un* jetton & "deux" `fois`.', "Only a number."),
}


def test_every_sentence_has_a_status(library: Library) -> None:
    (chapter,) = texts.source_view(build_corpus(accounted(library, **ACCOUNT)), "AAA").chapters
    assert [line.state for line in chapter.lines] == ["heading", "agree", "not-yet"]


def test_counsel_on_which_a_rule_rests_is_counted_as_both(library: Library) -> None:
    advice = replace(ACCOUNT["rule"], counsel=True)
    view = texts.source_view(build_corpus(accounted(library, rule=advice)), "AAA")
    line = next(one for chapter in view.chapters for one in chapter.lines if one.id == advice.id)
    assert line.states == ("agree", "advice")
    assert {state.state: len(state.ids) for state in view.states} == {
        "agree": 1,
        "advice": 1,
        "heading": 1,
        "not-yet": 1,
    }
    assert (view.coverage.by_kind["encoded"], view.coverage.by_kind["advice"]) == (1, 1)


@pytest.mark.slow
def test_a_sentence_not_yet_accounted_for_is_not_passed_over(library: Library, build: Build) -> None:
    shown = page(build(build_corpus(accounted(library, **ACCOUNT))) / "sources" / "AAA.html").text_content()
    assert "Answers quote 2 of the 3 sentences" in shown and "Rules rest on" not in shown
    assert "nobody has said why" in shown and "Sentences without a rule" not in shown  # AAA.s0003 is quoted in part


MEASURED = FigureRecord(
    cells=4,
    value=MeasuredRecord(agreed=3, per_cent=75.0, alpha=0.5),
    status=MeasuredRecord(agreed=4, per_cent=100.0, alpha=None),
)
REPORT = AgreementReport(
    "krippendorff 0",
    {"AAA": ("Q002",)},
    {},
    MEASURED,
    MEASURED,
    {"AAA": MEASURED},
    {"Aces": MEASURED},
    (
        CodingSettlement(
            "AAA",
            "ace.payer",
            CodedAnswer("stated", "taker"),
            CodedAnswer("silent"),
            "first",
            "See s0002.",
            "improved",
            NOWHERE,
        ),
    ),
)


def laid_out(kind: str, corpus: Corpus) -> str:
    return " ".join(node.astext() for node in ALL_RENDERERS[kind](ALL_VIEWS[kind](corpus, "")))


def test_agreement_is_shown_with_every_disagreement_and_its_reason(library: Library) -> None:
    shown = laid_out("agreement", build_corpus(library, codings=REPORT))
    assert "3 (75.0 %)" in shown and "0.500" in shown and "–" in shown
    assert "1 disagreement settled." in shown
    assert "1 question put after the codings of AAA, coded once only there, and part of no figure: Q002" in " ".join(
        shown.split()
    )
    assert "taker: He who takes. stated" in shown and "no answer silent" in shown and "See s0002." in shown


def test_with_one_coding_there_are_no_figures(corpus: Corpus) -> None:
    assert laid_out("agreement", corpus) == "There are no figures: only one coding exists."


def effect(played: bool, *differences: Difference) -> Effect:
    return Effect("AAA.i01", "AAA", "interpretation", ("ace.amount",), played, (), differences)


@pytest.mark.parametrize(
    ("tried", "said"),
    [
        (effect(False), "The engine does not play it."),
        (effect(True), "It changes none of the example deals and sessions."),
        (effect(True, Difference("a-deal", ("net", "pool"))), "It changes a-deal (results, pool)."),
        (effect(True, Difference("a-row", ("pool",), "session")), "It changes the session a-row (pool)."),
    ],
)
def test_a_rival_tells_what_it_changes(corpus: Corpus, tried: Effect, said: str) -> None:
    corpus.memo[compute_effects] = {"AAA.i01": tried}  # as if all deals had been tried
    assert said in laid_out("interpretations", corpus)


def test_a_question_on_which_a_rival_leaves_the_source_silent_is_shown_with_it(library: Library) -> None:
    """On the page of interpretations, with its clause, and in the tables."""
    first = library.sources["AAA"]
    rival = replace(AAA_CLAUSES[1].alternatives[0], silent=("first.lead",), searched="AAA.s0001-AAA.s0003")
    clauses = (AAA_CLAUSES[0], replace(AAA_CLAUSES[1], alternatives=(rival,)), AAA_CLAUSES[2])
    corpus = build_corpus(replace(library, sources={**library.sources, "AAA": replace(first, clauses=clauses)}))
    corpus.memo[compute_effects] = {"AAA.i01": effect(True)}
    assert "What of first.lead? silent" in " ".join(laid_out("interpretations", corpus).split())
    (shown,) = views.clause_view(corpus, corpus.library.clause("AAA.c002")).others
    assert [(answer.question.id, answer.answer.short) for answer in shown.answers] == [
        ("Q002", "1"),
        ("Q003", "silent"),
    ]
    table = EDITION_TABLES["alternatives"]
    assert [row[4:6] for row in table.rows(corpus)] == [("Q002", "1"), ("Q003", "")]


def views_of(kind: str, corpus: Corpus) -> Any:
    return ALL_VIEWS[kind](corpus, "")


def test_a_question_that_is_not_played_says_so_where_it_stands(library: Library) -> None:
    unplayed = replace(QUESTIONS["ace.payer"], not_played="It is about seats.")
    corpus = build_corpus(replace(library, questions={**QUESTIONS, "ace.payer": unplayed}))
    assert "not simulated" in laid_out("answers", corpus)
    (shown,) = ALL_RENDERERS["question"](ALL_VIEWS["question"](corpus, "Q001"))
    assert "Not simulated: It is about seats." in shown.astext()


def test_questions_that_are_played_bear_no_such_word(corpus: Corpus) -> None:
    assert "not simulated" not in laid_out("answers", corpus)


def test_no_id_is_gone_so_far(corpus: Corpus) -> None:
    assert laid_out("tombstones", corpus).startswith("None so far")


def test_an_id_that_is_gone_says_where_to_look(library: Library, tmp_path: Path) -> None:
    grave = '- {id: AAA.c099, on: "2025-01-31", why: See elsewhere., see: [AAA.c001]}\n'
    (tmp_path / "tombstones.yaml").write_text(grave, encoding="utf-8")
    corpus = build_corpus(library, gone=records.read_retired_ids(tmp_path / "tombstones.yaml"))
    shown = laid_out("tombstones", corpus)
    assert all(one in shown for one in ("AAA.c099", "2025-01-31", "See elsewhere.", "AAA.c001"))
    assert views_of("tombstones", corpus)[0].see == ((Run("AAA.c001", "clause", "AAA.c001"),),)
