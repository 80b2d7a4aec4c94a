"""A source that is not consulted whole: its pages say so, and never that it is silent, which nobody can tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from docutils import nodes

from edition.citation.places import topic_slug
from edition.corpus.corpus import Corpus
from edition.views.common import group_questions
from edition.views.plain_answers import MISSING_ANSWERS
from edition.views.questions.all_answers import answers_view
from edition.views.questions.question import build_cell_views
from edition.views.questions.silences import render_silences, silences_view
from edition.views.sources.source import SourceView, source_view
from edition.views.sources.source_text import render_source
from edition.views.topics.topic import topic_view
from rulebook.answers.wording import NOT_CONSULTED
from rulebook.checks.coverage import NOT_YET_KIND
from tests.support.pages import ALL_RENDERERS, ALL_VIEWS
from tests.support.places import CLONE

BADGE = "not consulted whole"
SILENCES = ("silent", "the book is silent", "the source is silent", "says nothing", "Says nothing")
HEAD = 350  #: letters in which the badge is to stand


_rendered: dict[tuple[int, str, str], nodes.Element] = {}


def render_page(corpus: Corpus, kind: str, name: str) -> nodes.Element:
    """A page, rendered once for all tests; nobody changes it."""
    key = (id(corpus), kind, name)
    if key not in _rendered:
        _rendered[key] = nodes.container("", *ALL_RENDERERS[kind](ALL_VIEWS[kind](corpus, name)))
    return _rendered[key]


def list_remarks(page: nodes.Node) -> Iterator[str]:
    """Words of ours on a page that say how a source stands: badges, legend, marks with their tips, missing answers."""
    classes = {"rv-badge", "rv-status", "rv-small", "rv-plain-answer"}
    for one in page.findall(nodes.Element):
        if classes & {*one.get("classes", ())}:
            yield one.astext()
            yield str(one.get("html", {}).get("title", ""))
        if "rv-key" in one.get("classes", ()):
            yield from (each.astext().partition(") ")[2] for each in one.children)


def list_broken(corpus: Corpus) -> list[str]:
    return [siglum for siglum, one in corpus.library.sources.items() if one.partial]


def list_unsaid(corpus: Corpus, siglum: str) -> list[str]:
    """Questions that a source does not answer, though they make sense for it, and for which we supply nothing."""
    cells = ((slug, corpus.library.cell(siglum, slug)) for slug in corpus.library.questions)
    return [slug for slug, cell in cells if cell and (cell.status, cell.value) == ("silent", None)]


@pytest.fixture(scope="module", params=["PIE", "ACA", "HOY"])
def broken(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["howto", "howto-card", "clauses", "source"])
def test_the_pages_of_a_source_that_breaks_off_say_so_at_their_head(corpus: Corpus, kind: str) -> None:
    heads = {siglum: render_page(corpus, kind, siglum).astext()[:HEAD] for siglum in corpus.library.sources}
    assert [siglum for siglum, head in heads.items() if BADGE in head] == list_broken(corpus)


@pytest.mark.parametrize("kind", ["howto", "howto-card", "clauses"])
def test_of_a_source_that_breaks_off_nobody_says_that_it_is_silent(corpus: Corpus, broken: str, kind: str) -> None:
    whole = next(siglum for siglum, one in corpus.library.sources.items() if not one.partial)
    said = {siglum: [*list_remarks(render_page(corpus, kind, siglum))] for siglum in (broken, whole)}
    assert NOT_CONSULTED in said[broken] and NOT_CONSULTED not in said[whole]
    assert set(said[whole]) & set(SILENCES) and not set(said[broken]) & set(SILENCES)


def test_the_points_left_open_are_not_in_the_part_consulted(corpus: Corpus, broken: str) -> None:
    page = render_page(corpus, "howto", broken).astext()
    assert f"These points are {NOT_CONSULTED}" in page and "says nothing" not in page


def test_the_page_of_a_question_has_the_badge_with_the_answer_of_a_source_that_breaks_off(
    corpus: Corpus, broken: str
) -> None:
    supplied = next(
        slug for slug, one in corpus.library.questions.items() if corpus.library.cell(broken, slug).supplied
    )
    unsaid = list_unsaid(corpus, broken)[0]
    for slug in (supplied, unsaid):
        page = render_page(corpus, "question", slug)
        answers = [one for one in page.findall(nodes.container) if "rv-said-one" in one["classes"]]
        overview, evidence = answers[: len(answers) // 2], answers[len(answers) // 2 :]
        sources = corpus.library.sources
        at = [*sources].index(broken)
        assert [BADGE in one.astext() for one in overview] == [bool(source.partial) for source in sources.values()]
        for one in (overview[at], evidence[at]):
            remarks = {*list_remarks(one)}
            assert not remarks & {*SILENCES} and {NOT_CONSULTED, NOT_CONSULTED.capitalize()} & remarks


def test_the_list_of_rules_has_the_badge_once_for_each_such_source(corpus: Corpus) -> None:
    assert render_page(corpus, "howtos", "").astext().count(BADGE) == len(list_broken(corpus))


def test_of_a_silence_in_such_a_source_no_certainty_is_shown(corpus: Corpus, broken: str) -> None:
    slug = list_unsaid(corpus, broken)[0]
    cell = next(
        view for view in build_cell_views(corpus, corpus.library.questions[slug]) if view.source.siglum == broken
    )
    assert corpus.library.cell(broken, slug).cert and not cell.cert and not any(clause.cert for clause in cell.clauses)


def test_the_range_searched_in_vain_is_all_that_was_consulted(corpus: Corpus) -> None:
    """The first stake of the Académie text stood in its opening, if anywhere."""
    sources = [*corpus.library.sources]
    answers = [*render_page(corpus, "question", "Q163").findall(nodes.container)]
    said = [answer.astext() for answer in answers if "rv-said-one" in answer["classes"]][sources.index("ACA")]
    assert "Not found in ACA.s0001–ACA.s0037; anything beyond that was not consulted." in said.replace("-", "–")


@pytest.mark.slow
def test_all_answers_and_topics_call_no_such_source_silent(corpus: Corpus) -> None:
    broken = {*list_broken(corpus)}
    for row in answers_view(corpus).rows:
        for one in row.answers:
            assert one.siglum not in broken or one.words != MISSING_ANSWERS["silent"], row.question.id
            assert one.siglum in broken or one.words not in (NOT_CONSULTED, "not consulted"), row.question.id
    assert any(answer.words == "not consulted" for row in answers_view(corpus).rows for answer in row.answers)
    for group in group_questions(corpus):
        for asked in topic_view(corpus, topic_slug(group)).questions:
            assert not broken & {mark.siglum for mark in asked.silent}
            assert {mark.siglum for mark in asked.partial} <= broken


def test_the_list_of_silences_counts_questions_and_calls_no_such_source_silent(corpus: Corpus) -> None:
    page = render_page(corpus, "silences", "")
    total = 0
    for siglum, source in corpus.library.sources.items():
        cells = [corpus.library.cell(siglum, slug) for slug in corpus.library.questions]
        silent = [cell for cell in cells if cell and cell.status == "silent"]
        ours = sum(one.value is not None for one in silent)
        total += len(silent)
        partial = f" {NOT_CONSULTED}" if source.partial else ""
        assert f": {len(silent)} questions{partial}, {ours} assumptions" in page.astext(), siglum
    assert f"{total} questions have no answer" in page.astext()


#: Files in which readers find what became of a part that was not consulted; the codings stay as they were made.
CLAIMS = re.compile(r"\bpreserved\b|\b(?:is|are|was|has) lost\b|\blost (?:opening|part|chapter|end|beginning)\b")
ELSEWHERE = re.compile(r"espagnolette|trick|deal|right|reversis|card|counter|letter|by accident", re.IGNORECASE)


def test_nothing_is_called_lost_that_was_only_not_consulted() -> None:
    """Our copies stop; that the rest exists no longer is nowhere shown."""
    patterns = ("sources/*/source.yaml", "sources/*/text.xml", "sources/*/witnesses/*.xml", "sources/*.bib")
    patterns += ("sources/stemma.yaml", "sources/attestations.yaml", "*/pages/*.md", "edition/book/pages/*.md")
    patterns += ("sources/book/*.md",)
    files = [path for pattern in patterns for path in CLONE.glob(pattern) if path.name != "changes.md"]
    lines = [line for path in (*files, CLONE / "README.md") for line in path.read_text("utf-8").split("\n")]
    assert len(lines) > 2000
    assert [line for line in lines if CLAIMS.search(line) and not ELSEWHERE.search(line)] == []


def test_a_book_that_begins_late_says_so_as_one_that_breaks_off(corpus: Corpus) -> None:
    """Each says on its page where our copy stops, and what is known of where the rest stands."""
    sources = corpus.library.sources
    assert [siglum for siglum, one in sources.items() if one.record.get("begins_late")] == ["ACA"]
    assert [siglum for siglum, one in sources.items() if one.breaks_off] == ["HOY", "PIE"]
    said = {siglum: render_page(corpus, "source", siglum).astext() for siglum in list_broken(corpus)}
    assert "page 232 of the digital copy at French Wikisource" in " ".join(said["ACA"].split())
    assert "which would be 289" in said["HOY"] and "zeno.org/Pierer-1857/A/Reversis" in said["PIE"]


def read_rows(*found: nodes.Node) -> list[list[str]]:
    rows = [row for one in found for row in one.findall(nodes.row)]
    return [[entry.astext().strip() for entry in row.findall(nodes.entry)] for row in rows]


def render_overview(view: SourceView) -> list[nodes.section]:
    """What each sentence is to the rules, as the page of a source says it."""
    sections = (section for made in render_source(view) for section in made.findall(nodes.section))
    return [section for section in sections if section["ids"] == ["overview"]]


@pytest.mark.slow
def test_words_left_over_without_a_reason_are_explained(corpus: Corpus) -> None:
    """Words that only link, such as "Übrigens", need no reason in the data."""
    linking = 0
    for siglum in corpus.library.sources:
        for row in read_rows(*render_overview(source_view(corpus, siglum))):
            assert row[-1] not in ("", "–", "no reason yet"), row
            linking += row[-1].startswith("they only link or number")
    assert linking


def test_words_that_need_a_reason_and_have_none_are_nobody_s_explanation(corpus: Corpus) -> None:
    view = source_view(corpus, next(iter(corpus.library.sources)))
    at = next(at for at, one in enumerate(view.coverage.lines) if one.residue)
    lines = [*view.coverage.lines]
    lines[at] = replace(lines[at], kind=NOT_YET_KIND, missing="no quotation covers it")
    without = replace(view, coverage=replace(view.coverage, lines=tuple(lines)), reasons={})
    rows = [row for row in read_rows(*render_overview(without)) if row[0] == lines[at].id.partition(".")[2]]
    assert [row[-1] for row in rows] == ["nobody has said why"]


@pytest.mark.slow
def test_no_silence_has_an_empty_reason(corpus: Corpus) -> None:
    for one, found in silences_view(corpus):
        for point in found:
            rows = read_rows(*render_silences(((one, (point,)),)))
            (row,) = [row for row in rows if row[0] != "Question"]
            assert not row[-1].startswith("("), point.id
            assert (row[1] == "no answer") == (not point.answers), point.id


def test_a_silence_without_search_or_reason_says_that_none_is_given(corpus: Corpus) -> None:
    mark, points = silences_view(corpus)[0]
    point = replace(points[0], taken_from="", answers=(), searched=(), because=(), note=())
    (row,) = [row for row in read_rows(*render_silences(((mark, (point,)),))) if row[0] != "Question"]
    assert row[-1].startswith("No reason is given.")
