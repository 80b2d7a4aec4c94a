"""Where nobody gave a reason, a page says so in words that a reader understands, and never leaves the reason empty."""

from __future__ import annotations

from dataclasses import replace

from docutils import nodes

from edition.corpus.corpus import Corpus
from edition.views.plain_answers import source_marks
from edition.views.questions.silences import SilentPoint, render_silences, silent_points_view
from edition.views.sources.source import SourceView, source_view
from edition.views.sources.source_text import render_source
from rulebook.checks.coverage import NOT_YET_KIND


def read_rows(*found: nodes.Node) -> list[list[str]]:
    rows = [row for one in found for row in one.findall(nodes.row)]
    return [[entry.astext().strip() for entry in row.findall(nodes.entry)] for row in rows]


def render_overview(view: SourceView) -> list[nodes.section]:
    """What each sentence is to the rules, as the page of a source says it."""
    sections = (section for made in render_source(view) for section in made.findall(nodes.section))
    return [section for section in sections if section["ids"] == ["overview"]]


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
    assert [row[-1] for row in rows] == ["nobody has said why", "no quotation covers it"]


def test_no_silence_has_an_empty_reason(corpus: Corpus) -> None:
    for one, found in silent_points_view(corpus):
        for point in found:
            rows = read_rows(*render_silences(((one, (point,)),)))
            (row,) = [row for row in rows if row[0] != "Question"]
            assert not row[-1].startswith("("), point.clause
            assert (row[1] == "no answer") == (not point.assumed), point.clause


def test_a_silence_without_search_or_reason_says_that_none_is_given(corpus: Corpus) -> None:
    mark = next(iter(source_marks(corpus).values()))
    point = SilentPoint("AAA.c001", (), (), "", (), ())
    (row,) = [row for row in read_rows(*render_silences(((mark, (point,)),))) if row[0] != "Question"]
    assert row[-1].startswith("No reason is given.")
