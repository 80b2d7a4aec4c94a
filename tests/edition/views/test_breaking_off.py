"""A source that breaks off: its pages say so, and never that it is silent, which nobody can tell."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.text.answers import NOT_PRESERVED
from edition.views.page_kinds import ALL_RENDERERS, ALL_VIEWS

BADGE = "only its beginning is preserved"
SILENCES = ("silent", "the book is silent", "the source is silent", "says nothing", "Says nothing")
HEAD = 350  #: letters in which the badge is to stand


def render_page(corpus: Corpus, kind: str, name: str) -> nodes.Element:
    return nodes.container("", *ALL_RENDERERS[kind](ALL_VIEWS[kind](corpus, name)))


def list_remarks(page: nodes.Node) -> Iterator[str]:
    """Words of ours on a page that say how a source stands: badges, legend, marks with their tips, missing answers."""
    classes = {"rv-badge", "rv-status", "rv-small", "rv-plain-answer"}
    for one in page.findall(nodes.Element):
        if classes & {*one.get("classes", ())}:
            yield one.astext()
            yield str(one.get("html", {}).get("title", ""))
        if "rv-key" in one.get("classes", ()):
            yield from (each.astext().partition(") ")[2] for each in one.children)


@pytest.fixture(scope="module")
def broken(corpus: Corpus) -> str:
    return next(siglum for siglum, one in corpus.library.sources.items() if one.breaks_off)


@pytest.mark.parametrize("kind", ["howto", "howto-card", "clauses", "source"])
def test_the_pages_of_a_source_that_breaks_off_say_so_at_their_head(corpus: Corpus, broken: str, kind: str) -> None:
    heads = {siglum: render_page(corpus, kind, siglum).astext()[:HEAD] for siglum in corpus.library.sources}
    assert [siglum for siglum, head in heads.items() if BADGE in head] == [broken]


@pytest.mark.parametrize("kind", ["howto", "howto-card", "clauses"])
def test_of_a_source_that_breaks_off_nobody_says_that_it_is_silent(corpus: Corpus, broken: str, kind: str) -> None:
    whole = next(siglum for siglum, one in corpus.library.sources.items() if not one.breaks_off)
    said = {siglum: [*list_remarks(render_page(corpus, kind, siglum))] for siglum in (broken, whole)}
    assert NOT_PRESERVED in said[broken] and NOT_PRESERVED not in said[whole]
    assert set(said[whole]) & set(SILENCES) and not set(said[broken]) & set(SILENCES)


def test_the_points_left_open_are_not_in_what_is_preserved(corpus: Corpus, broken: str) -> None:
    page = render_page(corpus, "howto", broken).astext()
    assert f"These points are {NOT_PRESERVED}" in page and "says nothing" not in page


def test_the_page_of_a_question_has_the_badge_with_the_answer_of_a_source_that_breaks_off(
    corpus: Corpus, broken: str
) -> None:
    supplied = next(
        slug for slug, one in corpus.library.questions.items() if corpus.library.cell(broken, slug).supplied
    )
    unsaid = next(
        slug
        for slug in corpus.library.questions
        if (cell := corpus.library.cell(broken, slug)) and (cell.status, cell.value) == ("silent", None)
    )
    for slug in (supplied, unsaid):
        page = render_page(corpus, "question", slug)
        answers = [one for one in page.findall(nodes.container) if "rv-said-one" in one["classes"]]
        overview, evidence = answers[: len(answers) // 2], answers[len(answers) // 2 :]
        at = [*corpus.library.sources].index(broken)
        assert [BADGE in one.astext() for one in overview] == [one == at for one in range(len(overview))]
        for one in (overview[at], evidence[at]):
            remarks = {*list_remarks(one)}
            assert not remarks & {*SILENCES} and {NOT_PRESERVED, NOT_PRESERVED.capitalize()} & remarks


def test_the_list_of_rules_has_the_badge_once(corpus: Corpus) -> None:
    assert render_page(corpus, "howtos", "").astext().count(BADGE) == 1
